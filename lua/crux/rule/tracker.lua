--- Ratings of players and levels that learn with each play: plays for libcrux.rating_filter, and its state as a table.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local rating_filter = require "libcrux.rating_filter"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local tracker = {}

---@class Tracker
---@field response string      column
---@field rule Rule?           gives the offsets
---@field family string        of the mixed model
---@field bound string?        column that tells which responses are lower bounds
---@field clock string?        column
---@field ease number          1 if plays of a larger linear predictor go better, else -1
---@field description string   of the model
---@field filter userdata
---@field names userdata[]     of players, and of levels
---@field counts table<string, integer>   plays taken, late, again, earlier; rows of missing values
---@field first table<string, string>     the place of the first of these
---@field surprise number      sum
local Tracker = {}
Tracker.__index = Tracker

---@class TrackerOptions
---@field model "elo"|"glicko2"|"kalman"
---@field clock string?
---@field drift number
---@field period number

--- The sides, and the columns that name them.
tracker.sides = { "player", "level" }

--- Glickman's error of a new player, 350 points, in logits.
local unknown = 350 / 400 * math.log(10)

--- The deviations of players and levels, and the residual one, of a fitted mixed model.
local function deviations_of(rule)
  local method, expected = rule.method, "a rule fitted by mixed with (1 | player) + (1 | level)"
  if not method or not method.fit.effects then fault.at(rule:who(), "another fit", expected) end
  if not rule.coefficients then fault.at(rule:who(), "no coefficients", "a rule fitted by crux fit -o") end
  local family, sigma, found = method.options.family, rule.parameters.sigma, {}
  if family == "ordinal" then fault.at(rule:who(), "the family ordinal", "linear, logistic or lognormal") end
  for i, grouping in ipairs(rule.formula.groupings) do
    local effects = grouping.effects
    if #effects > 1 or effects[1].term ~= "(intercept)" then fault.at(rule:who(), "a slope of groups", expected) end
    found[grouping.name] = rule.parameters.theta[i] * (family == "linear" and sigma or 1)
  end
  if not found.player or not found.level or #rule.formula.groupings > 2 then fault.at(rule:who(), "other groups", expected) end
  return found.player, found.level, family ~= "logistic" and sigma or nil
end

--- Without a rule the plays are outcomes, and nothing is known of any player or level.
---@param rule Rule?
---@param options TrackerOptions
---@return Tracker
function tracker.new(rule, options)
  local player, level, residual = unknown, unknown, nil
  if rule then player, level, residual = deviations_of(rule) end
  if residual and options.model ~= "kalman" then
    fault.at(rule:who(), ("the family %s and --model %s"):format(rule.method.options.family, options.model),
      "the family logistic, or --model kalman")
  end
  local described = { model = options.model, player = player, level = level, residual = residual, drift = options.drift,
    period = options.period }
  local parts = { rule and rule.formula.text or "solved" }
  for _, key in ipairs(lists.keys(described)) do
    local value = described[key]
    table.insert(parts, ("%s = %s"):format(key, type(value) == "number" and number.exact(value) or value))
  end
  return setmetatable({ rule = rule, response = rule and rule.predicts or "solved", clock = options.clock,
    family = rule and rule.method.options.family or "logistic", bound = rule and rule.method:censored(),
    ease = rule and rule.method.fit.ease(rule.method) or 1, description = table.concat(parts, ", "),
    filter = rating_filter.new(described), names = { text_column.names(), text_column.names() },
    counts = { taken = 0, late = 0, again = 0, earlier = 0, missing = 0 }, first = {}, surprise = 0 }, Tracker)
end

