-- Tests of games/sokoban.lua against a search that shares nothing with it: levels stay the text that they are, in which the
-- man and the boxes are moved about.
local engines = require "engines"
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local json = require "json_reader"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local random = require "libcrux.random"
local search = require "crux.search.search"
local Session = require "crux.play.session"
local shell = require "shell"

local sokoban = game.load "games/sokoban.lua"

local function entries(text) return levels.split(text, "level.xsb", sokoban.files) end

local function level_of(text) return sokoban:level(entries(text)[1]) end

--- The rows of a level as one string, all equally long, and the length of a row.
local function squares_of(text)
  local rows, width = {}, 0
  for row in text:gmatch "[^\n]+" do
    table.insert(rows, row)
    width = math.max(width, #row)
  end
  for i, row in ipairs(rows) do rows[i] = row .. (" "):rep(width - #row) end
  return table.concat(rows), width
end

local function put(squares, at, square) return squares:sub(1, at - 1) .. square .. squares:sub(at + 1) end

local comes = { ["@"] = { [" "] = "@", ["."] = "+", ["$"] = "@", ["*"] = "+" }, ["$"] = { [" "] = "$", ["."] = "*" } }
local goes = { ["@"] = " ", ["+"] = "." }

--- What a step makes of the squares, and whether it pushes a box from where; nil when it cannot be made.
local function stepped(squares, by)
  local from = squares:find "[@+]"
  local to = from + by
  local square, beyond = squares:sub(to, to), squares:sub(to + by, to + by)
  if square == "#" then return nil end
  local pushes = square:find "[$*]" ~= nil
  if pushes then
    if not comes["$"][beyond] then return nil end
    squares = put(squares, to + by, comes["$"][beyond])
  end
  return put(put(squares, to, comes["@"][square]), from, goes[squares:sub(from, from)]), pushes and to
end

--- Depth by depth through all that can be reached: the first of the solutions with the fewest steps, the number of these,
--- and the changes of the box on the way.
local function brute_force(text)
  local start, width = squares_of(text)
  local steps = { { "U", -width }, { "L", -1 }, { "D", width }, { "R", 1 } }
  local seen, layer = { [start] = true }, { { squares = start, path = "", ways = 1, changes = 0 } }
  while #layer > 0 do
    local first, ways, deeper, by_squares = nil, 0, {}, {}
    for _, state in ipairs(layer) do
      if not state.squares:find("$", 1, true) then
        first, ways = first or state, ways + state.ways
      end
    end
    if first then
      return { path = first.path, solutions = ways, moves = #first.path, box_changes = first.changes }
    end
    for _, state in ipairs(layer) do
      for _, step in ipairs(steps) do
        local squares, pushed = stepped(state.squares, step[2])
        if squares and by_squares[squares] then
          by_squares[squares].ways = by_squares[squares].ways + state.ways
        elseif squares and not seen[squares] then
          seen[squares] = true
          local changed = pushed and state.box and state.box ~= pushed
          by_squares[squares] = { squares = squares, path = state.path .. (pushed and step[1] or step[1]:lower()), ways = state.ways,
            changes = state.changes + (changed and 1 or 0),
            box = pushed and pushed + step[2] or state.box }
          table.insert(deeper, by_squares[squares])
        end
      end
    end
    layer = deeper
  end
end

--- The number of squares within reach of the man, and of those from which a box that is alone on the board cannot be
--- pushed to a goal, wherever the man stands.
local function floor_and_deadlocks(text)
  local squares, width = squares_of(text)
  local steps, floor, count, dead = { -width, -1, width, 1 }, { squares:find "[@+]" }, 0, 0
  floor = { floor[1] }
  local reached = { [floor[1]] = true }
  local function spread(list, known, may)
    for _, at in ipairs(list) do
      for _, by in ipairs(steps) do
        if not known[at + by] and may(at, by) then
          known[at + by] = true
          table.insert(list, at + by)
        end
      end
    end
  end
  spread(floor, reached, function(at, by) return squares:sub(at + by, at + by) ~= "#" end)
  for _, at in ipairs(floor) do
    local list, alive = { at }, false
    spread(list, { [at] = true }, function(here, by) return reached[here + by] and reached[here - by] end)
    for _, here in ipairs(list) do alive = alive or squares:sub(here, here):find "[.+*]" end
    count, dead = count + 1, dead + (alive and 0 or 1)
  end
  return count, dead
end

--- A level at random, which may be out of order: a room with walls, and as many boxes as goals.
local function draw(rng)
  local width, height = rng:integer(5, 7), rng:integer(5, 6)
  local cells, free = {}, {}
  for i = 1, width * height do
    local is_edge = i <= width or i > width * (height - 1) or i % width <= 1
    cells[i] = (is_edge or rng:chance(0.12)) and "#" or " "
    if cells[i] == " " then table.insert(free, i) end
  end
  local boxes = rng:integer(1, 3)
  local function place(what)
    rng:shuffle(free)
    for i = 1, boxes do cells[free[i]] = what[cells[free[i]]] or cells[free[i]] end
  end
  if #free < 2 * boxes + 1 then return draw(rng) end
  place { [" "] = "." }
  rng:shuffle(free)
  for i = 1, boxes do cells[free[i]] = comes["$"][cells[free[i]]] end
  for _, i in ipairs(free) do
    if cells[i] == " " then
      cells[i] = "@"
      break
    end
  end
  local text = table.concat(cells)
  return text:gsub(("."):rep(width), "%0\n")
end

--- The fewest pushes of a solution, depth by depth of pushes: each depth grows by all walks.
local function fewest_pushes(text)
  local start, width = squares_of(text)
  local seen, layer, pushes = {}, { start }, 0
  while #layer > 0 do
    local deeper = {}
    for _, squares in ipairs(layer) do
      if not squares:find("$", 1, true) then return pushes end
      for _, by in ipairs(seen[squares] and {} or { -width, -1, width, 1 }) do
        local after, pushed = stepped(squares, by)
        if after and not seen[after] then table.insert(pushed and deeper or layer, after) end
      end
      seen[squares] = true
    end
    layer, pushes = deeper, pushes + 1
  end
end

local measures = { "moves", "pushes", "box_changes", "floor", "deadlock_squares" }

--- Expects the measures and the solution that brute force finds; returns whether there is one.
local function check(text)
  local level = level_of(text)
  local row, solution = sokoban:measure(level, sokoban:choose(measures), { count = true })
  local expected = brute_force(text) or {}
  luaunit.assertEquals(solution.status, expected.path and "solved" or "unsolvable", text)
  luaunit.assertEquals({ solution.text, solution.solutions }, { expected.path, expected.solutions }, text)
  luaunit.assertEquals(sokoban:solution(level, {}).text, expected.path, text) -- in C, which counts no solutions
  expected.path, expected.solutions = nil, nil
  expected.pushes = fewest_pushes(text)
  expected.floor, expected.deadlock_squares = floor_and_deadlocks(text)
  luaunit.assertEquals(row, expected, text)
  luaunit.assertEquals(sokoban:measure(level, sokoban:choose(measures), {}), expected, text)
  return expected.moves ~= nil
end

--- Expects that native searches, of moves and of pushes, have the results and the statistics of those in Lua.
local function check_native(level)
  for _, spec in ipairs { sokoban.search, sokoban.measures.pushes.search } do
    local native, _, untraced = engines.solve(spec, level, { count = true }, "native")
    luaunit.assertNil(untraced)
    luaunit.assertEquals(native, (engines.solve(spec, level, { count = true, check_heuristic = true }, "interpreted")))
  end
end

local Sokoban = {}

function Sokoban.test_random_levels_by_brute_force()
  local drawn, solved, count = 0, 0, long.choose(40, 400)
  for stream = 1, count do
    local text = draw(random.new(6, stream))
    local ok, level = pcall(level_of, text)
    if ok then
      drawn, solved = drawn + 1, solved + (check(text) and 1 or 0)
      if stream % 4 == 0 then check_native(level) end
      luaunit.assertEquals(squares_of(sokoban:text(level)), (squares_of(text)))
    end
  end
  luaunit.assertTrue(drawn > count / 2 and solved > count / 8 and solved < drawn, ("%d of %d"):format(solved, drawn))
end

function Sokoban.test_search_is_native()
  local solution = search.solve(sokoban.search, level_of "######\n#@ $.#\n#  $.#\n######\n", { engine = "native" })
  luaunit.assertEquals({ solution.status, solution.length, solution.untraced }, { "solved", 5 })
  luaunit.assertTrue(solution.program.operations > 0)
end

--- "moves pushes box_changes floor deadlock_squares" of each of the levels.
local shipped = {
  ["Side door"] = "11 5 0 10 5", ["Threshold"] = "19 4 0 12 6", ["Twins"] = "18 8 1 16 9", ["Hook"] = "28 9 3 17 6",
  ["Two rooms"] = "12 5 0 19 14", ["Low tunnel"] = "18 7 1 22 14", ["Pantry"] = "30 10 3 23 12", ["Courtyard"] = "24 4 1 27 14",
  ["Porch"] = "46 14 2 27 13", ["Crossing"] = "20 4 1 29 10", ["Mill"] = "28 8 3 29 13", ["Staircase"] = "38 5 3 31 14",
  ["Cellar"] = "65 23 5 33 19", ["Depot"] = "43 20 4 39 20", ["Gallery"] = "49 16 6 40 15", ["Terraces"] = "53 14 2 41 23",
  ["Long shelf"] = "63 21 4 42 20", ["Four corners"] = "51 20 5 45 11", ["The long way home"] = "54 11 5 48 34",
  ["Workshop"] = "42 16 6 49 18",
}

--- The twenty levels that are shipped are solved within the limits, and those with few states as brute force does it.
function Sokoban.test_shipped_levels()
  long.only()
  local count, floor = 0, 0
  for _, entry in ipairs(levels.read("datasets/levels/sokoban/rooms.xsb", sokoban.files)) do
    local row, solution = sokoban:measure(sokoban:level(entry), sokoban:choose(measures), {})
    local values = {}
    for i, name in ipairs(measures) do values[i] = row[name] or "none" end
    luaunit.assertEquals({ entry.name, table.concat(values, " ") }, { entry.name, shipped[entry.name] })
    luaunit.assertNil(solution.untraced)
    if solution.states < 1000 then check(entry.text) end
    luaunit.assertTrue(row.floor >= floor, entry.name)
    count, floor = count + 1, row.floor
  end
  luaunit.assertEquals(count, 20)
end

--- A limit that is met is told, and the measures of the solution are missing.
function Sokoban.test_limits()
  local result = shell.crux "measure sokoban datasets/levels/sokoban --states 1000 --measures boxes,moves,box_changes"
  luaunit.assertEquals(result.status, 0)
  luaunit.assertStrContains(result.out, "\nHook,3,28,3\n")
  luaunit.assertStrContains(result.out, "\nWorkshop,5,,\n")
  luaunit.assertStrContains(result.err, "level 'Workshop': not solved: the limit on states was met; a solution has at least ")
  local told, missing = select(2, result.err:gsub("\n", "")), select(2, result.out:gsub(",,\n", ""))
  luaunit.assertEquals({ told, missing }, { 11, 11 })
end

--- The rule needs pushes alone, which are found where moves are not; the log of 1 + 23 pushes counts 2.5 times. What is missing
--- is told by measure, also where another measure has a search of its own.
function Sokoban.test_the_rule_rates_where_moves_are_not_found()
  long.leave_out()
  local rooms = "datasets/levels/sokoban/rooms.xsb"
  local result = shell.crux(("rate sokoban %s --states 200 --format json"):format(rooms))
  local rows = {}
  for _, row in ipairs(json.decode(result.out)) do rows[row.level] = row end
  luaunit.assertAlmostEquals(rows.Cellar.rating, 2.5 * math.log(24), 1e-12)
  luaunit.assertEquals(rows.Workshop.missing, "pushes (not solved: the limit on states was met; a solution has at least 16 moves)")
  luaunit.assertEquals(result.err:gsub("[^\n]*Four corners[^\n]*\n", ""), rooms .. ":175: level 'Workshop': not solved: the "
    .. ("limit on states was met; a solution has at least 16 moves\n%s:175: level 'Workshop' has no rating: pushes is missing\n"):format(rooms))
  result = shell.crux(("measure sokoban %s --states 200 --measures moves,pushes"):format(rooms))
  luaunit.assertStrContains(result.out, "\nCellar,,23\n")
  luaunit.assertStrContains(result.err, "level 'Workshop': not solved: the limit on states was met; a solution has at least ")
  luaunit.assertStrContains(result.err, "level 'Workshop': measure 'pushes': not solved: the limit on states was met\n")
end

function Sokoban.test_jobs_do_not_matter()
  long.only()
  for _, command in ipairs { "measure sokoban datasets/levels/sokoban", "solve sokoban --all datasets/levels/sokoban",
    "generate sokoban --count 20 --seed 4", "generate sokoban --like moves=12,boxes=2 --count 3" } do
    local one, two = shell.crux(command .. " --states 5000 --jobs 1"), shell.crux(command .. " --states 5000 --jobs 2")
    luaunit.assertEquals(one.status, 0, one.err)
    luaunit.assertEquals(two, one, command)
  end
end

local collection = [[
A small collection
Author: the tests

; by semicolon
; and more
#####
#@$.#
#####
Comment: `- _` are floor
; author: someone

####
#.$@#
####
Title: by key: after

'in quotes'
-3#-|_#@#|_#$#|-#.#|-3#

5#
#@$.#
5#

  2####
 ##  #
 #*@ #
 #####
]]

function Sokoban.test_collections()
  local names, texts = {}, {}
  for i, entry in ipairs(entries(collection)) do
    names[i], texts[i] = entry.name, sokoban:text(sokoban:level(entry))
  end
  luaunit.assertEquals(names, { "by semicolon", "by key: after", "in quotes", "level:4", "level:5" })
  luaunit.assertEquals(texts, { "#####\n#@$.#\n#####\n", "####\n#.$@#\n####\n", " ###\n #@#\n #$#\n #.#\n ###\n",
    "#####\n#@$.#\n#####\n", "  #####\n ##  #\n #*@ #\n #####\n" })
end

function Sokoban.test_every_square_is_known()
  local level = level_of "########\n#+$*.$_#\n#-  ####\n####\n"
  luaunit.assertEquals(sokoban:text(level), "########\n#+$*.$ #\n#   ####\n####\n")
  local unreachable = level_of "########\n#@$.#*##\n########\n"
  luaunit.assertEquals(sokoban:text(unreachable), "########\n#@$.#*##\n########\n")
  luaunit.assertEquals(sokoban:solution(unreachable, {}).text, "R")
end

local squares = "expected one of ' ' - _ # @ + $ * . p P b B o"

function Sokoban.test_bad_levels()
  for _, case in ipairs {
    { "#####\n#@$.x#\n#####\n", "2: column 5: found 'x', " .. squares },
    { "6#|#@$\195\169 #|6#\n", "1: column 7: found '\195\169', " .. squares },
    { "#####\n#@$.#3\n#####\n", "2: column 6: found '|', " .. squares },
    { "; a\n\n\n#####\n#.$.#\n#####\n", "4: found no man, expected '@' or '+' or 'p' or 'P'" },
    { "#######\n#@$.2@#\n#######\n", "2: column 5: found a second man, expected one" },
    { "#####\n#@+$#\n#####\n", "2: column 3: found a second man, expected one" },
    { "####\n#@ #\n####\n", "1: found no box, expected '$' or '*' or 'b' or 'B'" },
    { "######\n#@$$.#\n######\n", "2: column 4: found more boxes than goals, expected as many" },
    { "6#|#@$2.#|6#\n", "1: column 7: found more goals than boxes, expected as many" },
    { "#####\n#@$.\n#####\n", "2: column 5: found an opening, expected walls all around the man" },
    { "#####\n#@$.#\n## ##\n", "3: column 3: found an opening, expected walls all around the man" },
    { "########\n#@$.#$##\n#####.##\n########\n", "2: column 6: found a box out of reach, expected it inside the walls" },
    { "#######\n#@$ #.#\n#######\n", "2: column 6: found a goal out of reach, expected it inside the walls" },
    { "99999999999#\n#@$.#\n", "1: found more than 64 columns, expected at most 64" },
    { ("#@$.#\n"):rep(65), "65: found more than 64 rows, expected at most 64" },
    { "#####||#@$.#\n", "1: found an empty line, expected a row of cells" },
    { "#####\n#@$.#\nno row\n#####\n", "3: found 'no row', expected a row of the level, or a blank line before another level" },
  } do
    local ok, problem = pcall(level_of, case[1])
    luaunit.assertFalse(ok, case[1])
    luaunit.assertEquals(problem.message, "level.xsb:" .. case[2])
  end
end

--- The letters stand for man, man on a goal, box, box on a goal and goal, in rows with run lengths, too.
function Sokoban.test_letters()
  luaunit.assertEquals(sokoban:text(level_of "#######\n#pbo-B#\n#######\n"), "#######\n#@$. *#\n#######\n")
  luaunit.assertEquals(sokoban:text(level_of "5#|#Pb-#|#3-#|5#"), "#####\n#+$ #\n#   #\n#####\n")
end

--- What is wrong with a level is told on the command line; the others are measured.
function Sokoban.test_bad_levels_among_good_ones()
  local path = shell.file("mixed.xsb", "; good\n#####\n#@$.#\n#####\n\n; bad\n#####\n#@$ #\n#####\n\n; stuck\n#####\n# @.#\n#$  #\n#####\n")
  local result = shell.crux(("measure sokoban %s --measures boxes,moves,pushes"):format(path))
  luaunit.assertEquals(result, { status = 1, out = "level,boxes,moves,pushes\ngood,1,1,1\nstuck,1,,\n",
    err = path .. ":8: column 3: found more boxes than goals, expected as many\n" .. path .. ":12: level 'stuck': no solution exists\n"
      .. "1 of 3 levels failed\n" })
end

local function generate(line) return shell.printed("generate sokoban " .. line) end

function Sokoban.test_generated_levels()
  for i, entry in ipairs(entries(generate "--count 8 --seed 3 --width 3..5 --height 4 --boxes 2 --walls 0.1")) do
    local level = sokoban:level(entry)
    local width, height = level.drawn.wall:size()
    luaunit.assertEquals(entry.name, "sokoban-3-" .. i)
    luaunit.assertTrue(width >= 5 and width <= 7 and height == 6, entry.text)
    luaunit.assertEquals(#level.box, 2)
    check(entry.text)
    luaunit.assertEquals(sokoban:solution(level, {}).status, "solved", entry.text)
  end
end

--- A push into a corner loses; it is taken back, and a hint names the next move.
function Sokoban.test_play()
  local session = Session.new(play.rules(sokoban), level_of "######\n#  .##\n# $@ #\n#    #\n######\n")
  local function expect(keys, rows, moves, message)
    for key in keys:gmatch "%S+" do session:press(key) end
    luaunit.assertEquals({ table.concat(session:draw(), "|", 2, 4), session.moves, session.message }, { rows, moves, message }, keys)
  end
  expect("left", "#  .##|#$@  #|#    #", 1, "lost: u undoes, r restarts")
  expect("u", "#  .##|# $@ #|#    #", 1, "")
  expect("up", "#  +##|# $  #|#    #", 2, "")
  expect("r ?", "#  .##|# $@ #|#    #", 2, "hint: down, then 5 more")
  expect("? down left ?", "#  .##|# $  #|# @  #", 4, "hint: up, then 3 more")
end

return { Sokoban = Sokoban }
