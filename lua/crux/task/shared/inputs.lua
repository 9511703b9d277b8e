--- Rules, datasets and fits of a task's arguments, and reports of rows that were left out.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local rules = require "crux.rule.rule"
local file_system = require "libcrux.files"

local inputs = {}

--- A rule with the target, weights and fit of the options.
local function adjust(rule, args)
  if args.target then rule = rule:for_target(args.target) end
  if args.target_falls then rule = rule:for_falling_target() end
  if args.weights then rule = rule:with { weights = args.weights } end
  if args.fit and (rule.formula or rule.tunable) then rule = rule:fitted_by(rules.method_of(args.fit, "--fit")) end
  return rule
end

--- The rule of a path or name, or the rule itself. A formula is none: it has no numbers yet.
function inputs.rule(path, args)
  if type(path) == "table" then return adjust(path, args) end
  if inputs.is_formula(path) then
    fault.raise(("found the formula '%s', expected a rule; crux fit '%s' DATA -o RULE.lua writes one"):format(path, path))
  end
  if path:find "=" and not file_system.is_regular(path) then fault.at(("formula '%s'"):format(path), "'='", "'~'") end
  local rule = rules.load(path)
  if args.journal then args.journal:files(rule.sources) end
  return adjust(rule, args)
end

function inputs.formula(text, args) return adjust(rules.from_formula(text, args.weights), args) end

--- Returns true if a word of the command line is a formula, not a rule.
function inputs.is_formula(text)
  return type(text) == "string" and text:find("~", 1, true) and not file_system.is_regular(text)
end

--- The rule and the path of the data of a command with arguments RULE DATA, or --formula FORMULA DATA.
function inputs.rule_and_path(args)
  if args.formula then
    local path = args.data or args.rule -- a single argument is the first one
    if not path then fault.raise("expected DATA behind --formula", 2) end
    if args.data and args.rule then fault.raise(("found '%s' and --formula, expected one of them"):format(args.rule), 2) end
    return inputs.formula(args.formula, args), path
  end
  if not args.data then
    fault.raise("expected RULE and DATA, or --formula FORMULA and DATA", 2)
  end
  return inputs.is_formula(args.rule) and inputs.formula(args.rule, args) or inputs.rule(args.rule, args), args.data
end

--- A dataset with the columns of --with.
function inputs.join(data, args)
  if args.with and args.journal then args.journal:files { args.with } end
  return args.with and dataset.join(data, dataset.open(args.with, { delimiter = args.delimiter })) or data
end

--- A dataset, or that in a file, with the columns of --with.
function inputs.data(path, args)
  if type(path) == "table" then return inputs.join(path, args) end
  if args.journal then args.journal:files { path } end
  return inputs.join(dataset.open(path, { delimiter = args.delimiter, rename = args.rename }), args)
end

--- A rule with the game of --game, which must exist.
function inputs.for_game(rule, args)
  if not args.game then return rule end
  require "crux.game.game".load(args.game) -- only here: the game room takes a millisecond to load
  return rule:with { game = args.game, written_game = false }
end

--- The name of a rule that a command writes to --output: that of the file.
function inputs.output_name(args) return (args.output:match "([^/]*)$":gsub("%.lua$", "")) end

--- Lines about the numbers of rows that the last pass over a dataset or design left out, and why.
---@param frames Design|nil
local function left_out(data, frames, args)
  local lines = {}
  for _, case in ipairs {
    { data.unmatched or 0, ("no such %s in %s"):format(table.concat(data.keys or {}, " and "), args.with) },
    { frames and frames.omitted or 0, "a value is missing" },
    { frames and frames.weightless or 0, "the weight is 0" },
  } do
    local count, reason = table.unpack(case)
    if count > 0 then table.insert(lines, ("%s left out: %s"):format(number.count(count, "row"), reason)) end
  end
  return lines
end

--- Says lines about data; with `args.told`, a list that keeps them, each once.
local function report(data, lines, args)
  for _, line in ipairs(lines) do
    local text, told = ("%s: %s"):format(data.name, line), args.told or {}
    if not told[text] then
      told[text] = true
      table.insert(told, text)
      args.say(text)
    end
  end
end

--- Reports the number of rows that a join left out in the last pass.
function inputs.report_unmatched(data, args) report(data, left_out(data, nil, args), args) end

--- Calls a function that makes a pass over a design, and reports the rows that were left out, also in a fault's message.
---@param frames Design
function inputs.report_left_out(frames, args, f, ...)
  local results = table.pack(pcall(f, ...))
  local lines = left_out(frames.data, frames, args)
  if results[1] then
    report(frames.data, lines, args)
    return table.unpack(results, 2, results.n)
  end
  local problem = results[2]
  if fault.is(problem) and #lines > 0 then
    problem = fault.new { message = ("%s (%s)"):format(problem.message, table.concat(lines, "; ")), status = problem.status,
      traceback = problem.traceback }
  end
  error(problem, 0)
end

--- The Pass of a command: inputs.report_left_out.
function inputs.pass(args)
  return function(frames, f, ...) return inputs.report_left_out(frames, args, f, ...) end
end

--- The fit of a rule to a dataset, or that in a file, with intervals of its terms, and the fitted problem.
---@return Fitted
---@return Problem   its frames are a Design
function inputs.fitted(rule, path, args)
  rule:fittable() -- refuses a rule before the data are opened
  local data, bar <close> = inputs.data(path, args), args.progress(nil, "ratings of all rows")
  local fitted, problem = rule:estimate(data, { tolerance = args.tolerance, unconverged = args.unconverged,
    pass = inputs.pass(args), advance = function() bar:advance() end })
  if not args.unconverged then problem.frames:expect_variety(fitted.n) end
  rule.method:complete_intervals(fitted, problem, args.draws, args.seed)
  return fitted, problem
end

return inputs
