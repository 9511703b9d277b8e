--- What evaluate and compare share: cross-validation of rules, and errors as columns, rows and JSON.
local accuracy = require "crux.accuracy"
local crossval = require "crux.crossval"
local design = require "crux.design"
local inputs = require "crux.cli.inputs"
local number = require "crux.number"
local output = require "crux.output"
local vector = require "libcrux.vector"

local scores = {}

--- The formula of a rule that cross-validation refits; nil for a rule that is judged as it stands.
function scores.formula(rule, args) return not args.as_is and rule.formula or nil end

--- Leaves out the rows that a rule which is judged as it stands cannot rate.
local function drop_unrated(frames, where)
  local ratings = {}
  for _, frame in ipairs(frames) do table.insert(ratings, frame.ratings) end
  local rows = vector.complete(ratings)
  if not rows then return end
  output.say(("%s: %s left out: a measure is missing"):format(where, number.count(frames[1].rows - #rows, "row")))
  for i, frame in ipairs(frames) do frames[i] = frame:select(rows) end
end

--- The rows that all rules can use, as a frame in memory for each rule.
---@param rules Rule[]
---@param data Dataset
---@param weights string?   the column of case weights
---@return table[]
function scores.frames(rules, data, args, weights)
  local measures, texts, frames = {}, {}, {}
  for i, rule in ipairs(rules) do
    rules[i] = scores.formula(rule, args) and rule:settled(data) or rule
    local own = rules[i]:measures(data)
    table.move(own, 1, #own, #measures + 1, measures)
    local own_texts = rules[i].formula and rules[i].formula.texts or {}
    table.move(own_texts, 1, #own_texts, #texts + 1, texts)
  end
  for i, rule in ipairs(rules) do
    local refitted = scores.formula(rule, args)
    local frame = design.new(data, { response = rule.predicts, weights = weights, formula = refitted,
      as_is = not refitted and rule or nil, who = rule:who(), also = measures,
      also_texts = texts })
    frames[i] = i == 1 and inputs.telling(frame, args, frame.keep, frame) or frame:keep()
  end
  drop_unrated(frames, data.name)
  return frames
end

--- Cross-validates every rule, fitted as it says, on the same folds.
---@return Evaluation[]
function scores.evaluate(rules, data, args, weights)
  local frames = scores.frames(rules, data, args, weights)
  local folds = crossval.folds(frames[1].rows, args.folds, args.seed or args.shuffle and 1 or nil, data.name)
  local evaluations = {}
  for i, rule in ipairs(rules) do
    local formula = frames[i].formula or nil
    evaluations[i] = crossval.evaluate(formula, frames[i], folds, { method = rule.method,
      tolerance = args.tolerance, where = data.name, scale = rule.scale, unconverged = args.unconverged })
    evaluations[i].formula = formula
  end
  return evaluations
end

--- The columns of a table of errors: all for files; for reading only the usual ones.
function scores.columns(first, format, weighted)
  local columns = {}
  for _, column in ipairs(first) do table.insert(columns, column) end
  local everything = format == "csv"
  for _, measure in ipairs(accuracy.measures) do
    local usual = { mae = true, relative_percent = true, rmse = true, weighted_mae = weighted,
      weighted_relative_percent = weighted }
    if everything or usual[measure.key] then table.insert(columns, { key = measure.key }) end
  end
  return columns
end

--- A row of a table: the given fields and the errors.
function scores.row(fields, errors)
  for _, measure in ipairs(accuracy.measures) do fields[measure.key] = errors[measure.key] end
  return fields
end

--- The errors as pairs for json.object, appended to the given ones.
function scores.pairs(fields, errors)
  for _, measure in ipairs(accuracy.measures) do table.insert(fields, { measure.key, errors[measure.key] }) end
  return fields
end

return scores
