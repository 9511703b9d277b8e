-- Masyu: draw one loop from cell to cell. It turns on black pearls and goes straight before and behind them; it goes straight
-- through white pearls and turns before or behind them, or both.

local steps = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }

local function count(near)
  local sum = 0
  for i = 1, 4 do sum = sum + (near[i] and 1 or 0) end
  return sum
end

local function is_straight(near) return near[1] and near[3] or near[2] and near[4] end
local function turns(near) return count(near) == 2 and not is_straight(near) end
local function goes_on(near, far)
  for i = 1, 4 do
    if near[i] and not far[i] then return false end
  end
  return true
end

local function turns_beside(near, far)
  return not (is_straight(near) and goes_on(near, far))
end

-- The language of the edges around a pearl, of which `is_there` says which the board has.
local function language_of(is_there, accept)
  return { first = 1, next = function(state, value) return 2 * state + (value == "line" and 1 or 0) end,
    accept = function(state)
      local near, far = {}, {}
      for i = 8, 1, -1 do
        local bit = is_there[i] and state & 1 == 1
        if i % 2 == 1 then near[(i + 1) // 2] = bit else far[i // 2] = bit end
        state = is_there[i] and state >> 1 or state
      end
      return accept(near, far) and true or false
    end }
end

-- A rule about pearls of a kind: `accept` gets by direction whether the line leaves the cell there, and whether it goes on
-- straight behind the next cell. Directions follow each other around the pearl: 1 and 3 are opposites.
local function pearls(kind, accept)
  local languages = {} -- by the edges that there are
  return function(level)
    local list = {}
    for x, y in level[kind]:cells() do
      local cells, is_there, key = {}, {}, ""
      for i = 1, 8 do
        local step, distance = steps[(i + 1) // 2], i % 2 == 1 and 1 or 3
        local edge_x, edge_y = x + distance * step[1], y + distance * step[2]
        is_there[i] = edge_x >= 1 and edge_y >= 1 and edge_x <= level.width and edge_y <= level.height
        if is_there[i] then table.insert(cells, { edge_x, edge_y }) end
        key = key .. (is_there[i] and 1 or 0)
      end
      languages[key] = languages[key] or language_of(is_there, accept)
      table.insert(list, { cells = cells, language = languages[key] })
    end
    return list
  end
end

local doc = "Draw one loop that turns on black pearls only, not beside them, and beside white ones, not on them."

return crux.kits.deduce {
  name = "masyu", doc = doc,
  translations = {
    de = { [doc] =
      "Zeichnen Sie eine Schleife, die auf schwarzen Perlen abbiegt, nicht daneben, und neben weißen, nicht darauf." },
    es = { [doc] = "Dibuje un bucle que gire en las perlas negras, no al lado, y al lado de las blancas, no en ellas." },
    fr = { [doc] = "Tracez une boucle qui tourne sur les perles noires, pas à côté, et à côté des blanches, pas dessus." },
    ja = { [doc] = "一つの輪を描きます。黒丸では曲がり前後は直進し、白丸では直進し前後の少なくとも一方で曲がります。" },
    zh = { [doc] = "画一个环：在黑珠处转弯而前后直行，在白珠处直行而前或后转弯。" },
  },
  tiles = { { "." }, { "o", "white" }, { "*", "black" }, { "-", "line" }, { "+", "gap" } },
  lines = "through", outside = { "vertex", "between" }, values = { "line", "gap" }, rest = "gap",
  look = { { "white", "bright white ring", size = 1.3 }, { "black", "bright white disc", size = 1.3 } },
  rules = {
    { "nothing", some = "line" },
    { "branch", joints = { 0, 1, 2, 4 }, count = "line" },
    { "cross", joints = { 0, 1, 2, 3 }, count = "line" },
    { "turn_on_white", of = pearls("white", function(near) return not turns(near) end) },
    { "straight_on_black", of = pearls("black", function(near) return not is_straight(near) end) },
    { "turn_beside_black", of = pearls("black", function(near, far) return not turns(near) or goes_on(near, far) end) },
    { "straight_beside_white", of = pearls("white", turns_beside) },
    { "missed", of = pearls("white", function(near) return count(near) > 0 end) },
    { "missed_black", of = pearls("black", function(near) return count(near) > 0 end) },
    { "dead_end", joints = { 0, 2, 3, 4 }, count = "line" },
    { "several_loops", loop = "line", grade = 8 },
    { "corner", joints = { 0, 2 }, count = "line", grade = 1 },
    { "black_pearl", grade = 2, of = pearls("black", function(near, far) return turns(near) and goes_on(near, far) end) },
    { "white_pearl", grade = 3, of = pearls("white", function(near, far)
      return count(near) == 2 and is_straight(near) and turns_beside(near, far)
    end) },
  },
  techniques = { { "glance", grade = 4, trial = 1 }, { "look", grade = 6, trial = 2 },
    { "contradiction", grade = 20, trial = 5 }, { "long_contradiction", grade = 60, trial = 99, further = true } },
  guess = 200,
  generate = {
    dig = { "white", "black" },
    options = { { "width", 7, doc = "columns" }, { "height", 7, doc = "rows" } },
    level = function(random, options) -- all pearls of the outline of an area; they go while the level stays solvable
      local width, height = options.width, options.height
      local area = crux.grid.blob(random, width - 1, height - 1, 0.9, true)
      local function near(x, y)
        local a, b, c, d = area:has(x, y - 1), area:has(x, y), area:has(x - 1, y), area:has(x - 1, y - 1)
        return { a ~= b, b ~= c, c ~= d, d ~= a }
      end
      local planes = { white = crux.cells(width, height), black = crux.cells(width, height) }
      for x, y in (~planes.white):cells() do
        local own, far, bent = near(x, y), {}, false
        for i, step in ipairs(steps) do
          local beside = own[i] and near(x + step[1], y + step[2])
          far[i], bent = beside and is_straight(beside), bent or beside and turns(beside)
        end
        local kind = turns(own) and goes_on(own, far) and "black" or is_straight(own) and bent and "white"
        if kind then planes[kind] = planes[kind]:with(x, y) end
      end
      return planes
    end,
  },
}
