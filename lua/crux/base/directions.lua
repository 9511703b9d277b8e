--- The four directions on a grid, by the names of moves.
local directions = {}

--- In the order of moves.
directions.names = { "U", "L", "D", "R" }

directions.opposites = { U = "D", L = "R", D = "U", R = "L" }

--- The columns and rows of a step.
directions.steps = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }

--- By arrow keys.
directions.of_key = { up = "U", left = "L", down = "D", right = "R" }

return directions
