--- Choice of terms: the subset of candidates that predicts best by a criterion, and what the whole procedure is worth on rows
--- that had no part in it.
local ablation = require "crux.judge.ablation"
local accuracy = require "crux.stats.accuracy"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local penalised_type = require "libcrux.penalised"
local subsets = require "libcrux.subsets"
local vector = require "libcrux.vector"

local selection = {}

---@class Space
---@field formula Formula         of all candidates
---@field names string[]          theirs, in the order of its terms
---@field parents integer[][]     of each candidate those without which it may not stand: of a product its factors
---@field needs integer[]         the same as subsets of libcrux.subsets, where there are few enough candidates
---@field dropped string[]        what was no candidate, and why

---@class Search
---@field by string               of selection.criteria
---@field method string           of selection.methods
---@field folds integer
---@field seed integer?           shuffles the folds
---@field most integer?           terms beside the intercept
---@field keep integer            how many subsets `best` and `lasso` list
---@field where string            names the data in messages
---@field tolerance number?

--- What may be done to a measure, in the order of candidates.
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

local function formula_of(target, texts) return formula.parse(("`%s` ~ %s"):format(target, table.concat(texts, " + "))) end

--- The texts of the candidates in the order in which a formula has their terms, and the parents of each.
local function candidates(frame, measures, options, dropped)
  local texts, parents, plain = {}, {}, {}
  local function add(text, ...)
    table.insert(texts, text)
    table.insert(parents, { ... })
  end
  for i, measure in ipairs(measures) do
    local column = frame.columns[i + 1]
    if ablation.is_varied(column) then
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

--- The candidates that measures make, and the complete rows with their columns.
---@param data Dataset
---@param measures string[]
---@param options { target: string, weights: string?, transforms: table<string, boolean>, interactions: boolean? }
---@param telling fun(frames: Design): Kept   keeps rows, and says what was left out
---@return Space
---@return Kept
function selection.space(data, measures, options, telling)
  ablation.check_names(data, options.target, measures)
  data:expect(measures, "select needs the measure")
  if #measures == 0 then fault.at(data.name, "no measure", "a column of numbers that is no target and no weights") end
  local function rows_of(texts)
    return design.new(data, { response = options.target, weights = options.weights,
      formula = formula_of(options.target, texts), who = "select", also = measures })
  end
  local quoted, self = {}, { dropped = {}, names = {}, needs = {} }
  for i, measure in ipairs(measures) do quoted[i] = ("`%s`"):format(measure) end
  local frame = telling(rows_of(quoted))
  ablation.check_varied(frame, {}, options.target, data.name)
  local texts, parents = candidates(frame, measures, options, self.dropped)
  if #texts == 0 then fault.at(data.name, "no measure that varies", "at least one: choose others with --measures NAME,...") end
  frame = #texts == #measures and frame or rows_of(texts):keep()
  self.formula, self.parents = frame.formula, parents
  for i, list in ipairs(parents) do
    self.names[i], self.needs[i] = frame.formula.terms[i + 1].name, 0
    for _, parent in ipairs(list) do self.needs[i] = self.needs[i] | 1 << (parent - 1) end
  end
  return self, frame
end

--- The formula of some candidates, and the places of its terms among the columns of a frame of all.
---@param space Space
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
---@field in_folds boolean?      errors are those of cross-validation; else those of the fit to all rows
---@field value fun(scale: table, mse: number, terms: integer): number   `terms` with the intercept; `scale`: rows n, their
---                              weight, and the full model's variance

--- What makes a subset good: the smaller, the better.
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
---@field change string?       what a step did

---@class Selector              looks for the best subset on some rows
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

