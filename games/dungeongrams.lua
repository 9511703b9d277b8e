-- DungeonGrams: press all switches and reach the exit before the stamina is used up; enemies and spikes kill.
local abs, any, eq, ge, lookup, lt = crux.abs, crux.any, crux.eq, crux.ge, crux.lookup, crux.lt
local ne, none, sgn, where, grid = crux.ne, crux.none, crux.sgn, crux.where, crux.grid

-- The bits of a tile, by the things on it; from bit SWITCH on there is one for each switch, and behind these one for each food.
local WALL, SPIKE, EXIT, SWITCH = 1, 2, 4, 3

local SIGHT = 3 -- how far from its home an enemy sees the player
local FAR = 2000 -- moves to where no way leads
local AUTHORS_FOOD = 30 -- what food adds in the program of the study; 25 in its text

-- The numbers of the squares with a thing, in reading order; of those alone whose bits are set, if given.
local function squares_of(level, thing, bits)
  local squares = {}
  for x, y in level[thing]:cells() do
    if not bits or any(bits & 1) then table.insert(squares, grid.number(level, x, y)) end
    bits = bits and bits >> 1
  end
  return squares
end

local function board_of(level, squares)
  local places = {}
  for i, square in ipairs(squares) do places[i] = { grid.place(level, square) } end
  return crux.cells(level.width, level.height, places)
end

-- By square, the moves to the cells of a board at least, with some to go from there.
local function ways(level, to, free, onward)
  local distances = to:distances(free)
  return grid.numbers(level, FAR, function(x, y)
    local distance = distances[(y - 1) * level.width + x]
    return distance >= 0 and math.min(FAR, distance + onward) or FAR
  end, FAR)
end

-- By square of the player, the square to which an enemy goes.
local function goals(level, x, y)
  return grid.numbers(level, grid.number(level, x, y), function(column, row)
    return (row - y) ^ 2 + (column - x) ^ 2 <= SIGHT ^ 2 and grid.number(level, column, row) or nil
  end, grid.number(level, level.width, level.height))
end

