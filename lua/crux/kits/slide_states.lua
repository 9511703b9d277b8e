--- The states of levels of crux.kits.slide, which C finds: for searches, and for distances from the exit.
local expander = require "crux.search.expander"
local lists = require "crux.base.lists"
local sliding = require "libcrux.sliding"

local slide_states = {}

local STRETCH <const> = 16384 -- states that are expanded between two looks at the time
local MOST <const> = 1 << 18 -- states that src/puzzle/sliding_space.h finds at most

--- Those of the level that was searched last, or asked for its distances: those of all would fill the memory.
local latest = { level = nil, states = nil }

--- New states of a level, in the place of the latest.
local function renew(level)
  local old = latest.states
  latest.level, latest.states = level, nil
  latest.states = sliding.new(level, level.single, old)
  return latest.states
end

--- The states of a level of at most 64 squares: those that were found, if no other level was asked for since.
function slide_states.of(level) return latest.level == level and latest.states or renew(level) end

--- True if keys of a set can be those of a level: its pieces are told apart, and the squares are not too many.
local function can_be(level)
  for _, alike in ipairs(level.alike) do
    if #alike > 1 then return false end
  end
  return level.width * level.height <= 64
end

--- The search of a level; nil if shortest solutions are to be counted, or its states do not fit.
local function expander_of(level, count, set)
  if count or not can_be(level) then return nil end
  local states = renew(level)
  return states:takes(set, #level.moves) and states or nil
end

--- The states on a solution.
---@param moves integer[]
local function way_of(level, moves)
  local slides, way = level.slides, { { at = lists.copy(level.at) } }
  for i, move in ipairs(moves) do
    local at, name = lists.copy(way[i].at), level.moves[move]
    local piece = slides.piece[name]
    at[piece] = at[piece] + slides.shift[name]
    way[i + 1] = { at = at }
  end
  return way
end

--- The moves of the first shortest solution of a level, and the states on it; false without one; nil if its states do not fit,
--- or numbers of the search may be needed.
local function solve(level)
  if not level.explores or not can_be(level) then return nil end
  local moves = slide_states.of(level):solution()
  return moves, moves and way_of(level, moves) or nil
end

--- Lets C search instead of the step of all levels of the kit, which says the same.
function slide_states.register(step)
  expander.register(step, { make = expander_of, solve = solve, most = MOST, stretch = STRETCH, is_only = false })
end

return slide_states
