--- The bot that thinks a few moves ahead, remembers where it has been, errs and gives up, in the manner of people: a walk in
--- the state space that is random far from a win and straight near it (Jarusek and Pelanek, Difficulty rating of Sokoban
--- puzzle, STAIRS 2010; What determines difficulty of transport puzzles, FLAIRS 2011).
---
--- It looks for a win within `depth` moves. If there is none, it goes towards a state that it has not been to: of those within
--- `depth` moves one with the least estimate, of these one of the nearest, drawn by lot. If there is none either, it takes a
--- move back. It does not make moves that lose at once.
local Graph = require "crux.search.graph"

--- Tells whether the bot prefers a state to the best one so far: it compares estimates, then distances, and draws lots.
local function is_better(walk, seen, best)
  if not best or seen.estimate ~= best.estimate then return not best or seen.estimate < best.estimate end
  if seen.depth ~= best.depth then return seen.depth < best.depth end
  best.equal = best.equal + 1
  return walk.random:integer(1, best.equal) == 1
end

--- The first move towards a win or, without one, a new state within some moves; nil if there is none.
---@return integer?
local function look_ahead(walk, depth)
  local graph, best = walk.graph, nil
  local known, frontier = { [walk.at] = true }, { { state = walk.at, depth = 0 } }
  for _, node in ipairs(frontier) do
    local after = graph:after(node.state)
    if not after then return nil end
    for _, number in ipairs(graph:changing(node.state)) do
      local state = after[number]
      if state == Graph.WON then return node.first or number end
      if state ~= Graph.LOST and not known[state] then
        known[state] = true
        local seen = { state = state, depth = node.depth + 1, first = node.first or number }
        if seen.depth < depth then table.insert(frontier, seen) end
        if not walk.visits[state] then
          seen.estimate = graph:estimate(state) or 0
          if is_better(walk, seen, best) then
            seen.equal = best and best.estimate == seen.estimate and best.depth == seen.depth and best.equal or 1
            best = seen
          end
        end
      end
    end
  end
  return best and best.first
end

return {
  doc = "looks a few moves ahead for a win or a new state, remembers where it has been, errs",
  params = {
    { name = "depth", default = 3, low = 1, high = 8, integer = true, doc = "moves that it looks ahead" },
    { name = "errors", default = 0.1, low = 0, high = 1, doc = "probability of a random move" },
  },
  choose = function(walk, params)
    if walk.random:chance(params.errors) then return walk:random_move() end
    return look_ahead(walk, params.depth) or "undo"
  end,
}
