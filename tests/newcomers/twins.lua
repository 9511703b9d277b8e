-- The steps of the newcomers' games written for speed, with crux's words for choices in place of `if`: the same states and
-- results. By game: a `step`; a `state` and `start` if they differ; and `prepare`, which computes tables of a level.
local any, none, count, eq, ne, where, lookup, min = crux.any, crux.none, crux.count, crux.eq, crux.ne, crux.where, crux.lookup, crux.min

local twins = {}

twins.hanoi = { step = function(now, move, level)
  local from, to, is_open, won = move:byte(1) - 64, move:byte(2) - 64, true, true
  for disk = 1, level.disks do
    local at = now.peg[disk]
    local moves = is_open & eq(at, from)
    is_open = is_open & ne(at, to) & ne(at, from)
    now.peg[disk] = where(moves, to, at)
    won = won & eq(now.peg[disk], 3)
  end
  return won
end }

twins.jugs = { step = function(now, move, level)
  local from, to, litres, won = move:byte(1) - 64, move:byte(2) - 64, now.litres, false
  local amount = min(litres[from], level.sizes[to] - litres[to])
  litres[from], litres[to] = litres[from] - amount, litres[to] + amount
  for i = 1, 3 do won = won | eq(litres[i], level.goal) end
  return won & ne(amount, 0)
end }

twins.crates = { step = function(now, move, level)
  local ahead = now.man:shift(move) - level.rock
  local crate = ahead & now.crate
  local others = now.crate - crate
  for _ = 2, math.max(level.width, level.height) do
    local next = crate:shift(move) - level.rock - others
    crate = where(any(next), next, crate)
  end
  now.man = where(any(ahead - now.crate), ahead, now.man)
  now.crate = others | crate
  return eq(now.crate, level.hole)
end }

twins.ice = { step = function(now, move, level)
  for _ = 2, math.max(level.width, level.height) do
    local ahead = now.player:shift(move) & level.floor
    now.player = where(any(ahead), ahead, now.player)
  end
  return eq(now.player, level.exit)
end }

twins.eight = {
  state = function() return { at = crux.array(9, crux.integer(0, 8)), gap = crux.integer(1, 9) } end,
  start = function(level)
    local gap
    for place, tile in ipairs(level.tiles) do gap = tile == 0 and place or gap end
    return { at = { table.unpack(level.tiles) }, gap = gap }
  end,
  step = function(now, move)
    local at, gap = now.at, now.gap
    local by = ({ U = -3, L = -1, D = 3, R = 1 })[move]
    local moved, won = false, true
    for place = 1, 9 do
      local to, column = place + by, (place - 1) % 3
      local is_inside = to >= 1 and to <= 9 and not (move == "L" and column == 0) and not (move == "R" and column == 2)
      if is_inside then
        local here = eq(gap, place)
        at[place], at[to] = where(here, at[to], at[place]), where(here, 0, at[to])
        moved = moved | here
      end
    end
    now.gap = where(moved, gap + by, gap)
    for place = 1, 8 do won = won & eq(at[place], place) end
    return won
  end,
}

twins.lights = {
  prepare = function(level)
    level.presses = {}
    for y = 1, 4 do
      for x = 1, 4 do
        local is_inside = x <= level.width and y <= level.height
        local press = crux.cells(level.width, level.height, is_inside and { { x, y } } or {})
        level.presses[("r%dc%d"):format(y, x)] = press | press:neighbours()
      end
    end
  end,
  step = function(now, move, level)
    now.lamp = now.lamp ~ level.presses[move]
    return none(now.lamp)
  end,
}

-- The number of a square, from two squares beyond the edge on.
local function number(x, y) return (x + 1 << 4) + y + 1 end

twins.boxes = {
  prepare = function(level)
    level.is_floor, level.is_goal = {}, {}
    for x = -1, level.width + 2 do
      for y = -1, level.height + 2 do
        level.is_floor[number(x, y)], level.is_goal[number(x, y)] = level.floor:has(x, y), level.goal:has(x, y)
      end
    end
  end,
  step = function(now, move, level)
    local dx, dy = ({ U = 0, L = -1, D = 0, R = 1 })[move], ({ U = -1, L = 0, D = 1, R = 0 })[move]
    local x, y = now.x + dx, now.y + dy
    local can, won, is_box, is_hit, is_taken = lookup(level.is_floor, number(x, y)), true, {}, false, false
    for i = 1, #now.bx do
      is_box[i] = eq(now.bx[i], x) & eq(now.by[i], y)
      is_hit = is_hit | is_box[i]
      is_taken = is_taken | eq(now.bx[i], x + dx) & eq(now.by[i], y + dy)
    end
    can = can & (~is_hit | ~is_taken & lookup(level.is_floor, number(x + dx, y + dy)))
    for i = 1, #now.bx do
      local is_pushed = can & is_box[i]
      now.bx[i], now.by[i] = where(is_pushed, x + dx, now.bx[i]), where(is_pushed, y + dy, now.by[i])
      won = won & lookup(level.is_goal, number(now.bx[i], now.by[i]))
    end
    now.x, now.y = where(can, x, now.x), where(can, y, now.y)
    return won
  end,
}

twins.pegs = {
  prepare = function(level)
    level.nothing = level.hole - level.hole
    level.jumps = {}
    local function square(x, y) return level.hole:has(x, y) and level.nothing:with(x, y) or level.nothing end
    for y = 1, 6 do
      for x = 1, 6 do
        for name, step in pairs { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } } do
          local from, over, to = square(x, y), square(x + step[1], y + step[2]), square(x + 2 * step[1], y + 2 * step[2])
          local is_jump = from:any() and over:any() and to:any()
          level.jumps[("r%dc%d%s"):format(y, x, name)] = { before = from | over, after = is_jump and to or level.nothing, all = from | over | to }
        end
      end
    end
  end,
  step = function(now, move, level)
    local jump = level.jumps[move]
    now.peg = where(eq(now.peg & jump.all, jump.before) & any(jump.after), now.peg ~ jump.all, now.peg)
    return eq(count(now.peg), 1)
  end,
}

twins.crossing = { step = function(now, move)
  local was, can = now.farmer, true
  if move ~= "alone" then
    can = eq(now[move], was)
    now[move] = now[move] ~ can
  end
  now.farmer = was ~ can
  local function is_eaten(who, by) return eq(now[who], now[by]) & ne(now[who], now.farmer) end
  return now.farmer & now.wolf & now.goat & now.cabbage, { wolf = is_eaten("goat", "wolf"), goat = is_eaten("cabbage", "goat") }
end }

return twins
