--- How often players who are programs succeed at the levels that chooser.next gives them: next_level.lua [SEED]. Abilities have a
--- deviation of 1 and the levels one of 1.5; the difficulties that the chooser is told have errors of a deviation of 0.5. Prints shares of
--- 40 plays, of the first ten and of the last twenty, for players of ability below -0.5, from there to 0.5, above, and for all.
local chooser = require "crux.play.chooser"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"

local players <const>, plays_of_each <const> = 300, 40
local parts <const> = { { "all", 1, plays_of_each }, { "first", 1, 10 }, { "last", 21, plays_of_each } }
local stream = random.new(tonumber(arg[1] or "1"))

--- Returns the outcomes of a player, 1 or 0; with `makes` the game adds a level of the difficulty that the player needs, within 0.1,
--- before each choice.
local function outcomes_of(ability, count, makes)
  local told, true_ones, plays, outcomes = {}, {}, {}, {}
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
    outcomes[number] = is_solved and 1 or 0
  end
  return outcomes
end

--- Prints the shares of a simulation, a line for each part.
local function simulate(title, count, makes)
  local sums, counts = {}, { 0, 0, 0, 0 }
  for _ = 1, players do
    local ability = normal(stream)
    local outcomes, group = outcomes_of(ability, count, makes), ability < -0.5 and 1 or ability < 0.5 and 2 or 3
    for _, i in ipairs { group, 4 } do
      counts[i] = counts[i] + 1
      for k, part in ipairs(parts) do
        local sum = 0
        for number = part[2], part[3] do sum = sum + outcomes[number] end
        sums[k] = sums[k] or { 0, 0, 0, 0 }
        sums[k][i] = sums[k][i] + sum / (part[3] - part[2] + 1)
      end
    end
  end
  for k, part in ipairs(parts) do
    local shares = {}
    for i = 1, 4 do shares[i] = sums[k][i] / counts[i] end
    print(("%s, %s: weak %.3f middle %.3f able %.3f all %.3f"):format(title, part[1], table.unpack(shares)))
  end
end

simulate("of 200 levels", 200, false)
simulate("made as needed", 20, true)
simulate("of 1,000 levels", 1000, false)
