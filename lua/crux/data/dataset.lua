--- Datasets: one row a level, columns of numbers and text, read as a stream of blocks as often as wanted.
---
--- A dataset is a table with `name`, `columns` and a method `blocks(wanted)`; there are four sources: CSV files, vectors
--- in memory, several datasets in a row, and a dataset joined with another by level.
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local dataset = {}

---@class Wanted
---@field numbers string[]?   columns that must be numbers (missing ones are NaN)
---@field guesses string[]?   columns that may turn out to be text: then they are not among the block's numbers
---@field texts string[]?     columns as strings
---@field levels boolean?     the names of the levels

---@class Block
---@field rows integer
---@field first integer                     number of rows before this block
---@field numbers table<string, userdata>   vectors
---@field texts table<string, string[]>
---@field levels string[]?
---@field data Dataset                      whose block it is
---@field lines integer|userdata|nil        line of the file of the first row, when the others follow, or all of them
---@field chosen userdata?                  of a block of some rows of another: their numbers there
local Block = {}
Block.__index = Block

--- Where a row stands, for messages.
function Block:place(row)
  local lines = self.lines
  if lines then return ("%s:%d"):format(self.name, math.type(lines) and lines + row - 1 or lines[row]) end
  return ("%s: row %d"):format(self.name, self.first + (self.chosen and self.chosen[row] // 1 | 0 or row))
end

--- Where a row stands and, where the dataset names levels, which level it is. Reads the dataset once more for the name when it
--- was not asked for: only messages ask here.
function Block:who(row)
  local place, level = self:place(row), self.levels and self.levels[row]
  if not self.data.has.level then return place end
  if not level then
    for block in self.data:blocks { levels = true } do
      for i = 1, block.rows do
        if not level and block:place(i) == place then level = block.levels[i] end
      end
    end
  end
  return ("%s: level %s"):format(place, fault.show(level))
end

--- A vector of a number for each text of a column, NaN where it is missing.
function Block:present(column)
  local present = {}
  for row, text in ipairs(self.texts[column]) do
    local value = csv.number(text)
    present[row] = value and value ~= value and value or 0
  end
  return vector.of(present)
end

--- Refuses negative numbers in a column of case weights.
function Block:check_weights(column)
  local weights = self.numbers[column]
  local row = weights:first_negative()
  if row then
    fault.at(("%s: column '%s'"):format(self:place(row), column), fault.show(weights[row]), "a weight that is not negative")
  end
end

--- The block of some of its rows only, given as a vector of their numbers.
function Block:select(rows)
  local function list(values)
    local chosen = {}
    for i = 1, #rows do chosen[i] = values[rows[i] // 1 | 0] end
    return chosen
  end
  local selected = { name = self.name, data = self.data, rows = #rows, first = self.first, numbers = {}, texts = {} }
  for name, values in pairs(self.numbers) do selected.numbers[name] = values:gather(rows) end
  for name, values in pairs(self.texts) do selected.texts[name] = list(values) end
  selected.levels = self.levels and list(self.levels)
  selected.chosen = self.chosen and self.chosen:gather(rows) or rows
  local lines = self.lines
  selected.lines = lines and (math.type(lines) and rows + (lines - 1) or lines:gather(rows))
  return setmetatable(selected, Block)
end

---@class Dataset
---@field name string        how messages call it
---@field columns string[]
local Dataset = {}
Dataset.__index = Dataset

local function new(class, self)
  self.has = {}
  for _, column in ipairs(self.columns) do self.has[column] = true end
  return setmetatable(self, class)
end

--- What to say when the header looks like one of another delimiter; nil when it does not.
function Dataset:delimiter_hint()
  local only = self.columns[1]
  local other = #self.columns == 1 and only:match "[;\t,|]"
  if not other then return nil end
  return ("the header is the single column %s; is --delimiter '%s' meant?"):format(fault.show(only),
    other == "\t" and "tab" or other)
end

--- Raises a fault unless all columns are there. `who` needs them: "rule 'flow' needs the measure".
function Dataset:expect(columns, who)
  for _, column in ipairs(columns) do
    if not self.has[column] then
      local hint = self:delimiter_hint() or nearest.hint(column, self.columns)
      fault.raise(("%s:1: %s '%s', which is not among the columns; %s"):format(self.name, who, column, hint))
    end
  end
end

--- Those of the columns that hold nothing but numbers. Takes a pass over the dataset.
---@param columns string[]
---@return string[]
function Dataset:numeric(columns)
  local textual, numeric = {}, {}
  for block in self:blocks { guesses = columns } do
    for _, column in ipairs(columns) do textual[column] = textual[column] or not block.numbers[column] end
  end
  for _, column in ipairs(columns) do
    if not textual[column] then table.insert(numeric, column) end
  end
  return numeric
end

--- Names of levels: the column `level`, else the rows' numbers.
local function name_levels(block, texts)
  block.levels = {}
  for row = 1, block.rows do block.levels[row] = texts and texts[row] or tostring(block.first + row) end
end

local Csv = setmetatable({}, { __index = Dataset })
Csv.__index = Csv

--- Opens a CSV file, "-" for standard input.
---@param path string
---@param options { delimiter: string? }?
---@return Dataset
function dataset.open(path, options)
  local reader = fault.check(csv.open(path, options and options.delimiter or ","))
  return new(Csv, { name = path == "-" and "<stdin>" or path, columns = reader:columns(), reader = reader })
end

--- A vector of the numbers in a list of cells; nil if, with `guess`, one of them is neither a number nor missing.
local function parse(column, texts, place, guess)
  local values = {}
  for row, text in ipairs(texts) do
    local value, problem = csv.number(text)
    if not value and guess then return nil end
    if not value then fault.at(("%s: column '%s'"):format(place(row), column), problem, "a number") end
    values[row] = value
  end
  return vector.of(values)
end

--- Tells the reader what is wanted. What is wanted both as text and as numbers is read as text.
---@return table<string, string>  kinds of the wanted columns: "text", "number" or "guess"
function Csv:select(wanted)
  local kinds = {}
  for _, column in ipairs(wanted.guesses or {}) do kinds[column] = "guess" end
  for _, column in ipairs(wanted.numbers or {}) do kinds[column] = "number" end
  for _, column in ipairs(wanted.texts or {}) do kinds[column] = "text" end
  if wanted.levels and self.has.level then kinds.level = "text" end
  for i, column in ipairs(self.columns) do self.reader:select(i, kinds[column] or "skip") end
  return kinds
end

--- Iterates over the blocks of the file from its start.
---@param wanted Wanted
---@return fun(): Block?
function Csv:blocks(wanted)
  local reader, first = self.reader, 0
  reader:rewind()
  local kinds = self:select(wanted)
  return function()
    local rows = fault.check(reader:next())
    if rows == 0 then return nil end
    local block = setmetatable({ name = self.name, data = self, rows = rows, first = first, numbers = {}, texts = {} }, Block)
    block.lines = reader:lines()
    if first + rows > sizes.csv_rows then
      fault.too_large(block:place(sizes.csv_rows + 1 - first), "a file", sizes.csv_rows, "row")
    end
    for i, column in ipairs(self.columns) do
      if kinds[column] == "text" then
        block.texts[column] = reader:texts(i)
      elseif kinds[column] then
        block.numbers[column] = reader:numbers(i)
      end
    end
    local function place(row) return block:place(row) end
    for _, form in ipairs { "numbers", "guesses" } do
      for _, column in ipairs(wanted[form] or {}) do
        if block.texts[column] then
          block.numbers[column] = parse(column, block.texts[column], place, form == "guesses")
        end
      end
    end
    if wanted.levels then name_levels(block, block.texts.level) end
    first = first + rows
    return block
  end
end

local Memory = setmetatable({}, { __index = Dataset })
Memory.__index = Memory

--- A dataset of vectors.
---@param name string
---@param columns string[]
---@param vectors table<string, userdata>
---@param rows integer
---@param levels string[]?   the column `level`, when it is among the columns
function dataset.of_vectors(name, columns, vectors, rows, levels)
  return new(Memory, { name = name, columns = columns, vectors = vectors, rows = rows, levels = levels })
end

function Memory:blocks(wanted)
  local done = false
  return function()
    if done then return nil end
    done = true
    local block = setmetatable({ name = self.name, data = self, rows = self.rows, first = 0, numbers = {}, texts = {} }, Block)
    for _, kind in ipairs { "numbers", "guesses" } do
      for _, column in ipairs(wanted[kind] or {}) do
        block.numbers[column] = self.vectors[column] or column == "level" and self.levels
          and parse(column, self.levels, function(row) return block:place(row) end, kind == "guesses") or nil
      end
    end
    for _, column in ipairs(wanted.texts or {}) do
      local texts = {}
      for row = 1, self.rows do
        texts[row] = column == "level" and self.levels[row] or number.exact(self.vectors[column][row])
      end
      block.texts[column] = texts
    end
    if wanted.levels then name_levels(block, self.levels) end
    return block
  end
end

local Chain = setmetatable({}, { __index = Dataset })
Chain.__index = Chain

--- The rows of one dataset after the other; all must have the same columns, in the same order.
---@param list Dataset[]
---@return Dataset
function dataset.chain(list)
  local first = list[1]
  if #list == 1 then return first end
  local columns = table.concat(first.columns, ",")
  for _, data in ipairs(list) do
    local found = table.concat(data.columns, ",")
    if found ~= columns then
      fault.at(data.name .. ":1", fault.show(found), ("the columns of %s, %s"):format(first.name, fault.show(columns)))
    end
  end
  return new(Chain, { name = first.name, columns = first.columns, list = list })
end

function Chain:blocks(wanted)
  return coroutine.wrap(function()
    for _, data in ipairs(self.list) do
      for block in data:blocks(wanted) do coroutine.yield(block) end
    end
  end)
end

local Joined = setmetatable({}, { __index = Dataset })
Joined.__index = Joined

--- All cells of a dataset as text, by level.
local function by_level(data)
  local cells = {}
  for block in data:blocks { texts = data.columns } do
    for row, level in ipairs(block.texts.level) do
      if cells[level] then fault.at(block:place(row), ("the level '%s' again"):format(level), "each level once") end
      cells[level] = { place = block:place(row), texts = {} }
      for column, texts in pairs(block.texts) do cells[level].texts[column] = texts[row] end
    end
  end
  return cells
end

--- Adds the columns of another dataset, row by row, by the column `level` that both must have. Rows of `data` without
--- a partner are left out; after a pass `unmatched` is their number.
---@param data Dataset
---@param other Dataset
function dataset.join(data, other)
  for _, side in ipairs { data, other } do side:expect({ "level" }, "joining needs the column") end
  local columns, added = table.move(data.columns, 1, #data.columns, 1, {}), {}
  for _, column in ipairs(other.columns) do
    if column ~= "level" then
      if data.has[column] then
        fault.raise(("%s:1: column '%s': found a column that %s has too, expected new ones"):format(other.name, column,
          data.name))
      end
      table.insert(columns, column)
      added[column] = true
    end
  end
  return new(Joined, { name = data.name, columns = columns, data = data, added = added, cells = by_level(other),
    other = other.name, unmatched = 0 })
end

--- Sets the wanted ones of the added columns in a block of the inner dataset.
function Joined:add(block, wanted)
  local cells = {}
  for row, level in ipairs(block.levels) do cells[row] = self.cells[level] end
  local function place(row) return cells[row].place end
  for _, form in ipairs { "texts", "numbers", "guesses" } do
    for _, column in ipairs(wanted[form] or {}) do
      if self.added[column] then
        local texts = {}
        for row, cell in ipairs(cells) do texts[row] = cell.texts[column] end
        if form == "texts" then
          block.texts[column] = texts
        else
          block.numbers[column] = parse(column, texts, place, form == "guesses")
        end
      end
    end
  end
end

function Joined:blocks(wanted)
  local inner = {}
  for key, value in pairs(wanted) do inner[key] = value end
  inner.levels = true
  local next_block = self.data:blocks(inner)
  local matched = 0
  self.unmatched = 0
  return function()
    for block in next_block do
      local rows = {}
      for row, level in ipairs(block.levels) do
        if self.cells[level] then table.insert(rows, row) end
      end
      self.unmatched, matched = self.unmatched + block.rows - #rows, matched + #rows
      if #rows < block.rows then block = block:select(vector.of(rows)) end
      if block.rows > 0 then
        self:add(block, wanted)
        return block
      end
    end
    if matched == 0 then fault.at(self.name, "no row with a partner", "levels that are in " .. self.other) end
  end
end

return dataset
