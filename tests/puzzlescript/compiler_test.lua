--- Compiles games of PuzzleScript; checks the messages for games that do not compile.
local compiler = require "crux.puzzlescript.compiler"
local games = require "puzzlescript_games"
local levels = require "crux.puzzlescript.levels"
local listing = require "crux.puzzlescript.listing"
local luaunit = require "luaunit"
local puzzlescript = require "libcrux.puzzlescript"

local Compiler = {}

local function compile(text) return compiler.compile(text, "game.txt") end

--- Returns the message for the game with one text replaced by another.
local function problem(from, to)
  local text = games.pushing():gsub(from:gsub("%p", "%%%0"), (to:gsub("%%", "%%%%")), 1)
  local ok, fault = pcall(compile, text)
  return not ok and fault.message or "nothing"
end

function Compiler.test_rules_are_those_of_the_documentation()
  luaunit.assertEquals(compile(games.pushing()).rule_count, 4) -- from `debug` in the prelude, in the original engine
  luaunit.assertEquals(compile(games.pushing { rules = "[ Crate ] -> [ ]" }).rule_count, 1) -- the direction does not matter
  luaunit.assertEquals(compile(games.pushing { rules = "[ moving Player | Crate ] -> [ moving Player | moving Crate ]" }).rule_count, 20)
  luaunit.assertEquals(compile(games.pushing { rules = "late [ Crate | Crate ] -> [ | ]" }).rule_count, 2) -- up equals down, left equals right
end

--- Texts of cells without words begin where the next text does, and still differ from it.
function Compiler.test_what_rules_may_change()
  for rules, names in pairs { ["[ ] -> [ Target ]"] = { "player", "target" }, ["[ > Player | Crate ] -> [ > Player | ]"] = {
    "crate", "player" }, ["[ Crate ] -> [ Crate ]"] = { "player" } } do
    local game = compile(games.pushing { rules = rules })
    luaunit.assertEquals(listing.names(game, game.changing), names, rules)
  end
end

function Compiler.test_levels()
  local game = compile(games.pushing { levels = "( a comment\n over lines )\nmessage One\n\n#P\n*\n\n\nMESSAGE Two (of two)" })
  local level = levels.of(game, 1)
  luaunit.assertEquals({ game.levels[1].message, game.levels[3].message, level.width, level.height }, { "One", "Two (of two)", 2, 2 })
  -- a row that is too short is filled with its last character
  luaunit.assertEquals(listing.of(game, level, level.cells), "background wall:0,background crate:1,\nbackground player:2,1,\n")
end

function Compiler.test_mistakes_are_told_with_their_line()
  for _, case in ipairs {
    { "Crate and Target", "Crate and Goal", "game.txt:20: You're talking about GOAL but it's not defined anywhere." },
    { "@ = Crate and", "@ is Crate and", 'game.txt:20: Incorrect format of legend - should be one of "A = B", '
      .. '"A = B or C [ or D ...]", "A = B and C [ and D ...]".' },
    { "SOUNDS\n", "", 'game.txt:22: section "COLLISIONLAYERS" is out of order, must follow  "SOUNDS" (or it could be that the section '
      .. '"SOUNDS"is just missing totally.  You have to include all section headings, even if the section itself is empty).' },
    { "Player, Crate, Wall", "Player, Crate", 'game.txt:13: Object "WALL" has been defined, but not assigned to a layer.' },
    { "[ > Player | Crate ]", "[ > Player | Box ]", 'game.txt:29: Name "box", referred to in a rule, does not exist.' },
    { "[ > Player | > Crate ]", "[ > Player ]", "game.txt:29: In a rule, each pattern to match on the left must have a corresponding "
      .. "pattern on the right of equal length (number of cells)." },
    { "[ > Player | Crate ] ->", "late [ > Player | Crate ] ->", "game.txt:29: Movements cannot appear in late rules." },
    { "[ > Player | Crate ]", "[ > Player ] [ Crate ]", "game.txt:29: Error, when specifying a rule, the number of matches "
      .. "(square bracketed bits) on the left hand side of the arrow must equal the number on the right" },
    { "[ > Player | Crate ]", "[ > Player [ Crate ]", "game.txt:29: Error, malformed cell rule - encountered a \"[\"\" before "
      .. "previous bracket was closed" },
    { "[ > Player | Crate ] ->", "moving [ > Player | Crate ] ->", "game.txt:29: The start of a rule must consist of some number of "
      .. "directions (possibly 0), before the first bracket, specifying in what directions to look (with no direction specified, it "
      .. "applies in all four directions).  It seems you've just entered \"MOVING\"." }, -- by fuzzing
    { "all Target", "every Target", 'game.txt:31: Expecting the start of a win condition ("ALL","SOME","NO") but got "EVERY".' },
    { "#.....#", "\181\181", 'game.txt:37: Error, symbol "\\xb5\\xb5", used in map, not found.' }, -- invalid UTF-8; by fuzzing
    { "#P.*.O#", "#PX*.O#", 'game.txt:36: Error, symbol "x", used in map, not found.' },
  } do
    luaunit.assertEquals(problem(case[1], case[2]), case[3])
  end
