--- Expands rules to rules of single objects and directions, in the order of the original engine, by lists of words.
---
--- Equal cells are one table, which never changes. A rule has its cells in one list: those of the left side row by row, then
--- those of the right side, if it has one.
local lists = require "crux.base.lists"
local expansion, words = {}, {}

--- The directions of each word that stands for several.
words.directions = {
  horizontal = { "left", "right" }, horizontal_par = { "left", "right" }, horizontal_perp = { "left", "right" },
  vertical = { "up", "down" }, vertical_par = { "up", "down" }, vertical_perp = { "up", "down" },
  moving = { "up", "down", "left", "right", "action" }, orthogonal = { "up", "down", "left", "right" },
  perpendicular = { "^", "v" }, parallel = { "<", ">" },
}

--- The absolute direction of each relative one, by the direction of a rule.
words.relative = {}
for forward, row in pairs {
  right = "up down left right horizontal_par vertical_perp", up = "left right down up vertical_par horizontal_perp",
  down = "right left up down vertical_par horizontal_perp", left = "down up right left horizontal_par vertical_perp",
} do
  local meanings, next_meaning = {}, row:gmatch "%S+"
  for word in ("^ v < > parallel perpendicular"):gmatch "%S+" do meanings[word] = next_meaning() end
  words.relative[forward] = meanings
end

---@class ExpandedRule
---@field of RuleOfText        the rule that it comes from: its line, its rows and its commands
---@field direction string
---@field cells Cell[]
---@field count integer        cells on the left side

---@class Cell: string[]
---@field key string           short, and different for different cells
---@field directions { key: string, word: string, name: string }[]   words for several directions, each with the name behind it
---@field properties string[]  properties that are not behind "random"

---@class RuleExpander
---@field game table           objects, aggregates, synonyms, properties
---@field cells table<string, Cell>        by text
---@field count integer                    of these cells
---@field plain table<string, table<string, Cell>>   by the direction of a rule and the text of a cell in the game
---@field maps table<string|Cell, table<Cell, Cell>>   changed cells, by the change

---@class Choice               a word of a cell that stands for several directions or objects
---@field cell integer         number of the cell
---@field here table<Cell, Cell>[]        for each option, the change of both sides of the cell
---@field everywhere table<Cell, Cell>[]? for each option, the change of all cells on the right

--- Returns the table of all cells with these words.
---@param expander RuleExpander
---@param list string[]
---@return Cell
local function cell_of(expander, list)
  local text = table.concat(list, " ")
  if expander.cells[text] then return expander.cells[text] end
  expander.cells[text], expander.count = list, expander.count + 1
  list.key, list.directions, list.properties = utf8.char(expander.count), {}, {}
  local known = {}
  for i = 1, #list, 2 do
    local word, name = list[i], list[i + 1]
    local key = word .. " " .. name
    if words.directions[word] and not known[key] then
      table.insert(list.directions, { key = key, word = word, name = name })
    end
    if expander.game.properties[name] and word ~= "random" and not known[name] then table.insert(list.properties, name) end
    known[key], known[name] = true, known[name] or word ~= "random"
  end
  return list
end

--- Returns a table that maps each cell to change(cell). Maps of the same name are one table.
---@param expander RuleExpander
local function map(expander, name, change)
  expander.maps[name] = expander.maps[name] or setmetatable({}, { __index = function(changed, cell)
    changed[cell] = cell_of(expander, change(cell))
    return changed[cell]
  end })
  return expander.maps[name]
end

local function reversed(list)
  local result = {}
  for i = 1, #list do result[i] = list[#list + 1 - i] end
  return result
end

