-- Hitori: shade cells so that no row and no column has a number twice. Shaded cells do not touch, the others are connected.

-- The cells of each number in each row and column, if there are several.
local function equal(level)
  local lists = {}
  for _, of in ipairs { "x", "y" } do
    local found = {}
    for _, clue in ipairs(level.clues) do
      local key = clue[of] * 1000 + clue.number
      found[key] = found[key] or { cells = {}, count = "unshaded", most = 1 }
      table.insert(found[key].cells, { clue.x, clue.y })
    end
    for _, sequence in pairs(found) do
      if sequence.cells[2] then table.insert(lists, sequence) end
    end
  end
  table.sort(lists, function(a, b)
    local one, other = a.cells[1], b.cells[1]
    if one[2] ~= other[2] then return one[2] < other[2] end
    if one[1] ~= other[1] then return one[1] < other[1] end
    return a.cells[2][1] < b.cells[2][1]
  end)
  return lists
end

-- A cell that is not shaded has a neighbour that is not.
local alone = { first = "start",
  next = function(state, value, i)
    if i == 1 then return value == "shaded" and "fine" or "alone" end
    return value == "unshaded" and "fine" or state
  end,
  accept = function(state) return state == "fine" end }

local function neighbourhoods(level)
  local list, nothing = {}, level.shaded - level.shaded
  for x, y in (~nothing):cells() do
    local cells = { { x, y } }
    for other_x, other_y in nothing:with(x, y):neighbours():cells() do table.insert(cells, { other_x, other_y }) end
    table.insert(list, { cells = cells, language = alone })
  end
  return list
end

local function check_numbers(level)
  local x, y = (~level.number):first()
  if x then return "no number", "one in each cell", x, y end
end

local doc = "Shade cells so that no row and column has a number twice; shaded cells do not touch, others connect."

return crux.kits.deduce {
  name = "hitori", doc = doc,
  translations = {
    de = { [doc] =
      "Schwärzen Sie Felder: keine Zahl zweimal in Zeile und Spalte; schwarze berühren sich nicht, andere hängen zusammen." },
    es = { [doc] =
      "Sombree casillas: ningún número dos veces en fila o columna; las sombreadas no se tocan, las demás se conectan." },
    fr = { [doc] =
      "Noircissez des cases : aucun nombre deux fois par ligne ou colonne ; les noires isolées, les autres jointes." },
    ja = { [doc] =
      "行や列に同じ数字が残らないように塗ります。塗ったマスは隣り合わず、残りはつながります。" },
    zh = { [doc] = "涂黑格子，使每行每列没有重复数字；黑格不相邻，其余相连。" },
  },
  tiles = { { "." }, { "?", "number" }, { "#", "shaded" }, { "o", "unshaded" }, expected = "a number from 1 to 99" },
  numbers = { "number", least = 1, most = 99 }, values = { "shaded", "unshaded" }, rest = "unshaded",
  check = { check_numbers },
  board = function(level)
    level.at, level.equal = {}, equal(level)
    for _, clue in ipairs(level.clues) do level.at[clue.y * 100 + clue.x] = clue.number end
  end,
  look = { { "shaded", "wall" }, { "unshaded", "bright blue ring" } },
  rules = {
    { "nothing", some = "shaded" },
    { "adjacent", windows = { { 1, 2 }, { 2, 1 } }, count = "shaded", most = 1, grade = 1 },
    { "divided", connected = "unshaded", grade = 8 },
    { "twice", of = function(level) return level.equal end, grade = 2 },
    { "alone", of = neighbourhoods, grade = 3 },
  },
  techniques = {
    -- A number between two equal ones stays, as one of these is shaded.
    { "between", grade = 3, removes = "shaded", find = function(_, level)
      local found = level.shaded
      for _, clue in ipairs(level.clues) do
        for _, step in ipairs { 1, 100 } do
          local before = level.at[clue.y * 100 + clue.x - step]
          local is_inner = before and before == level.at[clue.y * 100 + clue.x + step]
          found = is_inner and found:with(clue.x, clue.y) or found
        end
      end
      return found
    end },
    -- One of two equal neighbours stays, so that all others of their line go.
    { "pair", grade = 3, removes = "unshaded", find = function(_, level)
      local found = level.shaded
      for _, sequence in ipairs(level.equal) do
        local cells = sequence.cells
        for i = 2, #cells do
          local is_pair = cells[i][1] - cells[i - 1][1] + cells[i][2] - cells[i - 1][2] == 1
          for k, cell in ipairs(is_pair and cells or {}) do
            found = k ~= i and k ~= i - 1 and found:with(cell[1], cell[2]) or found
          end
        end
      end
      return found
    end },
    -- Two equal numbers shut a corner in, with its other neighbour shaded; so do others around it, if they stay.
    { "corner", grade = 3, find = function(_, level)
      local stays, goes, at = level.shaded, level.shaded, level.at
      for _, y in ipairs { 1, level.height } do
        for _, x in ipairs { 1, level.width } do
          local in_x, in_y = x == 1 and 2 or x - 1, y == 1 and 2 or y - 1
          local corner, beside = at[100 * y + x], at[100 * y + in_x]
          local below, inner = at[100 * in_y + x], at[100 * in_y + in_x]
          local twice = corner == beside and below == inner or corner == below and beside == inner
          if twice or corner == beside and corner == below then goes = goes:with(x, y) end
          if twice or inner == beside and inner == below then goes = goes:with(in_x, in_y) end
          if corner == beside and below and corner ~= below then stays = stays:with(x, in_y) end
          if corner == below and beside and corner ~= beside then stays = stays:with(in_x, y) end
        end
      end
      return { { unshaded = goes }, { shaded = stays } }
    end },
    { "glance", grade = 4, trial = 1 }, { "contradiction", grade = 20, trial = 3 },
    { "long_contradiction", grade = 60, trial = 99, further = true },
  },
  guess = 200,
  generate = {
    options = { { "width", 6, doc = "columns" }, { "height", 6, doc = "rows" }, { "shaded", { 5, 12 }, doc = "shaded cells" } },
    level = function(random, options) -- a Latin square, in which shaded cells take a number of their row or column
      local width, height, clues = options.width, options.height, {}
      local numbers, rows, columns = {}, {}, {}
      for i = 1, math.max(width, height) do numbers[i], rows[i], columns[i] = i, i, i end
      for _, list in ipairs { numbers, rows, columns } do random:shuffle(list) end
      local function number(x, y) return numbers[(rows[y] + columns[x]) % #numbers + 1] end
      local shaded = crux.grid.scattered(random, width, height, options.shaded)
      for x, y in (~shaded | shaded):cells() do
        local beside = (~shaded):without(x, y)
        local other_x, other_y = x, y
        while shaded:has(x, y) and (other_x ~= x) == (other_y ~= y) do other_x, other_y = beside:pick(random) end
        table.insert(clues, { x = x, y = y, number = number(other_x, other_y) })
      end
      return { number = ~shaded | shaded, clues = clues }
    end,
  },
}
