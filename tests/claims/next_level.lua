--- How often players who are programs succeed at the levels that chooser.next gives them: next_level.lua [SEED]. Abilities have a
--- deviation of 1 and the 200 levels one of 1.5; the difficulties that the chooser is told have errors of a deviation of 0.5.
local chooser = require "crux.play.chooser"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"

local players <const>, levels <const>, plays_of_each <const> = 300, 200, 40
local stream = random.new(tonumber(arg[1] or "1"))

--- Returns the share of successes of a player; with `makes` the game adds a level of the difficulty that the player needs, within 0.1,
--- before each choice.
local function share_of(ability, count, makes)
  local told, true_ones, plays, solved = {}, {}, {}, 0
  local function add(difficulty)
    table.insert(told, difficulty)
    table.insert(true_ones, difficulty + 0.5 * normal(stream))
  end
  for _ = 1, count do add(1.5 * normal(stream)) end
  for number = 1, plays_of_each do
    if makes then add(chooser.next("next", told, plays).difficulty + 0.2 * stream:real() - 0.1) end
    local level = chooser.next("next", told, plays).level
    local is_solved = stream:real() < 1 / (1 + math.exp(true_ones[level] - ability))
    plays[number] = { level = level, solved = is_solved }
    solved = solved + (is_solved and 1 or 0)
  end
  return solved / plays_of_each
end

--- The mean shares of players of ability below -0.5, from there to 0.5, above, and of all.
local function shares(count, makes)
  local sums, counts = { 0, 0, 0, 0 }, { 0, 0, 0, 0 }
  for _ = 1, players do
    local ability = normal(stream)
    local share, group = share_of(ability, count, makes), ability < -0.5 and 1 or ability < 0.5 and 2 or 3
    for _, i in ipairs { group, 4 } do sums[i], counts[i] = sums[i] + share, counts[i] + 1 end
  end
  for i = 1, 4 do sums[i] = sums[i] / counts[i] end
  return table.unpack(sums)
end

print(("of 200 levels: weak %.3f middle %.3f able %.3f all %.3f"):format(shares(levels, false)))
print(("made as needed: weak %.3f middle %.3f able %.3f all %.3f"):format(shares(20, true)))
