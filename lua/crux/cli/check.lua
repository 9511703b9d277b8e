--- crux check: the task, and what the sandbox of this process refuses.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sandbox_report = require "crux.cli.sandbox_report"
local task = require "crux.task.check"
local task_command = require "crux.cli.task_command"

local function run(args)
  if not args.sandbox then return task_command(task).run(args) end
  if args.format == "junit" then
    fault.raise("--format junit is not for --sandbox, nor for --game and levels alone", 2)
  end
  sandbox_report.print(args)
end

local options = lists.copy(task.options)
table.insert(options, 5, { flags = "--sandbox",
  doc = "Try what scripts must not do instead, and print what the sandbox refuses (SECURITY.md)." })

return lists.merge(task, { run = run, options = options,
  examples = lists.concat(task.examples, { "crux check --sandbox" }) })
