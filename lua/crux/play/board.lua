--- What pages show of a level that is played.
local canvas = require "crux.show.canvas"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local svg = require "crux.show.svg"

local board = {}

--- The buttons of the game with their pictures, and whether each does something now.
local function pad_of(session, game, rules)
  local where = game.path .. ": play.pad"
  return lists.map(rules.pad(session.level), function(row)
    if type(row) ~= "table" or type(row.key) ~= "string" or type(row.doc) ~= "string" or type(row.paint) ~= "function" then
      fault.at(where, fault.show(row), "rows { key = \"a\", doc = \"what it does\", paint = function(canvas) ... end }")
    end
    local pen, finish = canvas.new()
    fault.guard(where, row.paint, pen)
    local painting = finish() or fault.at(where, "no size", "canvas:size(columns, rows)")
    return json.object { { "key", row.key }, { "doc", row.doc }, { "width", painting.width }, { "height", painting.height },
      { "content", painting.content }, { "can", session:can(row.key) } }
  end)
end

--- What is on the square of the cursor, for those who hear the page: a letter, digit or sign of the drawing; "" for nothing.
--- Other characters draw lines and empty squares.
local function character_at_cursor(session, lines)
  local column, row = session:cursor()
  local line = column and lines[row]
  local place = line and utf8.offset(line, column)
  return (place and line:sub(place, place) or ""):match "^[%w#@*$+&^<>/]$" or ""
end

--- A picture for a page, as an SVG element.
---@param painting Painting
---@param ... string   further content
function board.picture(game, painting, ...)
  return svg.picture({ width = painting.width, height = painting.height, title = game.name, class = "crux-level", bare = true,
    description = ("A level of %s."):format(game.name) }, painting.content, ...)
end

--- The board of a level that is played: a picture with the cursor, the drawing as text, and where a pointer points to.
---@return table[]   rows of json.object
function board.of(session, game, rules)
  local lines = session:draw()
  local text = table.concat(lines, "\n") .. "\n"
  local painting = session:paint() or canvas.drawing(text, game.colours or {})
  local left, top, width, height = table.unpack(painting.squares)
  local x, y = session:spot()
  local function frame(class)
    return x and svg.element("rect", { class = class, x = left + (x - 1) * width, y = top + (y - 1) * height, width = width,
      height = height }) or ""
  end
  local can_undo, can_redo = session:can_undo()
  local hand = rules.hand and rules.hand(session.position, session.level)
  return { { "text", text }, { "note", painting.note }, { "squares", painting.squares },
    { "hand", hand and json.of(hand) }, { "pad", rules.pad and pad_of(session, game, rules) }, { "tap", rules.tap },
    { "can_undo", can_undo }, { "can_redo", can_redo },
    { "at", character_at_cursor(session, lines) }, { "has_cursor", x ~= nil }, { "cursor", x and { x, y } },
    { "picture", board.picture(game, painting, frame "cursor-edge", frame(session:holds() and "cursor holds" or "cursor")) } }
end

return board
