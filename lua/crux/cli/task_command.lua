--- The command of a task: it prints the task's report, and saves the rule that the task writes.
local formats = require "crux.out.formats"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"

--- Opens the outputs of a task that writes a rule to --output, and prints.
local function prepare(args)
  sinks.reserve(nil)
  if args.output then sinks.reserve(args.output) end
  sinks.join()
end

---@param task Task
---@return table   a command, as crux.cli has it
return function(task)
  local function run(args)
    local path = not task.writes_rule and args.output or nil
    local format = formats.choose(args.format, path, task.format or "table")
    args.details = format == "json" or formats.is_data(format)
    local report = task.run(args)
    if report.script then sinks.save(args.output, report.script) end
    tables.report(path, args.list and formats.choose(args.format, path, "table") or format, report)
    if args.finish then args.finish() end
    if report.finish then report.finish() end
  end
  return setmetatable({ run = run, prepare = task.writes_rule and prepare or nil }, { __index = task })
end
