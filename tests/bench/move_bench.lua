-- Times crux on Move levels against a search in C, interleaved: the searches, by how many states they take, and all of
-- `crux measure`; prints medians and ratios. The argument says how many levels.
package.path = "tests/bench/?.lua;" .. package.path
local game = require "crux.game.game"
local random = require "libcrux.random"
local search = require "crux.search.search"
local timing = require "timing"

local count, crux = tonumber((...)) or 1000, os.getenv "CRUX"
local self = game.load "games/move.lua"
local blind = { moves = self.search.moves, state = self.search.state, start = self.search.start, step = self.search.step }
local rng = random.new(1)

--- A level as games/move.lua draws them (thesis, section 4.3.1), but with the balls anywhere, which makes it harder: the text
--- of 3 to 5 squares a side with 3 to 5 balls of some colours, goals, and rocks on three of ten squares that are left.
local function draw()
  local side, balls = rng:integer(3, 5), rng:integer(3, 5)
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

--- A level without a solution, so that all its states are found: it shows where the time of a large search goes.
local hard = [[
a b . . A .
. # . . . .
. . c . B .
. . . # . .
C . . . d .
. . . . . D
]]

local kinds = { { title = "under 100 states" }, { title = "100 to 9,999" }, { title = "10,000 and more" }, { title = "all" },
  { title = "hard" } }

--- The level of a text, as crux and as C take it.
local function read(text)
  local level = self.parse(text)
  return { level = level, plain = { level.width, level.height, word_of(level.wall), words_of(level.ball), words_of(level.goal) } }
end

local path, levels = os.tmpname(), {}
local file <close> = assert(io.open(path, "w"))
while #levels < count do
  local text = draw()
  local entry = read(text)
  if not select(2, self.search.start(entry.level)) then
    local _, states = plain_move(table.unpack(entry.plain))
    entry.kinds = { kinds[states < 100 and 1 or states < 10000 and 2 or 3], kinds[4] }
    table.insert(levels, entry)
    file:write(text, "\n")
  end
end
file:close()
table.insert(levels, read(hard))
levels[#levels].kinds = { kinds[5] }

for _, kind in ipairs(kinds) do kind.in_c, kind.in_crux, kind.states, kind.count = {}, {}, 0, 0 end

local measuring = {}
for round = 1, timing.rounds do
  for _, kind in ipairs(kinds) do kind.in_c[round], kind.in_crux[round] = 0, 0 end
  for _, level in ipairs(levels) do
    local actions, states, in_c = plain_move(table.unpack(level.plain))
    local before = os.clock()
    local solution = search.solve(blind, level.level, { states = 1 << 30 })
    local in_crux = os.clock() - before
    assert((solution.moves and table.concat(solution.moves)) == actions and not solution.untraced, "another solution")
    for _, kind in ipairs(level.kinds) do
      kind.in_c[round], kind.in_crux[round] = kind.in_c[round] + in_c, kind.in_crux[round] + in_crux
      if round == 1 then kind.states, kind.count = kind.states + states, kind.count + 1 end
    end
  end
  measuring[round] = timing.command(("%s measure move --jobs 1 %s > /dev/null 2>&1; true"):format(crux, path))
end
for _, kind in ipairs(kinds) do
  timing.report(("%s: %d levels, %d states"):format(kind.title, kind.count, kind.states), kind.in_c, kind.in_crux)
end
timing.report("crux measure, against the searches", kinds[4].in_c, measuring)
os.remove(path)
