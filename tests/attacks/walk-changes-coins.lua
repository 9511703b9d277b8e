-- Looks for the methods of all coins, to replace them.
-- generate: as honest
local game = require "honest"
game.walk = {
  moves = 3,
  back = function(_, _, _, coin)
    if coin.__index then coin.__index.chance = error end
    assert(coin.__index == nil and not pcall(setmetatable, coin, {}))
    return false
  end,
  finish = function(level) return level end,
}
return game
