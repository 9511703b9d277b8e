-- Masyu: draw one loop from cell to cell. It turns on black pearls and goes straight before and behind them; it goes straight
-- through white pearls and turns before or behind them, or both.

local steps = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }

-- The edges of a pearl that have the line, and those straight on behind the next cells, are bits by direction.
local function is_straight(near) return near & 5 == 5 or near & 10 == 10 end
local function turns(near) return near == 3 or near == 6 or near == 9 or near == 12 end
local function goes_on(near, far) return near & ~far == 0 end
local function turns_beside(near, far) return not (is_straight(near) and goes_on(near, far)) end

-- The language of the edges of some numbers, near ones from 0 and far ones from 4 on.
local function language_of(numbers, accept)
  return { first = 0, accept = function(state) return accept(state & 15, state >> 4) end,
    next = function(state, value, i) return value == "line" and state | 1 << numbers[i] or state end }
end

-- A rule about pearls of a kind, by a function of the near and the far edges that have the line.
local function pearls(kind, accept)
  local languages = {} -- by the edges that there are
  return function(level)
    local list = {}
    for x, y in level[kind]:cells() do
      local cells, numbers = {}, {}
      for i = 0, 7 do
        local step, is_far = steps[i // 2 + 1], i % 2
        local edge_x, edge_y = x + (1 + 2 * is_far) * step[1], y + (1 + 2 * is_far) * step[2]
        if (~level.nothing):has(edge_x, edge_y) then
          table.insert(cells, { edge_x, edge_y })
          table.insert(numbers, i // 2 + 4 * is_far)
        end
      end
      local key = table.concat(numbers)
      languages[key] = languages[key] or language_of(numbers, accept)
      table.insert(list, { cells = cells, language = languages[key] })
    end
    return list
  end
end

return crux.kits.deduce {
  name = "masyu", doc = "Draw one loop that turns on black pearls only, not beside them, and beside white ones, not on them.",
  translations = {
    de = { "Zeichnen Sie eine Schleife, die auf schwarzen Perlen abbiegt, nicht daneben, und neben weißen, nicht darauf." },
    es = { "Dibuje un bucle que gire en las perlas negras, no al lado, y al lado de las blancas, no en ellas." },
    fr = { "Tracez une boucle qui tourne sur les perles noires, pas à côté, et à côté des blanches, pas dessus." },
    ja = { "一つの輪を描きます。黒丸では曲がり前後は直進し、白丸では直進し前後の少なくとも一方で曲がります。" },
    zh = { "画一个环：在黑珠处转弯而前后直行，在白珠处直行而前或后转弯。" },
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
    { "missed", of = pearls("white", function(near) return near > 0 end) },
    { "missed_black", of = pearls("black", function(near) return near > 0 end) },
    { "dead_end", joints = { 0, 2, 3, 4 }, count = "line" },
    { "several_loops", loop = "line", grade = 8 },
    { "corner", joints = { 0, 2 }, count = "line", grade = 1 },
    { "black_pearl", grade = 2, of = pearls("black", function(near, far) return turns(near) and goes_on(near, far) end) },
    { "white_pearl", grade = 3, of = pearls("white", function(near, far)
      return (near == 5 or near == 10) and not goes_on(near, far)
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
        return (a ~= b and 1 or 0) | (b ~= c and 2 or 0) | (c ~= d and 4 or 0) | (d ~= a and 8 or 0)
      end
      local planes = { white = crux.cells(width, height), black = crux.cells(width, height) }
      for x, y in (~planes.white):cells() do
        local own, far, bent = near(x, y), 0, false
        for i, step in ipairs(steps) do
          local bit = 1 << i - 1
          local beside = own & bit ~= 0 and near(x + step[1], y + step[2]) or 0
          far, bent = far | beside & bit, bent or turns(beside)
        end
        local kind = turns(own) and goes_on(own, far) and "black" or is_straight(own) and bent and "white"
        if kind then planes[kind] = planes[kind]:with(x, y) end
      end
      return planes
    end,
  },
}
