--- The trials of an order, which workers run: some make levels at random, others vary a level step by step towards a rating.
---
--- A level counts if it is solved, its measures are in the wanted ranges, and the rule rates it. Measures that need no solution
--- come first; a level that they rule out is not solved.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local lists = require "crux.base.lists"
local maker = require "crux.game.maker"
local random = require "libcrux.random"
local range = require "crux.base.range"
local rules = require "crux.rule.rule"
local validation = require "crux.game.validation"

local trials = {}

---@class TrialSetup
---@field production Production          of levels at random; `measures` are those of each level
---@field rule string|Rule               path or name; a rule only where no other thread runs the trials
---@field wanted table<string, Range>    by measure

---@class Trial
---@field stream integer    of random numbers; a trial that makes levels uses as many as levels
---@field count integer     levels to try
---@field text string?      of the level to vary; levels are made at random without it
---@field slot Range?       the wanted rating

---@class Found
---@field text string
---@field row table<string, number>   measures
---@field rating number

---@class TrialResult
---@field tried integer                    levels
---@field found Found[]
---@field refused table<string, integer>   levels by what was wrong: a measure, or one of `trials.reasons`
---@field walked string?                   why a walk was made in Lua
---@field untraced string?                 why a search was made in Lua
---@field alone string?                    why the program of a search can serve no other level

--- Problems that a level can have, besides its measures.
trials.reasons = { solution = "have no solution that was found", made = "were given up before they met the wishes" }

---@class Judge          of levels
---@field game Game
---@field rule Rule
---@field limits SolveOptions
---@field wanted table<string, Range>
---@field before Measure[]      that need no solution
---@field after Measure[]
---@field needed string[]       measures of the rule
---@field is_cheap boolean      the rule needs no solution
local Judge = {}
Judge.__index = Judge

---@param setup TrialSetup
---@return Judge
function trials.judge(setup, game, rule)
  local wanted = lists.merge(setup.wanted)
  for measure, value in pairs(game.requires) do wanted[measure] = wanted[measure] or range.around(value, 0.25) end
  local measures = game:choose(setup.production.measures)
  local needed = game:needed_by(rule)
  local function is_initial(measure) return measure.kind == "initial" end
  return setmetatable({ game = game, rule = rule, limits = setup.production.limits, wanted = wanted, needed = needed,
    before = lists.select(measures, is_initial),
    after = lists.select(measures, function(measure) return not is_initial(measure) end),
    is_cheap = not rule.rating and #lists.select(game:choose(needed), is_initial) == #needed }, Judge)
end

--- The rating of a row of measures; nil and the measure that is missing.
function Judge:rating(row)
  for _, name in ipairs(self.needed) do
    if not row[name] then return nil, name end
  end
  local called = "a level of " .. self.game.name
  local rating = self.rule:rate_row(row, called)
  if rating ~= rating then fault.at(self.rule:who(), "nan for " .. called, "a number") end
  return rating
end

--- The first measure of a row that is not in its wanted range.
function Judge:miss(measures, row)
  for _, measure in ipairs(measures) do
    local wish, value = self.wanted[measure.name], row[measure.name]
    if wish and not (value and range.holds(wish, value)) then return measure.name end
  end
end

--- A level with its measures and rating; nil and what is wrong with it.
---@param result TrialResult   gets why the level was searched slowly
---@param useful nil|fun(rating: number): boolean   a rule that needs no solution is asked before the level is solved
---@return Found?
---@return string? reason
function Judge:judge(result, level, useful)
  local row = self.game:measure(level, self.before, self.limits)
  local miss = self:miss(self.before, row)
  if miss then return nil, miss end
  if self.is_cheap and useful then
    local rating, missing = self:rating(row)
    if not rating or not useful(rating) then return nil, missing or "rating" end
  end
  local more, solution = self.game:measure(level, self.after, self.limits)
  solution = solution or self.game:solution(level, self.limits)
  local facts = validation.facts(self.game.path, solution)
  result.untraced, result.alone = result.untraced or facts.untraced, result.alone or facts.alone
  miss = solution.status ~= "solved" and "solution" or self:miss(self.after, more)
  if miss then return nil, miss end
  row = lists.merge(row, more)
  local rating, missing = self:rating(row)
  if not rating then return nil, missing end
  return { text = self.game:text(level), row = row, rating = rating }
end

--- Adds a level to the result if nothing is wrong with it.
---@param result TrialResult
---@return Found?
local function take(judge, result, level, useful)
  local found, reason = judge:judge(result, level, useful)
  if found then table.insert(result.found, found) else result.refused[reason] = (result.refused[reason] or 0) + 1 end
  return found
end

local change_chance <const> = 0.5 -- of each further change in one step

--- Varies a level: a change that brings the rating no farther from the wanted one is kept for the next step.
local function climb(judge, production, trial, result)
  local game, rng = judge.game, random.new(production.seed, trial.stream)
  local level, options = game:only_level(trial.text), maker.draw(game, production.options, rng)
  local nearest = trial.beyond
  for _ = 1, trial.count do
    local changed = level
    repeat
      changed = fault.guard(game.path, game.vary, changed, rng, options) or changed
    until not rng:chance(change_chance)
    result.tried = result.tried + 1
    local function useful(rating) return range.beyond(rating, trial.slot) <= nearest end
    local found = changed ~= level and take(judge, result, changed, useful)
    if found and useful(found.rating) then level, nearest = changed, range.beyond(found.rating, trial.slot) end
  end
end

local function sample(judge, make, trial, result)
  local tasks = {}
  for i = 1, trial.count do tasks[i] = { stream = trial.stream + i - 1, wanted = judge.wanted } end
  for _, made in ipairs(make(tasks)) do
    result.tried, result.walked = result.tried + math.max(made.tried, 1), result.walked or made.walked
    if made.level then take(judge, result, made.level) else result.refused.made = (result.refused.made or 0) + 1 end
  end
end

--- A function that runs a trial.
---@param setup TrialSetup
---@param game Game?   loaded from its path unless given
---@return fun(trial: Trial): TrialResult
function trials.new(setup, game)
  local production, rule = setup.production, setup.rule
  game = game or games.load(production.game)
  local judge = trials.judge(setup, game, type(rule) == "table" and rule or rules.load(rule))
  local make = generator.levels(production, game)
  return function(trial)
    local result = { tried = 0, found = {}, refused = {} }
    if trial.text then climb(judge, production, trial, result) else sample(judge, make, trial, result) end
    return result
  end
end

return trials
