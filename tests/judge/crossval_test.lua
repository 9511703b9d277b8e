-- Tests of lua/crux/judge/crossval.lua, accuracy.lua and design.lua: folds, errors by hand and by sorting, rows left out.
local accuracy = require "crux.stats.accuracy"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local errors = require "libcrux.errors"
local fits = require "crux.fit.fits"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"
local memory = require "memory"
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
--- Random folds ten times, unless rows are left out one after the other, or taken in order.
function Folds.test_times_unless_given()
  local counts = {}
  for i, partition in ipairs { { folds = 5 }, { folds = 5, seed = 2 }, {}, { folds = 5, by = "order" }, { folds = 5, repeats = 3 } } do
    counts[i] = #crossval.assignments(10, partition, "data")
  end
  luaunit.assertEquals(counts, { 10, 10, 1, 1, 3 })
  local function first(partition) return table.concat(crossval.assignments(10, partition, "data")[1]) end
  luaunit.assertEquals(first { folds = 5, by = "order" }, "1122334455")
  luaunit.assertEquals({ first { folds = 5 }, first { folds = 5 } }, { first { folds = 5, seed = 1 }, first { folds = 5, by = "random" } })
end

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

--- An order of its seed alone, which leaves the generator of Lua programs as it is.
function Folds.test_orders_leave_the_generator_of_lua_alone()
  math.randomseed(7)
  local expected = { math.random(1000000), math.random(1000000) }
  math.randomseed(7)
  local first, order = math.random(1000000), crossval.shuffled(9, 3)
  luaunit.assertEquals({ first, math.random(1000000) }, expected)
  luaunit.assertEquals(crossval.shuffled(9, 3), order)
  table.sort(order)
  luaunit.assertEquals(order, { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
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
  for _, statistic in ipairs(accuracy.statistics) do -- the fit's distribution is not known here
    luaunit.assertEquals(math.type(found[statistic.key]) ~= nil, statistic.key ~= "log_score", statistic.key)
    found[statistic.key] = nil
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
    local folds, sums = crossval.folds(n, count, case % 2 == 0 and case or nil, "data"), errors.new(n, count, case % 3 == 0)
    local predicted, all, rows = {}, {}, {}
    for i = 1, n do predicted[i], all[i] = 2 * x[i] - 3, i end
    for fold = 1, count do
      local first = 0
      rows[fold] = {}
      for row, other in ipairs(folds) do
        if other == fold then table.insert(rows[fold], row) end
      end
      while first < n do
        local size = math.random(0, n - first)
        local function part(list) return vector.of { table.unpack(list, first + 1, first + size) } end
        sums:add({ vector.fill(size, 1), part(x) }, { -3, 2 }, part(y), part(w), folds, first, fold)
        first = first + size
      end
      sums:part()
    end
    local whole, parts = sums:sums()
    for fold = 1, count do
      assert_errors(accuracy.of(parts[fold]), reference(predicted, y, w, rows[fold]), ("case %d, fold %d"):format(case, fold))
    end
    assert_errors(accuracy.of(whole), reference(predicted, y, w, all), "case " .. case)
  end
end

--- Sums begin anew: with other predictions of the same values, with fewer rows, with other values.
function Accuracy.test_sums_begin_anew()
  local sums = errors.new(4, 1, true)
  for _, case in ipairs {
    { { 1, 2, 3, 4 }, { 2, 1, 4, 3 }, 1 / 3 }, { { 4, 3, 2, 1 }, { 2, 1, 4, 3 }, -1 / 3 }, { { 1, 2, 3 }, { 2, 1, 4 }, 1 / 3 },
    { { 1, 2, 3, 4 }, { 2, 1, 4, 5 }, 2 / 3 }, { { 1, 1, 1, 1 }, { 2, 1, 4, 5 } },
  } do
    sums:add({ vector.of(case[1]) }, { 1 }, vector.of(case[2]), nil, crossval.folds(#case[1], 1), 0, 1)
    sums:part()
    luaunit.assertAlmostEquals({ accuracy.of((sums:sums())).tau }, { case[3] }, 1e-15)
  end
  sums:part()
  luaunit.assertStrContains(message(sums.part, sums), "more parts than there is room for")
end

--- Predictions by row; 0 of the rows that no fold added.
function Accuracy.test_predictions_of_rows()
  local sums, folds = errors.new(3, 3, false, true), crossval.folds(3, 3)
  for fold = 1, 2 do sums:add({ vector.of { 1, 2, 3 } }, { 0.5 * fold }, vector.of { 1, 1, 1 }, nil, folds, 0, fold) end
  luaunit.assertEquals(table.move(sums:predictions(), 1, 3, 1, {}), { 0.5, 2, 0 })
  sums:sums()
  sums:add({ vector.of { 1, 2, 3 } }, { 7 }, vector.of { 1, 1, 1 }, nil, folds, 0, 3)
  sums:sums() -- begins anew: of rows 1 and 2 nothing is left
  luaunit.assertEquals(table.move(sums:predictions(), 1, 3, 1, {}), { 0, 0, 21 })
  luaunit.assertStrContains(message(sums.sizes, sums), "an object with details")
  local none = errors.new(3, 3)
  luaunit.assertStrContains(message(none.predictions, none), "an object with predictions")
end

--- Predictions that differ by rounding tie, and so are neither too high nor too low: 0.1 + 0.2 and 0.3.
function Accuracy.test_rounding()
  local found = accuracy.of_predictions(vector.of { 0.1 + 0.2, 0.3, 0.4 }, vector.of { 0.3, 0.3, 0.3 + 0.1 })
  luaunit.assertEquals({ found.overestimates, found.underestimates, found.tau }, { 0, 0, 1 })
end

function Accuracy.test_what_is_refused()
  local two, folds = vector.of { 1, 2 }, crossval.folds(2, 1)
  local sums = errors.new(1, 1)
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 0, 1), "more rows than there is room for")
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 0, 2), "no such fold")
  local again = errors.new(2, 1, true)
  again:add({ two }, { 1 }, two, nil, crossval.folds(2, 2), 0, 2)
  luaunit.assertStrContains(message(again.add, again, { two }, { 1 }, two, nil, folds, 0, 1), "a row again")
  again:part()
  luaunit.assertEquals((again:sums()).values, 0) -- the second row, less itself: nothing was added of the first
  luaunit.assertStrContains(message(sums.sizes, sums), "an object with details")
  luaunit.assertStrContains(message(sums.add, sums, { two }, { 1 }, two, nil, folds, 1, 1), "rows that have no fold")
  luaunit.assertStrContains(message(sums.add, sums, { two }, {}, two, nil, folds, 0, 1), "a number for each column")
  luaunit.assertStrContains(message(sums.add, sums, { vector.of {} }, { 1 }, two, nil, folds, 0, 1), "different lengths")
  getmetatable(sums).__close(sums)
  luaunit.assertStrContains(message(sums.sums, sums), "the object was closed")
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
  local evaluation = crossval.evaluate(parsed, frame, crossval.folds(frame.rows, 5, nil, "data"),
    { where = "data", predictions = true })
  local predictions_of = evaluation.predictions
  luaunit.assertEquals({ evaluation.n, #evaluation.folds, #predictions_of }, { 40, 5, 40 })
  local whole = dataset.open("datasets/flow.csv"):blocks { numbers = columns }()
  local predicted, baselines = {}, {}
  for fold, report in ipairs(evaluation.folds) do
    luaunit.assertEquals({ report.fold, report.n_train, report.n_test }, { fold, 32, 8 })
    local train, training = part(whole, fold, false)
    local frames = design.new(train, { response = "difficulty", formula = parsed, weights = "solved", who = "test" })
    local c = ols.fit({ formula = parsed, frames = frames, where = "train" }).coefficients
    luaunit.assertAlmostEquals(report.coefficients, c, 1e-12)
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
  local function predicted(model, rows)
    return crossval.evaluate(model, rows, folds, { where = "data", predictions = true }).predictions
  end
  local _, furthest = vector.abs(predicted(parsed, frame) - predicted(plain, other)):range()
  luaunit.assertTrue(furthest < 1e-12)
end

function Crossval.test_ratings_as_they_are()
  local taken = rule.load "rules/flow.lua"
  local frame = design.new(dataset.open "datasets/flow.csv", { response = "difficulty", as_is = taken, weights = "solved",
    who = "test" }):keep()
  local evaluation = crossval.evaluate(nil, frame, crossval.folds(40, 5, 1, "data"), { where = "data", predictions = true })
  luaunit.assertEquals(evaluation.predictions[7], frame.ratings[7])
  luaunit.assertNil(evaluation.folds[1].coefficients)
  -- level 1: 2.0697... + 0.0874... * 81 - 0.2954... * 6 - 0.4008... * 6.833 + 0.0388... * 12
  luaunit.assertAlmostEquals(evaluation.predictions[1], 5.1075982, 1e-7)
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
    luaunit.assertEquals({ frame.rows, table.concat(frame.levels, " "), frames.omitted, frames.weightless }, { 2, "a e", 3, 1 })
    luaunit.assertEquals({ frame.columns[2][2], frame.weights[2] }, { 4, 2.5 })
  end
  local also = design.new(dataset.open(path), { response = "y", formula = parsed, who = "test", also = { "z" } })
  local kept_rows = also:keep(true)
  luaunit.assertEquals(table.concat(kept_rows.levels, " "), "d e")
  luaunit.assertEquals(table.concat(kept_rows:select(vector.of { 2 }).levels, " "), "e")
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

--- Of a formula, fitted as `fit` says, in five folds of flow.csv.
local function evaluated(text, fit, column)
  local _, frame = kept("datasets/flow.csv", text, column)
  return crossval.evaluate(frame.formula, frame, crossval.folds(frame.rows, 5, nil, "data"), { where = "data",
    method = fits.parse(fit, "test")[1], details = true, predictions = true })
end

--- Poly and factor learn of the training rows alone: predictions are those of rules fitted to a dataset of these rows, also
--- where folds share their sums, as those of the first formula.
function Crossval.test_bases_are_learned_in_each_fold()
  local whole = dataset.open("datasets/flow.csv"):blocks { numbers = { "size", "colours", "corners", "difficulty" } }()
  for _, case in ipairs { { "poly(size, 2) + corners", "ols" }, { "poly(size, 2) - 1", "ols" },
    { "poly(size, 2):corners", "ols" }, { "poly(size, 3)", "ridge(lambda = 1)" }, { "poly(size, 3)", "lasso(lambda = 0.1)" },
    { "poly(size, 2)", "nnls" }, { "poly(size, 2) + corners", "bounded(corners <= 0.1)" }, { "poly(corners, 2) - 1", "lad" },
    { "poly(size, 2) + factor(max(colours, 5))", "ridge(lambda = 1)" } } do
    local text, fit = "difficulty ~ " .. case[1], case[2]
    local found = evaluated(text, fit).predictions
    for fold = 1, 5 do
      local fitted = rule.new({ name = "test", formula = text, fit = fit }):fit_to((part(whole, fold, false)))
      local test, _, rows = part(whole, fold, true)
      local ratings = fitted:rate(test:blocks { numbers = { "size", "colours", "corners" } }())
      for i, row in ipairs(rows) do
        luaunit.assertAlmostEquals(found[row], ratings[i], 1e-8, ("%s, %s: row %d"):format(text, fit, row))
      end
    end
  end
  -- R: lm to each fold's training rows, mean(abs(predict(...) - difficulty))
  luaunit.assertAlmostEquals(evaluated("difficulty ~ poly(size, 2) - 1", "ols").errors.mae, 3.25204174957705, 1e-9)
  luaunit.assertAlmostEquals(evaluated("difficulty ~ poly(size, 2):corners", "ols").errors.mae, 0.561087423201817, 1e-9)
end

--- Where predictions are the same with the polynomials of all rows, folds share their sums, and coefficients are of one basis.
function Crossval.test_which_formulas_have_a_fixed_span()
  for text, fixed in pairs { ["poly(a, 2)"] = true, ["poly(a, 2) - 1"] = false, ["b + poly(a, 2):b"] = true,
    ["poly(a, 2):b"] = false, ["poly(a, 2) * poly(b, 2)"] = true, ["poly(a, 2) + poly(a, 2):poly(b, 2)"] = false,
    ["factor(a):b - 1"] = true } do
    luaunit.assertEquals(formula.parse("y ~ " .. text):has_fixed_span(), fixed, text)
  end
end

--- A value of a factor that its fold's training rows lack is predicted by their mean, weighted; R's predict refuses it.
--- By hand: rows 4 to 6 are fold 2, whose training rows a, b, a have the mean (1 + 2 * 2 + 3) / 4 of weights 1, 2, 1.
function Crossval.test_values_of_factors_in_one_fold_only()
  local function evaluate(themes, text, fit)
    local lines = { "theme,x,y,w" }
    for i, theme in ipairs(themes) do table.insert(lines, ("%s,%d,%d,%d"):format(theme, i, i, i == 2 and 2 or 1)) end
    local data = dataset.open(shell.file("themes.csv", table.concat(lines, "\n") .. "\n"))
    local parsed = formula.parse("y ~ " .. text):settled(data)
    local frame = design.new(data, { response = "y", weights = "w", formula = parsed, who = "test" }):keep()
    return crossval.evaluate(frame.formula, frame, crossval.folds(#themes, 2, nil, "data"), { where = "data",
      method = fits.parse(fit, "test")[1], details = true, predictions = true })
  end
  for _, case in ipairs { { "factor(theme)", "ols" }, { "factor(theme) - 1", "ols" }, { "factor(theme):x - 1", "ols" },
    { "factor(theme)", "ridge(lambda = 0)" }, { "factor(theme)", "lad" } } do
    local found = evaluate({ "a", "b", "a", "b", "a", "c" }, table.unpack(case))
    luaunit.assertAlmostEquals(found.predictions[6], 2, 1e-12, case[2])
    luaunit.assertEquals({ found.folds[1].unseen, found.folds[2].unseen, crossval.gaps(found) }, { 0, 1, 0, 1 })
    luaunit.assertNil(found.errors.log_score)
  end
  -- all that is known of fold 1's themes is their mean, (4 + 5 + 6) / 3
  local found = evaluate({ "a", "d", "a", "b", "c", "b" }, "factor(theme)", "ols")
  luaunit.assertEquals({ found.predictions[1], found.predictions[2], found.predictions[3] }, { 5, 5, 5 })
  luaunit.assertEquals(message(evaluate, { "a", "b", "c", "b", "b", "b" }, "factor(theme)", "ols"),
    "data, all but fold 1: term 'factor(theme)': found 'b' in all rows, expected 2 to 1,000 different values")
end

--- The density of the target, whatever the left side makes of it: R's dnorm of left sides at predict(lm(...)) with the
--- training rows' sigma, over the root of the weight, plus log |d left side / d target|.
function Crossval.test_log_scores_of_transformed_targets_and_offsets()
  for _, case in ipairs { { "log(difficulty) ~ size", -0.841620901697945 }, { "difficulty ~ size + offset(I(colours / 10))",
    -0.965037973421495 }, { "sqrt(difficulty) ~ size + offset(I(colours / 10))", -1.03098765352131, "solved" },
    { "exp(sqrt(difficulty)) ~ size", -1.03477854679016 } } do
    luaunit.assertAlmostEquals(evaluated(case[1], "ols", case[3]).errors.log_score, case[2], 1e-10, case[1])
  end
end

--- A fold that cannot be fitted is left out: the errors are those of the others. 9 stands in fold 1 alone, so that the others
--- have too few values for the polynomial.
function Crossval.test_folds_that_cannot_be_fitted()
  local data = memory { x = { 9, 1, 2, 1, 2, 1 }, y = { 1, 4, 2, 6, 5, 3 } }
  local frame = design.new(data, { response = "y", formula = formula.parse "y ~ poly(x, 2)", who = "test" }):keep()
  local assigned, options = crossval.folds(6, 3, nil, "data"), { where = "data", details = true, predictions = true, skips = true }
  local problem = "data, all but fold 1: term 'poly(x, 2)': found 2 different values, expected at least 3"
  luaunit.assertEquals(message(crossval.evaluate, frame.formula, frame, assigned, { where = "data" }), problem)
  local found = crossval.evaluate(frame.formula, frame, assigned, options)
  luaunit.assertEquals({ found.folds[1].failure, found.folds[1].errors, found.folds[1].n_test }, { problem, {}, 2 })
  luaunit.assertEquals({ crossval.gaps(found) }, { 1, 0 })
  local sum = 0
  for row = 3, 6 do sum = sum + math.abs(found.predictions[row] - frame.target[row]) end
  luaunit.assertAlmostEquals(found.errors.mae, sum / 4, 1e-12)
  found = crossval.repeated(frame.formula, frame, { assigned }, options)
  luaunit.assertTrue(found.sizes[1] ~= found.sizes[1] and found.sizes[2] ~= found.sizes[2] and found.sizes[3] >= 0)
  -- of two times, the rows that one of them does not predict have the errors of the other
  local other = crossval.folds(6, 3, 4, "data")
  local both = crossval.repeated(frame.formula, frame, { assigned, other }, options)
  local alone = crossval.repeated(frame.formula, frame, { other }, options)
  for row = 1, 6 do
    local left, right = found.sizes[row], alone.sizes[row]
    local expected = left ~= left and right or right ~= right and left or (left + right) / 2
    luaunit.assertEquals(number.exact(both.sizes[row]), number.exact(expected), "row " .. row)
    left, right = found.predictions[row], alone.predictions[row]
    expected = left ~= left and right or right ~= right and left or (left + right) / 2
    luaunit.assertEquals(number.exact(both.predictions[row]), number.exact(expected), "row " .. row)
  end
  luaunit.assertAlmostEquals(both.errors.mae, (found.errors.mae + alone.errors.mae) / 2, 1e-12)
end

function Crossval.test_means_of_errors_are_absent_where_one_lacks_them()
  luaunit.assertEquals(crossval.mean_errors { { mae = 1, tau = 0.5 }, { mae = 4 } }, { mae = 2.5 })
end

function Crossval.test_errors_too_large_to_add_up()
  local y = {}
  for i = 1, 6 do y[i] = i == 4 and -1.7e308 or 1.7e308 end
  local frame = design.new(memory { y = y, x = y }, { response = "y", formula = formula.parse "y ~ x", who = "test" }):keep()
  frame.frames[1].ratings = vector.of { 0, 0, 0, 0, 0, 0 }
  luaunit.assertEquals(message(crossval.evaluate, nil, frame, crossval.folds(6, 2, nil, "data"), { where = "data", alone = true }),
    "data: found errors too large to add up, expected others")
end

--- Predictions of levels that are left out one after the other take as many steps for each, however many there are.
function Crossval.test_predictions_take_steps_by_the_level()
  local function steps_of(n)
    local count, list = 0, {}
    for row = 1, n do list[row] = row % 7 end
    local frame = design.new(memory { y = list }, { response = "y", formula = formula.parse "y ~ 1", who = "test" }):keep()
    frame.frames[1].ratings = vector.of(list)
    debug.sethook(function() count = count + 1 end, "", 100)
    local evaluation = crossval.evaluate(nil, frame, crossval.folds(n, n, nil, "data"), { alone = true, predictions = true })
    debug.sethook()
    for row = 1, n do luaunit.assertEquals(evaluation.predictions[row], list[row]) end
    return 100 * count / n
  end
  luaunit.assertTrue(steps_of(2000) < 1.5 * steps_of(200))
end

return { Folds = Folds, Accuracy = Accuracy, Crossval = Crossval, Design = Design }
