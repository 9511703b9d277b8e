-- Tests of games/dungeongrams.lua against a search that shares nothing with it: the rules one by one over rows of
-- characters, states as strings.
local game = require "crux.game.game"
local long = require "long"
local loss = require "crux.search.loss"
local luaunit = require "luaunit"
local means = require "crux.game.mean"
local random = require "libcrux.random"
local search = require "crux.search.search"
local shell = require "shell"

local dungeongrams = game.load "games/dungeongrams.lua"

local spec = dungeongrams.search
local blind = { moves = spec.moves, state = spec.state, start = spec.start, step = spec.step }

local DungeonGrams = {}

---@class Plain            a level as its rows
---@field rows string[][]  characters
---@field width integer
---@field height integer
---@field stamina integer  at the start
---@field most integer     stamina that one can have
---@field food integer     stamina that food adds

--- The level of a text, as the script has it and plainly; without `erased` tiles.
local function levels_of(text, notes)
  local lines, plain = {}, { rows = {}, stamina = 40, most = 40, food = 25 }
  for line in text:gmatch "[^\n]+" do
    local row = {}
    for character in line:gmatch "." do table.insert(row, character) end
    table.insert(plain.rows, row)
    table.insert(lines, #lines + 1)
  end
  plain.width, plain.height = #plain.rows[1], #plain.rows
  notes = notes or {}
  plain.stamina, plain.most = math.tointeger(notes.stamina) or 40, math.tointeger(notes["most-stamina"]) or 40
  plain.food = math.tointeger(notes.food) or 25
  return dungeongrams:level { name = "level", path = "level.txt", text = text, lines = lines, notes = notes }, plain
end

local known = setmetatable({}, { __mode = "k" }) -- by rows and character, what places has found

--- Places of a character in reading order, as { y, x }.
local function places(plain, character)
  known[plain.rows] = known[plain.rows] or {}
  local list = known[plain.rows][character] or {}
  for y, row in ipairs(known[plain.rows][character] and {} or plain.rows) do
    for x, found in ipairs(row) do
      if found == character then table.insert(list, { y, x }) end
    end
  end
  known[plain.rows][character] = list
  return list
end

local function without(plain, characters)
  local copy = { rows = {} }
  for name, value in pairs(plain) do copy[name] = copy[name] or value end
  for y, row in ipairs(plain.rows) do
    copy.rows[y] = {}
    for x, character in ipairs(row) do copy.rows[y][x] = characters:find(character, 1, true) and "-" or character end
  end
  return copy
end

local directions = { { ".", 0, 0 }, { "U", -1, 0 }, { "L", 0, -1 }, { "D", 1, 0 }, { "R", 0, 1 } }

--- A turn, by the rules' text. Returns "won", "lost" or nil.
local function act(plain, state, dy, dx)
  local function tile(y, x) return plain.rows[y] and plain.rows[y][x] or "X" end
  local function name(y, x) return y * 100 + x end
  local function touches()
    for _, enemy in ipairs(state.enemies) do
      if enemy.y == state.y and enemy.x == state.x then return true end
    end
    return tile(state.y, state.x) == "^"
  end
  local switches_left = false
  for _, place in ipairs(places(plain, "*")) do switches_left = switches_left or not state.gone[name(place[1], place[2])] end
  local to = tile(state.y + dy, state.x + dx)
  local is_blocked = to == "X" or to == "/" or to == "\\" or to == "O" and switches_left
  if not is_blocked then state.y, state.x = state.y + dy, state.x + dx end
  local is_dead, here, place = touches(), tile(state.y, state.x), name(state.y, state.x)
  local has_won = not is_dead and here == "O"
  if (here == "*" or here == "&") and not state.gone[place] then
    state.gone[place] = true
    if here == "&" then state.stamina = math.min(state.stamina + plain.food, plain.most) end
  end
  state.turn = state.turn + 1
  for i, enemy in ipairs(state.turn % 2 == 0 and state.enemies or {}) do
    local goal_y, goal_x = enemy.home_y, enemy.home_x
    if math.sqrt((state.y - goal_y) ^ 2 + (state.x - goal_x) ^ 2) <= 3 then goal_y, goal_x = state.y, state.x end
    local rows, columns = goal_y - enemy.y, goal_x - enemy.x
    local by_row = { rows > 0 and 1 or rows < 0 and -1 or 0, 0 }
    local by_column = { 0, columns > 0 and 1 or columns < 0 and -1 or 0 }
    local tries = { by_column, by_row }
    local is_even = (enemy.y + enemy.x) % 2 == 0
    if math.abs(rows) > math.abs(columns) or math.abs(rows) == math.abs(columns) and is_even then tries = { by_row, by_column } end
    for _, try in ipairs(tries) do
      local y, x = enemy.y + try[1], enemy.x + try[2]
      local there = tile(y, x)
      local is_free = there == "-" or there == "@" or there == "#" or (there == "*" or there == "&") and state.gone[name(y, x)]
      for k, other in ipairs(state.enemies) do
        if k ~= i and other.y == y and other.x == x then is_free = false end
      end
      if is_free and (y ~= enemy.y or x ~= enemy.x) then
        enemy.y, enemy.x = y, x
        break
      end
    end
  end
  is_dead = is_dead or touches()
  state.stamina = state.stamina - 1
  if has_won then return "won" end
  if is_dead or state.stamina == 0 then return "lost" end
end

local function copy_of(state)
  local copy = { y = state.y, x = state.x, stamina = state.stamina, turn = state.turn, gone = {}, enemies = {} }
  for place in pairs(state.gone) do copy.gone[place] = true end
  for i, enemy in ipairs(state.enemies) do
    copy.enemies[i] = { y = enemy.y, x = enemy.x, home_y = enemy.home_y, home_x = enemy.home_x }
  end
  return copy
end

local function key(state)
  local parts, gone = { state.y, state.x, state.stamina, state.turn % 2 }, {}
  for place in pairs(state.gone) do table.insert(gone, place) end
  table.sort(gone)
  table.insert(parts, table.concat(gone, "/"))
  for _, enemy in ipairs(state.enemies) do table.insert(parts, enemy.y .. ":" .. enemy.x) end
  return table.concat(parts, " ")
end

--- The first state; the player is on another tile where the plain level has something else on his own.
local function start_of(plain, player)
  player = player or places(plain, "@")[1]
  local start = { y = player[1], x = player[2], stamina = plain.stamina, turn = 0, gone = {}, enemies = {} }
  for i, home in ipairs(places(plain, "#")) do
    start.enemies[i] = { y = home[1], x = home[2], home_y = home[1], home_x = home[2] }
  end
  return start
end

--- The first of the shortest solutions by going through all that can be reached: its actions, tiles and stamina left.
local function brute_force(plain)
  local start = start_of(plain)
  local queue, seen = { { state = start, actions = "" } }, { [key(start)] = true }
  local head = 1
  while queue[head] do
    local from = queue[head]
    head = head + 1
    for _, direction in ipairs(directions) do
      local state = copy_of(from.state)
      local outcome = act(plain, state, direction[2], direction[3])
      local entry = { state = state, actions = from.actions .. direction[1], from = from }
      if outcome == "won" then
        local tiles, at = {}, entry
        while at do
          table.insert(tiles, 1, { at.state.y, at.state.x })
          at = at.from
        end
        return { actions = entry.actions, tiles = tiles, stamina = state.stamina, states = #queue }
      elseif not outcome then
        local name = key(state)
        if not seen[name] then table.insert(queue, entry) end
        seen[name] = true
      end
    end
  end
  return { states = #queue }
end

local function jaccard(a, b)
  local both, either, of_a = 0, 0, {}
  local seen = {}
  for _, tile in ipairs(a.tiles) do of_a[tile[1] .. "," .. tile[2]] = true end
  for _, tile in ipairs(b.tiles) do seen[tile[1] .. "," .. tile[2]] = true end
  for name in pairs(of_a) do both, either = both + (seen[name] and 1 or 0), either + 1 end
  for name in pairs(seen) do either = either + (of_a[name] and 0 or 1) end
  return both / either
end

--- As the text of the study has it; `is_narrow`: as its program does.
local function proximity(plain, tiles, character, is_narrow)
  local sum, most = 0, is_narrow and 2 or 3
  for _, tile in ipairs(tiles) do
    for y = tile[1] - 3, tile[1] + most do
      for x = tile[2] - 3, tile[2] + most do
        local found = plain.rows[y] and plain.rows[y][x] == character
        if found and not (is_narrow and (y == tile[1] or x == tile[2])) then sum = sum + 1 / math.max(1, math.abs(y - tile[1]) + math.abs(x - tile[2])) end
      end
    end
  end
  return sum / #tiles
end

local function percent(a, b)
  if a == b then return 0 end
  return math.abs(a - b) / ((a + b) / 2)
end

--- What all measures are; those of a solution only when there is one.
local function measures_of(plain)
  local cells = plain.width * plain.height
  local function count(characters)
    local n = 0
    for character in characters:gmatch "." do n = n + #places(plain, character) end
    return n
  end
  local row = { density = count "X/\\^" / cells, leniency = count "#^*" / cells, food_density = count "&" / cells }
  local found = brute_force(plain)
  if not found.actions then return row, found end
  local calm, bare = brute_force(without(plain, "#^")), brute_force(without(plain, "#^*"))
  row.length, row.length_no_enemies, row.length_nothing = #found.actions, #calm.actions, #bare.actions
  row.path_no_enemies, row.path_nothing = #found.tiles - #calm.tiles, #found.tiles - #bare.tiles
  row.jaccard_no_enemies, row.jaccard_nothing = jaccard(found, calm), jaccard(found, bare)
  for name, character in pairs { enemies = "#", food = "&" } do
    row["proximity_to_" .. name] = proximity(plain, found.tiles, character)
    row["narrow_proximity_to_" .. name] = proximity(plain, found.tiles, character, true)
  end
  row.jaccard_distance_no_enemies, row.jaccard_distance_nothing = 1 - row.jaccard_no_enemies, 1 - row.jaccard_nothing
  row.stamina_percent_enemies = percent(found.stamina, calm.stamina)
  row.stamina_percent_nothing = percent(found.stamina, bare.stamina)
  row.solvable = 1
  return row, found
end

--- The measures of the script, without those that crux adds to every search.
local function all_measures()
  local names = {}
  for _, measure in ipairs(dungeongrams.measures) do
    if not measure.is_added then table.insert(names, measure.name) end
  end
  return dungeongrams:choose(names)
end

local function assert_measured(level, plain, text)
  local expected, found = measures_of(plain)
  local row, solution = dungeongrams:measure(level, all_measures(), {})
  luaunit.assertEquals(solution.text, found.actions, text)
  luaunit.assertEquals(solution.status, found.actions and "solved" or "unsolvable", text)
  for name, value in pairs(expected) do luaunit.assertAlmostEquals(row[name], value, 1e-12, name .. "\n" .. text) end
  for name in pairs(row) do luaunit.assertNotNil(expected[name], name) end
  luaunit.assertEquals(search.solve(blind, level).states, found.states, text)
  luaunit.assertEquals({ solution.untraced, solution.program.lane_bits }, { nil, 16 }, text)
  return found.actions, row
end

--- The same for a text. Returns the actions and the measures.
local function assert_measured_of(text, notes)
  local level, plain = levels_of(text, notes)
  return assert_measured(level, plain, text)
end

--- A random level as text and notes.
local function draw(rng, most_side, most_enemies)
  local width, height = rng:integer(2, most_side), rng:integer(2, most_side)
  local cells = {}
  for i = 1, width * height do cells[i] = rng:chance(0.15) and rng:pick { "X", "/", "\\", "^" } or "-" end
  local order = {}
  for i = 1, #cells do order[i] = i end
  rng:shuffle(order)
  local things = { "@", "O" }
  for _ = 1, rng:integer(0, most_enemies) do table.insert(things, "#") end
  for _ = 1, rng:integer(0, 2) do table.insert(things, "*") end
  for _ = 1, rng:integer(0, 2) do table.insert(things, "&") end
  for i, thing in ipairs(things) do
    if order[i] then cells[order[i]] = thing end
  end
  local rows = {}
  for y = 1, height do rows[y] = table.concat(cells, "", (y - 1) * width + 1, y * width) end
  local most = rng:integer(4, 14)
  return table.concat(rows, "\n") .. "\n",
    { stamina = tostring(rng:integer(3, most)), ["most-stamina"] = tostring(most), food = tostring(rng:integer(1, 9)) }
end

function DungeonGrams.test_random_levels_by_brute_force()
  local solved, count, longest = 0, long.choose(60, 250), 0
  for stream = 1, count do
    local text, notes = draw(random.new(5, stream), 6, 3)
    local level, plain = levels_of(text, notes)
    local actions = assert_measured(level, plain, text)
    solved, longest = solved + (actions and 1 or 0), math.max(longest, #(actions or ""))
    local again = dungeongrams:text(level)
    luaunit.assertStrContains(again, text)
  end
  luaunit.assertTrue(solved > count / 3 and solved < count and longest > 8, ("%d, %d"):format(solved, longest))
end


--- All shortest solutions of a length, as brute_force gives one.
local function all_shortest(plain, length)
  local winning = {}
  local function wins(state, left) -- in exactly this number of actions
    local name = left .. " " .. key(state)
    for _, direction in ipairs(winning[name] == nil and left > 0 and directions or {}) do
      local after = copy_of(state)
      local outcome = act(plain, after, direction[2], direction[3])
      if outcome == "won" and left == 1 or not outcome and wins(after, left - 1) then winning[name] = true end
    end
    winning[name] = winning[name] or false
    return winning[name]
  end
  local found = {}
  local function follow(state, tiles)
    tiles = table.move(tiles, 1, #tiles, 1, {})
    table.insert(tiles, { state.y, state.x })
    if #tiles > length then return table.insert(found, { tiles = tiles, stamina = state.stamina }) end
    for _, direction in ipairs(directions) do
      local after = copy_of(state)
      local outcome, left = act(plain, after, direction[2], direction[3]), length - #tiles
      if left == 0 and outcome == "won" or not outcome and wins(after, left) then follow(after, tiles) end
    end
  end
  follow(start_of(plain), {})
  return found
end

--- The mean of a function of two solutions over all pairs, or of one over all.
local function mean(of, list, others)
  local sum, count = 0, 0
  for _, one in ipairs(list) do
    for _, other in ipairs(others or { one }) do sum, count = sum + of(one, other), count + 1 end
  end
  return sum / count
end

--- Compares means with those of all shortest solutions. Returns the number of pairs with solutions of the variant 'nothing',
--- over all of which the means are taken, unless there are more than 10,000.
local function compare_means(text, notes)
  local level, plain = levels_of(text, notes)
  local bare = without(plain, "#^*")
  local first, first_bare = brute_force(plain), brute_force(bare)
  if not first.actions then return 0 end
  local all, others = all_shortest(plain, #first.actions), all_shortest(bare, #first_bare.actions)
  local expected = { length = #first.actions, path_nothing = #first.actions - #first_bare.actions,
    jaccard_nothing = mean(jaccard, all, others),
    stamina_percent_nothing = mean(function(a, b) return percent(a.stamina, b.stamina) end, all, others),
    proximity_to_enemies = mean(function(one) return proximity(plain, one.tiles, "#") end, all),
    proximity_to_food = mean(function(one) return proximity(plain, one.tiles, "&") end, all) }
  local names = {}
  for name in pairs(expected) do table.insert(names, name) end
  local row, solution = dungeongrams:measure(level, dungeongrams:choose(names), { path = "mean" })
  luaunit.assertEquals(means.graph(solution).count, #all, text)
  for name, value in pairs(expected) do
    local is_drawn = #all * #others > 10000 and (name:find "jaccard" or name:find "stamina")
    luaunit.assertAlmostEquals(row[name], value, is_drawn and 0.01 or 1e-9, name .. "\n" .. text)
  end
  return #all * #others
end

function DungeonGrams.test_means_over_all_shortest_solutions()
  local several = 0
  for stream = 1, long.choose(40, 200) do
    several = several + (compare_means(draw(random.new(8, stream), 5, 2)) > 1 and 1 or 0)
  end
  luaunit.assertTrue(several > 10, several)
  luaunit.assertTrue(compare_means "@-----\n------\n--#---\n-----&\n------\n-----O\n" > 10000)
end

--- Squares that can be reached from the player's without crossing walls and spikes, as a table of "row column".
local function reached_from(plain, y, x, reached)
  local tile, name = plain.rows[y] and plain.rows[y][x] or "X", y .. " " .. x
  if reached[name] or ("X/\\^"):find(tile, 1, true) then return reached end
  reached[name] = true
  for _, direction in ipairs(directions) do reached_from(plain, y + direction[2], x + direction[3], reached) end
  return reached
end

--- The level that the study's program searches.
local function as_authors_have_it(plain)
  local copy, player = without(plain, ""), places(plain, "@")[1]
  local reached = reached_from(plain, player[1], player[2], {})
  local right_y, right_x, exit = 0, 0, places(plain, "O")[1]
  for y, row in ipairs(plain.rows) do
    for x, tile in ipairs(row) do
      local is_reached = reached[y .. " " .. x]
      if tile == "*" and not is_reached then copy.rows[y][x] = "-" end
      if is_reached and x >= right_x and not ("#*"):find(tile, 1, true) then right_y, right_x = y, x end
    end
  end
  if not reached[exit[1] .. " " .. exit[2]] then
    copy.rows[exit[1]][exit[2]], copy.rows[right_y][right_x] = "-", "O"
  end
  copy.food = 30
  return copy, player
end

--- The search of the study's authors, with a list as its queue.
local function authors_search(plain)
  local searched, player = as_authors_have_it(plain)
  local exit = places(searched, "O")[1]
  local function left(state, character)
    local list = {}
    for _, place in ipairs(places(searched, character)) do
      if not state.gone[place[1] * 100 + place[2]] then table.insert(list, place) end
    end
    return list
  end
  local function ranks(state, cost) -- the priority, then what decides between equal ones
    local function distance(place) return math.sqrt((place[1] - state.y) ^ 2 + (place[2] - state.x) ^ 2) end
    local switches, enemies, least = left(state, "*"), {}, math.huge
    for i, enemy in ipairs(state.enemies) do enemies[i] = { enemy.y, enemy.x } end
    for _, place in ipairs(switches) do least = math.min(least, distance(place)) end
    local guess = #switches == 0 and distance(exit) or least + #switches * (plain.width + plain.height)
    return { cost - state.stamina + guess, { state.y, state.x }, state.stamina, enemies, state.turn % 2, switches, left(state, "&") }
  end
  local function compare(a, b)
    if type(a) == "number" then return a < b and -1 or a > b and 1 or 0 end
    for i = 1, math.min(#a, #b) do
      local order = compare(a[i], b[i])
      if order ~= 0 then return order end
    end
    return compare(#a, #b)
  end
  local first = { state = start_of(searched, player), actions = "" }
  first.ranks = ranks(first.state, 0)
  local queue, cost = { first }, { [key(first.state)] = 0 }
  while #queue > 0 do
    local best = 1
    for i = 2, #queue do
      if compare(queue[i].ranks, queue[best].ranks) < 0 then best = i end
    end
    local from = table.remove(queue, best)
    if from.is_won then return from end
    for _, direction in ipairs(#from.actions == cost[key(from.state)] and directions or {}) do
      local state = copy_of(from.state)
      local outcome = act(searched, state, direction[2], direction[3])
      local name, actions = key(state) .. (outcome or ""), from.actions .. direction[1]
      if outcome ~= "lost" and #actions < (cost[name] or math.huge) then
        cost[name] = #actions
        table.insert(queue, { state = state, actions = actions, is_won = outcome == "won", ranks = ranks(state, #actions) })
      end
    end
  end
end

function DungeonGrams.test_paths_of_the_authors()
  local longer, count, names = 0, 0, dungeongrams:choose { "length", "solvable" }
  for stream = 1, long.choose(40, 300) do
    local text, notes = draw(random.new(9, stream), 6, 2)
    local level, plain = levels_of(text, notes)
    local expected = authors_search(plain)
    local row, solution = dungeongrams:measure(level, names, { path = "authors", way = true })
    luaunit.assertEquals(solution.text, expected and expected.actions, text)
    luaunit.assertEquals(row.length, expected and #expected.actions, text)
    if expected then
      luaunit.assertEquals(solution.way[#solution.way].stamina, expected.state.stamina, text)
      local shortest = brute_force(plain).actions
      count, longer = count + 1, longer + (shortest and #expected.actions > #shortest and 1 or 0)
    end
  end
  luaunit.assertTrue(count > 20 and longer > 0, ("%d, %d"):format(count, longer))
end

--- Causes of losses, the first in order of names where there are two.
function DungeonGrams.test_causes_of_losses()
  for _, case in ipairs {
    { "@^O\n", "R", "spike" }, { "@#O\n", "R", "enemy" }, { "@--O\n", "RR", "stamina", { stamina = "2" } },
    { "@^O\n", "R", "spike", { stamina = "1" } }, { "@#O\n", "R", "enemy", { stamina = "1" } },
    { "@-#O\n", "....", "enemy" }, { "@-O\n", "R" },
  } do
    local level = levels_of(case[1], case[4])
    local state, lost = dungeongrams.search.start(level), nil
    for move in case[2]:gmatch "." do lost = select(2, dungeongrams.search.step(state, move, level)) end
    luaunit.assertEquals(loss.cause(lost), case[3] or false, case[1])
  end
end

--- Both ways of running the script tell the same, statistics included.
function DungeonGrams.test_native_as_interpreted()
  for stream = 1, long.choose(60, 300) do
    local level = levels_of(draw(random.new(6, stream), 5, 3))
    local options = { count = stream % 2 == 0, engine = "interpreted" }
    local plain = search.solve(dungeongrams.search, level, options)
    options.engine = "native"
    local traced = search.solve(dungeongrams.search, level, options)
    luaunit.assertEquals({ traced.untraced, traced.program ~= nil }, { nil, true })
    traced.program = nil
    luaunit.assertEquals(traced, plain)
  end
end

function DungeonGrams.test_twelve_enemies()
  long.only()
  local text = "@---------\n----------\n-*--X---&-\n----^-----\n----------\n##-#-#-#--\n#-#-#-#-#-\nO--------#\n"
  local actions = assert_measured_of(text)
  luaunit.assertEquals(actions, ".DDRDRUL.LDRDDDDL")
end

function DungeonGrams.test_sixteen_rows_and_columns()
  local rows = {}
  for y = 1, 16 do rows[y] = y <= 2 and ("-"):rep(16) or ("X"):rep(14) .. "--" end
  rows[1] = "@------#------*-"
  rows[9] = ("X"):rep(14) .. "#-"
  rows[16] = ("X"):rep(14) .. "-O"
  luaunit.assertTrue(#assert_measured_of(table.concat(rows, "\n") .. "\n") >= 30)
end

-- Forty tiles from the start: the last of the stamina pays the step that wins, and with one less there is no way.
function DungeonGrams.test_a_win_stands()
  local rows = { "@" .. ("-"):rep(20), ("X"):rep(20) .. "-", ("-"):rep(21), "XXXO" .. ("X"):rep(17) }
  local text = table.concat(rows, "\n") .. "\n"
  local actions, row = assert_measured_of(text)
  luaunit.assertEquals({ actions, row.stamina_percent_enemies }, { ("R"):rep(20) .. "DD" .. ("L"):rep(17) .. "D", 0 })
  luaunit.assertNil(assert_measured_of(text, { stamina = "39" }))
end

function DungeonGrams.test_hand_made_levels()
  for _, case in ipairs {
    { "@O\n", "R" },
    { "@-O\n", "RR" },
    { "@*O\n", "RR" },
    { "@O*\n", nil }, -- the exit is closed and in the way
    { "@^O\n", nil },
    { "@^O\n---\n", "DRRU" },
    { "@-O\n", nil, { stamina = "1" } },
    { "@-O\n", "RR", { stamina = "2" } },
    { "@-&-O\n", "RRRR", { stamina = "3", food = "1" } },
    { "@-&--O\n", "RRRRR", { stamina = "3", food = "9" } },
    { "@-&--O\n", nil, { stamina = "3", ["most-stamina"] = "3", food = "9" } },
    { "@-#\nO--\n", "D" },
    -- The enemy comes in the second turn, to the left as it must; waiting does not help.
    { "@--#\nXXX-\nXXXO\n", nil },
    { "-@--#O\n", nil },
    -- It goes back home once the player is far, so that the way is free again.
    { "@-------\nXXXXXXX-\n#------O\n", "RRRRRRRDD" },
  } do
    local actions = assert_measured_of(case[1], case[3])
    luaunit.assertEquals(actions, case[2], case[1])
  end
end

local function problem_of(text, notes)
  local ok, problem = pcall(levels_of, text, notes)
  luaunit.assertFalse(ok, text)
  return problem.message
end

function DungeonGrams.test_bad_levels()
  local many = ("*"):rep(29) .. "-\n@" .. ("&"):rep(29) .. "\n&O" .. ("-"):rep(28) .. "\n"
  local crowd = (("#"):rep(32) .. "\n"):rep(2) .. "@O" .. ("-"):rep(30) .. "\n"
  for _, case in ipairs {
    { "@-\n-O\n-@\n", "level.txt:3: column 2: found a second player, expected one" },
    { "@O\nO-\n", "level.txt:2: column 1: found a second exit, expected one" },
    { "-O\n", "level.txt:1: found no player, expected '@'" },
    { "-@\n", "level.txt:1: found no exit, expected 'O'" },
    { "@O\n-?\n", "level.txt:2: column 2: found '?', expected one of - X / \\ ^ # * & @ O" },
    { "@-O\n--\n", "level.txt:2: found 2 columns, expected 3 as in line 1" },
    { many, "level.txt:3: column 1: found 30 foods, expected 0 to 29" },
    { many:gsub("[&*]", { ["&"] = "*", ["*"] = "-" }), "level.txt:3: column 1: found 30 switches, expected 0 to 29" },
    { crowd, "level.txt:2: column 31: found 64 enemies, expected 0 to 62" },
    { ("-"):rep(65) .. "\n", "level.txt:1: found more than 64 columns, expected at most 64" },
    { "@O\n", "level.txt:1: stamina: found 'x', expected an integer from 1 to 40", { stamina = "x" } },
    { "@O\n", "level.txt:1: food: found '0', expected an integer from 1 to 999", { food = "0" } },
    { "@O\n", "level.txt:1: stamina: found '41', expected an integer from 1 to 40", { stamina = "41" } },
    { "@O\n", "level.txt:1: stamina: found 40, expected an integer from 1 to 30", { ["most-stamina"] = "30" } },
  } do
    luaunit.assertEquals(problem_of(case[1], case[3]), case[2])
  end
end

-- As many things and enemies as there are bits: lanes are wider then, the result is not.
function DungeonGrams.test_at_the_limits()
  local rows = { "@**O" .. ("-"):rep(28), ("X"):rep(32), ("*"):rep(27) .. "-----", ("&"):rep(29) .. "---" }
  for y = 5, 10 do rows[y] = ("-#"):rep(y < 10 and 11 or 7):sub(1, 32) .. ("-"):rep(y < 10 and 10 or 18) end
  local level = levels_of(table.concat(rows, "\n") .. "\n")
  luaunit.assertEquals({ #level.switch, #level.food, #level.aims }, { 29, 29, 62 })
  local solution = dungeongrams:solution(level, { states = 10000 })
  luaunit.assertEquals({ solution.text, solution.untraced, solution.program.lane_bits }, { nil, nil, 64 })
end

function DungeonGrams.test_notes_and_text()
  local text = "; stamina: 7\n; food: 3\n; most-stamina: 9\n@-&\n\\X/\n#^O\n*--\n"
  local result = shell.crux("solve dungeongrams " .. shell.file("notes.txt", "; one\n" .. text))
  luaunit.assertStrContains(result.out, "one\n; food: 3\n; most-stamina: 9\n; stamina: 7\n@-&\n\\X/\n#^O\n*--\nno solution")
end

function DungeonGrams.test_drawing_states()
  local level = levels_of "@*&O\n-^-#\n"
  local state = dungeongrams.search.start(level)
  luaunit.assertEquals(dungeongrams:drawing(level), "@*&O\n-^-#\n")
  local drawings = {}
  for i, move in ipairs { "R", "R", "." } do
    dungeongrams.search.step(state, move, level)
    drawings[i] = dungeongrams:drawing(level, nil, state)
  end
  luaunit.assertEquals(drawings, { "-@&O\n-^-#\nstamina 39\n", "--@O\n-^#-\nstamina 39\n", "--@O\n-^#-\nstamina 38\n" })
  dungeongrams.search.step(state, "D", level)
  luaunit.assertEquals(dungeongrams:drawing(level, nil, state), "---O\n-^#-\nstamina 37\n")
end

-- Solved levels of all kinds in one file, measured on one thread and on two.
function DungeonGrams.test_jobs()
  local texts = {}
  for stream = 1, 12 do texts[stream] = ("; %d\n%s"):format(stream, (draw(random.new(7, stream), 6, 3))) end
  local path = shell.file("jobs.txt", table.concat(texts, "\n"))
  local one, two = shell.crux(("measure dungeongrams %s --jobs 1"):format(path)), shell.crux(("measure dungeongrams %s --jobs 2"):format(path))
  luaunit.assertEquals(two, one)
  luaunit.assertStrMatches(one.out, "level,length,path_no_enemies,path_nothing,jaccard_no_enemies,jaccard_nothing,"
    .. "proximity_to_enemies,proximity_to_food,stamina_percent_enemies,stamina_percent_nothing,density,leniency,food_density\n.*")
  luaunit.assertStrContains(one.err, ": no solution exists\n")
end

function DungeonGrams.test_rule()
  local rated = shell.crux("rate roguelike-difficulty " .. shell.file("rated.txt", "; one\n@--O\n"))
  luaunit.assertEquals(rated.out, "level,rating\none,3.4536071553491157\n") -- 3.7837425663543365 - 0.33013541100522065
end

return DungeonGrams
