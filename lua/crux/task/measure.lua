--- The task measure: makes a dataset of measures from level files.
local arguments = require "crux.option.arguments"
local examination = require "crux.task.shared.examination"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local lists = require "crux.base.lists"

local function list(game)
  return { tables = { { columns = formats.columns { "measure", "kind", "optional", "doc" },
    rows = lists.map(game.measures, function(measure)
      return { measure = measure.name, kind = measure.kind, optional = measure.optional and "yes" or "", doc = measure.doc }
    end) } } }
end

local function run(args)
  local game = games.load(args.game)
  if args.list then return list(game) end
  local names = lists.field(args.all and game.measures or game:choose(args.measures))
  local columns = formats.columns(lists.concat({ "level" }, names))
  args = setmetatable({ all = false }, { __index = args }) -- which asks a solver for all solutions
  return examination.report(game, args, { measures = names }, columns, function(finding)
    finding.row.level = finding.level
    return finding.row
  end)
end

return {
  summary = "Measure levels.",
  details = "Reads levels and prints a row of measures for each: a dataset, which 'crux rate', 'fit' and the others take. "
    .. "A level that has no solution, or is not solved within the limits, has no values for the measures of a solution. The "
    .. "result is a table on a terminal and CSV elsewhere.",
  arguments = { arguments.game, arguments.levels },
  options = examination.options { "measures", { flags = "--all", doc = "All measures, also the optional ones." }, "path",
    { flags = "--list", doc = "List the game's measures instead." } },
  format = "csv",
  examples = {
    "crux measure flow flow-levels/ -o levels.csv",
    "crux measure lazors --measures size,courses,solutions one.bff",
    "crux measure move --list",
    "crux measure move --all move-levels/",
    "crux measure dungeongrams --path mean levels.txt",
  },
  run = run,
}
