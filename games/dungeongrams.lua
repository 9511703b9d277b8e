-- DungeonGrams: press all switches and reach the exit before the stamina is used up; enemies and spikes kill.
local abs, any, eq, ge, lookup, sgn, where = crux.abs, crux.any, crux.eq, crux.ge, crux.lookup, crux.sgn, crux.where

local game = crux.game "dungeongrams"

game.doc = "Press all switches and reach the exit before the stamina is used up; enemies and spikes kill."

-- What holds unless a level's notes, such as "; stamina: 30", say otherwise: the stamina at the start, the most that one
-- can have, and what food adds to it.
local defaults = { stamina = 40, ["most-stamina"] = 40, food = 25 }

local legend = crux.legend { { "-" }, { "X", "X" }, { "/", "/" }, { "\\", "\\" }, { "#", "enemies" }, { "^", "spikes" },
  { "*", "switches" }, { "&", "food" }, { "@", "player" }, { "O", "exit" } }

-- The bits of a tile; from bit THING on there is one for each switch, then one for each food.
local WALL, SPIKE, EXIT, THING = 1, 2, 4, 3
local most = { enemies = 62, things = 62 - THING } -- as there are bits

-- How far from its home an enemy sees the player, and so can ever be, in rows and in columns.
local SIGHT = 3

local function fail(board, n, found, expected)
  local x, y = 1, 1
  if n > 0 then x, y = board:nth(n) end
  error(("line %d, column %d: found %s, expected %s"):format(y, x, found, expected), 0)
end

