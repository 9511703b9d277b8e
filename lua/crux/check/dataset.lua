--- What is wrong with a dataset: cells that are no numbers, values that are missing or off the scale, rows that come twice, and
--- columns that tell a fit nothing.
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local column_kinds = require "crux.data.column_kinds"

local check = {}

--- Rows that are looked at, bad cells of a column that are told, and the share of a column's norm below which it is new.
local MOST_ROWS <const>, MOST_CELLS <const>, TOLERANCE <const> = 100000, 3, 1e-7

--- The usual scales of ratings: those of the published studies.
local scales = { difficulty = { 1, 10 }, scaled = { 1, 10 }, enjoyment = { 1, 10 } }

--- Columns that hold no negative numbers.
local counts = { time = true, moves_used = true, solved = true, skipped = true }

--- Columns that say which row it is, beside the level.
local keys = { "player", "study", "game", "pack" }

---@class LookedAt         one column of a dataset that is looked at
---@field name string
---@field texts string[]
---@field numbers number[]  NaN where a cell is missing or none
---@field bad integer[]     rows whose cells are no numbers
---@field missing integer[] rows
---@field is_text boolean

--- Words for a missing value.
local nothing = { ["n/a"] = true, ["na."] = true, none = true, null = true, missing = true, unknown = true }

--- How a cell is written as a number, if that can be told.
local function mend(text)
  local whole, decimals = text:match "^%s*([+-]?%d+),(%d+)%s*$"
  if whole and #decimals ~= 3 then return ("write %s.%s"):format(whole, decimals) end
  if whole then return ("write %s%s, or %s.%s"):format(whole, decimals, whole, decimals) end
  local value, unit = text:match "^%s*([+-]?[%d.]+)%s*(%a+%.?)%s*$"
  if not value then value, unit = text:match "^%s*([+-]?[%d.]+)%s*(%%)%s*$" end
  if value and tonumber(value) then return ("write %s: the unit '%s' belongs into the column's name"):format(value, unit) end
  if text:find "^[%-?.]+$" or nothing[text:lower()] then return "write nothing, or NA, where a value is missing" end
end

local function look_at(name)
  return { name = name, texts = {}, numbers = {}, bad = {}, missing = {} }
end

--- Adds a cell to a column.
local function add(column, text)
  local row = #column.texts + 1
  local value = csv.number(text)
  column.texts[row], column.numbers[row] = text, value or 0 / 0
  if not value then
    table.insert(column.bad, row)
  elseif value ~= value then
    table.insert(column.missing, row)
  end
end

---@class DatasetCheck
---@field path string
---@field findings Findings
---@field columns LookedAt[]
---@field by_name table<string, LookedAt>
---@field lines integer[]   of the rows
local Check = {}
Check.__index = Check

