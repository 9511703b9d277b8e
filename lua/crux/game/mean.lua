--- Means of measures over all shortest solutions of a level.
---
--- The mean of a measure with `each`, a sum over the states of a solution, is exact. Another measure may compare the
--- solution with those of variants: its mean is over all combinations of a shortest solution of the level and one of each
--- variant that is asked for; if there are more than `mean.most`, over that number of combinations drawn at random, all with
--- the same probability.
local lists = require "crux.base.lists"
local random = require "libcrux.random"

local mean = { most = 10000 }

---@class MeanChoice
---@field rank number    of the chosen solution
---@field count number   of solutions

--- The graphs of solutions, here because scripts get the solutions.
---@type table<Solution, Shortest>
local graphs = setmetatable({}, { __mode = "k" })

--- Takes the graph of all shortest solutions out of a solution.
function mean.keep(solution) graphs[solution], solution.shortest = solution.shortest, nil end

--- The graph that was in a solution.
---@return Shortest?
function mean.graph(solution) return graphs[solution] end

--- The next combination of choices: the last choice that can be raised is raised, and those behind it are removed.
---@return boolean   false if there is none
local function raise(choices)
  while #choices > 0 do
    local last = choices[#choices]
    last.rank = last.rank + 1
    if last.rank < last.count then return true end
    table.remove(choices)
  end
  return false
end

--- A copy of a solution with the shortest solution of a chosen rank in place of the first one; so are its variants.
---@param choose fun(count: number): number   the rank
local function drawn(game, solution, choose)
  local graph, copy = graphs[solution], lists.merge(solution)
  if not graph then return solution end
  copy.moves, copy.way = graph:solution(choose(graph.count))
  game:set_text(copy.level, copy)
  copy.variants = setmetatable({}, { __metatable = false, __index = function(variants, name)
    local variant = drawn(game, solution.variants[name], choose)
    rawset(variants, name, variant)
    return variant
  end })
  return copy
end

--- Means of measures that have no `each`. A measure without a value for one combination has no mean.
---@param solution Solution   with a graph
---@param value fun(measure: Measure, solution: Solution): number?
---@return table<string, number>
function mean.of(game, measures, solution, value)
  local sums
  local function restart()
    sums = {}
    for _, measure in ipairs(measures) do sums[measure.name] = 0 end
  end
  local function add(choose, weight_of)
    local chosen, values = drawn(game, solution, choose), {}
    for _, measure in ipairs(measures) do values[measure.name] = value(measure, chosen) end
    local weight = weight_of()
    for name, sum in pairs(sums) do sums[name] = values[name] and sum + weight * values[name] end
  end

  local choices, asked = {}, 0
  local function in_order(count)
    asked = asked + 1
    choices[asked] = choices[asked] or { rank = 0, count = count }
    return choices[asked].rank
  end
  local function combinations()
    local product = 1
    for i = 1, asked do product = product * choices[i].count end
    return product
  end
  restart()
  repeat
    asked = 0
    add(in_order, function() return 1 / combinations() end)
    if combinations() > mean.most then
      local generator = random.new(1)
      restart()
      for _ = 1, mean.most do
        add(function(count) return generator:real() * count end, function() return 1 / mean.most end)
      end
      return sums
    end
  until not raise(choices)
  return sums
end

return mean
