--- Rules: scripts that compute a rating from measures.
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local lists = require "crux.base.lists"
local params = require "crux.rule.params"
local prediction = require "crux.rule.prediction"
local ranges = require "crux.data.ranges"
local rating = require "crux.rule.rating"
local rule_script = require "crux.rule.rule_script"
local script = require "crux.script.script"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"

local rule = {}

---@class Rule: crux.RuleFields                docs/lua-api.md describes the fields that scripts set
---@field name string
---@field target_falls boolean                  smaller values of the target are the harder levels
---@field falls boolean                         smaller ratings are the harder levels
---@field formula Formula|nil                   nil when the rating is a Lua function
---@field rating fun(measures: table, params: table?): number, Part[]?   nil when the rating is a formula
---@field params Param[]|nil                    numbers of that function that can be tuned
---@field tunable Tunable|nil                   takes the place of the formula if there are params
---@field file string?                          the path of the script
---@field is_named boolean?                     one of crux's own, loaded by its name
---@field is_retargeted boolean?                for another target than the script says
---@field sources string[]?                     files of the script; nil unless it was loaded from a file
---@field method Method|nil                     of the fit; nil when the rating is a Lua function without params
---@field player number|number[]|nil            effects of the player for whom it rates
local Rule = lists.merge(rating)
Rule.__index = Rule

--- Reads the method of a fit.
---@param where string   names the place of the text in messages
function rule.method_of(text, where)
  local methods = fits.parse(text, where)
  if #methods > 1 then fault.at(where, fault.show(text), "one fit") end
  return methods[1]
end

