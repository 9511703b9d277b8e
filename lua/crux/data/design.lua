--- The model frame and matrix of a formula on a dataset: what a fit sees, in blocks or kept in memory.
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local ranges = require "crux.data.ranges"
local vector = require "libcrux.vector"

local design = {}

---@class Frame
---@field rows integer
---@field first integer          number of rows before these
---@field columns userdata[]     of the model matrix, one a term; none without a formula
---@field target userdata        what is predicted, as the dataset has it
---@field response userdata      what the columns are to explain: the target, or the formula's left side minus the offset
---@field offset userdata?       what the formula adds without a coefficient, on the scale of its left side
---@field weights userdata?      case weights, all above 0
---@field ratings userdata?      by the rule that is taken as it is
---@field levels string[]?
---@field groups string[]?       of the rows that are to stay together

---@class Design
---@field data Dataset
---@field response string        the column of the target
---@field weights string?        the column of case weights
---@field formula Formula?       settled and learned: the one to fit, whatever was given
---@field as_is Rule?
---@field group string?          the column of groups
---@field drops_unrated boolean? leaves out the rows that this rule cannot rate
---@field numbers string[]       all columns that must be complete numbers
---@field texts string[]         columns that must be complete text
---@field ranges table<string, { [1]: number, [2]: number }>   of the formula's measures in the last pass
---@field targets table<string, { [1]: number, [2]: number }>  the same of the target
---@field omitted integer        rows left out in the last pass because a value was missing
---@field weightless integer     rows left out in the last pass because their weight was 0
local Design = {}
Design.__index = Design

