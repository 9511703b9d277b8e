--- Choice of terms: the subset of candidate terms that is best by a criterion, and the error of the whole procedure on rows
--- that it has not seen.
local accuracy = require "crux.stats.accuracy"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local penalised_type = require "libcrux.penalised"
local sizes = require "libcrux.sizes"
local subsets = require "crux.judge.subsets"
local sweep = require "libcrux.subsets"
local vector = require "libcrux.vector"

local selection = {}

---@class Space
---@field formula Formula         of all candidates
---@field names string[]          of the candidates, in the order of the formula's terms
---@field parents integer[][]     for each candidate the candidates that it requires: for a product its factors
---@field needs integer[]         the parents as subsets of libcrux.subsets, where there are few enough candidates
---@field dropped string[]        transforms and measures that are no candidates, and why

---@class Search
---@field by string               of selection.criteria
---@field method string           of selection.methods
---@field partition Partition    the folds
---@field max_terms integer?      beside the intercept
---@field keep integer            number of subsets that `best` and `lasso` list
---@field where string            names the data in messages
---@field tolerance number?

--- The transforms of a measure, in the order of candidates.
---@type { name: string, pattern: string, allows: fun(x: number): boolean, wants: string }[]
selection.transforms = {
  { name = "log", pattern = "log(`%s`)", allows = function(x) return x > 0 end, wants = "above 0" },
  { name = "sqrt", pattern = "sqrt(`%s`)", allows = function(x) return x >= 0 end, wants = "0 or above" },
  { name = "square", pattern = "I(`%s`^2)", allows = function() return true end, wants = "any" },
}

local function all_allowed(column, transform)
  for row = 1, #column do
    if not transform.allows(column[row]) then return false end
  end
  return true
end

