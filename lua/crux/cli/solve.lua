--- crux solve: the task, whose solutions are drawn, as text or pictures, unless rows are asked for.
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plain = require "crux.base.plain"
local search_folder = require "crux.run.search_folder"
local sheet = require "crux.show.sheet"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"
local task = require "crux.task.solve"
local task_command = require "crux.cli.task_command"

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
  if solution.layers then
    table.insert(parts, ("%s by moves to them: %s"):format(number.count(solution.states, "state"), solution.layers))
  end
  return #parts > 0 and table.concat(parts, "; ") .. "\n" or ""
end

--- Runs the task; `each` gets what it finds of each level.
local function solve(args, each)
  local report = task.run(lists.merge(args, { each = each }))
  tables.rows(report.tables[1].rows)
  return report.finish
end

local function write_pictures(args, sink)
  local pictures = {}
  local finish = solve(args, function(finding)
    table.insert(pictures, finding.pictures.solution or finding.pictures.level)
  end)
  if #pictures > 0 then sink:write(sheet("Levels of " .. games.load(args.game).name, pictures)) end
  return finish
end

local function write_drawings(args, sink)
  local blank = ""
  return solve(args, function(finding)
    sink:write(blank, plain.line(finding.level), "\n")
    sink:show(finding.drawing .. summary(finding.solution))
    blank = "\n"
  end)
end

local function run(args)
  local folder <close> = args.prepared -- luacheck: no unused
  local is_picture = args.format == "svg" or not args.format and (args.output or ""):find "%.svg$" ~= nil
  local format = is_picture and "svg" or formats.choose(args.format, args.output, "text")
  local is_drawn = not args.format and (format == "text" or format == "table")
  args.asked = { draw = is_drawn, paint = is_picture }
  if not is_picture and not is_drawn then return task_command(task).run(args) end
  local sink <close> = sinks.open(args.output)
  local finish = (is_picture and write_pictures or write_drawings)(args, sink)
  sink:commit()
  finish()
end

--- Opens the output, and the folder of --disk.
local function prepare(args)
  sinks.reserve(args.output)
  return args.disk and search_folder.open(args.disk)
end

return lists.merge(task, { run = run, prepare = prepare })
