--- What commands that go through level files share: their options, the workers, and what is said about levels that failed.
local context = require "crux.cli.context"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local number = require "crux.base.number"
local progress = require "crux.out.progress"
local system = require "libcrux.system"
local vector = require "libcrux.vector"

local survey = {}

--- A command's own options, a --format of its own first of them, and those that all such commands have.
function survey.options(own)
  local has_format = own[1] and own[1].flags == "--format"
  for _, name in ipairs { "output", "format", "jobs", "seconds", "states", "memory", "resume" } do
    if name ~= "format" or not has_format then table.insert(own, name) end
  end
  return own
end

--- What is asked of the solvers.
---@return SolveOptions
function survey.limits(args)
  return { seconds = args.seconds, states = args.states, bytes = args.memory << 20, count = args.all }
end

--- Why a level or a variant of one has no solution, or nil.
local function shortfall(solution)
  if solution.status == "unsolvable" then return "no solution exists" end
  if solution.status == "unknown" then return ("not solved: the limit on %s was met"):format(solution.limit) end
end

--- What says why something was done in Lua; nil when that was told before, or there is no reason.
---@param told table<string, boolean>   reasons
function survey.untraced(done, reason, told)
  if not reason or told[reason] then return nil end
  told[reason] = true
  return ("%s in Lua: %s"):format(done, reason)
end

--- What is to be said of a level: why it was searched in Lua, once a reason; and that it, or what its measures compare it
--- with, was not solved.
---@param finding Finding
---@param told table<string, boolean>   reasons
local function remarks(finding, told)
  local lines, names = { survey.untraced("searched", finding.untraced, told) }, {}
  lines[#lines + 1] = finding.solution and shortfall(finding.solution)
  for name in pairs(finding.unsolved or {}) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    table.insert(lines, ("variant '%s': %s"):format(name, shortfall(finding.unsolved[name])))
  end
  return lines
end

--- Has a journal note the scripts of a game and the files of its levels; what comes from elsewhere, as a pipe, shows when it
--- is read.
local function note_files(self, args)
  local paths = table.move(self.sources, 1, #self.sources, 1, {})
  for _, input in ipairs(args.levels) do
    for _, path in ipairs(levels.files(input, self.files)) do
      if path ~= "-" and system.is_regular(path) ~= false then table.insert(paths, path) end
    end
  end
  args.journal:files(paths)
end

--- What is wrong with a level, and the place in the script if that is at fault, once a place.
---@param self Game
---@param told table<string, boolean>
local function problem_of(self, message, told)
  local lines = context.lines(message, { self.path })
  local excerpt = table.concat(lines, "\n")
  if #lines == 0 or told[excerpt] then return message end
  told[excerpt] = true
  return message .. "\n" .. excerpt
end

--- Examines the levels of files and folders in order.
---@param self Game
---@param args table          a command's arguments: levels, and survey.options
---@param asked Examination   without the game
---@param each fun(finding: Finding)   called for every level that could be examined
---@return fun()              to call when all output is written: raises a fault that counts the failures, if there are any
function survey.run(self, args, asked, each)
  local inputs = self:inputs(args.levels)
  if #inputs == 0 then fault.raise("expected LEVELS: files, folders, or - for standard input", 2) end
  asked.game, asked.options = self.path, survey.limits(args)
  if asked.measures then self:choose(asked.measures) end
  if args.journal then note_files(self, args) end
  local failures, count, told = 0, 0, {}
  local bar <close> = progress.new(nil, "levels")
  for entry, finding, lost in jobs.map(args.jobs, "crux.run.worker.examine", asked, self:entries(inputs), args.journal) do
    if lost then finding = { problem = { message = ("level '%s': %s"):format(entry.name, lost) } } end
    count = count + 1
    bar:advance(1)
    local problem = finding.problem
    if problem then
      failures = failures + 1
      bar:say(problem_of(self, problem.message, told))
      if args.debug and problem.traceback then bar:say(problem.traceback) end
    else
      for _, line in ipairs(remarks(finding, told)) do bar:say(("level '%s': %s"):format(finding.level, line)) end
      each(finding)
    end
  end
  return function()
    if failures > 0 then
      fault.raise(("%s of %s failed"):format(number.count(failures), number.count(count, "level")))
    end
  end
end

--- The dataset of the levels of a file or folder; and the function to call at the end, as survey.run returns it.
---@param self Game
---@param args table        a command's arguments
---@param path string
---@param measures string[] names
function survey.dataset(self, args, path, measures)
  local lists, names, columns = {}, {}, { "level" }
  for i, measure in ipairs(measures) do columns[i + 1], lists[measure] = measure, {} end
  local asked = setmetatable({ levels = { path } }, { __index = args })
  local finish = survey.run(self, asked, { measures = measures }, function(finding)
    table.insert(names, finding.level)
    for measure, list in pairs(lists) do list[#names] = finding.row[measure] or 0 / 0 end
  end)
  local vectors = {}
  for measure, list in pairs(lists) do vectors[measure] = vector.of(list) end
  return dataset.of_vectors(path, columns, vectors, #names, names), finish
end

return survey
