--- Texts, drawings and pictures of levels and solutions, by the functions of a game: methods of Game.
local canvas = require "crux.show.canvas"
local fault = require "crux.base.fault"
local plain = require "crux.base.plain"
local states = require "crux.search.state"
local validation = require "crux.game.validation"

local pictures = {}

--- A text with one line break at its end.
local function lines(text) return text:sub(1, (text:find "[^\n]\n*$") or 0) .. "\n" end

--- The text of a level, as parse reads it.
function pictures.text(game, level) return lines(validation.text(game, "format", level)) end

--- The drawing of a level, of its solution, or of a state on its way: if `draw` has no third parameter, what it draws of the
--- level, and below the fields of the state. Without `draw` and `format`, a level is drawn as in its file.
---@param solution Solution?
function pictures.drawing(game, level, solution, state)
  local text = game.draw and lines(validation.text(game, "draw", level, solution, state))
    or not state and game.texts[level] or ""
  if not state or game.draw and debug.getinfo(game.draw, "u").nparams >= 3 then return text end
  return text .. fault.guard(game.path, states.text, state)
end

local description_limit = 200 -- bytes of a solution in the description of its picture, for screen readers

--- Tells whether a game paints positions, too: its function `paint` has a fourth parameter.
function pictures.paints_positions(game) return game.paint ~= nil and debug.getinfo(game.paint, "u").nparams >= 4 end

--- A picture of a level, of its solution, or of what is played.
---@param solution Solution?
---@param now table?   a state of `search`, or a position of `play` if the game paints positions
---@return Painting
function pictures.painting(game, level, solution, now)
  if not game.paint or now and not pictures.paints_positions(game) then
    return canvas.drawing(pictures.drawing(game, level, solution, now), game.colours or {})
  end
  local pen, finish = canvas.new()
  fault.guard(game.path, game.paint, level, solution, pen, now)
  return finish() or fault.at(game.path .. ": paint", "no size", "canvas:size(columns, rows)")
end

--- The picture of a level or of its solution, and the content of its SVG element.
---@param solution Solution?
---@return Picture
---@return string
function pictures.picture(game, name, level, solution)
  local painting = pictures.painting(game, level, solution)
  local picture = { class = "crux-level", width = painting.width, height = painting.height,
    title = plain.line(name) .. (solution and ", solved" or "") }
  local text = solution and validation.facts(game.path, solution).text
  if text then text = plain.line(text) end
  picture.description = not solution and ("A level of %s."):format(game.name)
    or (text and #text <= description_limit) and ("A solution: %s."):format(text) or "A solution."
  return picture, painting.content
end

return pictures
