--- crux solve: solutions of levels, as drawings, pictures or rows.
local tables = require "crux.out.tables"
local sinks = require "crux.out.sinks"
local formats = require "crux.out.formats"
local arguments = require "crux.option.arguments"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local number = require "crux.base.number"
local options = require "crux.option.options"
local plain = require "crux.base.plain"
local sheet = require "crux.show.sheet"
local examination = require "crux.task.shared.examination"

local columns = { { key = "level" }, { key = "solved" }, { key = "length" }, { key = "solution" }, { key = "solutions" },
  { key = "expanded" }, { key = "generated" } }

--- The row of a finding; `solved` is empty when a limit was met.
local function row_of(finding)
  local solution = finding.solution
  local row = { level = finding.level, length = solution.length, solution = solution.text, expanded = solution.expanded,
    generated = solution.generated, solutions = solution.solutions }
  if solution.status ~= "unknown" then row.solved = solution.status == "solved" end
  return row
end

--- "9 moves: UUURRLDDL; 2 shortest solutions"
local function summary(solution)
  local parts = {}
  if solution.status == "unsolvable" then parts[1] = "no solution" end
  if solution.status == "unknown" then parts[1] = "not solved: limit on " .. solution.limit end
  if solution.length then
    parts[1] = number.count(solution.length, "move") .. (solution.text and ": " .. solution.text or "")
  end
  if solution.status == "solved" and solution.solutions then
    table.insert(parts, number.count(solution.solutions, solution.length and "shortest solution" or "solution"))
  end
  return #parts > 0 and table.concat(parts, "; ") .. "\n" or ""
end

local function run(args)
  if args.path == "mean" then fault.raise("found --path mean, expected the name of one solution", 2) end
  local sink <close> = sinks.open(args.output)
  local is_picture = args.format == "svg" or not args.format and (args.output or ""):find "%.svg$" ~= nil
  local format = is_picture and "svg" or formats.choose(args.format, args.output, "text")
  local is_drawn = not args.format and (format == "text" or format == "table")
  local writer = not is_drawn and not is_picture and tables.writer(sink, format, columns)
  local count, pictures, game = 0, {}, games.load(args.game)
  local finish = examination.run(game, args, { solve = true, draw = is_drawn, paint = is_picture }, function(finding)
    if is_picture then
      table.insert(pictures, finding.pictures.solution or finding.pictures.level)
    elseif writer then
      writer:add(row_of(finding))
    else
      sink:write(count > 0 and "\n" or "", plain.line(finding.level), "\n")
      sink:show(finding.drawing .. summary(finding.solution))
    end
    count = count + 1
  end)
  if writer then writer:finish() end
  if #pictures > 0 then sink:write(sheet("Levels of " .. game.name, pictures)) end
  sink:commit()
  finish()
end

return {
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
