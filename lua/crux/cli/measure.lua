--- crux measure: the task, and what its searches did.
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local measure_reports = require "crux.cli.measure_reports"
local search_trace = require "crux.cli.search_trace"
local task = require "crux.task.measure"
local task_command = require "crux.cli.task_command"

local function run(args)
  if args.trace and args.journal then fault.raise("--resume is for measures, not for --trace", 2) end
  if args.trace and args.path then fault.raise("--path is for measures, not for --trace", 2) end
  if args.trace then return search_trace.print(args, examination.limits(args)) end
  local searches = args.trace_report and measure_reports.new()
  local profile = args.profile and measure_reports.new()
  args.asked = { searches = args.trace_report, profile = args.profile }
  function args.each(finding)
    if searches then measure_reports.add_searches(searches, finding.searches) end
    if profile then measure_reports.add_profile(profile, finding.profile) end
  end
  function args.finish()
    if searches then measure_reports.print_searches(searches) end
    if profile then measure_reports.print_profile(profile) end
  end
  task_command(task).run(args)
end

return {
  details = task.details
    .. "\n\nThe columns of --trace-report: the fields of a state; how many levels and states; what ran step: "
    .. "'shared' programs serve several levels, 'single' ones one, 'Lua' is no program; operations of the program, bits of the "
    .. "lanes that it runs in, bits of a state, bytes of memory for each; seconds for step, the set of states, and the rest; "
    .. "and what made lanes wider than 16 bits, or why there is no program (see docs/search.md).\n\n"
    .. "The rows of --profile: the game's functions, what they took without what they call, and what crux took in C; "
    .. "search.step and search.heuristic run in Lua to check some states of a program, and where there is none.",
  arguments = task.arguments,
  options = lists.concat(task.options, {
    { flags = "--trace-report", doc = "Print time and memory of the searches on standard error, by kind of state." },
    { flags = "--trace", value = "LEVEL", doc = "Show the search of the level of this name instead: states by depth, what each "
      .. "move makes of the start, and the solution state by state." },
    { flags = "--profile", doc = "Print the time of each function of the game on standard error." } }),
  examples = lists.concat(task.examples, { "crux measure move --trace 1 move-levels/" }),
  run = run,
}
