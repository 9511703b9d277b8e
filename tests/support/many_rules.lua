--- Simulated studies of 20 rules of one measure each: how often a comparison finds differences, where there are none and where
--- there are some.
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local formula = require "crux.formula.formula"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local many_rules = {}

local RULES <const> = 20

--- A number of the standard normal distribution (Box and Muller).
local function normal(generator)
  local u, v = generator:integer(1, 1 << 53) / (1 << 53), generator:integer(1, 1 << 53) / (1 << 53)
  return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)
end

--- Levels whose difficulty each rule's measure shows with an error: of standard deviation 0.5 for the good rules, else 1.
local function study(levels, good, generator)
  local columns, names = { y = {} }, { "y" }
  for rule = 1, RULES do
    names[rule + 1] = "m" .. rule
    columns["m" .. rule] = {}
  end
  for level = 1, levels do
    local difficulty = normal(generator)
    columns.y[level] = 5 + difficulty
    for rule = 1, RULES do
      columns["m" .. rule][level] = difficulty + (rule <= good and 0.5 or 1) * normal(generator)
    end
  end
  for name, list in pairs(columns) do columns[name] = vector.of(list) end
  return dataset.of_vectors("study", names, columns, levels)
end

--- Compares the rules of one study.
local function compare(data, repeats, seed)
  local evaluations, places, assigned = {}, {}, nil
  for rule = 1, RULES do
    local parsed = formula.parse("y ~ m" .. rule)
    local frame = design.new(data, { response = "y", formula = parsed, who = "test" }):keep()
    assigned = assigned or crossval.assignments(frame.rows, { folds = 5, repeats = repeats, seed = seed }, "test")
    evaluations[rule] = crossval.repeated(parsed, frame, assigned, { where = "test", details = true, alone = true })
    places[rule] = rule
  end
  local compared = comparison.new(evaluations, { by = "mae", draws = 500, seed = seed })
  return compared:may_be_best(places), compared:differences_to(1)
end

--- The share of studies of measures that tell nothing in which a formula of them all is said to be better than the mean.
function many_rules.of_noise(levels, measures, studies, seed)
  local generator, count = random.new(seed), 0
  for number = 1, studies do
    local columns, names, terms = {}, { "y" }, {}
    for i = 1, measures do names[i + 1], terms[i] = "m" .. i, "m" .. i end
    for _, name in ipairs(names) do
      local list = {}
      for level = 1, levels do list[level] = normal(generator) end
      columns[name] = vector.of(list)
    end
    local parsed = formula.parse("y ~ " .. table.concat(terms, " + "))
    local frame = design.new(dataset.of_vectors("study", names, columns, levels), { response = "y", formula = parsed,
      who = "test" }):keep()
    local assigned = crossval.assignments(levels, { folds = 5, seed = number }, "test")
    local mean, means = crossval.baseline(frame)
    local both = { crossval.repeated(parsed, frame, assigned, { where = "test", alone = true }),
      crossval.repeated(mean, means, assigned, { where = "test", alone = true }) }
    local difference = comparison.new(both, { by = "mae", draws = 0 }):differences_to(2)[1]
    count = count + (difference.differs and difference.is_better and 1 or 0)
  end
  return count / studies
end

--- The shares of studies in which a good rule, or any if none is better, is wrongly left out of the set of the best; in which one
--- differs wrongly from the first; and the share of the other rules that are rightly left out.
---@param good integer   number of rules that are better; 0: all are equal
---@return number family_error
---@return number family_error_to_first
---@return number power
function many_rules.shares(levels, repeats, studies, good, seed)
  local generator, errors, errors_to_first, left_out = random.new(seed), 0, 0, 0
  for number = 1, studies do
    local best, differences = compare(study(levels, good, generator), repeats, number)
    local is_wrong, is_wrong_to_first = false, false
    for rule = 1, RULES do
      local is_equal = good == 0 or rule <= good
      is_wrong = is_wrong or is_equal and not best[rule]
      is_wrong_to_first = is_wrong_to_first or is_equal and rule > 1 and differences[rule].differs
      left_out = left_out + (not is_equal and not best[rule] and 1 or 0)
    end
    errors, errors_to_first = errors + (is_wrong and 1 or 0), errors_to_first + (is_wrong_to_first and 1 or 0)
  end
  return errors / studies, errors_to_first / studies, left_out / studies / (RULES - good)
end

return many_rules
