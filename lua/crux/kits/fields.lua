--- Fields of states that are numbers of squares, declared by a word:
---
---     state = { player = "square", enemy = "squares", switch = "bits" }
---
--- The field of a thing is the number of its only square, the list of the numbers of its squares, or an integer with a bit for
--- each of the squares in reading order, which says if the thing is still there.
local kinds = require("crux.search.state").kinds
local lists = require "crux.base.lists"
local places = require "crux.kits.places"

local fields = {}

--- The kind of the number of a square.
local function square(level)
  return kinds.integer(places.number(level, 1, 1), places.number(level, level.width, level.height))
end

--- Fields of states by the word that declares them: their kind, their value at the start, by the numbers of the thing's squares
--- in the level, and the squares that a value stands for.
fields.words = {
  square = { kind = square, start = function(numbers) return numbers[1] end,
    board = function(level, _, number) return places.board(level, { number }) end },
  squares = { kind = function(level, thing) return kinds.array(#level.squares[thing], square(level)) end, start = lists.copy,
    board = function(level, _, numbers) return places.board(level, numbers) end },
  bits = { kind = function(level, thing) return kinds.integer(0, (1 << level.bits[thing]) - 1) end,
    start = function(numbers) return (1 << #numbers) - 1 end,
    board = function(level, thing, bits) return places.board(level, places.list(level, level[thing], bits)) end },
}

--- Adds to a level what its fields of a state need: `squares`, the numbers of the squares of things, and `bits`, how many bits
--- fields of these have: at least 4, so that most levels share a program.
---@param state table   of the declaration
function fields.add(level, state)
  level.squares, level.bits = {}, {}
  for thing, word in pairs(state) do
    if fields.words[word] then
      level.squares[thing] = places.list(level, level[thing])
      if word == "bits" then level.bits[thing] = math.max(4, #level.squares[thing]) end
    end
  end
end

return fields
