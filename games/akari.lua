-- Akari: put lamps that light all cells up to the next wall. No lamp lights another; numbers on walls count the lamps beside.

-- The lines of cells between walls.
local function lines_of(wall)
  local lines, width, height = crux.grid.runs(~wall), wall:size()
  for i, run in ipairs(lines) do lines[i] = crux.cells(width, height, run) end
  return lines
end

-- The cells that lamps light.
local function lit(lamps, lines)
  local all = lamps
  for _, line in ipairs(lines) do all = crux.any(line & lamps) and all | line or all end
  return all
end

-- For each cell, the cells from which a lamp lights it.
local function lights(level)
  local list = {}
  for x, y in (~level.wall):cells() do
    local seen = {}
    for _, line in ipairs(level.lines) do
      local others = line:has(x, y) and line:without(x, y) or level.nothing
      for other_x, other_y in others:cells() do table.insert(seen, { other_x, other_y }) end
    end
    table.insert(seen, { x, y })
    table.insert(list, seen)
  end
  return list
end

return crux.kits.deduce {
  name = "akari", doc = "Put lamps that light all cells up to the next wall but no other lamp; numbers count lamps beside.",
  translations = {
    de = { "Setzen Sie Lampen, die alles bis zur nächsten Mauer erhellen, aber keine Lampe; Zahlen zählen Lampen daneben." },
    es = { "Ponga lámparas que iluminen todo hasta el muro, pero no otra lámpara; los números cuentan lámparas al lado." },
    fr = { "Placez des lampes qui éclairent tout jusqu'au mur, sauf une autre lampe ; les nombres comptent les voisines." },
    ja = { "すべてのマスを次の壁まで照らす照明を置きます。照明同士は照らし合わず、数字は隣の照明の数です。" },
    zh = { "放置灯照亮所有格子直到下一堵墙，但不照到其他灯；数字表示旁边的灯数。" },
  },
  tiles = { { "." }, { "#", "wall" }, { "?", "wall", "number" }, { "*", "lamp" }, { "+", "dark" },
    expected = "a number from 0 to 4, '#' or '.'" },
  numbers = { "number", least = 0, most = 4 }, values = { "lamp", "dark" }, rest = "dark", outside = { "wall" },
  board = function(level) level.lines = lines_of(level.wall) end,
  lit = function(level, known) return lit(known.lamp, level.lines) end,
  look = { { "wall", "wall" }, { "lamp", "yellow disc" }, { "dark", "white dot" } },
  rules = {
    { "two_lamps", of = function(level) return level.lines end, count = "lamp", most = 1, grade = 1 },
    { "number", beside = true, count = "lamp", grade = 2 },
    { "unlit", of = lights, count = "lamp", least = 1, grade = 4 },
  },
  techniques = { { "last_lamps", rule = "number", open = 2, grade = 1 },
    { "contradiction", grade = 20, trial = 3 }, { "long_contradiction", grade = 60, trial = 99, further = true } },
  guess = 200,
  generate = {
    dig = { "number" },
    options = { { "width", 7, doc = "columns" }, { "height", 7, doc = "rows" }, { "walls", { 8, 14 }, doc = "walls" } },
    level = function(random, options) -- lamps in cells that are dark, until none is
      local nothing = crux.cells(options.width, options.height)
      local wall = crux.grid.some(random, ~nothing, options.walls)
      local dark, lamps, clues, lines = ~wall, nothing, {}, lines_of(wall)
      while crux.any(dark) do
        lamps = lamps:with(dark:pick(random))
        dark = dark - lit(lamps, lines)
      end
      for x, y in wall:cells() do
        table.insert(clues, { x = x, y = y, number = #(nothing:with(x, y):neighbours() & lamps) })
      end
      return { wall = wall, number = wall, clues = clues }
    end,
  },
}
