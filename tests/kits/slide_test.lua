-- Tests of crux.kits.slide: against published figures of Klotski, and games that are declared by a few fields, counted by hand.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local function declared(fields)
  return game.load(shell.file("slide.lua", ('return crux.kits.slide { name = "slide", %s }'):format(fields)))
end

local function level_of(self, text) return self:level(levels.split(text, "level.txt", self.files)[1]) end

--- The solution of a level in one line; "" if it has none.
local function solved(fields, text)
  local self = declared(fields .. ", measures = {}")
  return self:solution(level_of(self, text), {}).text or ""
end

local Slide = {}

--- Klotski has 25,955 states in which pieces of one shape are not told apart, and takes 116 slides by a single square: figures
--- that many programs have found (the puzzle Huarong Dao or L'âne rouge, solved in 81 moves if a move may turn corners).
function Slide.test_klotski()
  local self = declared [[place = { 2, 4 }, twins = true, single = true, measures = { { "moves", moves = true },
    { "space", kind = "dynamic", doc = "states", function(_, solution) return solution.variants.space.states end } }]]
  local row, solution = self:measure(level_of(self, "BAAC\nBAAC\nDEEF\nDGHF\nI..J\n"), self:choose(), {})
  luaunit.assertEquals({ row, solution.untraced }, { { moves = 116, space = 25955 } })
end

--- By hand.
function Slide.test_fields()
  luaunit.assertEquals(solved("along = true", "AA..B\n....B\n"), "")
  luaunit.assertEquals(solved("along = true", "AA..B\n....B\n.....\n"), "BD1 AR3")
  luaunit.assertEquals(solved("along = true, single = true", "AA..B\n....B\n.....\n"), "AR1 AR1 BD1 AR1")
  luaunit.assertEquals(solved("exit = 'L'", ".AA\n.B.\n"), "AL1")
  luaunit.assertEquals(solved("exit = 'U', along = true", "BB.\nA..\nA..\n"), "BR1 AU1")
  luaunit.assertEquals(solved("exit = 'D', target = 'x', walls = '#'", "#xx\n..#\n...\n"), "")
  luaunit.assertEquals(solved("exit = 'D', target = 'x', walls = '#'", "xx#\n..#\n...\n"), "xD2")
  luaunit.assertEquals(solved("place = { 1, 2 }, empty = '_'", "_A\n__\n"), "AL1 AD1")
  luaunit.assertEquals(solved("exit = 'R'", "..A\n"), "")
end

--- Two squares in a ring of four: either is at any place with the other beside or across from it, 12 states; told apart by no
--- letter, 6. Where B and C pass each other, they change letters.
function Slide.test_alike()
  local fields = [[target = "A", %s measures = { { "space", kind = "dynamic", doc = "states",
    function(_, solution) return solution.variants.space.states end } }]]
  for alike, count in pairs { ["twins = true,"] = 6, [""] = 12 } do
    local self = declared(fields:format(alike))
    luaunit.assertEquals(self:measure(level_of(self, "BC#A.\n..###\n"), self:choose(), {}).space, 2 * count)
  end
end

--- That no solution of the variant is found is not told: the measures have their values.
function Slide.test_silent_about_the_variant()
  local path = shell.file("space.lua", [[return crux.kits.slide { name = "space", measures = { { "space", kind = "dynamic",
    doc = "states", function(_, solution) return solution.variants.space.states end } } }]])
  local result = shell.crux(("measure %s %s"):format(path, shell.file("space.txt", "A..\n")))
  luaunit.assertEquals({ result.out, result.err }, { "level,space\nspace,3\n", "" })
end

--- Every piece is drawn where it is, with its own letter; walls and free squares as the first character of their kind.
function Slide.test_drawn()
  local self = declared "measures = {}"
  local level = level_of(self, "oAx\n.A.\nBB.\n")
  luaunit.assertEquals(self:text(level), ".A#\n.A.\nBB.\n")
  local drawn = self:picture("one", level)
  luaunit.assertEquals({ drawn.width > 0, drawn.height > 0 }, { true, true })
  luaunit.assertEquals(self.pick(level, { at = level.at }, 1, 1), nil)
  luaunit.assertEquals(self.pick(level, { at = level.at }, 1, 3), { U = "BU1", L = "BL1", D = "BD1", R = "BR1" })
end

--- Changes keep letters apart, and now and then put, take and add a piece.
function Slide.test_varied()
  local self = declared [[along = true, measures = {}, generate = { line = 2, walks = 2, moves = 20, options = {
    { "side", 5, doc = "squares" }, { "cars", 4, length = 2, doc = "pieces" } } }]]
  local rng, counts = random.new(1), {}
  local level = self.generate(rng, { side = 5, cars = 4 })
  luaunit.assertEquals({ #level.pieces, level.width, level.height }, { 4, 5, 5 })
  for _ = 1, 100 do
    local other = self.vary(level, rng)
    if other then
      counts[#other.pieces - #level.pieces] = true
      luaunit.assertEquals(self:text(level_of(self, self:text(other))), self:text(other))
    end
  end
  luaunit.assertEquals(counts, { [-1] = true, [0] = true, [1] = true })
  luaunit.assertEquals({ self.generate(rng, { side = 2, cars = 9 }) }, { nil, "no room for the pieces" })
end

function Slide.test_wrong_declarations()
  for fields, message in pairs {
    ["exit = 'X'"] = "crux.kits.slide: field 'exit': found 'X', expected U, L, D or R",
    ["exits = 'R'"] = "crux.kits.slide: found the unknown field 'exits'; did you mean 'exit'?",
    ["target = 'x'"] = "crux.kits.slide: field 'target': found 'x', expected a letter that is neither free nor a wall",
    ["generate = { line = 1, walks = 1, moves = 1 }"] = "crux.kits.slide: generate: found no field 'options', expected a table",
    ["generate = { line = 1, walks = 1, moves = -1, options = {} }"] =
      "crux.kits.slide: field 'generate': found moves = -1, expected at least 1",
    ["generate = { line = 1, walks = 1, moves = 1, options = {} }"] =
      "crux.kits.slide: field 'generate': found no option with a length, expected one, for the target",
    ["place = { 1, 1 }, generate = { line = 1, walks = 1, moves = 1, options = {} }"] =
      "crux.kits.slide: field 'generate': found it beside 'place', expected an exit",
    ["along = 1"] = "crux.kits.slide: field 'along': found a number, expected a boolean",
  } do
    local ok, problem = pcall(declared, fields)
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, message)
  end
end

return { Slide = Slide }
