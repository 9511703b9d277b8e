--- Finds the known name that is nearest to an unknown one.
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

--- True if one edit turns a name into another.
function nearest.is_slip(name, meant) return distance(name:lower(), meant) == 1 end

local comparison_limit = 1e7 -- letters of one name times letters of the other, over all candidates: about a second

--- The nearest of the candidates; nil if each differs from the name by more edits than half of its letters.
function nearest.of(name, candidates)
  local best, least, compared = nil, #name // 2 + 1, 0
  for _, candidate in ipairs(candidates) do
    if math.abs(#name - #candidate) < least then -- a lower bound of the edits
      compared = compared + #name * #candidate
      if compared > comparison_limit then break end
      local edits = distance(name:lower(), candidate:lower())
      if edits < least then best, least = candidate, edits end
    end
  end
  return best
end

--- The end of a message about an unknown name: the nearest candidate, or the first twelve.
function nearest.hint(name, candidates)
  local best = nearest.of(name, candidates)
  if best then return ("did you mean '%s'?"):format(best) end
  if #candidates == 0 then return "there are none" end
  local more = #candidates > 12 and ", ..." or ""
  return "there are: " .. table.concat(candidates, ", ", 1, math.min(#candidates, 12)) .. more
end

--- A message about an unknown name.
---@param kind string          what it should name, such as "measure"
---@param name any             nil when none was given
function nearest.unknown(kind, name, candidates)
  local found = name == nil and "no " .. kind or ("the unknown %s '%s'"):format(kind, tostring(name))
  return ("found %s; %s"):format(found, nearest.hint(tostring(name or ""), candidates))
end

return nearest
