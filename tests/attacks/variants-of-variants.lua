-- Variants of variants, each of which is solved in its own time.
-- measure: found more solutions of variants, expected at most 1000 for a level
local game = require "honest"
game.variants = { same = function(level) return level end }
game.measure { "chain", kind = "dynamic", doc = "chain", function(_, solution)
  while true do solution = solution.variants.same end
end }
return game
