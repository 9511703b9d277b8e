--- Requests for orders of levels: from options to slots and trials, and from the chosen levels to texts and remarks.
local distance = require "crux.order.distance"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local range = require "crux.base.range"
local slots = require "crux.order.slots"
local trials = require "crux.order.trials"

local request = {}

---@class Asked
---@field rating Range?      of `count` levels
---@field curve Range[]?     one from the first to the last of `count` levels; or one for each level
---@field count integer
---@field pack boolean?      as unlike as can be: search on for a larger choice
---@field unique boolean?    one solution each
---@field distinct number?   the least distance of any two levels in standardised measures
---@field spread number?     the least distance of neighbours on a curve
---@field like table<string, Range>?   by measure
---@field tries integer
---@field budget number?     seconds
---@field seed integer
---@field own table          options of the game's generator
---@field vary string[]?     inputs whose levels are varied, in place of the game's generator
---@field limits SolveOptions

--- Levels in the pool for each chosen one; the search for them ends at this multiple of the tries that filled the order.
local SURPLUS <const>, PATIENCE <const> = 5, 3
local PACK_SURPLUS <const>, PACK_PATIENCE <const> = 20, 8

--- Changes to try for one level at random, and before the first new start.
local CHANGES <const>, STEPS <const> = 5000, 50

local function slots_of(rule, asked)
  local is_curve = asked.curve ~= nil
  if is_curve == (asked.rating ~= nil) then
    fault.raise(is_curve and "found a rating and a curve, expected one of them" or "expected a rating or a curve", 2)
  end
  for _, wanted in ipairs(asked.curve or { asked.rating }) do
    slots.check_scale(wanted, rule, is_curve and "curve" or "rating")
  end
  if not is_curve then
    if asked.spread then fault.raise("found spread without a curve, expected distinct", 2) end
    return slots.of_range(asked.rating, asked.count)
  end
  if #asked.curve > 1 then return slots.of_ranges(asked.curve) end
  local wanted = asked.curve[1]
  local reach = wanted.greatest - wanted.least
  if asked.count < 2 or reach ~= reach or reach <= 0 or reach == math.huge or asked.pack then
    fault.raise("curve: expected LEAST..GREATEST of different numbers, a count of at least 2, and no pack", 2)
  end
  return slots.of_curve(wanted, asked.count)
end

--- The measures of an order's levels: those of the game that are not optional, and those that the order needs.
local function measures_of(game, rule, wanted)
  local names = lists.field(game:choose())
  local known = lists.set(names)
  for _, list in ipairs { game:needed_by(rule), lists.keys(wanted), lists.keys(game.requires) } do
    for _, name in ipairs(list) do
      if not known[name] then table.insert(names, name) end
      known[name] = true
    end
  end
  return names
end

--- Refuses a rule of another game.
local function check_rule(game, rule)
  if rule.game and rule.game ~= game.name and rule.game ~= game.path then
    fault.at(rule:who(), ("a rule of the game '%s'"):format(rule.game), ("one of '%s'"):format(game.name))
  end
  local unknown = lists.select(rule.formula and rule.formula.variables or {}, function(name) return not game.measures[name] end)
  if #unknown > 0 then
    fault.unknown(("%s: game '%s'"):format(rule:who(), game.name), "measure", unknown[1], lists.field(game.measures))
  end
  if rule.formula and not rule.coefficients then
    fault.at(rule:who(), "no coefficients", "a fitted rule (crux fit RULE DATA -o FITTED.lua)")
  end
end

--- The wishes of an order, and the setup of its trials without the rule.
---@return WantedLevels   with `count`, of all levels
---@return TrialSetup
function request.read(game, rule, asked)
  check_rule(game, rule)
  game:expect({ asked.vary and "vary" or "generate", "format" }, "generate --rating")
  local like = lists.merge(asked.like or {})
  if asked.unique then
    if not game.measures.solutions then
      fault.unknown(("unique: game '%s'"):format(game.name), "measure", "solutions", lists.field(game.measures))
    end
    like.solutions = range.around(1, 0.25)
  end
  local measures = measures_of(game, rule, like)
  local wanted = { slots = slots_of(rule, asked), surplus = asked.pack and PACK_SURPLUS or SURPLUS,
    patience = asked.pack and PACK_PATIENCE or PATIENCE, distinct = asked.distinct, spread = asked.spread,
    tries = asked.tries, seconds = asked.budget, count = asked.count, is_list = asked.curve and #asked.curve > 1 }
  return wanted, { wanted = like, production = { game = game.path, options = asked.own, seed = asked.seed,
    changes = CHANGES, steps = STEPS, measures = measures, vary = asked.vary, limits = asked.limits } }
end

---@class OrderedLevel : Found
---@field name string
---@field text string        below a note of the rating and of the rule's measures
---@field nearest number?    the distance of the nearest other level of the order

--- The chosen levels, the easiest first or in the order of a list of ranges, with names and notes.
function request.levels(game, rule, filled, seed)
  local done, levels = {}, {}
  for _, list in ipairs(filled.chosen) do table.move(list, 1, #list, #levels + 1, levels) end
  if rule.falls and not filled.wanted.is_list then lists.sort(levels, function(level) return -level.rating end) end
  for _, level in ipairs(levels) do
    local parts = lists.map(game:needed_by(rule), function(name) return ("%s %.4g"):format(name, level.row[name]) end)
    local nearest
    for _, other in ipairs(levels) do
      local apart = other ~= level and distance.between(other.point, level.point)
      if apart and (not nearest or apart < nearest) then nearest = apart end
    end
    table.insert(done, { name = ("%s-%d-%d"):format(game.name, seed, #done + 1), row = level.row, rating = level.rating,
      nearest = nearest, point = level.point, text = ("%s rating: %.4g (%s)\n%s"):format(game.files.comment, level.rating,
        table.concat(parts, ", "), level.text) })
  end
  return done
end

--- A line about an order: how many levels were tried, and how unlike the chosen ones are.
---@param done OrderedLevel[]
function request.summary(filled, done)
  local mean, least = distance.summary(lists.field(done, "point"))
  local line = ("%s of %s tried"):format(number.count(#done, "level"), number.count(filled.tried))
  return mean and ("%s; distances in standardised measures: %.2f in the mean, least %.2f"):format(line, mean, least) or line
end

--- Lines about the levels that are missing: the ratings that were found, and what was wrong with levels that were refused.
function request.shortfall(filled)
  local lines = { ("%s levels were tried; "):format(number.count(filled.tried))
    .. (filled.lowest and ("ratings from %.4g to %.4g were found"):format(filled.lowest, filled.highest)
      or "none has a rating") }
  if #filled.misses > 0 then
    lines[1] = ("%s; the nearest misses are %s"):format(lines[1],
      table.concat(lists.map(filled.misses, function(rating) return ("%.4g"):format(rating) end), ", "))
  end
  local reasons = lists.sort(lists.keys(filled.refused), function(reason) return -filled.refused[reason] end)
  for _, reason in ipairs(lists.copy(reasons, 3)) do
    table.insert(lines, ("%s of them %s"):format(number.count(filled.refused[reason]),
      trials.reasons[reason] or ("were refused because of '%s'"):format(reason)))
  end
  return lines
end

return request
