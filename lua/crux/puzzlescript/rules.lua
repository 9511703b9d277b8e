--- Expands the lines of rules to rules of single objects and directions, in the order of the original engine.
---
--- A cell is a list { direction, name, direction, name ... }; no direction is "", and a gap has "..." as direction or name.
local lpeg = require "lpeg"
local parser = require "crux.puzzlescript.parser"
local words = require "crux.puzzlescript.words"

local rules = {}

---@class RuleOfText
---@field line integer
---@field group integer       line of the first rule of its group
---@field directions string[]
---@field direction string
---@field left string[][][]   rows of cells
---@field right string[][][]
---@field late boolean
---@field rigid boolean
---@field random boolean
---@field commands integer    bits, see words.commands
---@field message string?
---@field texts table         texts of the cells: { left = rows of texts, right = rows of texts }

local blanks, C, P, S = lpeg.S " \t" ^ 0, lpeg.C, lpeg.P, lpeg.S
local token = C(P "->" + S "[]|" + (1 - S " \t[]|" - P "->") ^ 1)
local tokens_of = lpeg.Ct((blanks * P "+" * lpeg.Cc "+") ^ -1 * (blanks * token) ^ 0 * blanks * -1)

local function is_directional(rule)
  for _, row in ipairs(rule.left) do
    if #row > 1 then return true end
  end
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do
      for _, cell in ipairs(row) do
        for i = 1, #cell, 2 do
          if words.relative.up[cell[i]] then return true end
        end
      end
    end
  end
  return false
end

---@class RuleReader
---@field refuse fun(message: string)
---@field remark fun(message: string)
---@field rule RuleOfText
---@field row string[][]?    the open row
---@field cell string[]
---@field side "left"|"right"

--- Handlers of the tokens of cells, by token.
local of_cells = {}

of_cells["["] = function(reader)
  if reader.row then
    reader.remark("Multiple opening brackets without closing brackets.  Something fishy here.  Every '[' has to be closed by a "
      .. "']', and you can't nest them.")
  end
  reader.row, reader.cell = {}, {}
end

local function end_cell(reader)
  if not reader.row then
    return reader.remark 'Janky syntax.  "|" should only be used inside cell rows (the square brackety bits).'
  end
  if #reader.cell % 2 == 1 then
    reader.refuse "In a rule, if you specify a movement, it has to act on an object."
  end
  table.insert(reader.row, reader.cell)
  reader.cell = {}
end

of_cells["|"] = end_cell

of_cells["]"] = function(reader)
  if not reader.row then
    reader.refuse("Multiple closing brackets without corresponding opening brackets.  Something fishy here.  Every '[' has "
      .. "to be "
      .. "closed by a ']', and you can't nest them.")
  end
  end_cell(reader)
  table.insert(reader.rule[reader.side], reader.row)
  reader.row = nil
end

of_cells["->"] = function(reader)
  if reader.row then
    return reader.remark("Encountered an unexpected \"->\" inside square brackets.  It's used to separate states, it has no "
      .. "place "
      .. "inside "
      .. "them >:| .")
  end
  if reader.side == "right" then
    reader.refuse "Error, you can only use \"->\" once in a rule; it's used to separate before and after states."
  end
  reader.side = "right"
end

of_cells["..."] = function(reader)
  if not reader.row then return reader.remark "Invalid syntax, ellipses should only be used within cells (square brackets)." end
  table.insert(reader.cell, "...")
  table.insert(reader.cell, "...")
end

local function take_direction(reader, word)
  if not reader.row then return reader.remark "Invalid syntax. Directions should be placed at the start of a rule." end
  if #reader.cell % 2 == 1 then
    reader.refuse "Error, an item can only have one direction/action at a time, but you're looking for several at once!"
  end
  if reader.rule.late and word ~= "no" and word ~= "random" and word ~= "randomdir" then
    reader.refuse "Movements cannot appear in late rules."
  end
  table.insert(reader.cell, word)
end

local function take_name(reader, word)
  if not reader.row then
    return reader.remark(("Invalid token %s. Object names should only be used within cells (square "
      .. "brackets)."):format(word:upper()))
  end
  for i = 2, #reader.cell, 2 do
    if reader.cell[i] == word then
      reader.remark(("You cannot specify the same object more than once in a single cell (in this case %s occurs multiple "
        .. "times).")
        :format(word))
    end
  end
  if #reader.cell % 2 == 0 then table.insert(reader.cell, "") end
  table.insert(reader.cell, word)
