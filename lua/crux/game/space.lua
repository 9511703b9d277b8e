--- All states of a level that moves lead to, and from which of them a win is left.
local fault = require "crux.base.fault"
local loss = require "crux.search.loss"
local moves = require "crux.search.moves"
local states = require "crux.search.state"

local space = {}

space.most = 20000 -- states; Lua tries their moves in about a second

---@class StateSpace
---@field states integer     states that moves lead to, with the start, without wins and losses
---@field dead integer       those from which no win is left
---@field farthest integer   moves to the state that is the most moves away from the start
---@field changing integer   moves that change anything, where a win is left
---@field losing integer     those of them that lose, or lead to a dead state

--- The successors of a state by each move: true for a win, false for a loss, else a state.
local function successors(spec, level, list, where, before)
  local found = {}
  for i, move in ipairs(list) do
    local after = states.copy(before)
    local won, lost = fault.guard(where, spec.step, after, move, level)
    if won then found[i] = true elseif loss.cause(lost) then found[i] = false else found[i] = after end
  end
  return found
end

--- Visits all states, breadth-first.
---@return { next: (integer|boolean)[], depth: integer }[]?   next: the numbers of successors; nil if there are too many
local function visited(spec, level, where)
  local start = fault.guard(where, spec.start, level)
  local list, known = moves.of(spec, level), { [states.text(start)] = 1 }
  local nodes = { { state = start, depth = 0 } }
  local at = 1
  while nodes[at] do
    local node = nodes[at]
    node.next = successors(spec, level, list, where, node.state)
    node.state = nil
    for i, after in ipairs(node.next) do
      if type(after) == "table" then
        local key = states.text(after)
        if not known[key] then
          if #nodes == space.most then return nil end
          known[key] = #nodes + 1
          nodes[known[key]] = { state = after, depth = node.depth + 1 }
        end
        node.next[i] = known[key]
      end
    end
    at = at + 1
  end
  return nodes
end

--- Marks the states from which a win is left.
local function mark(nodes)
  local before, open = {}, {}
  for i, node in ipairs(nodes) do
    before[i] = before[i] or {}
    for _, after in ipairs(node.next) do
      if after == true and not node.is_alive then
        node.is_alive = true
        table.insert(open, i)
      elseif math.type(after) then
        before[after] = before[after] or {}
        table.insert(before[after], i)
      end
    end
  end
  while #open > 0 do
    for _, i in ipairs(before[table.remove(open)]) do
      if not nodes[i].is_alive then
        nodes[i].is_alive = true
        table.insert(open, i)
      end
    end
  end
end

--- Counts over all states of a level; nil if there are more than space.most.
---@param spec SearchSpec
---@param where string   the script, for messages
---@return StateSpace?
function space.of(spec, level, where)
  local nodes = visited(spec, level, where)
  if not nodes then return nil end
  mark(nodes)
  local found = { states = #nodes, dead = 0, farthest = nodes[#nodes].depth, changing = 0, losing = 0 }
  for i, node in ipairs(nodes) do
    found.dead = found.dead + (node.is_alive and 0 or 1)
    for _, after in ipairs(node.is_alive and node.next or {}) do
      if after ~= i then
        found.changing = found.changing + 1
        local is_lost = after == false or math.type(after) and not nodes[after].is_alive
        found.losing = found.losing + (is_lost and 1 or 0)
      end
    end
  end
  return found
end

return space
