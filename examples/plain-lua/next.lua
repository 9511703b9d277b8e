-- A game at its player's skill: lua5.4 examples/plain-lua/next.lua ABILITY SEED FLOW_LEVELS (see docs/tracking.md)
-- A program that succeeds like a player of that ability, in logits, plays 20 levels of Flow, each chosen by the plays before
-- it. Then the game makes a level for this player. Games make such levels while their player plays, and add them to the list.
local crux = require "crux"

-- Here a point of the rule's ratings is a logit, and average players solve a level rated 3 every other time. A game that has
-- plays fits `solved ~ rating + (1 | player) + (1 | level)` to them.
local middle <const> = 3

local flow, rule = crux.load_game "flow", crux.load_rule "flow"
local ability, seed, path = tonumber(arg[1]), math.tointeger(arg[2]), arg[3]
local levels, names = crux.levels(flow, path)
local difficulties, plays = {}, {}
for i, level in ipairs(levels) do difficulties[i] = crux.rating(rule, crux.measure(flow, level)) - middle end

math.randomseed(seed)
for number = 1, 20 do
  local next = crux.next_level(difficulties, plays)
  local is_solved = math.random() < 1 / (1 + math.exp(difficulties[next.level] - ability))
  plays[number] = { level = next.level, solved = is_solved }
  local outcome = is_solved and "solved" or "given up"
  print(("%2d  level %-3s chance %.2f  %s"):format(number, names[next.level], next.chance, outcome))
end

local rating = crux.next_level(difficulties, plays).difficulty + middle
local wanted = ("%.2f..%.2f"):format(rating - 0.25, rating + 0.25)
for _, level in ipairs(crux.order(flow, rule, { rating = wanted, seed = seed })) do
  io.write(("made, rated %.2f where %.2f was wanted:\n%s"):format(level.rating, rating, level.text))
end