--- The texts of the candidates in the order in which a formula has their terms, and the parents of each.
local function candidates(frame, measures, options, dropped)
  local texts, parents, plain = {}, {}, {}
  local function add(text, ...)
    table.insert(texts, text)
    table.insert(parents, { ... })
  end
  for i, measure in ipairs(measures) do
    local column = frame.columns[i + 1]
    if subsets.is_varied(column) then
      add(("`%s`"):format(measure))
      table.insert(plain, { measure, #texts })
      for _, transform in ipairs(selection.transforms) do
        if options.transforms[transform.name] and all_allowed(column, transform) then
          add(transform.pattern:format(measure))
        elseif options.transforms[transform.name] then
          table.insert(dropped, ("%s of %s, as not all values are %s"):format(transform.name, measure, transform.wants))
        end
      end
    else
      table.insert(dropped, ("%s, which is the same in all rows"):format(measure))
    end
  end
  for i = 1, options.interactions and #plain or 0 do
    for j = i + 1, #plain do add(("`%s`:`%s`"):format(plain[i][1], plain[j][1]), plain[i][2], plain[j][2]) end
  end
  return texts, parents
end

--- The candidates of measures, and the complete rows with their columns.
---@param measures string[]
---@param options { target: string, left: string, weights: string?, transforms: table<string, boolean>,
--- interactions: boolean? }   `left`: the left side of the formula: the target, as formulas write it, or a function of it
---@param keep fun(frames: Design): StoredFrame   keeps the rows, and may report those left out
---@return Space
---@return StoredFrame
function selection.space(data, measures, options, keep)
  subsets.check_names(data, options.target, measures)
  data:expect(measures, "select needs the measure")
  if #measures == 0 then fault.at(data.name, "no measure", "a column of numbers that is no target and no weights") end
  local function rows_of(texts)
    return design.new(data, { response = options.target, is_made = true, weights = options.weights,
      formula = subsets.formula(options.left, texts), who = "select", also = measures })
  end
  local frame = keep(rows_of(subsets.quoted(measures)))
  subsets.expect_varied(data.name, options.target, frame.response, "a target that varies")
  local space = { dropped = {}, names = {}, needs = {} }
  local texts, parents = candidates(frame, measures, options, space.dropped)
  if #texts == 0 then fault.at(data.name, "no measure that varies", "at least one: choose others with --measures NAME,...") end
  frame = #texts == #measures and frame or rows_of(texts):keep()
  space.formula, space.parents = frame.formula, parents
  for i, list in ipairs(parents) do
    space.names[i], space.needs[i] = frame.formula.terms[i + 1].name, 0
    for _, parent in ipairs(list) do space.needs[i] = space.needs[i] | 1 << (parent - 1) end
  end
  return space, frame
end

--- The formula of a set of candidates, and the places of its terms among the columns of a frame of all candidates.
---@param set integer[]
---@return Formula
---@return integer[]
function selection.model(space, set)
  local terms, places, names = { space.formula.terms[1] }, { 1 }, {}
  for i, candidate in ipairs(set) do
    terms[i + 1], places[i + 1], names[i] = space.formula.terms[candidate + 1], candidate + 1, space.names[candidate]
  end
  local right = #names > 0 and table.concat(names, " + ") or "1"
  return space.formula:with { terms = terms, text = ("%s ~ %s"):format(space.formula.left, right) }, places
end

---@class Criterion
---@field doc string
---@field in_folds boolean?      takes the errors of cross-validation; else those of the fit to all rows
---@field value fun(scale: table, mse: number, terms: integer): number   `terms` with the intercept; `scale`: the number of
---                              rows n, the sum of their weights, and the full model's variance

--- The criteria of a subset: the smaller, the better.
---@type table<string, Criterion>
selection.criteria = {
  cv = { doc = "mse", in_folds = true, value = function(_, mse) return mse end },
  aic = { doc = "aic", value = function(scale, mse, terms)
    return scale.n * math.log(scale.weight * mse / scale.n) + 2 * terms
  end },
  bic = { doc = "bic", value = function(scale, mse, terms)
    return scale.n * math.log(scale.weight * mse / scale.n) + math.log(scale.n) * terms
  end },
  mallows = { doc = "cp", needs_variance = true, value = function(scale, mse, terms)
    return scale.weight * mse / scale.variance - scale.n + 2 * terms
  end },
}

---@class Choice
---@field set integer[]        numbers of candidates, ascending
---@field value number         of the criterion
---@field change string?       the term that a step added or removed, or the penalty

---@class Selector              searches the best subset on some rows
local Selector = {}
Selector.__index = Selector

--- The residual variance of the fit of all candidates.
local function full_variance(frame, space, where)
  local count = #space.names + 1
  if frame.rows <= count then
    fault.at(where, number.count(frame.rows, "complete row"), ("more than the full model has terms, %d: --by mallows goes by "
      .. "its variance"):format(count))
  end
  local fitted = ols.fit { formula = space.formula, frames = frame, where = where }
  if fitted.perfect or fitted.sigma == 0 then
    fault.at(where, "a full model that leaves nothing over", "some variance for --by mallows")
  end
  return fitted.sigma ^ 2
end

---@param frame StoredFrame
local function selector(frame, space, search)
  local self = setmetatable({ space = space, frame = frame, search = search, n = frame.rows }, Selector)
  self.criterion = selection.criteria[search.by]
  self.weight = frame.weights and frame.weights:sum() or frame.rows
  local folds = self.criterion.in_folds and crossval.assignments(frame.rows, search.partition, search.where) or nil
  local training = folds and frame.rows - math.ceil(frame.rows / search.partition.folds) or frame.rows
  if training < 3 then
    fault.at(search.where, number.count(training, "row") .. " to fit to",
      "at least 3, one more than the smallest model has terms")
  end
  self.max_fitted = training - 2 -- terms beside the intercept, so that there is a row more than terms
  self.max_terms = math.min(search.max_terms or math.huge, #space.names, self.max_fitted)
  self.variance = self.criterion.needs_variance and full_variance(frame, space, search.where) or nil
  self.splits = subsets.splits(frame, folds, search.tolerance)
  return self
end

function Selector:value(mse, count)
  if mse ~= mse or mse == math.huge then fault.at(self.search.where, "numbers too large to square", "others") end
  return self.criterion.value(self, mse, count + 1)
end

--- The best choices, as many as the search keeps, best first; of equal ones those that came first.
function Selector:sorted(rows)
  return lists.copy(lists.sort(rows, function(row) return row.value end), self.search.keep)
end

--- Tries every subset. Returns the best ones, best first; of equal ones the smaller.
---@return Choice[]
---@return integer   place of the chosen one
function Selector:best()
  local count = #self.space.names
  if not sweep.count(count, self.max_terms, self.space.needs) then
    fault.at(self.search.where, ("more than %s subsets of %s"):format(number.count(sizes.subsets), number.count(count,
      "candidate term")), "as many or fewer: --method forward, --max-terms N or --measures NAME,...")
  end
  local errors, numbers = fault.check(self.splits:errors(self.max_terms, self.space.needs))
  local rows = { { set = {}, value = self:value(errors[1], 0) } }
  for size = 1, self.max_terms do
    for _, found in ipairs(subsets.best(errors, numbers, self.search.keep, size)) do
      table.insert(rows, { set = found.set, value = self:value(found.mse, size) })
    end
  end
  return self:sorted(rows), 1 -- smaller ones were first, each size best first
end

--- A copy of the set with a candidate added or removed.
local function changed(set, candidate, is_removal)
  local copy = lists.select(set, function(member) return not (is_removal and member == candidate) end)
  if not is_removal then table.insert(copy, candidate) end
  table.sort(copy)
  return copy
end

--- Tells whether every member has its parents in the set.
function Selector:is_allowed(set)
  for _, member in ipairs(set) do
    for _, parent in ipairs(self.space.parents[member]) do
      if not lists.contains(set, parent) then return false end
    end
  end
  return true
end

--- The best neighbour of a set, the first of equal ones; and the value of the set itself.
---@return Choice?
---@return number
function Selector:neighbour(set, is_removal)
  local errors, best = fault.check(self.splits:neighbours(set, is_removal)), nil
  local size = #set + (is_removal and -1 or 1)
  for candidate, name in ipairs(self.space.names) do
    if lists.contains(set, candidate) == is_removal then
      local value, next_set = self:value(errors[candidate], size), changed(set, candidate, is_removal)
      if (not best or value < best.value) and self:is_allowed(next_set) then
        best = { set = next_set, value = value, change = (is_removal and "- " or "+ ") .. name }
      end
    end
  end
  return best, self:value(errors[#errors], #set)
end

--- Begins with the intercept alone, and adds a term as long as that is better.
function Selector:forward()
  local rows = { { set = {} } }
  while true do
    local last = rows[#rows]
    local best, value = self:neighbour(last.set, false)
    last.value = value
    if not best or #last.set >= self.max_terms or best.value >= value then return rows, #rows end
    table.insert(rows, best)
  end
end

--- Begins with all candidates, and removes a term as long as that is no worse, or there are too many.
function Selector:backward()
  local set = {}
  for i = 1, #self.space.names do set[i] = i end
  if #set > self.max_fitted then
    fault.at(self.search.where, ("%s for %s to fit to"):format(number.count(#set, "candidate term"),
      number.count(self.max_fitted + 2, "row")), ("at most %d to begin with: --method forward begins without them"):format(
      self.max_fitted))
  end
  local rows = { { set = set } }
  while true do
    local last = rows[#rows]
    local best, value = self:neighbour(last.set, true)
    last.value = value
    if not best or #last.set <= self.max_terms and best.value > value then return rows, #rows end
    table.insert(rows, best)
  end
end

--- Tries the sets of terms along the lasso's path, with the factors of their products, each refitted by least squares. Returns
--- the best ones, best first; of equal ones that of the larger penalty.
function Selector:lasso()
  local solver <close> = ols.solver(self.frame, #self.frame.columns)
  local whole <close> = fault.check(penalised_type.new(solver, "centred"))
  local wide = self.n < #self.space.names
  local path = whole:is_flat() and { 0 } or whole:path(1, wide and 0.01 or 0.0001, 100) -- glmnet's
  local rows, seen = {}, {}
  for i = 1, #path do
    local slopes, chosen, set = not whole:is_flat() and whole:solve(1, path[i]) or nil, {}, {}
    for candidate, parents in ipairs(self.space.parents) do
      if slopes and slopes[candidate + 1] ~= 0 then
        chosen[candidate] = true
        for _, parent in ipairs(parents) do chosen[parent] = true end
      end
    end
    for candidate in ipairs(self.space.names) do
      if chosen[candidate] then table.insert(set, candidate) end
    end
    local key = table.concat(set, " ")
    if not seen[key] and #set <= self.max_terms then
      seen[key] = true
      local errors = fault.check(self.splits:neighbours(set))
      table.insert(rows, { set = set, value = self:value(errors[#errors], #set),
        change = "lambda = " .. number.rounder { path[i] } (path[i]) })
    end
  end
  return self:sorted(rows), 1
end

--- The methods of searching: methods of Selector.
selection.methods = { "best", "forward", "backward", "lasso" }

--- Chooses terms.
---@param frame StoredFrame   with the columns of all candidates
---@return Choice chosen
---@return Choice[] rows  the best subsets, or the steps
function selection.choose(frame, space, search)
  local searching = selector(frame, space, search)
  local _ <close> = searching.splits
  local rows, place = searching[search.method](searching)
  return rows[place], rows
end

---@class NestedErrors
---@field nested table            errors, as crux.accuracy has them, of levels predicted by terms chosen without their fold
---@field naive table             errors of the terms chosen from all levels, refitted in every fold
---@field baseline table
---@field spread table            standard deviations of `nested` over the repeats; empty if there is one
---@field by string               the measure of the difference
---@field difference Difference?  nested minus baseline; nil where a fold does not define the measure
---@field shares table<string, number>   of the choices that include a candidate

--- The evaluation of predictions of each fold by terms chosen and fitted without it.
local function nested_evaluation(frame, space, search, assigned, uses)
  local predictions, densities, inside, folds = {}, {}, {}, {}
  for row, fold in ipairs(assigned) do
    inside[fold] = inside[fold] or {}
    table.insert(inside[fold], row)
  end
  for fold, rows in ipairs(inside) do
    local train = frame:select(assigned:others(fold))
    local where = ("%s, all but fold %d"):format(search.where, fold)
    local chosen = selection.choose(train, space, setmetatable({ where = where, keep = 1 }, { __index = search }))
    local model, places = selection.model(space, chosen.set)
    local fitted = fits.default():solve { formula = model, frames = train:pick(places), where = where,
      tolerance = search.tolerance }
    local part = frame:select(vector.of(rows)):pick(places)
    local values = fitted.method:predict(fitted, part.columns, #rows)
    local logs = crossval.log_densities(fitted, part)
    for i, row in ipairs(rows) do predictions[row], densities[row] = values[i], logs[i] end
    folds[fold] = { n_train = frame.rows - #rows, n_test = #rows,
      errors = accuracy.of_predictions(values, part.target, part.weights, logs) }
    for _, candidate in ipairs(chosen.set) do uses[candidate] = (uses[candidate] or 0) + 1 end
  end
  local all = vector.of(predictions)
  return { n = frame.rows, folds = folds, sizes = vector.abs(all - frame.target),
    errors = accuracy.of_predictions(all, frame.target, frame.weights, vector.of(densities)) }
end

local draws = 1000 -- of the levels, for the interval, as crux compare's

--- The error of the whole procedure: terms are chosen anew without each fold of all repeats.
---@param frame StoredFrame
---@param chosen Choice    from all rows
---@param assignments userdata[]   the folds
---@return NestedErrors
function selection.nested(frame, space, chosen, search, assignments)
  local uses, repeats, options = {}, #assignments, { where = search.where, tolerance = search.tolerance, details = true,
    alone = true }
  local model, places = selection.model(space, chosen.set)
  local nested = crossval.repeated(nil, frame, assignments, options, function(_, _, assigned)
    return nested_evaluation(frame, space, search, assigned, uses)
  end)
  local by_mean, means = crossval.baseline(frame)
  local baseline = crossval.repeated(by_mean, means, assignments, options)
  local by = frame.weights and "weighted_mae" or "mae"
  local compared = comparison.new({ nested, baseline }, { by = by, weights = frame.weights, draws = draws,
    seed = search.partition.seed })
  local found = { shares = {}, spread = {}, nested = nested.errors, baseline = baseline.errors, by = by,
    naive = crossval.repeated(model, frame:pick(places), assignments, options).errors,
    difference = compared:differences_to(2)[1] }
  for key, mean in pairs(repeats > 1 and found.nested or {}) do
    local squares = 0
    for _, row in ipairs(nested.times) do squares = squares + row[key] * row[key] end
    found.spread[key] = math.sqrt(math.max(0, squares - repeats * mean ^ 2) / (repeats - 1))
  end
  for i, name in ipairs(space.names) do found.shares[name] = (uses[i] or 0) / (repeats * assignments[1]:count()) end
  return found
end

return selection
