--- Log losses of the next plays of Rush Hour, of the Kalman filter, Glicko-2 and Elo, and of the mixed model that is refitted before
--- each tenth of the plays. Players play in turn, each by position. The filter's variances are those of the first tenth.
package.path = "tests/support/?.lua;" .. package.path
local dataset = require "crux.data.dataset"
local rules = require "crux.rule.rule"
local tracker = require "crux.rule.tracker"

local model <const> = "solved ~ 1 + (1 | player) + (1 | level)"
local tenths <const> = 10

--- The plays in turn.
local function plays_of(path)
  local rows = {}
  local data = dataset.open(path)
  for block in data:blocks { texts = data.columns } do
    for row = 1, block.rows do
      local texts = {}
      for _, column in ipairs(data.columns) do texts[column] = block.texts[column][row] end
      table.insert(rows, { place = block:place(row), texts = texts, number = #rows })
    end
  end
  table.sort(rows, function(a, b)
    local one, other = tonumber(a.texts.position), tonumber(b.texts.position)
    if one ~= other then return one < other end
    return a.number < b.number
  end)
  return rows, data.columns
end

local rows, columns = plays_of "datasets/rushhour-plays.csv"

local function part(first, last) return dataset.of_texts("plays", columns, table.move(rows, first, last, 1, {})) end

local function first_of(tenth) return (tenth - 1) * #rows // tenths + 1 end

--- The rule fitted to the plays before a tenth.
local function fitted_before(tenth)
  local rule = rules.from_formula(model):fitted_by(rules.method_of("mixed(family = logistic)", "--fit"))
  return (rule:fit_to(part(1, first_of(tenth) - 1)))
end

--- The mean log loss of all tenths but the first, of a model that follows the plays.
local function followed(kind, rule)
  local tracked = tracker.new(rule, { model = kind, drift = 0, period = 1 })
  tracked:play(part(1, first_of(2) - 1), function() end)
  local before = tracked.surprise
  tracked:play(part(first_of(2), #rows), function() end)
  return (tracked.surprise - before) / (#rows - first_of(2) + 1)
end

--- That of the refitted model.
local function refitted()
  local sum = 0
  for tenth = 2, tenths do
    local rule, effects = fitted_before(tenth), {}
    for _, groups in ipairs((rule:effects(part(1, first_of(tenth) - 1), {}))) do
      effects[groups.name] = {}
      for i = 1, #groups.names do effects[groups.name][groups.names[i]] = groups.effects[i][1] end
    end
    for i = first_of(tenth), first_of(tenth + 1) - 1 do
      local texts = rows[i].texts
      local logit = rule.coefficients["(intercept)"] + (effects.player[texts.player] or 0) + (effects.level[texts.level] or 0)
      sum = sum + math.log(1 + math.exp(texts.solved == "1" and -logit or logit))
    end
  end
  return sum / (#rows - first_of(2) + 1)
end

local rule = fitted_before(2)
local batch = refitted()
local kalman = followed("kalman", rule)
print(("refitted %.4f kalman %.4f ratio %.4f glicko2 %.4f elo %.4f"):format(batch, kalman, kalman / batch, followed("glicko2"),
  followed("elo")))
