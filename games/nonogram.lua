-- Nonogram: fill cells. The numbers of a row or column are the lengths of its runs of filled cells, in order.

-- The language of lines with runs of some lengths. A state is a place in the line's pattern: false for a gap, of any number of
-- cells (inside the line at least one), true for a filled cell.
local function language_of(lengths)
  local pattern = { false }
  for _, length in ipairs(lengths) do
    for _ = 1, length do table.insert(pattern, true) end
    table.insert(pattern, false)
  end
  return { first = 1,
    next = function(at, value)
      if value == "filled" then return pattern[at + 1] and at + 1 or nil end
      if not pattern[at] then return at end
      return pattern[at + 1] == false and at + 1 or nil
    end,
    accept = function(at) return at >= #pattern - 1 and (at == #pattern or pattern[at]) end }
end

-- The lines of a level: their cells, and the language of their numbers.
local function lines(level)
  local numbers = {}
  for _, clue in ipairs(level.clues) do
    local key = clue.y >= level.top and "y" .. clue.y or "x" .. clue.x
    numbers[key] = numbers[key] or { cells = {} }
    table.insert(numbers[key], clue.number)
    table.insert(numbers[key].cells, { clue.x, clue.y })
  end
  local runs = crux.grid.runs(~level.start.outside)
  for i, run in ipairs(runs) do
    local own = numbers[run.across and "y" .. run[1][2] or "x" .. run[1][1] ] or {}
    runs[i] = { cells = run, language = language_of(own), numbers = own.cells }
  end
  return runs
end

-- Numbers and margins are above and left of the cells.
local function check_margin(level)
  local cells = ~(level.margin | level.number)
  if #cells == 0 then return "no cell", "'.' right of and below the numbers", 1, 1 end
  local left, top, right, bottom = cells:bounds()
  level.top = top
  if right - left < 1 or bottom - top < 1 then return "one line of cells", "two at least", left, top end
  for x, y in (level.margin | level.number):cells() do
    if x >= left and y >= top then return "a number or margin", "a cell", x, y end
    if x < left and y < top and level.number:has(x, y) then return "a number", "'-' in the corner", x, y end
  end
  if right < level.width or bottom < level.height then return "a margin", "cells up to the edge", level.width, level.height end
end

return crux.kits.deduce {
  name = "nonogram", doc = "Fill cells: the numbers of a row or column are the lengths of its runs of filled cells, in order.",
  translations = {
    de = {
      "Füllen Sie Felder: die Zahlen einer Zeile oder Spalte sind die Längen ihrer Folgen voller Felder, der Reihe nach." },
    es = { "Rellene casillas: los números de una fila o columna son las longitudes de sus tramos rellenos, en orden." },
    fr = {
      "Noircissez des cases : les nombres d'une ligne ou colonne sont les longueurs de ses suites noircies, dans l'ordre." },
    ja = { "マスを塗ります。行や列の数字は、連続して塗られたマスの長さを順に表します。" },
    zh = { "涂黑格子：行或列的数字依次表示连续黑格的长度。" },
  },
  tiles = { { "." }, { "-", "margin" }, { "?", "number" }, { "#", "filled" }, { "+", "empty" },
    expected = "a number from 1 to 99, '-' or '.'" },
  numbers = { "number", least = 1, most = 99 }, outside = { "margin", "number" }, check = { check_margin },
  values = { "filled", "empty" }, rest = "empty", thick = 5,
  look = { { "filled", "wall" }, { "empty", "white dot" }, { "margin", "floor" }, { "number", "floor" } },
  rules = { { "line", of = lines, grade = 6 } },
  techniques = { { "last_cells", rule = "line", open = 3, grade = 1 }, { "half_line", rule = "line", open = 6, grade = 3 },
    { "contradiction", grade = 30, trial = 3 }, { "long_contradiction", grade = 90, trial = 99 } }, guess = 200,
  generate = {
    options = { { "width", 8, doc = "columns of cells" }, { "height", 8, doc = "rows of cells" },
      { "filled", { 50, 65 }, doc = "filled cells of 100" } },
    level = function(random, options) -- the numbers of a random picture
      local width, height = options.width, options.height
      local picture = (~crux.cells(width, height)):sample(random, options.filled / 100)
      local rows, columns, left, above = {}, {}, 1, 1
      for y = 1, height do rows[y] = {} end
      for x = 1, width do columns[x] = {} end
      for _, run in ipairs(crux.grid.runs(picture)) do
        local line = run.across and rows[run[1][2] ] or columns[run[1][1] ]
        table.insert(line, #run)
        left, above = run.across and math.max(left, #line) or left, run.across and above or math.max(above, #line)
      end
      local clues, number = {}, crux.cells(width + left, height + above)
      local function put(x, y, length)
        number = number:with(x, y)
        table.insert(clues, { x = x, y = y, number = length })
      end
      for y, line in ipairs(rows) do
        for i, length in ipairs(line) do put(left - #line + i, above + y, length) end
      end
      for x, line in ipairs(columns) do
        for i, length in ipairs(line) do put(left + x, above - #line + i, length) end
      end
      local margin = number - number
      for x, y in (~number):cells() do margin = (x <= left or y <= above) and margin:with(x, y) or margin end
      return { number = number, margin = margin, clues = clues }
    end,
  },
}
