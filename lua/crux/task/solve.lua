--- The task solve: solutions of levels.
local formats = require "crux.out.formats"
local arguments = require "crux.option.arguments"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.option.options"
local search_folder = require "crux.run.search_folder"
local tables = require "crux.out.tables"
local examination = require "crux.task.shared.examination"
local workers = require "libcrux.workers"

local columns = formats.columns { "level", "solved", "length", "solution", "solutions", "expanded", "generated" }

--- The row of a finding; `solved` is empty when a limit was met.
local function row_of(finding)
  local solution = finding.solution
  local row = { level = finding.level, length = solution.length, solution = solution.text, expanded = solution.expanded,
    generated = solution.generated, solutions = solution.solutions }
  if solution.status ~= "unknown" then row.solved = solution.status == "solved" end
  return row
end

--- The report of one level whose states are in a folder.
local function run_on_disk(args)
  local folder <close> = args.prepared or search_folder.open(args.disk)
  for _, name in ipairs { "all", "resume", "path" } do
    if args[name] then fault.raise(("found --disk and --%s, expected one of them"):format(name), 2) end
  end
  if workers.count(1) > 1 then fault.at("--disk", "several processes", "one") end
  local game = games.load(args.game)
  if not game.search then fault.raise "--disk needs a step that is compiled (docs/search.md): found a game without search" end
  local inputs = game:inputs(args.levels)
  examination.note_files(game, folder, inputs)
  local count = #game:expect_entries(inputs)
  if count ~= 1 then fault.at("--disk", number.count(count, "level"), "one") end
  local columns_of_layers = lists.concat(columns, formats.columns { "states", "layers" })
  local on_disk = lists.merge(args, { folder = folder, jobs = 1 })
  local report = examination.report(game, on_disk, { solve = true }, columns_of_layers, function(finding)
    local own = { states = folder.states or 1, layers = table.concat(folder.sizes or { 1 }, " ") } -- else the start is a win
    finding.solution = lists.merge(finding.solution, own)
    return lists.merge(row_of(finding), own)
  end)
  local rows = tables.rows(report.tables[1].rows) -- while the folder is open
  report.tables[1].rows = function(writer)
    for _, row in ipairs(rows) do writer:add(row) end
  end
  return report
end

local function run(args)
  if args.disk then return run_on_disk(args) end
  if args.path == "mean" then fault.raise("found --path mean, expected the name of one solution", 2) end
  return examination.report(games.load(args.game), args, { solve = true }, columns, row_of)
end

return {
  summary = "Solve levels.",
  details = "Reads levels and draws the solution of each; with --format, or -o FILE.csv, prints a row for each instead; "
    .. "with --format svg, or -o FILE.svg, one picture of all. Of "
    .. "several shortest solutions it is the first in the order of the game's moves.",
  arguments = { arguments.game, arguments.levels },
  options = examination.options({
    options.like("path", { doc = "Which solution: 'shortest', unless given, or another that the game names, such as "
      .. "'authors' of dungeongrams." }),
    "disk",
    { flags = "--all", doc = "Count the solutions, too (of games with moves, the shortest)." },
  }, options.format_with "svg"),
  examples = { "crux solve lazors one.bff", "crux solve move --all move-levels/ --format csv",
    "crux solve flow datasets/levels/flow/7.txt -o solution.svg", "crux solve move --disk states move-levels/1.txt" },
  run = run,
}
