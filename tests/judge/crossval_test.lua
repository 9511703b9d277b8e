-- Tests of lua/crux/judge/crossval.lua, accuracy.lua and design.lua: folds, errors by hand and by sorting, rows left out.
local accuracy = require "crux.stats.accuracy"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local errors = require "libcrux.errors"
local ols = require "crux.fit.ols"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"
local rule = require "crux.rule.rule"
local shell = require "shell"
local vector = require "libcrux.vector"

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

--- Folds as a list.
local function listed(...)
  local folds = crossval.folds(...)
  local list = {}
  for row = 1, #folds do list[row] = folds[row] end
  return list
end

local function sizes(folds, count)
  local list = {}
  for fold = 1, count do list[fold] = 0 end
  for _, fold in ipairs(folds) do list[fold] = list[fold] + 1 end
  return list
end

local Folds = {}

-- Mutser (2014), section 6.1: row i from 0 is in fold 1 + floor(i K / n); the short ones by hand.
function Folds.test_contiguous()
  for n, size in pairs { [40] = 8, [65] = 13, [80] = 16, [5] = 1 } do
    local folds = listed(n, 5, nil, "data")
    luaunit.assertEquals(#folds, n)
    for i, fold in ipairs(folds) do luaunit.assertEquals(fold, (i - 1) // size + 1) end
  end
  luaunit.assertEquals(listed(7, 5, nil, "data"), { 1, 1, 2, 3, 3, 4, 5 })
  luaunit.assertEquals(listed(11, 5, nil, "data"), { 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 })
  luaunit.assertEquals(listed(3, 2, nil, "data"), { 1, 1, 2 })
end

function Folds.test_shuffled()
  for _, n in ipairs { 7, 11, 40, 65, 80 } do
    local folds = listed(n, 5, 17, "data")
    -- a permutation of the contiguous folds: each fold has as many rows as before
    luaunit.assertEquals(sizes(folds, 5), sizes(crossval.folds(n, 5, nil, "data"), 5))
    luaunit.assertEquals(listed(n, 5, 17, "data"), folds)
  end
  local seen = { [table.concat(crossval.folds(40, 5, nil, "data"))] = "none" }
  for seed = 0, 50 do
    local text = table.concat(crossval.folds(40, 5, seed, "data"))
    luaunit.assertNil(seen[text])
    seen[text] = seed
  end
end

-- 5000 seeds: each row is in each fold 1000 times, give or take 3.5 standard deviations (28 each).
function Folds.test_shuffled_without_favour()
  local counts = {}
  for seed = 1, 5000 do
    for row, fold in ipairs(crossval.folds(5, 5, seed, "data")) do
      counts[row * 10 + fold] = (counts[row * 10 + fold] or 0) + 1
    end
  end
  for place, count in pairs(counts) do luaunit.assertAlmostEquals(count, 1000, 100, tostring(place)) end
end

function Folds.test_others_of_a_fold()
  for fold = 1, 3 do
    local folds, others = crossval.folds(10, 3, 8, "data"), {}
    for row, other in ipairs(folds) do
      if other ~= fold then table.insert(others, row) end
    end
    local vector_of_rows = folds:others(fold)
    luaunit.assertEquals(#vector_of_rows, #others)
    for i, row in ipairs(others) do luaunit.assertEquals(vector_of_rows[i], row) end
    luaunit.assertEquals({ folds:count(), folds[0], folds[11] }, { 3 })
  end
end

--- Rows of a group stay together; groups are dealt as rows would be, in the order of their first rows.
function Folds.test_groups()
  local names = { "b", "a", "b", "c", "d", "a", "c" } -- groups 1 2 1 3 4 2 3 in folds 1 1 2 2
  local assigned = crossval.assignments(7, { folds = 2, repeats = 1, groups = names, group = "pack" }, "data")[1]
  luaunit.assertEquals({ table.unpack(assigned, 1, #assigned) }, { 1, 1, 1, 2, 2, 1, 2 })
  local rows = assigned:rows(2)
  luaunit.assertEquals({ #rows, rows[1], rows[2], rows[3] }, { 3, 4, 5, 7 })
  local alone = crossval.assignments(7, { repeats = 1, groups = names, group = "pack" }, "data")[1]
  luaunit.assertEquals({ table.unpack(alone, 1, #alone) }, { 1, 2, 1, 3, 4, 2, 3 })
  for time, shuffled in ipairs(crossval.assignments(7, { folds = 3, repeats = 20, seed = 5, groups = names }, "data")) do
    local of = {}
    for row, name in ipairs(names) do
      luaunit.assertEquals(shuffled[row], of[name] or shuffled[row], "time " .. time)
      of[name] = shuffled[row]
    end
    luaunit.assertEquals(shuffled:count(), 3)
  end
end

--- Each time has an order of its own; the first is that of the seed alone.
function Folds.test_repeats()
  local times, seen = crossval.assignments(40, { folds = 5, repeats = 30, seed = 9 }, "data"), {}
  luaunit.assertEquals({ table.unpack(times[1], 1, 40) }, listed(40, 5, 9, "data"))
  for _, assigned in ipairs(times) do
    local text = table.concat(table.pack(table.unpack(assigned, 1, 40)), " ")
    luaunit.assertNil(seen[text])
    seen[text] = true
    for fold = 1, 5 do luaunit.assertEquals({ #assigned:rows(fold), #assigned:others(fold) }, { 8, 32 }) end
  end
end

function Folds.test_too_few_groups()
  local function refused(names, count)
    return message(crossval.assignments, #names, { folds = count, repeats = 1, groups = names, group = "pack" }, "data")
  end
  luaunit.assertEquals(refused({ "a", "a", "a" }),
    "data: column 'pack': found 1 group, expected at least 2, as no group is divided between folds")
  luaunit.assertEquals(refused({ "a", "b", "a" }, 3),
    "data: column 'pack': found 2 groups, expected at least 3, as no group is divided between folds")
  luaunit.assertEquals(message(crossval.assignments, 1, { repeats = 1 }, "data"),
    "data: found 1 complete row, expected at least 2, to leave one out")
end

function Folds.test_more_folds_than_rows()
  luaunit.assertEquals(message(crossval.folds, 4, 5, nil, "data"),
    "data: found 4 complete rows, expected at least one for each of the 5 folds")
end

local Accuracy = {}

-- By hand: the errors are 1, -2, 0 and 5.
local predictions, values, weights = { 2, 3, 6, 9 }, { 1, 5, 6, 4 }, { 1, 2, 3, 4 }

local function errors_of(predicted, actual, weighed)
  return accuracy.of_predictions(vector.of(predicted), vector.of(actual), weighed and vector.of(weighed))
end

function Accuracy.test_by_hand()
  luaunit.assertAlmostEquals(errors_of(predictions, values, weights), {
    mae = 2, -- 8 / 4
    weighted_mae = 2.5, -- (1 + 4 + 0 + 20) / 10
    relative_percent = 66.25, -- 1/1 + 2/5 + 0/6 + 5/4 over 4
    weighted_relative_percent = 68, -- 1/1 + 4/5 + 0 + 20/4 over 10
    rmse = math.sqrt(7.5), -- (1 + 4 + 0 + 25) / 4
    median_squared_error = 2.5, -- of 0, 1, 4, 25
    max_squared_error = 25,
    overestimates = 2,
    underestimates = 1,
    weighted_rmse = math.sqrt(10.9), -- (1 + 8 + 0 + 100) / 10
    medae = 1.5, -- of 0, 1, 2, 5
    r_squared = 1 - 30 / 14, -- 14: of 1, 5, 6, 4 around 4
    slope = 9 / 30, -- predictions around 5: -3, -2, 1, 4; values: -3, 1, 2, 0; products 9 - 2 + 2 + 0
    tau = 2 / 6, -- of 6 pairs, 4 in order
    spearman = 0.4, -- ranks 1 2 3 4 and 1 3 4 2: 1 - 6 * 6 / (4 * 15)
  }, 1e-12)
end

function Accuracy.test_some_rows_without_weights()
  local found = errors_of({ 9, 3, 2 }, { 4, 5, 1 })
  luaunit.assertAlmostEquals(found, {
    mae = 8 / 3, weighted_mae = 8 / 3, relative_percent = 265 / 3, weighted_relative_percent = 265 / 3,
    rmse = math.sqrt(10), median_squared_error = 4, max_squared_error = 25, overestimates = 2, underestimates = 1,
    weighted_rmse = math.sqrt(10), medae = 2, tau = 1 / 3, spearman = 0.5,
    r_squared = 1 - 30 / (26 / 3), -- 42 - 100 / 3
    slope = (53 - 14 * 10 / 3) / (94 - 14 ^ 2 / 3), -- 53: 36 + 15 + 2
  }, 1e-12)
end

function Accuracy.test_values_of_0_and_below()
  for _, prediction in ipairs { 0, 1 } do -- a value of 0 has no relative error, whatever was predicted
    local found = errors_of({ prediction, 3 }, { 0, 2 }, { 1, 1 })
    luaunit.assertNil(found.relative_percent)
    luaunit.assertNil(found.weighted_relative_percent)
    luaunit.assertEquals(found.mae, (prediction + 1) / 2)
  end
  luaunit.assertEquals(errors_of({ -3 }, { -2 }).relative_percent, 50)
end

function Accuracy.test_every_measure_is_there()
  local found = errors_of(predictions, values, weights)
  for _, measure in ipairs(accuracy.measures) do -- the fit's distribution is not known here
    luaunit.assertEquals(math.type(found[measure.key]) ~= nil, measure.key ~= "log_score", measure.key)
    found[measure.key] = nil
  end
  luaunit.assertNil(next(found))
end

--- By the definitions, row after row, with a sorted list.
local function reference(predicted, actual, weighed, rows)
  local sums, squares = { absolute = 0, relative = 0, weighted = 0, square = 0, weight = 0, over = 0, under = 0 }, {}
  for i, row in ipairs(rows) do
    local difference = predicted[row] - actual[row]
    sums.absolute, sums.square = sums.absolute + math.abs(difference), sums.square + difference ^ 2
    sums.relative = sums.relative + math.abs(difference / actual[row])
    sums.weighted, sums.weight = sums.weighted + weighed[row] * math.abs(difference), sums.weight + weighed[row]
    sums.over, sums.under = sums.over + (difference > 0 and 1 or 0), sums.under + (difference < 0 and 1 or 0)
    squares[i] = difference ^ 2
  end
  table.sort(squares)
  local n = #rows
  return { mae = sums.absolute / n, weighted_mae = sums.weighted / sums.weight, relative_percent = 100 * sums.relative / n,
    rmse = math.sqrt(sums.square / n), median_squared_error = (squares[(n + 1) // 2] + squares[n // 2 + 1]) / 2,
    max_squared_error = squares[n], overestimates = sums.over, underestimates = sums.under }
end

local function assert_errors(actual, expected, what)
  for key, value in pairs(expected) do
    luaunit.assertAlmostEquals(actual[key], value, 1e-12 * math.max(1, math.abs(value)), ("%s: %s"):format(what, key))
  end
end

-- Numbers with many equal ones, sorted or not, in frames of random sizes: all parts and the whole.
function Accuracy.test_random_parts()
  math.randomseed(26)
  for case = 1, 60 do
    local n = math.random(1, 400)
    local count = math.random(1, math.min(n, 7))
    local kinds = math.random(2) == 1 and 3 or 1000
    local x, y, w = {}, {}, {}
    for i = 1, n do x[i], y[i], w[i] = math.random(kinds), math.random(kinds) / 2 - 500.25, math.random(4) end
    if case % 4 == 0 then table.sort(x) end
    local folds, sums = crossval.folds(n, count, case % 2 == 0 and case or nil, "data"), errors.new(n, case % 3 == 0)
    local predicted, all = {}, {}
    for i = 1, n do predicted[i], all[i] = 2 * x[i] - 3, i end
    for fold = 1, count do
      local first, rows = 0, {}
      for row, other in ipairs(folds) do
        if other == fold then table.insert(rows, row) end
      end
      while first < n do
        local size = math.random(0, n - first)
        local function part(list) return vector.of { table.unpack(list, first + 1, first + size) } end
        sums:add({ vector.fill(size, 1), part(x) }, { -3, 2 }, part(y), part(w), folds, first, fold)
        first = first + size
      end
      assert_errors(accuracy.of(sums:part()), reference(predicted, y, w, rows), ("case %d, fold %d"):format(case, fold))
    end
    assert_errors(accuracy.of(sums:all()), reference(predicted, y, w, all), "case " .. case)
  end
end

function Accuracy.test_what_is_refused()
  local two, folds = vector.of { 1, 2 }, crossval.folds(2, 1)
  local sums = errors.new(1)
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 0, 1), "more rows than there is room for")
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 0, 2), "no such fold")
  luaunit.assertStrContains(message(sums.sizes, sums), "an object with details")
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 1, 1), "rows that have no fold")
  luaunit.assertStrContains(message(sums.add, sums, { two }, {}, two, nil, folds, 0, 1), "a number for each column")
  luaunit.assertStrContains(message(sums.add, sums, { vector.of {} }, { 1 }, two, nil, folds, 0, 1), "different lengths")
  getmetatable(sums).__close(sums)
  luaunit.assertStrContains(message(sums.all, sums), "the object was closed")
end

local Crossval = {}

local function kept(path, text, weights_column)
  local parsed = formula.parse(text)
  return parsed, design.new(dataset.open(path), { response = parsed.response, formula = parsed, weights = weights_column,
    who = "test" }):keep()
end

--- The rows of flow.csv that are (not) in a fold of 8, as a dataset.
local function part(block, fold, inside)
  local rows, vectors, names = {}, {}, {}
  for row = 1, block.rows do
    if (math.ceil(row / 8) == fold) == inside then table.insert(rows, row) end
  end
  for name, column in pairs(block.numbers) do
    vectors[name] = column:gather(vector.of(rows))
    table.insert(names, name)
  end
  return dataset.of_vectors("part", names, vectors, #rows), vectors, rows
end

function Crossval.test_each_fold_is_a_fit_of_the_others()
  local text, columns = "difficulty ~ size * colours + log(corners)", { "size", "colours", "corners", "solved", "difficulty" }
  local parsed, frame = kept("datasets/flow.csv", text, "solved")
  local evaluation = crossval.evaluate(parsed, frame, crossval.folds(frame.rows, 5, nil, "data"), { where = "data" })
  local predictions_of = evaluation.predictions()
  luaunit.assertEquals({ evaluation.n, #evaluation.folds, #predictions_of }, { 40, 5, 40 })
  local whole = dataset.open("datasets/flow.csv"):blocks { numbers = columns }()
  local predicted, baselines = {}, {}
  for fold, report in ipairs(evaluation.folds) do
    luaunit.assertEquals({ report.fold, report.n_train, report.n_test }, { fold, 32, 8 })
    local train, training = part(whole, fold, false)
    local frames = design.new(train, { response = "difficulty", formula = parsed, weights = "solved", who = "test" })
    local c = ols.fit({ formula = parsed, frames = frames, where = "train" }).coefficients
    luaunit.assertEquals(report.coefficients, c)
    local sum, weight = 0, 0
    for i = 1, 32 do
      sum, weight = sum + training.solved[i] * training.difficulty[i], weight + training.solved[i]
    end
    local _, x, rows = part(whole, fold, true)
    for i, row in ipairs(rows) do
      predicted[row] = c["(intercept)"] + c.size * x.size[i] + c.colours * x.colours[i]
        + c["log(corners)"] * math.log(x.corners[i]) + c["size:colours"] * x.size[i] * x.colours[i]
      baselines[row] = sum / weight
      luaunit.assertAlmostEquals(predictions_of[row], predicted[row], 1e-12)
    end
    luaunit.assertAlmostEquals(report.baseline, sum / weight, 1e-12)
    assert_errors(report.errors, reference(predicted, whole.numbers.difficulty, whole.numbers.solved, rows), "fold " .. fold)
  end
  local all = {}
  for row = 1, 40 do all[row] = row end
  local solved = whole.numbers.solved
  assert_errors(evaluation.errors, reference(predicted, whole.numbers.difficulty, solved, all), "all")
  assert_errors(evaluation.baseline, reference(baselines, whole.numbers.difficulty, solved, all), "baseline")
end

-- Folds by sums of the others, and a fit to the others, whose passes end only when the estimates stand still: columns that
-- nearly agree, a response that is fitted to the last digit in some folds, blocks and shuffles.
function Crossval.test_folds_are_direct_fits_on_ill_conditioned_data()
  math.randomseed(77)
  for case, skew in ipairs { 1, 1e-3, 1e-5, 1e-6, 3e-7 } do
    local lines = { "a,b,c,y,w" }
    for row = 1, 6000 do
      local a, b, c = math.random() * 100, math.random(), math.random() * 5
      b = a + skew * 100 * b
      local y = row <= 4800 and case % 2 == 0 and a - b + 2 * c or 3 + a + b - c + math.random()
      lines[row + 1] = ("%.17g,%.17g,%.17g,%.17g,%d"):format(a, b, c, y, math.random(0, 9))
    end
    local parsed, frame = kept(shell.file("skew.csv", table.concat(lines, "\n") .. "\n"), "y ~ a + b * c", "w")
    local folds = crossval.folds(frame.rows, 5, case > 2 and case or nil, "data")
    for fold, report in ipairs(crossval.evaluate(parsed, frame, folds, { where = "data" }).folds) do
      local direct = ols.fit { formula = parsed, frames = frame:select(folds:others(fold)), where = "data" }
      for term, value in pairs(direct.coefficients) do
        luaunit.assertAlmostEquals(report.coefficients[term], value, 1e-8 * math.abs(value), ("case %d: %s"):format(case, term))
      end
    end
  end
end

function Crossval.test_aliased_terms_count_as_0()
  local parsed, frame = kept("datasets/flow.csv", "difficulty ~ size + corners + I(size - corners)")
  local plain, other = kept("datasets/flow.csv", "difficulty ~ size + corners")
  local folds = crossval.folds(40, 4, 3, "data")
  luaunit.assertAlmostEquals(crossval.evaluate(parsed, frame, folds, { where = "data" }).predictions(),
    crossval.evaluate(plain, other, folds, { where = "data" }).predictions(), 1e-12)
end

function Crossval.test_ratings_as_they_are()
  local taken = rule.load "rules/flow.lua"
  local frame = design.new(dataset.open "datasets/flow.csv", { response = "difficulty", as_is = taken, weights = "solved",
    who = "test" }):keep()
  local evaluation = crossval.evaluate(nil, frame, crossval.folds(40, 5, 1, "data"), { where = "data" })
  luaunit.assertEquals(evaluation.predictions()[7], frame.ratings[7])
  luaunit.assertNil(evaluation.folds[1].coefficients)
  -- level 1: 2.0697... + 0.0874... * 81 - 0.2954... * 6 - 0.4008... * 6.833 + 0.0388... * 12
  luaunit.assertAlmostEquals(evaluation.predictions()[1], 5.1075982, 1e-7)
end

function Crossval.test_a_fold_with_too_few_rows_to_fit()
  local parsed, frame = kept("datasets/flow.csv", "difficulty ~ size + colours + corners")
  local some = frame:select(vector.of { 1, 2, 3, 4 })
  luaunit.assertEquals(message(crossval.evaluate, parsed, some, crossval.folds(4, 4, nil, "data"), { where = "data" }),
    "data, all but fold 1: found 3 complete rows, expected at least as many as the formula has terms, 4"
      .. "; fits that do with fewer: ridge, lasso, elastic-net")
end

local Design = {}

function Design.test_rows_that_are_left_out()
  local path = shell.file("gaps.csv", "level,x,y,w,z\na,1,1,1,\nb,,1,1,1\nc,2,NA,1,1\nd,3,1,0,1\ne,4,1,2.5,1\nf,,1,0,1\n")
  local parsed = formula.parse "y ~ x"
  local frames = design.new(dataset.open(path), { response = "y", formula = parsed, weights = "w", who = "test" })
  for _ = 1, 2 do
    local frame = frames:keep(true)
    luaunit.assertEquals({ frame.rows, frame.levels, frames.omitted, frames.weightless }, { 2, { "a", "e" }, 3, 1 })
    luaunit.assertEquals({ frame.columns[2][2], frame.weights[2] }, { 4, 2.5 })
  end
  local also = design.new(dataset.open(path), { response = "y", formula = parsed, who = "test", also = { "z" } })
  local kept_rows = also:keep(true)
  luaunit.assertEquals(kept_rows.levels, { "d", "e" })
  luaunit.assertEquals(kept_rows:select(vector.of { 2 }).levels, { "e" })
end

function Design.test_what_is_refused()
  local path = shell.file("empty.csv", "x,y\n1,\n,2\n")
  local parsed = formula.parse "y ~ x"
  local frames = design.new(dataset.open(path), { response = "y", formula = parsed, who = "test" })
  luaunit.assertEquals(message(frames.keep, frames),
    path .. ": found no complete row, expected at least one without a missing value")
  luaunit.assertEquals(message(design.new, dataset.open(path), { formula = parsed, who = "test" }), "test: found no target, "
    .. "expected a left side of the formula, a field 'predicts' or --target COLUMN")
end

--- A value of a factor that only one fold has, or its first value, cannot be predicted there.
function Crossval.test_values_of_factors_in_one_fold_only()
  local function evaluate(themes)
    local lines = { "level,theme,y" }
    for i, theme in ipairs(themes) do table.insert(lines, ("%d,%s,%d"):format(i, theme, i * i % 7)) end
    local data = dataset.open(shell.file("themes.csv", table.concat(lines, "\n") .. "\n"))
    local frames = design.new(data, { response = "y", formula = formula.parse "y ~ factor(theme)", who = "test" })
    return crossval.evaluate(frames.formula, frames:keep(), crossval.folds(#themes, 2, nil, "data"), { where = "data" })
  end
  luaunit.assertEquals(message(evaluate, { "a", "b", "a", "a", "b", "c" }), "data, all but fold 2: found no row of "
    .. "'factor(theme)c', expected one to learn from: other folds (--seed N), or no rows of rare values")
  luaunit.assertEquals(message(evaluate, { "a", "b", "c", "c", "b", "b" }), "data, all but fold 1: found no row of the value "
    .. "before 'factor(theme)b', expected one to learn from: other folds (--seed N), or no rows of rare values")
  luaunit.assertEquals(evaluate({ "a", "b", "a", "b", "a", "b" }).n, 6)
end

return { Folds = Folds, Accuracy = Accuracy, Crossval = Crossval, Design = Design }
