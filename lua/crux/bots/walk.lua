--- A play of a level by a program: where it is, where it has been, and what its moves cost.
local Graph = require "crux.search.graph"

---@class Walk
---@field graph Graph
---@field random userdata
---@field at integer                     the state
---@field visits table<integer, integer> how often it came to each state
---@field states integer                 different states that it came to
---@field moves integer                  with those that were taken back
---@field undos integer
---@field restarts integer
---@field dead integer                   moves from states without a win left, if `distance` is known
---@field stale integer                  moves since it came to a new state
---@field solved boolean?
---@field length integer?                moves from the start to the win, without those that were taken back
---@field private path integer[]         the states from the start to here
---@field private distance table<integer, integer>?   moves to a win, by state
local Walk = {}
Walk.__index = Walk

---@param distance table<integer, integer>?   of Graph:distances()
function Walk.new(graph, random, distance)
  local self = setmetatable({ graph = graph, random = random, visits = {}, states = 0, moves = 0, undos = 0, restarts = 0,
    dead = 0, stale = 0, solved = graph.starts_won, path = {}, distance = distance }, Walk)
  self:come_to(1)
  return self
end

--- @private
function Walk:come_to(state)
  if not self.visits[state] then self.states, self.stale = self.states + 1, 0 end
  self.visits[state] = (self.visits[state] or 0) + 1
  self.at = state
  table.insert(self.path, state)
end

--- The state before this one; nil at the start.
function Walk:before() return self.path[#self.path - 1] end

--- Goes back to the start.
function Walk:restart()
  self.restarts, self.stale, self.path = self.restarts + 1, 0, {}
  self:come_to(1)
end

--- Takes the last move back, if there is one.
function Walk:undo()
  if #self.path == 1 then return self:restart() end
  self.undos, self.stale = self.undos + 1, self.stale + 1
  table.remove(self.path)
  self.at = self.path[#self.path]
end

--- Makes a move by its number; a lost play begins again.
function Walk:move(number)
  if self.distance and not self.distance[self.at] then self.dead = self.dead + 1 end
  self.moves, self.stale = self.moves + 1, self.stale + 1
  local after = self.graph:after(self.at)[number]
  if after == Graph.WON then
    self.solved, self.length = true, #self.path
  elseif after == Graph.LOST then
    self:restart()
  else
    self:come_to(after)
  end
end

--- A random one of the moves that change anything, if there is another one without the last one back; nil if nothing changes.
---@return integer?
function Walk:random_move()
  local after, list, back = self.graph:after(self.at), self.graph:changing(self.at), self:before()
  if #list == 0 then return nil end
  local number = self.random:pick(list)
  if after[number] ~= back then return number end
  local others = {}
  for _, other in ipairs(list) do
    if after[other] ~= back then table.insert(others, other) end
  end
  return #others > 0 and self.random:pick(others) or number
end

return Walk
