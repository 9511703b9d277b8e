--- How many of the 95 % intervals of crux curve hold the true losses, in simulated studies of 40 players and 20 levels whose
--- difficulties and abilities are estimated by the logistic model: for the players in turn, and for the player in the middle.
package.path = "tests/support/?.lua;" .. package.path
local curve = require "crux.task.curve"
local dataset = require "crux.data.dataset"
local lists = require "crux.base.lists"
local normal = require "crux.stats.normal"
local number = require "crux.base.number"
local plays = require "crux.rule.plays"
local random = require "libcrux.random"
local rules = require "crux.rule.rule"

local players <const>, levels <const>, studies <const> = 40, 20, 200
local stream = random.new(7)

local function data_of(rows)
  return dataset.of_texts("study", lists.keys(rows[1]), lists.map(rows, function(row) return { place = "row", texts = row } end))
end

--- The outcomes of a study in which a player plays a level with a probability, true difficulties and abilities.
local function study(density)
  local difficulties, abilities, rows = {}, {}, {}
  for level = 1, levels do difficulties[tostring(level)] = normal(stream, 1.5) end
  for player = 1, players do abilities[tostring(player)] = normal(stream) end
  for player = 1, players do
    for level = 1, levels do
      local name, opponent = tostring(player), tostring(level)
      if stream:real() < density then
        local is_solved = stream:real() < 1 / (1 + math.exp(difficulties[opponent] - abilities[name]))
        table.insert(rows, { player = name, level = opponent, solved = is_solved and "1" or "0" })
      end
    end
  end
  return data_of(rows), difficulties, abilities
end

--- 1 if the interval of the losses holds the true ones, else 0.
local function holds(found, difficulties, estimate, error, ability)
  local series = data_of(lists.map(found, function(row)
    return { level = row.level, difficulty = number.exact(row.difficulty), error = number.exact(row.error) }
  end))
  local rows = curve.run { data = series, ability = estimate, ability_error = error, draws = 1000, seed = 1 }.value
  local truth = 0
  for _, row in ipairs(rows) do truth = truth + math.exp(difficulties[row.level] - ability) end
  return truth >= rows[#rows].losses_low and truth <= rows[#rows].losses_high and 1 or 0
end

local rule = rules.from_formula "solved ~ 1 + (1 | player) + (1 | level)"
  :fitted_by(rules.method_of("mixed(family = logistic)", "fit"))
for _, density in ipairs { 0.3, 1 } do
  local inside = { player = 0, middle = 0 }
  for i = 1, studies do
    local data, difficulties, abilities = study(density)
    local found, able = plays.levels(rule, data, {}), plays.players(rule, data, {})
    local who = able[1 + i % #able]
    inside.player = inside.player + holds(found, difficulties, who.ability, who.error, abilities[who.player])
    inside.middle = inside.middle + holds(found, difficulties, 0, 0, 0)
  end
  print(("density %g: player %.1f, middle %.1f"):format(density, 100 * inside.player / studies, 100 * inside.middle / studies))
end
