--- The command of a task: it prints the task's report, and saves the rule, the levels or the state that the task makes.
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"

--- Loaded for tasks that make levels: the others need no game.
local function level_writer() return require "crux.game.level_writer" end

--- Opens the outputs of a task that writes a rule or levels to --output, and may print; returns what the task opened.
local function prepare(task, args)
  if task.writes_rule then
    sinks.reserve(nil)
    if args.output then sinks.reserve(args.output) end
    if args.plot then sinks.reserve(args.plot) end
    return sinks.join()
  elseif task.writes then
    local files = task.writes(args)
    sinks.reserve(args.output)
    for _, path in ipairs(lists.keys(files)) do sinks.reserve(path) end
    if next(files) then sinks.join() end
    return files
  end
  local count, opened = task.writes_levels(args)
  if count then level_writer().reserve(args.output, count) else sinks.reserve(args.output) end
  if count and args.output and args.output ~= "-" then
    sinks.reserve(nil)
    sinks.join()
  end
  return opened
end

local function show(task, report, args)
  local path = not task.writes_rule and not report.levels and args.output or nil
  if report.script then sinks.save(args.output, report.script) end
  if report.levels and report.levels[1] then level_writer().save(args.output, report.levels, report.level_format) end
  if report.tables and (args.output or not report.levels) then
    tables.report(path, formats.choose(args.format, path, not args.list and task.format or "table"), report)
  end
  if report.state and args.state then tables.save(args.state, "csv", report.state.columns, report.state.rows) end
  if report.files then -- where there are none, results may be printed by now, and no memory be left
    for name, text in pairs(report.files) do sinks.save(name, text) end
  end
  if args.finish then args.finish() end
  sinks.finish()
  if report.finish then report.finish() end
end

---@return table   a command, as crux.cli has it
return function(task)
  local has_files = task.writes_rule or task.writes_levels
  local function run(args)
    args.form = formats.choose(args.format, not has_files and args.output or nil, task.format or "table")
    args.details = args.form == "json" or formats.is_data(args.form)
    show(task, task.run(args), args)
  end
  return lists.merge(task, { run = run,
    prepare = (has_files or task.writes) and function(args) return prepare(task, args) end or nil })
end
