--- Levels of Move for the benches that search them in crux and in C, beside each other.
local game = require "crux.game.game"
local random = require "libcrux.random"

local self = game.load "games/move.lua"
local rng = random.new(1)

local levels = {}

--- The search of the game without its heuristic, which the search in C has not.
levels.search = { moves = self.search.moves, state = self.search.state, start = self.search.start, step = self.search.step }

--- A level as games/move.lua draws them (thesis, section 4.3.1), but with the balls anywhere, which makes it harder: the text
--- of 3 to `most` squares a side with 3 to 5 balls of some colours, goals, and rocks on three of ten squares that are left.
local function draw(most)
  local side, balls = rng:integer(3, most), rng:integer(3, 5)
  local colours, squares, tokens = rng:integer(1, balls), {}, {}
  for square = 1, side * side do squares[square], tokens[square] = square, "" end
  local function put(token, list)
    local square = table.remove(list, rng:integer(1, #list))
    tokens[square] = tokens[square] .. token
  end
  local squares_for_goals, letters = { table.unpack(squares) }, {}
  for i = 1, balls do letters[i] = ("abcde"):sub(1, colours):sub(rng:integer(1, colours)):sub(1, 1) end
  for _, letter in ipairs(letters) do put(letter, squares) end
  for _, letter in ipairs(letters) do put(letter:upper(), squares_for_goals) end
  for square, token in ipairs(tokens) do
    tokens[square] = #token > 0 and token or rng:chance(0.3) and "#" or "."
  end
  local lines = {}
  for row = 1, side do lines[row] = table.concat(tokens, " ", (row - 1) * side + 1, row * side) end
  return table.concat(lines, "\n") .. "\n"
end

local function word_of(board)
  local word = 0
  for _, _, cell in board:cells() do word = word | 1 << cell - 1 end
  return word
end

local function words_of(boards)
  local list = {}
  for i, board in ipairs(boards) do list[i] = word_of(board) end
  return list
end

--- The level of a text, as crux and as C take it.
---@return { level: table, plain: any[], text: string }
function levels.read(text)
  local level = self.parse(text)
  return { text = text, level = level,
    plain = { level.width, level.height, word_of(level.wall), words_of(level.ball), words_of(level.goal) } }
end

--- A random level of 3 to `most` squares a side that is not won at the start, with its number of states.
---@return { level: table, plain: any[], text: string, states: integer }
function levels.random(most)
  while true do
    local entry = levels.read(draw(most))
    if not select(2, self.search.start(entry.level)) then
      local _, states = plain_move(table.unpack(entry.plain))
      entry.states = states
      return entry
    end
  end
end

return levels