--- Reads the cells.
---@param data Dataset
local function read(data, findings)
  local self = setmetatable({ path = data.name, findings = findings, columns = {}, by_name = {}, lines = {} }, Check)
  for i, name in ipairs(data.columns) do
    self.columns[i] = look_at(name)
    self.by_name[name] = self.columns[i]
  end
  for block in data:blocks { texts = data.columns } do
    for row = 1, math.min(block.rows, MOST_ROWS - #self.lines) do
      table.insert(self.lines, math.tointeger(block:place(row):match ":(%d+)$"))
      for _, column in ipairs(self.columns) do add(column, block.texts[column.name][row]) end
    end
    if #self.lines == MOST_ROWS then break end
  end
  return self
end

--- Of a column.
function Check:tell(how, column, row, message, ...)
  self.findings[how](self.findings, self.path, row and self.lines[row] or 1, ("column '%s': "):format(column.name)
    .. message:format(...))
end

--- Whether a column is one of numbers: if it has to be, if most of its cells are, or if all would be, written otherwise. A
--- word that comes again and again among numbers is meant.
local function is_numeric(column, needed)
  local cells = #column.texts - #column.missing
  if needed[column.name] or column_kinds.is_target(column.name) then return true end
  local again, first = 0, column.texts[column.bad[1]]
  for _, row in ipairs(column.bad) do
    local how = mend(column.texts[row])
    if #column.bad * 2 > cells and not (how and how:find "^write [+-]?%d") then return false end
    if not how and column.texts[row] == first then again = again + 1 end
  end
  return again < 2 or again < #column.bad
end

function Check:cells(column)
  for i, row in ipairs(column.bad) do
    if i > MOST_CELLS then
      self:tell("error", column, row, "%s more that are no numbers", number.count(#column.bad - MOST_CELLS))
      break
    end
    local how = mend(column.texts[row])
    self:tell("error", column, row, "found %s, expected a number%s", fault.show(column.texts[row]), how and "; " .. how or "")
  end
end

function Check:missing(column)
  local missing, rows = #column.missing, #column.texts
  if missing == rows then
    self:tell("warn", column, nil, "no value in any row")
  elseif missing * 2 > rows then
    self:tell("warn", column, nil, "only %s of %s have a value", number.count(rows - missing), number.count(rows, "row"))
  elseif missing > 0 then
    self:tell("warn", column, column.missing[1], "a missing value%s; commands leave out such rows",
      missing > 1 and (", the first of %s"):format(number.count(missing)) or "")
  end
end

--- Ratings beyond the scale, and counts below 0.
---@param scale number[]?   of the rule that predicts this column
function Check:range(column, scale)
  if self.by_name.study then return end -- a table about several datasets
  local low, high = table.unpack(scale or scales[column.name] or counts[column.name] and { 0, math.huge } or {})
  if not low then return end
  if high < low then low, high = high, low end
  for row, value in ipairs(column.numbers) do
    if value < low or value > high then
      return self:tell((scale or high == math.huge) and "error" or "warn", column, row, "found %s, expected %s",
        fault.show(value), high == math.huge and "a number that is not negative" or ("a rating from %s to %s%s"):format(
          fault.show(low), fault.show(high), scale and "" or ", the usual scale (a rule given beside says another)"))
    end
  end
end

--- The value that all rows of a column have.
local function only_value(column)
  local first
  for _, value in ipairs(column.numbers) do
    if value == value then
      if first and value ~= first then return nil end
      first = value
    end
  end
  return #column.numbers > 1 and first or nil
end

--- Whether most rows share their text with another: such a column says to what a level belongs.
local function repeats(column)
  local known, distinct = {}, 0
  for _, text in ipairs(column.texts) do
    distinct, known[text] = distinct + (known[text] and 0 or 1), true
  end
  return distinct * 2 <= #column.texts
end

--- Rows that come twice, and levels that do.
function Check:duplicates()
  local rows, levels, owners = {}, {}, {}
  for _, name in ipairs(keys) do table.insert(owners, self.by_name[name]) end
  for _, column in ipairs(self.columns) do
    if column.is_text and column.name ~= "level" and repeats(column) then table.insert(owners, column) end
  end
  for row, line in ipairs(self.lines) do
    local cells, who = {}, {}
    for i, column in ipairs(self.columns) do cells[i] = column.texts[row] end
    for i, column in ipairs(owners) do who[i] = column.texts[row] end
    local whole = table.concat(cells, "\0")
    local level = self.by_name.level and self.by_name.level.texts[row]
    local key = level and level .. "\0" .. table.concat(who, "\0")
    if rows[whole] then
      self.findings:error(self.path, line, ("found the row of line %d again, expected each level once"):format(rows[whole]))
    elseif key and levels[key] then
      self.findings:error(self.path, line, ("column 'level': found %s again, as on line %d, expected each level once"):format(
        fault.show(level), levels[key]))
    end
    rows[whole] = rows[whole] or line
    if key then levels[key] = levels[key] or line end
  end
end

local function dot(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + a[i] * b[i] end
  return sum
end

--- The numbers of a column less their mean, in the rows that are complete.
local function centred(column, rows)
  local values, sum = {}, 0
  for i, row in ipairs(rows) do
    values[i] = column.numbers[row]
    sum = sum + values[i]
  end
  for i = 1, #values do values[i] = values[i] - sum / #values end
  return values
end

--- Takes out of a column what the ones before it tell; returns what each of these had to do with it.
local function project(values, basis)
  local shares = {}
  for _ = 1, 2 do -- twice is enough (Kahan)
    for i, other in ipairs(basis) do
      local share = dot(values, other.direction)
      shares[i] = (shares[i] or 0) + share
      for row = 1, #values do values[row] = values[row] - share * other.direction[row] end
    end
  end
  return shares
end

--- The columns that a combination consists of.
local function partners(shares, basis, norm)
  local names = {}
  for i = #basis, 1, -1 do
    local part = shares[i] / basis[i].norm
    if math.abs(part * basis[i].size) > 1e-6 * norm then table.insert(names, 1, ("'%s'"):format(basis[i].name)) end
    for j = 1, i - 1 do shares[j] = shares[j] - part * basis[i].shares[j] end
  end
  return table.concat(names, ", "):gsub("(.*), ", "%1 and ")
end

--- Measures that are combinations of those before them: no fit can tell them apart.
function Check:collinear(measures)
  local rows, basis = {}, {}
  for row in ipairs(self.lines) do
    local is_complete = true
    for _, column in ipairs(measures) do is_complete = is_complete and column.numbers[row] == column.numbers[row] end
    if is_complete then table.insert(rows, row) end
  end
  if #rows <= #measures + 1 then return end
  for _, column in ipairs(measures) do
    local values = centred(column, rows)
    local size = dot(values, values) ^ 0.5
    local shares = project(values, basis)
    local norm = dot(values, values) ^ 0.5
    if norm > TOLERANCE * size then
      for i = 1, #values do values[i] = values[i] / norm end
      table.insert(basis, { name = column.name, direction = values, norm = norm, size = size, shares = shares })
    elseif size > 0 then
      self:tell("warn", column, nil, "it is a combination of %s in every row; no fit can tell them apart",
        (partners(shares, basis, size)))
    end
  end
end

--- Columns that are spelt almost like one that crux knows.
function Check:names()
  for _, column in ipairs(self.columns) do
    for _, name in ipairs { "level", "difficulty", "scaled", "enjoyment", "moves_used", "solved", "skipped" } do
      if column.name ~= name and not self.by_name[name] and nearest.is_slip(column.name, name) then
        self:tell("warn", column, nil, "did you mean '%s'?", name)
      end
    end
  end
end

--- Whether a rule can rate a dataset, and be fitted to it.
---@param data Dataset
---@param rule Rule
local function compare(data, rule, findings)
  for _, column in ipairs { rule.predicts or rule.weights, rule.weights } do
    if not data.has[column] then
      findings:warn(data.name, 1, ("column '%s' of %s is not among the columns; %s"):format(column, rule:who(),
        nearest.hint(column, data.columns)))
    end
  end
  rule:measures(data)
  local first = rule.rating and data:blocks { texts = data.columns, levels = true } () -- a function tells what it needs
  if first then rule:rate(first) end
end

---@class DatasetContext
---@field rule Rule?                     beside the dataset
---@field needed table<string, boolean>  columns that must be numbers
---@field delimiter string

--- Looks at a column of numbers; whether it is a measure that tells something.
---@param rule Rule?
---@return boolean
function Check:numbers(column, rule)
  self:cells(column)
  self:range(column, rule and rule.predicts == column.name and rule.scale or nil)
  local is_measure = column_kinds.may_be_measure(column.name) and column.name ~= (rule and rule.weights)
  local only = (is_measure or column_kinds.is_target(column.name)) and #column.missing * 2 <= #column.texts and only_value(column)
  if only then self:tell("warn", column, nil, "it is %s in every row; no fit can use it", fault.show(only)) end
  return is_measure and not only and #column.missing < #column.texts
end

--- Looks at a dataset.
---@param path string
---@param context DatasetContext
---@param findings Findings
---@return string? holds   in words, if it could be read
function check.run(path, context, findings)
  local data = findings:try(path, dataset.open, path, { delimiter = context.delimiter })
  local hint = data and data:delimiter_hint()
  if hint then findings:error(path, 1, hint) end
  if not data or hint then return nil end
  local self = findings:try(path, read, data, findings)
  if not self then return nil end
  local measures = {}
  if context.rule then findings:try(path, compare, data, context.rule, findings) end
  for _, column in ipairs(self.columns) do
    local is_name = column.name == "level" or column.name == "player"
    column.is_text = is_name or not is_numeric(column, context.needed)
    self:missing(column)
    if not column.is_text and self:numbers(column, context.rule) then table.insert(measures, column) end
  end
  self:duplicates()
  self:collinear(measures)
  self:names()
  return ("%s%s, %s"):format(#self.lines == MOST_ROWS and "the first " or "", number.count(#self.lines, "row"),
    number.count(#self.columns, "column"))
end

return check
