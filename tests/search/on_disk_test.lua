-- Tests of lua/crux/search/on_disk.lua: the results of searches in memory, with so little memory that a layer has many runs.
local disk_search = require "libcrux.disk_search"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local reference = require "search_reference"
local search = require "crux.search.search"
local search_folder = require "crux.run.search_folder"
local shell = require "shell"
local state_set = require "libcrux.state_set"

local OnDisk = {}

--- Solves a level with its states in a folder, a new one unless `is_again`.
local function solve(spec, level, options, is_again)
  local path = is_again and shell.path "states" or shell.folder "states"
  local folder <close> = search_folder.open(path)
  folder:files {}
  return search.solve(spec, level, lists.merge({ bytes = 1 << 15, disk = folder }, options or {}))
end

--- What both searches must agree on: in memory a solved search stops within a layer, so the layers before it are compared.
local function facts(solution)
  local layers = table.move(solution.frontiers, 1, solution.length or #solution.frontiers, 1, {})
  local is_whole = solution.status == "unsolvable"
  return { status = solution.status, moves = solution.moves, way = solution.way, layers = layers,
    counts = is_whole and { solution.states, solution.expanded, solution.generated, solution.duplicates, solution.lost } }
end

--- Compares searches on disk, begun and repeated, with one in memory, without the heuristic.
local function compare(spec, level, message)
  spec = lists.merge(spec)
  spec.heuristic = nil
  local expected = facts(search.solve(spec, level, { way = true }))
  luaunit.assertEquals(facts(solve(spec, level, { way = true })), expected, message)
  luaunit.assertEquals(facts(solve(spec, level, { way = true }, true)), expected, message)
  return expected
end

--- Graphs whose moves cannot be taken back: they lead to any layer.
function OnDisk.test_random_graphs()
  math.randomseed(5)
  local statuses = {}
  for round = 1, long.choose(20, 300) do
    local puzzle = reference.graph()
    local found = compare(puzzle.spec, puzzle.level, "round " .. round)
    statuses[found.status] = true
  end
  luaunit.assertEquals(statuses, { solved = true, unsolvable = true })
end

function OnDisk.test_random_slides()
  math.randomseed(6)
  for round = 1, long.choose(5, 60) do
    local puzzle = reference.sliding()
    compare(puzzle.spec, puzzle.level, "round " .. round)
  end
end

--- A move from layer i goes back to any earlier layer: a search that compares the last two layers alone would not end.
function OnDisk.test_moves_back_to_any_layer()
  local game = games.load(shell.file("back.lua", [[
local game = crux.game "back"
function game.parse() return {} end
function game.format() return "" end
game.search = {
  moves = { "on", "back" },
  state = function() return { at = crux.integer(0, 40) } end,
  start = function() return { at = 0 } end,
  step = function(now, move)
    if move == "on" and now.at < 40 then now.at = now.at + 1 elseif move == "back" then now.at = now.at // 3 end
    return false
  end,
}
game.measure { "none", kind = "initial", doc = "none", function() return 0 end }
return game
]]))
  local solution = solve(game.search, {})
  luaunit.assertEquals({ solution.status, solution.states, #solution.frontiers }, { "unsolvable", 41, 41 })
end

--- The number of positions of the 8-puzzle by moves from a corner: https://oeis.org/A089473, a list by exhaustive search.
local eight = { 1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952,
  20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2 }

--- With 32 KiB a run has the successors of 512 states: the largest layer has 50 runs.
function OnDisk.test_eight_puzzle()
  local game = games.load "tests/newcomers/eight.lua"
  local solution = solve(game.search, game:only_level "2 1 3\n4 5 6\n7 8 0\n")
  luaunit.assertEquals({ solution.status, solution.frontiers, solution.states, solution.expanded, solution.generated },
    { "unsolvable", eight, 181440, 181440, 4 * 181440 })
  compare(game.search, game:only_level "8 6 7\n2 5 4\n3 0 1\n")
end

--- Levels that crux has: states of one word, of several, with a heuristic, and with losses.
function OnDisk.test_levels_of_games()
  local words, count = {}, 0
  for _, one in ipairs { { "move", "datasets/levels/move" }, { "sokoban", "datasets/levels/sokoban/rooms.xsb" },
    { "rushhour", "datasets/levels/rushhour" }, { "dungeongrams", nil, "@-*\n--O\n" },
    { "trainyard", "datasets/levels/trainyard" } } do
    local game = games.load(one[1])
    local entries = one[2] and long.some(3, game:expect_entries { one[2] }) or {}
    if one[3] then entries = { { text = one[3], path = "level", lines = { 1 } } } end
    for _, entry in ipairs(game.search and entries or {}) do
      local level = game:level(entry)
      local known = search.solve(game.search, level, { states = 200000 })
      if not known.limit then
        compare(game.search, level, one[1])
        words[(known.bits + 63) // 64], count = true, count + 1
      end
    end
  end
  luaunit.assertTrue(count >= 6 and words[1] and words[2], tostring(count))
end

--- Limits end a search, which goes on in the same folder with more.
function OnDisk.test_limits()
  local game = games.load "tests/newcomers/eight.lua"
  local level = game:only_level "2 1 3\n4 5 6\n7 8 0\n"
  local solution = solve(game.search, level, { states = 1000 })
  luaunit.assertEquals({ solution.status, solution.limit, solution.least, solution.states },
    { "unknown", "states", 11, 706 })
  luaunit.assertEquals(solution.frontiers, table.move(eight, 1, 11, 1, {}))
  solution = solve(game.search, level, { seconds = 1e-9 }, true)
  luaunit.assertEquals({ solution.status, solution.limit, solution.least, solution.states }, { "unknown", "seconds", 11, 706 })
  luaunit.assertEquals(solve(game.search, level, {}, true).frontiers, eight)
end

--- What is told after each layer of a search that takes long.
function OnDisk.test_forecast()
  local game = games.load "tests/newcomers/eight.lua"
  local forecast, told = require "crux.search.forecast", {}
  local seconds <const> = forecast.seconds
  forecast.seconds = 0
  local ok, problem = pcall(solve, game.search, game:only_level "2 1 3\n4 5 6\n7 8 0\n",
    { states = 5000, tell = function(line) table.insert(told, line) end })
  forecast.seconds = seconds
  if not ok then error(problem, 0) end
  luaunit.assertEquals(#told, 16) -- layer 15 would have the 5,000th state; told after each of the others, and at the end
  luaunit.assertStrMatches(told[12],
    "1,102 states in %d s, [%d,]+ a second; 13 layers, each 1.51 times the one before; expected: the limit on states after %d+ s more, in layer 16")
end

--- What is said of a game whose step makes a text where a condition holds: it is compiled for few values.
local function with_text(condition)
  local spec = games.load(shell.file("text.lua", ([[
local game = crux.game "text"
function game.parse() return {} end
function game.format() return "" end
game.search = {
  moves = { "on", "back" },
  state = function() return { at = crux.integer(0, 4000) } end,
  start = function() return { at = 0 } end,
  step = function(now, move)
    if move == "on" and now.at < 40 then now.at = now.at + 1 end
    if %s then now.at = #("x" .. now.at) end
    return false
  end,
}
game.measure { "none", kind = "initial", doc = "none", function() return 0 end }
return game
]]):format(condition))).search
  local _, problem = fault.catch(solve, spec, {})
  return problem.message
end

--- A step that cannot be compiled is refused; one that is compiled for some states, when the search comes to others.
function OnDisk.test_what_is_refused()
  local reason = "text.lua:10: column %d+: found a value from 0 to %d+ where each value needs a path of its own, expected at most 256 values"
  luaunit.assertStrMatches(with_text "true", "%-%-disk needs a step that is compiled %(docs/search.md%): .*" .. reason)
  luaunit.assertStrMatches(with_text "now.at == 20",
    ".*text.lua:8: step with move 'on': %-%-disk needs it compiled for all states: .*" .. reason)
  luaunit.assertEquals(#shell.read(shell.path "states/states"), 20 * 16) -- 20 layers of one state are kept: a checksum and a key each
end

--- The functions of libcrux.disk_search refuse what would be no search.
function OnDisk.test_wrong_uses()
  local function set_of(most) return state_set.new({ { name = "at", kind = "integer", low = 0, high = most } }, 0, 1 << 16) end
  local disk <close>, set, other = assert(disk_search.open(shell.folder "wrong", false)), set_of(9), set_of(1000)
  local function refused(message, method, ...)
    local ok, problem = pcall(disk[method], disk, ...)
    luaunit.assertFalse(ok, message)
    luaunit.assertStrContains(problem, message)
  end
  refused("a search of a layout", "merge")
  refused("a number of moves", "new", set, 0, 1)
  disk:new(set, 2, 1 << 16)
  refused("a search without states", "new", set, 2, 1)
  refused("a search with a layer", "merge")
  refused("a search with a layer", "last")
  refused("a set of other states", "begin", other)
  refused("a set with a state", "begin", set)
  refused("a number of states", "restore", 0, 0)
  set:find { at = 7 }
  set:add()
  luaunit.assertTrue(disk:begin(set))
  refused("a search without states", "begin", set)
  refused("an empty set", "sample", set)
  luaunit.assertEquals({ #disk, disk:last() }, { 1, 0, 1 })
  luaunit.assertEquals({ disk:restore(16, 1) }, { nil, "cut at byte 16; to begin anew, remove the folder" })
  local new <close> = set_of(9)
  disk:close()
  refused("the search was closed", "sample", new)
end

return { OnDisk = OnDisk }
