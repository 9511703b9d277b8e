--- The ratings of rows by a rule: methods of the class Rule.
local budget = require "libcrux.budget"
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local grouped = require "crux.formula.grouped"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local params = require "crux.rule.params"
local prediction = require "crux.rule.prediction"
local sandbox = require "crux.script.sandbox"
local vector = require "libcrux.vector"

---@class Rule
local Rule = {}

---@class Part           a summand of a rating
---@field [1] string     name
---@field [2] number

--- The columns that must be numbers for a rating, all of which the dataset must have.
function Rule:measures(data)
  if self.rating then return {} end
  data:expect(self.formula.variables, self:who() .. " needs the measure")
  local numbers, varying = self.formula:numbers(), self:player_measures()
  data:expect(varying, self:who() .. " needs the measure")
  return table.move(varying, 1, #varying, #numbers + 1, numbers)
end

--- The columns to read as text: all for a Lua function, whose measures are not known before it runs.
function Rule:texts(data) return self.rating and data.columns or self.formula.texts end

--- Goes through a dataset in blocks of rows that Rule:rate takes.
---@param levels boolean?   with the names of the levels
---@return fun(): Block?
function Rule:blocks(data, levels)
  local measures = self:measures(data)
  return data:blocks { numbers = measures, measures = measures, texts = self:texts(data), levels = levels }
end

---@class RowReader       the measures of the rows of a block, one row after the other
---@field block Block
---@field row integer
---@field measures table   argument of the function: the same table for every row
---@field missing string?  the first missing measure that was read of this row
---@field fault Fault?     of a read of this row

--- The value of a measure in the row of a reader. Reading a missing or wrong one raises an error with the message, and sets the
--- reader's fault.
local function read(of, at, name)
  local block, row = at.block, at.row
  local function stop(...)
    local _, problem = pcall(...)
    at.fault = problem
    error(problem.message, 0)
  end
  local texts = block.texts[name]
  if not texts then
    stop(fault.raise, ("%s:1: %s needs the measure '%s', which is not among the columns; %s"):format(block.name,
      of:who(), tostring(name), require("crux.base.nearest").hint(tostring(name), lists.keys(block.texts))))
  end
  local value, problem, expected = csv.number(texts[row])
  at.missing = at.missing or value ~= nil and value ~= value and name or nil
  if not value or at.missing then
    stop(fault.at, ("%s: column '%s'"):format(block:place(row), name), problem or "a missing value",
      expected and expected .. require("crux.data.cell").advice(texts[row]) or "a number")
  end
  return value
end

local RowReader = {}
RowReader.__index = RowReader

function RowReader:move(row) self.row, self.missing, self.fault = row, nil, nil end

--- Reads the rows of a block for the function.
---@param parsed table<string, number[]|userdata|false>   the block's `parsed` or `lists`
---@return RowReader
function Rule:reader(block, parsed)
  local at = setmetatable({ block = block, row = 0 }, RowReader)
  at.measures = setmetatable({}, {
    __index = function(_, name)
      local column = parsed[name]
      local value = column and column[at.row]
      if value and value == value and not at.missing then return value end
      return read(self, at, name)
    end,
    __newindex = function() error("found an assignment to a measure, expected none", 2) end,
    __pairs = function() error("found pairs over the measures, expected their names", 2) end,
    __metatable = false,
  })
  return at
end

--- Refuses the function's result for a row.
---@param at RowReader
---@param values (number[]|userdata)?   of the params, unless they are the script's
function Rule:refuse(at, rating, values)
  local level = at.block.levels and ("level '%s': "):format(at.block.levels[at.row]) or ""
  fault.at(("%s: %s%s"):format(at.block:place(at.row), level, self:who()),
    fault.show(rating) .. (values and (" (%s)"):format(params.show(self.params, values)) or ""), "a number")
end

--- The ratings of some rows of a block by the function, NaN where a measure is missing; and by row their parts and the measures
--- that are missing. The function runs behind one guard until it raises an error.
function Rule:rate_rows(block, first, last)
  local at, numbers = self:reader(block, block.lists), self.params and params.view(self.params)
  local ratings, parts, missing, row = {}, {}, {}, first - 1
  local function rate()
    repeat
      row = row + 1
      budget.beat()
      at:move(row)
      local value, list = self.rating(at.measures, numbers)
      ratings[row], parts[row] = value, list and sandbox.plain(list, self:who())
    until row == last or at.fault or not number.is_finite(value)
  end
  while row < last do
    local ok, problem = pcall(fault.guard, self:who(), rate)
    if at.missing then
      ratings[row], parts[row], missing[row] = 0 / 0, nil, at.missing
    elseif at.fault or not ok then
      error(at.fault or problem, 0)
    elseif not number.is_finite(ratings[row]) then
      self:refuse(at, ratings[row])
    end
  end
  return ratings, parts, missing
end

--- The measures that are missing in a row without a rating: of a Lua function the first that it reads.
function Rule:missing(block, row)
  if self.rating then return { select(3, self:rate_rows(block, row, row))[row] } end
  return lists.select(lists.union(self.formula.variables, self:player_measures()), function(name)
    local value = block.numbers[name][row]
    return value ~= value
  end)
end

--- Says that a row has no rating, and which measures are missing.
function Rule:unrated(block, row)
  local names = self:missing(block, row)
  return ("level '%s' has no rating: %s %s missing"):format(block.levels[row], table.concat(names, ", "),
    #names > 1 and "are" or "is")
end

--- Refuses parts of a Lua function that are no list of { name, number }.
function Rule:check_parts(parts)
  local where, expected = self:who() .. ": parts", "a list of { \"name\", number }"
  if parts ~= nil and type(parts) ~= "table" then fault.at(where, "a " .. type(parts), expected) end
  for _, part in ipairs(parts or {}) do
    if type(part) ~= "table" or type(part[1]) ~= "string" or not math.type(part[2]) then
      fault.at(where, type(part) == "table" and ("{ %s, %s }"):format(fault.show(part[1]), fault.show(part[2]))
        or fault.show(part), expected)
    end
  end
  return parts or {}
end

--- Rates the levels of a block.
---@param block Block   with the columns that Rule:measures and Rule:texts name
---@param level number?   of prediction intervals
---@return userdata                      a vector of ratings, NaN where a measure is missing
---@return fun(row: integer): Part[]     the parts of a row's rating: the shares of terms, whose sum is the rating before any
---                                      transformation of the formula or the fit; or the parts that a Lua function returned;
---                                      none for a missing rating
---@return userdata? low                 the ends of the intervals
---@return userdata? high
function Rule:rate(block, level)
  if self.rating then
    local ratings, parts = self:rate_rows(block, 1, block.rows)
    return vector.of(ratings), function(row) return self:check_parts(parts[row]) end
  end
  if not self.coefficients then
    fault.raise(("%s: found no coefficients, expected a fitted rule (crux fit RULE DATA -o FITTED.lua)"):format(self:who()))
  end
  local used = {}
  self.formula:encode(block)
  for _, name in ipairs(self.formula.variables) do table.insert(used, block.numbers[name]) end
  for _, name in ipairs(self:player_measures()) do table.insert(used, block.numbers[name]) end
  local complete = vector.complete(used)
  if complete and #complete < block.rows then return self:rate_complete(block, complete, level) end
  local columns, offset = self.formula:finite_columns(block), self.formula:offset(block)
  if self.player then offset = self:player_offset(block, offset) end
  local ratings = self.method:predict(self, columns, block.rows, offset)
  local row = ratings:first_nonfinite()
  if row then fault.at(("%s: %s"):format(block:who(row), self:who()), fault.show(ratings[row]), "a number") end
  local low, high
  if level then low, high = prediction.ends(self, level, columns, ratings, offset) end
  local function parts_of(at)
    local parts = {}
    for i, column in ipairs(columns) do
      local term = self.formula.terms[i].name
      local coefficient = self.coefficients[term]
      if coefficient then table.insert(parts, { term, column[at] * coefficient }) end
    end
    if offset then table.insert(parts, { "offset", offset[at] }) end
    return parts
  end
  return ratings, parts_of, low, high
end

--- The rating of one level, NaN if a measure is missing.
---@param row table<string, number>   measures, NaN for a missing one
---@param name string                 of the level, in messages
function Rule:rate_row(row, name)
  local columns, vectors = lists.keys(row), {}
  for _, column in ipairs(columns) do vectors[column] = vector.of { row[column] } end
  return self:rate(self:blocks(dataset.of_vectors(name, columns, vectors, 1))())[1]
end

--- A copy that rates for a player.
---@param players table<string, number|number[]>?   effects by name, those of the rule unless given
function Rule:for_player(name, players)
  players = players or self.players or fault.at(self:who(), "no players", "a rule fitted with a grouping term by player")
  if not players[name] then fault.unknown(self:who(), "player", name, lists.keys(players)) end
  return self:with { player = players[name] }
end

--- The measures that its player's effects need.
function Rule:player_measures() return self.player and grouped.measures { self.formula:grouping "player" } or {} end

--- The sum of an offset and the effects of its player.
function Rule:player_offset(block, offset)
  local effects = type(self.player) == "table" and self.player or { self.player }
  for k, column in ipairs(grouped.values(self.formula:grouping "player", block)) do
    offset = offset and offset + effects[k] * column or effects[k] * column
  end
  return offset
end

--- The ratings of a block of which only some rows are complete.
function Rule:rate_complete(block, rows, level)
  local missing, index = vector.fill(block.rows, 0 / 0), {}
  if #rows == 0 then return missing, function() return {} end, missing, missing end
  local some, parts, low, high = self:rate(block:select(rows), level)
  for i = 1, #rows do index[rows[i] // 1 | 0] = i end
  local function spread(values) return values and values:spread(rows, block.rows) end
  return spread(some), function(row) return index[row] and parts(index[row]) or {} end, spread(low), spread(high)
end

return Rule
