--- Expands rules to rules of single objects and directions, in the order of the original engine, by lists of words.
---
--- A cell is a list of words and names in turn. A rule has its cells in one list: those of the left side row by row, then those of
--- the right side, if it has one. Cells never change.
local lists = require "crux.base.lists"
local expansion = {}

--- The directions of each word that stands for several.
local directions = {
  horizontal = { "left", "right" }, horizontal_par = { "left", "right" }, horizontal_perp = { "left", "right" },
  vertical = { "up", "down" }, vertical_par = { "up", "down" }, vertical_perp = { "up", "down" },
  moving = { "up", "down", "left", "right", "action" }, orthogonal = { "up", "down", "left", "right" },
}

--- The absolute direction of each relative one, by the direction of a rule.
local relative = {}
for forward, row in pairs {
  right = "up down left right horizontal_par vertical_perp", up = "left right down up vertical_par horizontal_perp",
  down = "right left up down vertical_par horizontal_perp", left = "down up right left horizontal_par vertical_perp",
} do
  local meanings, next_meaning = {}, row:gmatch "%S+"
  for word in ("^ v < > parallel perpendicular"):gmatch "%S+" do meanings[word] = next_meaning() end
  relative[forward] = meanings
end

local opposite = { up = "down", left = "right" }

local function reversed(list)
  local result = {}
  for i = 1, #list do result[i] = list[#list + 1 - i] end
  return result
end

--- Returns a cell whose words and names are change(word, name).
local function changed(cell, change)
  local result = {}
  for i = 1, #cell, 2 do result[i], result[i + 1] = change(cell[i], cell[i + 1]) end
  return result
end

