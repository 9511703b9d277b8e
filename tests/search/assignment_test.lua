-- Tests of lua/crux/search/assignment.lua: all permutations of small matrices.
local assignment = require "crux.search.assignment"
local luaunit = require "luaunit"

--- The cost of the cheapest assignment of the rows from i on to the columns that are not taken.
local function cheapest(costs, i, taken)
  if i > #costs then return 0 end
  local best = math.maxinteger
  for j = 1, #costs do
    if not taken[j] then
      taken[j] = true
      best = math.min(best, costs[i][j] + cheapest(costs, i + 1, taken))
      taken[j] = nil
    end
  end
  return best
end

local function draw(n)
  local costs = {}
  for i = 1, n do
    costs[i] = {}
    for j = 1, n do costs[i][j] = math.random(8) == 1 and 10000 or math.random(-3, 20) end
  end
  return costs
end

--- The sum of the prices and, for each row, the least of its costs less prices.
local function bound(costs, prices)
  local sum = 0
  for j, row in ipairs(costs) do
    local least = math.huge
    for k, cost in ipairs(row) do least = math.min(least, cost - prices[k]) end
    sum = sum + prices[j] + least
  end
  return sum
end

local Assignment = {}

function Assignment.test_prices()
  math.randomseed(5)
  for i = 1, 300 do
    local costs, others = draw(i % 6), draw(i % 6)
    local prices = assignment.prices(costs)
    luaunit.assertEquals(#prices, #costs)
    luaunit.assertEquals(bound(costs, prices), cheapest(costs, 1, {}))
    luaunit.assertTrue(bound(others, prices) <= cheapest(others, 1, {}))
  end
end

function Assignment.test_refused()
  for _, costs in ipairs { 3, { { 1, 2 }, { 3 } }, { { 1.5 } }, { 1 } } do
    luaunit.assertErrorMsgContains("crux.prices: found ", assignment.prices, costs)
  end
end

return { Assignment = Assignment }