-- What the rules need to know of a level. A cell's number is row * stride + column; walls surround the cells as far as
-- steps of an enemy could go.
local function level_of(planes, values)
  local width, height = planes.X:size()
  local stride, tiles, near, homes = width + 1, {}, {}, {}
  local function mark(board, bits)
    for x, y in board:cells() do tiles[y * stride + x] = bits end
  end
  for cell = -SIGHT * (stride + 1) - stride, (height + SIGHT + 2) * (stride + 1) do tiles[cell], near[cell] = WALL, 0 end
  mark(~(planes.X | planes["/"] | planes["\\"]), 0)
  mark(planes.spikes, SPIKE)
  mark(planes.exit, EXIT)
  local things = 0
  for _, name in ipairs { "switches", "food" } do
    for x, y in planes[name]:cells() do
      tiles[y * stride + x], things = 1 << THING + things, things + 1
    end
  end
  for x, y in planes.enemies:cells() do
    table.insert(homes, { row = y, column = x })
    for row = math.max(1, y - SIGHT), math.min(height, y + SIGHT) do
      for column = math.max(1, x - SIGHT), math.min(width, x + SIGHT) do
        local cell, is_near = row * stride + column, (row - y) ^ 2 + (column - x) ^ 2 <= SIGHT ^ 2
        if is_near then near[cell] = near[cell] | 1 << #homes - 1 end
      end
    end
  end
  local switches = (1 << #planes.switches) - 1
  return { planes = planes, values = values, width = width, height = height, stride = stride, tiles = tiles, near = near,
    homes = homes, things = (1 << things) - 1, switches = switches, food = (1 << things) - 1 - switches }
end

-- The numbers that a level has by its notes.
local function values_of(notes)
  local values = {}
  for name, default in pairs(defaults) do
    local value = notes[name] and math.tointeger(tonumber(notes[name])) or not notes[name] and default
    if not value or value < 1 or value > 999 then
      error(("line 1: %s: found '%s', expected an integer from 1 to 999"):format(name, notes[name]), 0)
    end
    values[name] = value
  end
  if values.stamina > values["most-stamina"] then
    error(("line 1: stamina: found %d, expected at most most-stamina, %d"):format(values.stamina, values["most-stamina"]), 0)
  end
  return values
end

function game.parse(text, notes)
  local planes, width = legend:parse(text)
  assert(planes, width)
  for name, character in pairs { player = "@", exit = "O" } do
    local count = #planes[name]
    if count == 0 then fail(planes[name], 0, ("no %s '%s'"):format(name, character), "one") end
    if count > 1 then fail(planes[name], 2, ("a second %s '%s'"):format(name, character), "one") end
  end
  if #planes.enemies > most.enemies then
    fail(planes.enemies, most.enemies + 1, ("%d enemies"):format(#planes.enemies), ("at most %d"):format(most.enemies))
  end
  local things = planes.switches | planes.food
  if #things > most.things then
    fail(things, most.things + 1, ("%d switches and food"):format(#things), ("at most %d together"):format(most.things))
  end
  return level_of(planes, values_of(notes))
end

local steps = { ["."] = { 0, 0 }, U = { -1, 0 }, L = { 0, -1 }, D = { 1, 0 }, R = { 0, 1 } } -- rows down, columns right

local function zeros(n)
  local list = {}
  for i = 1, n do list[i] = 0 end
  return list
end

game.search = {
  moves = { ".", "U", "L", "D", "R" },
  -- `left` are the switches and the food that are still there; an enemy's row and column count from its home.
  state = function(level)
    local offsets = crux.array(#level.homes, crux.integer(-SIGHT, SIGHT))
    return { row = crux.integer(1, level.height), column = crux.integer(1, level.width), left = crux.integer(0, level.things),
      stamina = crux.integer(0, level.values["most-stamina"]), enemies_move = crux.flag, rows = offsets, columns = offsets }
  end,
  start = function(level)
    local column, row = level.planes.player:first()
    return { row = row, column = column, left = level.things, stamina = level.values.stamina, enemies_move = false,
      rows = zeros(#level.homes), columns = zeros(#level.homes) }
  end,
  step = function(state, move, level)
    local stride, tiles, homes, rows, columns, cells = level.stride, level.tiles, level.homes, state.rows, state.columns, {}
    local function cell_of(i) return (homes[i].row + rows[i]) * stride + homes[i].column + columns[i] end
    for i = 1, #homes do cells[i] = cell_of(i) end
    local function is_enemy_at(cell)
      local is_there = false
      for i = 1, #homes do is_there = is_there | eq(cells[i], cell) end
      return is_there
    end

    -- The player steps, but for a wall, the edge, or the exit, which is closed while a switch is left.
    local down, right = table.unpack(steps[move])
    local from = state.row * stride + state.column
    local to = from + down * stride + right
    local barred = WALL | where(any(state.left & level.switches), EXIT, 0)
    local stays = any(lookup(tiles, to) & barred)
    local at = where(stays, from, to)
    state.row, state.column = where(stays, state.row, state.row + down), where(stays, state.column, state.column + right)
    local here = lookup(tiles, at)
    local lost = any(here & SPIKE) | is_enemy_at(at)
    local won = any(here & EXIT) & ~lost
    local taken = here >> THING & state.left
    local fed = crux.min(state.stamina + level.values.food, level.values["most-stamina"])
    state.left = state.left & ~taken
    state.stamina = where(any(taken & level.food), fed, state.stamina) - 1

    -- In every second turn each enemy steps towards the player, if he is near its home, else back home: along the longer
    -- way first, rows or columns, if a step that way is free, else along the other one.
    local occupied = state.left << THING | WALL | SPIKE | EXIT
    local near = lookup(level.near, at)
    local function is_free(cell) return ~(any(lookup(tiles, cell) & occupied) | is_enemy_at(cell)) end
    for i, home in ipairs(homes) do
      local sees = any(near & 1 << i - 1)
      local down = where(sees, state.row - home.row, 0) - rows[i]
      local right = where(sees, state.column - home.column, 0) - columns[i]
      local is_odd = home.row + rows[i] + home.column + columns[i] & 1
      local row_first = ge(abs(down) - abs(right), is_odd) -- equally long: the row where the sum is even
      local row_free, column_free = is_free(cells[i] + sgn(down) * stride), is_free(cells[i] + sgn(right))
      local by_row = row_free & (row_first | ~column_free)
      local by_column = column_free & ~by_row
      rows[i] = rows[i] + where(state.enemies_move & by_row, sgn(down), 0)
      columns[i] = columns[i] + where(state.enemies_move & by_column, sgn(right), 0)
      cells[i] = cell_of(i)
    end
    state.enemies_move = ~state.enemies_move
    return won, lost | is_enemy_at(at) | eq(state.stamina, 0)
  end,
}

function game.format(level)
  local lines = {}
  for name, default in pairs(defaults) do
    if level.values[name] ~= default then table.insert(lines, ("; %s: %d\n"):format(name, level.values[name])) end
  end
  table.sort(lines)
  return table.concat(lines) .. legend:format(level.planes)
end

-- The level as it is in a state on the way; what comes onto another tile covers it.
function game.draw(level, _, state)
  if not state then return game.format(level) end
  local planes, covered = {}, crux.cells(level.width, level.height)
  local function put(name, board)
    planes[name], covered = board - covered, covered | board
  end
  local enemies = {}
  for i, home in ipairs(level.homes) do enemies[i] = { home.column + state.columns[i], home.row + state.rows[i] } end
  local thing, left = 0, { switches = {}, food = {} }
  for _, name in ipairs { "switches", "food" } do
    for x, y in level.planes[name]:cells() do
      if any(state.left & 1 << thing) then table.insert(left[name], { x, y }) end
      thing = thing + 1
    end
  end
  put("enemies", crux.cells(level.width, level.height, enemies))
  put("player", crux.cells(level.width, level.height, { { state.column, state.row } }))
  for name, cells in pairs(left) do put(name, crux.cells(level.width, level.height, cells)) end
  for _, name in ipairs { "X", "/", "\\", "spikes", "exit" } do put(name, level.planes[name]) end
  return ("%s\nstamina %d"):format(legend:format(planes), state.stamina)
end

game.colours = { ["@"] = "bright green", ["#"] = "bright red", ["^"] = "red", ["*"] = "bright yellow", ["&"] = "cyan",
  O = "bright blue" }

local function without(level, names)
  local planes = {}
  for name, board in pairs(level.planes) do planes[name] = board end
  for _, name in ipairs(names) do planes[name] = crux.cells(level.width, level.height) end
  return level_of(planes, level.values)
end

game.variants = {
  no_enemies = function(level) return without(level, { "enemies", "spikes" }) end,
  nothing = function(level) return without(level, { "enemies", "spikes", "switches" }) end,
}

-- The tiles of a solution, from the start on and each wait again, and the stamina that is left. What kills has no part in
-- a way that wins: without it the steps are quickly done.
local function walk(level, moves)
  local calm = game.variants.no_enemies(level)
  local state = game.search.start(calm)
  local tiles = { { state.column, state.row } }
  for i, move in ipairs(moves) do
    game.search.step(state, move, calm)
    tiles[i + 1] = { state.column, state.row }
  end
  return { tiles = tiles, board = crux.cells(level.width, level.height, tiles), stamina = state.stamina }
end

local function walk_of(level, solution)
  solution.walk = solution.walk or solution.moves and walk(level, solution.moves)
  return solution.walk
end

game.measure { "length", kind = "dynamic", doc = "actions of a shortest solution", function(_, solution) return solution.length end }

-- Adds a measure that compares the walks of a level's solution and that of a variant.
local function compare(name, variant, doc, of)
  game.measure { name, kind = "solution", doc = doc, function(level, solution)
    local other = solution.variants[variant]
    local walked = walk_of(other.level, other)
    return walked and of(walk_of(level, solution), walked)
  end }
end

local function difference(a, b) return #a.tiles - #b.tiles end
compare("path_no_enemies", "no_enemies", "tiles of the solution more than without enemies and spikes", difference)
compare("path_nothing", "nothing", "tiles of the solution more than without enemies, spikes and switches", difference)

local function jaccard(a, b) return #(a.board & b.board) / #(a.board | b.board) end
compare("jaccard_no_enemies", "no_enemies", "share of tiles common with the solution without enemies and spikes", jaccard)
compare("jaccard_nothing", "nothing", "share of tiles common with the solution without enemies, spikes and switches", jaccard)

-- Sum of 1 / city-block distance over the things on the square of seven tiles a side around each tile of the solution, a
-- mean over these tiles.
local function proximity(walked, things)
  local sum = 0
  for _, tile in ipairs(walked.tiles) do
    for x, y in things:cells() do
      local columns, rows = abs(x - tile[1]), abs(y - tile[2])
      if columns <= 3 and rows <= 3 then sum = sum + 1 / math.max(1, columns + rows) end
    end
  end
  return sum / #walked.tiles
end

for _, name in ipairs { "enemies", "food" } do
  game.measure { "proximity_to_" .. name, kind = "solution", doc = ("nearness of %s to the tiles of the solution"):format(name),
    function(level, solution) return proximity(walk_of(level, solution), level.planes[name]) end }
end

local function percent(a, b)
  local sum = a.stamina + b.stamina
  return sum == 0 and 0.0 or abs(a.stamina - b.stamina) / (sum / 2)
end
compare("stamina_percent_enemies", "no_enemies",
  "difference of the stamina left to that without enemies and spikes, over the mean of both", percent)
compare("stamina_percent_nothing", "nothing",
  "difference of the stamina left to that without enemies, spikes and switches, over the mean of both", percent)

-- Adds a measure of the share of tiles that are of these kinds.
local function share(name, doc, kinds)
  game.measure { name, kind = "initial", doc = doc, function(level)
    local count = 0
    for _, kind in ipairs(kinds) do count = count + #level.planes[kind] end
    return count / (level.width * level.height)
  end }
end
share("density", "share of tiles that are walls or spikes", { "X", "/", "\\", "spikes" })
share("leniency", "share of tiles that are enemies, spikes or switches", { "enemies", "spikes", "switches" })
share("food_density", "share of tiles that are food", { "food" })

for _, variant in ipairs { "no_enemies", "nothing" } do
  game.measure { "length_" .. variant, kind = "dynamic", optional = true, doc = "length of the variant " .. variant,
    function(_, solution) return solution.variants[variant].length end }
end

return game
