--- The choice of levels for an order: each the one that is farthest, in standardised measures, from all that are chosen.
local distance = require "crux.order.distance"

local choice = {}

---@class Slot : Range     a wanted rating
---@field count integer    levels that are wanted
---@field pool Found[]     different levels with such a rating, each with its `point`

--- The level of a pool that is farthest from the chosen ones; of none, the one farthest from the pool's first.
---@param nearest table<Found, number>   the distance of each level from the nearest chosen one
local function farthest(pool, nearest)
  local best
  for _, level in ipairs(pool) do
    if not nearest.chosen[level] and (not best or nearest[level] > nearest[best]) then best = level end
  end
  return best
end

--- Chooses the levels of some slots, in order.
---@param wanted { distinct: number?, spread: number? }   the least distance of any two levels, and of levels of
---                        neighbouring slots
---@return Found[][]   by slot: the chosen levels by rising rating; fewer than wanted where the pool has no more
function choice.of(slots, wanted)
  local chosen, all, last = {}, {}, nil
  local distinct, spread = wanted.distinct or 0, wanted.spread or 0
  for i, slot in ipairs(slots) do
    local nearest = { chosen = {} }
    for _, level in ipairs(slot.pool) do
      nearest[level] = #all == 0 and distance.between(level.point, slot.pool[1].point) or math.huge
      for _, other in ipairs(all) do nearest[level] = math.min(nearest[level], distance.between(level.point, other.point)) end
      if last and distance.between(level.point, last.point) < spread then nearest.chosen[level] = true end
    end
    chosen[i] = {}
    while #chosen[i] < slot.count do
      local level = farthest(slot.pool, nearest)
      if not level or #all > 0 and nearest[level] < distinct then break end
      nearest.chosen[level] = true
      table.insert(chosen[i], level)
      table.insert(all, level)
      for _, other in ipairs(slot.pool) do
        local apart = distance.between(other.point, level.point)
        nearest[other] = #all == 1 and apart or math.min(nearest[other], apart)
      end
      last = level
    end
    table.sort(chosen[i], function(a, b)
      if a.rating ~= b.rating then return a.rating < b.rating end
      return a.text < b.text
    end)
  end
  return chosen
end

return choice
