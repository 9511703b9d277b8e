--- factor(x) in formulas: a column for each value of x but the first (treatment contrasts), or for each value where R has one.
---
--- The values, R's levels, are those of the training rows, in the order of numbers or of the bytes of texts, learned in one
--- pass.
local grammar = require "crux.formula.grammar"
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local factor = {}
factor.__index = factor

local max_values = sizes.factor_values

---@class Factor
---@field column string?               its measure, which may be text; nil for a function of measures
---@field values (number|string)[]?    learned
---@field is_text boolean?

local unseen = math.huge -- the code of a value that was not learned

function factor.new(arguments) return setmetatable({ column = arguments[1].name }, factor) end

local function called(value) return type(value) == "string" and value or grammar.number(value) end

local function learned(basis, values)
  local index = {}
  for i, value in ipairs(values) do
    index[value] = i
    index[called(value)] = index[called(value)] or i
  end
  return setmetatable({ column = basis.column, values = values, is_text = type(values[1]) == "string", index = index }, factor)
end

--- The codes of texts: places among the values, `unseen` for other texts, NaN for missing ones.
---@param present userdata   of Block:present
function factor:encode(texts, present)
  local codes = {}
  for row, text in ipairs(texts) do codes[row] = present[row] == 0 and (self.index[text] or unseen) or 0 / 0 end
  return vector.of(codes)
end

--- Tells whether the names of its columns are known.
function factor:has_names() return self.values ~= nil end

--- The endings of the names of its columns.
---@param full boolean   with a column for the first value
function factor:names(full)
  local names = {}
  for i = full and 1 or 2, #self.values do table.insert(names, called(self.values[i])) end
  return names
end

--- The code of a number. Numbers with the same text by R's as.character are the same value.
local function code_of(index, value) return index[value] or index[called(value)] or value ~= value and value or unseen end

--- Its columns: 0 or 1, NaN for missing values.
---@param x userdata   numbers, or the codes of texts
function factor:columns(x, full)
  local codes = x
  if not self.is_text then
    codes = {}
    for row = 1, #x do codes[row] = code_of(self.index, x[row]) end
    codes = vector.of(codes)
  end
  local columns = {}
  for i = full and 1 or 2, #self.values do table.insert(columns, codes:equal(i)) end
  return columns
end

--- Returns what was found and expected for a value that was not learned; nil for a learned one.
function factor:problem(value)
  local code = type(value) == "string" and self.index[value] or code_of(self.index, value)
  if code ~= unseen and code then return nil end
  local names = {}
  for i = 1, math.min(#self.values, 12) do names[i] = ("'%s'"):format(called(self.values[i])) end
  return ("'%s'"):format(called(value)), ("one of the values that it was fitted to: %s%s"):format(table.concat(names, ", "),
    #self.values > 12 and ", ..." or "")
end

--- Starts to learn: bases.lua describes learners.
function factor:learner(is_text)
  local seen, values, learner = {}, {}, {}
  function learner.take(x)
    for row = 1, #x do
      local value = is_text and x[row] or x[row] + 0.0 -- that of -0 is 0
      local name = called(value)
      if not seen[name] and #values <= max_values then
        seen[name] = true
        table.insert(values, value)
      end
    end
  end
  function learner.finish()
    local limit = number.count(max_values, "different value")
    if #values < 2 or #values > max_values then
      return nil, false, #values > max_values and "more than " .. limit or ("'%s' in all rows"):format(called(values[1])),
        "2 to " .. limit
    end
    table.sort(values)
    return learned(self, values)
  end
  return learner
end

--- Its fields in a rule script.
function factor:fields() return { { "values", self.values } } end

--- Reads the basis from the fields of a rule script; returns nil and what was expected for wrong fields.
function factor:read(fields)
  local expected = "values of at least two different numbers or texts"
  local values, seen = fields.values, {}
  if type(values) ~= "table" or #values < 2 then return nil, expected end
  for _, value in ipairs(values) do
    local is_fit = type(value) == type(values[1]) and (type(value) == "string" and self.column or number.is_finite(value))
    if not is_fit or seen[value] then return nil, expected end
    seen[value] = true
  end
  return learned(self, values)
end

return factor
