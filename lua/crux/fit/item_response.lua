--- Item response models of plays, for the fits rasch, 2pl and lltm: players of unknown ability, levels of unknown difficulty.
local fault = require "crux.base.fault"
local grouping = require "crux.stats.grouping"
local likelihood = require "crux.fit.likelihood"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local number = require "crux.base.number"
local primitive = require "libcrux.item_response"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local item_response = {}

--- Nodes of the quadrature around the mode of each player's ability: 41 change the log-likelihoods of the tests' examples by at
--- most 1e-6.
item_response.nodes = 21

--- The standard deviation, in logits, below which players or levels do not differ.
item_response.least = 1e-3

--- The grouping terms of the models.
local expected = "(1 | player) + (1 | level)"

local nan = 0 / 0

--- Tells whether a formula has these grouping terms, and no others.
local function is_crossed(formula)
  for _, one in ipairs(formula.groupings) do
    if #one.effects > 1 or one.effects[1].term ~= "(intercept)" then return false end
  end
  return #formula.groupings == 2 and formula:grouping "player" and formula:grouping "level"
end

--- Refuses a problem that is not one of plays.
function item_response.check(problem)
  local formula, frames, where = problem.formula, problem.frames, problem.where
  if not is_crossed(formula) then
    fault.at(where, ("the formula %s"):format(formula.text), "the grouping terms " .. expected)
  end
  if formula.is_transformed then fault.at(where, "a transformed target", "the target itself, an outcome of 0 or 1") end
  if #formula.offsets > 0 then fault.at(where, "an offset", "terms alone") end
  if frames.weights then fault.at(where, "case weights", "none: each row is a play") end
  local players, levels, target = item_response.names(problem, frames, "player"), item_response.names(problem, frames, "level"),
    frames.target
  for row = 1, frames.rows do
    if target[row] ~= 0 and target[row] ~= 1 then
      fault.at(("%s: player %s, level %s: column '%s'"):format(where, fault.show(players[row]), fault.show(levels[row]),
        formula.response), fault.show(target[row]), "0 or 1")
    end
  end
end

--- The names of the groups of all rows.
---@param column string   "player" or "level"
function item_response.names(problem, frames, column)
  for i, one in ipairs(problem.formula.groupings) do
    if one.name == column then return frames.groupings[i].names end
  end
end

---@class ItemPlays
---@field player userdata    number of each play's player
---@field level userdata
---@field solved userdata    0 or 1
---@field players Row[]      player, plays, solved
---@field levels Row[]       level, plays, solved

