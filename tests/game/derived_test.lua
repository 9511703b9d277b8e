--- Tests of lua/crux/game/derived.lua and lua/crux/puzzle/listing.lua: the effort of searches, and measures over all solutions.
local beams = require "crux.puzzle.beams"
local exact_cover = require "crux.puzzle.exact_cover"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local path_cover = require "crux.puzzle.path_cover"
local puzzlescript_games = require "puzzlescript_games"
local random = require "libcrux.random"
local shell = require "shell"
local sizes = require "libcrux.sizes"
local space = require "crux.game.space"

local Derived = {}

--- A ball on a row of four squares, its goal at the other end. Of the start, and of the squares 1 and 2 to its right, each tries
--- U, L, D and R; the third R wins: 12 moves at most, and the win, found at the last, is no state.
function Derived.test_effort_of_a_search()
  local level = shell.file("row.txt", "a . . A\n")
  luaunit.assertEquals(shell.printed(("measure move %s --measures moves,states,expanded,generated,branching"):format(level)),
    "level,moves,states,expanded,generated,branching\nrow,3,3,3,12,0.6666666666666666\n")
end

--- By hand: the ball stands on one of three squares; from the first R changes it, from the others L and R; the last R wins.
function Derived.test_all_states_of_a_level()
  local level = shell.file("row.txt", "a . . A\n")
  luaunit.assertEquals(shell.printed(("measure move %s --measures reachable,dead_ends,losing,farthest,runs,longest_run,moves_R,"
    .. "moves_U,tiles,tile_kinds,tiles_goal,tiles_wall"):format(level)), "level,reachable,dead_ends,losing,farthest,runs,longest_run,"
    .. "moves_R,moves_U,tiles,tile_kinds,tiles_goal,tiles_wall\nrow,3,0,0,2,1,3,3,0,4,3,1,0\n")
end

--- Those of games of PuzzleScript are counted in C; tests/cli/puzzlescript_test.lua has the origin of these numbers.
function Derived.test_dead_ends_are_those_of_puzzlescript()
  local game = games.load(shell.file("pushing.txt", puzzlescript_games.pushing {}))
  local found = space.of(game.search, game:level(game:expect_entries({ game.path })[1]), game.path)
  luaunit.assertEquals({ found.states, found.dead, found.losing, found.changing }, { 36, 9, 1, 66 })
end

--- All measures have a column, and a value where the level has them.
function Derived.test_all_measures()
  local level = shell.file("row.txt", "a . . A\n")
  local header, row = shell.printed("measure move --all " .. level):match "^(.-)\n(.-)\n$"
  luaunit.assertStrContains(header, "moves_U,moves_L,moves_D,moves_R,widest,tiles,tile_kinds")
  luaunit.assertEquals(select(2, row:gsub(",", "")), select(2, header:gsub(",", "")))
  luaunit.assertNotStrContains(row, ",,")
end

--- The effort is that of the search for a solution, whether or not solutions are counted, in C as in Lua.
function Derived.test_effort_does_not_depend_on_what_else_is_asked()
  local game = games.load "move"
  local level = game:level(game:expect_entries({ "datasets/levels/move/9.txt" })[1])
  local names = { "states", "expanded", "generated", "branching" }
  local row = game:measure(level, game:choose(names), {})
  luaunit.assertTrue(row.states > 10)
  for _, options in ipairs { { count = true }, { way = true }, { engine = "interpreted" }, { engine = "native" } } do
    luaunit.assertEquals(lists.pick(game:solution(level, options), names), lists.pick(row, names))
  end
end

--- By hand: four covers have the fewest pieces, 3: six fields and two; three columns; and, to either side, a column of three, a
--- square of four and one field. Their largest pieces have 6, 3, 4 and 4 fields.
function Derived.test_mean_least_and_most()
  local level = shell.file("fields.txt", "...\n...\n.#.\n")
  luaunit.assertEquals(shell.printed(("measure sprinkfield %s --measures solutions,largest_made_move_mean,"
    .. "largest_made_move_least,largest_made_move_most"):format(level)),
    "level,solutions,largest_made_move_mean,largest_made_move_least,largest_made_move_most\nfields,4,4.25,3,6\n")
end

--- crux check tries the measures of the script alone, of which Move has 7.
function Derived.test_check_leaves_them_out()
  luaunit.assertStrContains(shell.printed "check games/move.lua datasets/levels/move/1.txt", "7 measures; tried on 1 level")
end

--- Texts of solutions, each of which is there once.
local function assert_different(list, text)
  local seen = {}
  for _, one in ipairs(list) do
    luaunit.assertNil(seen[text(one)])
    seen[text(one)] = true
  end
end

