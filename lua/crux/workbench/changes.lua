--- Messages about what would make a level harder or easier: the changes of single squares with their ratings.
local appraisal = require "crux.workbench.appraisal"
local board = require "crux.workbench.board"
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"

local kinds = {}

--- The search of a changed level ends at so many states, or at this multiple of those of the level itself: one without a
--- solution would take the time of a hundred others. A single search takes no longer than the seconds.
local STATES <const>, MULTIPLE <const>, SECONDS <const>, BYTES <const> = 20000, 3, 0.5, 64 << 20

---@class Change
---@field put { x: integer, y: integer, tile: string }[]   what is put on which squares
---@field rating number?    nil if the changed level has none
---@field status string     of the changed level's solution: "unknown" if the search ended before there was one

--- The squares with which a square's tile is exchanged: those beside it. Where letters name things on several squares, as the
--- ends of a path or the squares of a car, it is also exchanged with farther ones.
local near = { { 1, 0 }, { 0, 1 } }
local far = { { 1, 0 }, { 0, 1 }, { 2, 0 }, { 0, 2 }, { 3, 0 }, { 0, 3 }, { 1, 1 }, { 1, -1 } }

--- The changes of a square: every other tile there, and exchanges of its tile with those of squares to the right and below. An
--- exchange is a change of both squares.
---@param squares Squares
---@param tiles string[]
---@param reach integer[][]
---@return fun(): table[]?   puts
local function puts_of(squares, x, y, tiles, reach)
  return coroutine.wrap(function()
    local tile = squares.rows[y][x]
    for _, other in ipairs(tiles) do
      if other ~= tile then coroutine.yield { { x = x, y = y, tile = other } } end
    end
    for _, by in ipairs(reach) do
      local other = (squares.rows[y + by[2]] or {})[x + by[1]]
      if other and other ~= tile then
        coroutine.yield { { x = x, y = y, tile = other }, { x = x + by[1], y = y + by[2], tile = tile } }
      end
    end
  end)
end

--- What a change of a level does; nil if its text is no level then.
---@return Change?
local function change_of(game, rule, text, put, states)
  local is_level, level = fault.catch(function() return game:level(levels.split(text, "level", game.files)[1]) end)
  if not is_level then return nil end
  local found = appraisal.of(game, rule, level, { seconds = SECONDS, bytes = BYTES, states = states }, true)
  return { put = put, rating = found.rating, status = found.facts.status }
end

--- The changes of some squares of a text, or of all: { changes = Change[] }; fewer if the answer is wanted soon.
---@param message { text: string, columns: integer, rows: integer, squares: integer[][]? }   size of the picture; { x, y }
function kinds.changes(engine, message)
  local game, rule = engine:game(message), engine:rule(message) or fault.raise "expected a rule, which rates the changes"
  local level, entry = engine:level(message)
  local squares = board.of(game, message.text, entry, message.columns, message.rows)
    or fault.at("level", "other squares than those of the picture", "a row of text for each row of squares")
  local base = engine:appraisal(message, level, { seconds = SECONDS, bytes = BYTES })
  local states = math.max(STATES, MULTIPLE * (base.solution.states or 0))
  local tiles, reach, changes = board.in_use(game, squares), game.files.tiles and near or far, {}
  local places = message.squares
  if not places then
    places = {}
    for y, row in ipairs(squares.rows) do
      for x = 1, #row do table.insert(places, { x, y }) end
    end
  end
  for _, square in ipairs(places) do
    local x, y = table.unpack(type(square) == "table" and square or {})
    if not (squares.rows[y] and squares.rows[y][x]) then fault.raise "found no { x, y }, expected a square of the picture" end
    for put in puts_of(squares, x, y, tiles, reach) do
      if engine:tell(#changes) then return { changes = changes } end
      table.insert(changes, change_of(game, rule, squares:text(put), put, states))
    end
  end
  return { changes = changes }
end

return kinds
