--- crux measure: from level files to a dataset of measures.
local game = require "crux.game"
local output = require "crux.output"
local survey = require "crux.cli.survey"

local function names_of(measures)
  local names = {}
  for i, measure in ipairs(measures) do names[i] = measure.name end
  return names
end

local function list(self)
  local rows = {}
  for i, measure in ipairs(self.measures) do
    rows[i] = { measure = measure.name, kind = measure.kind, optional = measure.optional and "yes" or "", doc = measure.doc }
  end
  return rows
end

local function run(args)
  local self = game.load(args.game)
  local sink <close> = output.open(args.output)
  if args.list then
    local columns = { { key = "measure" }, { key = "kind" }, { key = "optional" }, { key = "doc" } }
    local writer = output.writer(sink, output.format(args.format, args.output, "table"), columns)
    for _, row in ipairs(list(self)) do writer:add(row) end
    writer:finish()
    sink:commit()
    return
  end
  local names = names_of(self:choose(args.measures))
  local columns = { { key = "level" } }
  for _, name in ipairs(names) do table.insert(columns, { key = name }) end
  local writer = output.writer(sink, output.format(args.format, args.output, "csv"), columns)
  local finish = survey.run(args, { measures = names }, function(finding)
    finding.row.level = finding.level
    writer:add(finding.row)
  end)
  writer:finish()
  sink:commit()
  finish()
end

return {
  name = "measure",
  summary = "Measure levels.",
  details = "Reads levels and prints a row of measures for each: a dataset, which 'crux rate', 'fit' and the others take. "
    .. "A level that has no solution, or is not solved within the limits, has no values for the measures of a solution. The "
    .. "result is a table on a terminal and CSV elsewhere.",
  arguments = survey.arguments,
  options = survey.options { "measures", "informed", { flags = "--list", doc = "List the game's measures instead." } },
  examples = {
    "crux measure flow flow-levels/ -o levels.csv",
    "crux measure lazors --measures size,courses,solutions one.bff",
    "crux measure move --list",
  },
  run = run,
}
