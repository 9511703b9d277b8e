--- A Lua function with params in the place of a formula: its terms are the params; its one column holds numbers of rows that it
--- keeps with their measures, so that rows can be selected, resampled and joined like those of a matrix.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local params = require "crux.rule.params"
local vector = require "libcrux.vector"

local tunable = {}

---@class Tunable         stands in for a Formula
---@field rule Rule
---@field response string?
---@field left string?
---@field terms { name: string }[]
---@field readers RowReader[]   of all rows that were read
---@field places integer[]   of these rows in their blocks
local Tunable = { intercept = false, is_transformed = false, has_dot = false, variables = {}, texts = {}, based = {},
  offsets = {} }
Tunable.__index = Tunable

---@param rule Rule   with params
---@return Tunable
function tunable.new(rule)
  local self = setmetatable({ rule = rule, response = rule.predicts, left = rule.predicts, terms = {}, readers = {},
    places = {} }, Tunable)
  for i, param in ipairs(rule.params) do self.terms[i] = { name = param.name } end
  return self
end

function Tunable:right_text() return "a Lua function" end -- luacheck: no self

--- A new one, for the rows of another dataset.
function Tunable:settled() return tunable.new(self.rule) end

function Tunable:learned() return self end

function Tunable:numbers() return {} end -- luacheck: no self

function Tunable:encode() end -- luacheck: no self

function Tunable:offset() end -- luacheck: no self

function Tunable:left_side(block) return block.numbers[self.response] end

--- Keeps the rows of a block.
---@return userdata[]   one column: their numbers
function Tunable:finite_columns(block)
  local numbers, reader, count = {}, self.rule:reader(block), #self.readers
  budget.spare(function()
    for row = 1, block.rows do
      numbers[row] = count + row
      self.readers[count + row], self.places[count + row] = reader, row
    end
  end)
  return { vector.of(numbers) }
end

--- The reader of a row, by its number, at that row.
function Tunable:reader(row)
  local at = self.readers[row // 1 | 0]
  at:move(self.places[row // 1 | 0])
  return at
end

--- The ratings of rows by given params; they may be infinite or NaN.
---@param numbers userdata             of the rows
---@param values number[]|userdata     of the params, in order
function Tunable:rate(numbers, values)
  local rating, view = self.rule.rating, params.view(self.rule.params, values)
  local ratings, at, of = {}, nil, nil
  local ok, problem = pcall(fault.guard, self.rule:who(), function()
    for i = 1, #numbers do
      budget.beat()
      at = self:reader(numbers[i])
      of = rating(at.measures, view)
      if not math.type(of) then return true end
      ratings[i] = of
    end
  end)
  if not ok then error(at.fault or problem, 0) end
  if problem then self.rule:refuse(at, of, values) end
  return vector.of(ratings)
end

--- Refuses ratings that are not all finite.
---@param values number[]|userdata
function Tunable:expect_finite(numbers, values, ratings)
  local i = ratings:first_nonfinite()
  if i then self.rule:refuse(self:reader(numbers[i]), ratings[i], values) end
end

--- Ratings by the params of a fit: the counterpart of Formula:combine.
---@param coefficients table<string, number>
function Tunable:combine(columns, coefficients)
  local values = {}
  for i, term in ipairs(self.terms) do values[i] = coefficients[term.name] end
  local ratings = self:rate(columns[1], values)
  self:expect_finite(columns[1], values, ratings)
  return ratings
end

function Tunable:log_slope() return 0 end -- luacheck: no self

function Tunable:to_target(values) return values end -- luacheck: no self

return tunable
