-- Tests of crux.kits.deduce: games that are declared by a table. Expected values are by hand on squares of 4 x 4 cells.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local random = require "libcrux.random"
local shell = require "shell"

--- Latin squares of four digits with boxes; `more` are further fields, in Lua.
local function declaration(more)
  return ([[
return crux.kits.deduce {
  name = "squares",
  tiles = { { "." }, { "1", "1" }, { "2", "2" }, { "3", "3" }, { "4", "4" } },
  values = { "1", "2", "3", "4" },
  columns = 4,
  units = { row = { 4, 1 }, column = { 1, 4 }, box = { 2, 2 } },
  frame = "box",
  techniques = { { "last_cell", grade = 1, last = true }, { "hidden_single", grade = 2, hidden = 1 },
    { "naked_single", grade = 4, naked = 1 }, { "naked_pair", grade = 10, naked = 2, late = true } },
  guess = 20,
  measures = { { "steps", deduced = true }, { "hardest", deduced = true }, { "grades", deduced = true },
    { "effort", deduced = true }, { "open", deduced = true }, { "fewest", deduced = true }, { "narrow", deduced = true },
    { "guesses", deduced = true }, { "unique", deduced = true }, { "naked", uses = "naked_single", doc = "naked singles" } },
  generate = {
    options = { { "hardest", 2, doc = "grade" }, { "givens", 0, doc = "the fewest givens" } },
    solved = function(random)
      local rows, planes = { { 1, 2, 3, 4 }, { 3, 4, 1, 2 }, { 2, 1, 4, 3 }, { 4, 3, 2, 1 } }, {}
      local digits = random:shuffle { "1", "2", "3", "4" }
      for _, digit in ipairs(digits) do planes[digit] = crux.cells(4, 4) end
      for y, row in ipairs(rows) do
        for x, digit in ipairs(row) do planes[digits[digit] ] = planes[digits[digit] ]:with(x, y) end
      end
      return planes
    end,
  },
  %s
}]]):format(more or "")
end

local function load(more) return game.load(shell.file("squares.lua", declaration(more))) end

local function level_of(self, text) return self:level(levels.split(text, "level.txt", self.files)[1]) end

local Deduce = {}

--- The measures of a level, without those of all games.
local function measured(self, text)
  local row = self:measure(level_of(self, text), self.measures, {})
  for name in pairs(row) do row[name] = not name:find "^tile" and row[name] or nil end
  return row
end

--- Each open cell is the last of its row. With two, both deductions are open at first: 2/16 of the cells at a rate of 2, then 1/16
--- at a rate of 1.
function Deduce.test_last_cells()
  luaunit.assertEquals(measured(load(), "1234\n3412\n2143\n432.\n"), { steps = 1, hardest = 1, grades = 1, effort = 1 / 16,
    open = 1, fewest = 1, narrow = 1, guesses = 0, unique = 1, naked = 0 })
  luaunit.assertEquals(measured(load(), ".234341221434321"), { steps = 1, hardest = 1, grades = 1, effort = 1 / 16,
    open = 1, fewest = 1, narrow = 1, guesses = 0, unique = 1, naked = 0 })
  luaunit.assertEquals(measured(load(), ".234\n3412\n2143\n432.\n"), { steps = 2, hardest = 1, grades = 2, effort = 2 / 16,
    open = 1.5, fewest = 1, narrow = 1, guesses = 0, unique = 1, naked = 0 })
end

--- Where no technique finds anything the value of the first solution is guessed.
function Deduce.test_guesses()
  local self = load()
  local row = measured(self, "..34\n..12\n2143\n4321\n")
  luaunit.assertEquals({ row.unique, row.guesses, row.hardest }, { 1, 0, 2 }) -- no unit has one cell left
  row = measured(self, "..34\n3412\n..43\n4321\n")
  luaunit.assertEquals({ row.unique, row.guesses, row.hardest, row.steps, row.grades }, { 0, 1, 20, 4, 23 })
  luaunit.assertEquals({ row.open, row.fewest, row.narrow }, { (0 + 3 + 2 + 1) / 4, 0, 1 }) -- two last cells and a hidden single
end

