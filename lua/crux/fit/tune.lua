--- The fit `tune`: least squares over the params of a rule whose formula is a Lua function.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local minimise = require "libcrux.minimise"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local tune = {
  name = "tune",
  doc = "least squares, weighted by the case weights where the rule names them, of a Lua function by its params, within their "
    .. "bounds; standard errors, t and p as R's nls; the only fit for Lua functions, and only for them",
  options = {
    { name = "search", default = "gradient", choices = { "gradient", "simplex" },
      doc = "gradient: MINPACK's Levenberg-Marquardt; simplex: NLopt's SBPLX, for ratings that have corners in the params" },
    { name = "evaluations", default = 20000, least = 1, integer = true, doc = "how often to rate all rows before giving up" },
  },
  figures = { "sigma", "df", "log_likelihood", "aic", "bic" },
  predict = function(ratings) return ratings end, -- combine rates; sums of columns times coefficients are no ratings
}

--- A search has converged if a further step of linear least squares explains at most this share of the errors that it explains
--- by chance, or of the ratings' squares (rounding).
tune.least_share, tune.rounding = 1e-6, 1e-22

---@class Tuning
---@field formula Tunable
---@field params Param[]
---@field values number[]        of the params, in order
---@field held table<integer, boolean>      params fixed on a bound
---@field released table<integer, boolean>  params that have left a bound and are not fixed again
---@field rows userdata          numbers of the rows
---@field response userdata
---@field roots userdata         of the weights
---@field evaluations integer
---@field advance fun()        is called whenever the search rates all rows
---@field stray string?          first message about ratings that are no numbers: row, values of params
local Tuning = {}
Tuning.__index = Tuning

local function begin(problem)
  local frames, list = problem.frames, problem.formula.rule.params
  local self = setmetatable({ formula = problem.formula, params = list, values = {}, held = {}, released = {},
    rows = frames.columns[1], response = frames.response, evaluations = 0, advance = problem.advance or function() end,
    roots = (frames.weights or vector.fill(frames.rows, 1)) ^ 0.5 }, Tuning)
  for i, param in ipairs(list) do
    self.values[i] = param.value
    self:move_inside(i)
  end
  self.formula:expect_finite(self.rows, self.values, self.formula:rate(self.rows, self.values))
  return self
end

local least_distance = 1e-300 -- of two numbers that are not taken for the same one

--- The distance that a param is likely to move from a bound: that to its other bound. Without another bound, that of its start
--- value; if it starts on the bound, the size of the bound, and 1 for the bound 0.
local function reach(param, bound)
  local other = bound == param.low and param.high or param.low
  if math.abs(other) < math.huge then return math.abs(other - bound) end
  local distance, size = math.abs(param.value - bound), math.abs(bound)
  if distance > least_distance then return math.max(distance, 1e-3 * size) end -- a smaller step is lost in rounding
  return size > least_distance and size or 1
end

--- Moves a param off its bounds, on which the transformed search has no slope.
function Tuning:move_inside(i)
  local param = self.params[i]
  for _, side in ipairs { { param.low, 1 }, { param.high, -1 } } do
    local bound, direction = table.unpack(side)
    if math.abs(bound) < math.huge then
      local least = 0.01 * reach(param, bound)
      if direction * (self.values[i] - bound) < least then self.values[i] = bound + direction * least end
    end
  end
end

--- The weighted residuals at some values of the free params.
function Tuning:residuals(free, values)
  local all = lists.copy(self.values)
  for j, i in ipairs(free) do all[i] = values[j] end
  local ratings = self.formula:rate(self.rows, all)
  if not self.stray and ratings:first_nonfinite() then
    local _, problem = pcall(self.formula.expect_finite, self.formula, self.rows, all, ratings)
    self.stray = problem.message
  end
  return (self.response - ratings) * self.roots
end

--- The argument of libcrux.minimise for a search over the free params.
function Tuning:asked(free)
  local start, low, high = {}, {}, {}
  for j, i in ipairs(free) do start[j], low[j], high[j] = self.values[i], self.params[i].low, self.params[i].high end
  return { start = vector.of(start), low = vector.of(low), high = vector.of(high), residuals = #self.response,
    evaluate = function(values)
      self.advance()
      return self:residuals(free, values)
    end }
end

