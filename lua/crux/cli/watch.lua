--- crux watch: runs a command line again whenever a file that it names is saved.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local source = require "crux.script.source"
local file_system = require "libcrux.files"
local process = require "libcrux.process"
local watching = require "crux.cli.watching"

--- Seconds between two checks of the files.
local PAUSE <const> = 0.2

--- Returns true if the words begin with a command; refuses words that cannot be watched.
local function is_command(words)
  for _, name in ipairs(require("crux.cli").commands) do
    if words[1] == name then
      if name == "watch" or name == "play" then fault.raise(("found '%s', expected another command"):format(name), 2) end
      return true
    end
  end
  if words[1] and words[1]:sub(1, 1) == "-" then fault.raise(("unknown option '%s'"):format(words[1]), 2) end
  if #words < 2 then fault.raise("expected RULE DATA, or a command with its arguments", 2) end
  return false
end

--- The command lines for RULE DATA: check, fit, evaluate.
---@param words string[]   RULE DATA
---@return string[][]
local function lines_of(words)
  local script = source.read(words[1])
  local is_fittable = not script or script:value "formula" or script:field "params"
  local commands = is_fittable and { "check", "fit", "evaluate" } or { "check", "evaluate" }
  return lists.map(commands, function(command) return { command, table.unpack(words) } end)
end

--- Adds a file, or a folder and its files, to a set.
local function add(files, path)
  local names = file_system.list(path)
  files[path] = true
  for _, name in ipairs(names or {}) do
    if name:sub(1, 1) ~= "." then files[path:gsub("/*$", "/") .. name] = true end
  end
end

--- Options whose values are files that the command writes.
local written = { ["-o"] = true, ["--output"] = true, ["--resume"] = true }

--- Adds the files that words name, without those that the command writes, and the games of their rules.
---@param files table<string, boolean>   already has the files of the last run, in case a script fails now
local function add_files(files, words)
  for i, word in ipairs(words) do
    local is_written = written[words[i - 1]]
    if not is_written and file_system.is_regular(word) ~= nil then add(files, word) end
    local script = not is_written and word:find "%.lua$" and source.read(word) -- read, not run: this process has no wall
    local game = script and script:value "game"
    if game and file_system.is_regular(game) then files[game] = true end
  end
end

--- The stamps of files, which change when the files do.
local function stamps_of(files)
  local stamps = {}
  for path in pairs(files) do stamps[path] = file_system.stamp(path) or "missing" end
  return stamps
end

--- A file whose stamp has changed.
local function changed(before, after)
  for path, stamp in pairs(after) do
    if before[path] ~= stamp then return path end
  end
end

--- Waits until a file has changed and none changes during a pause, as editors save in several steps.
---@param files table<string, boolean>
---@param stamps table<string, string>   before the last run
---@return string path
local function wait(files, stamps)
  local path
  return watching.until_true(PAUSE, function()
    local now = stamps_of(files)
    local other = changed(stamps, now)
    local quiet = not other and path
    path, stamps = other or path, now
    return quiet
  end)
end

local function names_of(files)
  local names = lists.keys(files)
  return #names > 4 and ("%s and %d more"):format(table.concat(names, ", ", 1, 3), #names - 3) or table.concat(names, ", ")
end

local function run(args)
  local words, files = args.words, {}
  if words[1] == "--help" or words[1] == "-h" then return sinks.save(nil, require "crux.cli.topic" "watch") end
  local has_command, stamps = is_command(words), nil
  watching.forever(function()
    add_files(files, words)
    if not next(files) then fault.raise("found no file to watch, expected some on the command line", 2) end
    stamps = stamps_of(files)
    for i, line in ipairs(has_command and { words } or lines_of(words)) do
      if i > 1 then io.stdout:write "\n" end
      io.stdout:flush()
      if fault.check(process.run(line)) ~= 0 then break end
    end
    return names_of(files)
  end, function() return wait(files, stamps) .. " was saved" end)
end

return {
  summary = "Run a command again when a file is saved.",
  details = "Runs a command line, and again whenever a file that it names is saved, or the game script of a rule. With RULE "
    .. "DATA alone it checks both, fits the rule and cross-validates it. It reports failures, and tries again after the next "
    .. "save. On a terminal each run begins with a clear screen. Options belong to the command that is watched, as in 'crux "
    .. "watch rate --explain my-rule.lua levels.csv'.",
  arguments = { { name = "words", args = "*", doc = "RULE DATA, or a command and what follows it." } },
  is_passed_on = true, is_plain = true, -- each run is a process with its own wall
  prepare = function() end,
  examples = {},
  run = run,
}