--- Returns the words of a cell with relative directions made absolute, and with synonyms, aggregates, and "no" of properties
--- replaced by their objects: those of an aggregate but the first behind all others.
local function plain(cell, meanings, game)
  local result, more = {}, {}
  local function add(list, ...) for _, word in ipairs { ... } do table.insert(list, word) end end
  for i = 1, #cell, 2 do
    local direction, name = meanings[cell[i]] or cell[i], cell[i + 1]
    local all = game.aggregates[name]
    name = all and all[1] or game.synonyms[name] or name
    for _, object in ipairs(direction == "no" and game.properties[name] or { name }) do add(result, direction, object) end
    for k = 2, all and #all or 0 do add(more, direction, all[k]) end
  end
  return table.move(more, 1, #more, #result + 1, result)
end

--- Returns the cells of a rule in a direction, and the direction: an up or left rule without a gap becomes the equivalent down
--- or right rule.
local function plain_cells(rule, direction, game)
  local cells, turns = {}, opposite[direction]
  for _, row in ipairs(rule.left) do
    for _, cell in ipairs(row) do turns = turns and cell[1] ~= "..." end
  end
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do
      for _, cell in ipairs(turns and reversed(row) or row) do table.insert(cells, plain(cell, relative[direction], game)) end
    end
  end
  return cells, turns and opposite[direction] or direction
end

---@class Choice               a word of a cell on the left that stands for several directions or objects
---@field cell integer         number of the cell
---@field options string[]
---@field change fun(option: string, everywhere: boolean): fun(word: string, name: string): string, string   a change of a cell
---@field everywhere boolean   all cells on the right change, too

--- Returns the choices of directions on the left. A word on the right takes the direction of the same word at the same name
--- on the left if that is in one cell only, or of the only such word there. The original engine splits the cells in all orders,
--- and keeps the last of equal rules: those that come from splitting the last cell first.
local function choices_of_directions(cells, count)
  local counts, choices = {}, {}
  for k = count, 1, -1 do
    local known = {}
    for i = 1, #cells[k], 2 do
      local word, name = cells[k][i], cells[k][i + 1]
      local key = word .. " " .. name
      if directions[word] and not known[key] then
        known[key], counts[key], counts[word] = true, (counts[key] or 0) + 1, (counts[word] or 0) + 1
        table.insert(choices, { cell = k, options = directions[word], word = word, key = key,
          change = function(option, everywhere)
            local at_all = everywhere and counts[word] == 1
            return function(w, n) return w == word and (at_all or n == name) and option or w, n end
          end })
      end
    end
  end
  for _, choice in ipairs(choices) do choice.everywhere = counts[choice.word] == 1 or counts[choice.key] == 1 end
  return choices
end

--- Returns the properties of a cell that are not behind "random".
local function properties_of(cell, game)
  local names = {}
  for i = 1, #cell, 2 do
    local name = cell[i + 1]
    if game.properties[name] and cell[i] ~= "random" and not lists.contains(names, name) then table.insert(names, name) end
  end
  return names
end

--- Returns the set of properties in a cell on the right that are not in the same cell on the left.
local function ambiguous_properties(cells, count, game)
  local ambiguous = {}
  for k = count + 1, #cells do
    for _, name in ipairs(properties_of(cells[k], game)) do
      if not lists.contains(cells[k - count], name) then ambiguous[name] = true end
    end
  end
  return ambiguous
end

--- Returns true if the objects of a property are on several layers.
local function has_layers(game, property)
  local objects = game.properties[property]
  for _, object in ipairs(objects) do
    if game.objects[object].layer ~= game.objects[objects[1]].layer then return true end
  end
  return false
end

--- Adds to the choices those of objects. A property of one layer stays unless it is ambiguous. A property on the right takes
--- the object of the only one on the left.
local function add_choices_of_objects(choices, cells, count, game, ambiguous)
  local counts, first = {}, #choices + 1
  for k = 1, count do
    for _, property in ipairs(properties_of(cells[k], game)) do
      if ambiguous[property] or has_layers(game, property) then
        counts[property] = (counts[property] or 0) + 1
        table.insert(choices, { cell = k, options = game.properties[property], property = property,
          change = function(option)
            return function(w, n) return w, n == property and w ~= "random" and option or n end
          end })
      end
    end
  end
  for i = first, #choices do choices[i].everywhere = counts[choices[i].property] == 1 end
end

--- Returns the cells for each combination of options; the options of the last choice change fastest.
local function expand(cells, count, choices)
  local list = { cells }
  for _, choice in ipairs(choices) do
    local longer = {}
    for _, old in ipairs(list) do
      for _, option in ipairs(choice.options) do
        local new, here = table.move(old, 1, #old, 1, {}), choice.change(option, false)
        for _, k in ipairs { choice.cell, new[count + choice.cell] and count + choice.cell } do new[k] = changed(new[k], here) end
        for k = choice.everywhere and count + 1 or #new + 1, #new do new[k] = changed(new[k], choice.change(option, true)) end
        table.insert(longer, new)
      end
    end
    list = longer
  end
  return list
end

--- Returns true if an ambiguous property is left on the right side of a rule: the original leaves out such rules.
local function is_unclear(expanded, count, game, ambiguous)
  for _, cells in ipairs(expanded) do
    for k = count + 1, #cells do
      for _, name in ipairs(properties_of(cells[k], game)) do
        if ambiguous[name] then return true end
      end
    end
  end
  return false
end

--- Returns the right side of a cell with "stationary" at the objects whose layer the left side does not name.
local function with_still_objects(left, right, game)
  local layers = {}
  for i = 2, #left, 2 do
    for _, name in ipairs(game.properties[left[i]] or { left[i] }) do
      if game.objects[name] then layers[game.objects[name].layer] = true end
    end
  end
  return changed(right, function(word, name)
    local object = word == "" and game.objects[name]
    return object and not layers[object.layer] and "stationary" or word, name
  end)
end

--- Returns a text that is equal for equal rules of a line: the direction, if it matters, and the cells.
local function text_of(rule)
  local parts, is_directed = { rule.of.line }, false
  for _, row in ipairs(rule.of.left) do is_directed = is_directed or #row > 1 end
  for _, cell in ipairs(rule.cells) do table.insert(parts, table.concat(cell, " ")) end
  return (is_directed and rule.direction or "") .. table.concat(parts, "|")
end

--- Keeps only the last of equal rules in a group.
local function without_duplicates(list)
  local known, group, result = {}, nil, {}
  for _, rule in ipairs(reversed(list)) do
    if rule.of.group ~= group then known, group = {}, rule.of.group end
    local text = text_of(rule)
    if not known[text] then table.insert(result, rule) end
    known[text] = true
  end
  return reversed(result)
end

--- Returns the expanded rules: each with the rule that it comes from, its direction and its cells.
---@param list RuleOfText[]
---@param game PuzzleScript
---@return { of: RuleOfText, direction: string, cells: string[][] }[]
function expansion.of(list, game)
  local result = {}
  for _, rule in ipairs(list) do
    local count = 0
    for _, row in ipairs(rule.left) do count = count + #row end
    for _, of_text in ipairs(rule.directions) do
      local cells, direction = plain_cells(rule, of_text, game)
      local choices, ambiguous = choices_of_directions(cells, count), ambiguous_properties(cells, count, game)
      add_choices_of_objects(choices, cells, count, game, ambiguous)
      local expanded = expand(cells, count, choices)
      for _, new in ipairs(is_unclear(expanded, count, game, ambiguous) and {} or expanded) do
        for k = rule.late and #new + 1 or count + 1, #new do new[k] = with_still_objects(new[k - count], new[k], game) end
        table.insert(result, { of = rule, direction = direction, cells = new })
      end
    end
  end
  return without_duplicates(result)
end

return expansion
