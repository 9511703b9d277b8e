--- Player study_data of a task's arguments, and rules about them.
local attempts = require "crux.data.attempts"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plays = require "crux.rule.plays"

local study_data = {}

--- The player study in some files, a row an attempt or a row a play.
---@return Dataset
function study_data.attempts(paths, args)
  return dataset.chain(lists.map(paths, function(path)
    return dataset.open(path, { delimiter = args.delimiter, rename = args.rename })
  end))
end

--- The player study in some files, a row a play, with the columns of --with.
---@return Dataset
function study_data.plays(paths, args)
  local data, unfinished, joined = attempts.merged(study_data.attempts(paths, args))
  if joined then
    args.say(("%s: %s made %s: times, moves and losses are added up, the rest is of the last attempt"):format(data.name,
      number.count(joined.attempts, "attempt"), number.count(joined.plays, "play")))
  end
  if unfinished > 0 then
    args.say(("%s: %s left out: neither solved nor skipped"):format(data.name, number.count(unfinished, "play")))
  end
  return inputs.join(data, args)
end

--- The plays in some files that solved a level, with the columns of --with.
---@return Dataset
function study_data.solved(paths, args) return inputs.join(attempts.solved(study_data.attempts(paths, args)), args) end

--- The rule of a command with arguments STUDY [RULE] or --formula FORMULA, with grouping terms.
function study_data.rule(args)
  if args.rule and args.formula then
    fault.raise(("found '%s' and --formula, expected one of them"):format(args.rule), 2)
  end
  return args.rule and inputs.rule(args.rule, args) or inputs.formula(args.formula or plays.formula, args)
end

--- The options of crux.rule.plays for a command.
function study_data.options(data, args)
  local function warn(line) args.say(("%s: %s"):format(data.name, line)) end
  return { pass = inputs.pass(args), errors = args.errors, warn = warn }
end

--- The plays of a command with a rule of study_data.rule, with the columns of --with. What is known about a level that the
--- player left is a lower bound: unless the rule takes it as one, or is about outcomes, these rows are left out.
function study_data.kept(path, rule, args)
  local data, target = inputs.data(path, args), rule.formula and rule.formula.response
  if not data.has.abandoned or not target or target == "solved" or target == "skipped" or rule.method:censored() then
    return data
  end
  local kept, abandoned = attempts.kept(data)
  if abandoned > 0 then
    args.say(("%s: %s left out: the player left the level"):format(data.name, number.count(abandoned, "row")))
  end
  return kept
end

return study_data
