--- Reading pictures in PNG as maps: a pixel, or a square of `tiled.pixels` pixels a side, is a tile by its colour.
local fault = require "crux.base.fault"
local png = require "libcrux.png"
local tile_map = require "crux.format.tile_map"

local picture = {}

function picture.is_one(text) return text:find("\137PNG", 1, true) == 1 end

local solid <const> = 1 << 24 -- added to colours: black is not 0, nothing

local function names(colour) return { ("#%06x"):format(colour - solid) } end

--- The picture as one map; what is transparent holds nothing.
---@param format LevelFormat
---@return TileMap[]
function picture.read(text, path, format)
  local side = (format.tiled or {}).pixels or 1
  if math.type(side) ~= "integer" or side < 1 then
    fault.at(path .. ": pixels of the game's table `tiled`", fault.show(side), "a whole number from 1")
  end
  local width, height, colours = png.read(text, side)
  if not width then fault.raise(path .. ": " .. height) end
  tile_map.check_size(path, width, height)
  local cells = tile_map.new_cells()
  for i = 1, width * height do
    local red, green, blue, alpha = colours:byte(4 * i - 3, 4 * i)
    if alpha > 0 then cells[i] = solid | red << 16 | green << 8 | blue end
  end
  local layers = { { name = "picture", cells = cells, names = names } }
  return { { path = path, width = width, height = height, notes = {}, layers = layers } }
end

return picture
