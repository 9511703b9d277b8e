--- crux watch: a command line that runs again whenever a file that it names is saved.
local fault = require "crux.base.fault"
local output = require "crux.out.output"
local source = require "crux.script.source"
local system = require "libcrux.system"

--- Seconds between two looks at the files.
local PAUSE <const> = 0.2

--- Refuses words that cannot be watched; whether they begin with a command.
---@param words string[]
---@return boolean
local function is_command(words)
  for _, name in ipairs(require("crux.cli").commands) do
    if words[1] == name then
      if name == "watch" or name == "play" then fault.raise(("found '%s', expected another command"):format(name), 2) end
      return true
    end
  end
  if words[1] and words[1]:sub(1, 1) == "-" then fault.raise(("unknown option '%s'"):format(words[1]), 2) end
  if #words < 2 then fault.raise("expected RULE DATA, or a command and what follows it", 2) end
  return false
end

--- The command lines that tell how good a rule is.
---@param words string[]   RULE DATA
---@return string[][]
local function lines_of(words)
  local script = source.read(words[1])
  local is_fittable = not script or script:value "formula" or script:field "params"
  local commands = is_fittable and { "check", "fit", "evaluate" } or { "check", "evaluate" }
  local lines = {}
  for i, command in ipairs(commands) do lines[i] = { command, table.unpack(words) } end
  return lines
end

--- Adds a file, or what is in a folder, to a list.
local function add(files, path)
  local names = system.is_regular(path) == false and system.list(path)
  files[path] = true
  for _, name in ipairs(names or {}) do
    if name:sub(1, 1) ~= "." then files[path:gsub("/*$", "/") .. name] = true end
  end
end

--- Options whose values are written.
local written = { ["-o"] = true, ["--output"] = true, ["--resume"] = true }

--- Adds the files that words name, but for what is written, and the games of the rules among them.
---@param files table<string, boolean>   those of a script that is wrong just now stay
---@param words string[]
local function add_files(files, words)
  for i, word in ipairs(words) do
    local is_written = written[words[i - 1]]
    if not is_written and system.is_regular(word) ~= nil then add(files, word) end
    local script = not is_written and word:find "%.lua$" and source.read(word) -- is not run: no wall stands here
    local game = script and script:value "game"
    if game and system.is_regular(game) then files[game] = true end
  end
end

--- What changes when one of the files does.
local function stamps_of(files)
  local stamps = {}
  for path in pairs(files) do stamps[path] = system.stamp(path) or "missing" end
  return stamps
end

--- A file whose stamp is another one.
local function changed(before, after)
  for path, stamp in pairs(after) do
    if before[path] ~= stamp then return path end
  end
end

--- Waits until a file was changed, and they stay as they are for a while: editors save in several steps.
---@param files table<string, boolean>
---@param stamps table<string, string>   before the last run
---@return string path
local function wait(files, stamps)
  local path
  repeat
    system.sleep(PAUSE)
    local now = stamps_of(files)
    local other = changed(stamps, now)
    local is_quiet = path and not other
    path, stamps = other or path, now
  until is_quiet
  return path
end

local function names_of(files)
  local names = {}
  for path in pairs(files) do table.insert(names, path) end
  table.sort(names)
  return #names > 4 and ("%s and %d more"):format(table.concat(names, ", ", 1, 3), #names - 3) or table.concat(names, ", ")
end

local function run(args)
  local words, files = args.words, {}
  if words[1] == "--help" or words[1] == "-h" then return require("crux.cli.help").run { topic = "watch" } end
  local has_command, is_terminal = is_command(words), system.is_terminal(io.stdout)
  while true do
    add_files(files, words)
    if not next(files) then fault.raise("found no file to watch, expected some on the command line", 2) end
    local stamps = stamps_of(files)
    if is_terminal then io.stdout:write "\27[H\27[2J\27[3J" end
    for i, line in ipairs(has_command and { words } or lines_of(words)) do
      if i > 1 then io.stdout:write "\n" end
      io.stdout:flush()
      if fault.check(system.run_crux(line)) ~= 0 then break end
    end
    output.say(("watching %s; Ctrl-C ends"):format(names_of(files)))
    output.say(("\n%s was saved"):format(wait(files, stamps)))
  end
end

return {
  details = "Runs a command line, and again whenever a file that it names is saved, or the game script of a rule. With RULE "
    .. "DATA alone it checks both, fits the rule and cross-validates it. What goes wrong is told, and the next save tried. On "
    .. "a terminal each run begins with a clear screen. Options belong to the command that is watched, as in 'crux watch rate "
    .. "--explain my-rule.lua levels.csv'.",
  arguments = { { name = "words", args = "*", doc = "RULE DATA, or a command and what follows it." } },
  is_passed_on = true, is_plain = true, -- each run is a process of its own, with a wall of its own
  prepare = function() end,
  examples = {},
  run = run,
}
