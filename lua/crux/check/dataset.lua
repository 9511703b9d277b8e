--- Mistakes in a dataset: cells that are no numbers, values that are missing or off the scale, duplicate rows, and columns that
--- no fit can use.
local cell = require "crux.data.cell"
local column_kinds = require "crux.formula.column_kinds"
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local check = {}

--- Checked rows, reported bad cells of a column, and the share of a column's norm below which it is a combination of others.
local MOST_ROWS <const>, MOST_CELLS <const>, TOLERANCE <const> = 100000, 3, 1e-7

--- The usual scales of ratings: those of the published studies.
local scales = { difficulty = { 1, 10 }, scaled = { 1, 10 }, enjoyment = { 1, 10 } }

--- Columns of numbers that are not negative.
local counts = { time = true, moves_used = true, solved = true, skipped = true }

--- Columns that identify a row, beside the level.
local keys = { "player", "attempt", "study", "game", "pack" }

---@class CheckedColumn
---@field name string
---@field texts string[]
---@field numbers number[]  NaN for a cell that is missing or no number
---@field bad integer[]     rows of cells that are no numbers
---@field missing integer[] rows of missing cells
---@field is_text boolean
---@field other string|nil|false   the dataset that it was joined from

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
---@field columns CheckedColumn[]
---@field by_name table<string, CheckedColumn>
---@field lines integer[]   of the rows
local Check = {}
Check.__index = Check

local function read(data, findings)
  local self = setmetatable({ path = data.name, findings = findings, columns = {}, by_name = {}, lines = {} }, Check)
  for i, name in ipairs(data.columns) do
    self.columns[i] = { name = name, texts = {}, numbers = {}, bad = {}, missing = {},
      other = data.added and data.added[name] and data.other }
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

--- Reports a problem in one column.
---@param how "error"|"warn"
---@param row integer?   the header's unless given
function Check:report(how, column, row, message, ...)
  local of = column.other and " of " .. column.other or ""
  self.findings[how](self.findings, self.path, row and self.lines[row] or 1, ("column '%s'%s: "):format(column.name, of)
    .. message:format(...))
end

--- Tells whether a column is meant as numbers: if it must be, or if most cells are numbers or look like numbers written in
--- another way. A word that is repeated among numbers makes it text.
local function is_numeric(column, needed)
  local cells = #column.texts - #column.missing
  if needed[column.name] or column_kinds.is_target(column.name) then return true end
  local again, first = 0, column.texts[column.bad[1]]
  for _, row in ipairs(column.bad) do
    local how = cell.mend(column.texts[row])
    if #column.bad * 2 > cells and not (how and how:find "^write [+-]?%d") then return false end
    if not how and column.texts[row] == first then again = again + 1 end
  end
  return again < 2 or again < #column.bad
end

