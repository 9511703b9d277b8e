-- A game from functions, in which one slides over ice: tests plant mistakes in it.
local any, where = crux.any, crux.where

local game = crux.game "plain"

game.doc = "Slide over the ice until you stop on the exit."

local legend = crux.legend {
  { "." }, { "#", "rocks" }, { "@", "player" }, { "O", "exit" }, { "*", "player", "exit" },
}

function game.parse(text)
  local level = assert(legend:parse(text))
  if #level.player ~= 1 then crux.refuse(#level.player .. " players", "one") end
  if #level.exit ~= 1 then crux.refuse(#level.exit .. " exits", "one") end
  return level
end

function game.format(level) return legend:format(level) end

function game.draw(level, _, state)
  return legend:format { rocks = level.rocks, exit = level.exit, player = state and state.player or level.player }
end

local function slide(player, move, rocks)
  local width, height = rocks:size()
  for _ = 2, math.max(width, height) do
    local ahead = player:shift(move) - rocks
    player = where(any(ahead), ahead, player)
  end
  return player
end

game.search = {
  moves = { "U", "L", "D", "R" },
  state = function(level) return { player = crux.board(level.player:size()) } end,
  start = function(level) return { player = level.player }, any(level.player & level.exit) end,
  step = function(state, move, level)
    state.player = slide(state.player, move, level.rocks)
    return any(state.player & level.exit)
  end,
}

game.measure { "size", kind = "initial", doc = "squares on the board", function(level)
  local width, height = level.rocks:size()
  return width * height
end }

game.measure { "rocks", kind = "initial", doc = "rocks on the board", function(level) return #level.rocks end }

game.measure { "moves", kind = "dynamic", doc = "slides of a shortest solution",
  function(_, solution) return solution.length end }

game.measure { "distance", kind = "solution", doc = "squares that the player slides over", function(_, solution)
  local sum, x, y = 0, solution.way[1].player:first()
  for _, state in ipairs(solution.way) do
    local to_x, to_y = state.player:first()
    sum, x, y = sum + math.abs(to_x - x) + math.abs(to_y - y), to_x, to_y
  end
  return sum
end }

game.options = {
  { "side", { 5, 8 }, doc = "squares along a side" },
  { "rocks", 0.2, doc = "probability of a rock on a square" },
}

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

function game.vary(level, random)
  local x, y = (~(level.player | level.exit)):pick(random)
  local rocks = level.rocks:has(x, y) and level.rocks:without(x, y) or level.rocks:with(x, y)
  return { rocks = rocks, player = level.player, exit = level.exit }
end

game.colours = { ["@"] = "bright yellow", ["*"] = "bright green", O = "green", ["#"] = "blue" }

return game
