--- Pictures of levels as elements for the page.
local svg = require "crux.show.svg"

local pictures = {}

--- A picture as an element for the page, and its size in squares.
---@param painting Painting
function pictures.of(game, painting)
  local left, top, width, height = table.unpack(painting.squares)
  return { picture = svg.picture({ width = painting.width, height = painting.height, title = game.name, class = "crux-level",
    bare = true, description = ("A level of %s."):format(game.name) }, painting.content), squares = painting.squares,
    columns = math.floor((painting.width - 2 * left) / width + 0.5),
    rows = math.floor((painting.height - 2 * top) / height + 0.5) }
end

return pictures
