--- Counts over all states of a level that moves lead to, and over those from which a win is left.
local Graph = require "crux.search.graph"

local space = {}

space.most = Graph.most_whole

---@class StateSpace
---@field states integer     states that moves lead to, with the start, without wins and losses
---@field dead integer       those from which no win is left
---@field farthest integer   moves to the state that is the most moves away from the start
---@field changing integer   moves that change anything, where a win is left
---@field losing integer     those of them that lose, or lead to a dead state

--- Counts over all states of a level; nil if there are more than space.most.
---@param spec SearchSpec
---@return StateSpace?
function space.of(spec, level)
  local graph <close> = Graph.of(spec, level, { states = space.most + 1, bytes = 1 << 30, seconds = math.huge })
  if not graph:explore(space.most) then return nil end
  local distance = graph:distances()
  local found = { states = #graph, dead = 0, farthest = graph:depth(#graph), changing = 0, losing = 0 }
  for index = 1, #graph do
    found.dead = found.dead + (distance[index] and 0 or 1)
    for _, after in ipairs(distance[index] and graph:after(index) or {}) do
      if after ~= index then
        found.changing = found.changing + 1
        found.losing = found.losing + ((after == Graph.LOST or after < Graph.LOST and not distance[after]) and 1 or 0)
      end
    end
  end
  return found
end

return space
