--- Cross-validation for several commands: of rules on the same rows and folds, and errors as columns, rows and JSON.
local accuracy = require "crux.stats.accuracy"
local calibration = require "crux.judge.calibration"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local validation = {}

--- The formula of a rule that cross-validation refits; nil for a rule that is judged without refitting.
local function refitted_formula(rule, args) return not args.as_is and (rule.formula or rule.tunable) or nil end

--- Leaves out the rows that a rule without refitting cannot rate.
local function drop_unrated(frames, where, args)
  local ratings = {}
  for _, frame in ipairs(frames) do table.insert(ratings, frame.ratings) end
  local rows = vector.complete(ratings)
  if not rows then return end
  args.say(("%s: %s left out: a measure is missing"):format(where, number.count(frames[1].rows - #rows, "row")))
  for i, frame in ipairs(frames) do frames[i] = frame:select(rows) end
end

--- The rows that all rules can use: a frame for each rule, which rules of one formula share.
---@param weights string?   the column of case weights
---@param with_levels boolean?
function validation.frames(rules, data, args, weights, with_levels)
  local measures, texts, frames, settled, shared = {}, {}, {}, {}, {}
  if data.has.player and data.has.level and not args.group then
    args.say(("%s: plays of a level are in several folds, so measures of levels seem to predict better than they do; "
      .. "--group level keeps them together"):format(data.name))
  end
  for i, rule in ipairs(rules) do
    local refitted = refitted_formula(rule, args)
    if refitted then
      settled[refitted] = settled[refitted] or rule:settled(data).formula
      rules[i] = rule:with { formula = settled[refitted] }
    end
    for _, measure in ipairs(rules[i]:measures(data)) do table.insert(measures, measure) end
    for _, text in ipairs(rules[i].formula and rules[i].formula.texts or {}) do table.insert(texts, text) end
  end
  for i, rule in ipairs(rules) do
    local refitted = refitted_formula(rule, args)
    frames[i] = refitted and shared[refitted]
    if not frames[i] then
      local frame = design.new(data, { response = rule.predicts, weights = weights, formula = refitted,
        as_is = (not refitted or rule.tunable) and rule or nil, who = rule:who(), also = measures, also_texts = texts,
        group = args.group, censored = refitted and rule.method:censored() })
      frames[i] = i == 1 and inputs.report_left_out(frame, args, frame.keep, frame, with_levels) or frame:keep()
      if refitted then shared[refitted] = frames[i] end
    end
  end
  drop_unrated(frames, data.name, args)
  frames[1]:expect_variety(rules[1].predicts, data.name)
  return frames
end

--- The folds of the rows for each repeat, by the options.
function validation.assignments(frame, args, where)
  local once = args.loo and "--loo" or args.folds_by == "order" and "--folds-by order"
  if once and (args.repeats or 1) > 1 then fault.raise(("found %s and --repeats, expected one of them"):format(once), 2) end
  return crossval.assignments(frame.rows, { folds = not args.loo and args.folds or nil, repeats = args.repeats,
    by = args.folds_by, seed = args.seed, groups = frame.groups, group = args.group }, where)
end

--- crossval.evaluate with a journal, which keeps all results but the predictions.
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

--- Reports the number of rows, if any, with a value of a factor that the fits to the other folds have not seen.
function validation.report_unseen(where, count, args)
  if count == 0 then return end
  args.say(("%s: %s predicted by the mean of the other folds, which lack their value of a factor"):format(where,
    number.count(count, "row")))
end

--- Reports the folds without a fit, and the first failure.
local function report_failures(evaluation, args)
  local failed = crossval.gaps(evaluation)
  for _, fold in ipairs(evaluation.folds) do
    if fold.failure then
      return args.say(("%s; %d of %s left out of the errors"):format(fold.failure, failed,
        number.count(#evaluation.folds, "fold")))
    end
  end
end

--- The baseline on the folds of rules, as an entry of a comparison.
---@param options { details: boolean? }   of crossval.evaluate
function validation.baseline(frame, assigned, where, options)
  local mean, means = crossval.baseline(frame)
  return { rule = "baseline", terms = 1, is_baseline = true,
    evaluation = crossval.repeated(mean, means, assigned, { details = options.details, alone = true, where = where }) }
end

--- Cross-validates every rule on the same folds. A fold for which a rule cannot be fitted is left out of the errors of that
--- rule; raises a fault if this is so for all folds of all rules.
---@param options { details: boolean?, predictions: boolean?, alone: boolean?, levels: boolean?, quiet: boolean? }?   of
---                      crossval.evaluate; `levels` keeps the names of levels; unless `quiet`, folds left out are reported
---@return Evaluation[]   with the formula that was fitted in each fold, if any, and the kind of calibration
---@return StoredFrame   the rows
---@return userdata[]    the folds of each repeat
function validation.evaluate(rules, data, args, weights, options)
  local frames = validation.frames(rules, data, args, weights, options and options.levels)
  local assigned = validation.assignments(frames[1], args, data.name)
  local evaluations, kind, has_errors = {}, calibration.kind(rules, frames, args.calibrate), false
  if args.journal then args.journal.total = #rules * #assigned end
  local bar <close> = args.progress(nil, "ratings of all rows") -- where params are tuned
  for i, rule in ipairs(rules) do
    local formula, frame, method = calibration.problem(kind, rule, frames[i])
    local where = #rules > 1 and ("%s: %s"):format(rule:who(), data.name) or data.name
    evaluations[i] = crossval.repeated(formula, frame, assigned, setmetatable({ method = method, skips = true,
      tolerance = args.tolerance, where = where, scale = rule.scale, is_opposed = rule:is_opposed(),
      unconverged = args.unconverged, advance = function() bar:advance() end }, { __index = options }),
      args.journal and journaled(args.journal))
    evaluations[i].formula, evaluations[i].calibration = formula, not frames[i].formula and kind or nil
    has_errors = has_errors or evaluations[i].errors.mae ~= nil
    if has_errors and not (options and options.quiet) then report_failures(evaluations[i], args) end
    validation.report_unseen(where, (select(2, crossval.gaps(evaluations[i]))), args)
  end
  if not has_errors then fault.raise(evaluations[1].folds[1].failure) end
  return evaluations, frames[1], assigned
end

--- The way that levels are predicted, in words.
local function how(rule, formula, kind, assigned, args)
  if not formula then return rule.formula and "by the rule's own coefficients" or "by the rule as it stands" end
  return ("%s in %s"):format(kind and "calibrated by " .. calibration.kinds[kind].doc or "cross-validated",
    crossval.folds_text(assigned, args.group))
end

--- Predictions of the levels by cross-validation, as plot.predicted and plot.errors take them.
---@param frame StoredFrame
---@param assigned userdata[]   folds
function validation.predictions(rule, evaluation, frame, assigned, args)
  return { levels = frame.levels, values = frame.target, predictions = evaluation.predictions, target = rule.predicts,
    how = how(rule, evaluation.formula, evaluation.calibration, assigned, args), worst = args.worst }
end

--- The rows of accuracy.statistics that --statistics names, in its order, and whether they need details; nil without names.
---@param names string[]?
---@return table[]?
---@return boolean?
function validation.chosen(names)
  if not names then return nil end
  local chosen, has_details = {}, false
  for i, name in ipairs(names) do
    chosen[i] = accuracy.by_key[name]
      or fault.unknown("--statistics", "statistic", name, lists.field(accuracy.statistics, "key"), 2)
    has_details = has_details or chosen[i].details or false
  end
  return chosen, has_details
end

--- The keys of the usual errors.
---@return table<string, boolean>
function validation.usual(weighted)
  return { mae = true, relative_percent = true, rmse = true, weighted_mae = weighted, weighted_relative_percent = weighted }
end

--- The columns of a table of errors; all but the usual ones are details, unless they were chosen.
---@param first Column[]
---@param more table<string, boolean>?   keys of further ones that are no details
---@param chosen table[]?   of validation.chosen
function validation.columns(first, weighted, more, chosen)
  local usual = validation.usual(weighted)
  return lists.concat(first, lists.map(chosen or accuracy.statistics, function(statistic)
    local key = statistic.key
    return { key = key, is_detail = not (chosen or usual[key] or more and more[key]) }
  end))
end

--- A row of a table: fields and errors.
function validation.row(fields, errors)
  for _, statistic in ipairs(accuracy.statistics) do fields[statistic.key] = errors[statistic.key] end
  return fields
end

--- The table of errors: a row for each fold, or for each repeat, which are all the same for a rule as it stands; one for all
--- levels; and one for the baseline.
---@param chosen table[]?   of validation.chosen
function validation.error_table(evaluation, rule, chosen)
  local columns = validation.columns({ { key = "fold" }, { key = "n_train" }, { key = "n_test" } },
    rule.weights ~= nil, nil, chosen)
  local rows = {}
  for i, errors in ipairs(evaluation.formula and evaluation.times or {}) do
    rows[i] = validation.row({ fold = "repeat " .. i, n_test = evaluation.n }, errors)
  end
  for i, fold in ipairs(evaluation.times and {} or evaluation.folds) do
    rows[i] = validation.row({ fold = tostring(fold.fold), n_train = fold.n_train, n_test = fold.n_test }, fold.errors)
  end
  table.insert(rows, validation.row({ fold = "all", n_test = evaluation.n }, evaluation.errors))
  table.insert(rows, validation.row({ fold = "baseline", n_test = evaluation.n }, evaluation.baseline))
  return { columns = columns, rows = rows }
end

--- Appends errors to pairs for json.object.
---@param chosen table[]?   of validation.chosen; all unless given
function validation.pairs(fields, errors, chosen)
  for _, key in ipairs(lists.field(chosen or accuracy.statistics, "key")) do table.insert(fields, { key, errors[key] }) end
  return fields
end

return validation