--- The params that are not fixed, or all.
function Tuning:free(also_held)
  local free = {}
  for i in ipairs(self.params) do
    if also_held or not self.held[i] then table.insert(free, i) end
  end
  return free
end

--- Minimises over the free params. Returns whether the sum of squares falls no further; by the gradient, the slopes at the end
--- tell more.
function Tuning:search(options)
  local free, left = self:free(), options.evaluations - self.evaluations
  if #free == 0 then return true end
  if left < 1 then return false end
  local asked = self:asked(free)
  asked.by, asked.most_evaluations = options.search, left
  local status, found, evaluations = minimise.squares(asked)
  fault.check(status, found)
  for j, i in ipairs(free) do self.values[i] = found[j] end
  self.evaluations = self.evaluations + evaluations
  return status == "converged" or status == "still" and options.search == "gradient"
end

--- Fixes params on bounds where errors are no larger, and releases fixed params from whose bound errors shrink away. Returns
--- whether any changed.
function Tuning:settle()
  local changed, all = false, self:free(true)
  local residuals = self:residuals({}, {})
  local least = (residuals * residuals):sum()
  for i, slopes in ipairs(fault.check(minimise.jacobian(self:asked(all)))) do
    local param = self.params[i]
    local rise = (slopes * residuals):sum() -- of half the sum of squares
    for _, side in ipairs { { param.low, rise }, { param.high, -rise } } do
      local bound, inwards = table.unpack(side)
      if self.held[i] and self.values[i] == bound and inwards < 0 then
        self.held[i], self.released[i], changed = nil, true, true
        self:move_inside(i)
      elseif math.abs(bound) < math.huge and not self.held[i] and not self.released[i] then
        local there = self:residuals({ i }, { bound })
        local square = (there * there):sum()
        if square <= least then self.values[i], self.held[i], least, changed = bound, true, square, true end
      end
    end
  end
  return changed
end

