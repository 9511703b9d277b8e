--- The words of scripts: what they see as `crux`, but for the functions that make rules, studies and tasks.
local beams = require "crux.puzzle.beams"
local board = require "libcrux.board"
local exact_cover = require "crux.puzzle.exact_cover"
local fault = require "crux.base.fault"
local grid = require "crux.kits.grid"
local legend = require "libcrux.legend"
local path_cover = require "crux.puzzle.path_cover"
local places = require "crux.kits.places"
local pushes = require "crux.search.pushes"
local sealed = require "crux.base.sealed"
local squares = require "crux.kits.squares"
local state = require "crux.search.state"
local vocabulary = require "crux.symbolic.vocabulary"

local words = {}

--- The families of games that a table declares. A kit is loaded when a script asks for it; its `new` makes the game of a
--- declaration, with crux.game and crux.refuse.
local kits = { "beams", "deduce", "exact_cover", "path_cover", "slide" }

--- Copies fields, and the tables among them, so that no script can change those of another.
local function copy(from, to)
  for name, value in pairs(from) do
    local is_plain = type(value) == "table" and not debug.getmetatable(value)
    to[name] = is_plain and copy(value, {}) or value
  end
  return to
end

--- The functions of `crux` that are useful outside of scripts, too.
function words.shared()
  local shared = { legend = legend.new, cells = board.new, pushes = pushes.search }
  copy({ beams = beams, exact_cover = exact_cover, path_cover = path_cover }, shared)
  copy(vocabulary.words, shared)
  return copy(state.kinds, shared)
end

--- Adds all words to `crux`.
---@param returned table   the metatable of games
function words.add(crux, returned)
  copy(words.shared(), crux)

  --- Raises an error about a level's text, at column x of line y unless these are nil. A long value is cut, as what is expected
  --- would not be seen.
  function crux.refuse(found, expected, x, y)
    found = fault.line(tostring(found), 300)
    error(("line %d%s: found %s, expected %s"):format(y or 1, x and (", column %d"):format(x) or "", found, expected), 0)
  end

  --- A game: a table whose fields the script sets. Its function `measure` adds a row to the list of measures.
  function crux.game(name)
    if type(name) ~= "string" then error("crux.game: expected a name", 2) end
    local game = { name = name, measures = {} }
    function game.measure(row)
      if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2] or row.each) ~= "function" then
        error("game.measure: expected { \"name\", kind = ..., doc = ..., function(level, solution) ... end }", 2)
      end
      table.insert(game.measures, row)
    end
    return setmetatable(game, returned)
  end

  --- Makes a game of tiles from a table, which crux.kits.grid describes. The other fields are functions for such games.
  local own = copy(places, copy(squares, {}))
  own.back = sealed.new("crux.grid.back", own.back)
  function own.game(spec) return grid.new(spec, crux.game, crux.refuse) end
  crux.grid = sealed.new("crux.grid", own, function(_, spec) return own.game(spec) end)

  --- Make games of a family from a table, which crux.kits.NAME describes.
  crux.kits = {}
  for _, name in ipairs(kits) do
    crux.kits[name] = function(spec) return require("crux.kits." .. name).new(spec, crux.game, crux.refuse) end
  end

  return crux
end

return words
