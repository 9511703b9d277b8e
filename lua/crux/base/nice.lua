--- Round numbers for axes and bins: 1, 2 or 5 times a power of ten (P. S. Heckbert, Nice numbers for graph labels, in:
--- Graphics Gems, 1990).
local nice = {}

local rounding = 1e-9 -- of a step: quotients are not exact
local finest = 1e-12 -- of the largest number: steps that doubles can tell apart
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

--- How numbers that are whole multiples of a step are written, with as many decimals as the step needs.
local function form_of(step, largest)
  if largest >= 1e9 or step < 1e-5 then return "%.12g" end
  return ("%%.%df"):format(math.max(0, -math.floor(math.log(step, 10) + rounding)))
end

--- The width of bins of which 4 to 10 or so divide a range; 1 where all is the same.
---@param low number
---@param high number
function nice.width(low, high)
  local least = math.max(math.abs(low), math.abs(high)) * finest
  return nice.step(math.max(high > low and high / 10 - low / 10 or 1, least))
end

---@class Tick
---@field at number
---@field text string

--- The multiples of the least nice step of which at most so many lie from `low` to `high`, which differ.
---@param low number
---@param high number     above or below `low`
---@param most integer    at least 2
---@param whole boolean?  only whole numbers
---@return Tick[]         from the least
function nice.ticks(low, high, most, whole)
  if low > high then low, high = high, low end
  local largest = math.max(math.abs(low), math.abs(high))
  local step = nice.step(math.max(high / (most + 1) - low / (most + 1), largest * finest)) -- a finer step has more multiples
  if whole then step = math.max(1, step) end
  local function first() return math.ceil(low / step - rounding) end
  local function last() return math.floor(high / step + rounding) end
  while last() - first() >= most and step < greatest do step = nice.step(step * 1.5) end
  local form, ticks = form_of(step, largest), {}
  for multiple = first(), last() do
    table.insert(ticks, { at = multiple * step, text = form:format(multiple * step) })
  end
  return ticks
end

return nice
