-- DungeonGrams: press all switches and reach the exit before the stamina is used up; enemies and spikes kill.
local abs, any, eq, ge, lookup, lt = crux.abs, crux.any, crux.eq, crux.ge, crux.lookup, crux.lt
local ne, none, sgn, where = crux.ne, crux.none, crux.sgn, crux.where

local game = crux.game "dungeongrams"

game.doc = "Press all switches and reach the exit before the stamina is used up; enemies and spikes kill."

-- What holds unless a note of the level, such as "; stamina: 30", says otherwise: the stamina at the start, the most that
-- one can have, and what food adds to it.
local defaults = { stamina = 40, ["most-stamina"] = 40, food = 25 }

local legend = crux.legend { { "-" }, { "X", "walls" }, { "/", "/" }, { "\\", "\\" }, { "^", "spikes" }, { "#", "enemies" },
  { "*", "switches" }, { "&", "food" }, { "@", "player" }, { "O", "exit" } }

-- What is on a tile, in bits; from bit SWITCH on there is one for each switch, and behind these one for each food.
local WALL, SPIKE, EXIT, SWITCH = 1, 2, 4, 3
local most = { switches = 29, food = 29, enemies = 62 } -- more have no bit, or take too many operations

local SIGHT = 3 -- how far from its home an enemy sees the player
local FAR = 2000 -- moves to where no way leads