--- Numbers the groups of a column, and counts their plays.
local function counted(problem, frames, column)
  local index, names = grouping.number(item_response.names(problem, frames, column))
  local rows = lists.map(names, function(name) return { [column] = name, plays = 0, solved = 0 } end)
  for i = 1, #index do
    local row = rows[index[i] // 1 | 0]
    row.plays, row.solved = row.plays + 1, row.solved + frames.target[i]
  end
  for _, row in ipairs(rows) do row.solved = math.tointeger(row.solved) end
  return index, rows
end

--- The plays of frames. Refuses plays of one player or level, and of one play for each player.
function item_response.plays(problem, frames)
  local plays = { solved = frames.target }
  for _, column in ipairs { "player", "level" } do
    plays[column], plays[column .. "s"] = counted(problem, frames, column)
    local rows = plays[column .. "s"]
    if #rows == 1 then
      fault.at(("%s: column '%s'"):format(problem.where, column), ("%s in all rows"):format(fault.show(rows[1][column])),
        "at least 2 different ones")
    end
  end
  if #plays.players == frames.rows then
    fault.at(("%s: column 'player'"):format(problem.where), "one play of each player",
      "players with several, which tell ability from chance")
  end
  return plays
end

--- The frames without the plays of levels that all or none of the plays solved, and the names of these levels.
---@return StoredFrame, string[]
function item_response.varied(problem)
  local frames, kept, left_out = problem.frames, {}, {}
  local index, levels = counted(problem, frames, "level")
  for i = 1, #index do
    local level = levels[index[i] // 1 | 0]
    if level.solved > 0 and level.solved < level.plays then table.insert(kept, i) end
  end
  for _, level in ipairs(levels) do
    if level.solved == 0 or level.solved == level.plays then table.insert(left_out, level.level) end
  end
  if #kept == 0 then
    fault.at(problem.where, "levels that all or none of the plays solved", "levels that some plays solved, others not")
  end
  natural.sort(left_out)
  return #left_out > 0 and frames:select(vector.of(kept)) or frames, left_out
end

--- A start of the search: the logits of the shares of plays that solved the levels, then slopes of 1, then coefficients of 0.
function item_response.start(plays, slopes, measures)
  local start = lists.map(plays.levels, function(row) return math.log((row.solved + 0.5) / (row.plays - row.solved + 0.5)) end)
  for _ = 1, slopes do table.insert(start, 1) end
  for _ = 1, measures do table.insert(start, 0) end
  return start
end

--- The estimates of libcrux.item_response.
---@param fields { slopes: string, start: userdata, columns: userdata[]?, precision: number? }
function item_response.solve(plays, fields, where)
  if #fields.start > sizes.item_parameters then
    fault.too_large(where, "an item response model", sizes.item_parameters, "parameter")
  end
  local found = fault.check(primitive.fit(lists.merge({ player = plays.player, level = plays.level, solved = plays.solved,
    players = #plays.players, levels = #plays.levels, nodes = item_response.nodes }, fields)))
  local count = #fields.start
  --- The covariance of two estimates; NaN where the search did not converge.
  function found.covariance(i, k) return found.converged and found.covariances[(i - 1) * count + k] or nan end
  return found
end

--- Rows in the natural order of their names.
local function sorted(rows, column)
  local names, by_name = lists.field(rows, column), {}
  for _, row in ipairs(rows) do by_name[row[column]] = row end
  natural.sort(names)
  return lists.pick(by_name, names)
end

local function table_of(title, rows, column, keys)
  local columns = {}
  for i, key in ipairs { column, "plays", "solved", table.unpack(keys) } do columns[i] = { key = key } end
  return { key = column .. "s", title = title, columns = columns, rows = sorted(rows, column) }
end

--- The tables of a fit. Sets the abilities of players, in units of `spread` standard deviations.
---@param keys string[]   of the columns of levels beyond the counts
---@return { key: string, title: string, columns: Column[], rows: Row[] }[]
function item_response.tables(plays, found, spread, keys)
  for i, row in ipairs(plays.players) do
    row.ability = found.converged and spread * found.abilities[i] or nan
    row.std_error = found.converged and spread * found.errors[i] or nan
  end
  return { table_of("Levels", plays.levels, "level", keys),
    table_of("Players", plays.players, "player", { "ability", "std_error" }) }
end

--- A row of the table of variance components: the standard deviation of a group's effects, and its standard error.
function item_response.component(group, deviation, std_error)
  return { group = group, term = "(intercept)", variance = deviation ^ 2, deviation = deviation, std_error = std_error }
end

item_response.component_keys = { "group", "term", "variance", "deviation", "std_error" }

--- Sets the difficulty of levels with slopes of their own: the ability that solves with probability 0.5.
local function set_own(plays, found)
  local count = #plays.levels
  for i, row in ipairs(plays.levels) do
    local slope = found.parameters[count + i]
    row.difficulty = -found.parameters[i] / slope
    row.std_error = math.sqrt(found.covariance(i, i) + row.difficulty ^ 2 * found.covariance(count + i, count + i)
      + 2 * row.difficulty * found.covariance(i, count + i)) / math.abs(slope)
    row.discrimination, row.discrimination_error = slope, math.sqrt(found.covariance(count + i, count + i))
  end
end

--- Sets the difficulty of levels of one slope, in logits.
function item_response.set_difficulty(plays, found)
  for i, row in ipairs(plays.levels) do
    row.difficulty, row.std_error = -found.parameters[i], math.sqrt(found.covariance(i, i))
  end
end

---@class ItemResponse: Fitted
---@field tables table[]     of levels and players
---@field left_out string[]  levels without a difficulty

--- Fits difficulties of levels, and slopes: "one", "common" or "own".
---@return ItemResponse
function item_response.fit(problem, slopes)
  item_response.check(problem)
  for _, term in ipairs(problem.formula.terms) do
    if #term.factors > 0 then
      fault.at(problem.where, ("the term '%s'"):format(term.name), ("%s alone; the fit lltm explains difficulties by terms")
        :format(expected))
    end
  end
  local frames, left_out = item_response.varied(problem)
  local plays = item_response.plays(problem, frames)
  local count, is_own = #plays.levels, slopes == "own"
  local start = item_response.start(plays, slopes == "one" and 0 or is_own and count or 1, 0)
  local found = item_response.solve(plays, { slopes = slopes, start = vector.of(start) }, problem.where)
  local set = is_own and set_own or item_response.set_difficulty
  set(plays, found)
  local spread = slopes == "common" and math.abs(found.parameters[count + 1]) or 1
  local fitted = { formula = problem.formula, n = frames.rows, terms = {}, coefficients = {}, aliased = {}, left_out = left_out,
    objective = { "minus the log-likelihood", -found.log_likelihood }, converged = found.converged,
    iterations = found.iterations, component_keys = item_response.component_keys,
    tables = item_response.tables(plays, found, spread, { "difficulty", "std_error",
      table.unpack(is_own and { "discrimination", "discrimination_error" } or {}) }) }
  if not found.converged then fitted.trouble = "no greatest likelihood, as few plays may have" end
  local error = slopes == "common" and math.sqrt(found.covariance(count + 1, count + 1)) or nil
  fitted.components = { item_response.component("player", spread, error) }
  likelihood.criteria(fitted, found.log_likelihood, #start, #plays.players)
  return fitted
end

--- The lines below the table of levels.
---@param fitted ItemResponse
function item_response.notes(fitted)
  local levels, players = table.unpack(fitted.tables)
  local lines = { ("Groups: %s, %s; a player whose ability is a level's difficulty solves it with probability 0.5"):format(
    number.count(#players.rows, "player"), number.count(#levels.rows, "level")), likelihood.line(fitted) }
  for _, component in ipairs(fitted.components) do
    if component.deviation < 2 * item_response.least then
      table.insert(lines, ("Singular: the variance of %s is 0; these plays tell no difference"):format(component.group))
    end
  end
  if #fitted.left_out > 0 then
    table.insert(lines, ("Left out, as all or none of the plays solved them: %s %s"):format(
      #fitted.left_out == 1 and "level" or "levels", lists.ten(fitted.left_out)))
  end
  return lines
end

return item_response
