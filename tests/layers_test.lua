--- The layers hold: each file uses only what lies below it (docs/architecture.md).
local luaunit = require "luaunit"
local shell = require "shell"

--- Files of src/, without their endings, that know Lua beside the bindings, which end in _lua: those that start and stop a
--- Lua state, let C call into one, keep it within limits, and carry values between two; and what all bindings share.
local host = { "command_line", "engine", "rule", "primitives", "worker", "workers", "interrupt", "budget", "watchdog", "value", "binding" }

--- Names of scripts that are ordinary words, too: they count only in quotes.
local ordinary = { move = true }

local function files(words)
  local paths = {}
  for path in shell.run("ls " .. words).out:gmatch "[^\n]+" do table.insert(paths, path) end
  assert(#paths > 0, words)
  return paths
end

--- Iterates over path, number and text of all lines of files.
local function lines(paths)
  return coroutine.wrap(function()
    for _, path in ipairs(paths) do
      local number = 0
      for line in io.lines(path) do
        number = number + 1
        coroutine.yield(path, number, line)
      end
    end
  end)
end

--- Names of the scripts in a folder.
local function scripts(folder)
  local names = {}
  for _, path in ipairs(files(folder .. "/*.lua")) do names[path:match "([^/]*)%.lua$"] = true end
  return names
end

--- Fails with a line for each line of the files in which `find` finds something; `instead` says how to mend it.
---@param find fun(line: string, path: string): string?
local function expect_none(paths, find, instead)
  local faults = {}
  for path, number, line in lines(paths) do
    local found = find(line, path)
    if found then table.insert(faults, ("%s:%d: found %s; %s"):format(path, number, found, instead)) end
  end
  luaunit.assertEquals(table.concat(faults, "\n"), "")
end

--- The first of the names that stands in a line as a word; - of a name may be _ or a space.
local function name_in(line, names)
  for name in pairs(names) do
    local word = name:gsub("%-", "[-_ ]")
    local pattern = ordinary[name] and "['\"]" .. word .. "['\"]" or "%f[%w]" .. word .. "%f[%W]"
    if line:lower():find(pattern) then return ("'%s'"):format(name) end
  end
end

local function requires(line) return line:match "%f[%w_]require%s*[%(\"'%[].*" end

local Layers = {}

function Layers.test_src_knows_no_game_and_no_rule()
  local names = scripts "games"
  for name in pairs(scripts "rules") do names[name] = true end
  expect_none(files "src/*", function(line) return name_in(line, names) end,
    "src/ knows no game and no rule: put what only they need into games/ or rules/, and name a primitive by what it does")
end

--- Whether a line includes a header of Lua's, or one of crux's that does.
local function includes_lua(line)
  if line:find "^%s*#%s*include%s*<lua" or line:find "^%s*#%s*include%s*<lauxlib" then return true end
  local own = line:match '^%s*#%s*include%s*"([^"]+)"'
  if not own then return false end
  for _, _, inner in lines { "src/" .. own } do
    if includes_lua(inner) then return true end
  end
  return false
end

function Layers.test_primitives_know_no_lua()
  local knows = {}
  for _, name in ipairs(host) do knows[name] = true end
  expect_none(files "src/*", function(line, path)
    local name = path:match "([^/]*)%.[ch]$"
    return not knows[name] and not name:find "_lua$" and includes_lua(line) and line
  end, "a primitive knows no Lua, so that it can be tested without: put what does into a sibling NAME_lua.c")
end

--- Else the list above grows old.
function Layers.test_host_knows_lua()
  for _, name in ipairs(host) do
    local found = false
    for _, _, line in lines { ("src/%s.c"):format(name) } do found = found or includes_lua(line) end
    luaunit.assertTrue(found, ("src/%s.c includes no header of Lua's: take it off the list of this test"):format(name))
  end
end

function Layers.test_host_only_starts_the_command_line()
  expect_none({ "src/command_line.c" }, function(line)
    local header, module = line:match '#include "([^"]+)"', line:match '"(%l*crux%.[%w_.]+)"'
    local called = line:match "%f[%w_](crux_[%w_]+)%("
    return header and header ~= "engine.h" and header ~= "command_line.h" and header or module and module ~= "crux.cli" and module
      or called and not called:find "^crux_engine_" and called ~= "crux_command_line_run" and called
  end, "command_line.c only starts the command line: put it into lua/crux/cli/, or what embedders need, too, into another file of src/")
end

function Layers.test_engine_knows_no_command()
  local paths = files "lua/crux/*.lua lua/crux/*/*.lua src/*"
  expect_none(paths, function(line, path)
    return not path:find "^lua/crux/cli/" and not path:find "^src/command_line" and line:match "crux[./]cli[%w_./]*" or nil
  end, "the engine knows no command: move what both need into lua/crux/, where commands can require it")
end

function Layers.test_no_command_is_a_library_of_another()
  local commands = require "crux.cli".summaries
  expect_none(files "lua/crux/cli/*.lua", function(line)
    local name = line:match 'require%s*%(?"crux%.cli%.([%l_]+)"'
    return commands[name] and line
  end, "no command is a library of another: move what both need into lua/crux/, or into a file of lua/crux/cli/ that is no command")
end

function Layers.test_scripts_require_nothing()
  expect_none(files "games/*.lua rules/*.lua", requires,
    "scripts run in a sandbox: offer it as a field of crux in lua/crux/script.lua, or write it into the script")
end

function Layers.test_games_name_no_rule()
  local names, games = scripts "rules", scripts "games"
  for name in pairs(games) do names[name] = nil end
  local function find(line) return name_in(line, names) or line:match "crux%.rule" or line:match "rules/" end
  expect_none(files "games/*.lua", find, "a game knows no rule: offer a measure, which a rule can name")
end

return { Layers = Layers }
