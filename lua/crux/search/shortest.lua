--- All shortest solutions of a level: the graph of the states on them, with the number of solutions from each state on.
local Problem = require "crux.search.problem"

local WON = Problem.WON

---@class Shortest
---@field count number                  of shortest solutions; above 2^53 rounded to 53 bits, as all numbers of solutions here
---@field private states table<integer, table>    by index
---@field private moves table<integer, Branch[]>  by index: the moves with which shortest solutions go on
---@field private order integer[]       indices, starts before ends
local Shortest = {}
Shortest.__index = Shortest

---@class Branch
---@field move string
---@field to integer?      index of the next state; nil if the move wins
---@field state table      after the move
---@field count number     shortest solutions that go on with this move

--- The branches of a state from which a win is at most `depth` moves away; and the number of solutions.
local function branches_of(problem, origin, counts, last, is_last)
  local branches, sum = {}, 0.0
  for move, name in ipairs(problem.moves) do
    local successor, after = problem:successor(origin, move)
    local count = successor == WON and is_last and 1.0 or successor and successor > last and counts[successor]
    if count then
      table.insert(branches, { move = name, to = successor ~= WON and successor or nil, state = problem.set:copy(after),
        count = count })
      sum = sum + count
    end
  end
  return branches, sum
end

--- The shortest solutions of a problem after a breadth-first search: its states are in the order of their depths.
---@param frontiers integer[]   the number of states at each depth, from 0
---@param length integer        of a shortest solution
---@return Shortest?            nil if the time is up
function Shortest.new(problem, frontiers, length)
  local self = setmetatable({ states = {}, moves = {}, order = {} }, Shortest)
  local counts, first, statistics = {}, 1, problem:take_statistics()
  for depth = 1, length do first = first + frontiers[depth] end
  for depth = length, 1, -1 do
    local last = first - 1
    first = first - frontiers[depth]
    for index = last, first, -1 do
      if problem:is_late() then return nil end
      local origin = problem.set:state(index)
      local branches, count = branches_of(problem, origin, counts, last, depth == length)
      if count > 0 then
        counts[index], self.moves[index], self.states[index] = count, branches, origin
        table.insert(self.order, index)
      end
    end
  end
  problem.statistics = statistics
  table.sort(self.order)
  self.count, self.states[1] = counts[1] or 1.0, self.states[1] or problem.set:state(1)
  return self
end

--- The mean, over all shortest solutions, of the sum of a value over the states from the start to the win.
---@param value fun(state: table, before: table?): number   `before`: the state before it, nil for the start
function Shortest:mean(value)
  local mean, shares = value(self.states[1]), { 1 } -- shares: of the solutions that pass a state
  for _, index in ipairs(self.order) do
    local state, branches, count = self.states[index], self.moves[index], 0
    for _, branch in ipairs(branches) do count = count + branch.count end
    for _, branch in ipairs(branches) do
      local share = shares[index] * (branch.count / count)
      mean = mean + share * value(branch.state, state)
      if branch.to then shares[branch.to] = (shares[branch.to] or 0) + share end
    end
  end
  return mean
end

--- A shortest solution by its number in lexicographic order.
---@param rank number     from 0 to less than count
---@return string[] moves
---@return table[] way    the states from the start to the win
function Shortest:solution(rank)
  local moves, way, index = {}, { self.states[1] }, self.moves[1] and 1
  while index do
    local chosen
    for _, branch in ipairs(self.moves[index]) do
      chosen = branch
      if rank < branch.count then break end
      rank = rank - branch.count
    end
    table.insert(moves, chosen.move)
    table.insert(way, chosen.state)
    index = chosen.to
  end
  return moves, way
end

return Shortest
