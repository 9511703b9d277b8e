-- Lights: a press switches a lamp and those beside it; switch all of them off.
local grid = crux.grid

local moves = {}
for row = 1, 4 do
  for column = 1, 4 do table.insert(moves, ("r%dc%d"):format(row, column)) end
end

local function toggle(lamps, x, y)
  if lamps:has(x, y) then return lamps:without(x, y) else return lamps:with(x, y) end
end

return grid {
  name = "lights",
  tiles = { { "." }, { "*", "lamp" } },
  check = { lamp = { 1, 16 }, function(level)
    if level.width > 4 or level.height > 4 then return "a larger board", "at most 4 columns and rows" end
  end },

  moves = moves,
  state = { "lamp" },

  step = function(now, move, level)
    local y, x = move:match "r(%d)c(%d)"
    x, y = tonumber(x), tonumber(y)
    if x > level.width or y > level.height then return end
    local lamp = toggle(now.lamp, x, y)
    if x > 1 then lamp = toggle(lamp, x - 1, y) end
    if x < level.width then lamp = toggle(lamp, x + 1, y) end
    if y > 1 then lamp = toggle(lamp, x, y - 1) end
    if y < level.height then lamp = toggle(lamp, x, y + 1) end
    now.lamp = lamp
  end,

  won = function(now) return #now.lamp == 0 end,

  pick = function(_, _, x, y) return ("r%dc%d"):format(y, x) end,
  notation = function(_, solution) return table.concat(solution.moves, " ") end,
  measures = { { "presses", moves = true, doc = "presses of a shortest solution" } },
}
