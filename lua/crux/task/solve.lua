--- The task solve: solutions of levels.
local formats = require "crux.out.formats"
local arguments = require "crux.option.arguments"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local options = require "crux.option.options"
local examination = require "crux.task.shared.examination"

local columns = formats.columns { "level", "solved", "length", "solution", "solutions", "expanded", "generated" }

--- The row of a finding; `solved` is empty when a limit was met.
local function row_of(finding)
  local solution = finding.solution
  local row = { level = finding.level, length = solution.length, solution = solution.text, expanded = solution.expanded,
    generated = solution.generated, solutions = solution.solutions }
  if solution.status ~= "unknown" then row.solved = solution.status == "solved" end
  return row
end

local function run(args)
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
    { flags = "--all", doc = "Count the solutions, too (of games with moves, the shortest)." },
  }, options.format_with "svg"),
  examples = { "crux solve lazors one.bff", "crux solve move --all move-levels/ --format csv",
    "crux solve flow datasets/levels/flow/7.txt -o solution.svg" },
  run = run,
}