---@param frame Kept
---@param space Space
---@param search Search
local function selector(frame, space, search)
  local self = setmetatable({ space = space, frame = frame, search = search, n = frame.rows }, Selector)
  self.criterion = selection.criteria[search.by]
  self.weight = frame.weights and frame.weights:sum() or frame.rows
  local folds = self.criterion.in_folds and crossval.folds(frame.rows, search.folds, search.seed, search.where) or nil
  local training = folds and frame.rows - math.ceil(frame.rows / search.folds) or frame.rows
  if training < 3 then
    fault.at(search.where, number.count(training, "row") .. " to fit to",
      "at least 3, one more than the smallest model has terms")
  end
  self.room = training - 2 -- one row more than terms
  self.most = math.min(search.most or math.huge, #space.names, self.room)
  self.variance = self.criterion.needs_variance and full_variance(frame, space, search.where) or nil
  self.splits = fault.check(subsets.splits({ table.unpack(frame.columns, 2) }, frame.response, frame.weights, folds,
    search.tolerance or ols.tolerance))
  return self
end

function Selector:value(mse, count)
  if mse ~= mse or mse == math.huge then fault.at(self.search.where, "numbers too large to square", "others") end
  return self.criterion.value(self, mse, count + 1)
end

--- The set of a subset as libcrux.subsets numbers it.
local function set_of(subset, count)
  local set = {}
  for i = 1, count do
    if (subset // 1 | 0) >> (i - 1) & 1 == 1 then table.insert(set, i) end
  end
  return set
end

--- As many choices as are to be listed, best first; of equal ones those that came first.
function Selector:sorted(rows)
  local order = {}
  for i, row in ipairs(rows) do order[row] = i end
  table.sort(rows, function(a, b)
    if a.value ~= b.value then return a.value < b.value end
    return order[a] < order[b]
  end)
  return table.move(rows, 1, math.min(#rows, self.search.keep), 1, {})
end

--- Every subset: the best ones, best first; of equal ones the smaller.
---@return Choice[]
---@return integer   place of the chosen one
function Selector:best()
  local count = #self.space.names
  if not subsets.count(count, self.most, self.space.needs) then
    fault.at(self.search.where, ("more than %s subsets of %s"):format(number.count(subsets.most), number.count(count,
      "candidate term")), "as many or fewer: --method forward, --max-terms N or --measures NAME,...")
  end
  local errors, numbers = fault.check(self.splits:errors(self.most, self.space.needs))
  local rows = { { set = {}, value = self:value(errors[1], 0) } }
  for size = 1, self.most do
    for _, place in ipairs(subsets.best(errors, numbers, self.search.keep, size)) do
      table.insert(rows, { set = set_of(numbers[place], count), value = self:value(errors[place], size) })
    end
  end
  return self:sorted(rows), 1 -- smaller ones were first, each size best first
end

local function contains(set, wanted)
  for _, member in ipairs(set) do
    if member == wanted then return true end
  end
  return false
end

--- The set with a candidate more, or without it.
local function changed(set, candidate, is_removal)
  local copy = {}
  for _, member in ipairs(set) do
    if not (is_removal and member == candidate) then table.insert(copy, member) end
  end
  if not is_removal then table.insert(copy, candidate) end
  table.sort(copy)
  return copy
end

--- Whether every member has its parents in the set.
function Selector:is_allowed(set)
  for _, member in ipairs(set) do
    for _, parent in ipairs(self.space.parents[member]) do
      if not contains(set, parent) then return false end
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
    if contains(set, candidate) == is_removal then
      local value, next_set = self:value(errors[candidate], size), changed(set, candidate, is_removal)
      if (not best or value < best.value) and self:is_allowed(next_set) then
        best = { set = next_set, value = value, change = (is_removal and "- " or "+ ") .. name }
      end
    end
  end
  return best, self:value(errors[#errors], #set)
end

--- From the intercept alone, one term more as long as that is better.
function Selector:forward()
  local rows = { { set = {} } }
  while true do
    local last = rows[#rows]
    local best, value = self:neighbour(last.set, false)
    last.value = value
    if not best or #last.set >= self.most or best.value >= value then return rows, #rows end
    table.insert(rows, best)
  end
end

--- From all candidates, one term less as long as that is no worse, or there are too many.
function Selector:backward()
  local set = {}
  for i = 1, #self.space.names do set[i] = i end
  if #set > self.room then
    fault.at(self.search.where, ("%s for %s to fit to"):format(number.count(#set, "candidate term"),
      number.count(self.room + 2, "row")), ("at most %d to begin with: --method forward goes without"):format(self.room))
  end
  local rows = { { set = set } }
  while true do
    local last = rows[#rows]
    local best, value = self:neighbour(last.set, true)
    last.value = value
    if not best or #last.set <= self.most and best.value > value then return rows, #rows end
    table.insert(rows, best)
  end
end

--- The sets of terms along the lasso's path, with the factors of their products, each fitted anew by least squares: the best
--- ones, best first; of equal ones that of the larger penalty.
function Selector:lasso()
  local sums <close> = ols.sums(self.frame, #self.frame.columns)
  local whole <close> = fault.check(penalised_type.new(sums, "centred"))
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
    if not seen[key] and #set <= self.most then
      seen[key] = true
      local errors = fault.check(self.splits:neighbours(set))
      table.insert(rows, { set = set, value = self:value(errors[#errors], #set),
        change = "lambda = " .. number.rounder { path[i] } (path[i]) })
    end
  end
  return self:sorted(rows), 1
end

--- The ways to look for it.
selection.methods = { "best", "forward", "backward", "lasso" }

--- Chooses terms.
---@param frame Kept      with the columns of all candidates
---@param space Space
---@param search Search
---@return Choice chosen
---@return Choice[] rows  the best subsets, or the steps
function selection.choose(frame, space, search)
  local self = selector(frame, space, search)
  local _ <close> = self.splits
  local rows, place = self[search.method](self)
  return rows[place], rows
end

---@class Honest
---@field nested table            errors, as crux.accuracy has them, of levels predicted by terms chosen without their fold
---@field naive table             the same of the terms chosen from all levels, refitted in every fold
---@field baseline table
---@field spread table            standard deviations of `nested` among the repeats; empty if there is one
---@field shares table<string, number>   of the choices that have a candidate

--- Adds to sums by key.
local function add(sums, values)
  for key, value in pairs(values) do sums[key] = (sums[key] or 0) + value end
end

--- The predictions of each fold by terms chosen and fitted without it.
local function nested_predictions(frame, space, search, assigned, uses)
  local predictions, inside = {}, {}
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
    local values = fits.predict(fitted, frame:select(vector.of(rows)):pick(places).columns, #rows)
    for i, row in ipairs(rows) do predictions[row] = values[i] end
    for _, candidate in ipairs(chosen.set) do uses[candidate] = (uses[candidate] or 0) + 1 end
  end
  return vector.of(predictions)
end

--- The error of the whole procedure: terms are chosen anew without each fold, `repeats` times with other folds.
---@param frame Kept
---@param space Space
---@param chosen Choice    from all rows
---@param search Search
---@param repeats integer
---@return Honest
function selection.honest(frame, space, chosen, search, repeats)
  local sums, uses, squares = { nested = {}, naive = {}, baseline = {} }, {}, {}
  local model, places = selection.model(space, chosen.set)
  for round = 1, repeats do
    local seed = search.seed and search.seed + round - 1
    local assigned = crossval.folds(frame.rows, search.folds, seed, search.where)
    local own = setmetatable({ seed = seed }, { __index = search })
    local errors = accuracy.of_predictions(nested_predictions(frame, space, own, assigned, uses), frame.target, frame.weights)
    local naive = crossval.evaluate(model, frame:pick(places), assigned, { where = search.where, tolerance = search.tolerance })
    add(sums.nested, errors)
    add(sums.naive, naive.errors)
    add(sums.baseline, naive.baseline)
    for key, value in pairs(errors) do squares[key] = (squares[key] or 0) + value * value end
  end
  local self = { shares = {}, spread = {} }
  for name, errors in pairs(sums) do
    self[name] = {}
    for key, sum in pairs(errors) do self[name][key] = sum / repeats end
  end
  for key, sum in pairs(repeats > 1 and squares or {}) do
    self.spread[key] = math.sqrt(math.max(0, sum - repeats * self.nested[key] ^ 2) / (repeats - 1))
  end
  for i, name in ipairs(space.names) do self.shares[name] = (uses[i] or 0) / (repeats * search.folds) end
  return self
end

return selection
