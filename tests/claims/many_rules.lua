--- Prints how often comparisons of 20 rules err: many_rules.lua LEVELS REPEATS STUDIES GOOD SEED; or how often rules of noise are said
--- to be better than the mean: many_rules.lua noise LEVELS MEASURES STUDIES SEED.
package.path = "tests/support/?.lua;" .. package.path
local many_rules = require "many_rules"
local numbers, is_noise = {}, ... == "noise"
for i = is_noise and 2 or 1, 5 do table.insert(numbers, math.tointeger((select(i, ...)))) end
if is_noise then
  print(("said to be better %.4f"):format(many_rules.of_noise(table.unpack(numbers))))
else
  print(("set of the best %.4f, differences to the first %.4f, power %.4f"):format(many_rules.shares(table.unpack(numbers))))
end
