--- Rules: scripts that compute a rating from measures.
local budget = require "libcrux.budget"
local cell = require "crux.data.cell"
local csv = require "libcrux.csv"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local grouped = require "crux.formula.grouped"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local params = require "crux.rule.params"
local prediction = require "crux.rule.prediction"
local ranges = require "crux.data.ranges"
local rule_script = require "crux.rule.rule_script"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"
local tunable = require "crux.rule.tunable"
local vector = require "libcrux.vector"

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
local Rule = {}
Rule.__index = Rule

---@class Part           a summand of a rating
---@field [1] string     name
---@field [2] number

--- Reads the method of a fit.
---@param where string   names the place of the text in messages
---@return Method
function rule.method_of(text, where)
  local methods = fits.parse(text, where)
  if #methods > 1 then fault.at(where, fault.show(text), "one fit") end
  return methods[1]
end

--- Makes a rule from the fields of a rule script.
---@param spec table
---@param path string?   of the script
---@return Rule
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
    for _, field in ipairs { "bases", "coefficients", "parameters", "ranges", "intervals" } do
      if spec[field] then fault.at(where, field, "none, as the formula is a function") end
    end
    if spec.params then
      new.params = params.read(spec.params, where)
      new.tunable = tunable.new(new)
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
---@param path string
---@return Rule
function rule.load(path)
  local spec, found, sources = script.load("rule", path)
  local loaded = rule.new(spec, found)
  loaded.sources, loaded.is_named = sources, found ~= path
  return loaded
end

--- Makes a rule from a formula alone.
function rule.from_formula(text, weights)
  return rule.new({ name = text, formula = text, weights = weights })
end

--- A copy with some fields changed.
---@param changes table
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
  copy.ranges, copy.intervals, copy.players = nil, nil, nil
  if self.formula and self.weights == self.formula.trials then copy.weights = nil end
  copy.tunable = copy.params and tunable.new(copy)
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

--- A copy with another method of fitting.
---@param method Method
function Rule:fitted_by(method)
  if self.tunable and method.fit.name ~= "tune" then
    fault.at(self:who(), ("the fit '%s'"):format(method.fit.name), "tune, the one for a Lua function")
  end
  local copy = self:with { method = method }
  copy.fit = method.text ~= "ols" and method.text or nil
  return copy
end

--- A copy with the coefficients of a fit.
---@param fitted Fitted
function Rule:fitted(fitted)
  local copy = self:fitted_by(fitted.method):with { formula = fitted.formula, coefficients = fitted.coefficients }
  copy.parameters = fitted.parameters
  copy.players = fitted.players and fitted.players()
  copy.aliased = #fitted.aliased > 0 and fitted.aliased or nil
  copy.ranges, copy.intervals = nil, nil -- of another fit
  return copy
end

--- A copy with the params of a fit.
---@param fitted Fitted
function Rule:tuned(fitted)
  local tuned = self:with { params = {} }
  for i, param in ipairs(self.params) do
    tuned.params[i] = { name = param.name, value = fitted.coefficients[param.name], low = param.low, high = param.high }
  end
  tuned.tunable = tunable.new(tuned)
  return tuned
end

--- Estimates its coefficients or params from the complete rows of a dataset.
---@param data Dataset
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
---@param data Dataset
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
---@param data Dataset
function Rule:settled(data)
  return self:with { formula = self.formula and self.formula:settled(data, self.weights) }
end

