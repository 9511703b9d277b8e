--- What a rule says of one level: its rating with the interval, the shares of the measures, and the solution behind them.
local dataset = require "crux.data.dataset"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local validation = require "crux.game.validation"
local vector = require "libcrux.vector"

local appraisal = {}

--- Seconds for the solution of a level, unless a message says otherwise, and bytes for its search.
local SECONDS <const>, BYTES <const> = 10, 512 << 20

--- The share of new levels whose rating lies in the interval.
local COVERAGE <const> = 0.9

---@class Appraisal
---@field row table<string, number>   measures
---@field rating number?              nil without a rule, or where a measure is missing
---@field low number?                 of the interval; nil of a rule that was fitted without
---@field high number?
---@field parts Part[]?               summands of the rating; see Rule:rate
---@field missing string[]            measures that the rule needs
---@field solution Solution
---@field is_of_measure boolean?      the solution is of a measure's own search; the game's may say more
---@field facts table                 of the solution: status, limit, length, text

--- The limits of a message on solving a level.
---@return SolveOptions
function appraisal.limits(message) return { seconds = message.seconds or SECONDS, bytes = BYTES } end

--- Rates the measures of one level; a vector of each is needed, as of the rows of a dataset.
local function rate(found, rule, needed)
  local columns, vectors = lists.field(needed), {}
  for _, name in ipairs(columns) do
    vectors[name] = vector.of { found.row[name] or 0 / 0 }
    if not found.row[name] then table.insert(found.missing, name) end
  end
  local block = rule:blocks(dataset.of_vectors("level", columns, vectors, 1))()
  local ratings, parts, low, high = rule:rate(block, rule.intervals and COVERAGE)
  if not number.is_finite(ratings[1]) then return end
  found.rating, found.parts = ratings[1], parts(1)
  if low and number.is_finite(low[1]) then found.low, found.high = low[1], high[1] end
end

--- Measures, solves and rates a level.
---@param rule Rule?   without one all measures are computed, and no rating
---@param options SolveOptions
---@param is_brief boolean?   the solution of a measure's own search will do
---@return Appraisal
function appraisal.of(game, rule, level, options, is_brief)
  local needed = game:choose(rule and game:needed_by(rule))
  local found = { missing = {} }
  local solution, other
  found.row, solution, other = game:measure(level, needed, options)
  found.is_of_measure = not solution and is_brief and other and true or nil
  found.solution = solution or found.is_of_measure and other or game:solution(level, options)
  found.facts = validation.facts(game.path, found.solution)
  if rule then rate(found, rule, needed) end
  return found
end

return appraisal
