--- Messages of the view Formula: what a formula can name, fits with the columns that the page multiplies, comparisons, and
--- rules as scripts.
---
--- A message's `variant` is { formula =, weights =, fit = } or { rule = PATH, ... }. It is fitted to the data of the message,
--- joined by the names of levels with measures of the level files `paths` that it names beside; or, with `order`, numbers of
--- levels of the set, to these levels, whose places are the target.
local column_kinds = require "crux.formula.column_kinds"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local fit_report = require "crux.task.shared.fit_report"
local fits = require "crux.fit.fits"
local formats = require "crux.out.formats"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local inputs = require "crux.task.shared.inputs"
local level_set = require "crux.workbench.level_set"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local process = require "libcrux.process"
local tasks = require "crux.task.shared.call"
local vector = require "libcrux.vector"

local kinds = {}

--- The column of the places of levels in a wanted order.
local PLACE <const> = "place"

--- The ratings of the easiest and of the hardest level, unless the rule says others.
local SCALE <const> = { 1, 10 }

local function list_of(values) return values and lists.map(values, function(value) return value end) end

--- The levels of a wanted order with their measures, and their places, evenly spaced on a scale.
---@param measures string[]
---@param scale number[]
---@return Dataset
local function in_order(engine, message, measures, scale)
  local levels = lists.pick(level_set.of(engine, message), message.order)
  if #levels < 2 then fault.raise(("found %s, expected at least 2 in an order"):format(number.count(#levels, "level"))) end
  local places = {}
  for i in ipairs(levels) do places[i] = scale[1] + (scale[2] - scale[1]) * (i - 1) / (#levels - 1) end
  return level_set.dataset(engine, message, levels, measures, { [PLACE] = vector.of(places) })
end

--- The data of a message for some rules.
---@param rules Rule[]
---@return Dataset
local function data_for(engine, message, rules)
  local game, measures = message.game and engine:game(message), {}
  for _, rule in ipairs(rules) do
    measures = lists.union(measures, game and (message.order or rule.formula) and game:needed_by(rule) or {})
  end
  if message.order then return in_order(engine, message, measures, rules[1].scale or SCALE) end
  local data = engine:data(message)
  if not data then fault.raise(("found no data, expected %s, or Fit to my order"):format(engine.files.sources_of_data)) end
  local further = lists.select(measures, function(name) return not data.has[name] end)
  if #further == 0 then return data end
  return dataset.join(data, level_set.dataset(engine, message, (level_set.of(engine, message)), further))
end

--- The rule of a variant, adjusted as the options of commands do.
---@return Rule
local function rule_of(engine, message, variant)
  local rule = not variant.formula and engine:rule(variant)
  local options = { weights = not message.order and variant.weights or nil, fit = variant.fit,
    target = message.order and PLACE or nil }
  if message.order and not (rule and rule.rating) then options.fit = options.fit or "order" end
  return rule and inputs.rule(rule, options) or inputs.formula(variant.formula, options)
end

--- What a formula can name, and where to begin: { columns, target, weights, fit, measures = { { name, doc } }, functions,
--- fits, formula, is_function }. `formula` is that of the rule, which may be a Lua function instead.
function kinds.names(engine, message)
  local data, rule, game = engine:data(message), engine:rule(message), message.game and engine:game(message)
  local answer = { functions = lists.map(functions, function(row) return { usage = row.usage, doc = row.doc } end),
    fits = fits.names, columns = data and data:numeric(data.columns) or {}, measures = {} }
  for name, measure in pairs(game and game.measures or {}) do
    if type(name) == "string" then table.insert(answer.measures, { name = name, doc = measure.doc }) end
  end
  lists.sort(answer.measures, function(row) return row.name end)
  answer.target = rule and rule.predicts or lists.select(answer.columns, column_kinds.is_target)[1] or PLACE
  answer.weights = rule and rule.weights or data and data.has.solved and "solved" or nil
  answer.fit = rule and rule.fit
  answer.is_function = rule ~= nil and rule.rating ~= nil
  answer.formula = rule and rule.formula and rule.formula.text or ("%s ~ 1"):format(grammar.name(answer.target))
  return answer
end

--- The names of the functions of a left side, the outermost first.
local function left_of(formula)
  local names, node = {}, formula.is_transformed and formula.tree.left or {}
  while node.call do
    table.insert(names, node.call)
    node = node.arguments[1]
  end
  return names
end

---@class Model            a rule with numbers on data
---@field rule Rule
---@field frames StoredFrame
---@field terms FittedTerm[]
---@field fitted Fitted?    nil of a rule whose numbers are those of its script
---@field notes string[]

--- The rule of a message with its numbers: those of a fit, or with `as_is` those of its script, as where all are given.
---@return Model
local function model_of(engine, message)
  local rule = rule_of(engine, message, message.variant)
  local data, remarks = data_for(engine, message, { rule }), {}
  local pass = inputs.pass { with = "the set", say = function(line) table.insert(remarks, line) end }
  if message.as_is and rule.coefficients or (message.as_is or message.values) and rule.params then
    local frames = design.new(data, { response = rule.predicts, formula = rule:fittable(), weights = rule.weights,
      who = rule:who(), is_learned = rule.coefficients ~= nil })
    local terms = lists.map(rule.params or rule.formula.terms, function(term)
      return { term = term.name, estimate = term.value or rule.coefficients[term.name], least = term.low, greatest = term.high }
    end)
    return { rule = rule, frames = pass(frames, frames.keep, frames, true), notes = remarks,
      terms = lists.select(terms, function(term) return term.estimate end) }
  end
  rule:fittable()
  local fitted, problem = rule:estimate(data, { pass = pass, advance = function() engine:tell(0) end })
  local terms = lists.map(fitted.terms, function(term) return lists.merge(term) end)
  for i, param in ipairs(rule.params or {}) do terms[i].least, terms[i].greatest = param.low, param.high end
  return { rule = rule, frames = problem.frames:keep(true), terms = terms, fitted = fitted,
    notes = lists.concat(fit_report.of(fitted, rule).notes, remarks) }
end

--- The rule of a model with numbers by the names of its terms.
---@param values table<string, number>
local function with_values(model, values)
  local rule = model.rule
  if rule.params then return rule:tuned { coefficients = values } end
  return (model.fitted and rule:fitted(model.fitted) or rule):with { coefficients = values, intervals = false }
end

--- The values of the terms, the sliders' where a message has them.
local function values_of(model, message)
  local values = {}
  for _, term in ipairs(model.terms) do values[term.term] = (message.values or {})[term.term] or term.estimate end
  return values
end

--- The ratings of a model's rows.
local function ratings_of(model, values)
  local rule, frames = with_values(model, values), model.frames
  if rule.rating then return rule.tunable.combine(model.frames.formula, frames.columns, values) end
  return rule.method:predict(rule, frames.columns, frames.rows, frames.offset)
end

--- A variant on the data: { text, target, levels, targets, weights, terms = { { term, estimate, std_error, least, greatest,
--- column } }, offset, left, ratings, is_sum, notes }. Ratings are sums of estimates times columns, and the offset, brought to
--- the target's scale by the inverses of the functions of `left`; if not `is_sum`, the message `ratings` computes them.
function kinds.fit(engine, message)
  local model = model_of(engine, message)
  local rule, frames = model.rule, model.frames
  local formula = frames.formula
  local is_sum = not rule.rating and not rule.method.fit.predict
  local column_of = {}
  for i, term in ipairs(is_sum and formula.terms or {}) do column_of[term.name] = list_of(frames.columns[i]) end
  local text = rule.formula and formula.text or nil
  return { text = text, target = rule.predicts, levels = list_of(frames.levels), targets = list_of(frames.target),
    weights = list_of(frames.weights), offset = list_of(frames.offset), left = is_sum and left_of(formula) or {},
    is_sum = is_sum, falls = rule.falls, notes = model.notes,
    ratings = list_of(ratings_of(model, values_of(model, message))),
    terms = lists.map(model.terms, function(term)
      return { term = term.term, estimate = term.estimate, std_error = term.std_error, column = column_of[term.term],
        least = number.is_finite(term.least) and term.least or nil,
        greatest = number.is_finite(term.greatest) and term.greatest or nil }
    end) }
end

--- The ratings of a variant's rows by other `values` of its terms: { ratings }.
function kinds.ratings(engine, message)
  local model = model_of(engine, message)
  return { ratings = list_of(ratings_of(model, values_of(model, message))) }
end

--- Variants on the same folds: { columns, rows, notes } of crux compare.
function kinds.compare(engine, message)
  local rules = lists.map(message.variants, function(variant) return rule_of(engine, message, variant) end)
  local report = tasks.task("compare", { inputs = rules, data = data_for(engine, message, rules) })
  return { columns = lists.field(formats.shown(report.tables[1].columns), "key"), rows = report.tables[1].rows,
    notes = lists.concat(report.notes, report.remarks) }
end

--- The script that crux fit -o writes of a formula.
local function fitted_script(engine, message, name)
  local rule = rule_of(engine, message, message.variant)
  return tasks.task("fit", { rule = rule:with { name = name }, data = data_for(engine, message, { rule }), game = message.game,
    output = message.path }).script
end

--- The script of a rule with the numbers of a message, of a function otherwise the same bytes.
local function script_by_hand(engine, message, name)
  local model = model_of(engine, message)
  local values = values_of(model, message)
  if model.rule.params then return model.rule:tuned_script { coefficients = values } end
  return with_values(model, values):with { name = name, game = message.game }
    :script(("Numbers set by hand in crux workbench %s."):format(process.version))
end

--- Writes a variant as a rule script: { write }.
---@param message { variant: table, path: string, version: string?, values: table<string, number>? }   values: those of sliders
function kinds.rule(engine, message)
  local write = message.variant.formula and not message.values and fitted_script or script_by_hand
  return { write = { path = message.path, version = message.version,
    text = write(engine, message, inputs.output_name { output = message.path }) } }
end

return kinds
