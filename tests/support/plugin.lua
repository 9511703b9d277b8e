--- Running programs in stock Lua with crux.so, from the checkout or installed.
local luaunit = require "luaunit"
local shell = require "shell"

local plugin = {}

local folder = os.getenv "CRUX_PLUGIN" or shell.program:match "^(.*)/"

--- Says why stock Lua cannot load crux.so; nil where it can.
function plugin.problem()
  if shell.run("command -v lua5.4").status ~= 0 then return "lua5.4 is not installed" end
  if shell.is_instrumented then return "crux.so is built with sanitizers or for coverage" end
end

--- Leaves a test out where stock Lua cannot load crux.so.
function plugin.expect()
  local problem = plugin.problem()
  if problem then luaunit.skip(problem) end
end

--- Runs lua5.4 with these words, with the crux.so in a folder: that of the program unless given, or as CRUX_PLUGIN says.
function plugin.run(words, where)
  return shell.run(("env -u CRUX_HOME LUA_CPATH='%s/?.so;;' lua5.4 %s"):format(where or folder, words))
end

--- What it prints; expects that all is well.
function plugin.output(words, where)
  local result = plugin.run(words, where)
  luaunit.assertEquals({ result.status, result.err }, { 0, "" }, words)
  return result.out
end

--- What a program prints.
function plugin.printed(text, where) return plugin.output(shell.file("program.lua", text), where) end

return plugin