--- As many different covers as the solver counts; the fewest turns are those of the solver.
function Derived.test_all_path_covers()
  local generator, several = random.new(5, 0), 0
  for _ = 1, 60 do
    local paths = path_cover.random(4, 4, 2 + generator:integer(0, 1), 3, generator)
    if paths then
      local level = { width = 4, height = 4, cells = {}, endpoints = {} }
      for cell = 1, 16 do level.cells[cell] = 0 end
      for colour, path in ipairs(paths) do
        level.endpoints[colour] = { path[1], path[#path] }
        level.cells[path[1]], level.cells[path[#path]] = colour, colour
      end
      local list, solved, fewest = path_cover.list(level, {}), path_cover.solve(level), math.huge
      luaunit.assertEquals(#list, solved.solutions)
      assert_different(list, function(one)
        fewest = math.min(fewest, one.turns)
        local texts, covered = {}, 0
        for colour, path in ipairs(one.paths) do texts[colour], covered = table.concat(path, " "), covered + #path end
        luaunit.assertEquals(covered, 16)
        return table.concat(texts, ";")
      end)
      luaunit.assertEquals(fewest, solved.turns)
      several = several + (#list > 1 and 1 or 0)
    end
  end
  luaunit.assertTrue(several > 10)
end

--- As many different covers as the solver counts, each of the fewest pieces.
function Derived.test_all_exact_covers()
  local game = games.load "sprinkfield"
  for _, text in ipairs { "....\n.#..\n....\n...#\n", "...\n...\n...\n", "#.#\n...\n#.#\n", ".\n" } do
    local level = game:level { path = "text", lines = {}, text = text }
    local list, solved = exact_cover.list(level, {}), exact_cover.cover(level, { count = true })
    luaunit.assertEquals(#list, solved.solutions)
    assert_different(list, function(one)
      luaunit.assertEquals(#one.cover, solved.length)
      local texts = lists.map(one.cover, function(piece) return table.concat(piece.cells, " ") end)
      return table.concat(texts, ";")
    end)
  end
end

--- As many different placements as the solver counts, each of which passes all targets; with blocks that are fixed, too.
function Derived.test_all_placements()
  local several = 0
  for tiles, blocks in pairs { ooooooooo = { A = 2, C = 1 }, oAoxooooo = { A = 1, B = 1 }, oooooxooB = { C = 2 }, ooooooxxx = {} } do
    local level = { width = 3, height = 3, tiles = tiles, emitters = { { 0, 1, 1, 1 } }, targets = { { 5, 2 } }, blocks = blocks }
    local list = beams.list(level, {})
    luaunit.assertEquals(#list, beams.solve(level, { count = true }).solutions)
    assert_different(list, function(one)
      luaunit.assertTrue(one.trace.solved)
      return one.tiles
    end)
    several = several + #list
  end
  luaunit.assertTrue(several > 30)
end

--- Too many solutions to list, or none: no value. Two blocks have 46 * 45 / 2 = 1035 placements on 46 tiles, 990 on 45; the one
--- target is where the laser is.
function Derived.test_no_value()
  luaunit.assertEquals(sizes.listed_solutions, 1000)
  local function two_on(name, tiles)
    local grid = ("o o o o o o o o\n"):rep(5) .. ("o "):rep(tiles - 40) .. ("x "):rep(48 - tiles)
    return shell.file(name .. ".bff", ("GRID START\n%s\nGRID STOP\nA 2\nL 0 1 -1 1\nP 0 1\n"):format(grid))
  end
  local none = shell.file("none.bff", "GRID START\no o\nGRID STOP\nA 1\nL 0 1 1 1\nP 4 1\n")
  local result = shell.crux(("measure lazors %s %s %s --measures solutions,reflections_mean"):format(two_on("few", 45),
    two_on("many", 46), none))
  luaunit.assertEquals(result.out, "level,solutions,reflections_mean\nfew,990,0\nmany,1035,\nnone,,\n")
end

--- A measure of the script's own takes the place of one that crux would add, and a wrong list is refused.
function Derived.test_scripts()
  local function measured(changes, names)
    local game = shell.file("letters.lua", ([[
local game = crux.game "letters"
function game.parse(text) return { n = #text } end
function game.solve() return { status = "solved" } end
function game.list(level) return %s end
game.measure { "turns", kind = "solution", doc = "turns", function(_, solution) return solution.turns end }
game.measure { "turns_most", kind = "initial", doc = "its own", function() return 7 end }
return game
]]):format(changes))
    return shell.crux(("measure %s %s --measures %s"):format(game, shell.file("letters.txt", "ab\n"), names))
  end
  luaunit.assertEquals(measured("{ { turns = 1 }, {}, { turns = 2 } }", "turns_most,turns_mean,turns_least").out,
    "level,turns_most,turns_mean,turns_least\nletters,7,1.5,1\n")
  luaunit.assertEquals(measured("nil", "turns_mean").out, "level,turns_mean\nletters,\n")
  luaunit.assertStrContains(measured("level.n", "turns_mean").err, "letters.lua: list: found 3, expected a list of solutions or nil")
  luaunit.assertStrContains(measured("{ { turns = 'x' } }", "turns_mean").err,
    "letters.lua: measure 'turns': found 'x', expected a number or nil")
end

return { Derived = Derived }
