--- The rows of a fit `mixed` as libcrux.mixed takes them: groupings, orthonormal columns, and the rows that say nothing.
local families = require "crux.fit.mixed.families"
local fault = require "crux.base.fault"
local grouping = require "crux.stats.grouping"
local groups = require "libcrux.groups"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local primitive = require "libcrux.mixed"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local design = {}

--- The marks of rows whose target is a lower bound: not 0; nil without any.
---@param options table
---@param frames StoredFrame
function design.marks(options, frames)
  return frames.censored and options.completed and frames.censored:equal(0) or frames.censored
end

--- The groupings of frames, as libcrux.mixed takes them, and the names of the groups.
---@param fixed string?   the name of the one whose effects are fixed
---@return table[], string[][]
function design.groupings(formula, frames, fixed)
  local list, names = {}, {}
  for i, described in ipairs(formula.groupings) do
    local rows = frames.groupings[i]
    local group, found = grouping.number(rows.names)
    list[i] = { group = group, groups = #found, columns = rows.values, fixed = described.name == fixed,
      blocks = vector.of(lists.field(described.effects, "block")) }
    names[i] = found
  end
  return list, names
end

--- True if the likelihood is the restricted one, integrated over fixed effects of groups and coefficients of linear models.
function design.is_restricted(options) return options.fixed ~= nil or options.family == "linear" and options.reml == 1 end

--- True if a column is the same in all rows of each group.
---@param one table   a grouping of design.groupings
function design.is_constant(column, one)
  return vector.less(groups.ranges(column, one.group, one.groups)):sum() == 0
end

--- The number of such columns.
local function constant_columns(columns, one)
  return #lists.select(columns, function(column) return design.is_constant(column, one) end)
end

--- The grouping whose effects are fixed; nil without one.
---@return integer?
local function fixed_place(problem)
  local name, groupings = problem.options.fixed, problem.formula.groupings
  if not name then return nil end
  for i, described in ipairs(groupings) do
    if described.name == name then
      if #described.effects > 1 or described.effects[1].term ~= "(intercept)" then
        fault.at(problem.where, ("slopes by %s, whose effects are fixed"):format(name), ("(1 | %s)"):format(name))
      elseif #groupings == 1 then
        fault.at(problem.where, ("fixed effects of %s alone"):format(name), "another grouping, such as (1 | player)")
      end
      return i
    end
  end
  fault.unknown(problem.where .. ": option 'fixed'", "grouping", name, lists.field(groupings, "name"))
end

---@class LeftOut   a group without a finite fixed effect: all its rows have the lowest or the highest outcome
---@field name string
---@field rows integer
---@field mean number     of the target

--- Leaves the rows of such groups out of a problem. They say nothing about other effects.
---@param problem Problem   with options; gets other frames, and `left_out`, a list of LeftOut
function design.leave_out(problem)
  local place, frames = fixed_place(problem), problem.frames
  local extremes_of = place and families.of(problem.options).extremes
  if not extremes_of then return end
  local extremes, list, by_name, kept = extremes_of(frames, design.marks(problem.options, frames)), {}, {}, {}
  for row, name in ipairs(frames.groupings[place].names) do
    local one = by_name[name]
    if not one then
      one = { name = name, rows = 0, mean = 0, side = extremes[row] }
      by_name[name] = one
      table.insert(list, one)
    end
    one.rows, one.mean = one.rows + 1, one.mean + (frames.target[row] - one.mean) / (one.rows + 1)
    if one.side ~= extremes[row] then one.side = 0 end
  end
  for row, name in ipairs(frames.groupings[place].names) do
    if by_name[name].side == 0 then table.insert(kept, row) end
  end
  if #kept == 0 then
    fault.at(problem.where, ("no %s with different outcomes"):format(problem.options.fixed), "at least two")
  end
  problem.left_out = lists.select(list, function(one) return one.side ~= 0 end)
  problem.frames = frames:select(vector.of(kept))
end