--- Makes a rule from the fields of a rule script.
---@param path string?   of the script
function rule.new(spec, path)
  local where = path or "formula " .. fault.show(spec.formula)
  rule_script.check(spec, where)
  local new = setmetatable({ file = path }, Rule)
  for _, name in ipairs(rule_script.fields) do new[name] = spec[name] end
  new.target, new.target_falls = nil, spec.target ~= nil and spec.target.falls
  if spec.target then new.predicts = spec.target[1] end
  new.falls = new.target_falls
  if spec.scale then new.falls = spec.scale[1] > spec.scale[2] end
  if type(spec.formula) == "function" then
    new.formula, new.rating = nil, spec.formula
    for _, field in ipairs { "bases", "coefficients", "parameters", "ranges", "intervals", "front" } do
      if spec[field] then fault.at(where, field, "none, as the formula is a function") end
    end
    if spec.params then
      new.params = params.read(spec.params, where)
      new.tunable = params.tunable(new)
      new = new:fitted_by(rule.method_of(spec.fit or "tune", where .. ": field 'fit'"))
    elseif spec.fit then
      fault.at(where, "fit", "none, as the formula is a function without params")
    end
  else
    if spec.params then fault.at(where, "params", "none, as the formula is no function") end
    if spec.target and new.falls ~= new.target_falls then
      fault.at(where .. ": field 'scale'", "another direction than that of the target", "the rating of the easiest level first")
    end
    new.target_falls = new.falls -- its ratings are values of the target
    new.formula = formula.parse(spec.formula, path)
    new.method = spec.fit and rule.method_of(spec.fit, where .. ": field 'fit'") or fits.default(new.formula)
    new.predicts = new.predicts or new.formula.response
    new.weights = new.weights or new.formula.trials
    if new.formula.response ~= new.predicts then
      if new.formula.response then
        fault.at(where, ("the formula of '%s'"):format(new.formula.response), ("one of '%s', which the rule predicts")
          :format(new.predicts))
      end
      new.formula = new.formula:with_response(new.predicts)
    end
    if spec.bases then new.formula = new.formula:with_kept(spec.bases, where) end
    new.bases = nil -- the formula has them
    rule_script.check_numbers(new, where)
    if new.ranges then ranges.check(new.ranges, new.formula.variables, where) end
    if new.intervals then prediction.check(new.intervals, #new.formula.terms - #(new.aliased or {}), where) end
  end
  return new
end

--- Loads a rule script, by its path or, for crux's own, its name.
function rule.load(path)
  local spec, found, sources = script.load("rule", path)
  local loaded = rule.new(spec, found)
  loaded.sources, loaded.is_named = sources, found ~= path
  -- A game script beside the rule is its game; a rule that is saved has the name that was written.
  local beside = loaded.game and (found:match "^.*/" or "") .. loaded.game
  if beside ~= loaded.game and file_system.is_regular(beside) then loaded.written_game, loaded.game = loaded.game, beside end
  return loaded
end

function rule.from_formula(text, weights)
  return rule.new({ name = text, formula = text, weights = weights })
end

--- A copy with some fields changed.
function Rule:with(changes) return setmetatable(lists.merge(self, changes), Rule) end

--- Tells whether greater ratings go with smaller values of the target.
function Rule:is_opposed() return self.falls ~= self.target_falls end

--- A copy for another target: with another left side of the formula, and without coefficients.
function Rule:for_target(target)
  if target == self.predicts then return self end
  local copy = self:with { predicts = target, is_retargeted = true, target_falls = false,
    falls = self.rating ~= nil and self.falls, formula = self.formula and self.formula:with_response(target) }
  copy.coefficients, copy.parameters, copy.aliased, copy.doc = nil, nil, nil, nil -- about the other target
  copy.scale = self.rating and self.scale -- the ratings of a Lua function stay what they are
  copy.ranges, copy.intervals, copy.players, copy.front = nil, nil, nil, nil
  if self.formula and self.weights == self.formula.trials then copy.weights = nil end
  copy.tunable = copy.params and params.tunable(copy)
  return copy
end

--- A copy with a target whose smaller values are the harder levels.
function Rule:for_falling_target()
  if self.target_falls then return self end
  local copy = self:with { target_falls = true }
  if self.rating and (self.scale or self.is_retargeted) then return copy end -- a function whose direction is known
  copy.falls, copy.scale = true, self.scale and { self.scale[2], self.scale[1] }
  return copy
end

--- Its formula; raises a fault for a rule whose rating is a Lua function.
function Rule:fitting_formula()
  if not self.formula then
    fault.at(self:who(), "a Lua function as its formula", "a formula string, which can be fitted")
  end
  return self.formula
end

--- Its formula, or its function with params; raises a fault for a function without params.
---@return Formula|Tunable
function Rule:fittable()
  if self.rating and not self.params then
    fault.at(self:who(), "a Lua function without params as its formula", "a formula string or params, which can be fitted")
  end
  return self.tunable or self.formula
end

function Rule:fitted_by(method)
  if self.tunable and method.fit.name ~= "tune" then
    fault.at(self:who(), ("the fit '%s'"):format(method.fit.name), "tune, the one for a Lua function")
  end
  local copy = self:with { method = method }
  copy.fit = method.text ~= "ols" and method.text or nil
  return copy
end

--- A copy with the coefficients of a fit.
function Rule:fitted(fitted)
  local copy = self:fitted_by(fitted.method):with { formula = fitted.formula, coefficients = fitted.coefficients }
  copy.parameters = fitted.parameters
  copy.players = fitted.players and fitted.players()
  copy.aliased = #fitted.aliased > 0 and fitted.aliased or nil
  copy.ranges, copy.intervals, copy.front = nil, nil, nil -- of another fit
  return copy
end

--- A copy with the params of a fit.
function Rule:tuned(fitted)
  local tuned = self:with { params = {} }
  for i, param in ipairs(self.params) do
    tuned.params[i] = { name = param.name, value = fitted.coefficients[param.name], low = param.low, high = param.high }
  end
  tuned.tunable = params.tunable(tuned)
  return tuned
end

--- Estimates its coefficients or params from the complete rows of a dataset.
---@param options { tolerance: number?, unconverged: boolean?, pass: Pass? }
---@return Fitted
---@return Problem   its frames are a Design
function Rule:estimate(data, options)
  local frames = design.new(data, { response = self.predicts, formula = self:fittable(), weights = self.weights,
    censored = self.method:censored(), who = self:who() })
  local problem = { formula = frames.formula, frames = frames, where = data.name, scale = self.scale,
    tolerance = options.tolerance, unconverged = options.unconverged, advance = options.advance }
  return (options.pass or design.pass)(frames, self.method.solve, self.method, problem), problem
end

--- Fits it to the complete rows of a dataset.
---@param options { pass: Pass? }?
---@return Rule     a copy with the coefficients or params
---@return Fitted
function Rule:fit_to(data, options)
  local fitted = self:estimate(data, options or {})
  return self.tunable and self:tuned(fitted) or self:fitted(fitted):with { estimates = fitted }, fitted
end

--- Its name in messages: the path of its script, unless it is one of crux's own.
function Rule:who()
  if self.file and not self.is_named then return self.file end
  return (self.formula and self.name == self.formula.text and "formula " or "rule ") .. fault.show(self.name)
end

--- A copy with a formula that is settled for a dataset: see Formula:settled.
function Rule:settled(data)
  return self:with { formula = self.formula and self.formula:settled(data, self.weights) }
end

--- Its problem on the plays of a dataset, with the estimates that it has, and the most probable effects of the groups there.
---@param options { pass: Pass?, warn: fun(line: string)? }   `warn` gets lines about a fit that is not to be trusted
---@param needs_errors (fun(rule: Rule): boolean)?   whether the effects need standard errors
---@return GroupEffects[]
---@return Problem
---@return Rule              with the estimates: fitted to these plays if it had none
function Rule:effects(data, options, needs_errors)
  if not self.method or not self.method.fit.effects then
    fault.at(self:who(), ("the fit '%s'"):format(self.method and self.method.fit.name or "of a function"),
      "mixed, with a grouping term such as (1 | player)")
  end
  local frames = design.new(data, { response = self.predicts, formula = self.formula, weights = self.weights,
    censored = self.method:censored(), is_learned = self.coefficients ~= nil, who = self:who() })
  local problem, estimated = { formula = frames.formula, where = data.name, scale = self.scale }, self
  local function solve()
    problem.frames = frames:keep()
    if self.coefficients then return end
    local fitted = self.method:solve(problem)
    for _, line in ipairs(options.warn and fitted.warnings or {}) do options.warn(line) end
    estimated = self:fitted(lists.merge(fitted, { players = false })):with { estimates = fitted } -- all effects come below
  end
  (options.pass or design.pass)(frames, solve)
  return self.method.fit.effects(estimated, problem, needs_errors and needs_errors(estimated)), problem, estimated
end

--- The script of the rule.
---@param remark string   the first line: the origin of the numbers
function Rule:script(remark)
  self:fitting_formula()
  return rule_script.write(self, remark)
end

--- The script of a rule with params, with the numbers of a fit in it, and otherwise the same bytes.
function Rule:tuned_script(fitted)
  local script_rule = rule.load(self.file)
  local predicts = script_rule.predicts
  if predicts and predicts ~= self.predicts then
    fault.at(self.file, ("a rule that predicts '%s'"):format(predicts), ("one of '%s', to write the numbers into")
      :format(self.predicts))
  end
  local text = text_file.read(self.file, sizes.script_bytes, "a Lua script")
  return params.replace(text, script_rule.params, fitted.coefficients, self.file)
end

return rule
