--- Ablation studies: which of the subsets of the measures predicts best, and what the best is worth on levels kept for a test
--- (Biemer and Cooper, section 3.4).
local accuracy = require "crux.stats.accuracy"
local location = require "crux.stats.location"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local ols = require "crux.fit.ols"
local formula = require "crux.formula.formula"
local frequencies = require "crux.stats.frequencies"
local nice = require "crux.base.nice"
local number = require "crux.base.number"
local subsets = require "libcrux.subsets"
local vector = require "libcrux.vector"

local ablation = {}

--- The most measures of a study: it has 2^20 subsets then.
ablation.most = 20

--- A linear formula of measures whatever their names.
---@param target string
---@param measures string[]
---@return Formula
function ablation.formula(target, measures)
  return formula.parse(("`%s` ~ `%s`"):format(target, table.concat(measures, "` + `")))
end

--- Refuses a measure that is named twice, or that is the target.
---@param data Dataset
---@param target string
---@param measures string[]
function ablation.check_names(data, target, measures)
  local seen = { [target] = true }
  for _, measure in ipairs(measures) do
    if seen[measure] then
      fault.at(("%s: column '%s'"):format(data.name, measure), measure == target and "the target" or "the measure twice",
        "measures that differ")
    end
    seen[measure] = true
  end
end

--- The complete rows of a dataset for a study of these measures.
---@param data Dataset
---@param target string
---@param measures string[]
---@return Design
function ablation.design(data, target, measures)
  ablation.check_names(data, target, measures)
  if #measures == 0 or #measures > ablation.most then
    fault.at(data.name, number.count(#measures, "measure"), ("1 to %d: choose with --measures NAME,..."):format(ablation.most))
  end
  return design.new(data, { response = target, formula = ablation.formula(target, measures), who = "ablate" })
end

--- Whether the numbers of a column differ.
function ablation.is_varied(column)
  for row = 2, #column do
    if column[row] ~= column[1] then return true end
  end
  return false
end

--- Refuses columns that are the same in all rows: they tell nothing, or there is nothing to tell.
---@param frame table       of design:keep()
---@param names string[]    of the columns behind the intercept
---@param target string
function ablation.check_varied(frame, names, target, where)
  local columns = { [target] = frame.response }
  for i, name in ipairs(names) do columns[name] = frame.columns[i + 1] end
  for _, name in ipairs { target, table.unpack(names) } do
    if not ablation.is_varied(columns[name]) then
      fault.at(("%s: column '%s'"):format(where, name), ("%s in all rows"):format(fault.show(columns[name][1])),
        name == target and "a target that varies" or "a measure that varies: choose others with --measures NAME,...")
    end
  end
end

--- Draws the rows of the test part; the others are the training part.
---@param share number      of the rows, from 0 to below 1, rounded to a whole number of rows
---@return userdata train   numbers of rows in their order, as a vector; likewise
---@return userdata test
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

--- The cross-validated mean squared error of every subset, first that of the mean baseline.
---@param frame table         the training part
---@param folds userdata      of crossval.folds
---@param tolerance number?
---@return userdata errors
---@return userdata subsets   as numbers: libcrux.subsets
function ablation.errors(frame, folds, tolerance, where)
  local terms, sizes = #frame.columns, {}
  for _, fold in ipairs(folds) do sizes[fold] = (sizes[fold] or 0) + 1 end
  for fold, size in ipairs(sizes) do
    if #folds - size < terms then
      fault.at(("%s, all but fold %d"):format(where, fold), number.count(#folds - size, "complete row"),
        ("at least as many as a fit to all measures has terms, %d"):format(terms))
    end
  end
  local columns = { table.unpack(frame.columns, 2) }
  local splits <close> = fault.check(subsets.splits(columns, frame.response, nil, folds, tolerance or ols.tolerance))
  local errors, numbers = fault.check(splits:errors(#columns))
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
---@param numbers userdata
---@param measures string[]   all
---@param count integer
---@return Subset[]
function ablation.best(errors, numbers, measures, count)
  local rows = subsets.best(errors, numbers, count)
  for i, place in ipairs(rows) do
    local row, subset = { measures = {}, columns = {}, mse = errors[place] }, numbers[place] // 1 | 0
    for j, measure in ipairs(measures) do
      if subset >> (j - 1) & 1 == 1 then
        table.insert(row.measures, measure)
        table.insert(row.columns, j)
      end
    end
    row.terms = #row.measures + 1
    rows[i] = row
  end
  return rows
end

--- How large a part of the first subsets uses each measure.
---@param best Subset[]
---@param count integer
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

--- The errors of predictions: those of crux.accuracy, and their number n and mean square mse.
local function judge(predictions, frame)
  local errors = accuracy.of_predictions(predictions, frame.response)
  errors.n, errors.mse = frame.rows, errors.rmse * errors.rmse
  return errors
end

---@class Verdict
---@field weights table<string, number>   by measure and "(intercept)"; those of aliased measures are absent
---@field test table?           errors in the test part; nil, like the next two, when there is none
---@field baseline table?       those of the mean of the training part
---@field differences number[]? true minus predicted values

--- Fits a subset to the whole training part and predicts the test part.
---@param subset Subset
---@param train table           the parts, with the columns of all measures
---@param test table?
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

--- A row for every bin of the differences: its middle `error`, count, share, bar. One bin has its middle at 0.
---@param differences number[]
---@return table[]
function ablation.histogram(differences)
  local least, greatest = math.huge, -math.huge
  for _, difference in ipairs(differences) do
    least, greatest = math.min(least, difference), math.max(greatest, difference)
  end
  local width, bins = nice.width(least, greatest), {}
  for i, difference in ipairs(differences) do bins[i] = math.floor(difference / width + 0.5) end
  local rows = frequencies.rows(bins, "error")
  for _, row in ipairs(rows) do row.error = tonumber(("%.12g"):format(row.error * width)) end
  return rows
end

return ablation
