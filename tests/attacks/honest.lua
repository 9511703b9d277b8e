--- A game that does nothing wrong, which the attacks on games change.
local game = crux.game "honest"

function game.parse(text) return { size = #text:gsub("%s", "") } end

function game.format(level) return ("x"):rep(level.size) end

game.search = {
  moves = { "on", "off" },
  state = function() return { at = crux.integer(0, 99) } end,
  start = function() return { at = 0 } end,
  step = function(state, move, level)
    state.at = crux.max(state.at + (move == "on" and 1 or -1), 0)
    return crux.ge(state.at, level.size)
  end,
}

game.measure { "size", kind = "initial", doc = "size", function(level) return level.size end }
game.measure { "moves", kind = "dynamic", doc = "moves", function(_, solution) return solution.length end }

game.options = { { "least", 3, doc = "the least size" } }

function game.generate(random, options) return { size = random:integer(options.least, 5) } end

function game.vary(level, random) return { size = level.size + random:integer(-1, 1) } end

return game
