-- Runs the tests of a file with LuaUnit: run.lua FILE [OPTION of LuaUnit...]. The last line counts them.
package.path = "tests/support/?.lua;tests/?.lua;" .. package.path
local luaunit = require "luaunit"

local ok, groups = pcall(dofile, table.remove(arg, 1))
if not ok and not tostring(groups):find "LuaUnit test SKIP" then error(groups, 0) end
for name, tests in pairs(ok and groups or {}) do _G["Test_" .. name] = tests end

local seed = os.getenv "CRUX_TEST_SEED"
if seed then
  math.randomseed(tonumber(seed))
  table.insert(arg, "--shuffle")
end

local runner = luaunit.LuaUnit.new()
runner:setOutputType "text"
local failed = runner:runSuite()
local skipped = {}
for _, test in ipairs(runner.result.skippedTests) do skipped[test.msg] = (skipped[test.msg] or 0) + 1 end
for reason, count in pairs(skipped) do print(("%d skipped: %s"):format(count, reason)) end
print(("%d passed, %d failed"):format(runner.result.successCount, runner.result.notSuccessCount))
return failed == 0 and 0 or 1