-- What the rules need to know of a level. A cell's number is row << level.shift | column, and all around the level are
-- walls. `goals` has for each enemy, by the cell of the player, the cell to which it goes. So that most levels share a
-- program, there are at least 4 bits for switches and for food, a table for each switch that could be, and in cell 0, where
-- nobody gets, the largest values that such a level could have.
local function level_of(planes, values)
  local width, height = planes.walls:size()
  local level = { planes = planes, values = values, width = width, height = height, shift = width < 32 and 5 or 6, tiles = {},
    homes = {}, goals = {}, switch_bits = math.max(4, #planes.switches), food_bits = math.max(4, #planes.food) }
  local function number(x, y) return y << level.shift | x end
  -- By cell, the moves to a cell at least, with some to go from there.
  local function ways(x, y, free, onward)
    local moves, distances = {}, crux.cells(width, height):with(x, y):distances(free)
    for cell = 0, number(width, height + 1) do moves[cell] = FAR end
    for row = 1, height do
      for column = 1, width do
        local distance = distances[(row - 1) * width + column]
        moves[number(column, row)] = distance < 0 and FAR or math.min(FAR, distance + onward)
      end
    end
    return moves
  end
  local function mark(board, bits)
    for x, y in board:cells() do level.tiles[number(x, y)] = bits end
  end
  for cell = 0, number(width, height + 1) do level.tiles[cell] = WALL end
  mark(~(planes.walls | planes["/"] | planes["\\"]), 0)
  mark(planes.spikes, SPIKE)
  mark(planes.exit, EXIT)
  level.tiles[0] = (1 << SWITCH + level.switch_bits + level.food_bits) - 1
  for kind, bit in pairs { switches = SWITCH, food = SWITCH + level.switch_bits } do
    for x, y in planes[kind]:cells() do
      level.tiles[number(x, y)] = 1 << bit
      bit = bit + 1
    end
  end
  for x, y in planes.enemies:cells() do
    local home, goals = number(x, y), {}
    for cell = 0, number(width, height + 1) do goals[cell] = home end
    goals[0] = number(width, height)
    for row = math.max(1, y - SIGHT), math.min(height, y + SIGHT) do
      for column = math.max(1, x - SIGHT), math.min(width, x + SIGHT) do
        if (row - y) ^ 2 + (column - x) ^ 2 <= SIGHT ^ 2 then goals[number(column, row)] = number(column, row) end
      end
    end
    table.insert(level.homes, home)
    table.insert(level.goals, goals)
  end
  -- To the exit; and to each switch, which is not beyond the exit, and then to the exit.
  local free = ~(planes.walls | planes["/"] | planes["\\"] | planes.spikes)
  local exit_x, exit_y = planes.exit:first()
  level.to_exit, level.by_switch = ways(exit_x, exit_y, free, 0), {}
  for x, y in planes.switches:cells() do
    table.insert(level.by_switch, ways(x, y, free - planes.exit, level.to_exit[number(x, y)]))
  end
  for i = #level.by_switch + 1, level.switch_bits do
    level.by_switch[i] = table.move(level.to_exit, 0, #level.to_exit, 0, {})
  end
  return level
end

-- The numbers that a level has by its notes.
local function values_of(notes)
  local values = {}
  for name, default in pairs(defaults) do
    values[name] = notes[name] and math.tointeger(tonumber(notes[name])) or not notes[name] and default or 0
    if values[name] < 1 or values[name] > 999 then
      error(("line 1: %s: found '%s', expected an integer from 1 to 999"):format(name, notes[name]), 0)
    end
  end
  if values.stamina > values["most-stamina"] then
    error(("line 1: stamina: found %d, expected at most %d"):format(values.stamina, values["most-stamina"]), 0)
  end
  return values
end

function game.parse(text, notes)
  local planes = assert(legend:parse(text))
  for _, name in ipairs { "player", "exit" } do
    if none(planes[name]) then crux.refuse("no " .. name, "one") end
    if #planes[name] > 1 then crux.refuse("a second " .. name, "one", planes[name]:nth(2)) end
  end
  for _, kind in ipairs { "switches", "food", "enemies" } do
    local things, limit = planes[kind], most[kind]
    if #things > limit then crux.refuse(#things .. " " .. kind, "at most " .. limit, things:nth(limit + 1)) end
  end
  return level_of(planes, values_of(notes))
end

local steps = { ["."] = { 0, 0 }, U = { -1, 0 }, L = { 0, -1 }, D = { 1, 0 }, R = { 0, 1 } } -- rows and columns

game.search = {
  moves = { ".", "U", "L", "D", "R" },
  -- `switches` and `food` are those that are still there.
  state = function(level)
    local cell = crux.integer(1 << level.shift | 1, level.height << level.shift | level.width)
    return { at = cell, stamina = crux.integer(0, level.values["most-stamina"]),
      switches = crux.integer(0, (1 << level.switch_bits) - 1), food = crux.integer(0, (1 << level.food_bits) - 1),
      enemies = crux.array(#level.homes, cell), enemies_move = crux.flag }
  end,
  start = function(level)
    local x, y = level.planes.player:first()
    return { at = y << level.shift | x, stamina = level.values.stamina, switches = (1 << #level.planes.switches) - 1,
      food = (1 << #level.planes.food) - 1, enemies = { table.unpack(level.homes) }, enemies_move = false }
  end,
  step = function(state, move, level)
    local tiles, enemies, down, right = level.tiles, state.enemies, 1 << level.shift, 1
    local function row_and_column(cell) return cell >> level.shift, cell & down - 1 end
    local function is_enemy_at(cell)
      local is_there = false
      for i = 1, #level.goals do is_there = is_there | eq(enemies[i], cell) end
      return is_there
    end

    -- The player steps, but for a wall, the edge, or the exit, which is closed while a switch is left.
    local to = state.at + steps[move][1] * down + steps[move][2] * right
    local closed = WALL | where(any(state.switches), EXIT, 0)
    local stays = any(lookup(tiles, to) & closed)
    local here = where(stays, lookup(tiles, state.at), lookup(tiles, to))
    state.at = where(stays, state.at, to)
    local spiked, met = any(here & SPIKE), is_enemy_at(state.at)
    local won = any(here & EXIT) & ~spiked & ~met
    local food_bit, fed = SWITCH + level.switch_bits, crux.min(state.stamina + level.values.food, level.values["most-stamina"])
    state.stamina = where(any(here >> food_bit & state.food), fed, state.stamina) - 1
    state.switches, state.food = state.switches & ~(here >> SWITCH), state.food & ~(here >> food_bit)

    -- In every second turn each enemy steps towards the player, if he is near its home, else back home: along the longer
    -- way first, rows or columns, if a step that way is free, else along the other one.
    local occupied = WALL | SPIKE | EXIT | state.switches << SWITCH | state.food << food_bit
    local function is_free(distance, before, behind, cell)
      local tile = where(lt(distance, 0), lookup(tiles, before), lookup(tiles, behind))
      return state.enemies_move & ne(distance, 0) & none(tile & occupied) & ~is_enemy_at(cell)
    end
    for i, goals in ipairs(level.goals) do
      local enemy = enemies[i]
      local row, column = row_and_column(enemy)
      local goal_row, goal_column = row_and_column(lookup(goals, state.at))
      local rows, columns = goal_row - row, goal_column - column
      local by_row, by_column = enemy + sgn(rows) * down, enemy + sgn(columns) * right
      local row_is_free = is_free(rows, enemy - down, enemy + down, by_row)
      local column_is_free = is_free(columns, enemy - right, enemy + right, by_column)
      local row_first = ge(abs(rows) - abs(columns), row + column & 1) -- equally long: the row where the sum of both is even
      enemies[i] = where(row_is_free & (row_first | ~column_is_free), by_row, where(column_is_free, by_column, enemy))
    end
    state.enemies_move = ~state.enemies_move
    return won, { enemy = met | is_enemy_at(state.at), spike = spiked, stamina = eq(state.stamina, 0) }
  end,
  -- The way to the exit by the switch for which it is longest, as if there were no enemies.
  heuristic = function(state, level)
    local moves = lookup(level.to_exit, state.at)
    for i, by_switch in ipairs(level.by_switch) do
      moves = crux.max(moves, where(any(state.switches & 1 << i - 1), lookup(by_switch, state.at), 0))
    end
    return moves
  end,
}

-- Column and row of a cell.
local function place(level, cell) return { cell & (1 << level.shift) - 1, cell >> level.shift } end

-- Planes of a level, with some in place of its own.
local function planes_of(level, changed)
  local planes = {}
  for name, board in pairs(level.planes) do planes[name] = changed[name] or board end
  return planes
end

local function variant(changed)
  return function(level)
    local changes, nothing = {}, crux.cells(level.width, level.height)
    for _, name in ipairs(changed) do changes[name] = nothing end
    return level_of(planes_of(level, changes), level.values)
  end
end
game.variants = { no_enemies = variant { "enemies", "spikes" }, nothing = variant { "enemies", "spikes", "switches" } }

-- The cells of the things of a kind that are still there, in reading order.
local function cells_left(level, kind, bits)
  local cells = {}
  for x, y in level.planes[kind]:cells() do
    if any(bits & 1) then table.insert(cells, y << level.shift | x) end
    bits = bits >> 1
  end
  return cells
end

local function board_of(level, cells)
  local places = {}
  for i, cell in ipairs(cells) do places[i] = place(level, cell) end
  return crux.cells(level.width, level.height, places)
end

local AUTHORS_FOOD = 30 -- what food adds in the program of the study; 25 in its text

-- The search of the study by Biemer and Cooper (github.com/crowdgames/dungeongrams). As a priority falls with the stamina that
-- is left, food is worth a detour: a path need not be shortest.
game.paths = { authors = {
  -- A switch that cannot be reached is left out; an exit that cannot is put on the rightmost free tile that can,
  -- the lowest of several.
  level = function(level)
    local planes, values = level.planes, { food = AUTHORS_FOOD }
    for name, value in pairs(level.values) do values[name] = values[name] or value end
    local reached = planes.player:flood(~(planes.walls | planes["/"] | planes["\\"] | planes.spikes))
    local changed = { switches = planes.switches & reached }
    if none(planes.exit & reached) then
      local free = reached - planes.enemies - planes.switches
      local _, _, right = free:bounds()
      for y = 1, level.height do
        if free:has(right, y) then changed.exit = crux.cells(level.width, level.height, { { right, y } }) end
      end
    end
    return level_of(planes_of(level, changed), values)
  end,
  -- The number of actions, less the stamina, with the distance to the exit, or to the nearest switch and a size of the level
  -- for each switch; then, where these are equal, the state's own values.
  priority = function(state, length, level)
    local here, switches = place(level, state.at), cells_left(level, "switches", state.switches)
    local function distance(x, y) return math.sqrt((x - here[1]) ^ 2 + (y - here[2]) ^ 2) end
    local nearest = #switches > 0 and math.huge or distance(level.planes.exit:first())
    for _, cell in ipairs(switches) do nearest = math.min(nearest, distance(table.unpack(place(level, cell)))) end
    local numbers = { length - state.stamina + nearest + #switches * (level.width + level.height), state.at, state.stamina }
    local function add(list) table.move(list, 1, #list, #numbers + 1, numbers) end
    add(state.enemies)
    add { state.enemies_move and 1 or 0 }
    add(switches)
    add { 0 } -- so that fewer switches come first
    add(cells_left(level, "food", state.food))
    return numbers
  end,
} }

-- The tiles of a solution, from the start on and each wait again, and the stamina that is left.
local function walk_of(level, solution)
  local way, tiles = solution.way, {}
  if solution.walk or not way then return solution.walk end
  for i, state in ipairs(way) do tiles[i] = place(level, state.at) end
  solution.walk = { tiles = tiles, board = crux.cells(level.width, level.height, tiles), stamina = way[#way].stamina }
  return solution.walk
end

-- Adds measures that compare the walks of a level's solution and of those without enemies and with nothing; one that was
-- not found within the limits gives no value.
local function compare(no_enemies, nothing, doc, of, optional)
  local function add(name, other, what)
    game.measure { name, kind = "solution", optional = optional, doc = doc:format(what), function(level, solution)
      local found = solution.variants[other]
      local walk = walk_of(found.level, found)
      return walk and of(walk_of(level, solution), walk)
    end }
  end
  add(no_enemies, "no_enemies", "enemies and spikes")
  add(nothing, "nothing", "enemies, spikes and switches")
end

-- Adds measures of enemies and food: the sum of 1 / city-block distance over those that are near a tile of the solution, over
-- all its tiles, divided by their number.
local function proximity(prefix, doc, optional, is_near)
  for _, things in ipairs { "enemies", "food" } do
    game.measure { prefix .. things, kind = "solution", optional = optional, doc = doc:format(things),
      each = function(level, state)
        local sum, tile = 0, place(level, state.at)
        for x, y in level.planes[things]:cells() do
          local columns, rows = x - tile[1], y - tile[2]
          if is_near(columns, rows) then sum = sum + 1 / math.max(1, abs(columns) + abs(rows)) end
        end
        return sum
      end,
      function(_, solution, _, sum) return sum / (solution.length + 1) end }
  end
end

-- Adds a measure: the share of the tiles that are of these kinds.
local function share(name, doc, kinds)
  game.measure { name, kind = "initial", doc = "share of tiles that are " .. doc, function(level)
    local count = 0
    for _, kind in ipairs(kinds) do count = count + #level.planes[kind] end
    return count / (level.width * level.height)
  end }
end

game.measure { "length", kind = "dynamic", doc = "actions of a shortest solution",
  function(_, solution) return solution.length end }
compare("path_no_enemies", "path_nothing", "tiles of the solution more than without %s",
  function(a, b) return #a.tiles - #b.tiles end)
compare("jaccard_no_enemies", "jaccard_nothing", "share of tiles that the solutions with and without %s have in common",
  function(a, b) return #(a.board & b.board) / #(a.board | b.board) end)
proximity("proximity_to_", "nearness of %s to the tiles of the solution", false,
  function(columns, rows) return abs(columns) <= 3 and abs(rows) <= 3 end)
compare("stamina_percent_enemies", "stamina_percent_nothing",
  "difference of the stamina left with and without %s, over the mean of both",
  function(a, b) return a.stamina == b.stamina and 0 or 2 * abs(a.stamina - b.stamina) / (a.stamina + b.stamina) end)
share("density", "walls or spikes", { "walls", "/", "\\", "spikes" })
share("leniency", "enemies, spikes or switches", { "enemies", "spikes", "switches" })
share("food_density", "food", { "food" })
for _, other in ipairs { "no_enemies", "nothing" } do
  game.measure { "length_" .. other, kind = "dynamic", optional = true, doc = ("length of the variant '%s'"):format(other),
    function(_, solution) return solution.variants[other].length end }
end
compare("jaccard_distance_no_enemies", "jaccard_distance_nothing",
  "1 - the share of tiles that the solutions with and without %s have in common",
  function(a, b) return 1 - #(a.board & b.board) / #(a.board | b.board) end, true)
-- As the program of the study counts: fewer tiles than its text says.
proximity("narrow_proximity_to_", "nearness of %s, of those at -3 to 2 rows and columns, neither 0", true,
  function(columns, rows)
    return columns >= -3 and columns <= 2 and columns ~= 0 and rows >= -3 and rows <= 2 and rows ~= 0
  end)
game.measure { "solvable", kind = "dynamic", optional = true, doc = "1, for levels that can be won", function() return 1 end }

function game.format(level)
  local notes = {}
  for name, default in pairs(defaults) do
    if level.values[name] ~= default then table.insert(notes, ("; %s: %d\n"):format(name, level.values[name])) end
  end
  table.sort(notes)
  return table.concat(notes) .. legend:format(level.planes)
end

-- The level as it is in a state on the way; an enemy is seen above all else.
function game.draw(level, _, state)
  if not state then return game.format(level) end
  local planes = planes_of(level, {})
  for _, kind in ipairs { "switches", "food" } do planes[kind] = board_of(level, cells_left(level, kind, state[kind])) end
  local function put(kind, cells)
    local board = board_of(level, cells)
    for name in pairs(planes) do planes[name] = planes[name] - board end
    planes[kind] = board
  end
  put("player", { state.at })
  put("enemies", state.enemies)
  return ("%s\nstamina %d"):format(legend:format(planes), state.stamina)
end

game.colours = { ["@"] = "bright green", ["#"] = "bright red", ["^"] = "red", ["*"] = "bright yellow", ["&"] = "cyan",
  O = "bright blue" }

local signs = { spikes = "^", switches = "*", food = "&", exit = "O" }

-- With the path of the player; enemies are discs.
function game.paint(level, solution, canvas)
  local planes, path = level.planes, {}
  canvas:size(level.width, level.height)
  canvas:grid()
  for _, name in ipairs { "walls", "/", "\\" } do
    for x, y in planes[name]:cells() do canvas:cell(x, y, "wall") end
  end
  for i, state in ipairs(solution and solution.way or {}) do path[i] = place(level, state.at) end
  if #path > 1 then canvas:arrow(path, "bright green", 0.14) end
  for _, name in ipairs { "spikes", "switches", "food", "exit" } do
    local sign = signs[name]
    for x, y in planes[name]:cells() do
      canvas:cell(x, y, game.colours[sign], 0.8)
      canvas:label(x, y, sign, "ground", 0.6)
    end
  end
  for x, y in planes.enemies:cells() do
    canvas:disc(x, y, "bright red", 0.8)
    canvas:label(x, y, "#", "ground")
  end
  local x, y = planes.player:first()
  canvas:disc(x, y, "bright green", 0.8)
  canvas:label(x, y, "@", "ground")
end

local kinds = { "walls", "spikes", "enemies", "switches", "food" } -- what generated levels have beside player and exit
local columns, rows = 19, 11 -- of the game's own levels

game.options = {
  { "columns", columns, doc = "tiles in a row" },
  { "rows", rows, doc = "tiles in a column" },
  { "walls", { 0, 30 }, doc = "walls" },
  { "spikes", { 0, 10 }, doc = "spikes" },
  { "enemies", { 1, 3 }, doc = "enemies" },
  { "switches", { 0, 3 }, doc = "switches" },
  { "food", { 0, 2 }, doc = "tiles with food" },
}
game.requires = { solvable = 1 }

-- From the upper left to the lower right corner; all else at random.
function game.generate(random, options)
  local width, height = options.columns, options.rows
  if math.min(width, height) < 1 or math.max(width, height) > 32 or width * height < 2 then
    return nil, ("%d x %d is no size of a level"):format(width, height)
  end
  local function cells(...) return crux.cells(width, height, { ... }) end
  local planes = { ["/"] = cells(), ["\\"] = cells(), player = cells { 1, 1 }, exit = cells { width, height } }
  local floor = ~(planes.player | planes.exit)
  for _, kind in ipairs(kinds) do
    planes[kind] = cells()
    if options[kind] > (most[kind] or math.huge) then
      return nil, ("found %d %s, expected at most %d"):format(options[kind], kind, most[kind])
    end
    for _ = 1, options[kind] do
      local x, y = floor:pick(random)
      if not x then return nil, ("%d x %d tiles are too few"):format(width, height) end
      planes[kind], floor = planes[kind]:with(x, y), floor:without(x, y)
    end
  end
  return level_of(planes, defaults)
end

-- Another level: a thing on another tile, in exchange for what is there.
function game.vary(level, random)
  local planes, things = planes_of(level, {}), crux.cells(level.width, level.height)
  for _, kind in ipairs(kinds) do things = things | planes[kind] end
  local x, y = things:pick(random)
  if not x then return nil end
  local to_x, to_y = (~(planes.player | planes.exit)):pick(random)
  for _, kind in ipairs(kinds) do
    local board = planes[kind]
    planes[kind] = board:without(x, y):without(to_x, to_y)
    if board:has(x, y) then planes[kind] = planes[kind]:with(to_x, to_y) end
    if board:has(to_x, to_y) then planes[kind] = planes[kind]:with(x, y) end
  end
  return level_of(planes, level.values)
end

-- Options whose levels have the shares of tiles that are wanted.
function game.options_for(wanted, meets)
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
  return { columns = columns, rows = rows, food = counts.food_density, enemies = enemies, switches = switches, spikes = spikes,
    walls = solid and solid - spikes }
end

return game