end

local function take_command(reader, word)
  if reader.side == "left" then
    reader.refuse("Commands should only appear at the end of rules, not in or before the pattern-detection/-replacement "
      .. "sections.")
  end
  reader.rule.commands = reader.rule.commands | 1 << words.commands[word]
end

--- The modifiers in front of the first bracket; each sets the field of its name.
local modifiers = { late = true, rigid = true, random = true }

local function take_modifier(reader, word, previous)
  local rule = reader.rule
  if word == "+" then
    if not previous then
      reader.refuse("The \"+\" symbol, for joining a rule with the group of the previous rule, needs a previous rule to be "
        .. "applied to.")
    end
    rule.group = previous.group
  elseif modifiers[word] then
    if word == "random" and rule.group ~= rule.line then
      reader.refuse("A rule-group can only be marked random by the opening rule in the group (aka, a '+' and 'random' can't "
        .. "appear "
        .. "as rule modifiers on the same line).")
    end
    rule[word] = true
  elseif words.of_rules[word] then
    table.move(words.directions[word], 1, #words.directions[word], #rule.directions + 1, rule.directions)
  elseif words.absolute[word] then
    table.insert(rule.directions, word)
  elseif words.relative.up[word] then
    reader.refuse("You cannot use relative directions (\"^v<>\") to indicate in which direction(s) a rule applies.  Use "
      .. "absolute "
      .. "directions indicators (Up, Down, Left, Right, Horizontal, or Vertical, for instance), or, if you want the rule to "
      .. "apply "
      .. "in all four directions, do not specify directions")
  else
    reader.refuse(("The start of a rule must consist of some number of directions (possibly 0), before the first bracket, "
      .. "specifying in what directions to look (with no direction specified, it applies in all four directions).  It seems "
      .. "you've just entered \"%s\"."):format(word:upper()))
  end
end

local function check_sides(reader)
  local left, right = reader.rule.left, reader.rule.right
  if reader.row then reader.refuse "A bracket '[' is opened, and not closed." end
  if #left == 0 then reader.refuse "This rule refers to nothing.  What the heck? :O" end
  if #left ~= #right and (#right > 0 or reader.rule.commands == 0) then
    reader.refuse("Error, when specifying a rule, the number of matches (square bracketed bits) on the left hand side of the "
      .. "arrow "
      .. "must equal the number on the right")
  end
  for i, row in ipairs(right) do
    if #row ~= #left[i] then
      reader.refuse("In a rule, each pattern to match on the left must have a corresponding pattern on the right of equal "
        .. "length "
        .. "(number of cells).")
    end
  end
  if reader.rule.late and reader.rule.rigid then
    reader.refuse("Late rules cannot be marked as rigid (rigid rules are all about dealing with the consequences of "
      .. "unresolvable "
      .. "movements, and late rules can't even have movements).")
  end
end

--- Reads a rule from a line.
---@param source Source
---@param previous RuleOfText?
---@return RuleOfText
local function read(line, source, previous, refuse)
  local rule = { line = line.line, group = line.line, directions = {}, left = {}, right = {}, late = false, rigid = false,
    random = false, commands = 0 }
  local reader = { rule = rule, refuse = refuse, cell = {}, side = "left" }
  function reader.remark(message) parser.remark(source, line.line, message) end
  local begun = false
  local list = tokens_of:match(line.text)
  for _, word in ipairs(list) do
    begun = begun or word == "["
    if not begun and word ~= "->" then take_modifier(reader, word, previous)
    elseif of_cells[word] then of_cells[word](reader, word)
    elseif words.of_cells[word] then take_direction(reader, word)
    elseif source.names[word] then take_name(reader, word)
    elseif words.commands[word] then
      take_command(reader, word)
      if word == "message" then
        rule.message = line.whole:match "[mM][eE][sS][sS][aA][gG][eE]%s*(.*)$"
        break
      end
    elseif word == "rigid" or word == "late" then
      reader.remark(("Error, malformed cell rule - was looking for cell contents, but found \"%s\"."):format(word))
    else
      refuse(("Name \"%s\", referred to in a rule, does not exist."):format(word))
    end
  end
  if reader.side == "left" then
    refuse("A rule has to have an arrow in it.  There's no arrow here! Consider reading up about rules - you're clearly "
      .. "doing something weird")
  end
  check_sides(reader)
  if #rule.directions == 0 then rule.directions = words.directions.orthogonal end
  if not is_directional(rule) then rule.directions = { rule.directions[1] } end
  return rule
end

--- Copies a rule with other counts. Copies share rows and cells; put_cell replaces them and never changes them.
local function copy(rule, of_names, of_words)
  return { line = rule.line, group = rule.group, direction = rule.direction, left = { table.unpack(rule.left) },
    right = { table.unpack(rule.right) }, late = rule.late, rigid = rule.rigid, random = rule.random, commands = rule.commands,
    of_names = of_names, of_words = of_words }
end

--- Replaces a cell of a side.
local function put_cell(rows, i, k, cell)
  if rows[i][k] == cell then return end
  rows[i] = table.move(rows[i], 1, #rows[i], 1, {})
  rows[i][k] = cell
end

--- Replaces each cell of a side by change(cell, row number, cell number).
local function change_cells(rows, change)
  for i = 1, #rows do
    for k = 1, #rows[i] do put_cell(rows, i, k, change(rows[i][k], i, k)) end
  end
end

--- Returns a copy of a cell with one word replaced.
local function with_word(cell, place, word)
  local result = table.move(cell, 1, #cell, 1, {})
  result[place] = word
  return result
end

local function reversed(list)
  local result = {}
  for i = 1, #list do result[i] = list[#list + 1 - i] end
  return result
end

local turned = { up = "down", left = "right" }

--- Turns an up or left rule into the equivalent down or right rule, unless it has a gap.
local function turn(rule)
  if not turned[rule.direction] then return end
  for _, row in ipairs(rule.left) do
    for _, cell in ipairs(row) do
      if cell[1] == "..." then return end
    end
  end
  rule.direction = turned[rule.direction]
  for _, side in ipairs { rule.left, rule.right } do
    for i, row in ipairs(side) do side[i] = reversed(row) end
  end
end

--- Returns a cell with relative directions made absolute, and with synonyms and aggregates replaced by their objects.
local function plain_cell(cell, meanings, game, refuse)
  local result = {}
  for i = 1, #cell, 2 do result[i], result[i + 1] = meanings[cell[i]] or cell[i], cell[i + 1] end
  for i = 1, #cell, 2 do
    local name = cell[i + 1]
    local all = game.aggregates[name]
    if all and cell[i] == "no" then
      refuse(("You cannot use 'no' to exclude the aggregate object %s (defined using 'AND'), only regular objects, or "
        .. "properties "
        .. "(objects defined using 'OR').  If you want to do this, you'll have to write it out yourself the long way.")
        :format(name:upper()))
    end
    result[i + 1] = all and all[1] or game.synonyms[name] or name
    for k = 2, all and #all or 0 do
      table.insert(result, result[i])
      table.insert(result, all[k])
    end
  end
  return result
end

local function make_plain(rule, game, refuse)
  local meanings = words.relative[rule.direction]
  for _, side in ipairs { rule.left, rule.right } do
    change_cells(side, function(cell) return plain_cell(cell, meanings, game, refuse) end)
  end
  turn(rule)
end

--- Replaces each rule by the list split(rule), appended to the queue, until split returns nil for all rules.
local function expand(rule, split)
  local queue, result, at = { rule }, {}, 1
  while queue[at] do
    local made = split(queue[at])
    if made then table.move(made, 1, #made, #queue + 1, queue) else table.insert(result, queue[at]) end
    queue[at], at = false, at + 1
  end
  return result
end

--- Counts one more occurrence of a key. Returns rows { key =, value = at the key's first occurrence, count =, ... }.
local function counted(counts, fields)
  local result, is_known = {}, false
  for i, row in ipairs(counts or {}) do
    result[i] = row
    if row.key == fields.key then
      is_known = true
      if fields.i == nil or fields.i ~= row.i or fields.k ~= row.k then
        result[i] = setmetatable({ count = row.count + 1 }, { __index = row })
      end
    end
  end
  if not is_known then
    fields.count = 1
    table.insert(result, fields)
  end
  return result
end

--- Returns the index of the first word in a cell that stands for several directions.
local function first_moving(cell)
  for i = 1, #cell, 2 do
    if words.directions[cell[i]] then return i end
  end
end

--- Replaces a word that stands for several directions by one direction, at one name or, without a name, at all.
local function with_direction(cell, word, name, direction)
  for i = 1, #cell, 2 do
    if cell[i] == word and (not name or cell[i + 1] == name) then cell = with_word(cell, i, direction) end
  end
  return cell
end

--- Takes the first word of each cell on the left that stands for several directions; returns one rule for each of them, or nil.
local function split_moving(rule)
  local made = {}
  for i, row in ipairs(rule.left) do
    for k, cell in ipairs(row) do
      local place = first_moving(cell)
      local word, name = cell[place], cell[place and place + 1]
      for _, direction in ipairs(place and words.directions[word] or {}) do
        local new = copy(rule,
          counted(rule.of_names, { key = name .. word, value = direction, name = name, word = word, i = i, k = k }),
          counted(rule.of_words, { key = word, value = direction, word = word }))
        put_cell(new.left, i, k, with_direction(cell, word, name, direction))
        if #new.right > 0 then put_cell(new.right, i, k, with_direction(new.right[i][k], word, name, direction)) end
        table.insert(made, new)
      end
    end
  end
  return #made > 0 and made or nil
end

--- Expands a rule to single directions. A word for several directions on the right takes the direction of the same word at the
--- same name on the left, or of the only such word there.
local function of_single_directions(rule, _, refuse)
  local list = expand(rule, split_moving)
  for _, new in ipairs(list) do
    for _, counts in ipairs { new.of_names or {}, new.of_words or {} } do
      for _, row in ipairs(counts) do
        if row.count == 1 then
          change_cells(new.right, function(cell) return with_direction(cell, row.word, row.name, row.value) end)
        end
      end
    end
    change_cells(new.right, function(cell)
      local place = first_moving(cell)
      if place then
        refuse(("This rule has an ambiguous movement on the right-hand side, \"%s\", that can't be inferred from the left-hand "
          .. "side.  (either for every ambiguous movement associated to an entity on the right there has to be a "
          .. "corresponding one "
          .. "on the left attached to the same entity, OR, if there's a single occurrence of a particular ambiguous movement "
          .. "on the "
          .. "left, all properties of the same movement attached to the same object on the right are assumed to be the same "
          .. "(or "
          .. "something like that))."):format(cell[place]:gsub("_.*", "")))
      end
      return cell
    end)
    new.of_names, new.of_words = nil, nil
  end
  return list
end

--- Returns the index of the next property in a cell after an index.
local function next_property(cell, game, place)
  for i = place + 2, #cell, 2 do
    if game.properties[cell[i]] and cell[i - 1] ~= "random" then return i end
  end
end

local function with_object(cell, property, object)
  for i = 2, #cell, 2 do
    if cell[i] == property and cell[i - 1] ~= "random" then cell = with_word(cell, i, object) end
  end
  return cell
end

--- Replaces "no" of a property by "no" of each of its objects.
local function with_no_expanded(cell, game)
  local result
  for i = 1, #cell, 2 do
    local objects = cell[i] == "no" and game.properties[cell[i + 1]]
    if objects and not result then result = table.move(cell, 1, i - 1, 1, {}) end
    for _, object in ipairs(objects or { cell[i + 1] }) do
      if result then
        table.insert(result, cell[i])
        table.insert(result, object)
      end
    end
  end
  return result or cell
end

--- Returns the set of properties in a cell on the right that are not in the same cell on the left.
local function ambiguous_properties(rule, game)
  local ambiguous = {}
  change_cells(rule.right, function(cell, i, k)
    local on_left, place = {}, 0
    for _, word in ipairs(rule.left[i][k]) do on_left[word] = true end
    repeat
      place = next_property(cell, game, place)
      if place and not on_left[cell[place]] then ambiguous[cell[place]] = true end
    until not place
    return cell
  end)
  return ambiguous
end

--- Expands a rule to single objects. Properties of one layer stay unless they are ambiguous on the right.
local function of_single_objects(rule, game, refuse)
  for _, side in ipairs { rule.left, rule.right } do
    change_cells(side, function(cell) return with_no_expanded(cell, game) end)
  end
  local ambiguous = ambiguous_properties(rule, game)
  local function split(old)
    for i, row in ipairs(old.left) do
      for k, cell in ipairs(row) do
        local place = next_property(cell, game, 0)
        while place and game.layer_of_property[cell[place]] and not ambiguous[cell[place]] do
          place = next_property(cell, game, place)
        end
        if place then
          local property, made = cell[place], {}
          for n, object in ipairs(game.properties[property]) do
            local new = copy(old, counted(old.of_names, { key = property, value = object }))
            put_cell(new.left, i, k, with_object(cell, property, object))
            if #new.right > 0 then put_cell(new.right, i, k, with_object(new.right[i][k], property, object)) end
            made[n] = new
          end
          return made
        end
      end
    end
  end
  local list = expand(rule, split)
  for _, new in ipairs(list) do
    for _, row in ipairs(new.of_names or {}) do
      if row.count == 1 then change_cells(new.right, function(cell) return with_object(cell, row.key, row.value) end) end
    end
    new.of_names = nil
    for _, row in ipairs(next(ambiguous) and new.right or {}) do
      for _, cell in ipairs(row) do
        local place = next_property(cell, game, 0)
        while place and not ambiguous[cell[place]] do place = next_property(cell, game, place) end
        if place then
          refuse(("This rule has a property on the right-hand side, \"%s\", that can't be inferred from the left-hand side.  "
            .. "(either "
            .. "for every property on the right there has to be a corresponding one on the left in the same cell, OR, if "
            .. "there's a "
            .. "single occurrence of a particular property name on the left, all properties of the same name on the right are "
            .. "assumed to be the same)."):format(cell[place]:upper()))
        end
      end
    end
  end
  return list
end

--- Makes objects on the right stationary if the same cell on the left names no object of their layer.
local function still_new_objects(rule, game)
  change_cells(rule.late and {} or rule.right, function(cell, i, k)
    local layers
    for n = 1, #cell, 2 do
      local object = cell[n] == "" and game.objects[cell[n + 1]]
      if object and not layers then
        layers = {}
        for m, name in ipairs(rule.left[i][k]) do
          for _, other in ipairs(m % 2 == 0 and (game.properties[name] or { name }) or {}) do
            if game.objects[other] then layers[game.objects[other].layer] = true end
          end
        end
      end
      if object and not layers[object.layer] then cell = with_word(cell, n, "stationary") end
    end
    return cell
  end)
end

--- Sets `texts` of a rule: the texts of the cells by side and row. Returns a text that is equal for equal rules of a line: the
--- direction, if it matters, and the texts.
local function signature(rule, texts_of)
  local parts, is_directed = { left = {}, right = {} }, false
  for _, side in ipairs { "left", "right" } do
    for i, row in ipairs(rule[side]) do
      is_directed = is_directed or side == "left" and #row > 1
      local cells = {}
      for k, cell in ipairs(row) do
        cells[k] = texts_of[cell] or table.concat(cell, " ")
        texts_of[cell] = cells[k]
      end
      parts[side][i] = cells
      table.insert(parts, table.concat(cells, "|"))
    end
    table.insert(parts, ">")
  end
  rule.texts = parts
  return (is_directed and rule.direction or "") .. rule.line .. table.concat(parts, "]")
end

--- Keeps only the last of equal rules in a group.
local function without_duplicates(list)
  local known, group, result, texts_of = {}, nil, {}, {}
  for i = #list, 1, -1 do
    local rule = list[i]
    if rule.group ~= group then known, group = {}, rule.group end
    local text = signature(rule, texts_of)
    if not known[text] then
      known[text] = true
      table.insert(result, rule)
    end
  end
  return reversed(result)
end

local loops = { startloop = 1, endloop = -1 }

--- Returns the rules of a game, and its loops: { line, 1 at a start or -1 at an end }.
---@param source Source
---@param game table   objects, aggregates, synonyms, properties, layer_of_property
---@return RuleOfText[], integer[][]
function rules.of(source, game)
  local read_rules, found_loops = {}, {}
  local function refuser(line) return function(message) parser.refuse(source, line, message) end end
  for _, line in ipairs(source.rules) do
    local loop = loops[line.text:match "^%s*(%a+)%s*$"]
    if loop then
      table.insert(found_loops, { line.line, loop })
    else
      table.insert(read_rules, read(line, source, read_rules[#read_rules], refuser(line.line)))
    end
  end
  local list = {}
  for _, rule in ipairs(read_rules) do
    local refuse = refuser(rule.line)
    for _, direction in ipairs(rule.directions) do
      local plain = copy(rule)
      plain.direction = direction
      make_plain(plain, game, refuse)
      for _, moving in ipairs(of_single_directions(plain, game, refuse)) do
        for _, single in ipairs(of_single_objects(moving, game, refuse)) do
          still_new_objects(single, game)
          table.insert(list, single)
        end
      end
    end
  end
  return without_duplicates(list), found_loops
end

return rules
