--- The params of a rule whose formula is a Lua function, `params = { a = 0.3, b = { 0.25, low = 0, high = 1 } }`: reads them
--- from a script, passes them to the function, lets fits change them, and writes new numbers into the script.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local params = {}

---@class Param
---@field name string
---@field value number   between low and high
---@field low number     infinite without a bound, as high
---@field high number

local huge = math.huge
local shape = "a number, or { number, low = number, high = number }"

local function read(name, given, where)
  where = ("%s: param %s"):format(where, fault.show(name))
  local fields = type(given) == "table" and given or { given }
  for key in next, fields do
    if key ~= 1 and key ~= "low" and key ~= "high" then fault.at(where, "the field " .. fault.show(key), shape) end
  end
  local value, low, high = fields[1], fields.low or -huge, fields.high or huge
  if not number.is_finite(value) then fault.at(where, fault.show(value), shape) end
  for _, bound in ipairs { low, high } do
    if not math.type(bound) or bound ~= bound then fault.at(where .. ": bounds", fault.show(bound), "numbers") end
  end
  if low >= high then
    fault.at(where .. ": bounds", ("low = %s and high = %s"):format(fault.show(low), fault.show(high)), "low below high")
  elseif value < low or value > high then
    fault.at(where, fault.show(value), ("a number from %s to %s, its bounds"):format(fault.show(low), fault.show(high)))
  end
  return { name = name, value = value, low = low, high = high }
end

--- Reads the params of a script, sorted by name.
---@param spec table      the field of the script
---@param where string    names the script in messages
function params.read(spec, where)
  local list = {}
  for name, given in next, spec do
    if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" then
      fault.at(where .. ": params", "the name " .. fault.show(name), "letters, digits and _")
    end
    table.insert(list, read(name, given, where))
  end
  if #list == 0 then fault.at(where .. ": params", "none", "at least one: NAME = NUMBER") end
  return lists.sort(list, function(param) return param.name end)
end

--- The read-only table of numbers by name that the function receives.
---@param list Param[]
---@param values (number[]|userdata)?   in the order of the list; those of the script unless given
function params.view(list, values)
  local known = {}
  for i, param in ipairs(list) do known[param.name] = values and values[i] or param.value end
  setmetatable(known, { __index = function(_, name)
    error(require("crux.base.nearest").unknown("param", name, lists.field(list)), 2)
  end })
  return setmetatable({}, { __index = known, __metatable = false,
    __newindex = function() error("found an assignment to a param, expected none", 2) end })
end

--- The text of numbers in messages: "a = 0.3, b = 0.25".
---@param list Param[]
---@param values number[]|userdata
function params.show(list, values)
  local words = {}
  for i, param in ipairs(list) do words[i] = ("%s = %s"):format(param.name, fault.show(values[i])) end
  return table.concat(words, ", ")
end

--- The pattern of a text that finds the lists of params in it. It is made when it is used, as that takes half a millisecond.
local function pattern()
  local lexer, lpeg = require "crux.base.lexer", require "lpeg"
  local P, S, B, C, Cp, Ct = lpeg.P, lpeg.S, lpeg.B, lpeg.C, lpeg.Cp, lpeg.Ct
  local blank = lexer.blank
  local numeral = P "-" ^ -1 * lexer.numeral
  local place = Cp() * C(numeral) * Cp()
  local bound = (P "low" + "high") * blank * "=" * blank * (numeral + P "-" ^ -1 * blank * "math.huge") * blank
  local separator = S ",;" * blank
  local bounded = "{" * blank * place * blank * (separator * bound) ^ 0 * separator ^ -1 * "}"
  local entry = Ct(C(lexer.word) * blank * "=" * blank * (bounded + place)) * blank
  local list_of = Ct(blank * (entry * (separator * entry) ^ 0 * separator ^ -1) ^ -1)
  local found = -B(lexer.inner) * P "params" * -lexer.inner * blank * "=" * blank * "{" * list_of * "}"
  return Ct((found + lexer.other) ^ 0)
end

--- Tells whether entries found in a text are all params, each once, with their numbers.
local function agrees(entries, list)
  local values = {}
  for _, at in ipairs(entries) do values[at[1]] = tonumber(at[3]) end
  for _, param in ipairs(list) do
    if values[param.name] ~= param.value then return false end
  end
  return #entries == #list
end

--- The text of a script with other numbers in its params, and otherwise the same bytes.
---@param list Param[]                     as read from the script
---@param values table<string, number>     by name
---@param where string                     names the script in messages
function params.replace(text, list, values, where)
  local places = pattern():match(text)
  if #places ~= 1 or not agrees(places[1], list) then
    fault.at(where, #places > 1 and "params = { ... } more than once" or "no params = { ... } of plain numbers",
      "it once, each param as NAME = NUMBER or NAME = { NUMBER, low = NUMBER, high = NUMBER }, to write numbers into")
  end
  local pieces, last = {}, 1
  for _, at in ipairs(places[1]) do
    local name, from, _, to = table.unpack(at)
    table.insert(pieces, text:sub(last, from - 1) .. number.exact(values[name]))
    last = to
  end
  return table.concat(pieces) .. text:sub(last)
end

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

--- A Lua function with params in the place of a formula: its terms are the params; its one column holds numbers of rows that it
--- keeps with their measures, so that rows can be selected, resampled and joined like those of a matrix.
---@param rule Rule   with params
---@return Tunable
function params.tunable(rule)
  local self = setmetatable({ rule = rule, response = rule.predicts, left = rule.predicts, terms = {}, readers = {},
    places = {} }, Tunable)
  for i, param in ipairs(rule.params) do self.terms[i] = { name = param.name } end
  return self
end

function Tunable:right_text() return "a Lua function" end -- luacheck: no self

--- A new one, for the rows of another dataset.
function Tunable:settled() return params.tunable(self.rule) end

function Tunable:learned() return self end

function Tunable:numbers() return {} end -- luacheck: no self

function Tunable:encode() end -- luacheck: no self

function Tunable:offset() end -- luacheck: no self

function Tunable:left_side(block) return block.numbers[self.response] end

--- Keeps the rows of a block.
---@return userdata[]   one column: their numbers
function Tunable:finite_columns(block)
  local numbers, reader, count = {}, self.rule:reader(block, block.parsed), #self.readers
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
  local values = lists.map(self.terms, function(term) return coefficients[term.name] end)
  local ratings = self:rate(columns[1], values)
  self:expect_finite(columns[1], values, ratings)
  return ratings
end

function Tunable:log_slope() return 0 end -- luacheck: no self

function Tunable:to_target(values) return values end -- luacheck: no self

return params