--- Linear least squares over the free params at the end of the search: their rows with standard errors for variance 1, the sum
--- of squared errors, and the sum of squares that a further step would explain.
function Tuning:linearised(tolerance)
  local free, residuals = self:free(), self:residuals({}, {})
  local square = (residuals * residuals):sum()
  if #free == 0 then return {}, square, 0 end
  local solver <close> = fault.check(solver_type.new(#free))
  solver:add(fault.check(minimise.jacobian(self:asked(free))), residuals)
  solver:solve(tolerance)
  local result, explained, rows = solver:result(), 0, {}
  for j, i in ipairs(free) do
    rows[i] = result[j]
    explained = explained + (result[j].explained or 0)
  end
  return rows, square, explained
end

--- Tells whether a sum of squares is too small to count beside that of all errors.
function Tuning:is_negligible(part, square, df)
  local scaled = self.response * self.roots
  return part <= tune.least_share * square / math.max(df, 1) or part <= tune.rounding * (scaled * scaled):sum()
end

--- Minimises, with params on their bounds where errors are least there. Returns whether it converged.
function Tuning:descend(options)
  local converged = self:search(options)
  while converged and self:settle() do converged = self:search(options) end
  return converged
end

--- Fixes an undetermined param on a bound where errors are no larger once the others are tuned. Returns whether there is one.
function Tuning:hold_undetermined(rows, square, options)
  local values, held, df = self.values, self.held, #self.response - #self:free()
  for _, i in ipairs(self:free()) do
    for _, bound in ipairs(rows[i].aliased and { self.params[i].low, self.params[i].high } or {}) do
      if math.abs(bound) < math.huge then
        self.values, self.held = lists.copy(values), lists.merge(held, { [i] = true })
        self.values[i] = bound
        local converged, residuals = self:descend(options), self:residuals({}, {})
        if converged and self:is_negligible((residuals * residuals):sum() - square, square, df) then return true end
        self.values, self.held = values, held
      end
    end
  end
  return false
end

--- Minimises. Returns whether it converged, and what Tuning:linearised returns.
function Tuning:run(options, tolerance)
  local converged = self:descend(options)
  local rows, square, explained = self:linearised(tolerance)
  if converged and options.search == "gradient" and self:hold_undetermined(rows, square, options) then
    return self:run(options, tolerance)
  end
  return converged, rows, square, explained
end

--- Names the param that has grown most, if one seems to grow without end.
local function growth_of(tuning)
  local most, text = minimise.away_ratio, nil
  for i, param in ipairs(tuning.params) do
    local value, start = tuning.values[i], math.abs(param.value)
    local ratio = math.abs(value) / (start > 0 and start or 1)
    if ratio > most then
      most, text = ratio, ("the param '%s' growing without end, from %s to %.2g ('%s = NUMBER' in params bounds it)"):format(
        param.name, number.exact(param.value), value, value > 0 and "high" or "low")
    end
  end
  return text
end

--- Says why a search has not found a least sum of squares; nil if it has.
local function trouble_of(tuning, by, converged, fitted, explained)
  local flat = fitted.flat[1]
  if converged and (by == "simplex" or not flat and tuning:is_negligible(explained, fitted.objective[2], fitted.df)) then
    return nil
  end
  return growth_of(tuning)
    or not converged and ("none after rating all rows %s"):format(number.count(tuning.evaluations, "time"))
    or flat and ("the param '%s' undetermined: the ratings do not change with it, or only as with those before it"):format(flat)
    or "a place that still has a slope, as at a corner, for which there is tune(search = simplex)"
end

local function add_terms(tuning, fitted, rows)
  local width = fitted.df > 0 and intervals.t(0.95, fitted.df)
  for i, param in ipairs(tuning.params) do
    local row = { term = param.name, estimate = tuning.values[i] }
    local is_flat = rows[i] and rows[i].aliased
    if rows[i] and not is_flat and width then
      row.std_error = fitted.sigma * rows[i].unit_error
      row.t = row.estimate / row.std_error
      row.p = distribution.t(row.t, fitted.df)
      row.low, row.high = row.estimate - width * row.std_error, row.estimate + width * row.std_error
    end
    fitted.terms[i], fitted.coefficients[param.name] = row, row.estimate
    if tuning.held[i] or is_flat then table.insert(is_flat and fitted.flat or fitted.held, param.name) end
  end
end

local function check(problem)
  local response, list = problem.frames.response, problem.formula.rule and problem.formula.rule.params
  if not list then
    fault.at(problem.where, "the formula " .. fault.show(problem.formula.text), "a Lua function with params for the fit 'tune'")
  elseif #response < #list then
    fault.at(problem.where, number.count(#response, "complete row"), ("at least as many as there are params, %d"):format(#list))
  elseif (response - response[1]):first_negative() or (response[1] - response):first_negative() then
    return
  end
  fault.at(problem.where, ("ratings that are all %s"):format(fault.show(response[1])), "different ones to tune params on")
end

---@class Tuned: Fitted
---@field df integer        rows minus params that are not on a bound
---@field sigma number      residual standard error; NaN when df is 0
---@field held string[]     params on a bound, which have no standard error
---@field flat string[]     params with which ratings do not change, or change as with params before; without standard error

---@return Tuned
function tune.fit(problem)
  check(problem)
  local tuning, options, frames = begin(problem), problem.options, problem.frames
  local converged, rows, square, explained = tuning:run(options, problem.tolerance or ols.tolerance)
  local fitted = { formula = problem.formula, terms = {}, coefficients = {}, aliased = {}, held = {}, flat = {},
    n = frames.rows, df = frames.rows - #tuning:free(), objective = { "sum of squared errors", square },
    iterations = tuning.evaluations }
  fitted.sigma = fitted.df > 0 and math.sqrt(square / fitted.df) or 0 / 0
  add_terms(tuning, fitted, rows)
  ols.add_likelihood(fitted, square, 2 * vector.log(tuning.roots):sum(), #tuning:free())
  fitted.trouble = trouble_of(tuning, options.search, converged, fitted, explained)
  fitted.converged = not fitted.trouble
  if fitted.trouble and tuning.stray then fitted.trouble = ("%s (on the way: %s)"):format(fitted.trouble, tuning.stray) end
  return fitted
end

--- The lines below the table of terms.
---@param fitted Tuned
function tune.notes(fitted)
  local lines = ols.notes(fitted)
  for _, row in ipairs { { fitted.held, "On a bound" }, { fitted.flat, "Without a slope of its own" } } do
    local names, why = table.concat(row[1], ", "), row[2]
    if names ~= "" then table.insert(lines, ("%s, so without standard error: %s"):format(why, names)) end
  end
  table.insert(lines, ("Rated all rows %s"):format(number.count(fitted.iterations, "time")))
  return lines
end

return tune
