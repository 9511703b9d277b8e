--- From the lines of rules to rules of single objects and directions, in the order in which the original engine has them.
---
--- A cell is a list { direction, name, direction, name ... }; a direction may be "", a name or direction may be "...".
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
---@field row string[][]?    that is open
---@field cell string[]
---@field side "left"|"right"

--- The cells of both sides: what each token adds.
local of_cells = {}

of_cells["["] = function(reader)
  if reader.row then
    reader.refuse("Multiple opening brackets without closing brackets.  Something fishy here.  Every '[' has to be closed by a "
      .. "']', and you can't nest them.")
  end
  reader.row, reader.cell = {}, {}
end

local function end_cell(reader)
  if not reader.row then
    reader.refuse 'Janky syntax.  "|" should only be used inside cell rows (the square brackety bits).'
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
    reader.refuse("Multiple closing brackets without corresponding opening brackets.  Something fishy here.  Every '[' has to be "
      .. "closed by a ']', and you can't nest them.")
  end
  end_cell(reader)
  table.insert(reader.rule[reader.side], reader.row)
  reader.row = nil
end

of_cells["->"] = function(reader)
  if reader.row then
    reader.refuse("Encountered an unexpected \"->\" inside square brackets.  It's used to separate states, it has no place inside "
      .. "them >:| .")
  end
  if reader.side == "right" then
    reader.refuse "Error, you can only use \"->\" once in a rule; it's used to separate before and after states."
  end
  reader.side = "right"
end

of_cells["..."] = function(reader)
  if not reader.row then reader.refuse "Invalid syntax, ellipses should only be used within cells (square brackets)." end
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
    reader.refuse(("Invalid token %s. Object names should only be used within cells (square brackets)."):format(word:upper()))
  end
  for i = 2, #reader.cell, 2 do
    if reader.cell[i] == word then
      reader.remark(("You cannot specify the same object more than once in a single cell (in this case %s occurs multiple times).")
        :format(word))
    end
  end
  if #reader.cell % 2 == 0 then table.insert(reader.cell, "") end
  table.insert(reader.cell, word)
end

local function take_command(reader, word)
  if reader.side == "left" then
    reader.refuse "Commands should only appear at the end of rules, not in or before the pattern-detection/-replacement sections."
  end
  reader.rule.commands = reader.rule.commands | 1 << words.commands[word]
end

--- The modifiers in front of the first bracket: what each sets.
local modifiers = { late = true, rigid = true, random = true }