--- Returns the words of a cell with relative directions made absolute, and with synonyms, aggregates, and "no" of properties
--- replaced by their objects.
local function plain_words(cell, meanings, game)
  local result, more = {}, {}
  for i = 1, #cell, 2 do
    local direction, name = meanings[cell[i]] or cell[i], cell[i + 1]
    local all = game.aggregates[name]
    name = all and all[1] or game.synonyms[name] or name
    for _, object in ipairs(direction == "no" and game.properties[name] or { name }) do
      table.insert(result, direction)
      table.insert(result, object)
    end
    for k = 2, all and #all or 0 do
      table.insert(more, direction)
      table.insert(more, all[k])
    end
  end
  return table.move(more, 1, #more, #result + 1, result)
end

--- Returns the plain cell of a cell in the game.
local function plain_cell(expander, cell, direction)
  local text, known = table.concat(cell, " "), expander.plain[direction]
  known[text] = known[text] or cell_of(expander, plain_words(cell, words.relative[direction], expander.game))
  return known[text]
end

local opposite = { up = "down", left = "right" }

local function has_gap(rule)
  for _, row in ipairs(rule.left) do
    for _, cell in ipairs(row) do
      if cell[1] == "..." then return true end
    end
  end
  return false
end

--- Returns the cells of a rule in a direction, and the direction: an up or left rule without a gap becomes the equivalent down
--- or right rule.
local function plain_cells(expander, rule, direction)
  local turns, cells = opposite[direction] and not has_gap(rule), {}
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do
      for _, cell in ipairs(turns and reversed(row) or row) do
        table.insert(cells, plain_cell(expander, cell, direction))
      end
    end
  end
  return cells, turns and opposite[direction] or direction
end

--- Returns the words of a cell with a word for several directions replaced at a name; without a name at all names.
local function with_direction(cell, word, name, direction)
  local result = table.move(cell, 1, #cell, 1, {})
  for i = 1, #cell, 2 do
    if cell[i] == word and (not name or cell[i + 1] == name) then result[i] = direction end
  end
  return result
end

local function with_object(cell, property, object)
  local result = table.move(cell, 1, #cell, 1, {})
  for i = 2, #cell, 2 do
    if cell[i] == property and cell[i - 1] ~= "random" then result[i] = object end
  end
  return result
end

--- Returns a map for each option, which replaces a word for several directions by the option, at one name or at any.
local function maps_of_directions(expander, word, name)
  local maps = {}
  for i, direction in ipairs(words.directions[word]) do
    maps[i] = map(expander, ("%s %s > %s"):format(word, name or "", direction), function(cell)
      return with_direction(cell, word, name, direction)
    end)
  end
  return maps
end

local function maps_of_objects(expander, property)
  local maps = {}
  for i, object in ipairs(expander.game.properties[property]) do
    maps[i] = map(expander, ("%s > %s"):format(property, object), function(cell) return with_object(cell, property, object) end)
  end
  return maps
end

--- Returns the choices of directions on the left. A word on the right takes the direction of the same word at the same name
--- on the left if that is in one cell only, or of the only such word there. The original engine splits the cells in all orders,
--- and keeps the last of equal rules: those that come from splitting the last cell first.
local function choices_of_directions(expander, cells, count)
  local counts, choices = {}, {}
  for k = 1, count do
    for _, row in ipairs(cells[k].directions) do
      counts[row.key], counts[row.word] = (counts[row.key] or 0) + 1, (counts[row.word] or 0) + 1
    end
  end
  for k = count, 1, -1 do
    for _, row in ipairs(cells[k].directions) do
      local here = maps_of_directions(expander, row.word, row.name)
      table.insert(choices, { cell = k, here = here,
        everywhere = counts[row.word] == 1 and maps_of_directions(expander, row.word) or counts[row.key] == 1 and here or nil })
    end
  end
  return choices
end

--- Returns the set of properties in a cell on the right that are not in the same cell on the left.
local function ambiguous_properties(cells, count)
  local ambiguous = {}
  for k = count + 1, #cells do
    for _, name in ipairs(cells[k].properties) do
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
local function add_choices_of_objects(expander, cells, count, ambiguous, choices)
  local first, counts, names = #choices, {}, {}
  for k = 1, count do
    for _, name in ipairs(cells[k].properties) do
      if ambiguous[name] or has_layers(expander.game, name) then
        counts[name] = (counts[name] or 0) + 1
        table.insert(names, name)
        table.insert(choices, { cell = k, here = maps_of_objects(expander, name) })
      end
    end
  end
  for i, name in ipairs(names) do
    if counts[name] == 1 then choices[first + i].everywhere = choices[first + i].here end
  end
end

--- Returns the cells for each combination of options; the options of the last choice change fastest.
local function expand(cells, count, choices)
  local list = { cells }
  for _, choice in ipairs(choices) do
    local longer, left, right = {}, choice.cell, count + choice.cell
    for _, old in ipairs(list) do
      for option, here in ipairs(choice.here) do
        local new = table.move(old, 1, #old, 1, {})
        new[left] = here[new[left]]
        if new[right] then new[right] = here[new[right]] end
        local everywhere = choice.everywhere and choice.everywhere[option]
        for k = everywhere and count + 1 or #new + 1, #new do new[k] = everywhere[new[k]] end
        longer[#longer + 1] = new
      end
    end
    list = longer
  end
  return list
end

--- Returns true if an ambiguous property is left on the right side of a rule: the original leaves out such rules.
local function is_unclear(expanded, count, ambiguous)
  for _, cells in ipairs(expanded) do
    for k = count + 1, #cells do
      for _, name in ipairs(cells[k].properties) do
        if ambiguous[name] then return true end
      end
    end
  end
  return false
end

--- Returns the right side of a cell with "stationary" at the objects whose layer the left side does not name.
local function with_still_objects(game, left, right)
  local layers, result = {}, table.move(right, 1, #right, 1, {})
  for i = 2, #left, 2 do
    for _, name in ipairs(game.properties[left[i]] or { left[i] }) do
      if game.objects[name] then layers[game.objects[name].layer] = true end
    end
  end
  for i = 1, #right, 2 do
    local object = right[i] == "" and game.objects[right[i + 1]]
    if object and not layers[object.layer] then result[i] = "stationary" end
  end
  return result
end

local function add_still_objects(expander, cells, count)
  for k = count + 1, #cells do
    local left = cells[k - count]
    local changed = map(expander, left, function(right) return with_still_objects(expander.game, left, right) end)
    cells[k] = changed[cells[k]]
  end
end

--- Returns a text that is equal for equal rules of a line: the direction, if it matters, and the cells.
local function text_of(rule)
  local keys, is_directed = {}, false
  for _, row in ipairs(rule.of.left) do is_directed = is_directed or #row > 1 end
  for i, cell in ipairs(rule.cells) do keys[i] = cell.key end
  return (is_directed and rule.direction or "") .. rule.of.line .. table.concat(keys)
end

--- Keeps only the last of equal rules in a group.
local function without_duplicates(list)
  local known, group, result = {}, nil, {}
  for i = #list, 1, -1 do
    local rule = list[i]
    if rule.of.group ~= group then known, group = {}, rule.of.group end
    local text = text_of(rule)
    if not known[text] then
      known[text] = true
      table.insert(result, rule)
    end
  end
  return reversed(result)
end

--- Returns the expanded rules.
---@param list RuleOfText[]
---@param game PuzzleScript
---@return ExpandedRule[]
function expansion.of(list, game)
  local expander, result = { game = game, cells = {}, count = 0, plain = {}, maps = {} }, {}
  for direction in pairs(words.relative) do expander.plain[direction] = {} end
  for _, rule in ipairs(list) do
    local count = 0
    for _, row in ipairs(rule.left) do count = count + #row end
    for _, of_text in ipairs(rule.directions) do
      local plain, direction = plain_cells(expander, rule, of_text)
      local choices, ambiguous = choices_of_directions(expander, plain, count), ambiguous_properties(plain, count)
      add_choices_of_objects(expander, plain, count, ambiguous, choices)
      local expanded = expand(plain, count, choices)
      for _, cells in ipairs(is_unclear(expanded, count, ambiguous) and {} or expanded) do
        if not rule.late then add_still_objects(expander, cells, count) end
        result[#result + 1] = { of = rule, direction = direction, cells = cells, count = count }
      end
    end
  end
  return without_duplicates(result)
end

return expansion
