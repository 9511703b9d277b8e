--- crux check names mistakes planted in what crux ships, with their lines, and is silent on what crux ships.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- A mistake: the file, a piece of its text, what takes its place, and what is said of the line on which the piece begins: the
--- message, or its beginning before "...". `line` is where else the message points: at the first line that holds this text.
--- `beside` are further words of the command line.
---@type { [1]: string, [2]: string, [3]: string, [4]: string, line: string?, beside: string? }[]
local mistakes = {
  -- game scripts: fields
  { "tests/support/plain_game.lua", "function game.vary(", "function game.very(", "found the unknown field 'very'; did you mean 'vary'?" },
  { "games/move.lua", "informed = false,", "informd = false,", "crux.grid: found the unknown field 'informd'; did you mean 'informed'?" },
  { "games/move.lua", 'optional = true, doc = "different', 'optinal = true, doc = "different',
    "measure 'directions': found the unknown field 'optinal'; did you mean 'optional'?" },
  { "games/move.lua", '{ "colours", kind = "initial"', '{ "colours", kind = "inital"',
    "measure 'colours': found kind = 'inital', expected kind = 'initial', 'solution' or 'dynamic'" },
  { "games/move.lua", '{ "rocks", count', '{ "balls", count',
    "measure 'balls': found it a second time, expected different names" },
  { "games/move.lua", "    solved = function(random", "    sloved = function(random",
    "crux.grid: generate: found the unknown field 'sloved'; did you mean 'solved'?" },
  { "games/flow.lua", "  requires = { solutions = 1 }", "  requires = { solution = 1 }",
    "found the unknown measure 'solution'; did you mean 'solutions'?" },
  { "games/sokoban.lua", 'doc = "squares across', 'dock = "squares across',
    "option: found the unknown field 'dock'; did you mean 'doc'?" },
  { "games/sprinkfield.lua", 'blocked = "rocks"', 'blocked = "rock"',
    "crux.kits.exact_cover: blocked: found the unknown thing 'rock'; did you mean 'rocks'?" },
  { "games/dungeongrams.lua", 'moves = { "."', 'moves = { "U"', "search.moves: found 'U' twice, expected different names" },
  { "games/sokoban.lua", 'colour = "bright yellow"', 'colour = "light yellow"', "colours['*']: found 'light yellow', expected one of ...",
    line = '{ "*", "box"' },
  { "games/move.lua", "{ 3, 5 }, square", "{ 5, 3 }, square",
    "field 'options': found something else, expected rows { \"name\", a number or { least, greatest }, doc = ... }",
    line = "options = {" },
  { "games/trainyard.lua", "game.options = {", "game.pens = { { 'one' } }\ngame.options = {",
    "field 'pens': found something else, expected rows { \"sign\", doc = ..., function(level, x, y) ... end }" },
  { "games/sokoban.lua", "return grid.within(now.box, level.goal)", "return tostring(now.box) == tostring(level.goal)",
    "warning: levels are searched slowly, in Lua: ..." },
  { "games/sokoban.lua", "return grid.within(now.box, level.goal)", "return now.box == 3 or grid.within(now.box, level.goal)",
    "warning: levels are searched slowly, in Lua: column 45: found a comparison of a board with a number, which are never equal, ..." },
  { "games/sokoban.lua", "return grid.within(now.box, level.goal)", "return #(now.box & level.goal)", "won: found ..." },
  { "games/sokoban.lua", "function(now, move, level) now.man,", "function(now, move, level) last = move now.man,",
    "warning: levels are searched slowly, in Lua: column 37: found a write to the global 'last', expected step to change nothing "
    .. "but the state; is 'local' missing?" },
  { "games/sokoban.lua", 'state = { "man"', 'state = { last = {}, "man"',
    "crux.grid: state: field 'last': found a table, expected crux.flag, ..." },
  { "games/sokoban.lua", 'state = { "man", "box"', 'state = { "man", "bax"',
    "crux.grid: state: found the unknown thing 'bax'; did you mean 'box'?; ..." },
  { "games/sokoban.lua", '{ "box", "yellow square" }', '{ "box", "brown square" }', "look: 'box': found 'brown square', expected a colour ..." },
  { "games/sokoban.lua", '{ "box", "yellow square" }', '{ "box", "yellow disk" }', "look: 'box': found 'yellow disk', expected a colour ..." },
  { "games/sokoban.lua", '{ "box", "yellow square" }', '{ "box", "bright wall" }', "look: 'box': found 'bright wall', expected a colour ..." },
  { "games/sokoban.lua", 'path = "man"', 'pth = "man"', "look: found the unknown field 'pth'; did you mean 'path'?" },
  { "games/dungeongrams.lua", 'sign = "^"', 'sgin = "^"',
    "look: 'spike': found the unknown field 'sgin'; did you mean 'sign'?" },
  { "games/dungeongrams.lua", 'tap = "."', 'tap = "!"', "field 'tap': found the unknown move '!'; there are: ., U, L, D, R" },
  { "games/dungeongrams.lua", "level = function(level)", "levels = function(level)",
    "path: found the unknown field 'levels'; did you mean 'level'?" },
  { "games/move.lua", '{ "rocks", 0.3, doc = "probability of a rock on a square without a goal" }', '"rocks"',
    'crux.grid: generate: field \'options\': found \'rocks\', expected a row { "name", a number or { least, greatest } }',
    line = "options = {" },
  { "games/sprinkfield.lua", "generate = {", "generate = { moves = 3,",
    "crux.kits.exact_cover: generate: found the unknown field 'moves'; there are: options" },
  { "games/akari.lua", "dig = {", "digs = {", "crux.kits.deduce: generate: found the unknown field 'digs'; did you mean 'dig'?" },
  { "games/trainyard.lua", "game.options = {", "game.pens = { { 'one', function() end, doc = 'one', atonce = true } }\ngame.options = {",
    "pen: found the unknown field 'atonce'; did you mean 'at_once'?" },
  { "games/sokoban.lua", '{ "boxes", count = "box"', '{ "boxes", count = "bax"', "found the unknown thing 'bax'; did you mean 'box'?" },
  { "games/sokoban.lua", '{ "moves", moves = true', '{ "moves", changes = "bax"',
    "crux.grid: measure 'moves': changes: found the unknown field 'bax'; did you mean 'box'?" },
  -- game scripts: Lua
  { "tests/support/plain_game.lua", "if #level.player ~= 1 then", "if #level.player ~= 1", "'then' expected near 'crux'" },
  { "games/sprinkfield.lua", "sum / #level.usable", "sum / #level.usabel", "attempt to get length of a nil value (field 'usabel')" },
  { "tests/support/plain_game.lua", "if #level.player ~= 1 then", "if #level.players ~= 1 then",
    "attempt to get length of a nil value (field 'players'), at <generated>:1" },
  { "tests/support/plain_game.lua", "\nreturn game", "\nlocal found", "found a script that returns nothing, expected ..." },
  -- game scripts: what the functions do
  { "games/move.lua", "farthest, steps)", "farthest, steps + 1)", "heuristic: found ...", line = "heuristic = function" },
  { "games/move.lua", "    local balls = now.ball\n    local all = grid.union(balls)\n    local moving",
    "    local balls = now.ball\n    turn = (turn or 0) + 1\n    if turn % 7 == 0 then return false end\n"
    .. "    local all = grid.union(balls)\n    local moving", "step with move '...", line = "step = function",
    beside = "datasets/levels/move/1.txt" },
  { "games/move.lua", "function(level) return #level.colours end }", "function(level) return tostring(#level.colours) end }",
    "measure 'colours': found '..." },
  { "tests/support/plain_game.lua", "function game.format(level) return ", 'function game.format(level) return "?" .. ',
    "format: parse refuses what it writes of generated level 1: column 1: found ...", line = "function game.format" },
  { "games/sokoban.lua", "solved = function(random, options)", "solved = function(random, options) options.boxes = 1000",
    "generate: found no level in 3 tries (no room for the boxes), expected one", line = "generate = {" },
  { "tests/support/plain_game.lua", "level.rocks:without(x, y) or level.rocks:with(x, y)", "nil or level.player",
    "vary: found a level that cannot be read again: ...", line = "function game.vary" },
  { "tests/support/plain_game.lua", "function game.format(level) return", "function game.format(level) local text =",
    "format: found nil, expected text" },
  -- rules
  { "rules/flow.lua", "  predicts =", "  predict =", "found the unknown field 'predict'; did you mean 'predicts'?" },
  { "rules/flow.lua", "size + colours + distance", "size + colors + distance",
    "coefficients: found none for the term 'colors', expected a number", line = "coefficients = {" },
  { "examples/my-rule.lua", "colours", "colors", "game 'flow': found the unknown measure 'colors'; did you mean 'colours'?" },
  { "rules/flow.lua", 'game = "flow"', 'game = "flwo"', "found the unknown game 'flwo'; did you mean 'flow'?" },
  { "rules/flow.lua", "size = 0.0874423311504239,", "sise = 0.0874423311504239,",
    "coefficients: found none for the term 'size', expected a number", line = "coefficients = {" },
  { "rules/sprinkfield-v2.lua", "level.corner_scarecrows", "level.corner_scarecrow",
    "game 'sprinkfield': found the unknown measure 'corner_scarecrow'; did you mean 'corner_scarecrows'?" },
  { "rules/sprinkfield-v2.lua", "p.length * length", "p.lenght * length", "found the unknown param 'lenght'; did you mean 'length'?" },
  { "rules/sprinkfield-v2.lua", "return sum *", "local rating = sum *", "formula: found nil, expected a number", line = "formula = function" },
  { "rules/move.lua", "scale = { 1, 10 }", "scale = { 10 }",
    "field 'scale': found something else, expected two different numbers, that of the easiest level first" },
  -- datasets
  { "datasets/flow.csv", "2,49,7,4.571", "2,49,7,1e999",
    "column 'distance': found '1e999', expected a number within the range of a double" },
  { "datasets/flow.csv", "2,49,7,4.571", '2,49,7,"4,571"', "column 'distance': found '4,571', expected a number; write 4571, or 4.571" },
  { "datasets/flow.csv", "24.5,7.17", "24.5 s,7.17",
    "column 'time': found '24.5 s', expected a number; write 24.5: the unit 's' belongs into the column's name" },
  { "datasets/flow.csv", "2.37,2.75", "23.7,2.75", "warning: column 'difficulty': found 23.7, expected a rating from 1 to 10, ..." },
  { "datasets/flow.csv", "2.37,2.75", "23.7,2.75", "column 'difficulty': found 23.7, expected a rating from 1 to 10",
    beside = "rules/flow.lua" },
  { "datasets/flow.csv", "2,49,", "1,49,", "column 'level': found '1' again, as on line 2, expected each level once" },
  { "datasets/flow.csv", "2,49,", "2,,", "warning: column 'size': a missing value; commands leave out such rows" },
  { "datasets/flow.csv", "difficulty", "dificulty", "warning: column 'dificulty': did you mean 'difficulty'?" },
  { "datasets/flow.csv", "distance", "distanse",
    "rules/flow.lua needs the measure 'distance', which is not among the columns; did you mean 'distanse'?", beside = "rules/flow.lua" },
  { "datasets/move.csv", "30.51", "-30.51", "column 'time': found -30.51, expected a number that is not negative" },
  { "datasets/lazors.csv", "level,size", "level;size", "found 15 fields, expected 14 as in the header", line = "1,9,9" },
  { "datasets/dungeongrams.csv", "6.166666666666667", "?",
    "column 'enjoyment': found '?', expected a number; write nothing, or NA, where a value is missing" },
  -- levels of every game
  { "flow", "C", "?", "column 4: found '?', expected a letter, a digit or '.'" },
  { "lazors", "A 7\n", "A 11C\n", "column 1: found 'A 11C', expected A and a number of blocks, at most 1024" },
  { "lazors", "A 7\n", "A 1025\n", "column 1: found 'A 1025', expected A and a number of blocks, at most 1024" },
  { "lazors", "GRID STOP", "GRID STPO", "column 1: found no GRID STOP, expected one after the grid", line = "GRID START" },
  { "move", "#", "b", "column 2: found 2 of ball 'b' and 1 of its goal, expected a goal for every ball" },
  { "sokoban", "$", " ", "column 3: found more goals than boxes, expected as many", line = "# .    #" },
  { "dungeongrams", "@", "-", "found no player, expected '@'" },
  { "sprinkfield", "....f", "....?", "column 5: found '?', expected one of . # d f ~ s p" },
}

