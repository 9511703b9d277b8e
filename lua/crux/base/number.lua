--- Numbers as text, and whether they are numbers at all.
local number = {}

--- Whether a value is a number, and neither infinite nor NaN.
function number.is_finite(value) return math.type(value) ~= nil and value - value == 0 end

--- The shortest decimal of 15 to 17 digits that reads back as the same double; "" for nil and NaN.
function number.exact(x)
  if x == nil or x ~= x then return "" end
  if math.type(x) == "integer" then return ("%d"):format(x) end
  if math.abs(x) == math.huge then return x > 0 and "Inf" or "-Inf" end
  for digits = 15, 17 do
    local text = ("%." .. digits .. "g"):format(x)
    if tonumber(text) == x then return text end
  end
end

--- Decimals that show four significant digits of every number of a column (at most six).
local function decimals(numbers)
  local most = 0
  for _, x in ipairs(numbers) do
    local size = math.abs(x)
    if x % 1 ~= 0 and size >= 1e-3 and size < math.huge then
      most = math.max(most, 3 - math.floor(math.log(size, 10)))
    end
  end
  return math.min(most, 6)
end

--- A function that prints the numbers of one column alike, rounded for reading.
---@param numbers number[]  the column
function number.rounder(numbers)
  local places = ("%%.%df"):format(decimals(numbers))
  local whole = true
  for _, x in ipairs(numbers) do whole = whole and x % 1 == 0 end
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

--- 1 row, 2 rows, 1,000 rows; without a noun the number alone.
function number.count(n, noun)
  local digits = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return noun and ("%s %s%s"):format(digits, noun, n == 1 and "" or "s") or digits
end

return number
