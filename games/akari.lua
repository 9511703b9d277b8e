-- Akari: put lamps that light all cells up to the next wall. No lamp lights another; numbers on walls count the lamps beside.

local function lines(level)
  local list = {}
  for i, run in ipairs(crux.grid.runs(~level.wall)) do list[i] = { cells = run, count = "lamp", most = 1 } end
  return list
end

-- For each cell, the cells from which a lamp lights it.
local function lights(level)
  local list = {}
  local runs = crux.grid.runs(~level.wall)
  for x, y in (~level.wall):cells() do
    local seen = {}
    for _, run in ipairs(runs) do
      local is_mine = false
      for _, cell in ipairs(run) do is_mine = is_mine or cell[1] == x and cell[2] == y end
      for _, cell in ipairs(is_mine and run or {}) do
        if cell[1] ~= x or cell[2] ~= y then table.insert(seen, cell) end
      end
    end
    table.insert(seen, { x, y })
    table.insert(list, { cells = seen, count = "lamp", least = 1 })
  end
  return list
end

local function numbers(level)
  local list = {}
  for i, clue in ipairs(level.clues) do
    local beside = level.lamp:with(clue.x, clue.y):neighbours() - level.wall
    list[i] = { cells = beside, count = "lamp", counts = { clue.number } }
  end
  return list
end

local doc = "Put lamps that light all cells up to the next wall but no other lamp; numbers count lamps beside."

return crux.kits.deduce {
  name = "akari", doc = doc,
  translations = {
    de = { [doc] =
      "Setzen Sie Lampen, die alles bis zur nächsten Mauer erhellen, aber keine Lampe; Zahlen zählen Lampen daneben." },
    es = { [doc] =
      "Ponga lámparas que iluminen todo hasta el muro, pero no otra lámpara; los números cuentan lámparas al lado." },
    fr = { [doc] =
      "Placez des lampes qui éclairent tout jusqu'au mur, sauf une autre lampe ; les nombres comptent les voisines." },
    ja = { [doc] =
      "すべてのマスを次の壁まで照らす照明を置きます。照明同士は照らし合わず、数字は隣の照明の数です。" },
    zh = { [doc] = "放置灯照亮所有格子直到下一堵墙，但不照到其他灯；数字表示旁边的灯数。" },
  },
  tiles = { { "." }, { "#", "wall" }, { "?", "wall", "number" }, { "*", "lamp" }, { "+", "dark" },
    expected = "a number from 0 to 4, '#' or '.'" },
  numbers = { "number", least = 0, most = 4 }, values = { "lamp", "dark" }, rest = "dark", outside = { "wall" },
  lit = function(level, known)
    local lit = level.wall - level.wall
    for _, run in ipairs(crux.grid.runs(~level.wall)) do
      local cells = crux.cells(level.width, level.height, run)
      if crux.any(cells & known.lamp) then lit = lit | cells end
    end
    return lit
  end,
  look = { { "wall", "wall" }, { "lamp", "yellow disc" }, { "dark", "white dot" } },
  rules = {
    { "two_lamps", of = lines, grade = 1 },
    { "number", of = numbers, grade = 2 },
    { "unlit", of = lights, grade = 4 },
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
      local dark, lamps, clues = ~wall, nothing, {}
      while crux.any(dark) do
        local x, y = dark:pick(random)
        lamps = lamps:with(x, y)
        for _, run in ipairs(crux.grid.runs(~wall)) do
          local board = crux.cells(options.width, options.height, run)
          dark = board:has(x, y) and dark - board or dark
        end
      end
      for x, y in wall:cells() do
        table.insert(clues, { x = x, y = y, number = #(nothing:with(x, y):neighbours() & lamps) })
      end
      return { wall = wall, number = wall, clues = clues }
    end,
  },
}
