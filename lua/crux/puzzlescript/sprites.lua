--- The sprites of objects, and the colours on a terminal of the characters that stand for them.
local palette = require "crux.puzzlescript.palette"
local program = require "crux.puzzlescript.program"
local xterm = require "crux.base.xterm"

local sprites = {}

---@class Sprite
---@field pixels string[]    rows of digits, which count the colours from 0
---@field colours string[]

local plain = { "00000", "00000", "00000", "00000", "00000" }

--- Returns the sprites by the numbers of objects. Without pixels an object is a square of its first colour.
---@param puzzle PuzzleScript
---@return table<integer, Sprite>
function sprites.of(puzzle)
  local result, named = {}, palette.of(puzzle.source.prelude.color_palette or palette.default) or palette.of(palette.default)
  for number, name in pairs(puzzle.object_names) do
    local object, colours = puzzle.source.objects[name], {}
    for i, colour in ipairs(object.colours) do colours[i] = named[colour] or colour end
    result[number] = { pixels = #object.sprite > 0 and object.sprite or plain, colours = colours }
  end
  return result
end

--- Returns the colour of most pixels of a sprite.
local function main_colour(sprite)
  local counts, best = {}, nil
  for digit in table.concat(sprite.pixels):gmatch "%d" do
    counts[digit] = (counts[digit] or 0) + 1
    if not best or counts[digit] > counts[best] then best = digit end
  end
  return best and sprite.colours[tonumber(best) + 1]
end

--- Returns the colours of the characters of the legend: each has that of the topmost object that it stands for.
---@param puzzle PuzzleScript
---@param of_objects table<integer, Sprite>
---@return table<string, string>
function sprites.terminal_colours(puzzle, of_objects)
  local result = {}
  for name in pairs(puzzle.source.names) do
    if utf8.len(name) == 1 and not puzzle.properties[name] then
      local top
      for i, word in ipairs(program.set_of(puzzle, name)) do
        for bit = 0, 63 do
          if word >> bit & 1 == 1 then top = 64 * (i - 1) + bit end
        end
      end
      local colour = top and main_colour(of_objects[top])
      result[name] = colour and xterm.name(colour:find "^#%x+$" and colour or "#000")
    end
  end
  return result
end

return sprites
