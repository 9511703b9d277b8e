-- NAME: slide over the ice until you stop on the exit.
--
-- A small game that works as it stands; change it bit by bit into yours, and run `sh NAME-test.sh` after each change.
-- `docs/search.md` and `examples/new-game/README.md` of crux tell the rest.
local any, where = crux.any, crux.where

local game = crux.game "NAME"

-- One line for people who list games.
game.doc = "Slide over the ice until you stop on the exit."

-- What each character of a level file stands for: nothing, or squares of a name. A row of two names stands for both.
local legend = crux.legend {
  { "." }, { "#", "rocks" }, { "@", "player" }, { "O", "exit" }, { "*", "player", "exit" },
}

-- From text to a level: a table of whatever the functions below need. The legend gives a board for each name: the set of the
-- squares where it is. Boards know `&` (in both), `|` (in one of them), `-` (in the first only), `~` (not in it) and `#` (how
-- many).
function game.parse(text)
  local level = assert(legend:parse(text))
  -- crux.refuse(found, expected) says what is wrong with a level; crux puts file and line in front.
  if #level.player ~= 1 then crux.refuse(#level.player .. " players", "one") end
  if #level.exit ~= 1 then crux.refuse(#level.exit .. " exits", "one") end
  return level
end

-- From a level back to text; `crux check` sees to it that parse reads this again.
function game.format(level) return legend:format(level) end

-- What people see while they play, and `crux solve` prints: here the level with the player where the state has it.
function game.draw(level, _, state)
  return legend:format { rocks = level.rocks, exit = level.exit, player = state and state.player or level.player }
end

-- Where a slide ends: before a rock or the edge. A square farther at a time, as often as the board is long.
local function slide(player, move, rocks)
  local width, height = rocks:size()
  for _ = 2, math.max(width, height) do
    local ahead = player:shift(move) - rocks
    player = where(any(ahead), ahead, player)
  end
  return player
end

-- What is to be solved. `step` runs on stand-ins for hundreds of states at a time: it has no `if` on what is in a state, but
-- where(condition, a, b), and it uses nothing but its arguments.
game.search = {
  -- The names of the moves; U, L, D and R are on the arrow keys.
  moves = { "U", "L", "D", "R" },
  -- What changes during the game: crux.flag, crux.integer(low, high), crux.board(width, height), crux.array(n, one of these).
  state = function(level) return { player = crux.board(level.player:size()) } end,
  -- How it begins, and whether that is solved already.
  start = function(level) return { player = level.player }, any(level.player & level.exit) end,
  -- What a move makes of a state. Returns whether the game is won, and may return whether it is lost as a second result.
  step = function(state, move, level)
    state.player = slide(state.player, move, level.rocks)
    return any(state.player & level.exit)
  end,
}

-- Numbers that may tell how hard a level is. `initial` ones need the level only, `dynamic` ones are about solving it.
game.measure { "size", kind = "initial", doc = "squares on the board", function(level)
  local width, height = level.rocks:size()
  return width * height
end }

game.measure { "rocks", kind = "initial", doc = "rocks on the board", function(level) return #level.rocks end }

game.measure { "moves", kind = "dynamic", doc = "slides of a shortest solution",
  function(_, solution) return solution.length end }

-- A `solution` measure is about one solution: solution.moves are its moves, solution.way the states on its way.
game.measure { "distance", kind = "solution", doc = "squares that the player slides over", function(_, solution)
  local sum, x, y = 0, solution.way[1].player:first()
  for _, state in ipairs(solution.way) do
    local to_x, to_y = state.player:first()
    sum, x, y = sum + math.abs(to_x - x) + math.abs(to_y - y), to_x, to_y
  end
  return sum
end }

-- What `crux generate NAME.lua --help` lists; of a range, generate gets a number between.
game.options = {
  { "side", { 5, 8 }, doc = "squares along a side" },
  { "rocks", 0.2, doc = "probability of a rock on a square" },
}

-- A level at random, or nil and why there is none: the exit is where some slides from the start lead, so it has a solution.
function game.generate(random, options)
  local board = crux.cells(options.side, options.side)
  local x, y = (~board):pick(random)
  local player = board:with(x, y)
  local rocks = (~player):sample(random, options.rocks)
  local exit = player
  for _ = 1, 20 do exit = slide(exit, random:pick(game.search.moves), rocks) end
  if exit == player then return nil, "the slides led back to the start" end
  return { rocks = rocks, player = player, exit = exit }
end

-- A level that differs in a detail, for `crux generate NAME.lua --like moves=6`: one rock more or less.
function game.vary(level, random)
  local x, y = (~(level.player | level.exit)):pick(random)
  local rocks = level.rocks:has(x, y) and level.rocks:without(x, y) or level.rocks:with(x, y)
  return { rocks = rocks, player = level.player, exit = level.exit }
end

-- Colours of characters on a terminal.
game.colours = { ["@"] = "bright yellow", ["*"] = "bright green", O = "green", ["#"] = "blue" }

return game
