--- Reads the lines of rules.
---
--- A cell is a list { direction, name, direction, name ... }; no direction is "", and a gap has "..." as direction or name.
local lists = require "crux.base.lists"
local lpeg = require "lpeg"
local parser = require "crux.puzzlescript.parser"
local words = require "crux.puzzlescript.words"

local rules = {}

---@class RuleOfText
---@field line integer
---@field group integer       line of the first rule of its group
---@field directions string[]
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
          if words.relative[cell[i]] then return true end
        end
      end
    end
  end
  return false
end

---@class RuleReader
---@field refuse fun(message: string)
---@field remark fun(message: string)
---@field leave_out fun(message: string)   makes a remark, and ends the line, which the original leaves out
---@field rule RuleOfText
---@field depth integer      "[" without their "]"
---@field is_inside boolean  a row is open
---@field row string[][]     the row in work
---@field cell string[]
---@field cells table<string, string[]>   of all rules, by text: equal cells are one table
---@field side "left"|"right"

--- Handlers of the tokens of cells, by token.
local of_cells = {}

of_cells["["] = function(reader)
  reader.depth = reader.depth + 1
  if reader.depth > 1 then
    reader.remark("Multiple opening brackets without closing brackets.  Something fishy here.  Every '[' has to be closed by a "
      .. "']', and you can't nest them.")
  end
  if #reader.cell > 0 then
    reader.refuse 'Error, malformed cell rule - encountered a "["" before previous bracket was closed'
  end
  reader.is_inside = true
end

local function end_cell(reader)
  if #reader.cell % 2 == 1 then
    reader.refuse "In a rule, if you specify a movement, it has to act on an object."
  end
  local text = table.concat(reader.cell, " ")
  reader.cells[text] = reader.cells[text] or reader.cell
  table.insert(reader.row, reader.cells[text])
  reader.cell = {}
end

of_cells["|"] = function(reader)
  if not reader.is_inside then
    return reader.remark 'Janky syntax.  "|" should only be used inside cell rows (the square brackety bits).'
  end
  end_cell(reader)
end

of_cells["]"] = function(reader)
  reader.depth = reader.depth - 1
  if reader.depth < 0 then
    return reader.leave_out("Multiple closing brackets without corresponding opening brackets.  Something fishy here.  Every "
      .. "'[' has to be closed by a ']', and you can't nest them.")
  end
  end_cell(reader)
  table.insert(reader.rule[reader.side], reader.row)
  reader.row, reader.is_inside = {}, false
end

of_cells["->"] = function(reader)
  if reader.is_inside then
    return reader.remark("Encountered an unexpected \"->\" inside square brackets.  It's used to separate states, it has no "
      .. "place inside them >:| .")
  end
  if reader.side == "right" then
    return reader.leave_out("Error, you can only use \"->\" once in a rule; it's used to separate before and after states.")
  end
  reader.side = "right"
end

of_cells["..."] = function(reader)
  if not reader.is_inside then
    return reader.remark "Invalid syntax, ellipses should only be used within cells (square brackets)."
  end
  table.insert(reader.cell, "...")
  table.insert(reader.cell, "...")
end

local function take_direction(reader, word)
  if not reader.is_inside then return reader.remark "Invalid syntax. Directions should be placed at the start of a rule." end
  if #reader.cell % 2 == 1 then
    reader.refuse "Error, an item can only have one direction/action at a time, but you're looking for several at once!"
  end
  if reader.rule.late and word ~= "no" and word ~= "random" and word ~= "randomdir" then
    reader.refuse "Movements cannot appear in late rules."
  end
  table.insert(reader.cell, word)
end

local function take_name(reader, word)
  if not reader.is_inside then
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

local misplaced = "Commands should only appear at the end of rules, not in or before the pattern-detection/-replacement "
  .. "sections."

