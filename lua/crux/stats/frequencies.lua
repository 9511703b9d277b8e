--- How often values occur, as numbers and as bars.
local frequencies = {}

local widest = 50 -- characters of the longest bar

--- A row for every whole number from the least to the greatest of the values: the value under `label`, count, share, bar.
---@param values integer[]   at least one
---@param label string
---@return table[]
function frequencies.rows(values, label)
  local counts, most, least, greatest = {}, 0, values[1], values[1]
  for _, value in ipairs(values) do
    counts[value] = (counts[value] or 0) + 1
    most, least, greatest = math.max(most, counts[value]), math.min(least, value), math.max(greatest, value)
  end
  local rows = {}
  for value = least, greatest do
    local count = counts[value] or 0
    table.insert(rows, { [label] = value, count = count, share = count / #values,
      bar = ("#"):rep(math.floor(count / most * widest + 0.5)) })
  end
  return rows
end

return frequencies
