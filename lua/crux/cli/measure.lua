--- crux measure: makes a dataset of measures from level files.
local tables = require "crux.out.tables"
local sinks = require "crux.out.sinks"
local formats = require "crux.out.formats"
local arguments = require "crux.task.arguments"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local profile_report = require "crux.cli.profile_report"
local search_trace = require "crux.cli.search_trace"
local examination = require "crux.cli.examination"
local trace_report = require "crux.cli.trace_report"

local function names_of(measures)
  local names = {}
  for i, measure in ipairs(measures) do names[i] = measure.name end
  return names
end

local function list(game, args)
  local rows, columns = {}, { { key = "measure" }, { key = "kind" }, { key = "optional" }, { key = "doc" } }
  for i, measure in ipairs(game.measures) do
    rows[i] = { measure = measure.name, kind = measure.kind, optional = measure.optional and "yes" or "", doc = measure.doc }
  end
  tables.save(args.output, formats.choose(args.format, args.output, "table"), columns, rows)
end

local function run(args)
  local game = games.load(args.game)
  if args.list then return list(game, args) end
  if args.trace and args.journal then fault.raise("--resume is for measures, not for --trace", 2) end
  if args.trace and args.path then fault.raise("--path is for measures, not for --trace", 2) end
  if args.trace then return search_trace.print(args, examination.limits(args)) end
  local sink <close> = sinks.open(args.output)
  local names = names_of(game:choose(args.measures))
  local columns = { { key = "level" } }
  for _, name in ipairs(names) do table.insert(columns, { key = name }) end
  local writer = tables.writer(sink, formats.choose(args.format, args.output, "csv"), columns)
  local report = args.trace_report and trace_report.new()
  local profile = args.profile and profile_report.new()
  local asked = { measures = names, searches = args.trace_report, profile = args.profile }
  local finish = examination.run(game, args, asked, function(finding)
    finding.row.level = finding.level
    writer:add(finding.row)
    if report then report:add(finding.searches) end
    if profile then profile:add(finding.profile) end
  end)
  writer:finish()
  sink:commit()
  if report then report:print() end
  if profile then profile:print() end
  finish()
end

return {
  details = "Reads levels and prints a row of measures for each: a dataset, which 'crux rate', 'fit' and the others take. "
    .. "A level that has no solution, or is not solved within the limits, has no values for the measures of a solution. The "
    .. "result is a table on a terminal and CSV elsewhere.\n\n"
    .. "The columns of --trace-report: the fields of a state; how many levels and states; what ran step: 'shared' "
    .. "programs serve several levels, 'single' ones one, 'Lua' is no program; operations of the program, bits of the lanes "
    .. "that it runs in, bits of a state, bytes of memory for each; seconds for step, the set of states, and the rest; and "
    .. "what made lanes wider than 16 bits, or why there is no program (see docs/search.md).\n\n"
    .. "The rows of --profile: the game's functions, what they took without what they call, and what crux took in C; "
    .. "search.step and search.heuristic run in Lua to be recorded, and where that cannot be done.",
  arguments = { arguments.game, arguments.levels },
  options = examination.options { "measures", "path", { flags = "--list", doc = "List the game's measures instead." },
    { flags = "--trace-report", doc = "Print time and memory of the searches on standard error, by kind of state." },
    { flags = "--trace", value = "LEVEL", doc = "Show the search of the level of this name instead: states by depth, what each "
      .. "move makes of the start, and the solution state by state." },
    { flags = "--profile", doc = "Print the time of each function of the game on standard error." } },
  examples = {
    "crux measure flow flow-levels/ -o levels.csv",
    "crux measure lazors --measures size,courses,solutions one.bff",
    "crux measure move --list",
    "crux measure dungeongrams --path mean levels.txt",
    "crux measure move --trace 1 move-levels/",
  },
  run = run,
}