--- Refuses groups of which no variance can be told.
function design.check_groups(problem, list, names)
  for i, one in ipairs(list) do
    local name, n = problem.formula.groupings[i].name, #names[i]
    local where = ("%s: column '%s'"):format(problem.where, name)
    if n == 1 then fault.at(where, ("%s in all rows"):format(fault.show(names[i][1])), "groups that differ") end
    if n * #one.columns >= problem.frames.rows then
      fault.at(where, ("%s of %s in %s"):format(number.count(n * #one.columns, "effect"), number.count(n, "group"),
        number.count(problem.frames.rows, "row")), "fewer effects than rows, to tell their variance from that of the residuals")
    end
    local constant = constant_columns(problem.frames.columns, one)
    if constant >= n and not one.fixed then
      fault.at(where, ("%s and %s that are the same in all rows of a group"):format(number.count(n, "group"),
        number.count(constant, "term")), "more groups than such terms")
    end
  end
end

--- Returns the results of libcrux.mixed; refuses a model that is too large, and numbers without a likelihood.
function design.expect(where, found, problem, ...)
  if problem == "too large" and not found then fault.too_large(where, "a mixed model", sizes.mixed_effects, "effect") end
  if problem == "not finite" and not found then fault.at(where, "numbers too large or too small to fit", "others") end
  return fault.check(found, problem, ...)
end

--- The start of theta for a formula: no correlations, and the variances of effects those of the residuals.
---@param fixed string?
function design.start_thetas(formula, fixed)
  local thetas = {}
  for _, described in ipairs(formula.groupings) do
    for b, effect in ipairs(described.name == fixed and {} or described.effects) do
      for a = b, #described.effects do
        if described.effects[a].block == effect.block then table.insert(thetas, a == b and 1 or 0) end
      end
    end
  end
  return thetas
end

--- The start of theta for a model. That of a linear one whose groupings have one effect each, constant in a group, is near the
--- optimum: by the one-way analysis of variance of each grouping (Searle, Casella and McCulloch 1992, chapter 3).
---@param opened Opened
function design.start(problem, opened)
  local options, formula, response, n = problem.options, problem.formula, opened.response, problem.frames.rows
  local start, all, variances = design.start_thetas(formula, options.fixed), (response * response):sum(), {}
  if options.family ~= "linear" or options.fixed or problem.frames.weights then return start end
  local rest = all / n
  for i, described in ipairs(formula.groupings) do
    if #described.effects > 1 or described.effects[1].term ~= "(intercept)" then return start end
    local group, count = opened.groupings[i].group, opened.groupings[i].groups
    local counts, sums = groups.counts_and_sums(response, group, count)
    local within = groups.squares(response, group, count, sums / counts):sum()
    local size = (n - (counts * counts):sum() / n) / (count - 1)
    variances[i] = math.max(0, ((all - within) / (count - 1) - within / (n - count)) / size)
    rest = rest - variances[i]
  end
  if rest ~= rest or rest <= 0 then return start end
  return lists.map(variances, function(variance) return math.min(math.max(math.sqrt(variance / rest), 0.25), 4) end)
end

--- The number in row i and column k of a triangle that LeastSquares.inverse lists.
function design.element(inverse, i, k) return k >= i and inverse[k * (k - 1) // 2 + i] or 0 end

--- The columns times the inverse of their triangle: orthonormal, so that no unit of a measure harms the search.
---@param inverse number[]   as of LeastSquares
function design.orthonormal(columns, inverse)
  local found = {}
  for k in ipairs(columns) do
    for i = 1, k do
      local part = columns[i] * design.element(inverse, i, k)
      found[k] = found[k] and found[k] + part or part
    end
  end
  return found
end

---@class Opened       a model with its rows
---@field object userdata           of libcrux.mixed
---@field response userdata        that the object has
---@field kept integer[]            the numbers of the terms that have a coefficient
---@field dropped integer           1 where thresholds take the place of the intercept, else 0
---@field least_squares LeastSquares   by the terms of `kept`: its predictions are subtracted from the response of linear models
---@field groupings table[]
---@field names string[][]          of the groups
---@field fixed_groups integer      with a fixed effect each

--- Opens a model of the rows of a problem. Terms that fixed effects explain have no coefficient.
---@param parameters table   of the family
---@return Opened
function design.open(problem, parameters)
  local options, frames, formula, family = problem.options, problem.frames, problem.formula, families.of(problem.options)
  local list, names = design.groupings(formula, frames, options.fixed)
  local place, terms = fixed_place(problem), {}
  for i, column in ipairs(frames.columns) do
    if not place or not design.is_constant(column, list[place]) then table.insert(terms, i) end
  end
  local least_squares = { coefficients = {}, inverse = {}, aliased = {} }
  if #terms > 0 then
    local part = setmetatable({ terms = lists.pick(formula.terms, terms) }, { __index = formula })
    local picked = { frames = place and frames:pick(terms) or frames, formula = part }
    least_squares = ols.fit(setmetatable(picked, { __index = problem }))
  end
  local kept = lists.select(terms, function(i) return least_squares.coefficients[formula.terms[i].name] ~= nil end)
  local columns = design.orthonormal(lists.pick(frames.columns, kept), least_squares.inverse)
  local response, offset, dropped = family.response(problem, parameters), frames.offset, 0
  if options.family == "ordinal" and not place then
    table.remove(columns, 1) -- (intercept)
    dropped = 1
  elseif options.family == "linear" then
    response, offset = response - formula:combine(frames.columns, least_squares.coefficients, frames.rows), nil
  end
  collectgarbage() -- the object copies the rows, beside vectors that nobody needs any more
  local object = design.expect(problem.where, primitive.new { family = family.density, response = response, columns = columns,
    weights = frames.weights, offset = offset, censored = design.marks(options, frames), groupings = list })
  return { object = object, response = response, kept = kept, dropped = dropped, least_squares = least_squares,
    groupings = list, names = names, fixed_groups = place and list[place].groups or 0 }
end

return design
