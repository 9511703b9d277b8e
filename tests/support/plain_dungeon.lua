--- DungeonGrams as games/dungeongrams.lua has it, by code that shares nothing with it: the rules one by one over rows of
--- characters, states as strings.
local dungeon = {}

---@class Plain            a level as its rows
---@field rows string[][]  characters
---@field width integer
---@field height integer
---@field stamina integer  at the start
---@field most integer     stamina that one can have
---@field food integer     stamina that food adds

--- The level of a text.
function dungeon.read(text, notes)
  local plain = { rows = {}, stamina = 40, most = 40, food = 25 }
  for line in text:gmatch "[^\n]+" do
    local row = {}
    for character in line:gmatch "." do table.insert(row, character) end
    table.insert(plain.rows, row)
  end
  plain.width, plain.height = #plain.rows[1], #plain.rows
  notes = notes or {}
  plain.stamina, plain.most = math.tointeger(notes.stamina) or 40, math.tointeger(notes["most-stamina"]) or 40
  plain.food = math.tointeger(notes.food) or 25
  return plain
end

local known = setmetatable({}, { __mode = "k" }) -- by rows and character, the places of the character

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

--- The level with floor in place of some characters.
function dungeon.without(plain, characters)
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
function dungeon.shortest(plain)
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

function dungeon.jaccard(a, b)
  local both, either, of_a = 0, 0, {}
  local seen = {}
  for _, tile in ipairs(a.tiles) do of_a[tile[1] .. "," .. tile[2]] = true end
  for _, tile in ipairs(b.tiles) do seen[tile[1] .. "," .. tile[2]] = true end
  for name in pairs(of_a) do both, either = both + (seen[name] and 1 or 0), either + 1 end
  for name in pairs(seen) do either = either + (of_a[name] and 0 or 1) end
  return both / either
end

--- As the text of the study has it; `is_narrow`: as its program does.
function dungeon.proximity(plain, tiles, character, is_narrow)
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

function dungeon.percent(a, b)
  if a == b then return 0 end
  return math.abs(a - b) / ((a + b) / 2)
end

--- The values of all measures, those of a solution only if there is one; and the shortest solution.
function dungeon.measures(plain)
  local cells = plain.width * plain.height
  local function count(characters)
    local n = 0
    for character in characters:gmatch "." do n = n + #places(plain, character) end
    return n
  end
  local row = { density = count "X/\\^" / cells, leniency = count "#^*" / cells, food_density = count "&" / cells }
  local found = dungeon.shortest(plain)
  if not found.actions then return row, found end
  local calm, bare = dungeon.shortest(dungeon.without(plain, "#^")), dungeon.shortest(dungeon.without(plain, "#^*"))
  row.length, row.length_no_enemies, row.length_nothing = #found.actions, #calm.actions, #bare.actions
  row.path_no_enemies, row.path_nothing = #found.tiles - #calm.tiles, #found.tiles - #bare.tiles
  row.jaccard_no_enemies, row.jaccard_nothing = dungeon.jaccard(found, calm), dungeon.jaccard(found, bare)
  for name, character in pairs { enemies = "#", food = "&" } do
    row["proximity_to_" .. name] = dungeon.proximity(plain, found.tiles, character)
    row["narrow_proximity_to_" .. name] = dungeon.proximity(plain, found.tiles, character, true)
  end
  row.jaccard_distance_no_enemies, row.jaccard_distance_nothing = 1 - row.jaccard_no_enemies, 1 - row.jaccard_nothing
  row.stamina_percent_enemies = dungeon.percent(found.stamina, calm.stamina)
  row.stamina_percent_nothing = dungeon.percent(found.stamina, bare.stamina)
  row.solvable = 1
  return row, found
end

--- All shortest solutions of a length, as dungeon.shortest gives one.
function dungeon.all_shortest(plain, length)
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
  local copy, player = dungeon.without(plain, ""), places(plain, "@")[1]
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
function dungeon.authors_path(plain)
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

return dungeon