local function append(list, more) table.move(more or {}, 1, #(more or {}), #list + 1, list) end

---@param data Dataset
---@param options { response: string, weights: string?, formula: Formula?, as_is: Rule?, who: string, also: string[]?,
--- also_texts: string[]?, group: string? }   `who` is how messages call what needs the columns; rows in which a column of
--- `also`, numbers, or of `also_texts` is missing are left out, too
---@return Design
function design.new(data, options)
  if not options.response then
    fault.at(options.who, "no target", "a left side of the formula, a field 'predicts' or --target COLUMN")
  end
  local self = setmetatable({ data = data, response = options.response, weights = options.weights, as_is = options.as_is,
    group = options.group, omitted = 0, weightless = 0, ranges = {}, targets = {} }, Design)
  if not self.as_is and options.formula and options.formula.rule then -- rated to see which rows it can rate
    self.as_is, self.drops_unrated = options.formula.rule, true
  end
  data:expect({ self.response }, options.who .. " needs the target")
  if self.weights then data:expect({ self.weights }, options.who .. " needs the weights") end
  local formula = options.formula and options.formula:settled(data, self.weights)
  data:expect(formula and formula.variables or {}, options.who .. " needs the measure")
  self.numbers, self.texts = { self.response, self.weights }, {}
  append(self.numbers, formula and formula:numbers())
  append(self.numbers, self.as_is and self.as_is:measures(data))
  append(self.numbers, options.also)
  append(self.texts, formula and formula.texts)
  append(self.texts, options.also_texts)
  if self.group then data:expect({ self.group }, options.who .. " needs the groups") end
  append(self.texts, { self.group })
  -- of the rows that a fit sees; R takes those, too, in which another measure is missing: other polynomials of the same span
  self.formula = formula and formula:learned(function() return self:complete_blocks {} end)
  return self
end

--- Leaves out the rows in which a value is missing (as R's na.omit) and those of weight 0.
function Design:complete(block)
  local used = {}
  for _, column in ipairs(self.numbers) do table.insert(used, block.numbers[column]) end
  for _, column in ipairs(self.texts) do table.insert(used, block:present(column)) end
  local rows = vector.complete(used)
  if rows then
    self.omitted = self.omitted + block.rows - #rows
    block = block:select(rows)
  end
  local weights = self.weights and block.numbers[self.weights]
  if not weights then return block end
  block:check_weights(self.weights)
  local positive = weights:positive()
  if not positive then return block end
  self.weightless = self.weightless + block.rows - #positive
  return block:select(positive)
end

--- Iterates over blocks of complete rows, a pass over the dataset.
---@param wanted { texts: string[]?, levels: boolean? }   beside what must be complete
---@return fun(): Block?
function Design:complete_blocks(wanted)
  self.omitted, self.weightless = 0, 0
  local texts = {}
  append(texts, self.texts)
  append(texts, wanted.texts)
  local next_block = self.data:blocks { numbers = self.numbers, texts = texts, levels = wanted.levels }
  local rows = 0
  return function()
    local block = next_block()
    if not block then
      if rows == 0 and self.weightless > 0 then
        fault.at(("%s: column '%s'"):format(self.data.name, self.weights), "no weight above 0", "at least one")
      elseif rows == 0 then
        fault.at(self.data.name, "no complete row", "at least one without a missing value")
      end
      return nil
    end
    block = self:complete(block)
    rows = rows + block.rows
    return block
  end
end

--- Iterates over frames, a pass over the dataset.
---@param with_levels boolean?
---@return fun(): Frame?
function Design:blocks(with_levels)
  local as_is, formula = self.as_is, self.formula
  local texts = as_is and as_is:texts(self.data)
  local next_block = self:complete_blocks { texts = texts,
    levels = with_levels or as_is and as_is.rating ~= nil } -- a Lua function's faults name the level
  local first = 0
  self.ranges, self.targets = {}, {}
  return function()
    local block = next_block()
    if not block then return nil end
    local ratings = as_is and as_is:rate(block)
    local rated = self.drops_unrated and vector.complete { ratings }
    if rated then
      self.omitted = self.omitted + block.rows - #rated
      block, ratings = block:select(rated), ratings:gather(rated)
    end
    if formula then ranges.widen(self.ranges, block, formula:numbers()) end
    ranges.widen(self.targets, block, { self.response })
    local frame = { rows = block.rows, first = first, columns = {}, target = block.numbers[self.response],
      weights = self.weights and block.numbers[self.weights], ratings = ratings,
      levels = with_levels and block.levels or nil, groups = self.group and block.texts[self.group] }
    frame.response = frame.target
    if formula then
      formula:encode(block)
      frame.columns, frame.offset = formula:finite_columns(block), formula:offset(block)
      frame.response = formula:left_side(block)
      if frame.offset then frame.response = frame.response - frame.offset end
    end
    first = first + block.rows
    return frame
  end
end

--- Frames in memory: an iteration over them, and the fields of all as those of one Frame, made when they are used.
---@class Kept: Frame
---@field frames Frame[]
---@field formula Formula?     of its columns
local Kept = {}

function Kept:__index(field)
  if Kept[field] then return Kept[field] end
  local parts = {}
  for i, frame in ipairs(self.frames) do parts[i] = frame[field] end
  if field == "target" and parts[1] and parts[1] == self.frames[1].response then
    self.target = self.response -- the same vectors
  elseif field == "columns" then
    self.columns = {}
    for i in ipairs(parts[1]) do
      local column = {}
      for j, columns in ipairs(parts) do column[j] = columns[i] end
      self.columns[i] = vector.concat(column)
    end
  elseif (field == "levels" or field == "groups") and parts[1] then
    self[field] = {}
    for _, names in ipairs(parts) do append(self[field], names) end
  elseif parts[1] then
    self[field] = vector.concat(parts)
  end
  return rawget(self, field)
end

--- Keeps all frames in memory. Collects garbage now and then: where rows are left out there is as much of it as is kept,
--- and Lua at its own pace would let memory double.
---@param with_levels boolean?
function Design:keep(with_levels)
  local kept, collect_at = setmetatable({ rows = 0, frames = {}, formula = self.formula or false }, Kept), 16
  for frame in self:blocks(with_levels) do
    if frame.rows > 0 then table.insert(kept.frames, frame) end
    kept.rows = kept.rows + frame.rows
    if #kept.frames >= collect_at then
      collectgarbage()
      collect_at = #kept.frames + math.max(16, #kept.frames // 16)
    end
  end
  return kept
end

--- Some of its rows, given as a vector of their numbers.
function Kept:select(rows)
  local chosen = { rows = #rows, first = 0, columns = {} }
  for i, column in ipairs(self.columns) do chosen.columns[i] = column:gather(rows) end
  for _, field in ipairs { "response", "weights", "ratings", "offset" } do
    chosen[field] = self[field] and self[field]:gather(rows)
  end
  chosen.target = self.target == self.response and chosen.response or self.target:gather(rows)
  for _, field in ipairs { "levels", "groups" } do
    if self[field] then
      chosen[field] = {}
      for i = 1, #rows do chosen[field][i] = self[field][rows[i] // 1 | 0] end
    end
  end
  return setmetatable({ rows = #rows, frames = { chosen }, formula = self.formula }, Kept)
end

--- The same rows with other columns, those that a function gives for each frame, and another response if it gives one.
---@param columns_of fun(frame: Frame): userdata[], userdata?
function Kept:with(columns_of)
  local frames = {}
  for i, frame in ipairs(self.frames) do
    local columns, response = columns_of(frame)
    frames[i] = { rows = frame.rows, first = frame.first, columns = columns, response = response or frame.response,
      target = frame.target, weights = frame.weights }
  end
  return setmetatable({ rows = self.rows, frames = frames, formula = false }, Kept)
end

--- The same rows in one piece, with other columns, vectors of all rows.
---@param columns userdata[]
function Kept:merged(columns)
  local frame = { rows = self.rows, first = 0, columns = columns, response = self.response, target = self.target,
    weights = self.weights }
  return setmetatable({ rows = self.rows, frames = { frame }, formula = false }, Kept)
end

--- The same rows with some of its columns, given by their numbers.
---@param columns integer[]
function Kept:pick(columns)
  return self:with(function(frame)
    local chosen = {}
    for i, column in ipairs(columns) do chosen[i] = frame.columns[column] end
    return chosen
  end)
end

--- Refuses targets that are all the same, as every fit predicts them.
local function expect_variety(low, high, rows, column, where)
  if low == high then
    fault.at(("%s: column '%s'"):format(where, column),
      ("%s in all %s"):format(fault.show(low), number.count(rows, "row")), "values that differ")
  end
end

---@param column string   the target
---@param where string    names the data in messages
function Kept:expect_variety(column, where)
  local low, high = self.target:range()
  expect_variety(low, high, self.rows, column, where)
end

--- The same of the rows of the last pass.
---@param rows integer   how many there were
function Design:expect_variety(rows)
  local low, high = table.unpack(self.targets[self.response] or {})
  if rows > 1 and low then expect_variety(low, high, rows, self.response, self.data.name) end
end

--- Iterates over its frames.
---@return fun(): Frame?
function Kept:blocks()
  local i = 0
  return function()
    i = i + 1
    return self.frames[i]
  end
end

return design
