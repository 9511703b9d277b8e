-- Tests of lua/crux/judge/ablation.lua: every subset against a fit of its own, and the parts of a study by hand.
local ablation = require "crux.judge.ablation"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local luaunit = require "luaunit"
local vector = require "libcrux.vector"

--- A dataset in memory of lists by name, in the order of names.
local function data_of(names, lists)
  local vectors = {}
  for _, name in ipairs(names) do vectors[name] = vector.of(lists[name]) end
  return dataset.of_vectors("test data", names, vectors, #lists[names[1]])
end

--- The complete rows for a study in which `y` is the target and all other columns are measures.
local function frame_of(names, lists)
  local measures = table.move(names, 2, #names, 1, {})
  return ablation.design(data_of(names, lists), "y", measures):keep(), measures
end

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

--- Random columns, some of them combinations of others, one the same in the first fold's training rows.
local function random_lists(n)
  local names, lists = { "y", "a", "b", "c", "sum", "d", "near", "flat" }, {}
  for _, name in ipairs(names) do
    lists[name] = {}
    for row = 1, n do lists[name][row] = math.random() * 10 end
  end
  for row = 1, n do
    lists.sum[row] = lists.a[row] + lists.b[row] - 7
    lists.near[row] = lists.c[row] + 1e-3 * math.random()
    lists.flat[row] = row <= n // 5 and math.random() or 4
    lists.y[row] = lists.a[row] - 2 * lists.d[row] + 5 * math.random()
  end
  return names, lists
end

--- The mean squared errors of a subset and of the baseline as crux evaluate finds them, by a fit in each fold.
local function separate(frame, folds, subset)
  local places = { 1 }
  for i, column in ipairs(subset.columns) do places[i + 1] = column + 1 end
  local found = crossval.evaluate(ablation.formula("y", subset.measures), frame:pick(places), folds, { where = "test" })
  return found.errors.rmse ^ 2, found.baseline.rmse ^ 2
end

local Ablation = {}

function Ablation.test_every_subset_as_by_a_fit_of_its_own()
  math.randomseed(20)
  for _, seed in ipairs { 0, 1, 2 } do -- 0: contiguous folds
    local frame, measures = frame_of(random_lists(math.random(45, 70)))
    local folds = crossval.folds(frame.rows, 3 + seed, seed > 0 and seed or nil, "test")
    local errors, numbers = ablation.errors(frame, { folds }, nil, "test")
    local subsets = ablation.best(errors, numbers, measures, 1000)
    luaunit.assertEquals({ #measures, #errors, #subsets }, { 7, 128, 127 })
    local seen = {}
    for i, subset in ipairs(subsets) do
      local name = table.concat(subset.measures, " ")
      luaunit.assertNil(seen[name])
      seen[name] = true
      luaunit.assertEquals(subset.terms, #subset.measures + 1)
      luaunit.assertTrue(i == 1 or subset.mse >= subsets[i - 1].mse)
      local expected, baseline = separate(frame, folds, subset)
      luaunit.assertTrue(math.abs(subset.mse / expected - 1) < 1e-9, ("%s: %.17g, %.17g"):format(name, subset.mse, expected))
      luaunit.assertTrue(math.abs(errors[1] / baseline - 1) < 1e-11)
    end
  end
end

--- y = x of two folds of two rows: fold 1 is predicted by x, 0 off; the other measure is 1, 0, 0, 1 and tells nothing of y:
--- fold 1 (0 and 1, 1 and 0) gets the line through 2 at 0 and 3 at 1, 3 and 2, off by 3 and 1; fold 2 likewise 1 and 0, off by
--- 1 and 3. Means: 2.5 and 0.5, off by 2.5, 1.5 and 1.5, 2.5.
function Ablation.test_by_hand()
  local names, lists = { "y", "x", "z" }, { y = { 0, 1, 2, 3 }, x = { 0, 1, 2, 3 }, z = { 1, 0, 0, 1 } }
  local frame, measures = frame_of(names, lists)
  local folds = crossval.folds(4, 2, nil, "test")
  local errors = ablation.errors(frame:pick { 1, 3 }, { folds }, nil, "test")
  luaunit.assertEquals({ #errors, errors[1], errors[2] }, { 2, 17 / 4, 5 })
  errors = ablation.errors(frame:pick { 1, 2 }, { folds }, nil, "test")
  luaunit.assertEquals({ errors[1], errors[2] }, { 17 / 4, 0 })
  luaunit.assertEquals(message(ablation.errors, frame, { folds }, nil, "test"),
    "test, all but fold 1: found 2 complete rows, expected at least as many as a fit to all measures has terms, 3")
  luaunit.assertEquals(measures, { "x", "z" })
end

--- Subsets of a, b, c that span the same space tie: the smaller first, then those of earlier measures.
function Ablation.test_the_smaller_of_equals_is_better()
  math.randomseed(21)
  local names, lists = { "y", "a", "b", "c" }, { y = {}, a = {}, b = {}, c = {} }
  for row = 1, 30 do
    lists.a[row], lists.b[row] = math.random(), math.random()
    lists.c[row] = lists.a[row] + lists.b[row]
    lists.y[row] = lists.a[row] + 2 * lists.b[row] + 0.1 * math.random()
  end
  local frame, measures = frame_of(names, lists)
  local found = {}
  local errors, numbers = ablation.errors(frame, { crossval.folds(30, 5, nil, "test") }, nil, "test")
  for i, subset in ipairs(ablation.best(errors, numbers, measures, 4)) do
    found[i] = table.concat(subset.measures)
  end
  luaunit.assertEquals(found, { "ab", "ac", "bc", "abc" })
end

function Ablation.test_shares_by_hand()
  local subsets = { { measures = { "a", "b" } }, { measures = { "b" } }, { measures = { "a", "b", "d" } }, { measures = { "c" } } }
  luaunit.assertEquals(ablation.shares(subsets, { "a", "b", "c", "d" }, 3), { a = 2 / 3, b = 1, c = 0, d = 1 / 3 })
  luaunit.assertEquals(ablation.shares(subsets, { "a", "b" }, 1), { a = 1, b = 1 })
  luaunit.assertEquals(ablation.shares(subsets, { "a", "b", "c", "d" }, 99), { a = 0.5, b = 0.75, c = 0.25, d = 0.25 })
end

--- All rows once, in order, in parts of the right size that the seed decides.
function Ablation.test_split()
  local function lists(...)
    local parts = {}
    for i, part in ipairs { ablation.split(...) } do
      parts[i] = {}
      for j = 1, #part do parts[i][j] = part[j] end
    end
    return parts
  end
  for _, case in ipairs { { 10, 0.2, 2 }, { 191, 0.2, 38 }, { 115, 0.2, 23 }, { 7, 0.5, 4 }, { 5, 0, 0 } } do
    local n, share, count = table.unpack(case)
    local parts, all = lists(n, share, 1, "test"), {}
    luaunit.assertEquals({ #parts[1], #parts[2] }, { n - count, count })
    for _, part in ipairs(parts) do
      for i, row in ipairs(part) do
        luaunit.assertTrue(i == 1 or row > part[i - 1])
        all[row] = true
      end
    end
    luaunit.assertEquals(#all, n)
  end
  luaunit.assertEquals(lists(50, 0.2, 3, "test"), lists(50, 0.2, 3, "test"))
  luaunit.assertNotEquals(lists(50, 0.2, 3, "test"), lists(50, 0.2, 4, "test"))
  luaunit.assertEquals(message(ablation.split, 4, 0.1, 1, "d.csv"),
    "d.csv: found no row for the test part (a test share of 0.1 of 4 complete rows), expected at least one")
  luaunit.assertEquals(message(ablation.split, 1, 0.75, 1, "d.csv"),
    "d.csv: found no row for the training part (a test share of 0.75 of 1 complete row), expected at least one")
end

--- The line through the training part's 1, 3 and 2, 5 says 7, 9, 0 in the test part, off by 1, -2, 0.5; their mean 4 by 4, 3,
--- -3.5.
function Ablation.test_judge_by_hand()
  local names = { "y", "z", "x" }
  local frame = frame_of(names, { y = { 3, 5, 8, 7, 0.5 }, z = { 1, 5, 9, 2, 6 }, x = { 1, 2, 3, 4, -0.5 } })
  local train, test = frame:select(vector.of { 1, 2 }), frame:select(vector.of { 3, 4, 5 })
  local best = { measures = { "x" }, columns = { 2 } }
  local verdict = ablation.judge(best, train, test, { target = "y", where = "test" })
  luaunit.assertAlmostEquals(verdict.weights["(intercept)"], 1, 1e-13)
  luaunit.assertAlmostEquals(verdict.weights.x, 2, 1e-13)
  for i, difference in ipairs { 1, -2, 0.5 } do luaunit.assertAlmostEquals(verdict.differences[i], difference, 1e-13) end
  for key, value in pairs { n = 3, mse = 5.25 / 3, mae = 3.5 / 3, median_squared_error = 1, max_squared_error = 4,
    overestimates = 1, underestimates = 2 } do
    luaunit.assertAlmostEquals(verdict.test[key], value, 1e-12, key)
  end
  luaunit.assertEquals({ verdict.baseline.median_squared_error, verdict.baseline.max_squared_error,
    verdict.baseline.overestimates }, { 12.25, 16, 1 })
  local without = ablation.judge(best, train, nil, { target = "y", where = "test" })
  luaunit.assertNil(without.test)
  luaunit.assertAlmostEquals(without.weights.x, 2, 1e-13)
end

function Ablation.test_histogram_by_hand()
  local function bins(differences)
    local found = {}
    for i, row in ipairs(ablation.histogram(differences)) do found[i] = { row.error, row.count } end
    return found
  end
  luaunit.assertEquals(bins { -2.6, -0.4, 0.4, 0.5, 3.4, 3.4 }, -- a range of 6: bins of 1
    { { -3, 1 }, { -2, 0 }, { -1, 0 }, { 0, 2 }, { 1, 1 }, { 2, 0 }, { 3, 2 } })
  luaunit.assertEquals(bins { 0.1, 0.5 }, { { 0.1, 1 }, { 0.15, 0 }, { 0.2, 0 }, { 0.25, 0 }, { 0.3, 0 }, { 0.35, 0 },
    { 0.4, 0 }, { 0.45, 0 }, { 0.5, 1 } })
  luaunit.assertEquals(bins { -85, 0, 105 }, { { -80, 1 }, { -60, 0 }, { -40, 0 }, { -20, 0 }, { 0, 1 }, { 20, 0 }, { 40, 0 },
    { 60, 0 }, { 80, 0 }, { 100, 1 } })
  luaunit.assertEquals(bins { 0, 0 }, { { 0, 2 } })
end

return { Ablation = Ablation }
