-- Tests of games/move.lua against a search that shares nothing with it: balls as a list of places, moved one by one.
local verification = require "crux.search.verification"
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local search = require "crux.search.search"

local move = game.load "games/move.lua"

local Move = {}

local function level_of(text)
  local lines = {}
  for _ in text:gmatch "\n" do table.insert(lines, #lines + 1) end
  return move:level { name = "level", path = "level.txt", text = text, lines = lines }
end

--- A random level: rows of cells { rock =, ball =, goal = } and its text.
local function draw(rng)
  local width, height = rng:integer(2, 4), rng:integer(2, 4)
  local cells, free = {}, {}
  for i = 1, width * height do cells[i], free[i] = {}, i end
  rng:shuffle(free)
  local balls, colours = rng:integer(1, 4), rng:integer(1, 3)
  if balls > #free - 1 then balls = #free - 1 end
  for i = 1, balls do
    local colour = ("abc"):sub(rng:integer(1, colours)):sub(1, 1)
    cells[free[i]].ball = colour
    local goal = rng:integer(1, #cells)
    while cells[goal].goal do goal = rng:integer(1, #cells) end
    cells[goal].goal = colour:upper()
  end
  for _, cell in ipairs(cells) do cell.rock = not cell.ball and not cell.goal and rng:chance(0.25) end
  local lines = {}
  for y = 1, height do
    local words = {}
    for x = 1, width do
      local cell = cells[(y - 1) * width + x]
      words[x] = cell.rock and "#" or (cell.ball or "") .. (cell.goal or "")
      if words[x] == "" then words[x] = "." end
    end
    lines[y] = table.concat(words, " ")
  end
  return { width = width, height = height, cells = cells, nearest = {} }, table.concat(lines, "\n") .. "\n"
end

local steps = { { "U", 0, -1 }, { "L", -1, 0 }, { "D", 0, 1 }, { "R", 1, 0 } }

--- Where the balls are after a move: those in front go first, each into a cell that is free by then.
local function moved(level, balls, dx, dy)
  local order, taken, result = {}, {}, {}
  for i, ball in ipairs(balls) do
    order[i], taken[ball.y * level.width + ball.x] = i, true
  end
  table.sort(order, function(a, b) return balls[a].x * dx + balls[a].y * dy > balls[b].x * dx + balls[b].y * dy end)
  for _, i in ipairs(order) do
    local x, y = balls[i].x + dx, balls[i].y + dy
    local inside = x >= 0 and y >= 0 and x < level.width and y < level.height
    local free = inside and not level.cells[y * level.width + x + 1].rock and not taken[y * level.width + x]
    if free then
      taken[balls[i].y * level.width + balls[i].x], taken[y * level.width + x] = nil, true
      result[i] = { x = x, y = y, colour = balls[i].colour }
    else
      result[i] = balls[i]
    end
  end
  return result
end

--- Sum of the distances to the nearest goals; `level.nearest` keeps that of a ball of a colour at a place.
local function distance(level, balls)
  local sum = 0
  for _, ball in ipairs(balls) do
    local place = ball.colour .. ball.y * level.width + ball.x
    local nearest = level.nearest[place] or math.huge
    for i, cell in ipairs(level.nearest[place] and {} or level.cells) do
      if cell.goal == ball.colour:upper() then
        nearest = math.min(nearest, math.abs((i - 1) % level.width - ball.x) + math.abs((i - 1) // level.width - ball.y))
      end
    end
    level.nearest[place] = nearest
    sum = sum + nearest
  end
  return sum
end

local function key(balls)
  local places = {}
  for i, ball in ipairs(balls) do places[i] = ball.colour .. ball.x .. ball.y end
  table.sort(places)
  return table.concat(places)
end

--- Level by level through all that can be reached: the first shortest solution, their number, counterintuitive moves.
local function brute_force(level)
  local start = {}
  for i, cell in ipairs(level.cells) do
    if cell.ball then table.insert(start, { x = (i - 1) % level.width, y = (i - 1) // level.width, colour = cell.ball }) end
  end
  local seen, layer = { [key(start)] = true }, { { balls = start, path = "", ways = 1, counter = 0, off = distance(level, start) } }
  while #layer > 0 do
    local first, ways, next_layer, by_key = nil, 0, {}, {}
    for _, state in ipairs(layer) do
      if state.off == 0 then
        first = first or state
        ways = ways + state.ways
      end
    end
    if first then return { path = first.path, solutions = ways, counterintuitive = first.counter } end
    for _, state in ipairs(layer) do
      for _, step in ipairs(steps) do
        local balls = moved(level, state.balls, step[2], step[3])
        local name = key(balls)
        if by_key[name] then
          by_key[name].ways = by_key[name].ways + state.ways
        elseif not seen[name] then
          local off = distance(level, balls)
          seen[name] = true
          by_key[name] = { balls = balls, path = state.path .. step[1], ways = state.ways, off = off,
            counter = state.counter + (off > state.off and 1 or 0) }
          table.insert(next_layer, by_key[name])
        end
      end
    end
    layer = next_layer
  end
end

local informed = {}
for name, value in pairs(move.search) do informed[name] = name == "informed" or value end

--- Natively and in Lua, with the heuristic and without, within a limit and without, all that a search says is the same; the
--- heuristic is admissible, and what it leaves out is in no solution.
local function check_searches(level, expected)
  for _, spec in ipairs { move.search, informed } do
    for _, states in ipairs { 20, 100000 } do verification.run(spec, level, { states = states }) end
  end
  local solution = search.solve(informed, level, { count = true })
  luaunit.assertEquals(solution.status, expected and "solved" or "unsolvable")
  if expected then
    luaunit.assertEquals({ table.concat(solution.moves), solution.solutions }, { expected.path, expected.solutions })
  end
end

function Move.test_a_thousand_levels_by_brute_force()
  long.leave_out()
  local solved, count = 0, long.choose(50, 1000)
  for stream = 1, count do
    local plain, text = draw(random.new(42, stream))
    local level = level_of(text)
    local expected = brute_force(plain)
    local row, solution = move:measure(level, move:choose { "moves", "counterintuitive", "directions" }, { count = true })
    if expected then
      solved = solved + 1
      luaunit.assertEquals(solution.text, expected.path, text)
      local directions = 0
      for letter in ("ULDR"):gmatch "." do directions = directions + (expected.path:find(letter) and 1 or 0) end
      luaunit.assertEquals({ row.moves, row.counterintuitive, row.directions, solution.solutions },
        { #expected.path, expected.counterintuitive, directions, expected.solutions }, text)
    else
      luaunit.assertEquals({ solution.status, row.moves }, { "unsolvable" }, text)
    end
    luaunit.assertEquals(move:text(level), move:text(level_of(move:text(level))))
    if stream % 25 == 0 then check_searches(level, expected) end
  end
  luaunit.assertTrue(solved > 0.4 * count and solved < count)
end

function Move.test_measures()
  local level = level_of "a  .  #\n.  bB A\n#  B  b\n"
  local row = move:measure(level, move:choose { "size", "balls", "colours", "rocks" }, {})
  luaunit.assertEquals(row, { size = 9, balls = 3, colours = 2, rocks = 2 })
  luaunit.assertEquals(move:text(level), "a  .  #\n.  bB A\n#  B  b\n")
end

function Move.test_bad_levels()
  for text, message in pairs {
    ["a A\n. q!\n"] = "level.txt:2: column 3: found 'q!', expected '.', '#', a ball such as 'a', a goal such as 'A', or both",
    ["a A\n.\n"] = "level.txt:2: found 1 column, expected 2 as in line 1",
    ["a A\n. . .\n"] = "level.txt:2: found 3 columns, expected 2 as in line 1",
    ["a a\n. A\n"] = "level.txt:1: column 1: found 2 of ball 'a' and 1 of its goal, expected a goal for every ball",
    ["A #\n. .\n"] = "level.txt:1: found no ball, expected some",
  } do
    local ok, problem = pcall(level_of, text)
    luaunit.assertFalse(ok)
    luaunit.assertEquals(problem.message, message)
  end
end

return { Move = Move }