end

--- Mistakes that show when a line is expanded, in C; the first line with one is told, be it late or not.
function Compiler.test_mistakes_of_expanded_rules()
  local many = "[" .. (" Thing |"):rep(18) .. " Thing ]" -- 2^19 rules
  for _, case in ipairs {
    { "[ Target ] -> [ moving Target ]", 'This rule has an ambiguous movement on the right-hand side, "moving", ' },
    { "[ Target ] -> [ parallel Target ]", 'This rule has an ambiguous movement on the right-hand side, "vertical", ' },
    { "[ Player | ] -> [ Player | Crate Wall ]", 'Rule matches object types that can\'t overlap: "WALL" and "CRATE".' },
    { many .. " -> " .. many, "This rule stands for more than 262144 rules in one direction." },
    { "late [ Player | ] -> [ Player | Crate Wall ]\n[ Target ] -> [ moving Target ]", "Rule matches object types" },
  } do
    local text = games.pushing { rules = case[1] }:gsub("SOUNDS", "Thing = Crate or Target\nSolid = Crate or Wall\nSOUNDS")
    local ok, fault = pcall(compile, text)
    luaunit.assertFalse(ok)
    luaunit.assertEquals(fault.message:sub(1, 13 + #case[2]), "game.txt:31: " .. case[2])
  end
end

--- Faults that do not stop the original engine become remarks, not errors.
function Compiler.test_remarks()
  for _, case in ipairs {
    { "title", "titel", 1, "Unrecognised stuff in the prelude." },
    { "\nwhite", "\nwhite whit", 8, 'Was looking for color for object PLAYER, got "whit" instead.' },
    { "\nwhite", "\n", 7, 'color not specified for object "player".' },
    { "\nwhite", "\nred red red red red red red red red red red", 8,
      "a sprite cannot have more than 10 colors.  Why you would want more than 10 is beyond me." },
    { "\nwhite", "\nwhite\n00000\n0...0", 7, "Sprite graphics must be 5 wide and 5 high exactly." },
    { "\nwhite", "\nwhite\n00000\n00000\n0...00\n00000\n00000", 7, "Sprite graphics must be 5 wide and 5 high exactly." },
    { "@ = Crate", "P = Crate", 20, 'Name "P" already in use (on line 7).' },
    { "[ > Player | Crate ] ->", "[ > Player | Crate ] Wall ->", 29, "Invalid token WALL. Object names should only be used within "
      .. "cells (square brackets)." },
    { "[ > Player | Crate ] ->", "[ > Player | Crate ] right ->", 29, "Invalid syntax. Directions should be placed at the start of "
      .. "a rule." },
  } do
    local game = compile((games.pushing():gsub(case[1]:gsub("%p", "%%%0"), (case[2]:gsub("%%", "%%%%")), 1)))
    luaunit.assertEquals(game.source.remarks, { { line = case[3], message = case[4] } })
    luaunit.assertEquals(game.rule_count, 4)
  end
end

--- The original skips closing brackets behind a section's name with a warning; what else stands there is an error, behind them, too.
--- By hand from src/js/parser.js of github.com/increpare/PuzzleScript.
function Compiler.test_closing_brackets_behind_a_section()
  local warning = "You're trying to close a comment here, but I can't find any opening bracket to match it? [This is highly "
    .. "suspicious; you probably want to fix it.]"
  for _, case in ipairs { { "RULES", "RULES )", 28 }, { "LEVELS", "LEVELS) ) (a)", 32 } } do
    local game = compile((games.pushing():gsub(case[1], case[2], 1)))
    luaunit.assertEquals(game.source.remarks, { { line = case[3], message = warning } })
    luaunit.assertEquals(game.rule_count, 4)
  end
  luaunit.assertEquals(problem("RULES", "RULES ) x"), 'game.txt:28: Only comments should go after a section name ("RULES") on a line.')
end

--- Lines that the original plays with a warning, or leaves out: then the others are played. By hand from src/js/parser.js and
--- compiler.js of github.com/increpare/PuzzleScript.
function Compiler.test_lines_of_rules_that_the_original_plays_or_leaves_out()
  local mismatch = "Error, when specifying a rule, the number of matches (square bracketed bits) on the left hand side of the "
    .. "arrow must equal the number on the right"
  local nested = "Multiple opening brackets without closing brackets.  Something fishy here.  Every '[' has to be closed by a "
    .. "']', and you can't nest them."
  local misplaced = "Commands should only appear at the end of rules, not in or before the pattern-detection/-replacement sections."
  local open = "A bracket '[' is opened, and not closed: what follows it is left out."
  local without = "  The line is left out."
  local push = "[ > Player | Crate ] -> [ > Player | > Crate ]"
  for line, expected in pairs {
    -- the line, the rules that it stands for, remarks
    ["[ Crate ] ->"] = { 1, mismatch },
    ["[ Crate ] -> [ Target"] = { 1, open, mismatch },
    ["[ Crate ] -> [ Target win"] = { 1, misplaced, open },
    ["[ Crate ] -> [ Target win ]"] = { 1, misplaced },
    ["[ Target | [ Crate ] -> [ Target | ]"] = { 4, nested, nested },
    ["[ Crate ] [ | -> ] -> [ Crate ] [ | ]"] = { 2, "Encountered an unexpected \"->\" inside square brackets.  It's used to "
      .. "separate states, it has no place inside them >:| ." },
    ["[ Crate ] ] -> [ Crate ]"] = { 0, "Multiple closing brackets without corresponding opening brackets.  Something fishy "
      .. "here.  Every '[' has to be closed by a ']', and you can't nest them." .. without },
    ["[ Crate ] -> [ ] -> [ Crate ]"] = { 0, "Error, you can only use \"->\" once in a rule; it's used to separate before and "
      .. "after states." .. without },
    ["[ Player Crate ] -> [ ]"] = { 0, "CRATE and PLAYER can never overlap, but this rule requires that to happen, so it's "
      .. "being culled." .. without },
    ["[ Player | ] -> [ Player | Solid ]"] = { 0, "This rule has a property on the right-hand side, \"SOLID\", that can't be "
      .. "inferred from the left-hand side.  (either for every property on the right there has to be a corresponding one on the "
      .. "left in the same cell, OR, if there's a single occurrence of a particular property name on the left, all properties "
      .. "of the same name on the right are assumed to be the same)." .. without },
    ["[ Crate no Crate ] -> [ ]"] = { 0, "You cannot specify the same object more than once in a single cell (in this case "
      .. "crate occurs multiple times).", "This rule has something amounting to \"CRATE NO CRATE\" on the left-hand-side, "
      .. "which can never match, so the rule is getting removed during compilation." .. without },
  } do
    local text = games.pushing { rules = line .. "\n" .. push }:gsub("SOUNDS", "Solid = Crate or Wall\nSOUNDS")
    local game = compile(text)
    local said = {}
    for i, remark in ipairs(game.source.remarks) do
      luaunit.assertEquals(remark.line, 30, line)
      said[i] = remark.message
    end
    luaunit.assertEquals({ game.rule_count - 4, table.unpack(said) }, expected, line)
  end
end

--- A line that is left out does not command: a game whose only checkpoint is in one is solved.
function Compiler.test_lines_that_are_left_out_give_no_command()
  luaunit.assertEquals(compile(games.pushing { rules = "[ Player Crate ] -> checkpoint\n[ Crate ] -> cancel" }).commands, 1)
end

--- Words that are cut short or changed at any place are refused.
function Compiler.test_words_that_are_no_program_are_refused()
  local words = compile(games.pushing()).words
  luaunit.assertNotNil(puzzlescript.new(words))
  for bytes = 0, #words - 8, 8 do luaunit.assertNil((puzzlescript.new(words:sub(1, bytes)))) end
  luaunit.assertNil((puzzlescript.new(words .. ("\0"):rep(8))))
  for at = 1, #words, 8 do puzzlescript.new(words:sub(1, at - 1) .. ("\255"):rep(8) .. words:sub(at + 8)) end
end

return { Compiler = Compiler }
