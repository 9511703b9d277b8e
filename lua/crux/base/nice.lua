--- Round numbers for axes and bins: 1, 2 or 5 times a power of ten (P. S. Heckbert, Nice numbers for graph labels, in:
--- Graphics Gems, 1990).
local nice = {}

local rounding = 1e-9 -- tolerance of quotients, in steps
local finest = 1e-12 -- the smallest step as a share of the largest number, limited by the precision of doubles
local smallest, greatest = 1e-300, 1e308 -- steps

--- The least step of 1, 2 or 5 times a power of ten that is not below a number.
function nice.step(least)
  least = math.max(smallest, math.min(least, greatest))
  local power = 10.0 ^ math.floor(math.log(least, 10))
  for _, factor in ipairs { 1, 2, 5 } do
    if factor * power >= least * (1 - rounding) then return factor * power end
  end
  return 10 * power
end

--- The format of whole multiples of a step, with as many decimals as the step needs.
local function form_of(step, largest)
  if largest >= 1e9 or step < 1e-5 then return "%.12g" end
  return ("%%.%df"):format(math.max(0, -math.floor(math.log(step, 10) + rounding)))
end

--- The width of bins that divide a range into about 4 to 10; 1 for an empty range.
function nice.width(low, high)
  local least = math.max(math.abs(low), math.abs(high)) * finest
  return nice.step(math.max(high > low and high / 10 - low / 10 or 1, least))
end

---@class Tick
---@field at number
---@field text string

--- The multiples from `low` to `high` of the smallest nice step that gives at most `limit` of them.
---@param high number     above or below `low`
---@param limit integer   at least 2
---@param whole boolean?  only whole numbers
---@return Tick[]         from the least
function nice.ticks(low, high, limit, whole)
  if low > high then low, high = high, low end
  local largest = math.max(math.abs(low), math.abs(high))
  local step = nice.step(math.max(high / (limit + 1) - low / (limit + 1), largest * finest)) -- smaller ones give too many
  if whole then step = math.max(1, step) end
  local function first() return math.ceil(low / step - rounding) end
  local function last() return math.floor(high / step + rounding) end
  while last() - first() >= limit and step < greatest do step = nice.step(step * 1.5) end
  local form, ticks = form_of(step, largest), {}
  for multiple = first(), last() do
    table.insert(ticks, { at = multiple * step, text = form:format(multiple * step) })
  end
  return ticks
end

return nice
