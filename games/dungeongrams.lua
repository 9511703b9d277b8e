-- DungeonGrams: press all switches and reach the exit before the stamina is used up; enemies and spikes kill.
local abs, grid = math.abs, crux.grid

-- The bits of a tile, by the things on it; from bit SWITCH on there is one for each switch, and behind these one for each food.
local WALL, SPIKE, EXIT, SWITCH = 1, 2, 4, 3

local SIGHT = 3 -- how far from its home an enemy sees the player

-- By square of the player, the square to which an enemy goes that has its home on a square.
local function aims(level, home)
  local x, y = grid.place(level, home)
  return grid.numbers(level, home, function(column, row)
    return (row - y) ^ 2 + (column - x) ^ 2 <= SIGHT ^ 2 and grid.number(level, column, row) or nil
  end, grid.number(level, level.width, level.height))
end

-- By column and by row, the square of the distance from a square's.
local function squared_distances(level, square)
  local x, y = grid.place(level, square)
  local columns, rows = {}, {}
  for i = 0, math.max(1 << level.shift, level.height) do columns[i], rows[i] = (i - x) * (i - x), (i - y) * (i - y) end
  return { columns = columns, rows = rows }
end

-- Numbers that order sets of squares, given as bits, as the lists of these squares: where two sets first differ, the one whose
-- list ends comes first, then the one with the square.
local function order_of(bits, count)
  local numbers = {}
  for i = 1, count do
    local left = bits >> i - 1
    numbers[i] = left == 0 and 0 or left & 1 == 1 and 1 or 2
  end
  return numbers
end

