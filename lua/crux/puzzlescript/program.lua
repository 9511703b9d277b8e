--- Compiles rules of single objects to the words of a program for C; src/puzzlescript/rule_program.h defines the format.
local lists = require "crux.base.lists"
local parser = require "crux.puzzlescript.parser"
local words = require "crux.puzzlescript.words"

local program = {}

local max_rigid_groups, max_gaps = 30, 2

--- Returns an empty set of `count` words.
local function empty(count)
  local set = {}
  for i = 1, count do set[i] = 0 end
  return set
end

--- Adds an object (from 0) to a set.
local function add_object(set, number)
  local word = number // 64 + 1
  set[word] = set[word] | 1 << number % 64
end

--- Returns the set of the objects that a name stands for.
local function set_of(game, name)
  local set = game.sets[name]
  if set then return set end
  set = empty(game.object_words)
  for _, object in ipairs(game.aggregates[name] or game.properties[name] or { game.synonyms[name] or name }) do
    add_object(set, game.objects[object].number)
  end
  game.sets[name] = set
  return set
end
program.set_of = set_of

local function layer_of(game, name) return game.objects[name] and game.objects[name].layer or game.layer_of_property[name] end

---@class Side                  a cell of a template as a side of cells of the program
---@field number integer         from 0
---@field never boolean?         true if a cell with this left side never matches
---@field discarded string[]?    two objects of one layer that a cell with this left side requires
---@field on_left string?        the message of a mistake if it is a left side
---@field on_right string?       the message of a mistake if it is a right side
---@field overlap string?        the message of two objects of one layer if it is a right side

--- Notes what a left side requires.
---@param side Side
local function note_left(game, cell, side)
  local on, present = {}, {}
  for i = 1, #cell, 2 do
    local direction, name = cell[i], cell[i + 1]
    if direction == "random" then
      side.on_left = "RANDOM cannot be matched on the left-hand side, it can only appear on the right"
      return
    end
    if direction ~= "no" then
      local layer = layer_of(game, name)
      if on[layer] then side.discarded = side.discarded or { name:upper(), on[layer]:upper() } end
      on[layer], present[name] = name, game.objects[name] ~= nil
    end
  end
  for i = 1, #cell, 2 do side.never = side.never or cell[i] == "no" and present[cell[i + 1]] end
end

--- Notes two objects of one layer on a right side.
---@param side Side
local function note_overlap(game, cell, side)
  local on, spawned_on = {}, {}
  for i = 1, #cell, 2 do
    local direction, name = cell[i], cell[i + 1]
    if direction == "random" then
      for _, object in ipairs(game.properties[name] or { name }) do spawned_on[game.objects[object].layer] = object end
    elseif direction ~= "no" then
      local layer = layer_of(game, name)
      local other = on[layer] or spawned_on[layer]
      if other then
        side.overlap = ("Rule matches object types that can't overlap: \"%s\" and \"%s\"."):format(name:upper(), other:upper())
        return
      end
      on[layer] = name
    end
  end
end

--- Most words that one call of string.pack gets.
local words_a_call <const> = 100

