-- Hitori: shade cells so that no row and no column has a number twice. Shaded cells do not touch, the others are connected.

-- A cell is shaded, or one of those behind it, its neighbours, is not.
local alone = { first = false, accept = function(state) return state end,
  next = function(state, value, i) return state or (value == "shaded") == (i == 1) end }

return crux.kits.deduce {
  name = "hitori", doc = "Shade cells so that no row and column has a number twice; shaded cells do not touch, others connect.",
  translations = {
    de = { "Schwärzen Sie Felder: keine Zahl zweimal in Zeile oder Spalte; schwarze einzeln, andere zusammenhängend." },
    es = { "Sombree casillas: ningún número dos veces en fila o columna; las sombreadas no se tocan, las demás se conectan." },
    fr = { "Noircissez des cases : aucun nombre deux fois par ligne ou colonne ; les noires isolées, les autres jointes." },
    ja = { "行や列に同じ数字が残らないように塗ります。塗ったマスは隣り合わず、残りはつながります。" },
    zh = { "涂黑格子，使每行每列没有重复数字；黑格不相邻，其余相连。" },
  },
  tiles = { { "." }, { "?", "number" }, { "#", "shaded" }, { "o", "unshaded" }, expected = "a number from 1 to 99" },
  numbers = { "number", least = 1, most = 99 }, values = { "shaded", "unshaded" }, rest = "unshaded",
  check = { function(level)
    local x, y = (~level.number):first()
    if x then return "no number", "one in each cell", x, y end
  end },
  board = function(level) -- equal: the cells of each number in each column and row
    local places = {}
    level.equal = {}
    for x, y in level.number:cells() do
      for _, line in ipairs { "x" .. x, "y" .. y } do
        local key = line .. "=" .. level.number_at(x, y)
        local place = places[key] or #level.equal + 1
        places[key], level.equal[place] = place, (level.equal[place] or level.nothing):with(x, y)
      end
    end
  end,
  look = { { "shaded", "wall" }, { "unshaded", "bright blue ring" } },
  rules = {
    { "nothing", some = "shaded" },
    { "adjacent", windows = { { 1, 2 }, { 2, 1 } }, count = "shaded", most = 1, grade = 1 },
    { "divided", connected = "unshaded", grade = 8 },
    { "twice", of = function(level) return level.equal end, count = "unshaded", most = 1, grade = 2 },
    { "alone", grade = 3, language = alone, of = function(level)
      local list = {}
      for x, y in (~level.nothing):cells() do
        table.insert(list, { { x, y } })
        for to_x, to_y in level.nothing:with(x, y):neighbours():cells() do table.insert(list[#list], { to_x, to_y }) end
      end
      return list
    end },
  },
  techniques = {
    -- A number between two equal ones stays, as one of these is shaded.
    { "between", grade = 3, removes = "shaded", find = function(_, level)
      local found = level.nothing
      for _, run in ipairs(level.equal) do found = found | run:shift "L" & run:shift "R" | run:shift "U" & run:shift "D" end
      return found
    end },
    -- One of two equal neighbours stays, so that all others of their line go.
    { "pair", grade = 3, removes = "unshaded", find = function(_, level)
      local found = level.nothing
      for _, line in ipairs(level.equal) do
        for x, y in (line & (line:shift "R" | line:shift "D")):cells() do
          local second = level.nothing:with(x, y)
          found = found | line - second - second:shift "L" - second:shift "U"
        end
      end
      return found
    end },
    -- Two equal numbers shut a corner in, with its other neighbour shaded; so do others around it, if they stay.
    { "corner", grade = 3, find = function(_, level)
      local stays, goes, at = level.nothing, level.nothing, level.number_at
      for i = 0, level.width > 1 and level.height > 1 and 3 or -1 do
        local x, y = i % 2 * (level.width - 1) + 1, i // 2 * (level.height - 1) + 1
        local in_x, in_y = x == 1 and 2 or x - 1, y == 1 and 2 or y - 1
        local corner, beside, below, inner = at(x, y), at(in_x, y), at(x, in_y), at(in_x, in_y)
        local twice = corner == beside and below == inner or corner == below and beside == inner
        if twice or corner == beside and corner == below then goes = goes:with(x, y) end
        if twice or inner == beside and inner == below then goes = goes:with(in_x, in_y) end
        if corner == beside and corner ~= below then stays = stays:with(x, in_y) end
        if corner == below and corner ~= beside then stays = stays:with(in_x, y) end
      end
      return { { unshaded = goes }, { shaded = stays } }
    end },
    { "glance", grade = 4, trial = 1 }, { "contradiction", grade = 20, trial = 3 },
    { "long_contradiction", grade = 60, trial = 99, further = true },
  }, guess = 200,
  generate = {
    options = { { "width", 6, doc = "columns" }, { "height", 6, doc = "rows" }, { "shaded", { 5, 12 }, doc = "shaded cells" } },
    level = function(random, options) -- a Latin square, in which shaded cells take a number of their row or column
      local clues, numbers, rows, columns = {}, {}, {}, {}
      for i = 1, math.max(options.width, options.height) do numbers[i], rows[i], columns[i] = i, i, i end
      for _, list in ipairs { numbers, rows, columns } do random:shuffle(list) end
      local shaded = crux.grid.scattered(random, options.width, options.height, options.shaded)
      for x, y in (~shaded | shaded):cells() do
        local beside, from_x, from_y = (~shaded):without(x, y), x, y
        while shaded:has(x, y) and (from_x ~= x) == (from_y ~= y) do from_x, from_y = beside:pick(random) end
        table.insert(clues, { x = x, y = y, number = numbers[(rows[from_y] + columns[from_x]) % #numbers + 1] })
      end
      return { number = ~shaded | shaded, clues = clues }
    end,
  },
}
