--- The bot that plays the rest of the level at random, many times, before each move, and prefers what won early: UCT (Kocsis
--- and Szepesvari, Bandit based Monte-Carlo planning, 2006) on the graph of states, with what it learned kept for the play.
local Graph = require "crux.search.graph"

local EXPLORATION <const> = math.sqrt(2) -- of the rule UCB1
local DISCOUNT <const> = 0.98            -- of a win's worth, for each move up to it

---@class Arm                what is known of a move from a state
---@field plays integer
---@field worth number       sum over the plays

--- The arms of a state, by move.
local function arms_of(tree, state)
  tree[state] = tree[state] or { plays = 0 }
  return tree[state]
end

--- The move to try: one that was not, else the one with the greatest bound.
local function select(walk, arms, list)
  local new, best, bound = {}, nil, -math.huge
  for _, number in ipairs(list) do
    local arm = arms[number]
    local now = arm and arm.worth / arm.plays + EXPLORATION * math.sqrt(math.log(arms.plays) / arm.plays)
    if not arm then table.insert(new, number) elseif now > bound then best, bound = number, now end
  end
  if #new > 0 then return walk.random:pick(new), true end
  return best, false
end

--- Plays from here: by the tree, from its first new move on at random. Adds what the end is worth to the arms on the way.
local function simulate(walk, tree, length)
  local graph, state, way, is_new, moves, worth = walk.graph, walk.at, {}, false, 0, 0
  while moves < length do
    local after = graph:after(state)
    local list = after and graph:changing(state) or {}
    if #list == 0 then break end
    local number
    if is_new then
      number = walk.random:pick(list)
    else
      local arms = arms_of(tree, state)
      number, is_new = select(walk, arms, list)
      table.insert(way, { arms = arms, number = number })
    end
    moves, state = moves + 1, after[number]
    if state == Graph.WON then worth = DISCOUNT ^ moves end
    if state >= Graph.LOST then break end
  end
  for _, step in ipairs(way) do
    local arm = step.arms[step.number] or { plays = 0, worth = 0 }
    step.arms[step.number], step.arms.plays = arm, step.arms.plays + 1
    arm.plays, arm.worth = arm.plays + 1, arm.worth + worth
  end
end

return {
  doc = "plays the rest at random before each move, and prefers the moves after which it won early",
  params = {
    { name = "playouts", default = 30, low = 1, high = 100000, integer = true, doc = "random plays before each move" },
    { name = "length", default = 30, low = 1, high = 100000, integer = true, doc = "moves of a random play at most" },
  },
  choose = function(walk, params)
    walk.tree = walk.tree or {}
    for _ = 1, params.playouts do simulate(walk, walk.tree, params.length) end
    local arms, best, most = arms_of(walk.tree, walk.at), nil, 0
    for _, number in ipairs(walk.graph:changing(walk.at)) do
      local arm = arms[number]
      if arm and arm.plays > most then best, most = number, arm.plays end
    end
    return best
  end,
}
