--- The task measure: makes a dataset of measures from level files.
local arguments = require "crux.option.arguments"
local bots = require "crux.bots.bots"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
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

local function read_bots(text, flag)
  local names, params = bots.read(text)
  if names then return { names = names, params = params } end
  return nil, ("%s: %s"):format(flag, params)
end

--- The names of all measures of some bots.
local function of_bots(names)
  local all = {}
  for _, name in ipairs(names) do
    for _, figure in ipairs(bots.figures) do table.insert(all, ("%s_%s"):format(name, figure[1])) end
  end
  return all
end

local function run(args)
  local game = games.load(args.game)
  if args.list then return list(game) end
  local played = args.bots or { names = {} }
  if #played.names > 0 and not game.search then
    fault.raise(("%s: bots make the moves of the game's 'search', and it has none"):format(game.path))
  end
  local names = lists.union(lists.field(args.all and game.measures or game:choose(args.measures)), of_bots(played.names))
  local columns = formats.columns(lists.concat({ "level" }, names))
  local settings = { runs = args.runs, seed = args.seed, params = played.params }
  args = setmetatable({ all = false, played = settings }, { __index = args }) -- which asks a solver for all solutions
  return examination.report(game, args, { measures = names }, columns, function(finding)
    finding.row.level = finding.level
    return finding.row
  end)
end

return {
  summary = "Measure levels.",
  details = "Reads levels and prints a row of measures for each: a dataset, which 'crux rate', 'fit' and the others take. "
    .. "A level that has no solution, or is not solved within the limits, has no values for the measures of a solution. "
    .. "A measure of a bot, such as limited_pass, can be named as the others. The result is a table on a terminal and CSV "
    .. "elsewhere.",
  arguments = { arguments.game, arguments.levels },
  options = examination.options { "measures", { flags = "--all", doc = "All measures, also the optional ones." }, "path",
    { flags = "--list", doc = "List the game's measures instead." },
    { flags = "--bots", value = "NAME,...", convert = read_bots,
      doc = "Let programs play each level, and add what their plays tell: random, greedy, limited, mcts; with parameters as "
        .. "limited:depth=4:errors=0.2. See docs/bots.md." },
    { flags = "--runs", value = "N", convert = convert.integer(1), default = "100", doc = "Plays of each bot" },
    { flags = "--seed", value = "N", convert = convert.integer(0), default = "1", doc = "Seed of the plays" } },
  format = "csv",
  examples = {
    "crux measure flow flow-levels/ -o levels.csv",
    "crux measure lazors --measures size,courses,solutions one.bff",
    "crux measure move --list",
    "crux measure move --all move-levels/",
    "crux measure dungeongrams --path mean levels.txt",
    "crux measure move --bots random,limited:depth=2 move-levels/",
  },
  run = run,
}