--- Techniques of the script's own: 2,1 and 3,2 are beside the b, and 1,1 is over the a; when both are known to be a, 1,1 and 3,1
--- are over an a, which is one deduction.
function Deduce.test_own_technique()
  local self = game.load(shell.file("own.lua", [[
return crux.kits.deduce { name = "own", tiles = { { "." }, { "a", "a" }, { "b", "b" } }, values = { "a", "b" },
  techniques = { { "beside", grade = 3, removes = "b", find = function(now)
    return (now.b - now.open):neighbours() & now.open
  end }, { "over", grade = 5, find = function(now)
    local over = (now.a - now.open):shift "U" & now.open
    return crux.any(over) and { { a = over } } or {}
  end } },
  measures = { { "grades", deduced = true }, { "hardest", deduced = true }, { "open", deduced = true } } }]]))
  luaunit.assertEquals(measured(self, "...\nab.\n"), { grades = 3 + 3 + 5, hardest = 5, open = (3 + 2 + 1) / 3 })
end

--- The exact cover and the branching by techniques count alike.
function Deduce.test_solutions()
  long.leave_out()
  local rng, cover, branch = random.new(2), load(), load "won = function() return true end,"
  local seen = {}
  for _ = 1, 200 do
    local cells = {}
    for i = 1, 16 do cells[i] = rng:chance(0.3) and tostring(rng:integer(1, 4)) or "." end
    local text = table.concat(cells)
    local a = cover:solution(level_of(cover, text), { count = true })
    local b = branch:solution(level_of(branch, text), { count = true })
    luaunit.assertEquals({ a.status, a.solutions }, { b.status, b.solutions }, text)
    seen[math.min(a.solutions, 3)] = true
  end
  luaunit.assertEquals({ seen[0], seen[1], seen[2] or seen[3] }, { true, true, true })
  local none = cover:solution(level_of(cover, "11.............."), {})
  luaunit.assertEquals(none.status, "unsolvable")
end

function Deduce.test_limits()
  local self = load "won = function() return true end,"
  luaunit.assertEquals(self:solution(level_of(self, ("."):rep(16)), { states = 2 }).limit, "states")
  local cover = load()
  luaunit.assertEquals(cover:solution(level_of(cover, ("."):rep(16)), { states = 2 }).limit, "states")
end

--- It is not known if a level has one solution when a limit is met after the first.
function Deduce.test_limit_leaves_it_open()
  local self, met = load "won = function() return true end,", 0
  for states = 1, 30 do
    local solution = self:solution(level_of(self, ("."):rep(16)), { states = states })
    if solution.status == "solved" and solution.limit then
      met = met + 1
      luaunit.assertEquals({ solution.limit, solution.solutions, solution.unique }, { "states" })
    end
  end
  luaunit.assertTrue(met > 0)
end

