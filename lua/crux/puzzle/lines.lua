--- The characters of lines, by the sides over which they leave a cell: 1 up, 2 right, 4 down, 8 left, or a sum of these.
return { "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼" }
