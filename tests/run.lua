-- Runs the tests written in Lua, tests/*_test.lua, with LuaUnit; the last line counts them.
package.path = "tests/?.lua;" .. package.path
local luaunit = require "luaunit"

local listing = assert(io.popen "cd tests && ls *_test.lua")
for file in listing:lines() do
  local module = file:gsub("%.lua$", "")
  for name, tests in pairs(require(module)) do _G[("Test_%s_%s"):format(module, name)] = tests end -- else names would clash
end
listing:close()

local runner = luaunit.LuaUnit.new()
runner:setOutputType "text"
local failed = runner:runSuite()
local skipped = {}
for _, test in ipairs(runner.result.skippedTests) do skipped[test.msg] = (skipped[test.msg] or 0) + 1 end
for reason, count in pairs(skipped) do print(("%d skipped: %s"):format(count, reason)) end
print(("%d passed, %d failed"):format(runner.result.successCount, runner.result.notSuccessCount))
return failed == 0 and 0 or 1
