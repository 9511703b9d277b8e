-- NAME: fill the cells so that every row and column has each of the letters A to D once.
--
-- A game that works as it stands: crux.kits.deduce reads such levels, solves them step by step as people do, draws and plays
-- them. Change the values, the units and the techniques; run `sh NAME-test.sh` after each change. docs/deduction.md of crux
-- tells the rest.
return crux.kits.deduce {
  name = "NAME",
  doc = "Fill the cells so that every row and column has each letter once.", -- one line for people who list games

  -- What each character of a level file stands for; and the values of which each cell has one.
  tiles = { { "." }, { "A", "A" }, { "B", "B" }, { "C", "C" }, { "D", "D" } },
  values = { "A", "B", "C", "D" },

  -- Sets of cells that have each value once: rectangles of cells across and down.
  units = { row = { 4, 1 }, column = { 1, 4 } },
  check = { function(level)
    if level.width ~= 4 or level.height ~= 4 then
      return ("%d columns and %d rows"):format(level.width, level.height), "4 and 4", 1, 1
    end
  end },

  -- How people find out more, in order of grade: how long a deduction takes to be found, beside the others.
  techniques = {
    { "last_cell", grade = 1, last = true },
    { "hidden_single", grade = 4, hidden = 1 },
    { "naked_single", grade = 10, naked = 1 },
    { "naked_pair", grade = 40, naked = 2, late = true },
  },

  -- Numbers that may tell how hard a level is.
  measures = {
    { "givens", kind = "initial", doc = "cells that are filled at the start",
      function(level) return 16 - #level.start.open end },
    { "unique", deduced = true },
    { "hardest", deduced = true },
    { "effort", deduced = true },
    { "open", deduced = true },
    { "steps", deduced = true },
  },

  -- How `crux generate NAME.lua` makes levels: from a solution, by taking cells away as long as it stays the only one.
  generate = {
    options = {
      { "hardest", 4, doc = "grade of the hardest technique that is needed" },
      { "givens", 4, doc = "the fewest cells that are filled" },
    },
    -- A row at random, and the same shifted by one more in each row; then the rows in any order.
    solved = function(random)
      local letters, rows = random:shuffle { "A", "B", "C", "D" }, random:shuffle { 0, 1, 2, 3 }
      local boards = {}
      for i, letter in ipairs(letters) do
        local cells = {}
        for y, shift in ipairs(rows) do cells[y] = { (i + shift) % 4 + 1, y } end
        boards[letter] = crux.cells(4, 4, cells)
      end
      return boards
    end,
  },
}
