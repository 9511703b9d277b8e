--- Prints how often comparisons of 20 rules err: many_rules.lua LEVELS REPEATS STUDIES GOOD SEED.
package.path = "tests/support/?.lua;" .. package.path
local numbers = {}
for i = 1, 5 do numbers[i] = math.tointeger((select(i, ...))) end
print(("set of the best %.4f, differences to the first %.4f, power %.4f"):format(require "many_rules".shares(table.unpack(numbers))))
