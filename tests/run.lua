-- Runs the tests written in Lua, tests/*_test.lua, with LuaUnit; the last line counts them.
package.path = "tests/?.lua;" .. package.path
local luaunit = require "luaunit"

local listing = assert(io.popen "cd tests && ls *_test.lua")
for file in listing:lines() do
  for name, tests in pairs(require((file:gsub("%.lua$", "")))) do _G["Test" .. name] = tests end
end
listing:close()

local runner = luaunit.LuaUnit.new()
runner:setOutputType "text"
local failed = runner:runSuite()
print(("%d passed, %d failed"):format(runner.result.successCount, runner.result.notSuccessCount))
return failed == 0 and 0 or 1
