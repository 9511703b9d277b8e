--- Expands the rules of a game to templates of single objects and directions, in the order of the original engine.
---
--- Equal cells are one table, which never changes. A rule has its cells in one list: those of the left side row by row, then
--- those of the right side, if it has one.
local lists = require "crux.base.lists"
local words = require "crux.puzzlescript.words"

local expansion = {}

---@class Template             the rules of a line in one direction: one for each combination of options of its choices
---@field direction string
---@field options integer[]    number of options of each choice, at least 2; those of the last choice change fastest
---@field places Place[]       the cells of the rules, row by row

---@class Place                the cell at one place of the rules of a template
---@field choices integer[]    the choices that change it, from 0, in ascending order
---@field left Cell[]          the left side for each combination of these choices' options
---@field right Cell[]?        the right side for each combination

---@class Cell: string[]
---@field directions { key: string, word: string, name: string }[]   words for several directions, each with the name behind it
---@field properties string[]  properties that are not behind "random"

---@class RuleExpander
---@field game table           objects, aggregates, synonyms, properties, layer_of_property
---@field cells table<string, Cell>        by text
---@field plain table<string, table<string[], Cell>>   by the direction of a rule and a cell in the game
---@field maps table<string, table<Cell, Cell>[]>   for each option, changed cells; by the words to change

---@class Choice               a word of a cell that stands for several directions or objects
---@field cell integer         number of the cell
---@field number integer?      among the choices with at least 2 options, from 0
---@field here table<Cell, Cell>[]        for each option, the change of both sides of the cell
---@field everywhere table<Cell, Cell>[]? for each option, the change of all cells on the right

--- Returns the table of all cells with these words.
---@param expander RuleExpander
---@param list string[]
---@return Cell
local function cell_of(expander, list)
  local text = table.concat(list, " ")
  if expander.cells[text] then return expander.cells[text] end
  expander.cells[text] = list
  list.directions, list.properties = {}, {}
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

--- Returns for each option a table that maps each cell to change(cell, option). The maps of a key are made once.
---@param expander RuleExpander
---@param key string
---@param options string[]
local function maps_of(expander, key, options, change)
  local maps = expander.maps[key]
  if maps then return maps end
  maps = {}
  for i, option in ipairs(options) do
    maps[i] = setmetatable({}, { __index = function(changed, cell)
      changed[cell] = cell_of(expander, change(cell, option))
      return changed[cell]
    end })
  end
  expander.maps[key] = maps
  return maps
end

local function reversed(list)
  local result = {}
  for i = 1, #list do result[i] = list[#list + 1 - i] end
  return result
end

--- Returns the words of a cell with relative directions made absolute, and with synonyms, aggregates, and "no" of properties
--- replaced by their objects.
local function plain_words(cell, meanings, game, refuse)
  local result, more = {}, {}
  for i = 1, #cell, 2 do
    local direction, name = meanings[cell[i]] or cell[i], cell[i + 1]
    local all = game.aggregates[name]
    if all and direction == "no" then
      refuse(("You cannot use 'no' to exclude the aggregate object %s (defined using 'AND'), only regular objects, or "
        .. "properties (objects defined using 'OR').  If you want to do this, you'll have to write it out yourself the long "
        .. "way."):format(name:upper()))
    end
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
local function plain_cell(expander, cell, direction, refuse)
  local known = expander.plain[direction]
  known[cell] = known[cell] or cell_of(expander, plain_words(cell, words.relative[direction], expander.game, refuse))
  return known[cell]
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
local function plain_cells(expander, rule, direction, refuse)
  local turns, cells = opposite[direction] and not has_gap(rule), {}
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do
      for _, cell in ipairs(turns and reversed(row) or row) do
        table.insert(cells, plain_cell(expander, cell, direction, refuse))
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

--- Returns a map for each direction of a word, which replaces the word at one name; without a name at all names.
---@param key string   of the word and the name
local function maps_of_directions(expander, key, word, name)
  return maps_of(expander, key, words.directions[word], function(cell, direction)
    return with_direction(cell, word, name, direction)
  end)
end

local function maps_of_objects(expander, property)
  return maps_of(expander, "object " .. property, expander.game.properties[property], function(cell, object)
    return with_object(cell, property, object)
  end)
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
      local here = maps_of_directions(expander, row.key, row.word, row.name)
      table.insert(choices, { cell = k, here = here,
        everywhere = counts[row.word] == 1 and maps_of_directions(expander, row.word, row.word) or counts[row.key] == 1 and here or nil })
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

