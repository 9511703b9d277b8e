--- Hints for players: the limit on computing one, and the message if there is none.
local hints = {}

--- Seconds that a solution may take.
hints.seconds = 10

--- The message when there is no solution.
---@param unsolvable string   the reason if no solution exists
function hints.none(solution, unsolvable)
  if solution.status == "unsolvable" then return "no hint: " .. unsolvable end
  if solution.limit == "seconds" then return ("no hint: not solved within %g seconds"):format(hints.seconds) end
  return "no hint: not solved within the limit on " .. (solution.limit or "the search")
end

return hints