local function take_command(reader, word)
  if reader.side == "left" then
    reader.refuse(misplaced)
  elseif reader.is_inside then
    reader.remark(misplaced)
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
        .. "appear as rule modifiers on the same line).")
    end
    rule[word] = true
  elseif words.directions[word] then
    table.move(words.directions[word], 1, #words.directions[word], #rule.directions + 1, rule.directions)
  elseif words.absolute[word] then
    table.insert(rule.directions, word)
  elseif words.relative[word] then
    reader.refuse("You cannot use relative directions (\"^v<>\") to indicate in which direction(s) a rule applies.  Use "
      .. "absolute directions indicators (Up, Down, Left, Right, Horizontal, or Vertical, for instance), or, if you want the "
      .. "rule to apply in all four directions, do not specify directions")
  else
    reader.refuse(("The start of a rule must consist of some number of directions (possibly 0), before the first bracket, "
      .. "specifying in what directions to look (with no direction specified, it applies in all four directions).  It seems "
      .. "you've just entered \"%s\"."):format(word:upper()))
  end
end

local function check_sides(reader)
  local left, right = reader.rule.left, reader.rule.right
  if reader.is_inside then reader.remark "A bracket '[' is opened, and not closed: what follows it is left out." end
  if #left == 0 then reader.refuse "This rule refers to nothing.  What the heck? :O" end
  if #left ~= #right and (#right > 0 or reader.rule.commands == 0) then
    local tell = #right > 0 and reader.refuse or reader.remark -- the original fails, or plays a rule that changes nothing
    tell("Error, when specifying a rule, the number of matches (square bracketed bits) on the left hand side of the arrow must "
      .. "equal the number on the right")
  end
  for i, row in ipairs(right) do
    if #row ~= #left[i] then
      reader.refuse("In a rule, each pattern to match on the left must have a corresponding pattern on the right of equal "
        .. "length (number of cells).")
    end
  end
  if reader.rule.late and reader.rule.rigid then
    reader.refuse("Late rules cannot be marked as rigid (rigid rules are all about dealing with the consequences of "
      .. "unresolvable movements, and late rules can't even have movements).")
  end
end

--- Reads a rule from a line.
---@param previous RuleOfText?
---@return RuleOfText?   nil if the original leaves the line out
local function read(line, source, previous, cells, refuse)
  local rule = { line = line.line, group = line.line, directions = {}, left = {}, right = {}, late = false, rigid = false,
    random = false, commands = 0 }
  local reader = { rule = rule, refuse = refuse, depth = 0, is_inside = false, row = {}, cell = {}, cells = cells,
    side = "left" }
  function reader.remark(message) parser.remark(source, line.line, message) end
  local begun, is_left_out = false, false
  function reader.leave_out(message)
    is_left_out = true
    parser.leave_out(source, line.line, message)
  end
  local list = tokens_of:match(line.text)
  if not lists.contains(list, "->") then
    refuse("A rule has to have an arrow in it.  There's no arrow here! Consider reading up about rules - you're clearly "
      .. "doing something weird")
  end
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
    if is_left_out then return nil end
  end
  check_sides(reader)
  if #rule.directions == 0 then rule.directions = words.directions.orthogonal end
  if not is_directional(rule) then rule.directions = { rule.directions[1] } end
  return rule
end

local loops = { startloop = 1, endloop = -1 }

--- Returns the rules of a game, and its loops: { line, 1 at a start or -1 at an end }.
---@return RuleOfText[], integer[][]
function rules.of(source)
  local read_rules, found_loops, cells = {}, {}, {}
  local function refuser(line) return function(message) parser.refuse(source, line, message) end end
  for _, line in ipairs(source.rules) do
    local loop = loops[line.text:match "^%s*(%a+)%s*$"]
    if loop then
      table.insert(found_loops, { line.line, loop })
    else
      table.insert(read_rules, read(line, source, read_rules[#read_rules], cells, refuser(line.line))) -- or nothing: nil
    end
  end
  return read_rules, found_loops
end

return rules
