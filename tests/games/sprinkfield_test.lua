-- Tests of Sprinkfield: measures against a reference that shares no code with the game, the two rules against the makers'
-- formulas, bad levels, generated levels, and ratings from level files end to end.
local game = require "crux.game.game"
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local sprinkfield = game.load "sprinkfield"

--- The reference: a level as rows of text; a rectangle as { x1, y1, x2, y2 }.
local Reference = {}
Reference.__index = Reference

local function reference_of(rows) return setmetatable({ rows = rows, width = #rows[1], height = #rows }, Reference) end

function Reference:tile(x, y)
  local row = self.rows[y]
  local tile = row and row:sub(x, x) or ""
  return tile ~= "" and x >= 1 and tile or "#"
end

function Reference:count(pattern) return select(2, table.concat(self.rows):gsub(pattern, "")) end

local function area(r) return (r[3] - r[1] + 1) * (r[4] - r[2] + 1) end

--- All rectangles without a rock: larger, then wider ones, then those whose first field comes first in reading order.
function Reference:rectangles()
  local all = {}
  for y1 = 1, self.height do
    for x1 = 1, self.width do
      for y2 = y1, self.height do
        for x2 = x1, self.width do
          local clear = true
          for y = y1, y2 do
            for x = x1, x2 do clear = clear and self:tile(x, y) ~= "#" end
          end
          if clear then table.insert(all, { x1, y1, x2, y2 }) end
        end
      end
    end
  end
  local function rank(r) return ((1000 - area(r)) * 100 + 50 - (r[3] - r[1])) * 10000 + r[2] * 100 + r[1] end
  table.sort(all, function(a, b) return rank(a) < rank(b) end)
  return all
end

local function within(r, x, y) return x >= r[1] and x <= r[3] and y >= r[2] and y <= r[4] end

--- All solutions, moves in the order of their first fields: how few moves, how many solutions, the first of them.
function Reference:solve(rectangles)
  local best, moves = nil, {}
  local function open(x, y)
    if self:tile(x, y) == "#" then return false end
    for _, r in ipairs(moves) do
      if within(r, x, y) then return false end
    end
    return true
  end
  local function extend()
    for y = 1, self.height do
      for x = 1, self.width do
        if open(x, y) then
          for _, r in ipairs(rectangles) do
            local fits = r[1] == x and r[2] == y
            for yy = r[2], r[4] do
              for xx = r[1], r[3] do fits = fits and open(xx, yy) end
            end
            if fits then
              table.insert(moves, r)
              extend()
              table.remove(moves)
            end
          end
          return
        end
      end
    end
    if not best or #moves < #best.moves then best = { count = 0, moves = { table.unpack(moves) } } end
    if #moves == #best.moves then best.count = best.count + 1 end
  end
  extend()
  return best
end

--- The moves that the search of src/puzzle/exact_cover.h lays until it meets a solution with the fewest, by its description alone.
function Reference:nodes(rectangles)
  local fields, nodes, needs = {}, 0, {}
  for y = 1, self.height do
    for x = 1, self.width do
      if self:tile(x, y) ~= "#" then table.insert(fields, { x, y }) end
    end
  end
  local function key(left)
    local bits = {}
    for i = 1, #fields do bits[i] = left[i] and "1" or "0" end
    return table.concat(bits)
  end
  local function covers(r, i) return within(r, fields[i][1], fields[i][2]) end
  -- For each field that is left: the rectangles of fields that are left which cover it.
  local function options_of(left)
    local options = {}
    for i = 1, #fields do
      options[i] = {}
      for _, r in ipairs(left[i] and rectangles or {}) do
        local fits = covers(r, i)
        for k = 1, #fields do fits = fits and (left[k] or not covers(r, k)) end
        if fits then table.insert(options[i], r) end
      end
    end
    return options
  end
  local function scarcest(set, options)
    local found
    for i = 1, #fields do
      if set[i] and (not found or #options[i] < #options[found]) then found = i end
    end
    return found
  end
  local function bound(left, options)
    local apart, need = { table.unpack(left, 1, #fields) }, 0
    while scarcest(apart, options) do
      local picked = scarcest(apart, options)
      for _, r in ipairs(options[picked]) do
        for k = 1, #fields do apart[k] = apart[k] and not covers(r, k) end
      end
      need = need + 1
    end
    return need
  end
  -- Whether the limit will do, and else the least that the fields are known to need.
  local function explore(left, limit)
    local name = key(left)
    if not name:find "1" then return true, 0 end
    if needs[name] and needs[name] > limit then return false, needs[name] end
    local options = options_of(left)
    local need = bound(left, options)
    if need <= limit then
      need = math.huge
      for _, r in ipairs(options[scarcest(left, options)]) do
        local rest = {}
        for k = 1, #fields do rest[k] = left[k] and not covers(r, k) end
        nodes = nodes + 1
        local solved, below = explore(rest, limit - 1)
        if solved then return true end
        need = math.min(need, below + 1)
      end
    end
    needs[name] = need
    return false, need
  end
  local all, limit, solved = {}, 0, false
  for i = 1, #fields do all[i] = true end
  while not solved do
    local need
    solved, need = explore(all, limit)
    limit = need
  end
  return nodes
end

--- All measures.
function Reference:measures()
  local rectangles = self:rectangles()
  local solution, usable = self:solve(rectangles), self:count "[^#]"
  local row = {
    size = self.width * self.height, rocks = self:count "#", ground_area = self:count "[.fs]", fertilised = self:count "f",
    dry_area = self:count "d", pig_free_water = self:count "~", pigs = self:count "p", scarecrows = self:count "s",
    isolated_areas = 0, corner_scarecrows = 0, starting_moves = #rectangles, largest_possible_move = area(rectangles[1]),
    histogram = 0, solution_length = #solution.moves, largest_made_move = 0, largest_move_difference = 0, pig_moves = 0,
    nodes = self:nodes(rectangles), solutions = solution.count,
  }
  for y = 1, self.height do
    for x = 1, self.width do
      local blocked = 0
      for _, at in ipairs { { x - 1, y }, { x + 1, y }, { x, y - 1 }, { x, y + 1 } } do
        if self:tile(at[1], at[2]) == "#" then blocked = blocked + 1 end
      end
      if self:tile(x, y) == "s" and blocked == 4 then row.isolated_areas = row.isolated_areas + 1 end
      if self:tile(x, y) == "s" and blocked <= 1 then row.corner_scarecrows = row.corner_scarecrows + 1 end
      for _, r in ipairs(rectangles) do
        if within(r, x, y) then row.histogram = row.histogram + 1 / usable end
      end
    end
  end
  for _, r in ipairs(solution.moves) do
    row.largest_made_move = math.max(row.largest_made_move, area(r))
    row.largest_move_difference = math.max(row.largest_move_difference, row.largest_possible_move - area(r))
    local pigs = 0
    for y = r[2], r[4] do pigs = pigs + select(2, self.rows[y]:sub(r[1], r[3]):gsub("p", "")) end
    if pigs > 0 then row.pig_moves = row.pig_moves + 1 end
  end
  return row
end

local function measures_of(rows, options)
  return sprinkfield:measure(sprinkfield.parse(table.concat(rows, "\n") .. "\n"), sprinkfield:choose(), options or {})
end

local Measures = {}

function Measures.test_against_the_reference()
  local rng, several, back, count = random.new(11), 0, 0, long.choose(40, 300)
  for _ = 1, count do
    local width, height, rows = rng:integer(1, 5), rng:integer(1, 4), {}
    local open = 0.9 - 0.02 * width * height -- few enough solutions to try all of them
    for y = 1, height do
      local row = {}
      for x = 1, width do row[x] = rng:chance(open) and rng:pick { ".", ".", "d", "f", "~", "s", "p" } or "#" end
      rows[y] = table.concat(row)
    end
    if table.concat(rows):find "[^#]" then
      local found, expected = measures_of(rows), reference_of(rows):measures()
      luaunit.assertAlmostEquals(found.histogram, expected.histogram, 1e-12 * expected.histogram)
      found.histogram = expected.histogram
      luaunit.assertEquals(found, expected, table.concat(rows, "/"))
      several, back = several + (found.solutions > 1 and 1 or 0), back + (found.nodes > found.solution_length and 1 or 0)
    end
  end
  luaunit.assertTrue(several > count / 3 and back > count / 20)
end

-- Counted by hand: of the scarecrows one has nothing but usable fields beside it, the other nothing but rocks and borders.
-- Its own move apart, the rest takes three: one for columns 2 and 3 and two for what is beside them; or one for the square of
-- rows 3 and 4, and two for row 1 and row 2, or for columns 2 to 4 and what is beside them.
function Measures.test_by_hand()
  local row = measures_of { "#.p.#", ".sd~#", "#..##", "#.f#s" }
  luaunit.assertEquals({ row.size, row.rocks, row.ground_area, row.fertilised, row.dry_area, row.pig_free_water, row.pigs },
    { 20, 8, 9, 1, 1, 1, 1 })
  luaunit.assertEquals({ row.scarecrows, row.isolated_areas, row.corner_scarecrows, row.largest_possible_move },
    { 2, 1, 1, 8 })
  luaunit.assertEquals({ row.solution_length, row.largest_made_move, row.largest_move_difference, row.pig_moves,
    row.solutions }, { 4, 8, 7, 1, 3 })
end

function Measures.test_open_board()
  local row = measures_of { "...", "..." }
  luaunit.assertEquals({ row.starting_moves, row.largest_possible_move, row.solution_length, row.solutions, row.nodes },
    { 18, 6, 1, 1, 1 })
  -- all lengths of stretches of three fields add up to 10, of two to 4
  luaunit.assertEquals(row.histogram, 10 * 4 / 6)
end

function Measures.test_limits()
  local rows = { "......#.", ".#......", "...#..#.", "........", "#..#....", ".....#..", "..#.....", "......#." }
  local row, solution = measures_of(rows, { states = 3 })
  luaunit.assertEquals({ solution.status, solution.limit }, { "unknown", "states" })
  luaunit.assertEquals({ row.solution_length, row.nodes, row.solutions, row.pig_moves, row.largest_made_move }, {})
  luaunit.assertEquals(row.rocks, 9)
end

local BadLevels = {}

function BadLevels.test_messages()
  for _, case in ipairs {
    { "..\n.q\n", "bad.txt:2: column 2: found 'q', expected one of . # d f ~ s p" },
    { "; a name\n...\n..\n", "bad.txt:3: found 2 columns, expected 3 as in line 1" },
    { "##\n##\n", "bad.txt:1: found nothing but rocks, expected a square that can be used" },
    { "; empty\n", "bad.txt:1: found no level, expected at least one level" },
    { "", "bad.txt:1: found an empty file, expected at least one level" },
  } do
    shell.file("bad.txt", case[1])
    local result = shell.crux("measure sprinkfield bad.txt", { folder = shell.path "" })
    luaunit.assertEquals({ result.status, result.err }, { 1, case[2] .. "\n1 of 1 level failed\n" })
  end
end

local Rules = {}

--- The makers' second formula, clamp by clamp, from the text of their post.
local function second(m)
  local function clamp(low, x, high) return x < low and low or x > high and high or x end
  local areas = { m.rocks, m.ground_area, m.dry_area, m.pig_free_water }
  table.sort(areas)
  local scores = {
    { 0.3, (clamp(2.0, m.solution_length, 10.0) - 2) / 8 },
    { 0.25, clamp(-math.huge, m.scarecrows - m.isolated_areas + m.pig_moves + m.corner_scarecrows, 11.0) / 11 },
    { 0.125, clamp(-math.huge, m.largest_move_difference, 3.0) / 3 },
    { 0.175, (clamp(3.0, areas[1] + areas[2] + areas[3], 10.0) - 3) / 7 }, -- all but the greatest
    { 0.15, 1 - 1 / (1 + 0.032 * (m.nodes - m.solution_length)) },
  }
  local sum = 0
  for _, score in ipairs(scores) do sum = sum + score[1] * score[2] end
  return 100 * sum * math.sqrt(math.sqrt(9 / (m.solutions + 8)))
end

local function first(m)
  return 4 * m.starting_moves / m.solution_length / (1 + m.largest_possible_move - m.largest_made_move) / m.histogram
end

--- Rows of measures to which a formula gives a number: some at random, others at an edge, before or behind it.
local function rows_of(rng, edges, formula)
  local names, rows = {}, {}
  for name in pairs(edges) do table.insert(names, name) end
  table.sort(names)
  for i = 1, 2000 do
    repeat
      local row = {}
      for _, name in ipairs(names) do
        row[name] = rng:chance(0.7) and rng:pick(edges[name]) or rng:integer(1, 60) + (rng:chance(0.1) and rng:real() or 0)
      end
      rows[i] = row
    until math.abs(formula(row)) < math.huge
  end
  return rows, names
end

--- Compares a rule with a formula on random rows.
local function compare(rule, formula, edges)
  local rows, names = rows_of(random.new(8), edges, formula)
  local lines = { "level," .. table.concat(names, ",") }
  for i, row in ipairs(rows) do
    local cells = { "L" .. i }
    for k, name in ipairs(names) do cells[k + 1] = ("%.17g"):format(row[name]) end
    lines[i + 1] = table.concat(cells, ",")
  end
  local path = shell.file("rows.csv", table.concat(lines, "\n") .. "\n")
  for i, found in ipairs(shell.decoded(("rate %s %s"):format(rule, path))) do
    local expected = formula(rows[i])
    luaunit.assertTrue(math.abs(found.rating - expected) <= 1e-12 * math.max(1, math.abs(expected)), lines[i + 1])
  end
end

function Rules.test_second_formula()
  local counts = { 0, 1, 2, 3, 4, 5, 10, 11, 12 }
  compare("sprinkfield-v2", second, { solution_length = { 0, 1, 2, 3, 6, 9, 10, 11, 30 }, scarecrows = counts,
    isolated_areas = counts, pig_moves = counts, corner_scarecrows = counts, largest_move_difference = { 0, 1, 2, 3, 4, 9 },
    rocks = counts, ground_area = counts, dry_area = counts, pig_free_water = counts, nodes = { 30, 31, 1000, 1e9 },
    solutions = { 1, 2, 100, 1e15 } })
end

function Rules.test_first_formula()
  local sizes = { 1, 2, 3, 10, 49 }
  compare("sprinkfield-v1", first, { starting_moves = { 0, 1, 100, 1e6 }, solution_length = sizes,
    largest_possible_move = { 60, 61, 75 }, largest_made_move = sizes, histogram = { 0.5, 1, 4 / 3, 1e3 } })
end

-- 9 / (1 + 8) = 1, all scores at their ends; the backtrack score 1 - 1 / (0.032 * 31.25 + 1) = 0.5.
function Rules.test_ends_of_the_scale_and_parts()
  local head = "level,solution_length,scarecrows,isolated_areas,pig_moves,corner_scarecrows,largest_move_difference,rocks,"
    .. "ground_area,dry_area,pig_free_water,nodes,solutions\n"
  local path = shell.file("ends.csv", head .. "easy,2,0,0,0,0,0,1,20,1,1,2,1\nhard,10,6,1,3,5,4,10,90,2,1,1e18,1\n"
    .. "half,5,1,1,2,0,1,4,30,2,1,36.25,1\ngap,5,1,1,2,0,1,4,30,2,1,36.25,\n")
  local result = shell.crux("rate sprinkfield-v2 --explain --format csv " .. path)
  local function parts(level, ...)
    local text = ""
    for i, name in ipairs { "solution length score", "free scarecrow score", "move size difference score", "area score",
      "backtrack score", "solution count score", "rating" } do
      text = text .. ("%s,%s,%s\n"):format(level, name, (select(i, ...)))
    end
    return text
  end
  local sum = 0.3 * 0.375 + 0.25 * (2 / 11) + 0.125 / 3 + 0.175 * (4 / 7) + 0.15 * 0.5
  luaunit.assertEquals(result.out, "level,part,value\n" .. parts("easy", 0, 0, 0, 0, 0, 1, 0)
    .. parts("hard", 1, 1, 1, 1, 1, 1, 100) .. parts("half", 0.375, "0.18181818181818182", "0.3333333333333333", "0.5714285714285714", 0.5, 1,
      ("%.16g"):format(100 * sum)) .. "gap,rating,\n")
end

function Rules.test_division_by_zero_names_the_level()
  local head = "level,starting_moves,solution_length,largest_possible_move,largest_made_move,histogram\n"
  for _, row in ipairs { "12,0,4,4,5", "12,3,4,4,0", "12,3,4,5,2", "0,0,4,4,2" } do
    local path = shell.file("zero.csv", head .. "good,12,3,4,4,5\nthe odd one," .. row .. "\n")
    local result = shell.crux("rate sprinkfield-v1 " .. path)
    luaunit.assertEquals({ result.status, result.out }, { 1, "" })
    luaunit.assertStrMatches(result.err, path:gsub("%p", "%%%0")
      .. ":3: level 'the odd one': rule 'sprinkfield%-v1': found [InfNa]+, expected a number\n")
  end
end

local Levels = {}

function Levels.test_from_generated_levels_to_ratings()
  local path = shell.path "fields.txt"
  shell.printed("generate sprinkfield --count 12 --seed 3 -o " .. path)
  local measures = shell.printed("measure sprinkfield --format json " .. path)
  local expected = { ["sprinkfield-v1"] = first, ["sprinkfield-v2"] = second }
  for rule, formula in pairs(expected) do
    local ratings = shell.printed(("rate rules/%s.lua %s --jobs 1"):format(rule, path))
    luaunit.assertEquals(shell.printed(("rate rules/%s.lua %s --jobs 2"):format(rule, path)), ratings)
    local list = {}
    for level, rating in ratings:gmatch "([^\n,]+),([%d.]+)\n" do table.insert(list, { level, tonumber(rating) }) end
    for i, row in ipairs(json.decode(measures)) do
      luaunit.assertEquals(list[i][1], row.level)
      luaunit.assertAlmostEquals(list[i][2], formula(row), 1e-12 * math.max(1, formula(row)))
    end
    luaunit.assertEquals(#list, 12)
  end
end

function Levels.test_at_a_limit_the_rating_is_missing()
  local path = shell.file("hard.txt", "......#\n.#.....\n...#..#\n.......\n#..#...\n.....#.\n..#....\n")
  local result = shell.crux(("rate sprinkfield-v2 --states 3 --format csv " .. path))
  luaunit.assertEquals(result, { status = 0, out = "level,rating\nhard,\n",
    err = path .. ":1: level 'hard': not solved: the limit on states was met\n" .. path
      .. ":1: level 'hard' has no rating: solution_length is missing\n" })
end

function Levels.test_solve()
  local path = shell.file("field.txt", ".p#\n.s.\n")
  luaunit.assertEquals(shell.printed("solve sprinkfield --all " .. path), [[
field
┌───────┐
│ .   p │ #
│       ├───┐
│ .   s │ . │
└───────┴───┘
2 moves: 1,1:2x2 3,2:1x1; 2 shortest solutions
]])
end

return { SprinkfieldMeasures = Measures, SprinkfieldBadLevels = BadLevels, SprinkfieldRules = Rules,
  SprinkfieldLevels = Levels }
