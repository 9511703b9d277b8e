--- Steps of the arrow keys on a grid: { columns, rows }.
return { up = { 0, -1 }, left = { -1, 0 }, down = { 0, 1 }, right = { 1, 0 } }
