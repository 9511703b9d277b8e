--- The bot that makes the move that looks best: with the least estimate of the moves left, by the game's heuristic. Each
--- earlier visit of a state makes it look worse by one move, so that the bot leaves where it does not get on.
local Graph = require "crux.search.graph"

--- How bad a successor looks.
local function cost(walk, after)
  if after == Graph.WON then return -1 end
  if after == Graph.LOST then return math.huge end
  return (walk.graph:estimate(after) or 0) + (walk.visits[after] or 0)
end

return {
  doc = "the move after which the game's heuristic sees the fewest moves left, without one a new state; sometimes any move",
  params = { { name = "noise", default = 0.1, low = 0, high = 1, doc = "probability of a random move" } },
  choose = function(walk, params)
    if walk.random:chance(params.noise) then return walk:random_move() end
    local after, best, least = walk.graph:after(walk.at), {}, math.huge
    for _, number in ipairs(walk.graph:changing(walk.at)) do
      local now = cost(walk, after[number])
      if now < least then best, least = {}, now end
      if now == least then table.insert(best, number) end
    end
    return #best > 0 and walk.random:pick(best) or nil
  end,
}
