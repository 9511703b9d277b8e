--- Pictures of levels as elements for the page.
local board = require "crux.play.board"

local pictures = {}

--- A picture as an element for the page, and its size in squares.
---@param painting Painting
function pictures.of(game, painting)
  local left, top, width, height = table.unpack(painting.squares)
  return { picture = board.picture(game, painting), squares = painting.squares,
    columns = math.floor((painting.width - 2 * left) / width + 0.5),
    rows = math.floor((painting.height - 2 * top) / height + 0.5) }
end

return pictures
