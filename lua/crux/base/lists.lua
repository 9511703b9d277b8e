--- Operations on lists and tables by name.
local lists = {}

--- The keys of a table, sorted. Calls no metamethods.
---@param values table<string, any>
function lists.keys(values)
  local keys = {}
  for key in next, values do table.insert(keys, key) end
  table.sort(keys)
  return keys
end

--- The result of a function for each item.
---@param f fun(item: any): any
function lists.map(items, f)
  local results = {}
  for i = 1, #items do results[i] = f(items[i]) end
  return results
end

--- The items for which a function is true.
---@param is_wanted fun(item: any): any
function lists.select(items, is_wanted)
  local selected = {}
  for _, item in ipairs(items) do
    if is_wanted(item) then table.insert(selected, item) end
  end
  return selected
end

--- One field of each row.
---@param field string?   "name" unless given
function lists.field(rows, field)
  field = field or "name"
  return lists.map(rows, function(row) return row[field] end)
end

--- The fields of a table at some keys, or the items of a list at some places.
---@param values table|userdata
---@param keys any[]
function lists.pick(values, keys) return lists.map(keys, function(key) return values[key] end) end

--- A table that is true at each item.
---@return table<any, true>
function lists.set(items)
  local set = {}
  for _, item in ipairs(items) do set[item] = true end
  return set
end

--- A new table with the fields of several; later ones take precedence. Calls no metamethods.
---@param ... table
function lists.merge(...)
  local merged = {}
  for _, fields in ipairs { ... } do
    for name, value in next, fields do merged[name] = value end
  end
  return merged
end

function lists.contains(items, wanted)
  for _, item in ipairs(items) do
    if item == wanted then return true end
  end
  return false
end

--- The first key of a table that is neither a number nor among some names, by the order of their texts; nil if there is none.
---@param names string[]
---@return string?
function lists.stranger(values, names)
  local known, first = lists.set(names), nil
  for key in next, values do
    local name = tostring(key)
    if not math.type(key) and not known[key] and (not first or name < first) then first = name end
  end
  return first
end

--- A new list of the first `count` items, of all unless given.
function lists.copy(items, count) return table.move(items, 1, math.min(count or #items, #items), 1, {}) end

--- A new list of the items of several lists.
---@param ... any[]
function lists.concat(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

--- A new list of the items of `first` and of those of `further` that are new.
function lists.union(first, further)
  local all, known = lists.copy(first), lists.set(first)
  for _, item in ipairs(further) do
    if not known[item] then table.insert(all, item) end
    known[item] = true
  end
  return all
end

--- Sorts different items in place by the first key in which two differ; where none does, in the order that they had.
---@generic T
---@param items T[]
---@param ... fun(item: T): number|string
---@return T[] items
function lists.sort(items, ...)
  local columns = {}
  for k, key in ipairs { ... } do
    columns[k] = {}
    for _, item in ipairs(items) do columns[k][item] = key(item) end
  end
  local place = {}
  for i, item in ipairs(items) do place[item] = i end
  table.insert(columns, place)
  table.sort(items, function(a, b)
    for _, column in ipairs(columns) do
      if column[a] ~= column[b] then return column[a] < column[b] end
    end
    return false
  end)
  return items
end

--- The numbers from 1 to `count`, sorted by a key.
---@param key fun(i: integer): number|string
function lists.order(count, key)
  local order = {}
  for i = 1, count do order[i] = i end
  return lists.sort(order, key)
end

--- The first ten of some names, and how many more there are.
function lists.ten(names)
  local more = #names > 10 and (" and %d more"):format(#names - 10) or ""
  return table.concat(names, ", ", 1, math.min(#names, 10)) .. more
end

--- True if all numbers are equal.
---@param values number[]|userdata
function lists.all_equal(values)
  for i = 2, #values do
    if values[i] ~= values[1] then return false end
  end
  return true
end

--- The greatest width of some texts, 0 of none.
---@param width fun(text: string): number
function lists.widest(texts, width)
  local widest = 0
  for _, text in ipairs(texts) do widest = math.max(widest, width(text)) end
  return widest
end

--- A text as lines, broken between words.
---@param fits fun(line: string): boolean
---@param cut fun(word: string): string   shortens the first word of a line if it does not fit
function lists.wrap(text, fits, cut)
  local lines = {}
  for word in text:gmatch "%S+" do
    local longer = lines[1] and lines[#lines] .. " " .. word
    if longer and fits(longer) then
      lines[#lines] = longer
    else
      table.insert(lines, cut(word))
    end
  end
  return lines
end

return lists