--- Deductions that take nothing away are left out, or the steps would not end.
function Deduce.test_idle_technique()
  local self = game.load(shell.file("idle.lua", [[
return crux.kits.deduce { name = "idle", tiles = { { "." }, { "a", "a" }, { "b", "b" } }, values = { "a", "b" },
  techniques = { { "idle", grade = 3, find = function(now, level) return { { a = level.b }, {} } end } },
  won = function(now) return #now.a == 1 end, measures = { { "guesses", deduced = true } } }]]))
  luaunit.assertEquals(measured(self, "a.\n..\n"), { guesses = 3 })
end

--- A technique that takes a solution's value away is told.
function Deduce.test_wrong_technique()
  local text = declaration():gsub("naked = 1 }", 'find = function(now) return { { ["1"] = now["1"] & now.open } } end }')
  local self = game.load(shell.file("wrong.lua", text))
  local level = level_of(self, "..34\n3412\n..43\n4321\n")
  local ok, problem = pcall(self.measure, self, level, self.measures, {})
  luaunit.assertFalse(ok)
  luaunit.assertStrContains(problem.message, "technique 'naked_single': takes '1' from column 1, row 1, which has it in a solution")
end

function Deduce.test_declared_techniques()
  for _, case in ipairs {
    { '{ "last_cell", grade = 1, last = true }', '{ "last_cell", grade = 1 }',
      "technique 'last_cell': found none, expected one of find, last, naked, hidden, fish, colours" },
    { '"last_cell", grade = 1', '"last_cell", grade = 0', "technique 'last_cell': found grade = 0, expected a number above 0" },
    { '"last_cell", grade = 1', '"last_cell", grade = 3',
      "technique 'hidden_single': found a lower grade than that before it, expected the order of grades" },
    { "hidden = 1 }", 'hidden = 1, units = "line" }',
      "technique 'hidden_single': found no units of line, expected a group of units" },
    { "hidden = 1 }", 'hidden = 1, naked = 1 }', "technique 'hidden_single': found naked and hidden, expected one of find" },
    { 'frame = "box"', 'frame = "bax"', "frame: found the unknown group 'bax'; did you mean 'box'?" },
  } do
    local text = declaration():gsub(case[1]:gsub("%p", "%%%0"), case[2])
    local ok, problem = pcall(game.load, shell.file("wrong.lua", text))
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, case[3])
  end
end

function Deduce.test_text_and_drawing()
  local self = load()
  local level = level_of(self, "12343412........")
  luaunit.assertEquals(self:text(level), "1234\n3412\n....\n....\n")
  luaunit.assertEquals(self:drawing(level), "1 2 │ 3 4\n3 4 │ 1 2\n────┼────\n. . │ . .\n. . │ . .\n")
  luaunit.assertEquals(self:solution(level_of(self, ".234341221434321"), {}).text, "1234 3412 2143 4321")
end

function Deduce.test_wrong_levels()
  local self = load()
  for _, case in ipairs { { "1234\n34x2\n", "level.txt:2: column 3: found 'x', expected one of . 1 2 3 4" },
    { "12343412......x.", "level.txt:1: column 15: found 'x', expected one of . 1 2 3 4" } } do
    local ok, problem = pcall(level_of, self, case[1])
    luaunit.assertFalse(ok)
    luaunit.assertEquals(problem.message, case[2])
  end
end

function Deduce.test_wrong_declarations()
  for _, case in ipairs { { "unit = {},", "crux.kits.deduce: found the unknown field 'unit'; did you mean 'units'?" },
    { "board = 3,", "crux.kits.deduce: field 'board': found a number, expected a function" } } do
    local ok, problem = pcall(load, case[1])
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, case[2])
  end
  for _, case in ipairs { { 'values = { "1", "2", "3", "4" }', 'values = { "1", "2", "3", "5" }', "values: found the unknown thing '5'" },
    { 'values = { "1", "2", "3", "4" },', "", "found no field 'values', expected a table" },
    { '"steps", deduced', '"step", deduced', "found the unknown measure 'step'" } } do
    local text = declaration():gsub(case[1]:gsub("%p", "%%%0"), case[2])
    local ok, problem = pcall(game.load, shell.file("wrong.lua", text))
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, case[3])
  end
end

--- A generated level has one solution, and needs the technique that was asked for; a variation has the same solution.
function Deduce.test_generated()
  long.leave_out()
  local self, made = load(), 0
  for seed = 1, 20 do
    for _, hardest in ipairs { 1, 2, 4 } do
      local level = self.generate(random.new(seed), { hardest = hardest, givens = 0 })
      if level then
        made = made + 1
        local row, solution = self:measure(level, self:choose { "unique", "hardest" }, {})
        luaunit.assertEquals(row, { unique = 1, hardest = hardest })
        local other = self.vary(level, random.new(seed + 100), { hardest = hardest, givens = 0 })
        if other then luaunit.assertEquals(self:solution(other, {}).text, solution.text) end
      end
    end
  end
  luaunit.assertTrue(made >= 20)
  luaunit.assertEquals({ self.generate(random.new(1), { hardest = 3 }) }, { nil, "no technique has the grade 3" })
end

--- Filling and clearing cells; a hint takes wrong values away, then fills what follows next.
function Deduce.test_play()
  local self = load()
  local rules = play.rules(self)
  local level = level_of(self, "..34341221434321")
  local session, position = { level = level }, rules.start(level)
  luaunit.assertNil(rules.step(position, "left", level))
  position = rules.step(position, "2", level)
  luaunit.assertEquals(rules.draw(position, level):match "^[^\n]+", "2 . │ 3 4")
  luaunit.assertEquals({ rules.cursor(rules.step(position, "right", level), level) }, { 3, 1 })
  luaunit.assertFalse(rules.done(position, level))
  position = rules.hint(position, session)
  luaunit.assertStrContains(rules.draw(position, level), "2 left, 1 wrong taken away")
  position = rules.hint(position, session)
  luaunit.assertStrContains(rules.draw(position, level), "1 left, last cell")
  position = rules.hint(position, session)
  luaunit.assertTrue(rules.done(position, level))
  luaunit.assertNil(rules.step({ x = 3, y = 1, filled = position.filled, note = "" }, "1", level))
  luaunit.assertFalse(rules.done(rules.step(position, "space", level), level))
end

return { Deduce = Deduce }
