-- Runs the tests written in Lua, tests/*_test.lua, with LuaUnit; the last line counts them.
package.path = "tests/support/?.lua;tests/?.lua;" .. package.path
local luaunit = require "luaunit"

local listing = assert(io.popen "cd tests && ls */*_test.lua")
for file in listing:lines() do
  local module = file:gsub("%.lua$", ""):gsub("/", ".")
  for name, tests in pairs(require(module)) do _G[("Test_%s_%s"):format((module:gsub("%.", "_")), name)] = tests end -- else names would clash
end
listing:close()

local runner = luaunit.LuaUnit.new()
runner:setOutputType "text"
local failed = runner:runSuite()
print(("%d passed, %d failed"):format(runner.result.successCount, runner.result.notSuccessCount))
return failed == 0 and 0 or 1
