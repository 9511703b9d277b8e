--- Frequencies of values, as numbers and as bars.
local groups = require "libcrux.groups"

local frequencies = {}

local widest = 50 -- characters of the longest bar

--- A row for every whole number from the least to the greatest of the values: the value under `label`, count, share, bar.
---@param values userdata   whole numbers, at least one
function frequencies.rows(values, label)
  local least, greatest = values:range()
  local counts, rows = groups.counts_and_sums(values, values - least + 1, greatest - least + 1), {}
  local _, largest = counts:range()
  for i = 1, #counts do
    local count = counts[i] // 1 | 0
    rows[i] = { [label] = math.tointeger(least + i - 1), count = count, share = count / #values,
      bar = ("#"):rep(math.floor(count / largest * widest + 0.5)) }
  end
  return rows
end

return frequencies
