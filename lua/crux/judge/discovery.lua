--- Search for a formula: of every size the sum of expressions that fits best, one of them chosen in cross-validation, and the
--- errors of all on rows that they have not seen: in every outer fold formulas are searched, and one is chosen, without it.
local accuracy = require "crux.stats.accuracy"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local selection = require "crux.judge.selection"
local subsets = require "crux.judge.subsets"
local vector = require "libcrux.vector"

local discovery = {}

---@class Discovery              a search
---@field frame StoredFrame      its columns are those of the space
---@field space Space            of crux.judge.selection: the measures
---@field list userdata          of libcrux.expressions, of the measures
---@field logs userdata?         logarithms of the target, if all are defined
---@field threads integer
---@field seed integer
---@field where string
---@field tolerance number?
---@field advance fun()          called after each choice
local Discovery = {}
Discovery.__index = Discovery

---@class FormulaCandidate              fitted to some rows
---@field key string             of the same candidate for other rows: mean, lasso, select, sum 5, log 6
---@field rank integer           the smaller, the simpler: 0 of the mean, 1 of lasso and select, of others nodes + 1
---@field nodes integer          of the formula, with one for the logarithm of the target
---@field predictions userdata   of all rows
---@field sum integer[]?         the expressions that are added up
---@field is_log boolean?        they explain the logarithm of the target
---@field fitted Fitted?         of lasso and select

local inner_folds, inner_repeats = 10, 2 -- of the cross-validation that chooses
local most_subsets = 12 -- measures of which `select` tries all subsets; of more it takes steps forward

--- The weights of some rows, 0 for the others.
local function weights_of(frame, rows)
  local list = {}
  for row = 1, frame.rows do list[row] = 0 end
  for i = 1, #rows do
    local row = rows[i] // 1 | 0
    list[row] = frame.weights and frame.weights[row] or 1
  end
  return vector.of(list)
end

