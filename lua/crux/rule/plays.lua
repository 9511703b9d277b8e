--- Players and levels of a study, by a rule with grouping terms: how able, how hard, adjusted for who played what.
local fault = require "crux.base.fault"
local group_effects = require "crux.fit.mixed.effects"
local grouping = require "crux.stats.grouping"
local groups = require "libcrux.groups"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local plays = {}

--- The formula of studies for which nobody names another.
plays.formula = "rating ~ 1 + (1 | player) + (1 | level)"

--- The effects of the groups of a column in plays.
---@return GroupEffects
---@return integer    its place among the groupings of the formula
---@return Problem
---@return Rule       with the estimates
---@return (fun(sums: ModelSum[]): userdata[])?   full standard errors; nil for conditional ones, and of a rule fitted before
local function effects_of(column, rule, data, options)
  if rule.formula and #rule.formula.groupings > 0 and not rule.formula:grouping(column) then
    fault.at(rule:who(), "no grouping term by " .. column, ("one, such as (1 | %s)"):format(column))
  end
  local function errors_of(fitted) return options.errors ~= "conditional" and fitted.estimates and fitted.method.fit.errors end
  local found, problem, fitted = rule:effects(data, options, function(fitted) return not errors_of(fitted) end)
  local place = 1
  while found[place].name ~= column do place = place + 1 end
  local errors = errors_of(fitted)
  return found[place], place, problem, fitted, errors and function(sums) return errors(fitted, problem, sums) end
end

--- 1 if levels of larger predictions are easier, else -1.
local function ease_of(rule) return rule.target_falls and 1 or rule.method.fit.ease(rule.method) end

--- The rows in the natural order of their names.
local function in_order(rows, column)
  local by_name, names = {}, {}
  for i, row in ipairs(rows) do by_name[row[column]], names[i] = row, row[column] end
  natural.sort(names)
  return lists.pick(by_name, names)
end

---@class PlaysOptions    of Rule:effects, and
---@field errors "full"|"conditional"|nil   conditional: standard errors given all coefficients and variances, as lme4's; full,
---                                         the default: they hold the errors of these, if the rule is fitted to the plays

---@class PlayerRow
---@field player string
---@field plays integer
---@field ability number     how much easier than for the player in the middle a level is, on the scale of the left side
---@field error number       standard error; if the rule was fitted before, its numbers being given

--- The players of a study. Further effects are fields of the names of their terms, as x and x_error.
---@param rule Rule      fitted, or fitted to the study
---@param options PlaysOptions
---@return PlayerRow[]
---@return string[]      the columns
function plays.players(rule, data, options)
  local one, place, problem, _, errors_of = effects_of("player", rule, data, options)
  local index = grouping.number(problem.frames.groupings[place].names)
  local counts = groups.counts_and_sums(index, index, #one.names)
  local effects, rows = problem.formula.groupings[place].effects, {}
  local columns, ease = { "player", "plays" }, ease_of(rule)
  local keys = {}
  for k, effect in ipairs(effects) do
    keys[k] = effect.term == "(intercept)" and { "ability", "error" } or { effect.term, effect.term .. "_error" }
    table.move(keys[k], 1, 2, #columns + 1, columns)
  end
  local zeros, none = vector.fill(#one.names, 0), {}
  for i in ipairs(problem.formula.terms) do none[i] = zeros end
  local sums = {}
  for k in ipairs(effects) do sums[k] = group_effects.each(place, k, #one.names, #effects, none) end
  local errors = errors_of and errors_of(sums)
  for i, name in ipairs(one.names) do
    rows[i] = { player = name, plays = counts[i] // 1 | 0 }
    for k, key in ipairs(keys) do
      rows[i][key[1]] = ease * one.effects[i][k] + 0.0 -- + 0.0: no -0
      rows[i][key[2]] = errors and errors[k][i] or one.errors[i][k]
    end
  end
  return in_order(rows, "player"), columns
end

--- A column of which each level has one value: levels that have several get the mean of all rows.
local function of_levels(column, index, count)
  local low, high = groups.ranges(column, index, count)
  return vector.less(low, high):sum() == 0 and low or vector.fill(count, column:sum() / #column)
end

---@class LevelRow
---@field level string
---@field plays integer
---@field mean number         of the target
---@field adjusted number     target of the player in the middle
---@field difficulty number   the same on the scale of the terms, larger for harder levels
---@field error number        standard error; if the rule was fitted before, of the level's own part, given the rule's numbers

--- The levels of a study. Terms that differ between the plays of a level count by their mean over all plays. If the effects of
--- levels are fixed, a level whose plays all have the lowest or highest outcome has no difficulty and no error.
---@param options PlaysOptions
---@return LevelRow[]
---@return string[]      the columns
function plays.levels(rule, data, options)
  local one, place, problem, fitted, errors_of = effects_of("level", rule, data, options)
  local frames, count = problem.frames, #one.names
  local index = grouping.number(frames.groupings[place].names)
  local columns, own, counts, sums = {}, {}, groups.counts_and_sums(frames.target, index, count)
  for i, column in ipairs(frames.columns) do columns[i] = of_levels(column, index, count) end
  for level = 1, count do own[level] = 0 end
  local values, order = {}, {}
  for k in ipairs(problem.formula.groupings[place].effects) do
    values[k] = of_levels(frames.groupings[place].values[k], index, count)
    for level = 1, count do own[level] = own[level] + values[k][level] * one.effects[level][k] end
  end
  for level = 1, count do order[level] = level end
  local errors = errors_of and errors_of {
    { rows = count, columns = columns, grouping = place, group = vector.of(order), values = values } }[1]
  local offset = vector.of(own)
  if frames.offset then offset = offset + of_levels(frames.offset, index, count) end
  local linear = problem.formula:combine(columns, fitted.coefficients, count, offset)
  local adjusted, ease = rule.method:predict(fitted, columns, count, offset), ease_of(rule)
  local rows = {}
  for level, name in ipairs(one.names) do
    rows[level] = { level = name, plays = counts[level] // 1 | 0, mean = sums[level] / counts[level],
      adjusted = adjusted[level], difficulty = -ease * linear[level], error = errors and errors[level] or one.errors[level][1] }
  end
  for _, left in ipairs(problem.left_out or {}) do
    table.insert(rows, { level = left.name, plays = left.rows, mean = left.mean, adjusted = left.mean })
  end
  return in_order(rows, "level"), { "level", "plays", "mean", "adjusted", "difficulty", "error" }
end

--- A rule that rates for a player.
---@param name string?     nil: the only player of the plays
---@param data Dataset?    their plays; unless given, the rule knows the player
---@param options { pass: Pass?, warn: fun(line: string)? }   of Rule:effects
function plays.rule_for(rule, name, data, options)
  if not rule.formula or not rule.coefficients then fault.at(rule:who(), "no coefficients", "a rule fitted by crux fit -o") end
  if not data then return rule:for_player(name) end
  local one = effects_of("player", rule, data, options)
  if not name and #one.names > 1 then
    fault.at(data.name, number.count(#one.names, "player"), "one, or --player NAME")
  end
  local players = {}
  for i, player in ipairs(one.names) do players[player] = one.effects[i] end
  return rule:for_player(name or one.names[1], players)
end

return plays
