--- The states of levels of crux.kits.slide, which C finds: for searches, and for distances from the exit.
local expander = require "crux.search.expander"
local sliding = require "libcrux.sliding"

local slide_states = {}

local STRETCH <const> = 16384 -- states that are expanded between two looks at the time

--- Those of the level that was searched last, or asked for its distances: those of all would fill the memory.
local latest = { level = nil, states = nil }

local function keep(level, states)
  if latest.states then latest.states:close() end
  latest.level, latest.states = level, states
  return states
end

--- The states of a level of at most 64 squares: those that its search has found, if no other level was searched since.
function slide_states.of(level)
  return latest.level == level and latest.states or keep(level, sliding.new(level, level.single))
end

--- The search of a level; nil if pieces are interchangeable, shortest solutions are to be counted, or its states do not fit.
local function expander_of(level, count, set)
  if count or level.width * level.height > 64 then return nil end
  for _, alike in ipairs(level.alike) do
    if #alike > 1 then return nil end
  end
  local states = sliding.new(level, level.single)
  return states:takes(set, #level.moves) and keep(level, states) or nil
end

--- Lets C search instead of the step of all levels of the kit, which says the same.
function slide_states.register(step) expander.register(step, { make = expander_of, stretch = STRETCH, is_only = false }) end

return slide_states