--- Adds the competitors that are linear in the measures: lasso, and the subset that select chooses.
function Discovery:add_linear(rows, add)
  local part, space = self.frame:select(rows), self.space
  if not subsets.is_varied(part.response) then return end
  local function fit(key, method, model, places)
    local fitted = method:solve { formula = model, frames = part:pick(places), where = self.where, tolerance = self.tolerance,
      unconverged = true }
    local terms = lists.select(fitted.terms, function(term)
      return term.term ~= "(intercept)" and (term.estimate or 0) ~= 0
    end)
    add { key = key, rank = 1, nodes = math.max(0, 2 * #terms - 1), fitted = fitted,
      predictions = fitted.method:predict(fitted, self.frame:pick(places).columns, self.frame.rows) }
  end
  local every = {}
  for i = 1, #self.frame.columns do every[i] = i end
  fit("lasso", fits.parse("lasso(seed = 1)", "lasso")[1], space.formula, every)
  local chosen = selection.choose(part, space, { by = "cv", method = #space.names <= most_subsets and "best" or "forward",
    keep = 1, partition = { folds = math.min(inner_folds, #rows), repeats = 1, seed = self.seed }, where = self.where,
    tolerance = self.tolerance })
  fit("select", fits.default(), selection.model(space, chosen.set))
end

--- The candidates, by key, fitted to each of several lists of rows.
---@return table<string, FormulaCandidate>[]
function Discovery:candidates(parts)
  local frame, problems, responses = self.frame, {}, { self.frame.response, self.logs }
  for _, rows in ipairs(parts) do
    local weights = weights_of(frame, rows)
    for _, response in ipairs(responses) do table.insert(problems, { weights = weights, response = response }) end
  end
  local found = fault.check(self.list:search(problems, self.threads))
  return lists.map(parts, function(rows)
    local by_key = {}
    local function add(candidate) by_key[candidate.key] = candidate end
    add { key = "mean", rank = 0, nodes = 0, predictions = vector.fill(frame.rows, frame:select(rows):mean()) }
    for kind in ipairs(responses) do
      for size, sum in ipairs(table.remove(found, 1)) do
        local is_log, nodes = kind == 2, size + kind - 1
        if sum then
          add { key = ("%s %d"):format(is_log and "log" or "sum", nodes), rank = nodes + 1, nodes = nodes, sum = sum,
            is_log = is_log, predictions = is_log and vector.exp(sum.predictions) or sum.predictions }
        end
      end
    end
    self:add_linear(rows, add)
    return by_key
  end)
end

--- The mean absolute error of a candidate in some rows, weighted.
function Discovery:error(candidate, rows, weights)
  local errors = vector.abs(candidate.predictions - self.frame.target) * self.weights
  return errors:gather(rows):sum() / weights
end

local confident = 1.96 -- standard errors, the 97.5 % quantile of the normal distribution
local slight = 0.01 -- a gain of this share of the mean's error is none

--- The first candidate, the simplest first, whose error is within a standard error of the least one (L. Breiman and others,
--- Classification and Regression Trees, 1984, section 3.4.3), of their differences in the folds. Lasso and select, which are
--- not the best of thousands, stay unless the least error is smaller by a standard error that takes into account that folds
--- share rows (comparison.error), the mean unless the 95 % interval of the difference leaves out 0.
---@param whole table<string, FormulaCandidate>   fitted to all rows
---@param errors table<string, number[]>   by key, for each fold
---@param means table<string, number>
---@param folds table[]                    n_test and n_train of each
local function simplest(whole, errors, means, folds)
  local keys = lists.keys(errors)
  lists.sort(keys, function(key) return whole[key].rank end, function(key) return means[key] end)
  local best = "mean"
  for _, key in ipairs(keys) do
    if means[key] < means[best] then best = key end
  end
  local apart = lists.map(folds, function() return { n_test = 0, n_train = 1 } end)
  for _, key in ipairs(keys) do
    local differences = {}
    for i, error in ipairs(errors[key]) do differences[i] = error - errors[best][i] end
    local std_error = comparison.error(differences, whole[key].rank <= 1 and folds or apart) or 0
    local limit = key == "mean" and confident * std_error or math.max(std_error, slight * means.mean)
    if means[key] - means[best] <= limit then return key end
  end
end

--- The candidates for some rows, and the key of the one that cross-validation within them chooses.
---@param stream integer   another one gives other folds
---@return table<string, FormulaCandidate>
---@return string
---@return table<string, number>   by key: the mean error in that cross-validation
function Discovery:choose(rows, stream)
  local parts, tests, folds = { rows }, {}, {}
  local count = math.min(inner_folds, #rows)
  for time = 1, inner_repeats do
    local assigned = crossval.folds(#rows, count, self.seed, self.where, stream * inner_repeats + time)
    for fold = 1, count do
      local test = rows:gather(assigned:rows(fold))
      table.insert(parts, rows:gather(assigned:others(fold)))
      table.insert(tests, { rows = test, weights = self.weights:gather(test):sum() })
      table.insert(folds, { n_test = #test, n_train = #rows - #test })
    end
  end
  local all = self:candidates(parts)
  local whole, errors, means = table.remove(all, 1), {}, {}
  for key in pairs(whole) do
    local list, sum = {}, 0
    for i, by_key in ipairs(all) do
      list[i] = by_key[key] and self:error(by_key[key], tests[i].rows, tests[i].weights) or 0 / 0
      sum = sum + list[i]
    end
    if number.is_finite(sum) then errors[key], means[key] = list, sum / #list end
  end
  self.advance()
  return whole, simplest(whole, errors, means, folds), means
end

--- Keeps the predictions of candidates for the rows of an outer fold, in lists by key.
local function note(predictions, key, candidate, rows)
  predictions[key] = predictions[key] or {}
  for i = 1, #rows do
    local row = rows[i] // 1 | 0
    predictions[key][row] = candidate.predictions[row]
  end
end

--- The Evaluation of predictions in the folds of an assignment that are done.
---@return Evaluation?   nil unless all are finite numbers
function Discovery:evaluation(predictions, assigned, done)
  local frame, list, sizes, folds = self.frame, {}, {}, {}
  local function errors(rows)
    return accuracy.of_predictions(vector.of(list):gather(rows), frame.target:gather(rows),
      frame.weights and frame.weights:gather(rows))
  end
  for row = 1, frame.rows do
    list[row], sizes[row] = predictions[row] or 0, predictions[row] and math.abs(predictions[row] - frame.target[row]) or 0
    if not number.is_finite(list[row]) then return nil end
  end
  local known = {}
  for fold = 1, done do
    local rows = assigned:rows(fold)
    for i = 1, #rows do
      if not predictions[rows[i] // 1 | 0] then return nil end
      table.insert(known, rows[i])
    end
    folds[fold] = { fold = fold, n_test = #rows, n_train = frame.rows - #rows, errors = errors(rows) }
  end
  return { n = #known, folds = folds, sizes = vector.of(sizes), errors = errors(vector.of(known)) }
end

---@class Nested
---@field evaluations table<string, Evaluation>   by key, "chosen" for the whole procedure
---@field choices { whole: table<string, FormulaCandidate>, key: string }[]   of every outer fold
---@field is_whole boolean    false where it was interrupted

--- Chooses without each outer fold, and evaluates the choices and all candidates in it.
---@param is_stopped fun(problem: any): boolean   true for the error of an interruption, after which what is done is returned
---@return Nested
function Discovery:nested(assignments, is_stopped)
  local times, choices, is_whole = {}, {}, true
  for time, assigned in ipairs(assignments) do
    local predictions, done = {}, 0
    local ok, problem = pcall(function()
      for fold = 1, assigned:count() do
        local test = assigned:rows(fold)
        local whole, key = self:choose(assigned:others(fold), time * assigned:count() + fold)
        for name, candidate in pairs(whole) do note(predictions, name, candidate, test) end
        note(predictions, "chosen", whole[key], test)
        table.insert(choices, { whole = whole, key = key })
        done = fold
      end
    end)
    if not ok and not is_stopped(problem) then error(problem, 0) end
    is_whole = ok
    if ok or time == 1 and done > 1 then
      times[time] = {}
      for key, list in pairs(predictions) do times[time][key] = self:evaluation(list, assigned, done) end
    end
    if not ok then break end
  end
  local evaluations = {}
  for key in pairs(times[1] or {}) do
    local whole = lists.select(lists.map(times, function(by_key) return by_key[key] or false end), function(one) return one end)
    local place = 0
    evaluations[key] = #whole == #times and crossval.repeated(nil, self.frame, whole, {}, function()
      place = place + 1
      return whole[place]
    end) or nil
  end
  return { evaluations = evaluations, choices = choices, is_whole = is_whole }
end

--- Tells whether two candidates are the same formula, or equal ones: predictions that differ by a slight share of the mean's
--- error, as those of log(a/b) + log(c) and log(a) + log(b/c) where the law is a/b*c.
function Discovery:is_same(one, other)
  if one.is_log == other.is_log and one.sum and other.sum and table.concat(one.sum, " ") == table.concat(other.sum, " ")
    or not one.sum and one.key == other.key then
    return true
  end
  local function size(values) return (vector.abs(values) * self.weights):sum() end
  return one.sum and other.sum and size(one.predictions - other.predictions)
    <= slight * size(self.frame.target - self.frame:mean()) or false
end

--- Begins a search.
---@param options table   the fields of Discovery, but weights and logs
---@return Discovery
function discovery.new(options)
  local self = setmetatable(options, Discovery)
  self.weights = self.frame.weights or vector.fill(self.frame.rows, 1)
  self.logs = self.frame.target:range() > 0 and vector.log(self.frame.target) or nil
  return self
end

return discovery
