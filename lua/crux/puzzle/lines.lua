--- Drawing and moving on grids.
local lines = {}

--- The characters of lines, by the sides over which they leave a cell: 1 up, 2 right, 4 down, 8 left, or a sum of these.
lines.characters = { "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼" }

--- Columns and rows that an arrow key moves.
lines.steps = { up = { 0, -1 }, left = { -1, 0 }, down = { 0, 1 }, right = { 1, 0 } }

return lines
