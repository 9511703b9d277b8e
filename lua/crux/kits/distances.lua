--- The distances of the states of a level of crux.kits.slide from the exit, by a search in Lua from all states that are won: a
--- slide back is a slide, too.
local directions = require "crux.base.directions"

local distances = {}

local MOST_STATES <const> = 1 << 18 -- which take some seconds
local MOST_SQUARES <const> = 63 -- the bits of an integer that is not negative

--- The squares of a board as bits.
local function bits_of(squares)
  local bits = 0
  for _, _, cell in squares:cells() do bits = bits | 1 << cell - 1 end
  return bits
end

--- By piece: `bits` of its squares by position; `steps`, by direction and position, the next position; and `weight`, by which
--- its position is multiplied in the number of a state. Nil if there are too many states for a number.
local function pieces_of(level)
  local pieces, weight = {}, 1
  for number, piece in ipairs(level.pieces) do
    local count, steps = piece.columns * piece.rows, {}
    pieces[number] = { bits = {}, steps = steps, weight = weight, count = count }
    for position, squares in pairs(piece.covers) do pieces[number].bits[position] = bits_of(squares) end
    for _, direction in ipairs(directions.names) do
      local name = ("%s%s1"):format(piece.letter, direction)
      local to = {}
      for position, enters in pairs(level.slides.enters[name] or {}) do
        if (enters & piece.covers[position]):none() then to[position] = position + level.slides.shift[name] end
      end
      table.insert(steps, to)
    end
    if weight > math.maxinteger // count then return nil end
    weight = weight * count
  end
  return pieces
end

--- Calls add with the number of each state to which a slide leads.
local function each_next(pieces, state, single, add)
  local at, taken = {}, 0
  for number, piece in ipairs(pieces) do
    at[number] = state // piece.weight % piece.count
    taken = taken | piece.bits[at[number]]
  end
  for number, piece in ipairs(pieces) do
    local position, bits = at[number], piece.bits
    local others = taken & ~bits[position]
    for _, to in ipairs(piece.steps) do
      local next = to[position]
      while next and bits[next] & others == 0 do
        add(state + (next - position) * piece.weight)
        next = not single and to[next]
      end
    end
  end
end

--- The numbers of states at each distance from the exit, in slides, from 0 on; nil if there are too many states or squares, or
--- no way out.
---@param single boolean?   slides are by one square
---@return integer[]?
function distances.of(level, single)
  local pieces = level.width * level.height <= MOST_SQUARES and pieces_of(level)
  if not pieces then return nil end
  local start = 0
  for number, position in ipairs(level.at) do start = start + position * pieces[number].weight end
  local states, indices, beside, first = { start }, { [start] = 1 }, {}, {}
  local function add(state)
    if not indices[state] then
      indices[state] = #states + 1
      states[#states + 1] = state
    end
    beside[#beside + 1] = indices[state]
  end
  for index, state in ipairs(states) do
    if #states > MOST_STATES then return nil end
    first[index] = #beside + 1
    each_next(pieces, state, single, add)
  end
  first[#states + 1] = #beside + 1
  local distance, queue, counts, target = {}, {}, {}, pieces[level.target]
  local function reach(index, slides)
    if distance[index] then return end
    distance[index], queue[#queue + 1], counts[slides + 1] = slides, index, (counts[slides + 1] or 0) + 1
  end
  for index, state in ipairs(states) do
    if level.goal[state // target.weight % target.count] then reach(index, 0) end
  end
  for _, index in ipairs(queue) do
    for i = first[index], first[index + 1] - 1 do reach(beside[i], distance[index] + 1) end
  end
  return #queue > 0 and counts or nil
end

return distances
