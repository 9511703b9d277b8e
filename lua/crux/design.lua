--- The model frame and matrix of a formula on a dataset: what a fit sees, in blocks or kept in memory.
local fault = require "crux.fault"
local vector = require "libcrux.vector"

local design = {}

---@class Frame
---@field rows integer
---@field first integer          number of rows before these
---@field columns userdata[]     of the model matrix, one a term; none without a formula
---@field response userdata
---@field weights userdata?      case weights, all above 0
---@field ratings userdata?      by the rule that is taken as it is
---@field levels string[]?

---@class Design
---@field data Dataset
---@field response string
---@field weights string?        the column of case weights
---@field formula Formula?
---@field as_is Rule?
---@field numbers string[]       all columns that must be complete
---@field omitted integer        rows left out in the last pass because a value was missing
---@field weightless integer     rows left out in the last pass because their weight was 0
local Design = {}
Design.__index = Design

---@param data Dataset
---@param options { response: string, weights: string?, formula: Formula?, as_is: Rule?, who: string, also: string[]? }
--- `who` is how messages call what needs the columns; rows in which a column of `also` is missing are left out, too
function design.new(data, options)
  if not options.response then
    fault.at(options.who, "no target", "a left side of the formula, a field 'predicts' or --target COLUMN")
  end
  local self = setmetatable({ data = data, response = options.response, weights = options.weights,
    formula = options.formula, as_is = options.as_is, omitted = 0, weightless = 0 }, Design)
  local measures = self.formula and self.formula.variables or {}
  data:expect({ self.response }, options.who .. " needs the target")
  data:expect(measures, options.who .. " needs the measure")
  if self.weights then data:expect({ self.weights }, options.who .. " needs the weights") end
  self.numbers = { self.response, self.weights }
  for _, list in ipairs { measures, self.as_is and self.as_is:measures(data) or {}, options.also or {} } do
    table.move(list, 1, #list, #self.numbers + 1, self.numbers)
  end
  return self
end

--- Leaves out the rows in which a value is missing (as R's na.omit) and those of weight 0.
function Design:complete(block)
  local used = {}
  for _, column in ipairs(self.numbers) do table.insert(used, block.numbers[column]) end
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

--- The columns of the model matrix for a block, all finite.
---@param formula Formula
---@param block Block
function design.columns(formula, block)
  local columns = formula:columns(block.numbers, block.rows)
  for i, column in ipairs(columns) do
    local row = column:first_nonfinite()
    if row then
      fault.at(("%s: term '%s'"):format(block:place(row), formula.terms[i].name), fault.show(column[row]),
        "a finite number")
    end
  end
  return columns
end

--- Iterates over frames, a pass over the dataset.
---@param with_levels boolean?
---@return fun(): Frame?
function Design:blocks(with_levels)
  self.omitted, self.weightless = 0, 0
  local texts = self.as_is and self.as_is:texts(self.data)
  local next_block = self.data:blocks { numbers = self.numbers, texts = texts,
    levels = with_levels or texts ~= nil } -- a Lua function's faults name the level
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
    local first = rows
    rows = rows + block.rows
    return {
      rows = block.rows,
      first = first,
      columns = self.formula and design.columns(self.formula, block) or {},
      response = block.numbers[self.response],
      weights = self.weights and block.numbers[self.weights],
      ratings = self.as_is and self.as_is:rate(block),
      levels = with_levels and block.levels or nil,
    }
  end
end

--- Frames in memory: an iteration over them, and the fields of all as those of one Frame, made when they are used.
---@class Kept: Frame
---@field frames Frame[]
local Kept = {}

function Kept:__index(field)
  if Kept[field] then return Kept[field] end
  local parts = {}
  for i, frame in ipairs(self.frames) do parts[i] = frame[field] end
  if field == "columns" then
    self.columns = {}
    for i in ipairs(parts[1]) do
      local column = {}
      for j, columns in ipairs(parts) do column[j] = columns[i] end
      self.columns[i] = vector.concat(column)
    end
  elseif field == "levels" and parts[1] then
    self.levels = {}
    for _, levels in ipairs(parts) do table.move(levels, 1, #levels, #self.levels + 1, self.levels) end
  elseif parts[1] then
    self[field] = vector.concat(parts)
  end
  return rawget(self, field)
end

--- Keeps all frames in memory. Collects garbage now and then: where rows are left out there is as much of it as is kept,
--- and Lua at its own pace would let memory double.
---@param with_levels boolean?
function Design:keep(with_levels)
  local kept, collect_at = setmetatable({ rows = 0, frames = {} }, Kept), 16
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
  for _, field in ipairs { "response", "weights", "ratings" } do chosen[field] = self[field] and self[field]:gather(rows) end
  if self.levels then
    chosen.levels = {}
    for i = 1, #rows do chosen.levels[i] = self.levels[rows[i] // 1 | 0] end
  end
  return setmetatable({ rows = #rows, frames = { chosen } }, Kept)
end

--- The same rows with other columns, those that a function gives for each frame.
---@param columns_of fun(frame: Frame): userdata[]
function Kept:with(columns_of)
  local frames = {}
  for i, frame in ipairs(self.frames) do
    frames[i] = { rows = frame.rows, first = frame.first, columns = columns_of(frame), response = frame.response,
      weights = frame.weights }
  end
  return setmetatable({ rows = self.rows, frames = frames }, Kept)
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
