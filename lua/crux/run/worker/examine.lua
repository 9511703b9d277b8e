--- What a worker does with one level: read it, solve it, measure it, draw it.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local profile = require "crux.game.profile"

---@class Examination          what is asked about the levels
---@field game string          path or name of the script
---@field measures string[]?   names of measures
---@field solve boolean?       the solution
---@field draw boolean?        the level's drawing, with the solution if there is one
---@field paint boolean?       the level's picture and, if there is one, that of its solution
---@field check boolean?       whether its search can be trusted
---@field searches boolean?    what each search took
---@field profile boolean?     what takes the time
---@field options SolveOptions

---@class Finding              what came out for a level
---@field level string         its name
---@field problem table?       what is wrong with it: message and traceback; the other fields are then missing
---@field row table<string, number>?   measures
---@field solution Solution?
---@field unsolved table<string, Solution>   the variants that had to be solved and were not: status and limit, by name
---@field drawing string?
---@field pictures { level: LevelPicture, solution: LevelPicture? }?
---@field searches SearchRecord[]?
---@field check Comparison?
---@field profile ProfileRow[]?
---@field untraced string?     why the search was not native

---@class LevelPicture
---@field picture Picture
---@field content string

--- The picture of a level, or of its solution.
---@return LevelPicture
local function painted(self, name, level, solution)
  local picture, content = self:picture(name, level, solution)
  return { picture = picture, content = content }
end

---@param asked Examination
---@param self Game
---@param measures Measure[]?
---@param entry LevelText
---@return Finding
local function examine(asked, self, measures, entry)
  local level, finding = self:level(entry), { level = entry.name }
  local solution
  finding.searches = (asked.searches or asked.profile) and {} or nil
  asked.options.searches, asked.options.way = finding.searches, asked.paint
  if measures then finding.row, solution = self:measure(level, measures, asked.options) end
  if asked.solve then solution = solution or self:solution(level, asked.options) end
  if asked.check then finding.check = self:check(level, asked.options) end
  if asked.draw then finding.drawing = self:drawing(level, solution) end
  if asked.paint then
    finding.pictures = { level = painted(self, entry.name, level) }
    if solution and game.facts(self.path, solution).status == "solved" then
      finding.pictures.solution = painted(self, entry.name, level, solution)
    end
  end
  if solution then
    finding.solution = game.facts(self.path, solution)
    finding.unsolved = {}
    for name, variant in pairs(game.variants(solution)) do
      local facts = game.facts(self.path, variant)
      if facts.status ~= "solved" then finding.unsolved[name] = { status = facts.status, limit = facts.limit } end
    end
  end
  finding.untraced = (finding.check or finding.solution or {}).untraced
  return finding
end

--- Makes the function that does it, for crux.jobs.
---@param asked Examination
---@return fun(entry: LevelText): Finding
return function(asked)
  local self = game.load(asked.game)
  local measures = asked.measures and self:choose(asked.measures)
  local watch = asked.profile and profile.new(self)
  return function(entry)
    if entry.problem then return entry end
    if watch then watch:start() end
    local ok, result = pcall(examine, asked, self, measures, entry)
    if ok and watch then result.profile = watch:take(result.searches) end
    if ok then return result end
    if not fault.is(result) or budget.stopped() then error(result, 0) end
    return { level = entry.name, problem = { message = result.message, traceback = result.traceback } }
  end
end
