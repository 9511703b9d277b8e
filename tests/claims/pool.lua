--- Levels of Flow for players who are programs, from a pool: pool.lua [PLAYERS]. Each plays 40 levels; before each the game gets 0.1 s of
--- the processor to fill the pool. A point of the rule is a logit, of which 3 is the middle; the rule is wrong by a deviation of 0.5. Prints the times to take
--- a level, the distances of the ratings from the wanted ones, and the share of levels that were solved where 0.7 was wanted.
local chooser = require "crux.play.chooser"
local library = require "crux.api.library"
local normal = require "crux.stats.normal"
local process = require "libcrux.process"
local random = require "libcrux.random"

process.seconds = os.clock -- seconds of the processor, as other programs may run

local players <const>, plays_of_each <const>, middle <const> = tonumber(arg[1] or "10"), 40, 3
local stream = random.new(1)
local game, rule = library.load_game "flow", library.load_rule "flow"
local pool = library.pool(game, rule, { curve = "1..6", count = 20 })
local times, offs, near, solved = {}, {}, 0, 0
for _ = 1, players do
  local ability, difficulties, plays = normal(stream), {}, {}
  for number = 1, plays_of_each do
    pool:fill(0.1)
    local wanted, begin = chooser.next("next", difficulties, plays).difficulty + middle, process.seconds()
    local level = assert(pool:take(wanted))
    table.insert(times, process.seconds() - begin)
    table.insert(offs, math.abs(level.rating - wanted))
    if offs[#offs] <= 0.05 then near = near + 1 end
    difficulties[number] = level.rating - middle
    local is_solved = stream:real() < 1 / (1 + math.exp(difficulties[number] + 0.5 * normal(stream) - ability))
    plays[number] = { level = number, solved = is_solved }
    solved = solved + (is_solved and 1 or 0)
  end
end
table.sort(times)
table.sort(offs)
local function at(list, share) return list[math.ceil(share * #list)] end
print(("seconds: half %.4f, 95 %% %.3f, all %.3f"):format(at(times, 0.5), at(times, 0.95), at(times, 1)))
print(("off: half %.3f, 95 %% %.3f, all %.3f; within 0.05 %.3f"):format(at(offs, 0.5), at(offs, 0.95), at(offs, 1), near / #offs))
print(("solved %.3f; levels tried %d"):format(solved / #offs, pool.run.tried))
