--- crux report: the task, whose page is saved.
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local task = require "crux.task.report"
local terminal = require "libcrux.terminal"

local function run(args)
  if not args.output and terminal.is_terminal(io.stdout) then
    fault.raise("expected -o FILE.html: a page is for browsers", 2)
  end
  formats.ending(args.output or "", { "html", "htm" })
  local report = task.run(args)
  sinks.save(args.output, report.page)
  if report.finish then report.finish() end
end

return lists.merge(task, { run = run })
