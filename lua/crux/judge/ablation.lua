--- Ablation studies: the subset of the measures that predicts best, and its errors on levels kept for a test
--- (Biemer and Cooper, section 3.4).
local accuracy = require "crux.stats.accuracy"
local location = require "crux.stats.location"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local ols = require "crux.fit.ols"
local frequencies = require "crux.stats.frequencies"
local nice = require "crux.base.nice"
local number = require "crux.base.number"
local column_kinds = require "crux.formula.column_kinds"
local subsets = require "crux.judge.subsets"
local vector = require "libcrux.vector"

local ablation = {}

--- Measures of a study: 20 have 2^20 subsets. Subsets that a study keeps at least, if there are as many: all of 12 measures.
local MAX_MEASURES <const>, MIN_KEPT <const> = 20, 4095

--- The linear formula of measures.
---@param measures string[]
function ablation.formula(target, measures)
  return subsets.formula(subsets.quoted({ target })[1], subsets.quoted(measures))
end

--- The complete rows of a dataset for a study of these measures.
---@param measures string[]
---@return Design
function ablation.design(data, target, measures)
  subsets.check_names(data, target, measures)
  if #measures == 0 or #measures > MAX_MEASURES then
    fault.at(data.name, number.count(#measures, "measure"), ("1 to %d: choose with --measures NAME,..."):format(MAX_MEASURES))
  end
  return design.new(data, { response = target, formula = ablation.formula(target, measures),
    is_made = true, who = "ablate" })
end

--- Draws the rows of the test part at random; the others are the training part.
---@param share number      of the rows, from 0 to below 1, rounded to a whole number of rows
---@return userdata train   vector of the numbers of rows, ascending
---@return userdata test    likewise
function ablation.split(n, share, seed, where)
  local count = math.floor(n * share + 0.5)
  if share > 0 and (count == 0 or count == n) then
    fault.at(where, ("no row for the %s part (a test share of %s of %s)"):format(count == 0 and "test" or "training",
      number.exact(share), number.count(n, "complete row")), "at least one")
  end
  local drawn, parts = {}, { {}, {} }
  for i, row in ipairs(crossval.shuffled(n, seed)) do drawn[row] = i <= count end
  for row = 1, n do table.insert(parts[drawn[row] and 2 or 1], row) end
  return vector.of(parts[1]), vector.of(parts[2])
end

--- The cross-validated mean squared error of every subset; the first is that of the mean baseline.
---@param frame table         the training part
---@param assignments userdata[]   of crossval.assignments
---@param tolerance number?
---@return userdata errors
---@return userdata subsets   as numbers: libcrux.subsets
function ablation.errors(frame, assignments, tolerance, where)
  local terms, folds = #frame.columns, assignments[1] -- the sizes of the folds are the same in all
  for fold = 1, folds:count() do
    local others = #folds - #folds:rows(fold)
    if others < terms then
      fault.at(("%s, all but fold %d"):format(where, fold), number.count(others, "complete row"),
        ("at least as many as a fit to all measures has terms, %d"):format(terms))
    end
  end
  local splits <close> = subsets.splits(frame, assignments, tolerance)
  local errors, numbers = fault.check(splits:errors(terms - 1))
  if errors:first_nonfinite() then fault.at(where, "numbers too large to square", "others") end
  return errors, numbers
end

---@class Subset
---@field measures string[]
---@field columns integer[]   places of the measures among all
---@field terms integer       with the intercept
---@field mse number

--- The best subsets, best first; of equal ones the smaller first.
---@param errors userdata     of ablation.errors, like the next
---@param measures string[]   all
---@param count integer       at most
function ablation.best(errors, numbers, measures, count)
  local rows = subsets.best(errors, numbers, count)
  for i, found in ipairs(rows) do
    local names = {}
    for j, column in ipairs(found.set) do names[j] = measures[column] end
    rows[i] = { measures = names, columns = found.set, terms = #names + 1, mse = found.mse }
  end
  return rows
end

--- The share of the first subsets that use each measure.
---@param best Subset[]
---@return table<string, number>
function ablation.shares(best, measures, count)
  count = math.min(count, #best)
  local shares = {}
  for _, measure in ipairs(measures) do shares[measure] = 0 end
  for i = 1, count do
    for _, measure in ipairs(best[i].measures) do shares[measure] = shares[measure] + 1 end
  end
  for measure, uses in pairs(shares) do shares[measure] = uses / count end
  return shares
end

--- The subset of these measures of a study.
---@param measures string[]
function ablation.subset(study, measures)
  local subset, place = { measures = measures, columns = {}, terms = #measures + 1 }, {}
  for i, measure in ipairs(study.measures) do place[measure] = i end
  for i, measure in ipairs(measures) do
    subset.columns[i] = place[measure] or fault.unknown(study.data.name, "measure", measure, study.measures)
  end
  return subset
end

--- The errors of predictions that crux.accuracy defines, their number n, and the mean squared error mse.
local function judge(predictions, frame)
  local errors = accuracy.of_predictions(predictions, frame.response)
  errors.n, errors.mse = frame.rows, errors.rmse * errors.rmse
  return errors
end

---@class Verdict
---@field weights table<string, number>   by measure and "(intercept)"; aliased measures are absent
---@field test table?           errors in the test part; nil, like the next two, without a test part
---@field baseline table?       errors of the mean of the training part
---@field differences number[]? true minus predicted values

--- Fits a subset to the whole training part and predicts the test part.
---@param train StoredFrame     with the columns of all measures
---@param test StoredFrame?
---@param options { target: string, tolerance: number?, where: string }
---@return Verdict
function ablation.judge(subset, train, test, options)
  local model, places = ablation.formula(options.target, subset.measures), { 1 }
  for i, column in ipairs(subset.columns) do places[i + 1] = column + 1 end
  local fitted = ols.fit { formula = model, frames = train:pick(places), where = options.where, tolerance = options.tolerance }
  local verdict = { weights = {} }
  for i, term in ipairs(model.terms) do
    verdict.weights[subset.measures[i - 1] or "(intercept)"] = fitted.coefficients[term.name]
  end
  if not test then return verdict end
  local mean, differences = location.mean(), {}
  for row = 1, train.rows do mean:add(train.response[row]) end
  local predictions = model:combine(test:pick(places).columns, fitted.coefficients, test.rows)
  verdict.test, verdict.baseline = judge(predictions, test), judge(vector.fill(test.rows, mean:value()), test)
  for row = 1, test.rows do differences[row] = test.response[row] - predictions[row] end
  verdict.differences = differences
  return verdict
end

--- A histogram of differences: for each bin its middle `error`, count, share and bar. One bin has its middle at 0.
---@param differences number[]
function ablation.histogram(differences)
  local values = vector.of(differences)
  local width = nice.width(values:range())
  local rows = frequencies.rows(vector.floor(values / width + 0.5), "error")
  for _, row in ipairs(rows) do row.error = tonumber(("%.12g"):format(row.error * width)) end
  return rows
end

---@class AblationStudy
---@field data Dataset
---@field target string
---@field measures string[]
---@field n integer            complete rows
---@field folds string         in words
---@field repeats integer
---@field train StoredFrame    the rows of the training part: columns, the intercept's first, and response
---@field test StoredFrame?    those of the test part
---@field subsets Subset[]     the best, best first
---@field shares table<string, number>   of the first `top` subsets that use a measure
---@field baseline number      cross-validated mean squared error of the mean
---@field verdict Verdict      of the best subset

---@class StudyOptions
---@field target string
---@field measures string[]?   all columns that may be measures unless given
---@field folds integer
---@field repeats integer?    as of a Partition
---@field folds_by string?     likewise
---@field test_share number    share of the rows in the test part, drawn by the seed
---@field seed integer
---@field top integer          number of the best subsets that count in the shares
---@field tolerance number?
---@field journal Journal?
---@field pass Pass?

--- Ranks the subsets of the measures, and tests the best on the test part.
---@param options StudyOptions
---@return AblationStudy
function ablation.study(data, options)
  local target, tolerance = options.target, options.tolerance
  data:expect({ target }, "ablate needs the target")
  local measures = options.measures or column_kinds.measures(data, { target })
  local frames = ablation.design(data, target, measures)
  local all = (options.pass or design.pass)(frames, frames.keep, frames)
  subsets.expect_varied(data.name, target, all.response, "a target that varies")
  for i, measure in ipairs(measures) do
    subsets.expect_varied(data.name, measure, all.columns[i + 1],
      "a measure that varies: choose others with --measures NAME,...")
  end
  local train_rows, test_rows = ablation.split(all.rows, options.test_share, options.seed, data.name)
  local train, test = all:select(train_rows), #test_rows > 0 and all:select(test_rows) or nil
  local where = data.name .. (test and ", training part" or "")
  local folds = crossval.assignments(train.rows, { folds = options.folds, repeats = options.repeats, by = options.folds_by,
    seed = options.seed }, where)
  local function rank()
    local mse, numbers = ablation.errors(train, folds, tolerance, where)
    return { subsets = ablation.best(mse, numbers, measures, math.max(options.top, MIN_KEPT)), baseline = mse[1] }
  end
  local found = options.journal and options.journal:result("study", rank) or rank()
  return { data = data, target = target, measures = measures, n = all.rows, folds = crossval.folds_text(folds),
    repeats = #folds, train = train, test = test, baseline = found.baseline, subsets = found.subsets,
    shares = ablation.shares(found.subsets, measures, options.top),
    verdict = ablation.judge(found.subsets[1], train, test, { target = target, tolerance = tolerance, where = where }) }
end

return ablation
