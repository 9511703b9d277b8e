--- The states of a level and the moves between them, each found when it is asked for; by a program in C where the step can be
--- compiled.
local fault = require "crux.base.fault"
local Prepared = require "crux.search.prepared"
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local sampling = require "crux.search.sampling"

---@class Graph
---@field moves string[]
---@field starts_won boolean   the start is a win
---@field private problem SearchProblem
---@field private program Program?
---@field private known table<integer, integer[]>   the successors of states
---@field private changes table<integer, integer[]>  the moves that change states
---@field private estimates table<integer, integer>
local Graph = {}
Graph.__index = Graph

--- Successors that are no states.
Graph.WON, Graph.LOST = Problem.WON, Problem.LOST

--- The most states of a level that are all found to tell from which of them a win is left.
Graph.most_whole = 20000

--- The first states, whose moves C and Lua try both.
local SAMPLE <const> = 16

function Graph:__close()
  local program <close> = self.program -- luacheck: no unused
  local problem <close> = self.problem -- luacheck: no unused
end

--- Tries the moves of a state in Lua where the program does not know them.
---@param successors integer[]?   of the program, 0 for a move that it does not know
local function complete(self, index, successors)
  local problem, found = self.problem, successors or {}
  local origin
  for move = 1, #problem.moves do
    if (found[move] or 0) == 0 then
      origin = origin or problem.set:state(index)
      found[move] = problem:guarded(problem.successor, origin, move) or problem:add(index, move)
      if not found[move] then return nil end
    end
  end
  return found
end

--- The successors of a state by each move: states, WON or LOST. A state is a number; the start is 1.
---@param index integer
---@return integer[]?   nil if the limits allow no more states
function Graph:after(index)
  local found = self.known[index]
  if found then return found end
  local problem, program, new = self.problem, self.program, nil
  if program then
    new = program.search:visit(problem.set, index, problem.states)
    if not new then return nil end
  end
  found = complete(self, index, new)
  self.known[index] = found
  return found
end

--- The numbers of the moves that change a state, which after() must have returned.
---@return integer[]
function Graph:changing(index)
  local found = self.changes[index]
  if found then return found end
  found = {}
  for number, after in ipairs(self.known[index]) do
    if after ~= index then table.insert(found, number) end
  end
  self.changes[index] = found
  return found
end

--- The heuristic's estimate of the moves from a state to a win; nil without a heuristic.
---@return integer?
function Graph:estimate(index)
  local problem = self.problem
  if not problem.spec.heuristic then return nil end
  local estimate = self.estimates[index] or problem:estimate(problem.set:state(index))
  self.estimates[index] = estimate
  return estimate
end

--- The number of moves that led to a state when it was found.
function Graph:depth(index) return #self.problem:path(index) end

--- The number of states found so far.
function Graph:__len() return #self.problem.set end

--- Finds all states, breadth-first.
---@param most integer   states
---@return boolean   false if there are more, or the limits allow no more
function Graph:explore(most)
  local index = 1
  while index <= #self do
    if #self > most or not self:after(index) then return false end
    index = index + 1
  end
  return true
end

--- The fewest moves from each state to a win; nothing for states from which there is none. All states must have been found.
---@return table<integer, integer>
function Graph:distances()
  local before, distance, queue = {}, {}, {}
  for index = 1, #self do
    before[index] = before[index] or {}
    for _, after in ipairs(self.known[index]) do
      if after == Graph.WON and not distance[index] then
        distance[index] = 1
        table.insert(queue, index)
      elseif after < Graph.LOST then
        before[after] = before[after] or {}
        table.insert(before[after], index)
      end
    end
  end
  for _, index in ipairs(queue) do
    for _, earlier in ipairs(before[index]) do
      if not distance[earlier] then
        distance[earlier] = distance[index] + 1
        table.insert(queue, earlier)
      end
    end
  end
  return distance
end

--- Takes the program away if it does something else than the script on the first states.
local function check(self)
  local checked = 0
  while checked < SAMPLE and checked < #self and self:after(checked + 1) do checked = checked + 1 end
  local wrong = sampling.check(self.problem, self.program, checked)
  if not wrong then return end
  programs.refuse(self.problem, wrong)
  self.problem:restart()
  self.program, self.known, self.changes = nil, {}, {}
end

--- The graph of a level, to keep in a to-be-closed variable.
---@param spec SearchSpec
---@param limits { states: integer, bytes: integer, seconds: number }
---@return Graph
function Graph.of(spec, level, limits)
  local problem = Problem.new(Prepared.of(spec), level, limits, Problem.NOTES)
  local self = setmetatable({ moves = problem.moves, starts_won = problem.starts_won, problem = problem,
    program = programs.of(problem), known = {}, changes = {}, estimates = {} }, Graph)
  if self.program then fault.guard(problem.prepared.labels.step, check, self) end
  return self
end

return Graph
