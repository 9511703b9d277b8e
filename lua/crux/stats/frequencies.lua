--- Frequencies of values, as numbers and as bars.
local frequencies = {}

local widest = 50 -- characters of the longest bar

--- A row for every whole number from the least to the greatest of the values: the value under `label`, count, share, bar.
---@param values integer[]   at least one
function frequencies.rows(values, label)
  local counts, largest, least, greatest = {}, 0, values[1], values[1]
  for _, value in ipairs(values) do
    counts[value] = (counts[value] or 0) + 1
    largest, least, greatest = math.max(largest, counts[value]), math.min(least, value), math.max(greatest, value)
  end
  local rows = {}
  for value = least, greatest do
    local count = counts[value] or 0
    table.insert(rows, { [label] = value, count = count, share = count / #values,
      bar = ("#"):rep(math.floor(count / largest * widest + 0.5)) })
  end
  return rows
end

return frequencies
