--- The families of the fit `mixed`: what each takes as the response, and what it predicts.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ordinal = require "crux.fit.ordinal"
local vector = require "libcrux.vector"

---@class Family
---@field density string       of libcrux.mixed
---@field response fun(problem: Problem, parameters: table): userdata   for libcrux.mixed
---@field start fun(problem: Problem, parameters: table): number[]   the extras of libcrux.mixed to start from; sets parameters
---                            that the rows give; refuses rows that give no fit
---@field extras fun(parameters: table): number[]   of a fitted model
---@field predict fun(linear: userdata, model: Fitted|Rule): userdata
---@field kept_extras integer?   the first extras, which are not estimated
---@field has_location boolean?  the first extra is a location, as an intercept is
---@field extremes (fun(frames: StoredFrame, marks: userdata?): userdata)?   of each row 1 or -1 if its likelihood grows with or
---                            against the linear predictor without end, else 0: of a group of equal 1 or -1 there is no maximum
---@field ease number          the sign of a larger linear predictor where a level is easier

local families = {}

--- Refuses a transformed target.
local function check_plain(problem, expected)
  if problem.formula.is_transformed then fault.at(problem.where, "a transformed target", "the target itself, " .. expected) end
end

--- Refuses the target of a row.
---@param where string?   if it is not this row's
local function refuse_target(problem, row, expected, where)
  local frames = problem.frames
  fault.at(where or frames:place(row) or problem.where,
    ("the %s %s"):format(problem.formula.response, number.exact(frames.target[row])), expected)
end

--- The numbers of categories, as libcrux.mixed takes them.
local function places_of(problem, categories, expected)
  local target, place, places = problem.frames.target, {}, {}
  for k, category in ipairs(categories) do place[category] = k - 1 end
  for row = 1, #target do
    places[row] = place[target[row]] or refuse_target(problem, row, expected)
  end
  return vector.of(places)
end

--- The thresholds that such numbers stand for.
function families.thresholds(extras)
  local thresholds = {}
  for k, extra in ipairs(extras) do thresholds[k] = k == 1 and extra or thresholds[k - 1] + math.exp(extra) end
  return thresholds
end

--- Thresholds as the first of them and the logarithms of their distances.
local function distances_of(thresholds)
  local extras = {}
  for k, threshold in ipairs(thresholds) do extras[k] = k == 1 and threshold or math.log(threshold - thresholds[k - 1]) end
  return extras
end

---@type table<string, Family>
local by_name = {
  linear = { density = "normal", ease = -1,
    response = function(problem) return problem.frames.response end,
    start = function() return {} end,
    extras = function() return {} end,
    predict = function(linear) return linear end },
  logistic = { density = "cumulative", kept_extras = 1, ease = 1,
    extremes = function(frames) return 2 * frames.target - 1 end,
    response = function(problem)
      check_plain(problem, "an outcome of 0 or 1")
      return places_of(problem, { 0, 1 }, "the outcome 0 or 1")
    end,
    start = function(problem)
      if lists.all_equal(problem.frames.target) then refuse_target(problem, 1, "both outcomes, 0 and 1", problem.where) end
      return { 0 }
    end,
    extras = function() return { 0 } end,
    predict = function(linear) return 1 / (1 + vector.exp(-linear)) end },
  ordinal = { density = "cumulative", has_location = true, ease = -1,
    extremes = function(frames)
      local low, high = frames.target:range()
      return vector.choose(frames.target - high, 0, 1) - vector.choose(frames.target - low, 0, 1)
    end,
    response = function(problem, parameters)
      return places_of(problem, parameters.categories, "one of the categories that the rule was fitted to")
    end,
    start = function(problem, parameters)
      ordinal.check(problem)
      local counts, _
      parameters.categories, _, counts = ordinal.categories(problem, problem.frames.weights
        or vector.fill(problem.frames.rows, 1))
      return distances_of(ordinal.logits(counts))
    end,
    extras = function(parameters) return distances_of(parameters.thresholds) end,
    predict = ordinal.predict },
  lognormal = { density = "censored", ease = -1,
    extremes = function(frames, marks) return marks and vector.choose(marks, 1, 0) or vector.fill(frames.rows, 0) end,
    response = function(problem)
      check_plain(problem, "whose logarithm is normal")
      local response = vector.log(problem.frames.target)
      local row = response:first_nonfinite()
      if row then refuse_target(problem, row, "times above 0") end
      return response
    end,
    start = function(problem)
      local logarithms = vector.log(problem.frames.target)
      local rest = logarithms - logarithms:sum() / #logarithms
      return { math.log(math.max(1e-100, (rest * rest):sum() / #rest)) / 2 }
    end,
    extras = function(parameters) return { math.log(parameters.sigma) } end,
    predict = vector.exp },
}

---@param options table   of a method
---@return Family
function families.of(options) return by_name[options.family] end

return families