--- Adds to the choices those of objects. A property of one layer stays unless it is ambiguous. A property on the right takes
--- the object of the only one on the left.
local function add_choices_of_objects(expander, cells, count, ambiguous, choices)
  local first, counts, names = #choices, {}, {}
  for k = 1, count do
    for _, name in ipairs(cells[k].properties) do
      if ambiguous[name] or not expander.game.layer_of_property[name] then
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

local max_expanded <const> = 1 << 18 -- CRUX_RULE_MAX_EXPANDED of src/puzzlescript/rule_program.h

--- Numbers the choices with at least 2 options. Returns their numbers of options.
---@param choices Choice[]
local function number_choices(choices, refuse)
  local options, rules = {}, 1
  for _, choice in ipairs(choices) do
    if #choice.here > 1 then
      choice.number, options[#options + 1], rules = #options, #choice.here, rules * #choice.here
      if rules > max_expanded then refuse(("This rule stands for more than %d rules."):format(max_expanded)) end
    end
  end
  return options
end

--- Replaces the cells of a place by those for each option of a choice, if it changes any.
---@param place Place
---@param choice Choice
---@param here table<Cell, Cell>[]?         for each option, the change of both sides
---@param everywhere table<Cell, Cell>[]?   for each option, the change of the right side
local function add_options(place, choice, here, everywhere)
  local left, right, changes = {}, place.right and {}, false
  for i, cell in ipairs(place.left) do
    local other = right and place.right[i]
    for option = 1, #choice.here do
      local new, new_other = cell, other
      if here then new, new_other = here[option][cell], other and here[option][other] end
      if other and everywhere then new_other = everywhere[option][new_other] end
      left[#left + 1] = new
      if right then right[#right + 1] = new_other end
      changes = changes or new ~= cell or new_other ~= other
    end
  end
  if not changes then return end
  place.left, place.right = left, right
  place.choices[#place.choices + 1] = choice.number
end

--- Returns the place of a cell.
---@param choices Choice[]
---@return Place
local function place_of(left, right, k, choices)
  local place = { choices = {}, left = { left }, right = right and { right } }
  for _, choice in ipairs(choices) do
    local here, everywhere = choice.cell == k and choice.here or nil, right and choice.everywhere
    if here or everywhere then add_options(place, choice, here, everywhere) end
  end
  return place
end

--- Refuses words on the right that still stand for several directions or objects.
local function check_right(cell, ambiguous, refuse)
  for _, row in ipairs(cell.directions) do
    refuse(("This rule has an ambiguous movement on the right-hand side, \"%s\", that can't be inferred from the left-hand "
      .. "side.  (either for every ambiguous movement associated to an entity on the right there has to be a corresponding "
      .. "one on the left attached to the same entity, OR, if there's a single occurrence of a particular ambiguous "
      .. "movement on the left, all properties of the same movement attached to the same object on the right are assumed "
      .. "to be the same (or something like that))."):format(row.word:gsub("_.*", "")))
  end
  for _, name in ipairs(cell.properties) do
    if ambiguous[name] then
      refuse(("This rule has a property on the right-hand side, \"%s\", that can't be inferred from the left-hand side.  "
        .. "(either for every property on the right there has to be a corresponding one on the left in the same cell, OR, if "
        .. "there's a single occurrence of a particular property name on the left, all properties of the same name on the "
        .. "right are assumed to be the same)."):format(name:upper()))
    end
  end
end

--- Returns the template of a rule in a direction.
---@param expander RuleExpander
---@param rule RuleOfText
---@return Template
local function template_of(expander, rule, of_text, count, refuse)
  local cells, direction = plain_cells(expander, rule, of_text, refuse)
  local choices, ambiguous = choices_of_directions(expander, cells, count), ambiguous_properties(cells, count)
  add_choices_of_objects(expander, cells, count, ambiguous, choices)
  local template = { direction = direction, options = number_choices(choices, refuse), places = {} }
  for k = 1, count do
    local place = place_of(cells[k], cells[count + k], k, choices)
    if place.right then check_right(place.right[1], ambiguous, refuse) end
    template.places[k] = place
  end
  return template
end

--- Sets the templates of rules, one for each direction.
---@param list RuleOfText[]
---@param game table   objects, aggregates, synonyms, properties, layer_of_property
---@param refuser fun(line: integer): fun(message: string)
function expansion.add_templates(list, game, refuser)
  local expander = { game = game, cells = {}, plain = {}, maps = {} }
  for direction in pairs(words.absolute) do expander.plain[direction] = {} end
  for _, rule in ipairs(list) do
    local refuse, count = refuser(rule.line), 0
    for _, row in ipairs(rule.left) do count = count + #row end
    rule.templates = {}
    for i, direction in ipairs(rule.directions) do
      rule.templates[i] = template_of(expander, rule, direction, count, refuse)
    end
  end
end

return expansion
