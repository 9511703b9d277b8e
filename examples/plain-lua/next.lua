-- A game at its player's skill: lua5.4 examples/plain-lua/next.lua ABILITY SEED FLOW_LEVELS (see docs/tracking.md)
-- A program that succeeds like a player of that ability, in logits, plays 40 levels of Flow: each is chosen by the plays
-- before it, from the levels of a folder and from one that a pool has for this player. Games fill the pool while their
-- player plays.
local crux = require "crux"

-- Here a point of the rule's ratings is a logit, and average players solve a level rated 3 every other time. A game that has
-- plays fits `solved ~ rating + (1 | player) + (1 | level)` to them.
local middle <const> = 3

local flow, rule = crux.load_game "flow", crux.load_rule "flow"
local ability, seed, path = tonumber(arg[1]), math.tointeger(arg[2]), arg[3]
local levels, names = crux.levels(flow, path)
local difficulties, plays, solved = {}, {}, 0
for i, level in ipairs(levels) do difficulties[i] = crux.rating(rule, crux.measure(flow, level)) - middle end
local pool = crux.pool(flow, rule, { curve = "1..6", count = 20, seed = seed })

math.randomseed(seed)
for number = 1, 40 do
  pool:fill(0.1)
  local made = pool:take(crux.next_level(difficulties, plays).difficulty + middle)
  if made then
    table.insert(difficulties, made.rating - middle)
    names[#difficulties] = ("made %d"):format(number) -- its text is made.text
  end
  local next = crux.next_level(difficulties, plays)
  local is_solved = math.random() < 1 / (1 + math.exp(difficulties[next.level] - ability))
  solved = solved + (is_solved and 1 or 0)
  plays[number] = { level = next.level, solved = is_solved }
  print(("%2d  level %-8s rated %5.2f  chance %.2f  %s"):format(number, names[next.level], difficulties[next.level] + middle,
    next.chance, is_solved and "solved" or "given up"))
end
print(("solved %.3f of them, where 0.7 was wanted"):format(solved / #plays))