-- How much the stamina left differs, over the mean of both.
local function stamina_percent(_, solution, other)
  local a, b = solution.way[#solution.way].stamina, other.way[#other.way].stamina
  return a == b and 0 or 2 * abs(a - b) / (a + b)
end

-- The sum of 1 / city-block distance from the player to the things that are near him, at -3 to 3 rows and columns. The
-- program of the study counts fewer tiles than its text says: -3 to 2 rows and columns, neither 0.
local function nearness(thing, is_narrow)
  local most = is_narrow and 2 or 3
  return function(level, now)
    local sum, at_x, at_y = 0, grid.place(level, now.player)
    for x, y in level[thing]:cells() do
      local columns, rows = x - at_x, y - at_y
      local is_near = math.min(columns, rows) >= -3 and math.max(columns, rows) <= most
      if is_near and not (is_narrow and columns * rows == 0) then sum = sum + 1 / math.max(1, abs(columns) + abs(rows)) end
    end
    return sum
  end
end

return grid {
  name = "dungeongrams",
  doc = "Press all switches and reach the exit before the stamina is used up; enemies and spikes kill.",
  translations = {
    de = {
      "Drücken Sie alle Schalter und erreichen Sie den Ausgang, ehe die Ausdauer verbraucht ist; Gegner und Stacheln töten.",
      ["stamina #"] = "Ausdauer #",
      spike = "Stachel", enemy = "Gegner", switch = "Schalter", food = "Essen",
      slash = "Schrägstrich", backslash = "umgekehrter Schrägstrich" },
    es = { "Pulse todos los interruptores y salga antes de que se agote la resistencia; los enemigos y los pinchos matan.",
      ["stamina #"] = "Resistencia #",
      spike = "pincho", enemy = "enemigo", switch = "interruptor", food = "comida",
      slash = "barra", backslash = "barra invertida" },
    fr = { "Actionnez tous les interrupteurs et sortez avant que l'endurance ne soit épuisée ; ennemis et pointes tuent.",
      ["stamina #"] = "Endurance #",
      spike = "pointe", enemy = "ennemi", switch = "interrupteur", food = "nourriture",
      slash = "barre", backslash = "barre inverse" },
    ja = { "体力がなくなる前に、すべてのスイッチを押して出口に着いてください。敵ととげに触れると死にます。",
      ["stamina #"] = "体力 #",
      spike = "とげ", enemy = "敵", switch = "スイッチ", food = "食べ物",
      slash = "斜線", backslash = "逆斜線" },
    zh = { "在体力耗尽之前按下所有开关并到达出口；敌人和尖刺会致命。", ["stamina #"] = "体力 #",
      spike = "尖刺", enemy = "敌人", switch = "开关", food = "食物", slash = "斜线", backslash = "反斜线" },
  },
  tiles = { { "-" }, { "X", "wall" }, { "/", "wall", "slash" }, { "\\", "wall", "backslash" }, { "^", "spike" },
    { "#", "enemy" }, { "*", "switch" }, { "&", "food" }, { "@", "player" }, { "O", "exit" } },
  look = { { "wall", "wall" }, { "spike", "red square", sign = "^" }, { "switch", "bright yellow square", sign = "*" },
    { "food", "cyan square", sign = "&" }, { "exit", "bright blue square", sign = "O" },
    { "player", "bright green disc", sign = "@" }, { "enemy", "bright red disc", sign = "#" }, lines = true, path = "player" },
  -- The stamina at the start, the most that one can have, and what food adds to it.
  notes = { stamina = { 40, 1, "most-stamina" }, ["most-stamina"] = { 40, 1, 999 }, food = { 25, 1, 999 } },
  -- More switches and food have no bit, and more enemies take too many operations.
  check = { player = 1, exit = 1, switch = { 0, 29 }, food = { 0, 29 }, enemy = { 0, 62 }, wall = { 0, 1023 } },
  -- Adds the tables that `step` and `heuristic` look up, one for each bit of a switch, so that most levels share a program.
  board = function(level)
    local free = level.floor - level.spike
    level.tiles, level.aims, level.by_switch = grid.things(level, { "wall", "spike", "exit", "switch", "food" }), {}, {}
    for i, home in ipairs(level.squares.enemy) do level.aims[i] = aims(level, home) end
    -- To the exit; and to each switch, which is not beyond the exit, and then to the exit.
    level.to_exit = grid.distances(level, level.exit, free)
    local exit = grid.list(level, level.exit)[1]
    level.from_exit, level.from_switch = squared_distances(level, exit), {}
    for i = 1, level.bits.switch do
      local square = level.squares.switch[i]
      level.from_switch[i] = squared_distances(level, square or exit)
      local to = square and grid.board(level, { square })
      level.by_switch[i] = to and grid.distances(level, to, free - level.exit, level.to_exit[square])
        or table.move(level.to_exit, 0, #level.to_exit, 0, {})
    end
  end,

  moves = { ".", "U", "L", "D", "R" }, tap = ".",
  state = { player = "square", enemy = "squares", switch = "bits", food = "bits", enemies_move = crux.flag,
    stamina = function(level) return crux.integer(0, level.notes["most-stamina"]) end },
  step = function(now, move, level)
    local tiles, enemies = level.tiles, now.enemy
    -- The player steps, but for a wall, the edge, or the exit, which is closed while a switch is left.
    local to = grid.ahead(level, now.player, move)
    local closed = WALL | (now.switch ~= 0 and EXIT or 0)
    if tiles[to] & closed == 0 then now.player = to end
    local here = tiles[now.player]
    local spiked, met = here & SPIKE ~= 0, grid.has(enemies, now.player)
    local won = here & EXIT ~= 0 and not spiked and not met
    local food_bit, fed = SWITCH + level.bits.switch, math.min(now.stamina + level.notes.food, level.notes["most-stamina"])
    now.stamina = (here >> food_bit & now.food ~= 0 and fed or now.stamina) - 1
    now.switch, now.food = now.switch & ~(here >> SWITCH), now.food & ~(here >> food_bit)

    -- In every second turn each enemy steps towards the player, if he is near its home, else back home: along the longer
    -- way first, rows or columns, if a step that way is free, else along the other one.
    local occupied = WALL | SPIKE | EXIT | now.switch << SWITCH | now.food << food_bit
    local function step_of(enemy, distance, ahead)
      local to_square = distance < 0 and enemy - ahead or enemy + ahead
      local is_free = not grid.has(enemies, to_square) and tiles[to_square] & occupied == 0
      if now.enemies_move and distance ~= 0 and is_free then return to_square end
    end
    for i, aim in ipairs(level.aims) do
      local enemy = enemies[i]
      local column, row = grid.place(level, enemy)
      local to_column, to_row = grid.place(level, aim[now.player])
      local columns, rows = to_column - column, to_row - row
      local by_row, by_column = step_of(enemy, rows, 1 << level.shift), step_of(enemy, columns, 1)
      local row_first = abs(rows) - abs(columns) >= (row + column & 1) -- equally long: the row where the sum of both is even
      enemies[i] = row_first and by_row or by_column or by_row or enemy
    end
    now.enemies_move = not now.enemies_move
    return won, { enemy = met or grid.has(enemies, now.player), spike = spiked, stamina = now.stamina == 0 }
  end,
  -- The way to the exit by the switch for which it is longest, as if there were no enemies.
  heuristic = function(now, level)
    local moves = level.to_exit[now.player]
    for i, by_switch in ipairs(level.by_switch) do
      if now.switch & 1 << i - 1 ~= 0 then moves = math.max(moves, by_switch[now.player]) end
    end
    return moves
  end,
  status = function(now) return "stamina " .. now.stamina end,

  variants = { no_enemies = { "enemy", "spike" }, nothing = { "enemy", "spike", "switch" } }, -- without these things
  -- The search of the study by Biemer and Cooper (github.com/crowdgames/dungeongrams). As a priority falls with the stamina
  -- that is left, food is worth a detour: a path need not be shortest.
  paths = { authors = {
    -- A switch that cannot be reached is left out; an exit that cannot is put on the rightmost free tile that can,
    -- the lowest of several.
    level = function(level)
      local reached = level.player:flood(level.floor - level.spike)
      local changed, right = { switch = level.switch & reached }, 1
      if (level.exit & reached):none() then
        for x, y in (reached - level.enemy - level.switch):cells() do
          if x >= right then right, changed.exit = x, crux.cells(level.width, level.height, { { x, y } }) end
        end
      end
      return changed, { food = 30 } -- as in the program of the study; 25 in its text
    end,
    -- The number of actions, less the stamina, with the distance to the exit, or to the nearest switch and a size of the level
    -- for each switch; then, where these are equal, the state's own values.
    priority = function(now, length, level)
      local column, row = grid.place(level, now.player)
      local function distance(from) return math.sqrt(from.columns[column] + from.rows[row]) end -- as the crow flies
      local nearest, left = math.huge, 0
      for i, from_switch in ipairs(level.from_switch) do
        if now.switch & 1 << i - 1 ~= 0 then nearest, left = math.min(nearest, distance(from_switch)), left + 1 end
      end
      if left == 0 then nearest = distance(level.from_exit) end
      local numbers = { length - now.stamina + nearest + left * (level.width + level.height), now.player, now.stamina }
      local turn = now.enemies_move and 1 or 0
      local switches, food = order_of(now.switch, level.bits.switch), order_of(now.food, level.bits.food)
      for _, list in ipairs { now.enemy, { turn }, switches, food } do
        for _, number in ipairs(list) do table.insert(numbers, number) end
      end
      return numbers
    end,
  } },
  measures = {
    { "length", moves = true, doc = "actions of a shortest solution" },
    { "path", variants = true, doc = "tiles of the solution more than without %s",
      function(_, solution, other) return solution.length - other.length end },
    { "jaccard", variants = true, doc = "share of tiles that the solutions with and without %s have in common",
      function(_, solution, other) return grid.overlap(solution, other, "player") end },
    { "proximity_to_enemies", mean = nearness("enemy"), doc = "nearness of enemies to the tiles of the solution" },
    { "proximity_to_food", mean = nearness("food"), doc = "nearness of food to the tiles of the solution" },
    { "stamina_percent_enemies", variant = "no_enemies", stamina_percent,
      doc = "difference of the stamina left with and without enemies and spikes, over the mean of both" },
    { "stamina_percent_nothing", variant = "nothing", stamina_percent,
      doc = "difference of the stamina left with and without enemies, spikes and switches, over the mean of both" },
    { "density", share = { "wall", "spike" }, doc = "share of tiles that are walls or spikes" },
    { "leniency", share = { "enemy", "spike", "switch" }, doc = "share of tiles that are enemies, spikes or switches" },
    { "food_density", share = { "food" }, doc = "share of tiles that are food" },
    { "length", variants = true, moves = true, optional = true, doc = "actions of a shortest solution without %s" },
    { "jaccard_distance", variants = true, optional = true,
      doc = "1 - the share of tiles that the solutions with and without %s have in common",
      function(_, solution, other) return 1 - grid.overlap(solution, other, "player") end },
    { "narrow_proximity_to_enemies", mean = nearness("enemy", true), optional = true,
      doc = "nearness of enemies, of those at -3 to 2 rows and columns, neither 0" },
    { "narrow_proximity_to_food", mean = nearness("food", true), optional = true,
      doc = "nearness of food, of those at -3 to 2 rows and columns, neither 0" },
    { "solvable", kind = "dynamic", optional = true, doc = "1, for levels that can be won", function() return 1 end },
  },

  requires = { solvable = 1 },
  generate = {
    options = {
      { "columns", 19, doc = "tiles in a row" }, -- as in the game's own levels
      { "rows", 11, doc = "tiles in a column" },
      { "walls", { 0, 30 }, tile = "X", share = "density", doc = "walls" },
      { "spikes", { 0, 10 }, tile = "^", share = "leniency", doc = "spikes" },
      { "enemies", { 1, 3 }, tile = "#", doc = "enemies" },
      { "switches", { 0, 3 }, tile = "*", doc = "switches" },
      { "food", { 0, 2 }, tile = "&", share = "food_density", doc = "tiles with food" },
    },
    fixed = { "player", "exit" },
    -- From the upper left to the lower right corner.
    level = function(_, options, nothing)
      if #~nothing == 1 then return nil, "1 x 1 is no size of a level" end
      return { player = nothing:with(1, 1), exit = nothing:with(options.columns, options.rows) }
    end,
  },
  -- The tiles of a share that are wanted are divided among the things that it counts.
  options_for = function(_, _, options)
    local solid, harsh = options.walls, options.spikes -- spikes are both
    local enemies = harsh and math.min(2, harsh)
    local switches = harsh and math.min(2, harsh - enemies)
    local spikes = harsh and harsh - enemies - switches or solid and 0
    if solid and spikes > solid then enemies, spikes = enemies + spikes - solid, solid end
    options.enemies, options.switches, options.spikes, options.walls = enemies, switches, spikes, solid and solid - spikes
    return options
  end,
}