local function take_modifier(reader, word, previous)
  local rule = reader.rule
  if word == "+" then
    if not previous then
      reader.refuse "The \"+\" symbol, for joining a rule with the group of the previous rule, needs a previous rule to be applied to."
    end
    rule.group = previous.group
  elseif modifiers[word] then
    if word == "random" and rule.group ~= rule.line then
      reader.refuse("A rule-group can only be marked random by the opening rule in the group (aka, a '+' and 'random' can't appear "
        .. "as rule modifiers on the same line).")
    end
    rule[word] = true
  elseif words.directions[word] and not words.relative.up[word] then
    table.move(words.directions[word], 1, #words.directions[word], #rule.directions + 1, rule.directions)
  elseif words.absolute[word] then
    table.insert(rule.directions, word)
  elseif words.relative.up[word] then
    reader.refuse("You cannot use relative directions (\"^v<>\") to indicate in which direction(s) a rule applies.  Use absolute "
      .. "directions indicators (Up, Down, Left, Right, Horizontal, or Vertical, for instance), or, if you want the rule to apply "
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
    reader.refuse("Error, when specifying a rule, the number of matches (square bracketed bits) on the left hand side of the arrow "
      .. "must equal the number on the right")
  end
  for i, row in ipairs(right) do
    if #row ~= #left[i] then
      reader.refuse("In a rule, each pattern to match on the left must have a corresponding pattern on the right of equal length "
        .. "(number of cells).")
    end
  end
  if reader.rule.late and reader.rule.rigid then
    reader.refuse("Late rules cannot be marked as rigid (rigid rules are all about dealing with the consequences of unresolvable "
      .. "movements, and late rules can't even have movements).")
  end
end

--- Reads a line.
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
    refuse "A rule has to have an arrow in it.  There's no arrow here! Consider reading up about rules - you're clearly doing something weird"
  end
  check_sides(reader)
  if #rule.directions == 0 then rule.directions = words.directions.orthogonal end
  if not is_directional(rule) then rule.directions = { rule.directions[1] } end
  return rule
end

local function copy_cells(rows)
  local result = {}
  for i, row in ipairs(rows) do
    local cells = {}
    for k, cell in ipairs(row) do cells[k] = table.move(cell, 1, #cell, 1, {}) end
    result[i] = cells
  end
  return result
end

--- A copy with cells of its own, and other fields that are given.
local function copy(rule, fields)
  local result = {}
  for key, value in pairs(rule) do result[key] = value end
  result.left, result.right = copy_cells(rule.left), copy_cells(rule.right)
  for key, value in pairs(fields) do result[key] = value end
  return result
end

--- Calls visit(cell, row number, cell number, side) for the cells of both sides.
local function each_cell(rule, visit)
  for _, side in ipairs { "left", "right" } do
    for i, row in ipairs(rule[side]) do
      for k, cell in ipairs(row) do visit(cell, i, k, side) end
    end
  end
end

local function each_right(rule, visit)
  for _, row in ipairs(rule.right) do
    for _, cell in ipairs(row) do visit(cell) end
  end
end

local function reverse(list)
  for i = 1, #list // 2 do list[i], list[#list + 1 - i] = list[#list + 1 - i], list[i] end
end

local turned = { up = "down", left = "right" }

--- Makes a rule that looks up or left one that looks down or right, unless it has a gap.
local function turn(rule)
  local has_gap = false
  each_cell(rule, function(cell) has_gap = has_gap or cell[1] == "..." end)
  if has_gap or not turned[rule.direction] then return end
  rule.direction = turned[rule.direction]
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do reverse(row) end
  end
end

--- Puts absolute directions for relative ones, and objects for the names that stand for one or for several together.
local function make_plain(rule, game, refuse)
  local meanings = words.relative[rule.direction]
  each_cell(rule, function(cell)
    for i = 1, #cell, 2 do cell[i] = meanings[cell[i]] or cell[i] end
  end)
  turn(rule)
  each_cell(rule, function(cell)
    for i = 1, #cell, 2 do
      local all = game.aggregates[cell[i + 1]]
      if all and cell[i] == "no" then
        refuse(("You cannot use 'no' to exclude the aggregate object %s (defined using 'AND'), only regular objects, or properties "
          .. "(objects defined using 'OR').  If you want to do this, you'll have to write it out yourself the long way.")
          :format(cell[i + 1]:upper()))
      end
      for k = 2, all and #all or 0 do
        table.insert(cell, cell[i])
        table.insert(cell, all[k])
      end
      cell[i + 1] = all and all[1] or game.synonyms[cell[i + 1]] or cell[i + 1]
    end
  end)
end

--- Replaces each rule by what `split` makes of it, until it makes nothing: those that it makes come behind all others.
local function expand(rule, split)
  local queue, result, at = { rule }, {}, 1
  while queue[at] do
    local made = split(queue[at])
    if made then table.move(made, 1, #made, #queue + 1, queue) else table.insert(result, queue[at]) end
    queue[at], at = false, at + 1
  end
  return result
end

local function copy_counts(counts)
  local result = {}
  for i, row in ipairs(counts or {}) do
    result[i] = { key = row.key, value = row.value, count = row.count, name = row.name, word = row.word, i = row.i, k = row.k }
    result[row.key] = result[i]
  end
  return result
end

local function count_key(counts, fields)
  local row = counts[fields.key]
  if not row then
    counts[fields.key] = fields
    table.insert(counts, fields)
    fields.count = 1
  elseif fields.i == nil or fields.i ~= row.i or fields.k ~= row.k then
    row.count = row.count + 1
  end
end

--- The first name in a cell whose direction stands for several, and that direction.
local function first_moving(cell)
  for i = 1, #cell, 2 do
    if words.directions[cell[i]] then return cell[i + 1], cell[i] end
  end
end

local function put_direction(cell, word, name, direction)
  for i = 1, #cell, 2 do
    if cell[i] == word and (not name or cell[i + 1] == name) then cell[i] = direction end
  end
end

--- For each cell on the left with a direction that stands for several, a rule for each of them.
local function split_moving(rule)
  local made = {}
  for i, row in ipairs(rule.left) do
    for k, cell in ipairs(row) do
      local name, word = first_moving(cell)
      for _, direction in ipairs(word and words.directions[word] or {}) do
        local new = copy(rule, { of_names = copy_counts(rule.of_names), of_words = copy_counts(rule.of_words) })
        put_direction(new.left[i][k], word, name, direction)
        if #new.right > 0 then put_direction(new.right[i][k], word, name, direction) end
        count_key(new.of_names, { key = name .. word, value = direction, name = name, word = word, i = i, k = k })
        count_key(new.of_words, { key = word, value = direction, word = word })
        table.insert(made, new)
      end
    end
  end
  return #made > 0 and made or nil
end

--- Rules of single directions: one on the right is that of the same name on the left, or of the only such direction there.
local function of_single_directions(rule, _, refuse)
  local list = expand(rule, split_moving)
  for _, new in ipairs(list) do
    for _, counts in ipairs { new.of_names or {}, new.of_words or {} } do
      for _, row in ipairs(counts) do
        if row.count == 1 then
          each_right(new, function(cell) put_direction(cell, row.word, row.name, row.value) end)
        end
      end
    end
    each_right(new, function(cell)
      local _, word = first_moving(cell)
      if word then
        refuse(("This rule has an ambiguous movement on the right-hand side, \"%s\", that can't be inferred from the left-hand "
          .. "side.  (either for every ambiguous movement associated to an entity on the right there has to be a corresponding one "
          .. "on the left attached to the same entity, OR, if there's a single occurrence of a particular ambiguous movement on the "
          .. "left, all properties of the same movement attached to the same object on the right are assumed to be the same (or "
          .. "something like that))."):format(word:gsub("_.*", "")))
      end
    end)
    new.of_names, new.of_words = nil, nil
  end
  return list
end

local function properties_in(cell, game)
  local result = {}
  for i = 1, #cell, 2 do
    if cell[i] ~= "random" and game.properties[cell[i + 1]] then table.insert(result, cell[i + 1]) end
  end
  return result
end

local function put_object(cell, property, object)
  for i = 1, #cell, 2 do
    if cell[i + 1] == property and cell[i] ~= "random" then cell[i + 1] = object end
  end
end

--- "no" of a property is "no" of each of its objects.
local function expand_no(cell, game)
  local old = table.move(cell, 1, #cell, 1, {})
  for i = #cell, 1, -1 do cell[i] = nil end
  for i = 1, #old, 2 do
    local objects = old[i] == "no" and game.properties[old[i + 1]] or { old[i + 1] }
    for _, object in ipairs(objects) do
      table.insert(cell, old[i])
      table.insert(cell, object)
    end
  end
end

--- Properties that a cell on the right has and its cell on the left has not.
local function ambiguous_properties(rule, game)
  local ambiguous = {}
  for i, row in ipairs(rule.right) do
    for k, cell in ipairs(row) do
      local on_left = {}
      for _, property in ipairs(properties_in(rule.left[i][k], game)) do on_left[property] = true end
      for _, property in ipairs(properties_in(cell, game)) do
        if not on_left[property] then ambiguous[property] = true end
      end
    end
  end
  return ambiguous
end

--- Rules of single objects, but for properties of one layer that need not be told apart.
local function of_single_objects(rule, game, refuse)
  each_cell(rule, function(cell) expand_no(cell, game) end)
  local ambiguous = ambiguous_properties(rule, game)
  local function split(old)
    for i, row in ipairs(old.left) do
      for k, cell in ipairs(row) do
        for _, property in ipairs(properties_in(cell, game)) do
          if not game.layer_of_property[property] or ambiguous[property] then
            local made = {}
            for n, object in ipairs(game.properties[property]) do
              local new = copy(old, { of_names = copy_counts(old.of_names) })
              put_object(new.left[i][k], property, object)
              if #new.right > 0 then put_object(new.right[i][k], property, object) end
              count_key(new.of_names, { key = property, value = object })
              made[n] = new
            end
            return made
          end
        end
      end
    end
  end
  local list = expand(rule, split)
  for _, new in ipairs(list) do
    for _, row in ipairs(new.of_names or {}) do
      if row.count == 1 then each_right(new, function(cell) put_object(cell, row.key, row.value) end) end
    end
    new.of_names = nil
    each_right(new, function(cell)
      for _, property in ipairs(properties_in(cell, game)) do
        if ambiguous[property] then
          refuse(("This rule has a property on the right-hand side, \"%s\", that can't be inferred from the left-hand side.  (either "
            .. "for every property on the right there has to be a corresponding one on the left in the same cell, OR, if there's a "
            .. "single occurrence of a particular property name on the left, all properties of the same name on the right are "
            .. "assumed to be the same)."):format(property:upper()))
        end
      end
    end)
  end
  return list
end

--- Objects that appear on a layer of which the cell on the left says nothing do not move.
local function still_new_objects(rule, game)
  if rule.late then return end
  for i, row in ipairs(rule.right) do
    for k, cell in ipairs(row) do
      local layers = {}
      local on_left = rule.left[i][k]
      for n = 2, #on_left, 2 do
        for _, object in ipairs(game.properties[on_left[n]] or { on_left[n] }) do
          local declared = game.objects[object]
          if declared then layers[declared.layer] = true end
        end
      end
      for n = 1, #cell, 2 do
        local object = game.objects[cell[n + 1]]
        if cell[n] == "" and object and not layers[object.layer] then cell[n] = "stationary" end
      end
    end
  end
end

--- What tells a rule of its line from others of the same line: its direction, if it has one, and its cells.
local function signature(rule)
  local parts, is_directed = {}, false
  for _, row in ipairs(rule.left) do is_directed = is_directed or #row > 1 end
  parts[1] = is_directed and rule.direction or ""
  for _, side in ipairs { rule.left, rule.right } do
    for _, row in ipairs(side) do
      for _, cell in ipairs(row) do
        parts[#parts + 1] = table.concat(cell, " ")
      end
      parts[#parts + 1] = "]"
    end
    parts[#parts + 1] = ">"
  end
  return rule.line .. table.concat(parts, "|")
end

--- Of rules that are the same in a group, the last one.
local function without_duplicates(list)
  local known, group, result = {}, nil, {}
  for i = #list, 1, -1 do
    local rule = list[i]
    if rule.group ~= group then known, group = {}, rule.group end
    local text = signature(rule)
    if not known[text] then
      known[text] = true
      table.insert(result, rule)
    end
  end
  reverse(result)
  return result
end

local loops = { startloop = 1, endloop = -1 }

--- The rules of a game, and its loops: { line, 1 for a start and -1 for an end }.
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
      local plain = copy(rule, { direction = direction })
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
