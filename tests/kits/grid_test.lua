-- Tests of crux.grid: games that are declared by a table. Expected values are counted by hand on the drawn levels.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local script = require "crux.script.script"
local shell = require "shell"

--- A game in which a man takes keys and goes to the exit; `more` are further fields, in Lua.
local function declaration(more)
  return ([[
local grid = crux.grid
return grid {
  name = "keys", files = { "keys", runs = true },
  tiles = { { " " }, { "#", "wall" }, { "@", "man" }, { "k", "key" }, { "O", "exit" }, { "+", "man", "exit" } },
  look = { { "wall", "wall" }, { "key", "yellow disc", sign = "k" }, { "exit", "blue square" }, { "man", "green dot" },
    path = "man" },
  check = { man = 1, exit = 1, key = { 0, 3 }, closed = "man" },
  notes = { steps = { 20, 1, 50 } },
  board = function(level) level.left_over = level.notes.steps end,
  moves = { "U", "L", "D", "R" },
  state = { "man", "key", left_over = crux.integer(0, 50) },
  step = function(now, move, level)
    local ahead = now.man:shift(move) & level.floor
    now.man = crux.where(crux.any(ahead), ahead, now.man)
    now.key, now.left_over = now.key - now.man, crux.max(now.left_over - 1, 0)
  end,
  won = function(now, level) return crux.none(now.key) & grid.within(now.man, level.exit) end,
  lost = function(now) return crux.none(now.left_over) end,
  status = function(now) return ("%%d steps left"):format(now.left_over) end,
  capitals = "key",
  measures = { { "keys", count = "key" }, { "walls", count = "wall" }, { "floor", count = "floor" }, { "size", size = true },
    { "moves", moves = true }, { "taken", changes = "key" } },
  %s
}]]):format(more or "")
end

local function load(more) return game.load(shell.file("keys.lua", declaration(more))) end

local function level_of(self, text) return self:level(levels.split(text, "level.keys", self.files)[1]) end

local drawn = [[
########
#  ######
##@k #
 ##O##
  ###
]]

local Grid = {}

function Grid.test_measures()
  local self = load()
  local row, solution = self:measure(level_of(self, drawn), self:choose(), {})
  luaunit.assertEquals(row, { keys = 1, walls = 25, floor = 6, size = 45, moves = 2, taken = 1 })
  luaunit.assertEquals(solution.text, "Rd")
end

--- The boards of a level are those of the rectangle around its floor, columns 2 to 5 of rows 2 to 4.
function Grid.test_cropped()
  local level = level_of(load(), drawn)
  luaunit.assertEquals({ level.width, level.height, level.left, level.top }, { 4, 3, 2, 2 })
  luaunit.assertEquals({ level.man:first() }, { 2, 2, 6 })
  luaunit.assertEquals({ level.exit:first() }, { 3, 3, 11 })
end

function Grid.test_text()
  local self = load()
  luaunit.assertEquals(self:text(level_of(self, drawn)), drawn)
  local noted = "; steps: 7\n" .. drawn
  luaunit.assertEquals(self:text(level_of(self, noted)), noted)
  luaunit.assertEquals(self:text(level_of(self, "4#|#@O#|4#\n")), "####\n#@O#\n####\n")
end

--- A state is drawn on the whole level, with the line of its status.
function Grid.test_states_are_drawn()
  local self = load()
  local level = level_of(self, drawn)
  local solution = self:solution(level, { way = true })
  luaunit.assertEquals(self:drawing(level, nil, solution.way[2]), (drawn:gsub("@k", " @")) .. "19 steps left\n")
  luaunit.assertEquals(self:drawing(level, nil, solution.way[3]), (drawn:gsub("@k", "  "):gsub("O", "+")) .. "18 steps left\n")
end

--- Without enough steps the level is lost.
function Grid.test_lost()
  local self = load()
  luaunit.assertEquals(self:solution(level_of(self, "; steps: 2\n" .. drawn), {}).status, "solved")
  luaunit.assertEquals(self:solution(level_of(self, "; steps: 1\n" .. drawn), {}).status, "unsolvable")
end

--- Fields that no level tells start at false and at the least integer, also where a function gives their kind.
function Grid.test_first_values()
  local self = load [[state = { "man", "key", awake = crux.flag, left_over = crux.integer(1, 50),
    turns = function(level) return crux.integer(2, level.width) end }, board = function() end]]
  local level = level_of(self, drawn)
  local start = self.search.start(level)
  luaunit.assertEquals({ start.awake, start.left_over, start.turns }, { false, 1, 2 })
