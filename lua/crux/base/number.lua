--- Numbers as text, and the check that a value is a finite number.
local csv = require "libcrux.csv"

local number = {}

--- True for a number that is neither infinite nor NaN.
function number.is_finite(value) return math.type(value) ~= nil and value - value == 0 end

--- The shortest decimal of 15 to 17 digits that reads back as the same double; "" for nil and NaN.
---@type fun(x: number?): string
number.exact = csv.exact

--- A function that prints the numbers of one column alike, rounded for reading: with decimals that show four significant digits
--- of every number, at most six.
---@param numbers number[]  the column
function number.rounder(numbers)
  local whole, least = true, math.huge
  for _, x in ipairs(numbers) do
    if x % 1 ~= 0 then
      local size = math.abs(x)
      whole = false
      if size >= 1e-3 and size < least then least = size end
    end
  end
  local places = ("%%.%df"):format(least < math.huge and math.max(0, math.min(3 - math.floor(math.log(least, 10)), 6)) or 0)
  return function(x)
    local size = math.abs(x)
    if size == math.huge then return number.exact(x) end
    if whole and size < 1e15 then return ("%.0f"):format(x) end
    if size >= 1e7 or (size < 1e-3 and size > 0) then return ("%.3e"):format(x) end
    return places:format(x)
  end
end

--- A p-value as R's summary prints it.
function number.p(p)
  if p == nil or p ~= p then return "" end
  if p < 2.2e-16 then return "<2e-16" end
  return p < 1e-4 and ("%.2e"):format(p) or ("%.4f"):format(p)
end

--- A number with its noun: 1 row, 1,000 rows; without a noun the number alone.
function number.count(n, noun)
  local digits = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return noun and ("%s %s%s"):format(digits, noun, n == 1 and "" or "s") or digits
end

return number
