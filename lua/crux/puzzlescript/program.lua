--- Compiles rules of single objects to the words of a program for C; src/puzzlescript/rewrite_program.h defines the format.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local parser = require "crux.puzzlescript.parser"
local puzzlescript = require "libcrux.puzzlescript"
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

--- Number of words that one call of string.pack gets.
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

--- Returns the number of a name, and adds a property or an aggregate to the list game.names.
local function number_of(game, name)
  local object = game.objects[game.synonyms[name] or name]
  if object then return object.number end
  local numbers = game.numbers_of_names
  if not numbers[name] then
    local all = game.aggregates[name] or game.properties[name]
    append(game.names, { game.aggregates[name] and 1 or 0, #all })
    for _, other in ipairs(all) do table.insert(game.names, game.objects[other].number) end
    game.name_count = game.name_count + 1
    numbers[name], game.names_of_numbers[game.name_count - 1] = game.name_count - 1, name
  end
  return numbers[name]
end

--- Returns the number of a cell as it is written, and adds it to the list game.texts.
---@param cell string[]
local function text_of(game, cell, refuse)
  if game.numbers_of_texts[cell] then return game.numbers_of_texts[cell] end
  local list = game.texts
  list[#list + 1] = #cell // 2
  for i = 1, #cell, 2 do
    local word, name = cell[i], cell[i + 1]
    if word == "no" and game.aggregates[name] then
      refuse(("You cannot use 'no' to exclude the aggregate object %s (defined using 'AND'), only regular objects, or "
        .. "properties (objects defined using 'OR').  If you want to do this, you'll have to write it out yourself the long "
        .. "way."):format(name:upper()))
    end
    list[#list + 1] = words.numbers[word]
    list[#list + 1] = word == "..." and 0 or number_of(game, name)
  end
  game.numbers_of_texts[cell], game.text_count = game.text_count, game.text_count + 1
  return game.numbers_of_texts[cell]
end

--- Checks the gaps of a row and the words of its left side.
---@param left string[][]    its cells
---@param right string[][]?
local function check_row(left, right, refuse)
  local gaps = 0
  for k, cell in ipairs(left) do
    local other = right and right[k]
    if #cell > 2 and lists.contains(cell, "...") then refuse "You can't have anything in with an ellipsis. Sorry." end
    if cell[1] == "..." then
      gaps = gaps + 1
      if k == 1 or k == #left then refuse "There's no point in putting an ellipsis at the very start or the end of a rule" end
      if gaps > max_gaps then refuse "You can't use more than two ellipses in a single cell match pattern." end
    end
    if cell[1] == "..." and other and (other[1] ~= "..." or #other > 2) then
      refuse "An ellipsis on the left must be matched by one in the corresponding place on the right."
    elseif cell[1] ~= "..." and other and lists.contains(other, "...") then
      refuse "An ellipsis on the right must be matched by one in the corresponding place on the left."
    end
    for i = 1, #cell, 2 do
      if cell[i] == "random" then refuse "RANDOM cannot be matched on the left-hand side, it can only appear on the right" end
    end
  end
end

--- The numbers of directions of rules.
local directions = { up = 0, down = 1, left = 2, right = 3 }

--- Returns the words of the rules of a line.
---@param rule RuleOfText
local function words_of(game, rule, refuse)
  local list = { rule.line, rule.late and 1 or 0, rule.random and 1 or 0, rule.rigid and 1 or 0, rule.commands,
    #rule.directions }
  for _, direction in ipairs(rule.directions) do list[#list + 1] = directions[direction] end
  list[#list + 1] = #rule.left
  for i, row in ipairs(rule.left) do
    check_row(row, rule.right[i], refuse)
    list[#list + 1] = #row
    for _, cell in ipairs(row) do list[#list + 1] = text_of(game, cell, refuse) end
  end
  list[#list + 1] = #rule.right > 0 and 1 or 0
  for _, row in ipairs(rule.right) do
    for _, cell in ipairs(row) do list[#list + 1] = text_of(game, cell, refuse) end
  end
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

local function append_groups(list, groups)
  list[#list + 1] = #groups
  for _, group in ipairs(groups) do
    append(list, { group.rigid or 0, group.loop or 0, #group.words })
    append(list, group.words)
  end
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

--- Messages of the mistakes that libcrux.puzzlescript finds in a line, of the names or the word that they are about.
local messages = {
  ["movement"] = function(_, word)
    return ("This rule has an ambiguous movement on the right-hand side, \"%s\", that can't be inferred from the left-hand "
      .. "side.  (either for every ambiguous movement associated to an entity on the right there has to be a corresponding "
      .. "one on the left attached to the same entity, OR, if there's a single occurrence of a particular ambiguous "
      .. "movement on the left, all properties of the same movement attached to the same object on the right are assumed "
      .. "to be the same (or something like that))."):format(words.of_numbers[word])
  end,
  ["property"] = function(name)
    return ("This rule has a property on the right-hand side, \"%s\", that can't be inferred from the left-hand side.  "
      .. "(either for every property on the right there has to be a corresponding one on the left in the same cell, OR, if "
      .. "there's a single occurrence of a particular property name on the left, all properties of the same name on the "
      .. "right are assumed to be the same)."):format(name)
  end,
  ["overlap"] = function(name, _, other)
    return ("Rule matches object types that can't overlap: \"%s\" and \"%s\"."):format(name, other)
  end,
  ["culled"] = function(name, _, other)
    return ("%s and %s can never overlap, but this rule requires that to happen, so it's being culled."):format(name, other)
  end,
  ["never"] = function(name)
    return ("This rule has something amounting to \"%s NO %s\" on the left-hand-side, which can never match, so the rule is "
      .. "getting removed during compilation."):format(name, name)
  end,
  ["too many"] = function() return "This rule stands for more than 262144 rules in one direction." end,
}

--- Mistakes for which the original leaves out the line and plays the game.
local left_out = { property = true, culled = true, never = true }

--- Makes the program of a game of its words. Returns nil and a line that is left out; refuses a line with another mistake.
---@return userdata?
---@return integer?
local function made(source, game, program_words)
  local handle, problem, line, one, other = puzzlescript.new(program_words)
  if handle then return handle end
  if not line then fault.raise(problem) end
  local function name(number) return (game.names_of_numbers[number] or game.object_names[number] or ""):upper() end
  local tell = left_out[problem] and parser.leave_out or parser.refuse
  tell(source, line, messages[problem](name(one), one, name(other)))
  return nil, line
end

--- Compiles the program of a game.
---@param game table          the PuzzleScript of compiler.lua, with the names resolved
---@param list RuleOfText[]
---@param loops integer[][]
---@return userdata
---@return string words       of which the program is made, 8 bytes each
function program.of(source, game, list, loops)
  game.commands, game.texts, game.text_count, game.numbers_of_texts, game.conditions = 0, {}, 0, {}, {}
  game.names, game.name_count, game.numbers_of_names, game.names_of_numbers = {}, game.object_count, {}, {}
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
  append(result, { game.name_count - game.object_count, game.names, game.text_count, game.texts })
  append_groups(result, early)
  append_groups(result, late)
  local program_words = packed(result)
  local handle, line = made(source, game, program_words)
  if handle then return handle, program_words end
  return program.of(source, game, lists.select(list, function(rule) return rule.line ~= line end), loops)
end

return program
