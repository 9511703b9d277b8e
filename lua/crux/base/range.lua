--- Ranges of numbers as people write them: '4..5' holds both ends and all numbers between, '>=8' and '<=3' have one end, and a
--- single number such as '3.6' holds all that round to it.
local range = {}

---@class Range
---@field least number
---@field greatest number
---@field tolerance number   how far beyond the ends a value may lie: of a single number half a unit of its last digit

range.expected = "a number, LEAST..GREATEST, '>=LEAST' or '<=GREATEST'"

--- A range around a single number.
function range.around(value, tolerance) return { least = value, greatest = value, tolerance = tolerance } end

--- The number of decimals of a number as it was written.
function range.decimals(text) return #(text:match "%.(%d+)$" or "") end

--- The range of a text; nil for a text of another form and for an empty range.
---@param decimals integer?   of a single number, if more than were written, as zeros at the end were left out
---@return Range?
function range.read(text, decimals)
  local value = tonumber(text)
  if value then return range.around(value, 0.5 * 10 ^ -(decimals or range.decimals(text)) * (1 + 1e-9)) end
  local sign, bound = text:match "^%s*([<>]=)%s*(.*)$"
  local least, greatest = text:match "^(.-)%.%.(.*)$"
  if sign == ">=" then least, greatest = bound, math.huge end
  if sign == "<=" then least, greatest = -math.huge, bound end
  least, greatest = tonumber(least), tonumber(greatest)
  return least and greatest and least <= greatest and { least = least, greatest = greatest, tolerance = 0 } or nil
end

--- Returns the distance of a value from the nearer end; 0 between the ends.
---@param bounds Range
function range.beyond(value, bounds) return math.max(0, bounds.least - value, value - bounds.greatest) end

--- True if a value is in a range; without a range any value is.
---@param bounds Range?
function range.holds(bounds, value) return not bounds or range.beyond(value, bounds) <= bounds.tolerance end

--- A random number between two ends: an integer if both are.
function range.draw(least, greatest, rng)
  if math.type(least) == "integer" and math.type(greatest) == "integer" then return rng:integer(least, greatest) end
  return least + rng:real() * (greatest - least)
end

--- A text of the same range, rounded for reading.
---@param bounds Range
function range.text(bounds)
  local least, greatest = ("%.4g"):format(bounds.least), ("%.4g"):format(bounds.greatest)
  if bounds.greatest == math.huge then return ">=" .. least end
  if bounds.least == -math.huge then return "<=" .. greatest end
  return least == greatest and least or least .. ".." .. greatest
end

return range
