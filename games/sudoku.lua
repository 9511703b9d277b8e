-- Sudoku: fill the cells so that every row, column and box has each digit once.
local digits, tiles = {}, { { "." }, { "0" }, expected = "a digit, a letter or '.'" }
for digit in ("123456789ABCDEFGHIJKLMNOP"):gmatch "." do
  table.insert(digits, digit)
  table.insert(tiles, { digit, digit })
end

-- The columns of a box, by those of a level.
local boxes = { [4] = 2, [6] = 3, [9] = 3, [16] = 4, [25] = 5 }

local function check_size(level)
  if boxes[level.width] and level.width == level.height then return end
  return ("%d columns and %d rows"):format(level.width, level.height),
    "as many columns as rows: 4, 6, 9, 16 or 25, or one line of 81 cells", 1, 1
end

return crux.kits.deduce {
  name = "sudoku", doc = "Fill the cells so that every row, column and box has each digit once.",
  translations = {
    de = { "Füllen Sie die Felder so, dass jede Zeile, jede Spalte und jeder Block jede Ziffer einmal hat." },
    es = { "Llene las casillas de modo que cada fila, columna y bloque tenga cada cifra una vez." },
    fr = { "Remplissez les cases pour que chaque ligne, colonne et bloc contienne chaque chiffre une fois." },
    ja = { "どの行・列・ブロックにも各数字が一度ずつ入るように、マスを埋めてください。" },
    zh = { "填写格子，使每行、每列和每宫中每个数字各出现一次。" },
  },
  files = { "sudoku", "sdk", "txt" },
  tiles = tiles, values = digits,
  columns = 9, -- a level may be in one line of 81 cells
  units = { -- cells across and down
    row = function(level) return { level.width, 1 } end,
    column = function(level) return { 1, level.height } end,
    block = function(level) return { boxes[level.width], level.width // boxes[level.width] } end,
  },
  frame = "block",
  lit = function(level, known, position) -- the digits equal to the one at the cursor
    for _, digit in ipairs(position and level.values or {}) do
      if known[digit]:has(position.x, position.y) then return known[digit] end
    end
    return level.start.outside
  end,
  check = { check_size },

  -- Grades say how long a deduction takes to be found, beside the others. People look for the places of a digit, in boxes
  -- first; what a cell may have takes them much longer.
  techniques = {
    { "last_cell", grade = 1, last = true },
    { "hidden_single_in_box", grade = 4, hidden = 1, units = "block" },
    { "hidden_single_in_line", grade = 10, hidden = 1, units = "row column" },
    { "naked_single", grade = 40, naked = 1 },
    { "locked_candidates", grade = 60, fish = 1, late = true },
    { "naked_pair", grade = 70, naked = 2, late = true },
    { "hidden_pair", grade = 80, hidden = 2, late = true },
    { "naked_triple", grade = 90, naked = 3, late = true },
    { "x_wing", grade = 120, fish = 2, units = "row column", late = true },
    { "simple_colours", grade = 130, colours = true, late = true },
    { "swordfish", grade = 140, fish = 3, units = "row column", late = true },
    { "hidden_triple", grade = 150, hidden = 3, late = true },
  },
  guess = 200,

  measures = {
    { "givens", kind = "initial", doc = "cells that are filled at the start",
      function(level) return #~level.start.open end },
    { "unique", deduced = true }, { "hardest", deduced = true }, { "grades", deduced = true }, { "effort", deduced = true },
    { "open", deduced = true }, { "fewest", deduced = true }, { "narrow", deduced = true }, { "guesses", deduced = true },
    { "hidden_in_box", uses = "hidden_single_in_box", doc = "steps that take a hidden single in a box" },
    { "hidden_in_line", uses = "hidden_single_in_line", doc = "steps that take one in a row or column" },
    { "naked", uses = "naked_single", doc = "steps that take a naked single" },
  },

  generate = {
    options = {
      { "hardest", 10, doc = "grade of the hardest technique that is needed: 4, 10, 40, or 60 and more" },
      { "givens", 17, doc = "the fewest givens" },
      { "size", 9, doc = "columns: 4, 6, 9, 16 or 25" },
    },
    solved = function(random, chosen)
      local size = chosen.size
      local across, area = boxes[size], size * size
      if not across then return nil, "expected a size of 4, 6, 9, 16 or 25" end
      local problem, options, planes = { items = 4 * area, options = {} }, {}, {}
      for cell = 0, area - 1 do
        local row, column, down = cell // size, cell % size, size // across
        for digit = 1, size do
          table.insert(options, { column + 1, row + 1, digit, { cell + 1, area + size * row + digit,
            2 * area + size * column + digit, 3 * area + size * (row // down * down + column // across) + digit } })
        end
      end
      random:shuffle(options)
      for i, option in ipairs(options) do problem.options[i] = option[4] end
      for _, number in ipairs(crux.exact_cover.solve(problem).pieces) do
        local x, y, digit = table.unpack(options[number], 1, 3)
        planes[digits[digit]] = (planes[digits[digit]] or crux.cells(size, size)):with(x, y)
      end
      return planes
    end,
  },
}
