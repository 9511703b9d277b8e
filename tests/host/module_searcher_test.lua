--- The engine's modules are loaded as compiled, but never instead of a source that has changed.
local luaunit = require "luaunit"
local plugin = require "plugin"
local shell = require "shell"

local Changed = {}

--- A home whose modules are the engine's, but for a line in front of one of them.
local function home_with(line, file)
  local home = shell.folder "home"
  shell.output("cp -r lua " .. home)
  local name = "lua/crux/" .. file
  return home, shell.file("home/" .. name, line .. "\n" .. shell.read(name))
end

function Changed.test_program_runs_the_source()
  local home, path = home_with("error 'changed'", "cli/init.lua")
  luaunit.assertStrContains(shell.run(("CRUX_HOME=%s %s help"):format(home, shell.program)).err, path .. ":1: changed")
end

function Changed.test_plugin_runs_the_source()
  plugin.expect()
  local home = home_with("print 'changed'", "api/library.lua")
  shell.output(("cp %s/crux.so %s"):format(shell.program:match "^(.*)/", home))
  luaunit.assertEquals(plugin.printed("print(require('crux').version ~= nil)", home), "changed\ntrue\n")
end

--- Functions have the names and lines of their sources.
function Changed.test_place_of_an_engine_function()
  local path = require "libcrux.home" .. "/lua/crux/base/nice.lua"
  local _, above = shell.read(path):match "^(.-)function nice.step":gsub("\n", "")
  local info = debug.getinfo(require("crux.base.nice").step, "S")
  luaunit.assertEquals({ info.source, info.linedefined }, { "@" .. path, above + 1 })
end

return { Changed = Changed }
