--- Drawing and moving on grids.
local directions = require "crux.base.directions"

local lines = {}

--- The characters of lines, by the sides over which they leave a cell: 1 up, 2 right, 4 down, 8 left, or a sum of these.
lines.characters = { "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼" }

--- Columns and rows that an arrow key moves.
lines.steps = {}
for key, name in pairs(directions.of_key) do lines.steps[key] = directions.steps[name] end

return lines
