--- The ways to choose a move: a key for each move; a cursor, for games with `pick`; or a list, if there are more moves than
--- keys.
---
--- pick(level, state, x, y) of a game tells what Enter does on a square: it returns the name of a move, which is then made; or
--- the moves by direction of the piece there, { L = "A left", R = "A right" }, which the arrows then make; or nil. The cursor
--- goes over the squares of the level's `width` and `height`, which are equally wide in the drawing and begin at its left.
local directions = require "crux.base.directions"
local fault = require "crux.base.fault"
local keys = require "crux.play.keys"
local lists = require "crux.base.lists"
local steps = require("crux.puzzle.lines").steps

local controls = {}

---@class Controls
---@field rows KeyRow[]
---@field click string?     the key that picks the square under the cursor
---@field start fun(level: table): table                       fields of the first position
---@field press fun(position: table, key: string, level: table): string?, table?   a move, or changed fields without one
---@field follow fun(position: table, key: string, level: table): table   the fields after a move that the key made
---@field note nil|fun(position: table, level: table): string?   a line under the drawing
---@field place nil|fun(position: table, level: table, drawing: string): integer, integer   of the cursor in the drawing

local function nothing() return {} end

local function by_keys(game, by_key)
  return { rows = keys.rows(by_key, game.search.moves), start = nothing, follow = nothing,
    press = function(_, key) return by_key[key] end }
end

--- The columns of a square in the drawing of a level of a size.
local function columns_of(drawing, size)
  local widest, rows = 0, 0
  for line in drawing:gmatch "[^\n]+" do
    rows = rows + 1
    if rows <= size.height then widest = math.max(widest, utf8.len(line) or #line) end
  end
  return math.max(1, (widest + 1) // size.width)
end

--- The table with the width and height of the drawing of a level: its field `drawn`, else the level. Raises a fault if these
--- are no integers.
local function size_of(game, level)
  local size = level.drawn or level
  if math.type(size.width) ~= "integer" or math.type(size.height) ~= "integer" then
    fault.at(game.path .. ": pick", "a level without width and height", "both, for the cursor")
  end
  return size
end

--- The result of pick for a square: a move, moves by direction, or nil. Raises a fault for another one.
local function picked(game, state, level, x, y)
  local result = fault.guard(game.path .. ": pick", game.pick, level, state, x, y)
  if result ~= nil and type(result) ~= "string" and type(result) ~= "table" then
    fault.at(game.path .. ": pick", fault.show(result), "a move, moves by direction, or nil")
  end
  return result
end

--- Calls pick for every square of a level, at most 64 by 64. Raises the first fault.
function controls.try_picks(game, state, level)
  local size = size_of(game, level)
  for y = 1, math.min(size.height, 64) do
    for x = 1, math.min(size.width, 64) do picked(game, state, level, x, y) end
  end
end

local function by_cursor(game)
  --- The square that an arrow leads to; nil at the edge.
  local function beside(position, key, level)
    local x, y = position.x + steps[key][1], position.y + steps[key][2]
    local size = size_of(game, level)
    if x >= 1 and y >= 1 and x <= size.width and y <= size.height then return x, y end
  end

  local function press(position, key, level)
    if key == "enter" or key == "space" then
      if position.holds then return nil, { x = position.x, y = position.y } end
      local choice = picked(game, position.state, level, position.x, position.y)
      if type(choice) == "string" then return choice end
      return nil, choice and { x = position.x, y = position.y, holds = true }
    elseif position.holds then
      local choice = picked(game, position.state, level, position.x, position.y)
      return type(choice) == "table" and rawget(choice, directions.of_key[key]) or nil
    end
    local x, y = beside(position, key, level)
    return nil, x and { x = x, y = y }
  end

  --- The cursor stays on the piece that it holds.
  local function follow(position, key, level)
    local x, y = position.x, position.y
    if not position.holds then return { x = x, y = y } end
    local to_x, to_y = beside(position, key, level)
    if to_x and type(picked(game, position.state, level, to_x, to_y)) == "table" then x, y = to_x, to_y end
    return { x = x, y = y, holds = true }
  end

  return { rows = { { "up left down right", "move the cursor, or what it holds" }, { "enter", "pick, or put down" } },
    click = "enter", press = press, follow = follow,
    start = function(level)
      size_of(game, level) -- for its fault
      return { x = 1, y = 1 }
    end,
    note = function(position) return position.holds and "held: arrows move it, Enter puts it down" or nil end,
    place = function(position, level, drawing)
      return (position.x - 1) * columns_of(drawing, size_of(game, level)) + 1, position.y
    end }
end

local function by_list(game)
  local moves = game.search.moves
  return { rows = { { "left right", "choose a move" }, { "enter", "make it" } },
    start = function() return { choice = 1 } end,
    press = function(position, key)
      if key == "enter" then return moves[position.choice] end
      return nil, { choice = (position.choice - 1 + (key == "right" and 1 or -1)) % #moves + 1 }
    end,
    follow = function(position) return { choice = position.choice } end,
    note = function(position) return ("%s: move %d of %d"):format(moves[position.choice], position.choice, #moves) end }
end

function controls.of(game)
  if game.pick then return by_cursor(game) end
  local by_key, missing = keys.moves(game)
  return missing and by_list(game) or by_keys(game, by_key)
end

--- Fields of a position with those of controls changed.
function controls.changed(position, fields)
  return lists.merge({ state = position.state, won = position.won, lost = position.lost, plan = position.plan,
    made = position.made }, fields)
end

return controls
