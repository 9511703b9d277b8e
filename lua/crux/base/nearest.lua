--- The name that was probably meant.
local nearest = {}

--- Edits (insert, delete, replace, swap of neighbours) that turn a into b: optimal string alignment.
local function distance(a, b)
  local before, last = nil, {}
  for j = 0, #b do last[j] = j end
  for i = 1, #a do
    local row = { [0] = i }
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        row[j] = math.min(row[j], before[j - 2] + 1)
      end
    end
    before, last = last, row
  end
  return last[#b]
end

--- Whether a name is a slip of the pen for another: one edit.
function nearest.is_slip(name, meant) return distance(name:lower(), meant) == 1 end

local most_compared = 1e7 -- letters of one name with those of another: about a second

--- The nearest of the candidates, or nil when none is near (at most half of the name's letters differ).
---@param name string
---@param candidates string[]
function nearest.of(name, candidates)
  local best, least, compared = nil, #name // 2 + 1, 0
  for _, candidate in ipairs(candidates) do
    if math.abs(#name - #candidate) < least then -- no fewer edits than that
      compared = compared + #name * #candidate
      if compared > most_compared then break end
      local edits = distance(name:lower(), candidate:lower())
      if edits < least then best, least = candidate, edits end
    end
  end
  return best
end

--- Words to put behind a message: the nearest candidate, else what there is (at most a dozen).
function nearest.hint(name, candidates)
  local best = nearest.of(name, candidates)
  if best then return ("did you mean '%s'?"):format(best) end
  local more = #candidates > 12 and ", ..." or ""
  return "there are: " .. table.concat(candidates, ", ", 1, math.min(#candidates, 12)) .. more
end

return nearest
