--- A worker's examination of a level: reads, solves, measures, checks and draws it.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local levels = require "crux.game.levels"
local profile = require "crux.game.profile"
local progress = require "crux.out.progress"
local validation = require "crux.game.validation"

---@class Examination          what to find out about the levels
---@field game string          path or name of the script
---@field measures string[]?   names
---@field solve boolean?       solve the level; if it is not solved, a bot looks for a solution, too
---@field tells boolean?       say on standard error, after 2 s of a search, how it will end
---@field draw boolean?        draw the level, with its solution if there is one
---@field paint boolean?       make pictures of the level and, if there is one, of its solution
---@field check boolean?       check the search
---@field searches boolean?    record each search
---@field profile boolean?     profile the game
---@field bots BotSettings?    how bots play; crux.bots.bots has the defaults
---@field options SolveOptions

---@class Finding              the result for a level
---@field level string         name
---@field problem table?       message and traceback of a fault; the other fields are then missing
---@field row table<string, number>?   measures
---@field solution Solution?   with `most`: the moves of a solution that a bot has found
---@field unsolved table<string, Solution>   if a measure has no value: what else was not solved, with status and limit, by
---                            words: "variant 'NAME'", or "measure 'NAME'" for a search of its own
---@field drawing string?
---@field pictures { level: LevelPicture, solution: LevelPicture? }?
---@field searches SearchRecord[]?
---@field check Verification?
---@field profile ProfileRow[]?
---@field untraced string?     why the search was not native
---@field alone string?        why the search had a program that can serve no other level

---@class LevelPicture
---@field picture Picture
---@field content string

--- The picture of a level, or of its solution.
local function painted(game, name, level, solution)
  local picture, content = game:picture(name, level, solution)
  return { picture = picture, content = content }
end

--- Tells whether all measures have a value.
local function is_whole(row, measures)
  for _, measure in ipairs(measures) do
    if row[measure.name] == nil then return false end
  end
  return true
end

--- What was not solved besides a solution itself: see Finding.unsolved.
local function unsolved(game, row, measures, solution, found)
  local list = {}
  if is_whole(row or {}, measures or {}) then return list end
  local function add(what, name, other)
    local facts = validation.facts(game.path, other)
    if facts.status ~= "solved" then
      local least = what == "variant" and facts.least or nil -- a measure's own search may have other moves
      list[("%s '%s'"):format(what, name)] = { status = facts.status, limit = facts.limit, least = least }
    end
  end
  for name, variant in pairs(games.variants(solution)) do add("variant", name, variant) end
  for _, measure in ipairs(measures) do
    local other = found[measure.search]
    local is_alike = other and other.status == "unsolvable" and solution.status == "unsolvable"
    if other and other ~= solution and not is_alike then add("measure", measure.name, other) end
  end
  return list
end

---@param asked Examination
---@param measures Measure[]?
---@param entry LevelText
---@return Finding
local function examine(asked, game, measures, entry, level)
  local name = entry.name
  local finding, solution, other, found = { level = name }, nil, nil, {}
  finding.searches = (asked.searches or asked.profile) and {} or nil
  asked.options.searches, asked.options.way = finding.searches, asked.paint
  asked.options.tell = asked.tells and function(line) progress.say(levels.at(entry, ("level '%s': %s"):format(name, line))) end
  if measures then finding.row, solution, other, found = game:measure(level, measures, asked.options) end
  if asked.solve then solution = solution or game:solution(level, asked.options) end
  if asked.check then finding.check = game:check(level, asked.options) end
  if asked.draw then finding.drawing = game:drawing(level, solution) end
  if asked.paint then
    finding.pictures = { level = painted(game, name, level) }
    if solution and validation.facts(game.path, solution).status == "solved" then
      finding.pictures.solution = painted(game, name, level, solution)
    end
  end
  solution = solution or other
  if solution then
    finding.solution = validation.facts(game.path, solution)
    if asked.solve and finding.solution.least then finding.solution.most = game:shortest_of_bots(level, asked.options) end
    finding.unsolved = unsolved(game, finding.row, measures, solution, found)
  end
  local searched = finding.check or finding.solution or {}
  finding.untraced, finding.alone = searched.untraced, searched.alone
  return finding
end

--- A function that examines a level, for crux.run.jobs.
---@param asked Examination
---@return fun(entry: LevelText): Finding
return function(asked)
  local game = games.load(asked.game)
  game.bots = asked.bots
  local measures = asked.measures and game:choose(asked.measures)
  local watch = asked.profile and profile.new(game)
  return function(entry)
    if entry.problem then return entry end
    if watch then watch:start() end
    local is_read, level = pcall(game.level, game, entry)
    local ok, result = is_read, level
    if is_read then ok, result = pcall(examine, asked, game, measures, entry, level) end
    if ok and watch then result.profile = watch:take(result.searches) end
    if ok then return result end
    if not fault.is(result) or budget.stopped() then error(result, 0) end
    local message = is_read and levels.at(entry, result.message) or result.message -- a fault of parse names its line
    return { level = entry.name, problem = { message = message, traceback = result.traceback } }
  end
end
