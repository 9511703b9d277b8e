-- Changes what the engine raised, and raises it again as a success.
-- measure: found an assignment to a fault, expected none
local game = require "honest"
game.measure { "fault", kind = "dynamic", doc = "a fault", function(_, solution)
  local _, raised = pcall(function() return solution.variants.none end)
  assert(not pcall(rawset, raised, "status", 0) and not pcall(setmetatable, raised, {}) and not next(raised))
  raised.status = 0
  error(raised)
end }
return game