--- Appends numbers and sets (lists of numbers) to a list.
local function append(list, values)
  for _, value in ipairs(values) do
    if type(value) == "table" then table.move(value, 1, #value, #list + 1, list) else list[#list + 1] = value end
  end
end

--- Packs a list of numbers, 8 bytes each.
local function packed(list)
  local parts = {}
  for first = 1, #list, words_a_call do
    local last = math.min(first + words_a_call - 1, #list)
    table.insert(parts, string.pack(("i8"):rep(last - first + 1), table.unpack(list, first, last)))
  end
  return table.concat(parts)
end

--- Returns the number of a name in the list game.names, from 0.
local function number_of(game, name)
  local numbers = game.numbers_of_names
  if not numbers[name] then
    append(game.names, { game.objects[name] and 1 or 0, set_of(game, name) })
    numbers[name], game.name_count = game.name_count, game.name_count + 1
  end
  return numbers[name]
end

--- Returns the Side of a cell, and adds it to the list game.sides.
---@param cell Cell
---@return Side
local function side_of(game, cell)
  if game.sides_of_cells[cell] then return game.sides_of_cells[cell] end
  local side = { number = game.side_count }
  game.sides_of_cells[cell], game.side_count = side, game.side_count + 1
  if lists.contains(cell, "...") then
    side.on_left = "You can't have anything in with an ellipsis. Sorry."
    side.on_right = "An ellipsis on the right must be matched by one in the corresponding place on the left."
    cell = {}
  end
  note_left(game, cell, side)
  note_overlap(game, cell, side)
  local list = game.sides
  list[#list + 1] = #cell // 2
  for i = 1, #cell, 2 do
    list[#list + 1] = words.numbers[cell[i]]
    list[#list + 1] = number_of(game, cell[i + 1])
  end
  return side
end

---@class Flaw                  of a cell of the program
---@field never boolean?         it never matches
---@field discarded string[]?    two objects of one layer that it requires
---@field mistake string?        a message: refuses the rules with this cell that can match

--- Returns the number of the cell with two sides from 1, or 0 for a gap. Notes its flaws in game.flaws.
---@param left Cell
---@param right Cell?
local function number_of_cell(game, left, right, late)
  if left[1] == "..." then return 0 end
  local one, other = side_of(game, left), right and side_of(game, right)
  local key = (one.number << 32 | (other and other.number + 1 or 0)) << 1 | late
  if game.numbers_of_cells[key] then return game.numbers_of_cells[key] end
  local mistake = one.on_left or not one.never and other and (other.on_right or not one.discarded and other.overlap) or nil
  table.move({ mistake and 0 or one.number, other and not mistake and other.number + 1 or 0, late }, 1, 3, #game.cells + 1,
    game.cells)
  local number = #game.cells // 3
  game.numbers_of_cells[key] = number
  if mistake or one.never or one.discarded then
    game.flaws[number] = { never = one.never, discarded = one.discarded, mistake = mistake }
  end
  return number
end

--- Checks the gaps of a row, whose first cell is at a number among the places of a template.
---@param places Place[]
local function check_gaps(places, first, size, refuse)
  local gaps = 0
  for k = first, first + size - 1 do
    local left, right = places[k].left[1], places[k].right and places[k].right[1]
    if left[1] == "..." then
      gaps = gaps + 1
      if #left > 2 then refuse "You can't have anything in with an ellipsis. Sorry." end
      if k == first or k == first + size - 1 then
        refuse "There's no point in putting an ellipsis at the very start or the end of a rule"
      end
      if right and right[1] ~= "..." then
        refuse "An ellipsis on the left must be matched by one in the corresponding place on the right."
      end
      if gaps > max_gaps then refuse "You can't use more than two ellipses in a single cell match pattern." end
    end
  end
end

--- Returns the flaw of a rule, given by the number of its combination of options; nil if the rule can match. Refuses a mistake.
---@param template Template
---@param cells integer[][]   by place
---@return Flaw?
local function flaw_of(game, template, cells, number, refuse)
  local options, found = {}, nil
  for i = #template.options, 1, -1 do
    options[i], number = number % template.options[i], number // template.options[i]
  end
  for k, place in ipairs(template.places) do
    local index = 0
    for _, choice in ipairs(place.choices) do index = index * template.options[choice + 1] + options[choice + 1] end
    local flaw = game.flaws[cells[k][index + 1]]
    if flaw and flaw.mistake then refuse(flaw.mistake) end
    if flaw and flaw.never then return flaw end
    found = found or flaw
  end
  return found
end

--- Refuses a line if one of its rules has a mistake, or if all require two objects of a layer in a cell.
---@param cells integer[][][]   by template and place
local function check_line(game, rule, cells, refuse)
  local discarded
  local can_match = false
  for i, template in ipairs(rule.templates) do
    local count = 1
    for _, options in ipairs(template.options) do count = count * options end
    for number = 0, count - 1 do
      local flaw = flaw_of(game, template, cells[i], number, refuse)
      can_match, discarded = can_match or not flaw, discarded or flaw and not flaw.never and flaw.discarded
    end
  end
  if discarded and not can_match then
    refuse(("%s and %s can never overlap, but this rule requires that to happen, so it's being culled."):format(
      table.unpack(discarded)))
  end
end

--- Returns the numbers of the cells of a template by place, and true if a line with them must be checked.
---@param template Template
local function cells_of(game, template, late)
  local cells, is_flawed = {}, false
  for k, place in ipairs(template.places) do
    local numbers, right = {}, place.right
    for i, left in ipairs(place.left) do
      local number = number_of_cell(game, left, right and right[i], late)
      local flaw = game.flaws[number]
      numbers[i], is_flawed = number, is_flawed or flaw and (flaw.discarded or flaw.mistake) ~= nil
    end
    cells[k] = numbers
  end
  return cells, is_flawed
end

local numbers_of_directions = { up = 0, down = 1, left = 2, right = 3 }

--- Appends the words of a template.
local function append_template(list, template, cells)
  append(list, { numbers_of_directions[template.direction], #template.options, template.options })
  for k, place in ipairs(template.places) do
    append(list, { #place.choices, place.choices, cells[k] })
  end
end

--- Returns the words of the rules of a line.
---@param rule RuleOfText
local function words_of(game, rule, refuse)
  local list = { rule.random and 1 or 0, rule.rigid and 1 or 0, #rule.right > 0 and 1 or 0, rule.commands, #rule.left }
  local first, is_flawed, cells = 1, false, {}
  for _, row in ipairs(rule.left) do
    check_gaps(rule.templates[1].places, first, #row, refuse)
    first, list[#list + 1] = first + #row, #row
  end
  list[#list + 1] = #rule.templates
  for i, template in ipairs(rule.templates) do
    local is_flawed_now
    cells[i], is_flawed_now = cells_of(game, template, rule.late and 1 or 0)
    is_flawed = is_flawed or is_flawed_now
    append_template(list, template, cells[i])
  end
  if is_flawed then check_line(game, rule, cells, refuse) end
  return list
end

---@class Group                  of rules
---@field line integer           of its first rule
---@field rigid integer?         its number among the groups with a rigid rule, from 1
---@field loop integer?          the group that a loop goes back to, from 1
---@field rules RuleOfText[]
---@field words integer[][]      by rule

--- Returns the groups of early or of late rules.
---@param list RuleOfText[]
---@return Group[]
local function groups_of(game, list, late, source)
  local groups = {}
  for _, rule in ipairs(list) do
    if rule.late == late then
      local group = groups[#groups]
      if not group or group.line ~= rule.group then
        group = { line = rule.group, rules = {}, words = {} }
        table.insert(groups, group)
      end
      table.insert(group.rules, rule)
      table.insert(group.words, words_of(game, rule, function(message) parser.refuse(source, rule.line, message) end))
      game.commands = game.commands | rule.commands
    end
  end
  return groups
end

--- Sets `loop` of the last group of each loop to the number of its first.
---@param groups Group[]
local function set_loops(groups, loops)
  for i = 1, #loops, 2 do
    local first, last
    for number, group in ipairs(groups) do
      local line = group.rules[1].line
      if loops[i][1] <= line and line <= loops[i + 1][1] then first, last = first or number, group end
    end
    if last then last.loop = first end
  end
end

local function check_loops(loops, source)
  for i, loop in ipairs(loops) do
    if i % 2 == 1 and loop[2] == -1 then parser.refuse(source, loop[1], "Found an ENDLOOP, but I'm not in a loop?") end
    if i % 2 == 0 and loop[2] == 1 then
      parser.refuse(source, loop[1], "Found a STARTLOOP, but I'm already inside a loop? (Puzzlescript can't nest loops, FWIW).")
    end
  end
  if #loops % 2 == 1 then
    parser.refuse(source, loops[#loops][1], "Yo I found a STARTLOOP without a corresponding ENDLOOP.")
  end
end

---@param groups Group[]
local function append_groups(list, groups)
  list[#list + 1] = #groups
  for _, group in ipairs(groups) do append(list, { group.rigid or 0, group.loop or 0, #group.words, table.unpack(group.words) }) end
end

local function condition_of(game, line, source)
  local quantifier, first, on, second, more = line.text:match "^%s*(%S+)%s+(%S+)%s*(%S*)%s*(%S*)%s*(.*)$"
  local function refuse(message) parser.refuse(source, line.line, message) end
  local number = words.quantifiers[quantifier or ""]
  if not number then
    refuse(("Expecting the start of a win condition (\"ALL\",\"SOME\",\"NO\") but got \"%s\"."):format(
      (quantifier or line.text):upper()))
  end
  if on ~= "" and on ~= "on" then refuse(("Expecting the word \"ON\" but got \"%s\"."):format(on:upper())) end
  if more ~= "" then refuse(("Error in win condition: I don't know what to do with %s."):format(more:upper())) end
  for _, name in ipairs(on == "" and { first } or { first, second }) do
    if not source.names[name] then
      refuse(("Error in win condition: \"%s\" is not a valid object name."):format(name:upper()))
    end
  end
  local every = empty(game.object_words)
  for i = 0, game.object_count - 1 do add_object(every, i) end
  return { number, game.aggregates[first] and 1 or 0, game.aggregates[second] and 1 or 0, set_of(game, first),
    on == "" and every or set_of(game, second) }
end

local flags = { { "require_player_movement", 2 }, { "run_rules_on_level_start", 4 }, { "norestart", 8 }, { "noundo", 16 } }

--- Numbers the groups with a rigid rule from 1.
---@param groups Group[]
local function number_rigid_groups(groups, source)
  local count = 0
  for _, group in ipairs(groups) do
    local is_rigid = false
    for _, rule in ipairs(group.rules) do is_rigid = is_rigid or rule.rigid end
    if is_rigid then
      count = count + 1
      group.rigid = count
      if count > max_rigid_groups then
        parser.refuse(source, group.line, "There can't be more than 30 rigid groups (rule groups containing rigid members).")
      end
    end
  end
end

--- Compiles the program of a game.
---@param source Source
---@param game table          the PuzzleScript of compiler.lua, with the names resolved
---@param list RuleOfText[]
---@param loops integer[][]
---@return string words   8 bytes each
function program.of(source, game, list, loops)
  game.commands, game.cells, game.numbers_of_cells, game.flaws = 0, {}, {}, {}
  game.sides, game.side_count, game.sides_of_cells = { 0 }, 1, {} -- side 0 has no pairs
  game.names, game.name_count, game.numbers_of_names, game.conditions = {}, 0, {}, {}
  local early, late = groups_of(game, list, false, source), groups_of(game, list, true, source)
  check_loops(loops, source)
  number_rigid_groups(early, source)
  set_loops(early, loops)
  set_loops(late, loops)
  local all_flags = game.aggregates.player and 1 or 0
  for _, row in ipairs(flags) do all_flags = all_flags | (source.prelude[row[1]] and row[2] or 0) end
  local result = { game.object_count, #source.layers, all_flags }
  for i = 0, game.object_count - 1 do table.insert(result, game.objects[game.object_names[i]].layer) end
  append(result, { set_of(game, "player"), #source.conditions })
  for i, line in ipairs(source.conditions) do
    game.conditions[i] = condition_of(game, line, source)
    append(result, game.conditions[i])
  end
  append(result, { game.name_count, game.names, game.side_count, game.sides, #game.cells // 3, game.cells })
  append_groups(result, early)
  append_groups(result, late)
  return packed(result)
end

return program