end

function Grid.test_bad_levels()
  local self = load()
  for _, case in ipairs {
    { "###\n#O#\n###\n", "1: found no man, expected '@' or '+'" },
    { "#####\n#+ @#\n#####\n", "2: column 4: found a second man, expected one" },
    { "########\n#@Okkkk#\n########\n", "2: column 7: found 4 keys, expected 0 to 3" },
    { "####\n#@O\n####\n", "2: column 4: found an opening, expected walls all around the man" },
    { "4#|#@2O#|4#\n", "1: column 6: found a second exit, expected one" },
    { "####\n#@x#\n####\n", "2: column 3: found 'x', expected one of ' ' # @ k O +" },
    { "; steps: many\n####\n#@O#\n####\n", "2: steps: found 'many', expected an integer from 1 to 50" },
    { "; steps: 0\n####\n#@O#\n####\n", "2: steps: found '0', expected an integer from 1 to 50" },
  } do
    local ok, problem = pcall(level_of, self, case[1])
    luaunit.assertFalse(ok, case[1])
    luaunit.assertEquals(problem.message, "level.keys:" .. case[2])
  end
end

--- A check that is a function tells the place in the level's own squares; the message has that of the drawing.
function Grid.test_own_checks()
  local self = load [[
    check = { man = 1, closed = "man", function(level)
      if #level.key > 0 then return "a key", "none", level.key:first() end
    end },]]
  local ok, problem = pcall(level_of, self, drawn)
  luaunit.assertFalse(ok)
  luaunit.assertEquals(problem.message, "level.keys:3: column 4: found a key, expected none")
end

