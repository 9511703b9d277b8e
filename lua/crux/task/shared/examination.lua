--- Examination of level files for several tasks: their options, the workers, and reports of levels that failed.
local context = require "crux.script.context"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local file_system = require "libcrux.files"
local vector = require "libcrux.vector"

local examination = {}

--- Appends the options of all such commands to a command's rows.
---@param format table?   the row of --format, if not that of all commands
function examination.options(rows, format)
  local shared = { "output", format or "format", "jobs", "seconds", "states", "memory", "resume" }
  return table.move(shared, 1, #shared, #rows + 1, rows)
end

function examination.limits(args)
  local bytes = args.bytes or args.memory << 20
  return { seconds = args.seconds, states = args.states, bytes = bytes, count = args.all, path = args.path, disk = args.folder }
end

--- Says why a level or a variant of it has no solution; nil if it has one.
local function shortfall(solution)
  if solution.status == "unsolvable" then return "no solution exists" end
  if solution.status ~= "unknown" then return nil end
  local line = ("not solved: the limit on %s was met"):format(solution.limit)
  if solution.least then line = ("%s; a solution has at least %s"):format(line, number.count(solution.least, "move")) end
  return solution.most and ("%s; a bot found one of %s"):format(line, number.count(solution.most)) or line
end

--- A line that gives the reason for a slow way of computing; nil without a reason, or for one reported before.
---@param told table<string, boolean>   reported reasons
local function slow(what, reason, told)
  if not reason or told[reason] then return nil end
  told[reason] = true
  return ("%s: %s"):format(what, reason)
end

--- Lines that say that a level or a variant of it was not solved.
local function unsolved(finding)
  local lines = { finding.solution and shortfall(finding.solution) }
  for _, name in ipairs(lists.keys(finding.unsolved or {})) do
    table.insert(lines, ("%s: %s"):format(name, shortfall(finding.unsolved[name])))
  end
  return lines
end

--- Lines about a level: the reasons, each once, why it was walked or searched in Lua or needed a program for it alone; and that
--- the level or a variant was not solved.
---@param finding Finding|Product
---@param told table<string, boolean>   reported reasons
function examination.remarks(finding, told)
  local lines = { slow("walked in Lua", finding.walked, told) }
  lines[#lines + 1] = slow("searched in Lua", finding.untraced, told)
  lines[#lines + 1] = slow("a program for this level alone", finding.alone, told)
  return lists.concat(lines, unsolved(finding))
end

--- Notes the scripts of a game and level files in a journal. Standard input and pipes are checked when they are read.
---@param log Journal
function examination.note_files(game, log, inputs)
  local paths = lists.copy(game.sources)
  for _, input in ipairs(inputs) do
    for _, path in ipairs(game:level_files(input)) do
      if path ~= "-" and file_system.is_regular(path) ~= false then table.insert(paths, path) end
    end
  end
  log:files(paths)
end

--- A message about a level, with the lines of a script that failed, each excerpt once.
---@param told table<string, boolean>   printed excerpts
local function with_excerpt(game, message, told)
  local lines = context.lines(message, { game.path })
  local excerpt = table.concat(lines, "\n")
  if #lines == 0 or told[excerpt] then return message end
  told[excerpt] = true
  return message .. "\n" .. excerpt
end

--- Tells the faults of a game of PuzzleScript in spite of which it is played.
---@param say fun(line: string)
function examination.warn(game, say)
  for _, remark in ipairs(game.own and game.own.remarks or {}) do
    say(("%s:%d: warning: %s"):format(game.path, remark.line, remark.message))
  end
end

--- Examines the levels of files and folders in order.
---@param args table          a command's arguments: levels, examination.options, and how bots play (`played`, BotSettings)
---@param asked Examination   without the game
---@param each fun(finding: Finding, entry: LevelText)   called for every level that was examined
---@param lose nil|fun(entry: LevelText, message: string)   called for every other, and for files that cannot be read
---@return fun()              to call when all output is written: raises a fault that counts the failures, if there are any
function examination.run(game, args, asked, each, lose)
  local inputs = game:inputs(args.levels)
  if #inputs == 0 then fault.raise("expected LEVELS: files, folders, or - for standard input", 2) end
  examination.warn(game, args.say)
  asked.game, asked.options, asked.bots, asked.tells = game.path, examination.limits(args), args.played, args.tells
  if asked.measures then game:choose(asked.measures) end
  game:expect_path(asked.options.path)
  if args.journal then examination.note_files(game, args.journal, args.levels) end
  local failures, count, told = 0, 0, {}
  local bar <close> = args.progress(nil, "levels")
  for entry, finding, lost in jobs.map(args.jobs, "crux.run.worker.examine", asked, game:entries(inputs), args.journal) do
    if lost then finding = { problem = { message = levels.at(entry, ("level '%s': %s"):format(entry.name, lost)) } } end
    count = count + 1
    bar:advance(1)
    local problem = finding.problem
    if problem then
      failures = failures + 1
      bar:say(with_excerpt(game, problem.message, told))
      if lose then lose(entry, problem.message) end
      if args.debug and problem.traceback then bar:say(problem.traceback) end
    else
      for _, line in ipairs(examination.remarks(finding, told)) do
        bar:say(levels.at(entry, ("level '%s': %s"):format(finding.level, line)))
      end
      each(finding, entry)
    end
  end
  return function()
    if failures > 0 then
      fault.raise(("%s of %s failed"):format(number.count(failures), number.count(count, "level")))
    end
  end
end

--- The report of a task that examines levels: a table with a row for each.
---@param asked Examination   without the game; `args.asked` adds to it
---@param row_of fun(finding: Finding): table   after it, `args.each` is called with the finding
function examination.report(game, args, asked, columns, row_of)
  local report = {}
  local function rows(writer)
    report.finish = examination.run(game, args, lists.merge(asked, args.asked), function(finding)
      writer:add(row_of(finding))
      if args.each then args.each(finding) end
    end)
  end
  report.tables = { { columns = columns, rows = rows } }
  return report
end

---@class LevelSource
---@field place string      file and line
---@field entry LevelText
---@field row table<string, number>   measures
---@field pictures table?    see Finding, with `args.paint`
---@field unsolved string?  the level or variants that were not solved, in words

--- The dataset of measures of the levels of files and folders, whose sources are LevelSources, and the function
--- that examination.run returns.
---@param args table        a command's arguments
---@param measures string[] names
---@param lose nil|fun(entry: LevelText, message: string)   see examination.run
---@return Dataset
---@return fun()
function examination.dataset(game, args, paths, measures, lose)
  local values, names, columns, sources = {}, {}, { "level" }, {}
  for i, measure in ipairs(measures) do columns[i + 1], values[measure] = measure, {} end
  local asked = setmetatable({ levels = paths }, { __index = args })
  local finish = examination.run(game, asked, { measures = measures, paint = args.paint }, function(finding, entry)
    table.insert(names, finding.level)
    levels.expect_few(#names, entry.path, entry)
    for measure, list in pairs(values) do list[#names] = finding.row[measure] or 0 / 0 end
    local lines = unsolved(finding)
    sources[#names] = { place = ("%s:%d"):format(entry.path, entry.lines[1]), entry = entry,
      row = finding.row, pictures = finding.pictures, unsolved = lines[1] and table.concat(lines, "; ") }
  end, lose)
  local vectors = {}
  for measure, list in pairs(values) do vectors[measure] = vector.of(list) end
  return dataset.of_vectors(paths[1] or game.path, columns, vectors, #names, names, sources), finish
end

return examination