function Check:cells(column)
  for i, row in ipairs(column.bad) do
    if i > MOST_CELLS then
      self:report("error", column, row, "%s more that are no numbers", number.count(#column.bad - MOST_CELLS))
      break
    end
    local text = column.texts[row]
    local _, found, expected = csv.number(text)
    self:report("error", column, row, "found %s, expected %s%s", found, expected, cell.advice(text))
  end
end

function Check:missing(column)
  local missing, rows = #column.missing, #column.texts
  if missing == rows then
    self:report("warn", column, nil, "no value in any row")
  elseif missing * 2 > rows then
    self:report("warn", column, nil, "only %s of %s have a value", number.count(rows - missing), number.count(rows, "row"))
  elseif missing > 0 then
    self:report("warn", column, column.missing[1], "a missing value%s; commands leave out such rows",
      missing > 1 and (", the first of %s"):format(number.count(missing)) or "")
  end
end

--- Reports a rating beyond the scale, or a count below 0.
---@param scale number[]?   of the rule that predicts this column
function Check:range(column, scale)
  if self.by_name.study then return end -- a table about several datasets
  local low, high = table.unpack(scale or scales[column.name] or counts[column.name] and { 0, math.huge } or {})
  if not low then return end
  if high < low then low, high = high, low end
  for row, value in ipairs(column.numbers) do
    if value < low or value > high then
      return self:report((scale or high == math.huge) and "error" or "warn", column, row, "found %s, expected %s",
        fault.show(value), high == math.huge and "a number that is not negative" or ("a rating from %s to %s%s"):format(
          fault.show(low), fault.show(high), scale and "" or ", the usual scale (a rule given beside says another)"))
    end
  end
end

--- The value of all rows of a column; nil if they differ.
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

--- Tells whether most rows share their text with another row: such a column names a group of levels.
local function repeats(column)
  local known, distinct = {}, 0
  for _, text in ipairs(column.texts) do
    distinct, known[text] = distinct + (known[text] and 0 or 1), true
  end
  return distinct * 2 <= #column.texts
end

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

--- Least squares of columns, without an intercept: a row for each, `aliased` for a combination of those before it.
local function least_squares(columns, response)
  local solver <close> = fault.check(solver_type.new(#columns))
  solver:add(columns, response)
  solver:solve(TOLERANCE)
  return solver:result()
end

--- Warns of measures that are combinations of those before them: no fit can tell them apart.
function Check:collinear(measures)
  local columns, sizes, independent, names = {}, {}, {}, {}
  for i, column in ipairs(measures) do columns[i] = vector.of(column.numbers) end
  local rows = #columns > 0 and vector.complete(columns)
  if #columns == 0 or (rows and #rows or #self.lines) <= #measures + 1 then return end
  for i, column in ipairs(columns) do
    column = rows and column:gather(rows) or column
    columns[i] = column - column:sum() / #column
    sizes[i] = (columns[i] * columns[i]):sum() ^ 0.5
  end
  for i, row in ipairs(least_squares(columns, columns[1])) do
    if not row.aliased then
      table.insert(independent, columns[i])
      table.insert(names, i)
    elseif sizes[i] > 0 then
      local partners = {}
      for j, found in ipairs(least_squares(independent, columns[i])) do
        if math.abs(found.estimate or 0) * sizes[names[j]] > 1e-6 * sizes[i] then
          table.insert(partners, ("'%s'"):format(measures[names[j]].name))
        end
      end
      self:report("warn", measures[i], nil, "it is a combination of %s in every row; no fit can tell them apart",
        (table.concat(partners, ", "):gsub("(.*), ", "%1 and ")))
    end
  end
end

--- Warns of names of columns that are probably misspelt.
function Check:names()
  for _, column in ipairs(self.columns) do
    for _, name in ipairs { "level", "difficulty", "scaled", "enjoyment", "moves_used", "solved", "skipped" } do
      if column.name ~= name and not self.by_name[name] and nearest.is_slip(column.name, name) then
        self:report("warn", column, nil, "did you mean '%s'?", name)
      end
    end
  end
end

--- Warns of a text in another encoding, as Excel writes it: JSON and pages cannot hold it.
function Check:encoding(column)
  for row, text in ipairs(column.texts) do
    if not utf8.len(text) then
      return self:report("warn", column, row, "found %s, expected UTF-8; Excel saves it as CSV UTF-8", fault.show(text))
    end
  end
end

--- Checks that a rule can rate a dataset, and be fitted to it.
local function compare(data, rule, findings)
  local counted = rule.formula and rule.formula.counts and rule.formula.targets
  for _, column in ipairs(counted or { rule.predicts or rule.weights, rule.weights }) do
    if not data.has[column] then
      findings:warn(data.name, 1, ("column '%s' of %s is not among the columns; %s"):format(column, rule:who(),
        nearest.hint(column, data.columns)))
    end
  end
  rule:measures(data)
  local first = rule.rating and data:blocks { texts = data.columns, levels = true } () -- a function names no measures
  if first then rule:rate(first) end
end

---@class DatasetContext
---@field rule Rule?                     given with the dataset
---@field is_named boolean?              on the command line; one of a folder is of the rule if it has the column that the rule
---                                      predicts
---@field needed table<string, boolean>  columns that must be numbers
---@field open fun(): Dataset             opens the dataset, which may be joined with another

--- Checks a column of numbers. Returns whether it is a measure that a fit can use.
---@param rule Rule?
function Check:numbers(column, rule)
  self:cells(column)
  self:range(column, rule and rule.predicts == column.name and rule.scale or nil)
  local is_measure = column_kinds.may_be_measure(column.name) and column.name ~= (rule and rule.weights)
  local is_used = is_measure or column_kinds.is_target(column.name)
  local only = is_used and #column.missing * 2 <= #column.texts and only_value(column)
  if only then self:report("warn", column, nil, "it is %s in every row; no fit can use it", fault.show(only)) end
  return is_measure and not only and #column.missing < #column.texts
end

--- Checks a dataset.
---@param context DatasetContext
---@return string? content   in words, if it could be read
function check.run(path, context, findings)
  local data = findings:try(path, context.open)
  local hint = data and data:delimiter_hint()
  if hint then findings:error(path, 1, hint) end
  if not data or hint then return nil end
  local self = findings:try(path, read, data, findings)
  if not self then return nil end
  if (data.unmatched or 0) > 0 then
    findings:warn(path, 1, ("%s left out: no such %s in %s"):format(number.count(data.unmatched, "row"),
      table.concat(data.keys, " and "), data.other))
  end
  local measures = {}
  local rule = context.rule
  if rule and not context.is_named and rule.predicts and not data.has[rule.predicts] then rule = nil end
  if rule then findings:try(path, compare, data, rule, findings) end
  for _, column in ipairs(self.columns) do
    local is_name = column.name == "level" or column.name == "player"
    column.is_text = is_name or not is_numeric(column, context.needed)
    self:missing(column)
    self:encoding(column)
    if not column.is_text and self:numbers(column, rule) then table.insert(measures, column) end
  end
  self:duplicates()
  self:collinear(measures)
  self:names()
  return ("%s%s, %s"):format(#self.lines == MOST_ROWS and "the first " or "", number.count(#self.lines, "row"),
    number.count(#self.columns, "column"))
end

return check
