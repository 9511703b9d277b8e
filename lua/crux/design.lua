--- The model frame and matrix of a formula on a dataset: what a fit sees, in blocks or kept in memory.
local fault = require "crux.fault"
local vector = require "libcrux.vector"

local design = {}

---@class Frame
---@field rows integer
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
  local positive = {}
  for row = 1, block.rows do
    if weights[row] > 0 then table.insert(positive, row) end
  end
  if #positive == block.rows then return block end
  self.weightless = self.weightless + block.rows - #positive
  return block:select(vector.of(positive))
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
  local next_block = self.data:blocks { numbers = self.numbers, texts = texts, levels = with_levels }
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
    return {
      rows = block.rows,
      columns = self.formula and design.columns(self.formula, block) or {},
      response = block.numbers[self.response],
      weights = self.weights and block.numbers[self.weights],
      ratings = self.as_is and self.as_is:rate(block),
      levels = block.levels,
    }
  end
end

local function concat(parts) return parts[1] and vector.concat(parts) end

local Kept = {}
Kept.__index = Kept

--- All frames as one, in memory: it has the fields of a Frame and a method blocks.
function Design:keep()
  local response, weights, ratings, columns = {}, {}, {}, {}
  local kept = { rows = 0, columns = {}, levels = {} }
  for frame in self:blocks(true) do
    kept.rows = kept.rows + frame.rows
    for i, column in ipairs(frame.columns) do
      columns[i] = columns[i] or {}
      table.insert(columns[i], column)
    end
    table.insert(response, frame.response)
    table.insert(weights, frame.weights)
    table.insert(ratings, frame.ratings)
    table.move(frame.levels, 1, frame.rows, #kept.levels + 1, kept.levels)
  end
  for i, parts in ipairs(columns) do kept.columns[i] = concat(parts) end
  kept.response, kept.weights, kept.ratings = concat(response), concat(weights), concat(ratings)
  return setmetatable(kept, Kept)
end

--- Some of its rows, given as a vector of their numbers.
function Kept:select(rows)
  local chosen = { rows = #rows, columns = {}, levels = {} }
  for i, column in ipairs(self.columns) do chosen.columns[i] = column:gather(rows) end
  for i = 1, #rows do chosen.levels[i] = self.levels[rows[i] // 1 | 0] end
  for _, field in ipairs { "response", "weights", "ratings" } do chosen[field] = self[field] and self[field]:gather(rows) end
  return setmetatable(chosen, Kept)
end

--- The same rows with some of its columns, given by their numbers.
---@param columns integer[]
function Kept:pick(columns)
  local chosen = setmetatable({}, Kept)
  for field, value in pairs(self) do chosen[field] = value end
  chosen.columns = {}
  for i, column in ipairs(columns) do chosen.columns[i] = self.columns[column] end
  return chosen
end

function Kept:blocks()
  local done = false
  return function()
    if not done then
      done = true
      return self
    end
  end
end

return design
