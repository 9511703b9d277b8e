--- From a command's arguments to rules and datasets, and what is said about rows that were left out.
local dataset = require "crux.dataset"
local fault = require "crux.fault"
local number = require "crux.number"
local output = require "crux.output"
local rule = require "crux.rule"

local inputs = {}

--- A rule as the options want it: another target, other weights.
local function adjust(self, args)
  if args.target then self = self:for_target(args.target) end
  if args.weights then self = self:with { weights = args.weights } end
  return self
end

--- The rule in a file or of a name.
function inputs.rule(path, args) return adjust(rule.load(path), args) end

--- The rule that is a formula.
function inputs.formula(text, args) return adjust(rule.from_formula(text, args.weights), args) end

--- The rule and the path of the data of a command that takes RULE DATA, or --formula FORMULA DATA.
function inputs.rule_and_path(args)
  if args.formula then
    if not args.rule then fault.raise("expected DATA behind --formula", 2) end
    if args.data then fault.raise(("found '%s' and --formula, expected one of them"):format(args.rule), 2) end
    return inputs.formula(args.formula, args), args.rule
  end
  if not args.data then
    fault.raise("expected RULE and DATA, or --formula FORMULA and DATA", 2)
  end
  return inputs.rule(args.rule, args), args.data
end

--- The dataset in a file, with the columns of --with.
---@return Dataset
function inputs.data(path, args)
  local data = dataset.open(path, { delimiter = args.delimiter })
  if args.with then data = dataset.join(data, dataset.open(args.with, { delimiter = args.delimiter })) end
  return data
end

--- Says how many rows a join left out in the last pass.
function inputs.tell_unmatched(data, args)
  if data.unmatched and data.unmatched > 0 then
    output.say(("%s: %s left out: no such level in %s"):format(data.name, number.count(data.unmatched, "row"), args.with))
  end
end

--- Says what the last pass over a design left out.
---@param frames Design
function inputs.tell_omitted(frames, args)
  inputs.tell_unmatched(frames.data, args)
  if frames.omitted > 0 then
    output.say(("%s: %s left out: a value is missing"):format(frames.data.name, number.count(frames.omitted, "row")))
  end
  if frames.weightless > 0 then
    output.say(("%s: %s left out: the weight is 0"):format(frames.data.name, number.count(frames.weightless, "row")))
  end
end

return inputs
