-- Tests of libcrux.subsets beside a fit of its own for every subset and fold, and the order of subsets.
local long = require "long"
local luaunit = require "luaunit"
local ols = require "libcrux.ols"
local random = require "libcrux.random"
local subsets = require "libcrux.subsets"
local vector = require "libcrux.vector"

local rows, measures, folds <const> = 40, 6, 5
local all <const> = (1 << measures) - 1

--- The weights of the rows for which holds(row) is true, 0 of others.
local function weights_of(p, holds)
  local weights = {}
  for row = 1, rows do weights[row] = holds(row) and (p.weights and p.weights[row] or 1) or 0 end
  return vector.of(weights)
end

--- The ones, and the columns of a subset.
local function columns_of(p, subset)
  local columns = { vector.fill(rows, 1) }
  for i = 1, measures do
    if subset >> i - 1 & 1 == 1 then table.insert(columns, vector.of(p.columns[i])) end
  end
  return columns
end

--- The mean squared error of a subset, by a fit for each fold to the rows of the others; to all where there are no folds.
local function separate(p, subset)
  local columns, response, sum, weight = columns_of(p, subset), vector.of(p.response), 0, 0
  for fold = 1, p.folds and folds or 1 do
    local solver <close> = ols.new(#columns)
    local training = weights_of(p, function(row) return not p.folds or p.folds[row] ~= fold end)
    solver:add(columns, response, training)
    solver:solve(1e-7)
    repeat solver:residuals(columns, response, training) until not solver:refine()
    local predicted = vector.fill(rows, 0)
    for i, term in ipairs(solver:result()) do predicted = predicted + columns[i] * (term.estimate or 0) end
    local test = weights_of(p, function(row) return not p.folds or p.folds[row] == fold end)
    sum, weight = sum + (test * (response - predicted) ^ 2):sum(), weight + test:sum()
  end
  return sum / weight
end

--- The splits of a problem: the rows of each fold, and those of the others.
local function splits_of(p)
  local training, test = {}, {}
  for fold = 1, p.folds and folds or 1 do
    training[fold], test[fold] = ols.new(measures + 1), ols.new(measures + 1)
    for solver, is_training in pairs { [training[fold]] = true, [test[fold]] = false } do
      solver:add(columns_of(p, all), vector.of(p.response),
        weights_of(p, function(row) return not p.folds or (p.folds[row] ~= fold) == is_training end))
    end
  end
  return assert(subsets.splits(training, test, 1e-7))
end

--- The errors by subset, and the list of subsets.
local function errors_of(splits, most, needs)
  local errors, numbers = splits:errors(most or measures, needs)
  local by_subset, list = {}, {}
  for i = 1, #errors do by_subset[numbers[i] // 1 | 0], list[i] = errors[i], numbers[i] // 1 | 0 end
  luaunit.assertEquals(list[1], 0)
  return by_subset, list
end

--- Within 1e-11, of the greater of the value and 1: errors are those of responses about 1.
local function assert_near(found, expected, message)
  luaunit.assertTrue(math.abs(found - expected) <= 1e-11 * math.max(1, math.abs(expected)), ("%s: %.17g, %.17g"):format(message, found, expected))
end

--- The neighbours of a set have the errors of the sweep, in whatever order its measures are, unless some split has collinear
--- ones, of which the first are kept: then in their order, and with one more behind them.
local function compare_neighbours(rng, splits, subset, by_subset, is_collinear)
  local set = {}
  for i = 1, measures do
    if subset >> i - 1 & 1 == 1 then table.insert(set, is_collinear and #set + 1 or rng:integer(1, #set + 1), i) end
  end
  for _, is_removal in ipairs { false, true } do
    local errors = splits:neighbours(set, is_removal)
    assert_near(errors[measures + 1], by_subset[subset], "the set")
    for i = 1, measures do
      if (subset >> i - 1 & 1 == 1) ~= is_removal then
        luaunit.assertNaN(errors[i])
      elseif not is_collinear or is_removal or subset >> i - 1 == 0 then
        assert_near(errors[i], by_subset[subset ~ 1 << i - 1], "a neighbour")
      end
    end
  end
end

--- A kind of problem: 0 plain; 1 with collinear columns, one of them only but for its first rows; 2 with columns that are
--- constant where fold 3 is not; 3 with columns that nearly agree; 4 with offsets that dwarf what varies, and odd scales.
local function draw(rng, kind)
  local function uniform() return rng:real() - 0.5 end
  local p = { columns = {}, response = {}, weights = {}, folds = {} }
  for i = 1, measures do p.columns[i] = {} end
  local c = p.columns
  for row = 1, rows do
    p.folds[row] = kind % 2 == 1 and (row - 1) * folds // rows + 1 or rng:integer(1, folds)
    p.weights[row] = 0.01 + 3 * rng:real()
    for i = 1, measures do c[i][row] = uniform() end
    if kind == 1 then
      c[3][row] = c[1][row] - 3 * c[2][row]
      c[5][row] = row <= 3 and uniform() or c[3][row] + 0.1
    elseif kind == 2 then
      c[4][row] = p.folds[row] == 3 and uniform() or 0.3
      c[6][row] = c[4][row]
    elseif kind == 3 then
      c[4][row] = c[1][row] + 1e-3 * uniform()
    elseif kind == 4 then
      c[2][row], c[3][row], c[4][row] = c[2][row] + 1e4, c[3][row] * 1e-200, c[4][row] * 1e200
    end
    p.response[row] = 3 * c[1][row] - c[2][row] + uniform()
  end
  return p
end

local Subsets = {}

function Subsets.test_beside_fits_of_their_own()
  local rng = random.new(11)
  for round = 0, long.choose(14, 59) do
    local kind = round % 5
    local p, is_collinear = draw(rng, kind), kind == 1 or kind == 2
    p.weights, p.folds = round % 3 > 0 and p.weights or nil, round % 7 > 0 and p.folds or nil
    local splits <close> = splits_of(p)
    local errors = errors_of(splits)
    for subset = 0, all do assert_near(errors[subset], separate(p, subset), ("round %d, subset %d"):format(round, subset)) end
    for _, subset in ipairs { 0, all, rng:integer(0, all), rng:integer(0, all), rng:integer(0, all) } do
      compare_neighbours(rng, splits, subset, errors, is_collinear)
    end
  end
end

--- The response is columns 2 and 4: all subsets with both are without error, the pair is best.
function Subsets.test_exact()
  local p = draw(random.new(1), 0)
  for row = 1, rows do p.response[row] = 20 + 2 * p.columns[2][row] - 0.7 * p.columns[4][row] end
  local splits <close> = splits_of(p)
  local errors, numbers = splits:errors(measures)
  for i = 1, #errors do luaunit.assertEquals(errors[i] == 0, (numbers[i] // 1 | 0) & 10 == 10) end
  local function best(count, size)
    local list = {}
    for i, place in ipairs(subsets.best(errors, numbers, count, size)) do list[i] = numbers[place] // 1 | 0 end
    return list
  end
  luaunit.assertEquals(#best(100), all)
  luaunit.assertEquals(best(12), { 10, 11, 14, 26, 42, 15, 27, 43, 30, 46, 58, 31 })
  luaunit.assertEquals(best(3, 4), { 15, 27, 43 })
  luaunit.assertEquals(best(9, measures), { all })
end

--- Of at most 3 measures, 3 only with 1, 6 only with 1 and 2: those of all that are like that, with the same errors.
function Subsets.test_limits()
  local needs, splits <close> = { 0, 0, 1, 0, 0, 3 }, splits_of(draw(random.new(2), 0))
  local of_all, found, expected = errors_of(splits), {}, {}
  local by_subset, list = errors_of(splits, 3, needs)
  for subset = 0, all do
    local size = 0
    for i = 0, measures - 1 do size = size + (subset >> i & 1) end
    if size <= 3 and (subset & 4 == 0 or subset & 1 == 1) and (subset & 32 == 0 or subset & 3 == 3) then
      expected[subset] = of_all[subset]
    end
  end
  for _, subset in ipairs(list) do found[subset] = by_subset[subset] end
  luaunit.assertEquals(found, expected)
  luaunit.assertEquals(subsets.count(measures, 3, needs), #list)
end

--- Errors with many ties: each subset of the list stands before the next, and those left out would stand behind the last.
function Subsets.test_order()
  local rng, numbers = random.new(12), {}
  for subset = 0, all do numbers[subset + 1] = subset end
  for round = 1, 200 do
    local errors, order, count = { -1 }, {}, rng:integer(0, all)
    for subset = 1, all do errors[subset + 1], order[subset] = rng:integer(0, round - 1), subset end
    local function size(subset) return subset == 0 and 0 or (subset & 1) + size(subset >> 1) end
    table.sort(order, function(a, b)
      if errors[a + 1] ~= errors[b + 1] then return errors[a + 1] < errors[b + 1] end
      if size(a) ~= size(b) then return size(a) < size(b) end
      local differ = a ~ b
      return a & differ & -differ ~= 0
    end)
    local expected = {}
    for i = 1, count do expected[i] = order[i] + 1 end
    luaunit.assertEquals(subsets.best(vector.of(errors), vector.of(numbers), count), expected)
  end
end

--- One row in each of two folds, predicted by the other: y = 1 and 4, whatever the measure, is off by 3.
function Subsets.test_smallest()
  local solvers = {}
  for i, row in ipairs { { 2, 1 }, { 7, 4 } } do
    solvers[i] = ols.new(2)
    solvers[i]:add({ vector.of { 1 }, vector.of { row[1] } }, vector.of { row[2] })
  end
  local splits <close> = subsets.splits({ solvers[2], solvers[1] }, solvers, 1e-7)
  local errors = splits:errors(1)
  luaunit.assertEquals({ errors[1], errors[2], #errors }, { 9, 9, 2 })
end

return { Subsets = Subsets }
