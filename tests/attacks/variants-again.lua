-- A measure that has a variant solved again and again, which would begin its time anew.
-- measure: found an assignment to a variant, expected none
local game = require "honest"
game.variants = { x = function(level) return { size = level.size + 1 } end }
game.measure { "x", kind = "dynamic", doc = "x", function(_, solution)
  while true do
    local _ = solution.variants.x
    solution.variants.x = nil
  end
end }
return game
