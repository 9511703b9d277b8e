--- The parts of orders, by hand: equal levels, distances, the choice of unlike levels, and samples.
local choice = require "crux.order.choice"
local distance = require "crux.order.distance"
local games = require "crux.game.game"
local luaunit = require "luaunit"
local range = require "crux.base.range"
local sampling = require "crux.order.sampling"
local slots = require "crux.order.slots"
local symmetry = require "crux.order.symmetry"

local Symmetry = {}

--- Expects that the first levels are equal under the symmetries, and the last one is not equal to them.
local function expect(name, texts)
  local game = games.load(name)
  local function key(i) return symmetry.key(game, game:text(game:only_level(texts[i]))) end
  for i = 2, #texts - 1 do luaunit.assertEquals(key(i), key(1)) end
  luaunit.assertNotEquals(key(#texts), key(1))
end

-- The first text; with other names; left and right exchanged; rows and columns exchanged; half turned. Then another level.
function Symmetry.test_tiles_of_words()
  expect("move", { "aB . #\n. b .\nA . .\n", "bA . #\n. a .\nB . .\n", "# . aB\n. b .\n. . A\n", "aB . A\n. b .\n# . .\n",
    ". . A\n. b .\n# . aB\n", "aB . #\n. b .\n. A .\n" })
end

function Symmetry.test_names_of_colours()
  expect("flow", { "AB.\n..A\n..B\n", "BA.\n..B\n..A\n", ".BA\nA..\nB..\n", "A..\nB..\n.AB\n", "AA.\n..B\n..B\n" })
end

function Symmetry.test_short_rows()
  expect("sokoban", { "#####\n#@$.#\n#####\n", "#####\n#.$@#\n#####\n", "###\n#@#\n#$#\n#.#\n###\n", "#####\n#$@.#\n#####\n" })
end

function Symmetry.test_beams()
  local function level(tiles, rest) return "GRID START\n" .. tiles .. "GRID STOP\nA 2\n" .. rest end
  expect("lazors", { level("o x o\no o o\n", "L 1 0 1 1\nP 6 3\nP 0 1\n"), level("o x o\no o o\n", "L 5 0 -1 1\nP 6 1\nP 0 3\n"),
    level("o o\no x\no o\n", "L 0 1 1 1\nP 3 6\nP 1 0\n"):gsub("o o\no x", "o o\nx o"),
    level("o x o\no o o\n", "L 1 0 1 1\nP 6 3\nP 0 3\n") })
end

local Choice = {}

local function levels_at(...)
  local list = {}
  for i, point in ipairs { ... } do
    list[i] = { text = ("%02d"):format(i), rating = i, point = { point }, origin = {} }
  end
  return list
end

local function texts_of(chosen)
  local texts = {}
  for _, level in ipairs(chosen) do table.insert(texts, level.text) end
  return table.concat(texts, " ")
end

-- 10 is farthest from the first, 0; then 5 from 0 and 10 is 4 at best, by 6: the list has 6 and 4, of which 6 comes first.
function Choice.test_farthest_first()
  local slot = { count = 3, pool = levels_at(0, 1, 6, 10, 4) }
  luaunit.assertEquals(texts_of(choice.of({ slot }, {})[1]), "01 03 04")
end

function Choice.test_least_distances()
  local slot = { count = 4, pool = levels_at(0, 1, 6, 10, 4) }
  luaunit.assertEquals(#choice.of({ slot }, { distinct = 5 })[1], 2)
  local curve = { { count = 1, pool = levels_at(0, 3) }, { count = 1, pool = levels_at(1, 2) } }
  luaunit.assertEquals(texts_of(choice.of(curve, {})[2]), "01") -- 2 from the chosen 3
  luaunit.assertEquals(#choice.of(curve, { spread = 2.5 })[2], 0)
end

-- Deviations 1 and 2: (1 and 4 apart) / deviations are 1 and 2; the root of their mean square is sqrt(2.5).
function Choice.test_standardised_distances()
  local levels = {}
  for i, row in ipairs { { a = 1, b = 2, c = 7 }, { a = 2, b = 4, c = 7 }, { a = 3, b = 6, c = 7 } } do
    levels[i] = { row = row, rating = i }
  end
  local scales = distance.scales(levels, { "a", "b", "c" })
  luaunit.assertEquals(scales.names, { "a", "b" })
  local a, b = scales:point { row = { a = 1, b = 2 } }, scales:point { row = { a = 2, b = 6 } }
  luaunit.assertAlmostEquals(distance.between(a, b), math.sqrt(2.5), 1e-15)
  luaunit.assertAlmostEquals(select(2, distance.summary { a, b, scales:point { row = { a = 1, b = 2 } } }), 0, 1e-15)
end

function Choice.test_slots_of_curves()
  local list = slots.of_curve(range.read "1..9", 5)
  luaunit.assertEquals(#list, 5)
  luaunit.assertEquals({ list[1].least, list[1].greatest, list[5].least, list[5].greatest }, { 0.5, 1.5, 8.5, 9.5 })
end

local Samples = {}

local function pool()
  local list = {}
  for i = 1, 40 do list[i] = { name = tostring(i), row = { size = i % 2 == 0 and 25 or 36, moves = i }, rating = i / 4 } end
  return list
end

function Samples.test_strata()
  local by = { { measure = "size", ranges = { range.read "25", range.read "36" } } }
  local chosen, problems = sampling.choose(pool(), { count = 7, by = by, seed = 1 })
  luaunit.assertEquals({ #chosen, #problems }, { 7, 0 })
  local sizes, ratings = {}, {}
  for i, level in ipairs(chosen) do sizes[i], ratings[i] = level.row.size, level.rating end
  luaunit.assertEquals(sizes, { 25, 25, 25, 25, 36, 36, 36 })
  -- Each is from another quarter of the ratings from 0.5 to 10 of the even ones, or third of those from 0.25 to 9.75.
  for i = 1, 4 do luaunit.assertTrue(ratings[i] >= 0.5 + (i - 1) * 9.5 / 4 and ratings[i] <= 0.5 + i * 9.5 / 4) end
  for i = 1, 3 do luaunit.assertTrue(ratings[4 + i] >= 0.25 + (i - 1) * 9.5 / 3 and ratings[4 + i] <= 0.25 + i * 9.5 / 3) end
end

function Samples.test_strata_with_too_few_levels()
  local by = { { measure = "size", ranges = { range.read "25" } }, { measure = "moves", ranges = { range.read "<=4",
    range.read "5..40" } } }
  local chosen, problems = sampling.choose(pool(), { count = 6, by = by, rating = range.read "<=2", seed = 1 })
  luaunit.assertEquals(#chosen, 4) -- levels 2 and 4, and of 6 and 8 both
  luaunit.assertEquals(problems, { "size=25, moves=<=4: found 2 levels, expected at least 3",
    "size=25, moves=5..40: found 2 levels, expected at least 3" })
end

function Samples.test_seeds()
  local function names(seed)
    local list = {}
    for i, level in ipairs(sampling.choose(pool(), { count = 10, by = {}, seed = seed })) do list[i] = level.name end
    return table.concat(list, " ")
  end
  luaunit.assertEquals(names(1), names(1))
  luaunit.assertNotEquals(names(1), names(2))
end

return { Symmetry = Symmetry, Choice = Choice, Samples = Samples }