local Check = {}

--- The text with the first of the pieces replaced.
local function planted(text, piece, other, what)
  local from, to = text:find(piece, 1, true)
  luaunit.assertNotNil(from, what)
  return text:sub(1, from - 1) .. other .. text:sub(to + 1)
end

--- The line on which a piece of a text begins.
local function line_of(text, piece) return 1 + select(2, text:sub(1, text:find(piece, 1, true)):gsub("\n", "")) end

function Check.test_pieces_stand_in_their_files()
  for _, mistake in ipairs(mistakes) do
    if mistake[1]:find "/" then planted(shell.read(mistake[1]), mistake[2], mistake[3], mistake[1] .. ": " .. mistake[2]) end
  end
end

for i = 1, #mistakes, long.choose(9, 1) do
  local mistake = mistakes[i]
  local path, piece, other, message = table.unpack(mistake)
  Check[("test_mistake_%02d"):format(i)] = function()
    shell.folder "mistakes"
    local is_game = not path:find "/"
    local text = is_game and shell.printed(("generate %s --seed 2"):format(path)) or shell.read(path)
    local place = shell.file("mistakes/" .. (is_game and path .. ".txt" or path:match "[^/]*$"), planted(text, piece, other, path))
    local result = shell.crux(("check %s %s"):format(place, mistake.beside or is_game and "--game " .. path or ""))
    local start, expected = ("%s:%d: "):format(place, line_of(text, mistake.line or piece)), message:gsub("%.%.%..*$", "")
    local found = false
    for said in result.err:gmatch "[^\n]+" do
      found = found or said == start .. message or expected ~= message and said:sub(1, #start + #expected) == start .. expected
    end
    luaunit.assertTrue(found, ("%s: %s\n%s%s"):format(path, other, start .. message, "\nfound\n" .. result.err))
    luaunit.assertEquals(result.status, message:find "^warning: " and 0 or 1)
  end
end

function Check.test_silent_on_what_is_shipped()
  long.leave_out()
  local result = shell.crux("check rules/ datasets examples " .. long.choose("", "games"))
  local unrated = "datasets/dungeongrams-authors.csv:2: warning: column '%s': a missing value, the first of 76; "
    .. "commands leave out such rows\n"
  luaunit.assertEquals(result.err, unrated:format "difficulty" .. unrated:format "enjoyment")
  luaunit.assertEquals(result.status, 0)
  for _, folder in ipairs(long.some(1, { "flow", "lazors", "move", "sokoban" })) do
    luaunit.assertEquals(shell.crux("check --strict datasets/levels/" .. folder).err, "")
  end
end

return { CheckMistakes = Check }