-- Adds the tables that `step` looks up. There are at least 4 bits for switches and for food, and a table for each bit of a
-- switch, so that most levels share a program.
local function add_tables(level)
  local things = { switch = squares_of(level, "switch"), food = squares_of(level, "food") }
  level.switch_bits, level.food_bits = math.max(4, #level.switch), math.max(4, #level.food)
  level.tiles = grid.numbers(level, WALL, function(x, y)
    return level.wall:has(x, y) and WALL or level.spike:has(x, y) and SPIKE or level.exit:has(x, y) and EXIT or 0
  end, (1 << SWITCH + level.switch_bits + level.food_bits) - 1)
  for kind, first in pairs { switch = SWITCH, food = SWITCH + level.switch_bits } do
    for i, square in ipairs(things[kind]) do level.tiles[square] = 1 << first + i - 1 end
  end
  level.goals, level.by_switch = {}, {}
  for x, y in level.enemy:cells() do table.insert(level.goals, goals(level, x, y)) end
  -- To the exit; and to each switch, which is not beyond the exit, and then to the exit.
  local free = level.floor - level.spike
  level.to_exit = ways(level, level.exit, free, 0)
  for i = 1, level.switch_bits do
    local square = things.switch[i]
    level.by_switch[i] = square and ways(level, board_of(level, { square }), free - level.exit, level.to_exit[square])
      or table.move(level.to_exit, 0, #level.to_exit, 0, {})
  end
  level.at, level.stamina = squares_of(level, "player")[1], level.notes.stamina
  level.switches, level.foods = (1 << #level.switch) - 1, (1 << #level.food) - 1
  level.enemies, level.enemies_move = squares_of(level, "enemy"), false
end

-- The kind of a square's number.
local function square(level)
  return crux.integer(grid.number(level, 1, 1), grid.number(level, level.width, level.height))
end

local steps = { ["."] = { 0, 0 }, U = { -1, 0 }, L = { 0, -1 }, D = { 1, 0 }, R = { 0, 1 } } -- rows and columns

local function step(now, move, level)
  local tiles, enemies, down, right = level.tiles, now.enemies, 1 << level.shift, 1
  local function row_and_column(cell) return cell >> level.shift, cell & down - 1 end
  local function is_enemy_at(cell)
    local is_there = false
    for i = 1, #level.goals do is_there = is_there | eq(enemies[i], cell) end
    return is_there
  end

  -- The player steps, but for a wall, the edge, or the exit, which is closed while a switch is left.
  local to = now.at + steps[move][1] * down + steps[move][2] * right
  local closed = WALL | where(any(now.switches), EXIT, 0)
  local stays = any(lookup(tiles, to) & closed)
  local here = where(stays, lookup(tiles, now.at), lookup(tiles, to))
  now.at = where(stays, now.at, to)
  local spiked, met = any(here & SPIKE), is_enemy_at(now.at)
  local won = any(here & EXIT) & ~spiked & ~met
  local food_bit, fed = SWITCH + level.switch_bits, crux.min(now.stamina + level.notes.food, level.notes["most-stamina"])
  now.stamina = where(any(here >> food_bit & now.foods), fed, now.stamina) - 1
  now.switches, now.foods = now.switches & ~(here >> SWITCH), now.foods & ~(here >> food_bit)

  -- In every second turn each enemy steps towards the player, if he is near its home, else back home: along the longer
  -- way first, rows or columns, if a step that way is free, else along the other one.
  local occupied = WALL | SPIKE | EXIT | now.switches << SWITCH | now.foods << food_bit
  local function is_free(distance, before, behind, cell)
    local tile = where(lt(distance, 0), lookup(tiles, before), lookup(tiles, behind))
    return now.enemies_move & ne(distance, 0) & none(tile & occupied) & ~is_enemy_at(cell)
  end
  for i, aims in ipairs(level.goals) do
    local enemy = enemies[i]
    local row, column = row_and_column(enemy)
    local goal_row, goal_column = row_and_column(lookup(aims, now.at))
    local rows, columns = goal_row - row, goal_column - column
    local by_row, by_column = enemy + sgn(rows) * down, enemy + sgn(columns) * right
    local row_is_free = is_free(rows, enemy - down, enemy + down, by_row)
    local column_is_free = is_free(columns, enemy - right, enemy + right, by_column)
    local row_first = ge(abs(rows) - abs(columns), row + column & 1) -- equally long: the row where the sum of both is even
    enemies[i] = where(row_is_free & (row_first | ~column_is_free), by_row, where(column_is_free, by_column, enemy))
  end
  now.enemies_move = ~now.enemies_move
  return won, { enemy = met | is_enemy_at(now.at), spike = spiked, stamina = eq(now.stamina, 0) }
end

-- The way to the exit by the switch for which it is longest, as if there were no enemies.
local function heuristic(now, level)
  local moves = lookup(level.to_exit, now.at)
  for i, by_switch in ipairs(level.by_switch) do
    moves = crux.max(moves, where(any(now.switches & 1 << i - 1), lookup(by_switch, now.at), 0))
  end
  return moves
end

-- An enemy is seen above all else, and the player above the rest.
local function shown(now, level)
  local planes = { wall = level.wall, spike = level.spike, exit = level.exit }
  planes.switch = board_of(level, squares_of(level, "switch", now.switches))
  planes.food = board_of(level, squares_of(level, "food", now.foods))
  for _, put in ipairs { { "player", { now.at } }, { "enemy", now.enemies } } do
    local board = board_of(level, put[2])
    for thing in pairs(planes) do planes[thing] = planes[thing] - board end
    planes[put[1]] = board
  end
  return planes
end

-- The search of the study by Biemer and Cooper (github.com/crowdgames/dungeongrams). As a priority falls with the stamina that
-- is left, food is worth a detour: a path need not be shortest.
local authors = {
  -- A switch that cannot be reached is left out; an exit that cannot is put on the rightmost free tile that can,
  -- the lowest of several.
  level = function(level)
    local reached = level.player:flood(level.floor - level.spike)
    local changed = { switch = level.switch & reached }
    if none(level.exit & reached) then
      local free = reached - level.enemy - level.switch
      local _, _, right = free:bounds()
      for y = 1, level.height do
        if free:has(right, y) then changed.exit = crux.cells(level.width, level.height, { { right, y } }) end
      end
    end
    return changed, { food = AUTHORS_FOOD }
  end,
  -- The number of actions, less the stamina, with the distance to the exit, or to the nearest switch and a size of the level
  -- for each switch; then, where these are equal, the state's own values.
  priority = function(now, length, level)
    local x, y = grid.place(level, now.at)
    local switches = squares_of(level, "switch", now.switches)
    local function distance(column, row) return math.sqrt((column - x) ^ 2 + (row - y) ^ 2) end
    local nearest = #switches > 0 and math.huge or distance(level.exit:first())
    for _, switch in ipairs(switches) do nearest = math.min(nearest, distance(grid.place(level, switch))) end
    local numbers = { length - now.stamina + nearest + #switches * (level.width + level.height), now.at, now.stamina }
    -- 0 behind the switches, so that fewer of them come first
    local foods = squares_of(level, "food", now.foods)
    for _, list in ipairs { now.enemies, { now.enemies_move and 1 or 0 }, switches, { 0 }, foods } do
      table.move(list, 1, #list, #numbers + 1, numbers)
    end
    return numbers
  end,
}

local measures = { { "length", moves = true, doc = "actions of a shortest solution" } }

-- The tiles of a solution, from the start on and each wait again, and the stamina that is left.
local function walk_of(level, solution)
  local way, squares = solution.way, {}
  if solution.walk or not way then return solution.walk end
  for i, now in ipairs(way) do squares[i] = now.at end
  solution.walk = { squares = squares, board = board_of(level, squares), stamina = way[#way].stamina }
  return solution.walk
end

-- Adds measures that compare the walks of a level's solution and of those without enemies and with nothing; one that was
-- not found within the limits gives no value.
local function compare(no_enemies, nothing, doc, of, optional)
  for _, row in ipairs { { no_enemies, "no_enemies", "enemies and spikes" },
    { nothing, "nothing", "enemies, spikes and switches" } } do
    table.insert(measures, { row[1], kind = "solution", optional = optional, doc = doc:format(row[3]),
      function(level, solution)
        local found = solution.variants[row[2]]
        local walk = walk_of(found.level, found)
        return walk and of(walk_of(level, solution), walk)
      end })
  end
end

-- Adds measures of enemies and food: the sum of 1 / city-block distance over those that are near a tile of the solution, over
-- all its tiles, divided by their number.
local function proximity(prefix, doc, optional, is_near)
  for _, row in ipairs { { "enemies", "enemy" }, { "food", "food" } } do
    table.insert(measures, { prefix .. row[1], kind = "solution", optional = optional, doc = doc:format(row[1]),
      each = function(level, now)
        local sum, at_x, at_y = 0, grid.place(level, now.at)
        for x, y in level[row[2]]:cells() do
          local columns, rows = x - at_x, y - at_y
          if is_near(columns, rows) then sum = sum + 1 / math.max(1, abs(columns) + abs(rows)) end
        end
        return sum
      end,
      function(_, solution, _, sum) return sum / (solution.length + 1) end })
  end
end

compare("path_no_enemies", "path_nothing", "tiles of the solution more than without %s",
  function(a, b) return #a.squares - #b.squares end)
compare("jaccard_no_enemies", "jaccard_nothing", "share of tiles that the solutions with and without %s have in common",
  function(a, b) return #(a.board & b.board) / #(a.board | b.board) end)
proximity("proximity_to_", "nearness of %s to the tiles of the solution", false,
  function(columns, rows) return abs(columns) <= 3 and abs(rows) <= 3 end)
compare("stamina_percent_enemies", "stamina_percent_nothing",
  "difference of the stamina left with and without %s, over the mean of both",
  function(a, b) return a.stamina == b.stamina and 0 or 2 * abs(a.stamina - b.stamina) / (a.stamina + b.stamina) end)
for _, row in ipairs { { "density", "walls or spikes", "wall", "spike" },
  { "leniency", "enemies, spikes or switches", "enemy", "spike", "switch" }, { "food_density", "food", "food" } } do
  table.insert(measures, { row[1], share = { table.unpack(row, 3) }, doc = "share of tiles that are " .. row[2] })
end
for _, other in ipairs { "no_enemies", "nothing" } do
  table.insert(measures, { "length_" .. other, kind = "dynamic", optional = true,
    doc = ("length of the variant '%s'"):format(other), function(_, solution) return solution.variants[other].length end })
end
compare("jaccard_distance_no_enemies", "jaccard_distance_nothing",
  "1 - the share of tiles that the solutions with and without %s have in common",
  function(a, b) return 1 - #(a.board & b.board) / #(a.board | b.board) end, true)
-- As the program of the study counts: fewer tiles than its text says.
proximity("narrow_proximity_to_", "nearness of %s, of those at -3 to 2 rows and columns, neither 0", true,
  function(columns, rows)
    return columns >= -3 and columns <= 2 and columns ~= 0 and rows >= -3 and rows <= 2 and rows ~= 0
  end)
table.insert(measures, { "solvable", kind = "dynamic", optional = true, doc = "1, for levels that can be won",
  function() return 1 end })

local columns, rows = 19, 11 -- of the game's own levels

local function without(...)
  local things = { ... }
  return function(level)
    local changed = {}
    for _, thing in ipairs(things) do changed[thing] = crux.cells(level.width, level.height) end
    return changed
  end
end

return grid {
  name = "dungeongrams",
  doc = "Press all switches and reach the exit before the stamina is used up; enemies and spikes kill.",
  tiles = { { "-" }, { "X", "wall" }, { "/", "wall", "slash" }, { "\\", "wall", "backslash" }, { "^", "spike" },
    { "#", "enemy" }, { "*", "switch" }, { "&", "food" }, { "@", "player" }, { "O", "exit" } },
  look = { { "wall", "wall" }, { "spike", "red square", sign = "^" }, { "switch", "bright yellow square", sign = "*" },
    { "food", "cyan square", sign = "&" }, { "exit", "bright blue square", sign = "O" },
    { "enemy", "bright red disc", sign = "#" }, { "player", "bright green disc", sign = "@" },
    lines = true, path = function(now, level) return grid.place(level, now.at) end },
  -- The stamina at the start, the most that one can have, and what food adds to it.
  notes = { stamina = { 40, 1, 999 }, ["most-stamina"] = { 40, 1, 999 }, food = { 25, 1, 999 } },
  -- More switches and food have no bit, and more enemies take too many operations.
  check = { player = 1, exit = 1, switch = { 0, 29 }, food = { 0, 29 }, enemy = { 0, 62 }, wall = { 0, 1023 }, function(level)
    local stamina, most = level.notes.stamina, level.notes["most-stamina"]
    if stamina > most then return "stamina: " .. stamina, "at most " .. most end
  end },
  board = add_tables,

  moves = { ".", "U", "L", "D", "R" },
  -- `switches` and `foods` are those that are still there.
  state = {
    at = square, enemies = function(level) return crux.array(#level.enemies, square(level)) end, enemies_move = crux.flag,
    stamina = function(level) return crux.integer(0, level.notes["most-stamina"]) end,
    switches = function(level) return crux.integer(0, (1 << level.switch_bits) - 1) end,
    foods = function(level) return crux.integer(0, (1 << level.food_bits) - 1) end,
  },
  step = step,
  heuristic = heuristic,
  shown = shown,
  status = function(now) return "stamina " .. now.stamina end,

  variants = { no_enemies = without("enemy", "spike"), nothing = without("enemy", "spike", "switch") },
  paths = { authors = authors },
  measures = measures,

  requires = { solvable = 1 },
  generate = {
    options = {
      { "columns", columns, doc = "tiles in a row" },
      { "rows", rows, doc = "tiles in a column" },
      { "walls", { 0, 30 }, tile = "X", doc = "walls" },
      { "spikes", { 0, 10 }, tile = "^", doc = "spikes" },
      { "enemies", { 1, 3 }, tile = "#", doc = "enemies" },
      { "switches", { 0, 3 }, tile = "*", doc = "switches" },
      { "food", { 0, 2 }, tile = "&", doc = "tiles with food" },
    },
    fixed = { "player", "exit" },
    -- From the upper left to the lower right corner.
    level = function(_, options)
      local width, height = options.columns, options.rows
      if math.min(width, height) < 1 or math.max(width, height) > 32 or width * height < 2 then
        return nil, ("%d x %d is no size of a level"):format(width, height)
      end
      return { player = crux.cells(width, height, { { 1, 1 } }), exit = crux.cells(width, height, { { width, height } }) }
    end,
  },
  -- Options whose levels have the shares of tiles that are wanted.
  options_for = function(wanted, meets)
    local counts = {}
    for _, measure in ipairs { "density", "leniency", "food_density" } do
      local count = wanted[measure] and math.floor(wanted[measure] * columns * rows + 0.5)
      if count and not meets(measure, count / (columns * rows)) then
        return nil, ("no number of tiles of %d x %d is a share of %g"):format(columns, rows, wanted[measure])
      end
      counts[measure] = count
    end
    if not next(counts) then return {} end
    local solid, harsh = counts.density, counts.leniency -- spikes are both
    local enemies = harsh and math.min(2, harsh)
    local switches = harsh and math.min(2, harsh - enemies)
    local spikes = harsh and harsh - enemies - switches or solid and 0
    if solid and spikes > solid then enemies, spikes = enemies + spikes - solid, solid end
    return { columns = columns, rows = rows, food = counts.food_density, enemies = enemies, switches = switches,
      spikes = spikes, walls = solid and solid - spikes }
  end,
}