--- The responses of a block, on the scale of the linear predictor.
function Tracker:responses(block)
  local plain = block.numbers[self.response]
  local values, expected = plain, "the outcome 0 or 1"
  if self.family == "linear" then return self.rule.formula:left_side(block) end
  local row
  if self.family == "lognormal" then
    values, expected = vector.log(plain), "a time above 0"
    row = values:first_nonfinite()
  else
    local wrong = vector.abs(plain * (1 - plain)):positive() -- nil: in all rows
    row = not wrong and 1 or wrong[1]
  end
  if row then
    fault.at(("%s: column '%s'"):format(block:place(row), self.response), fault.show(plain[row // 1 | 0]), expected)
  end
  return values
end

--- Counts the results of a block.
function Tracker:count(block, results)
  for i, name in ipairs { "taken", "late", "again", "earlier" } do
    local of_kind = results:equal(i - 1)
    local count = of_kind:sum() // 1 | 0
    self.counts[name] = self.counts[name] + count
    if count > 0 and i > 1 and not self.first[name] then
      local rows = of_kind:positive()
      self.first[name] = block:place(rows and rows[1] // 1 | 0 or 1)
    end
  end
end

--- The block's complete rows; counts the others.
function Tracker:complete(block, columns)
  local complete = vector.complete(lists.map(columns, function(column) return block.numbers[column] end))
  if not complete then return block end
  self.counts.missing = self.counts.missing + block.rows - #complete
  return block:select(complete)
end

---@class Tracked     the plays of a block: vectors, and the block
---@field expected userdata   missing of plays that are not taken
---@field ability userdata    after the play, as all further ones
---@field ability_error userdata
---@field difficulty userdata
---@field difficulty_error userdata

--- Takes the plays of a dataset; calls visit(block, tracked) for each of its blocks.
---@param visit fun(block: Block, tracked: Tracked)
function Tracker:play(data, visit)
  local formula, numbers, texts = self.rule and self.rule.formula, { self.response, self.bound or nil }, tracker.sides
  if self.clock then table.insert(numbers, self.clock) end
  if formula then numbers, texts = lists.union(formula:numbers(), numbers), lists.union(formula.texts, texts) end
  data:expect(lists.union(numbers, texts), "ratings of players and levels need the column")
  for block in data:blocks { numbers = numbers, texts = texts } do
    block = self:complete(block, numbers)
    local bounds, offset = self.bound and block.numbers[self.bound], nil
    if bounds and self.rule.method.options.completed then bounds = bounds:equal(0) end
    if formula then
      formula:encode(block)
      offset = formula:combine(formula:finite_columns(block), self.rule.coefficients, block.rows, formula:offset(block))
    end
    local results, surprises, expected, player, player_error, level, level_error = self.filter:play(
      self.names[1]:numbers(block.texts.player), self.names[2]:numbers(block.texts.level), self:responses(block), offset,
      bounds or nil, self.clock and block.numbers[self.clock])
    self:count(block, results)
    self.surprise = self.surprise + surprises:sum()
    visit(block, { expected = expected, ability = self.ease * player, ability_error = player_error,
      difficulty = -self.ease * level, difficulty_error = level_error })
  end
end

--- The ratings of one side: names, numbers of plays, ratings and errors.
---@param side integer
function Tracker:ratings(side)
  local means, variances, _, _, plays, offsets = self.filter:ratings(side)
  return { name = self.names[side]:texts(), plays = plays, rating = (side == 1 and self.ease or -self.ease) * (means + offsets),
    error = vector.sqrt(variances) }
end

--- The columns of the state; a last row `end` tells that the state is whole, and of which model it is.
local fields = { "mean", "variance", "volatility", "clock", "plays", "offset" }
tracker.state_columns = lists.concat({ "side", "name" }, fields)

--- Writes the state.
function Tracker:save(writer)
  local total = 0
  for side, name in ipairs(tracker.sides) do
    local values, sides = { name = self.names[side]:texts() }, {}
    for i, column in ipairs { self.filter:ratings(side) } do values[fields[i]] = column end
    for i = 1, #values.plays do sides[i] = name end
    values.side, total = sides, values.plays:sum()
    writer:block(values, #sides)
  end
  writer:add { side = "end", name = self.description, plays = total }
end

--- Takes up the state in a file.
function Tracker:restore(path)
  local data = dataset.open(path)
  data:expect(tracker.state_columns, "a state of crux track needs the column")
  local blocks = {}
  for block in data:blocks { texts = { "side", "name" }, numbers = fields } do
    table.insert(blocks, block)
  end
  local whole = blocks[1] and dataset.merged(blocks)
  local count = whole and whole.rows or 0
  if count == 0 or whole.texts.side[count] ~= "end" then
    fault.at(path, "no row 'end'", "one at the end: the state was cut short")
  elseif whole.texts.name[count] ~= self.description then
    fault.at(path, ("the state of '%s'"):format(whole.texts.name[count]), ("that of '%s'"):format(self.description))
  end
  for side, name in ipairs(tracker.sides) do
    local rows = {}
    for row = 1, count do
      if whole.texts.side[row] == name then table.insert(rows, row) end
    end
    local at = vector.of(rows)
    self.names[side]:numbers(whole.texts.name:gather(at))
    local values = lists.map(fields, function(column) return whole.numbers[column]:gather(at) end)
    self.filter:restore(side, table.unpack(values))
  end
end

return tracker