--- The columns that must be numbers for a rating, all of which the dataset must have.
---@param data Dataset
---@return string[]
function Rule:measures(data)
  if self.rating then return {} end
  data:expect(self.formula.variables, self:who() .. " needs the measure")
  local numbers, varying = self.formula:numbers(), self:player_measures()
  data:expect(varying, self:who() .. " needs the measure")
  return table.move(varying, 1, #varying, #numbers + 1, numbers)
end

--- The columns to read as text: all for a Lua function, whose measures are not known before it runs.
---@return string[]
function Rule:texts(data) return self.rating and data.columns or self.formula.texts end

---@class RowReader       the measures of the rows of a block, one row after the other
---@field block Block
---@field row integer
---@field measures table   argument of the function: the same table for every row
---@field missing string?  the first missing measure that was read of this row
---@field fault Fault?     of a read of this row

--- The value of a measure in the row of a reader. Reading a missing or wrong one raises an error with the message, and sets the
--- reader's fault.
local function read(of, at, name)
  local block, row = at.block, at.row
  local function stop(...)
    local _, problem = pcall(...)
    at.fault = problem
    error(problem.message, 0)
  end
  local texts = block.texts[name]
  if not texts then
    stop(fault.raise, ("%s:1: %s needs the measure '%s', which is not among the columns; %s"):format(block.name,
      of:who(), tostring(name), nearest.hint(tostring(name), lists.keys(block.texts))))
  end
  local value, problem, expected = csv.number(texts[row])
  at.missing = at.missing or value ~= nil and value ~= value and name or nil
  if not value or at.missing then
    stop(fault.at, ("%s: column '%s'"):format(block:place(row), name), problem or "a missing value",
      expected and expected .. cell.advice(texts[row]) or "a number")
  end
  return value
end

local RowReader = {}
RowReader.__index = RowReader

--- Goes to a row.
function RowReader:move(row) self.row, self.missing, self.fault = row, nil, nil end

--- Reads the rows of a block for the function.
---@return RowReader
function Rule:reader(block)
  local at = setmetatable({ block = block, row = 0 }, RowReader)
  at.measures = setmetatable({}, {
    __index = function(_, name)
      local column = block:parsed(name)
      local value = column and column[at.row]
      if value and value == value and not at.missing then return value end
      return read(self, at, name)
    end,
    __newindex = function() error("found an assignment to a measure, expected none", 2) end,
    __pairs = function() error("found pairs over the measures, expected their names", 2) end,
    __metatable = false,
  })
  return at
end

--- Refuses the function's result for a row.
---@param at RowReader
---@param rating any
---@param values (number[]|userdata)?   of the params, unless they are the script's
function Rule:refuse(at, rating, values)
  local level = at.block.levels and ("level '%s': "):format(at.block.levels[at.row]) or ""
  fault.at(("%s: %s%s"):format(at.block:place(at.row), level, self:who()),
    fault.show(rating) .. (values and (" (%s)"):format(params.show(self.params, values)) or ""), "a number")
end

--- The ratings of some rows of a block by the function, NaN where a measure is missing; and by row their parts and the measures
--- that are missing. The function runs behind one guard until it raises an error.
---@param block Block
---@param first integer
---@param last integer
function Rule:rate_rows(block, first, last)
  local at, numbers = self:reader(block), self.params and params.view(self.params)
  local ratings, parts, missing, row = {}, {}, {}, first - 1
  local function rate()
    repeat
      row = row + 1
      budget.beat()
      at:move(row)
      local value, list = self.rating(at.measures, numbers)
      ratings[row], parts[row] = value, list and sandbox.plain(list, self:who())
    until row == last or at.fault or not number.is_finite(value)
  end
  while row < last do
    local ok, problem = pcall(fault.guard, self:who(), rate)
    if at.missing then
      ratings[row], parts[row], missing[row] = 0 / 0, nil, at.missing
    elseif at.fault or not ok then
      error(at.fault or problem, 0)
    elseif not number.is_finite(ratings[row]) then
      self:refuse(at, ratings[row])
    end
  end
  return ratings, parts, missing
end

--- The measures that are missing in a row without a rating: of a Lua function the first that it reads.
---@return string[]
function Rule:missing(block, row)
  if self.rating then return { select(3, self:rate_rows(block, row, row))[row] } end
  return lists.select(lists.union(self.formula.variables, self:player_measures()), function(name)
    local value = block.numbers[name][row]
    return value ~= value
  end)
end

--- Says that a row has no rating, and which measures are missing.
function Rule:unrated(block, row)
  local names = self:missing(block, row)
  return ("level '%s' has no rating: %s %s missing"):format(block.levels[row], table.concat(names, ", "),
    #names > 1 and "are" or "is")
end

--- Refuses parts of a Lua function that are no list of { name, number }.
---@return Part[]
function Rule:check_parts(parts)
  local where, expected = self:who() .. ": parts", "a list of { \"name\", number }"
  if parts ~= nil and type(parts) ~= "table" then fault.at(where, "a " .. type(parts), expected) end
  for _, part in ipairs(parts or {}) do
    if type(part) ~= "table" or type(part[1]) ~= "string" or not math.type(part[2]) then
      fault.at(where, type(part) == "table" and ("{ %s, %s }"):format(fault.show(part[1]), fault.show(part[2]))
        or fault.show(part), expected)
    end
  end
  return parts or {}
end

--- Rates the levels of a block.
---@param block Block   with the columns that Rule:measures and Rule:texts name
---@param level number?   of prediction intervals
---@return userdata                      a vector of ratings, NaN where a measure is missing
---@return fun(row: integer): Part[]     the parts of a row's rating: the shares of terms, whose sum is the rating before any
---                                      transformation of the formula or the fit; or the parts that a Lua function returned;
---                                      none for a missing rating
---@return userdata? low                 the ends of the intervals
---@return userdata? high
function Rule:rate(block, level)
  if self.rating then
    local ratings, parts = self:rate_rows(block, 1, block.rows)
    return vector.of(ratings), function(row) return self:check_parts(parts[row]) end
  end
  if not self.coefficients then
    fault.raise(("%s: found no coefficients, expected a fitted rule (crux fit RULE DATA -o FITTED.lua)"):format(self:who()))
  end
  local used = {}
  self.formula:encode(block)
  for _, name in ipairs(self.formula.variables) do table.insert(used, block.numbers[name]) end
  for _, name in ipairs(self:player_measures()) do table.insert(used, block.numbers[name]) end
  local complete = vector.complete(used)
  if complete and #complete < block.rows then return self:rate_complete(block, complete, level) end
  local columns, offset = self.formula:finite_columns(block), self.formula:offset(block)
  if self.player then offset = self:player_offset(block, offset) end
  local ratings = self.method:predict(self, columns, block.rows, offset)
  local row = ratings:first_nonfinite()
  if row then fault.at(("%s: %s"):format(block:who(row), self:who()), fault.show(ratings[row]), "a number") end
  local low, high
  if level then low, high = prediction.ends(self, level, columns, ratings, offset) end
  local function parts_of(at)
    local parts = {}
    for i, column in ipairs(columns) do
      local term = self.formula.terms[i].name
      local coefficient = self.coefficients[term]
      if coefficient then table.insert(parts, { term, column[at] * coefficient }) end
    end
    if offset then table.insert(parts, { "offset", offset[at] }) end
    return parts
  end
  return ratings, parts_of, low, high
end

--- A copy that rates for a player.
---@param name string
---@param players table<string, number|number[]>?   effects by name, those of the rule unless given
function Rule:for_player(name, players)
  players = players or self.players or fault.at(self:who(), "no players", "a rule fitted with a grouping term by player")
  if not players[name] then fault.unknown(self:who(), "player", name, lists.keys(players)) end
  return self:with { player = players[name] }
end

--- The measures that its player's effects need.
function Rule:player_measures() return self.player and grouped.measures { self.formula:grouping "player" } or {} end

--- Its problem on the plays of a dataset, with the estimates that it has, and the most probable effects of the groups there.
---@param data Dataset
---@param options { pass: Pass?, warn: fun(line: string)? }   `warn` gets lines about a fit that is not to be trusted
---@return GroupEffects[]
---@return Problem
---@return Rule              with the estimates: fitted to these plays if it had none
function Rule:effects(data, options)
  if not self.method or not self.method.fit.effects then
    fault.at(self:who(), ("the fit '%s'"):format(self.method and self.method.fit.name or "of a function"),
      "mixed, with a grouping term such as (1 | player)")
  elseif not self.coefficients then
    local estimated, fitted = self:fit_to(data, options)
    for _, line in ipairs(options.warn and fitted.warnings or {}) do options.warn(line) end
    return estimated:effects(data, options)
  end
  local frames = design.new(data, { response = self.predicts, formula = self.formula, weights = self.weights,
    censored = self.method:censored(), is_learned = true, who = self:who() })
  local kept = (options.pass or design.pass)(frames, frames.keep, frames, true)
  local problem = { formula = self.formula, frames = kept, where = data.name, scale = self.scale }
  return self.method.fit.effects(self, problem), problem, self
end

--- The sum of an offset and the effects of its player.
function Rule:player_offset(block, offset)
  local effects = type(self.player) == "table" and self.player or { self.player }
  for k, column in ipairs(grouped.values(self.formula:grouping "player", block)) do
    offset = offset and offset + effects[k] * column or effects[k] * column
  end
  return offset
end

--- The ratings of a block of which only some rows are complete.
function Rule:rate_complete(block, rows, level)
  local missing, index = vector.fill(block.rows, 0 / 0), {}
  if #rows == 0 then return missing, function() return {} end, missing, missing end
  local some, parts, low, high = self:rate(block:select(rows), level)
  for i = 1, #rows do index[rows[i] // 1 | 0] = i end
  local function spread(values) return values and values:spread(rows, block.rows) end
  return spread(some), function(row) return index[row] and parts(index[row]) or {} end, spread(low), spread(high)
end

--- The script of the rule.
---@param remark string   the first line: the origin of the numbers
---@return string
function Rule:script(remark)
  self:fitting_formula()
  return rule_script.write(self, remark)
end

--- The script of a rule with params, with the numbers of a fit in it, and otherwise the same bytes.
---@param fitted Fitted
---@return string
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
