--- From a command's arguments to rules and datasets, and what is said about rows that were left out.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local output = require "crux.out.output"
local rule = require "crux.rule.rule"
local system = require "libcrux.system"

local inputs = {}

--- A rule as the options want it: another target, other weights.
local function adjust(self, args)
  if args.target then self = self:for_target(args.target) end
  if args.weights then self = self:with { weights = args.weights } end
  if args.fit and (self.formula or self.tunable) then self = self:fitted_by(self:method_of(args.fit, "--fit")) end
  return self
end

--- The rule in a file or of a name.
function inputs.rule(path, args)
  local self = rule.load(path)
  if args.journal then args.journal:files(self.sources) end
  return adjust(self, args)
end

--- The rule that is a formula.
function inputs.formula(text, args) return adjust(rule.from_formula(text, args.weights), args) end

--- Whether a word of the command line is a formula rather than a rule.
function inputs.is_formula(text) return text:find("~", 1, true) and not system.is_regular(text) end

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
  if inputs.is_formula(args.rule) then
    fault.raise(("found the formula %s as the rule, expected --formula in front of it"):format(fault.show(args.rule)), 2)
  end
  return inputs.rule(args.rule, args), args.data
end

--- A dataset with the columns of --with.
---@return Dataset
function inputs.join(data, args)
  if args.with and args.journal then args.journal:files { args.with } end
  return args.with and dataset.join(data, dataset.open(args.with, { delimiter = args.delimiter })) or data
end

--- The player study in some files, with the columns of --with.
---@return Dataset
function inputs.study(paths, args)
  local parts = {}
  for i, path in ipairs(paths) do parts[i] = dataset.open(path, { delimiter = args.delimiter }) end
  return inputs.join(dataset.chain(parts), args)
end

--- The dataset in a file, with the columns of --with.
---@return Dataset
function inputs.data(path, args)
  if args.journal then args.journal:files { path } end
  return inputs.join(dataset.open(path, { delimiter = args.delimiter }), args)
end

--- Opens what a command writes to that prints, and writes a rule if it is asked to.
function inputs.prepare_rule(args)
  output.reserve(nil)
  if args.output then output.reserve(args.output) end
end

--- How many rows the last pass over a dataset or design left out, and why, as lines.
---@param frames Design|nil
local function left_out(data, frames, args)
  local lines = {}
  for _, case in ipairs {
    { data.unmatched or 0, "no such level in " .. (args.with or "") },
    { frames and frames.omitted or 0, "a value is missing" },
    { frames and frames.weightless or 0, "the weight is 0" },
  } do
    local count, reason = table.unpack(case)
    if count > 0 then table.insert(lines, ("%s left out: %s"):format(number.count(count, "row"), reason)) end
  end
  return lines
end

--- Says lines about data; those in `args.told`, if it is there, only once.
local function tell(data, lines, args)
  for _, line in ipairs(lines) do
    local text, told = ("%s: %s"):format(data.name, line), args.told or {}
    if not told[text] then
      told[text] = true
      table.insert(told, text)
      output.say(text)
    end
  end
end

--- Says how many rows a join left out in the last pass.
function inputs.tell_unmatched(data, args) tell(data, left_out(data, nil, args), args) end

--- Calls what makes a pass over a design, and says what was left out; a fault is told that, too.
---@param frames Design
function inputs.telling(frames, args, f, ...)
  local results = table.pack(pcall(f, ...))
  local lines = left_out(frames.data, frames, args)
  if results[1] then
    tell(frames.data, lines, args)
    return table.unpack(results, 2, results.n)
  end
  local problem = results[2]
  if fault.is(problem) and #lines > 0 then
    problem = fault.new { message = ("%s (%s)"):format(problem.message, table.concat(lines, "; ")), status = problem.status,
      traceback = problem.traceback }
  end
  error(problem, 0)
end

return inputs
