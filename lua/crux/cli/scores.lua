--- What evaluate and compare share: cross-validation of rules, and errors as columns, rows and JSON.
local accuracy = require "crux.stats.accuracy"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local output = require "crux.out.output"
local vector = require "libcrux.vector"

local scores = {}

--- The formula of a rule that cross-validation refits; nil for a rule that is judged as it stands.
function scores.formula(rule, args) return not args.as_is and (rule.formula or rule.tunable) or nil end

--- Leaves out the rows that a rule which is judged as it stands cannot rate.
local function drop_unrated(frames, where)
  local ratings = {}
  for _, frame in ipairs(frames) do table.insert(ratings, frame.ratings) end
  local rows = vector.complete(ratings)
  if not rows then return end
  output.say(("%s: %s left out: a measure is missing"):format(where, number.count(frames[1].rows - #rows, "row")))
  for i, frame in ipairs(frames) do frames[i] = frame:select(rows) end
end

--- The rows that all rules can use, as a frame in memory for each rule; rules of one formula share it.
---@param rules Rule[]
---@param data Dataset
---@param weights string?   the column of case weights
---@param with_levels boolean?
---@return table[]
function scores.frames(rules, data, args, weights, with_levels)
  local measures, texts, frames, settled, shared = {}, {}, {}, {}, {}
  for i, rule in ipairs(rules) do
    local refitted = scores.formula(rule, args)
    if refitted then
      settled[refitted] = settled[refitted] or rule:settled(data).formula
      rules[i] = rule:with { formula = settled[refitted] }
    end
    local own = rules[i]:measures(data)
    table.move(own, 1, #own, #measures + 1, measures)
    local own_texts = rules[i].formula and rules[i].formula.texts or {}
    table.move(own_texts, 1, #own_texts, #texts + 1, texts)
  end
  for i, rule in ipairs(rules) do
    local refitted = scores.formula(rule, args)
    frames[i] = refitted and shared[refitted]
    if not frames[i] then
      local frame = design.new(data, { response = rule.predicts, weights = weights, formula = refitted,
        as_is = (not refitted or rule.tunable) and rule or nil, who = rule:who(), also = measures, also_texts = texts,
        group = args.group })
      frames[i] = i == 1 and inputs.telling(frame, args, frame.keep, frame, with_levels) or frame:keep()
      if refitted then shared[refitted] = frames[i] end
    end
  end
  drop_unrated(frames, data.name)
  frames[1]:expect_variety(rules[1].predicts, data.name)
  return frames
end

--- The folds of all times, as the options say.
function scores.assignments(frame, args, where)
  if args.loo and args.repeats > 1 then fault.raise("found --loo and --repeats, expected one of them", 2) end
  local is_shuffled = args.shuffle or args.repeats > 1
  return crossval.assignments(frame.rows, { folds = not args.loo and args.folds or nil, repeats = args.repeats,
    seed = args.seed or is_shuffled and 1 or nil, groups = frame.groups, group = args.group }, where)
end

--- crossval.evaluate with a journal, which keeps all but the predictions.
---@param log Journal
local function journaled(log)
  return function(formula, frame, assigned, options)
    local kept = log:result("evaluation", function()
      local found, sizes = crossval.evaluate(formula, frame, assigned, options), {}
      for i = 1, found.sizes and #found.sizes or 0 do sizes[i] = found.sizes[i] end
      return { n = found.n, folds = found.folds, errors = found.errors, baseline = found.baseline,
        sizes = found.sizes and sizes }
    end)
    kept.sizes = kept.sizes and vector.of(kept.sizes)
    return kept
  end
end

--- Cross-validates every rule, fitted as it says, on the same folds.
---@param options { details: boolean?, alone: boolean?, levels: boolean? }?   of crossval.evaluate; `levels`: the frame has them
---@return Evaluation[]
---@return Kept          a frame with the rows of all
---@return userdata[]    the folds of each time
function scores.evaluate(rules, data, args, weights, options)
  local frames = scores.frames(rules, data, args, weights, options and options.levels)
  local assigned = scores.assignments(frames[1], args, data.name)
  local evaluations = {}
  if args.journal then args.journal.total = #rules * #assigned end
  for i, rule in ipairs(rules) do
    local formula = frames[i].formula or nil
    evaluations[i] = crossval.repeated(formula, frames[i], assigned, setmetatable({ method = rule.method,
      tolerance = args.tolerance, where = data.name, scale = rule.scale, unconverged = args.unconverged },
      { __index = options }), args.journal and journaled(args.journal))
    evaluations[i].formula = formula
  end
  return evaluations, frames[1], assigned
end

--- The folds in words.
function scores.folds_text(assigned, args)
  return ("%d folds%s%s"):format(assigned[1]:count(), #assigned > 1 and (", %d times"):format(#assigned) or "",
    args.group and (", groups of %s kept whole"):format(args.group) or "")
end

--- The columns of a table of errors: all for files; for reading only the usual ones.
---@param first Column[]
---@param more table<string, boolean>?   keys of others for reading
function scores.columns(first, format, weighted, more)
  local columns = {}
  for _, column in ipairs(first) do table.insert(columns, column) end
  local everything = output.is_data(format)
  for _, measure in ipairs(accuracy.measures) do
    local usual = { mae = true, relative_percent = true, rmse = true, weighted_mae = weighted,
      weighted_relative_percent = weighted }
    if everything or usual[measure.key] or more and more[measure.key] then table.insert(columns, { key = measure.key }) end
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
