--- The wanted ratings of an order, as slots: one for a range, or one for each level of a curve.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local range = require "crux.base.range"

local slots = {}

--- Refuses a range that has no number of the rule's scale.
---@param wanted Range
---@param where string   in messages
function slots.check_scale(wanted, rule, where)
  if not rule.scale then return end
  local least, greatest = math.min(table.unpack(rule.scale)), math.max(table.unpack(rule.scale))
  if wanted.greatest < least or wanted.least > greatest then
    fault.at(where, range.text(wanted), ("ratings on the scale of %s, %g to %g"):format(rule:who(), least, greatest))
  end
end

--- One slot for several levels of a range.
---@param wanted Range
function slots.of_range(wanted, count) return { lists.merge(wanted, { count = count }) } end

--- A slot of one level for each range.
---@param list Range[]
function slots.of_ranges(list)
  return lists.map(list, function(wanted) return lists.merge(wanted, { count = 1 }) end)
end

--- The slot that wants a rating, of several the one with the smallest pool; nil if none does.
---@param list Slot[]
function slots.of_rating(list, rating)
  local best
  for _, slot in ipairs(list) do
    if range.holds(slot, rating) and (not best or #slot.pool < #best.pool) then best = slot end
  end
  return best
end

--- Slots of one level each, their middles evenly spaced between the ends. Each is half as wide as the step between them.
---@param ends Range     finite
---@param count integer  at least 2
function slots.of_curve(ends, count)
  local list, step = {}, (ends.greatest - ends.least) / (count - 1)
  for i = 1, count do
    local middle = ends.least + (i - 1) * step
    list[i] = { least = middle - step / 4, greatest = middle + step / 4, tolerance = 0, count = 1 }
  end
  return list
end

return slots