--- One thing is on another square, or there is a wall more or less; and the level is right.
function Grid.test_variations()
  local self, rng, different = load(), random.new(5), 0
  local level = level_of(self, drawn)
  for _ = 1, 200 do
    local varied = self.vary(level, rng)
    if varied then
      local changed = {}
      for _, kind in ipairs { "wall", "man", "key", "exit" } do
        local gone, come = #(level.drawn[kind] - varied.drawn[kind]), #(varied.drawn[kind] - level.drawn[kind])
        if gone + come > 0 then table.insert(changed, kind) end
        luaunit.assertTrue(gone <= 1 and come <= 1 and (kind == "wall" or gone == come), kind)
      end
      luaunit.assertTrue(#changed <= 1, table.concat(changed, " "))
      different = different + #changed
      luaunit.assertEquals(self:text(level_of(self, self:text(varied))), self:text(varied))
    end
  end
  luaunit.assertTrue(different > 20, different)
end

function Grid.test_colours()
  luaunit.assertEquals(load().colours, { ["#"] = "blue", ["@"] = "green", k = "yellow", O = "blue", ["+"] = "green" })
end

function Grid.test_picture()
  local self = load()
  local level = level_of(self, drawn)
  local _, content = self:picture("a", level, self:solution(level, { way = true }))
  luaunit.assertEquals(select(2, content:gsub("<text", "")), 1)
  luaunit.assertStrContains(content, "ink-bright-blue\" d=\"M84 84L116 84L116 116M") -- from the man by the key to the exit
end

--- Levels that `level` makes are as they are; a walk back changes those of `solved`.
function Grid.test_generated()
  local path = shell.file("made.lua", declaration [[
  generate = {
    options = { { "keys", { 1, 3 } } },
    level = function(random, options)
      local room, wall = grid.room(random, 5, 4, 0)
      local man = grid.some(random, room, 1)
      local exit = grid.some(random, room - man, 1)
      return { wall = wall, man = man, exit = exit, key = grid.some(random, room - man - exit, options.keys) }
    end,
  },]])
  local self = game.load(path)
  local made = shell.printed(("generate %s --count 5 --like keys=2"):format(path))
  local list = levels.split(made, "made.keys", self.files)
  luaunit.assertEquals(#list, 5)
  for _, entry in ipairs(list) do
    local row = self:measure(self:level(entry), self:choose { "keys", "walls", "size" }, {})
    luaunit.assertEquals(row, { keys = 2, walls = 22, size = 42 })
  end
end

--- An option gets what is wanted of the measure that its row names, and tells how many of a tile are put on free squares.
function Grid.test_options_of_measures()
  local path = shell.file("counted.lua", declaration [[
  generate = {
    options = { { "side", 5, square = "size" }, { "blocks", 0, tile = "#", measure = "walls" }, { "keys", 1, tile = "k" } },
    level = function(_, options)
      local side = options.side
      return { man = crux.cells(side, side, { { 1, 1 } }), exit = crux.cells(side, side, { { side, side } }) }
    end,
  },
  check = {},]])
  local self = game.load(path)
  local rng, options = random.new(5), self.options_for { size = 16, walls = 3, keys = 2 }
  for _ = 1, 20 do
    local row = self:measure(self.generate(rng, options), self:choose { "keys", "walls", "size" }, {})
    luaunit.assertEquals(row, { keys = 2, walls = 3, size = 16 })
  end
  for _, case in ipairs { { "--like size=15", "a size of 15 is no square" }, { "--side 2 --keys 3", "2 x 2 tiles are too few" } } do
    local result = shell.crux(("generate %s --attempts 1 %s"):format(path, case[1]))
    luaunit.assertStrContains(result.err, case[2])
  end
  luaunit.assertEquals(self.options_for({ size = 9, keys = 1.5 }), { side = 3 })
end

--- A game in which a man and a dog that goes its own way have numbers of squares, and keys have bits; boxes and holes have
--- colours.
local dogs = [[
local grid = crux.grid
return grid {
  name = "dogs",
  tiles = { { "." }, { "#", "wall" }, { "@", "man" }, { "+", "man", "gate" }, { "D", "dog" }, { "k", "key" }, { "O", "gate" } },
  look = { { "wall", "wall" }, { "key", "yellow dot" }, { "gate", "blue ring", sign = "O" }, { "man", "green disc" },
    { "dog", "red disc" }, lines = true, moves = true, path = "man" },
  check = { man = 1, gate = 1 },
  notes = { steps = { 20, 1, "most" }, most = { 20, 1, 50 } },
  board = function(level)
    level.things = grid.things(level, { "wall", "gate", "key" })
    level.to_gate = grid.distances(level, level.gate, level.floor, 1)
  end,
  moves = { "U", "L", "D", "R", "." },
  state = { man = "square", dog = "squares", key = "bits", steps = crux.integer(0, 50), is_late = crux.flag },
  step = function(now, move, level)
    local to = grid.ahead(level, now.man, move)
    now.man = crux.where(crux.any(crux.lookup(level.things, to) & 1), now.man, to)
    now.key = now.key & ~(crux.lookup(level.things, now.man) >> 2)
    for i = 1, #level.squares.dog do
      local ahead = grid.ahead(level, now.dog[i], "L")
      now.dog[i] = crux.where(crux.any(crux.lookup(level.things, ahead) & 1), now.dog[i], ahead)
    end
    now.steps, now.is_late = crux.max(now.steps - 1, 0), crux.none(now.steps)
    return crux.none(now.key) & crux.any(crux.lookup(level.things, now.man) & 2), grid.has(now.dog, now.man) | now.is_late
  end,
  heuristic = function(now, level) return crux.lookup(level.to_gate, now.man) - 1 end,
  variants = { no_dog = { "dog" }, nothing = { "dog", "key" }, short = function() return {}, { steps = 1 } end },
  measures = { { "moves", moves = true },
    { "further", variants = true, doc = "moves more than without %s",
      function(_, solution, other) return solution.length - other.length end },
    { "length", variants = true, moves = true },
    { "common", variant = "nothing", doc = "common", function(_, solution, other) return grid.overlap(solution, other, "man") end },
    { "near", mean = function(level, now) return (grid.place(level, now.man)) end }, { "share", share = { "key", "dog" } },
    { "things", count = { "key", "dog" } }, { "keys", share = "key" } },
  generate = { options = { { "columns", 5 }, { "rows", { 2, 3 } }, { "keys", 1, tile = "k", share = "share" } },
    level = function(_, options, nothing)
      return { man = nothing:with(1, 1), gate = nothing:with(options.columns, 1) }
    end },
}]]

local kennel = "@.O.D\nk....\n"

--- By hand: the man goes down to the key, and on beside the dog's way; without the key he would go straight to the right.
function Grid.test_numbers_of_squares()
  local self = game.load(shell.file("dogs.lua", dogs))
  local level = self:level(levels.split(kennel, "level.txt", self.files)[1])
  luaunit.assertEquals({ level.squares, level.bits }, { { man = { 33 }, dog = { 37 }, key = { 65 } }, { key = 4 } })
  local names = { "moves", "further_no_dog", "further_nothing", "further_short", "length_nothing", "common", "near", "share", "things", "keys" }
  local row, solution = self:measure(level, self:choose(names), { way = true })
  luaunit.assertEquals({ row.moves, row.further_no_dog, row.further_nothing, row.further_short }, { 4, 0, 2, nil })
  luaunit.assertEquals({ solution.text, row.length_nothing, solution.untraced }, { "DRRU", 2 })
  luaunit.assertEquals({ row.common, row.near, row.share }, { 2 / 6, (1 + 1 + 2 + 3 + 3) / 5, 0.2 })
  luaunit.assertEquals({ row.things, row.keys, self.measures.things.doc }, { 2, 0.1, "squares with key or dog" })
  luaunit.assertEquals(self.measures.further_no_dog.doc, "moves more than without dogs")
  luaunit.assertEquals(self.measures.further_nothing.doc, "moves more than without dogs and keys")
  luaunit.assertEquals(self.measures.further_short.doc, "moves more than without short")
  -- the dog hides the man, who has no tile with it, and both tiles of man and gate are drawn
  local drawings = {}
  for i, now in ipairs(solution.way) do drawings[i] = self:drawing(level, nil, now) end
  luaunit.assertEquals(drawings, { kennel, "..OD.\n@....\n", "..D..\n.@...\n", ".DO..\n..@..\n", "D.+..\n.....\n" })
  luaunit.assertEquals(self:drawing(level, nil, { man = 33, dog = { 33 }, key = 1, steps = 1, is_late = false }), "D.O..\nk....\n")
end

--- The greatest value of a note is that of another one.
function Grid.test_notes_of_notes()
  local self = game.load(shell.file("dogs.lua", dogs))
  for notes, problem in pairs { ["; steps: 21\n"] = "steps: found '21', expected an integer from 1 to 20",
    ["; most: 9\n"] = "steps: found 20, expected an integer from 1 to 9",
    ["; most: x\n"] = "most: found 'x', expected an integer from 1 to 50", ["; most: 30\n; steps: 30\n"] = false } do
    local ok, found = pcall(level_of, self, notes .. kennel)
    luaunit.assertEquals(not ok and found.message:match ": (.*)", problem)
  end
end

--- A share that is wanted is a number of tiles of the smallest board; the script gets an empty board.
function Grid.test_options_of_shares()
  local self = game.load(shell.file("dogs.lua", dogs))
  local function meets(_, value) return math.abs(value - 0.2) < 0.05 end
  luaunit.assertEquals(self.options_for({ share = 0.2 }, meets), { keys = 2, columns = 5, rows = 2 })
  luaunit.assertEquals({ self.options_for({ share = 0.3 }, meets) }, { nil, "no number of tiles of 5 x 2 is a share of 0.3" })
  local _, reason = self.generate(random.new(1), { columns = 65, rows = 2, keys = 1 })
  luaunit.assertEquals(reason, "65 x 2 is no size of a level")
end

--- Arrows of the moves are below the board, and the sign of a ring is in a corner if something is on the ring.
function Grid.test_picture_of_moves()
  local self = game.load(shell.file("dogs.lua", dogs))
  local level = self:level(levels.split(kennel, "level.txt", self.files)[1])
  local solution = self:solution(level, { way = true })
  local _, plain = self:picture("a", level, solution)
  luaunit.assertEquals(select(2, plain:gsub('class="stroke ink%-bright%-white"', "")), 4)
  luaunit.assertStrContains(plain, 'font-size="12.8"')
  luaunit.assertStrContains(self:painting(level, nil, solution.way[5]).content, 'font-size="9.6"')
end

--- Colours are those of letters, and a level has the list of a thing's boards for the colours that are there.
function Grid.test_coloured()
  local path = shell.file("coloured.lua", [[
    local grid = crux.grid
    return grid {
      name = "coloured", coloured = { "box", "hole" },
      tiles = { { "." }, { "a", "box" }, { "A", "hole" }, { "aA", "box", "hole" }, separated = true, expected = "a letter" },
      look = { { "hole", "colour ring", sign = true, size = 0.5 }, { "box", "bright colour disc", sign = true } },
      check = { box = { 1, 3 } },
      moves = { "L", "R" }, state = { "box" },
      step = function(now, move)
        for i = 1, #now.box do now.box[i] = now.box[i]:shift(move, 1, true) end
      end,
      won = function(now, level) return grid.within(now.box, level.hole) end,
      measures = { { "boxes", count = "box" }, { "moves", moves = true } },
    }]])
  local self = game.load(path)
  local level = level_of(self, "bC . B\nC . .\n. c .\n")
  luaunit.assertEquals({ level.colours, #level.box, #level.hole[2], level.c == level.box[2] }, { { 2, 3 }, 2, 2, true })
  local row, solution = self:measure(level, self:choose(), {})
  luaunit.assertEquals({ row, solution.status }, { { boxes = 2 }, "unsolvable" })
  level = level_of(self, ". b B\n. c C\n")
  row, solution = self:measure(level, self:choose(), { way = true })
  luaunit.assertEquals({ row.moves, solution.text }, { 1, "R" })
  luaunit.assertEquals(self:drawing(level, nil, solution.way[2]), ".  .  bB\n.  .  cC\n")
  luaunit.assertStrContains(self:painting(level).content, '<circle class="stroke ink-green" cx="84" cy="20" r="8"') -- half of a square of 32
  luaunit.assertEquals({ self.colours.a, self.colours.A, self.colours.h }, { "bright red", "red", "bright green" })
  luaunit.assertEquals(self.alike[3], "cC")
end

--- A step may use crux.grid on levels that share a program, as no script can change it.
function Grid.test_no_script_changes_the_functions()
  local path = shell.file("changes.lua", [[
    local grid, found = crux.grid, {}
    local function try(f, ...) found[#found + 1] = select(2, pcall(f, ...)) end
    try(function() grid.back = {} end)
    try(function() grid.back.U = "L" end)
    try(rawset, grid, "union", print)
    try(table.insert, grid, 1)
    local game = crux.game "changes"
    local back = {}
    for move, other in pairs(grid.back) do back[move] = other end
    game.found = { found[1], found[2], found[3], found[4], back }
    return game]])
  luaunit.assertEquals(script.load("game", path).found, {
    path .. ":3: found an assignment to a field of crux.grid, expected none",
    path .. ":4: found an assignment to a field of crux.grid.back, expected none",
    "found a table that is protected, expected one of the script's",
    "found an assignment to a field of crux.grid, expected none", { U = "D", D = "U", L = "R", R = "L" } })
end

function Grid.test_wrong_declarations()
  for _, case in ipairs {
    { "return crux.grid(1)", "crux.grid: found 1, expected a table of fields" },
    { "return crux.grid { tile = {} }", "crux.grid: found the unknown field 'tile'; did you mean 'tiles'?" },
    { "return crux.grid { name = 'a', tiles = {}, moves = {}, state = {}, step = 1 }",
      "crux.grid: field 'step': found a number, expected a function" },
    { "return crux.grid { name = 'a', tiles = {}, moves = {}, state = {} }",
      "crux.grid: found no field 'step', expected a function" },
    { declaration "state = { 'box' }, ",
      "crux.grid: state: found the unknown thing 'box'; there are: wall, man, key, exit; a number is declared as box = crux.integer(LEAST, MOST)" },
    { declaration "check = { box = 1 }, ", "crux.grid: check: found the unknown thing 'box'; there are: wall, man, key, exit" },
    { declaration "look = { { 'box', 'red' } }, ",
      "crux.grid: look: found the unknown thing 'box'; there are: wall, man, key, exit" },
    { declaration "pushing = { man = 'man', boxes = 'key' }, ",
      "crux.grid: pushing: found no field 'goals', expected a string" },
    { declaration "pushing = { man = 'man', boxes = 'key', goals = 'goal' }, ",
      "crux.grid: pushing: found the unknown thing 'goal'; there are: wall, man, key, exit" },
    { declaration "generate = { options = { { 'a', 1, measure = 'wall' } }, level = print }, ",
      "generate: option 'a': found the unknown measure 'wall'; did you mean 'walls'?" },
    { declaration "generate = { options = { { 'a', 1, tile = 'x' } }, level = print }, ",
      "generate: option 'a': found the unknown tile 'x'; there are:  , #, @, k, O, +" },
    { declaration "measures = { { 'a', change = 'key' } }, ",
      "measure 'a': found the unknown field 'change'; did you mean 'changes'?" },
    { declaration "measures = { { 'a', doc = 'b' } }, ",
      "measure 'a': found no function, expected one, or one of the fields changes, count, mean, moves, share, size" },
    { declaration "measures = { { 'a', variant = 'b', changes = 'key' } }, ",
      "measure 'a': found a sum over states, expected none with a variant" },
    { declaration "coloured = { 'man' }, ",
      "tiles: found '@', expected a letter for each of one or two coloured things" },
    { declaration "measures = { 1 }, ", 'measures: found 1, expected a row { "NAME", count = "THING" }' },
  } do
    local path = shell.file("wrong.lua", case[1])
    local ok, problem = pcall(game.load, path)
    luaunit.assertFalse(ok, case[1])
    luaunit.assertEquals(problem.message, ("%s: %s"):format(path, case[2]))
  end
end

return { Grid = Grid }
