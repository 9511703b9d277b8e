--- Datasets: one row per level, columns of numbers and text, read in blocks, in any number of passes.
---
--- A dataset is a table with `name`, `columns` and a method `blocks(wanted)`. It is a CSV file, vectors or rows of text in
--- memory, a chain of datasets, or a dataset joined with another by level, player or both.
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local dataset = {}

---@class WantedColumns
---@field numbers string[]?   columns that must be numbers (missing ones are NaN)
---@field measures string[]?  those of them that a formula names: messages advise factor() for text
---@field guesses string[]?   columns that may be text: then they are not among the block's numbers
---@field texts string[]?     columns as strings
---@field levels boolean?     the names of the levels

---@class Block
---@field rows integer
---@field first integer                     number of rows before this block
---@field numbers table<string, userdata>   vectors
---@field texts table<string, userdata>     columns of libcrux.texts
---@field levels userdata?                   such a column
---@field parsed table<string, userdata|false>   numbers of columns of texts, parsed when they are read; false if one is none
---@field lists table<string, number[]|false>     the same as lists, of which Lua reads a number in less time
---@field data Dataset
---@field sources { place: string }[]?       of rows in memory: the origin of each
---@field lines integer|userdata|nil        line of the first row, if the others follow it; else a vector of the rows' lines
---@field chosen userdata?                  of a block of some rows of another: their numbers there
local Block = {}
Block.__index = Block

--- A table whose fields, unless they are nil, are computed when they are first read.
local function computed(field)
  return setmetatable({}, { __index = function(known, key)
    local value = field(key)
    if value ~= nil then known[key] = value end
    return value
  end })
end

--- A block of a dataset without columns.
---@param sources { place: string }[]?
local function new_block(data, rows, first, sources)
  local block = setmetatable({ name = data.name, data = data, rows = rows, first = first, numbers = {}, texts = {},
    sources = sources }, Block)
  block.parsed = computed(function(column)
    if not block.texts[column] then return nil end
    local values, wrong = block.texts[column]:numbers()
    return not wrong and values
  end)
  block.lists = computed(function(column) return block.parsed[column] and block.parsed[column]:list() end)
  return block
end

function Block:place(row)
  if self.sources then return self.sources[row].place end
  local lines = self.lines
  if lines then return ("%s:%d"):format(self.name, math.type(lines) and lines + row - 1 or lines[row]) end
  return ("%s: row %d"):format(self.name, self.first + (self.chosen and self.chosen[row] // 1 | 0 or row))
end

--- The place of a row and, if the dataset names levels, its level, for messages. Reads the dataset again if the block has no
--- names.
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

--- A vector with a number for each text of a column, NaN for missing ones.
function Block:present(column) return (self.texts[column]:numbers()) end

--- Refuses negative numbers in a column.
---@param noun string   "a weight"
function Block:check_not_negative(column, noun)
  local values = self.numbers[column]
  local row = values:first_negative()
  if row then
    fault.at(("%s: column '%s'"):format(self:place(row), column), fault.show(values[row]), noun .. " that is not negative")
  end
end

--- The block of some of its rows.
---@param rows userdata   their numbers
function Block:select(rows)
  local function list(values)
    local chosen = {}
    for i = 1, #rows do chosen[i] = values[rows[i] // 1 | 0] end
    return chosen
  end
  local selected = new_block(self.data, #rows, self.first, self.sources and list(self.sources))
  for name, values in pairs(self.numbers) do selected.numbers[name] = values:gather(rows) end
  for name, values in pairs(self.texts) do selected.texts[name] = values:gather(rows) end
  selected.levels = self.levels and self.levels:gather(rows)
  selected.chosen = self.chosen and self.chosen:gather(rows) or rows
  local lines = self.lines
  selected.lines = lines and (math.type(lines) and rows + (lines - 1) or lines:gather(rows))
  return selected
end

--- The place of a row among all rows of a pass, for messages.
---@param blocks fun(): Block?   as Csv:blocks returns it
---@return string?
function dataset.place_in(blocks, row)
  for block in blocks do
    if row <= block.rows then return block:place(row) end
    row = row - block.rows
  end
end

--- The rows of blocks of one dataset as one block.
function dataset.merged(blocks)
  local merged = new_block(blocks[1].data, 0, 0)
  for _, block in ipairs(blocks) do merged.rows = merged.rows + block.rows end
  for name in pairs(blocks[1].numbers) do
    merged.numbers[name] = vector.concat(lists.map(blocks, function(block) return block.numbers[name] end))
  end
  for name in pairs(blocks[1].texts) do
    merged.texts[name] = text_column.concat(lists.map(blocks, function(block) return block.texts[name] end))
  end
  merged.levels = blocks[1].levels and text_column.concat(lists.field(blocks, "levels"))
  return merged
end

---@class Dataset
---@field name string        in messages
---@field columns string[]
local Dataset = {}
Dataset.__index = Dataset

local function new(class, self)
  self.has = {}
  for _, column in ipairs(self.columns) do self.has[column] = true end
  return setmetatable(self, class)
end

--- A hint if the header seems to have another delimiter, else nil.
function Dataset:delimiter_hint()
  local only = self.columns[1]
  local other = #self.columns == 1 and only:match "[;\t,|]"
  if not other then return nil end
  return ("the header is the single column %s; is --delimiter '%s' meant?"):format(fault.show(only),
    other == "\t" and "tab" or other)
end

--- Raises a fault unless all columns exist.
---@param columns string[]
---@param who string   begins the message: "rule 'flow' needs the measure"
function Dataset:expect(columns, who)
  for _, column in ipairs(columns) do
    if not self.has[column] then
      local hint = self:delimiter_hint() or require("crux.base.nearest").hint(column, self.columns)
      fault.raise(("%s:1: %s '%s', which is not among the columns; %s"):format(self.name, who, column, hint))
    end
  end
end

--- The columns of a list that hold numbers alone. Makes a pass over the dataset.
---@param columns string[]
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
local function name_levels(block, names)
  local numbers = {}
  for row = 1, names and 0 or block.rows do numbers[row] = tostring(block.first + row) end
  block.levels = names or text_column.of(numbers)
end

local Csv = setmetatable({}, { __index = Dataset })
Csv.__index = Csv

--- Gives columns other names.
---@param columns string[]
---@param renames { to: string, from: string }[]
---@param name string   of the file
local function rename(columns, renames, name)
  local place = {}
  for i, column in ipairs(columns) do place[column] = i end
  for _, pair in ipairs(renames) do
    local where, at = name .. ":1: --rename", place[pair.from]
    if not at then fault.unknown(where, "column", pair.from, columns) end
    if place[pair.to] then fault.at(where, ("a column '%s' already"):format(pair.to), "a new name") end
    columns[at], place[pair.to], place[pair.from] = pair.to, at, nil
  end
end

--- Opens a CSV file, "-" for standard input.
---@param options { delimiter: string?, rename: { to: string, from: string }[]? }?
---@return Dataset
function dataset.open(path, options)
  if path:find "%.lua$" then fault.at(path, "a script", "a CSV file; it comes behind the rules") end
  local reader, problem = csv.open(path, options and options.delimiter or ",")
  if not reader then fault.raise(problem .. require("crux.base.missing").hint(path, problem, true)) end
  local name = path == "-" and "<stdin>" or path
  local columns = reader:columns()
  rename(columns, options and options.rename or {}, name)
  return new(Csv, { name = name, columns = columns, reader = reader })
end

--- The end of the message about a cell that is no number.
local function advice(text, column, wanted)
  local is_measure = false
  for _, measure in ipairs(wanted.measures or {}) do is_measure = is_measure or measure == column end
  return require("crux.data.cell").advice(text, is_measure and not text:find "^%s*[%d+.-]"
    and (", or factor(%s) in the formula"):format(grammar.name(column)) or nil)
end

--- A vector of the numbers in a column of texts. With `guess`, nil if a cell is neither a number nor missing.
local function parse(column, cells, place, guess, wanted)
  local values, wrong = cells:numbers()
  if wrong and not guess then
    local _, problem, expected = csv.number(cells[wrong])
    fault.at(("%s: column '%s'"):format(place(wrong), column), problem,
      expected .. (expected == "a number" and advice(cells[wrong], column, wanted) or ""))
  end
  return not wrong and values or nil
end

--- Sets the wanted numbers of a block whose columns are given as text.
---@param cells table<string, userdata>   by column
---@param place fun(row: integer): string
local function parse_wanted(block, wanted, cells, place)
  for _, form in ipairs { "numbers", "guesses" } do
    for _, column in ipairs(wanted[form] or {}) do
      if cells[column] then block.numbers[column] = parse(column, cells[column], place, form == "guesses", wanted) end
    end
  end
end

--- Selects the columns that the reader reads. Columns wanted both as text and as numbers are read as text.
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

local small_heap <const> = 16384 -- kilobytes

--- Iterates over the blocks of the file from its start. Where memory holds much, columns that nobody needs any more are
--- collected early: with Lua's pause of 200 there would be as many of them as are needed.
---@return fun(): Block?
function Csv:blocks(wanted)
  local reader, first = self.reader, 0
  reader:rewind()
  local kinds = self:select(wanted)
  return function()
    local rows, problem, text, number_of = reader:next()
    if not rows then
      local hint = not text and self:delimiter_hint()
      fault.raise(problem .. (text and advice(text, self.columns[number_of], wanted) or hint and "; " .. hint or ""))
    end
    collectgarbage("setpause", (rows == 0 or collectgarbage "count" < small_heap) and 200 or 125)
    if rows == 0 then return nil end
    local block = new_block(self, rows, first)
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
    parse_wanted(block, wanted, block.texts, function(row) return block:place(row) end)
    if wanted.levels then name_levels(block, block.texts.level) end
    first = first + rows
    return block
  end
end

local Memory = setmetatable({}, { __index = Dataset })
Memory.__index = Memory

--- A dataset of columns in memory.
---@param columns string[]
---@param vectors table<string, userdata>
---@param texts table<string, userdata>   columns of text
---@param sources { place: string }[]?   the origin of each row
function dataset.of_columns(name, columns, vectors, texts, rows, sources)
  return new(Memory, { name = name, columns = columns, vectors = vectors, texts = texts, rows = rows, sources = sources })
end

--- A dataset of vectors.
---@param levels string[]?   the column `level`, when it is among the columns
function dataset.of_vectors(name, columns, vectors, rows, levels, sources)
  return dataset.of_columns(name, columns, vectors, { level = levels and text_column.of(levels) }, rows, sources)
end

function Memory:blocks(wanted)
  local done = false
  return function()
    if done then return nil end
    done = true
    local block = new_block(self, self.rows, 0, self.sources)
    parse_wanted(block, wanted, self.texts, function(row) return block:place(row) end)
    for _, form in ipairs { "numbers", "guesses" } do
      for _, column in ipairs(wanted[form] or {}) do
        block.numbers[column] = self.vectors[column] or block.numbers[column]
      end
    end
    for _, column in ipairs(wanted.texts or {}) do
      block.texts[column] = self.texts[column] or text_column.of(lists.map(self.vectors[column], number.exact))
    end
    if wanted.levels then name_levels(block, self.texts.level) end
    return block
  end
end

local Texts = setmetatable({}, { __index = Dataset })
Texts.__index = Texts

--- A dataset of rows of text in memory.
---@param columns string[]
---@param rows { place: string, texts: table<string, string> }[]   texts by column
function dataset.of_texts(name, columns, rows) return new(Texts, { name = name, columns = columns, rows = rows }) end

function Texts:blocks(wanted)
  local done = false
  return function()
    if done or #self.rows == 0 then return nil end
    done = true
    local block = new_block(self, #self.rows, 0, self.rows)
    local cells = {}
    for _, column in ipairs(self.columns) do
      cells[column] = text_column.of(lists.map(self.rows, function(row) return row.texts[column] end))
    end
    for _, column in ipairs(wanted.texts or {}) do block.texts[column] = cells[column] end
    parse_wanted(block, wanted, cells, function(row) return block:place(row) end)
    if wanted.levels then name_levels(block, cells.level) end
    return block
  end
end

local Chain = setmetatable({}, { __index = Dataset })
Chain.__index = Chain

--- A dataset of the rows of several datasets, which must have the same columns, in the same order.
---@param list Dataset[]
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

--- The value of the columns of a key in a row of a block.
local function key_of(block, keys, row)
  local values = lists.map(keys, function(key) return block.texts[key][row] end)
  return table.concat(values, "\0")
end

--- All cells of a dataset as text, by key.
local function by_key(data, keys)
  local cells = {}
  for block in data:blocks { texts = data.columns } do
    for row = 1, block.rows do
      local key, names = key_of(block, keys, row), {}
      for i, column in ipairs(keys) do names[i] = ("the %s '%s'"):format(column, block.texts[column][row]) end
      if cells[key] then
        fault.at(block:place(row), table.concat(names, " and ") .. " again",
          ("each %s once"):format(table.concat(keys, " and ")))
      end
      cells[key] = { place = block:place(row), texts = {} }
      for column, values in pairs(block.texts) do cells[key].texts[column] = values[row] end
    end
  end
  return cells
end

--- Adds the columns of another dataset, by those of the columns `player` and `level` that both have. Leaves out rows of `data`
--- without a partner; after a pass `unmatched` is their number.
---@param other Dataset
function dataset.join(data, other)
  local keys = lists.select({ "player", "level" }, function(key) return data.has[key] and other.has[key] end)
  if #keys == 0 then
    for _, side in ipairs { data, other } do side:expect({ "level" }, "joining needs the column") end
    keys = { "level" }
  end
  local columns, added, is_key = lists.copy(data.columns), {}, lists.set(keys)
  for _, column in ipairs(other.columns) do
    if not is_key[column] then
      if data.has[column] then
        fault.raise(("%s:1: column '%s': found a column that %s has too, expected new ones"):format(other.name, column,
          data.name))
      end
      table.insert(columns, column)
      added[column] = true
    end
  end
  return new(Joined, { name = data.name, columns = columns, data = data, added = added, keys = keys,
    cells = by_key(other, keys), other = other.name, unmatched = 0 })
end

--- Sets the wanted added columns in a block of the inner dataset.
function Joined:add(block, wanted)
  local function partner(row) return self.cells[key_of(block, self.keys, row)] end
  local cells = setmetatable({}, { __index = function(known, column)
    if not self.added[column] then return nil end
    local list = {}
    for row = 1, block.rows do list[row] = partner(row).texts[column] end
    known[column] = text_column.of(list)
    return known[column]
  end })
  for _, column in ipairs(wanted.texts or {}) do block.texts[column] = cells[column] or block.texts[column] end
  parse_wanted(block, wanted, cells, function(row) return partner(row).place end)
end

function Joined:blocks(wanted)
  local next_block = self.data:blocks(lists.merge(wanted, { texts = lists.concat(wanted.texts or {}, self.keys) }))
  local matched = 0
  self.unmatched = 0
  return function()
    for block in next_block do
      local rows = {}
      for row = 1, block.rows do
        if self.cells[key_of(block, self.keys, row)] then table.insert(rows, row) end
      end
      self.unmatched, matched = self.unmatched + block.rows - #rows, matched + #rows
      if #rows < block.rows then block = block:select(vector.of(rows)) end
      if block.rows > 0 then
        self:add(block, wanted)
        return block
      end
    end
    if matched == 0 then
      fault.at(self.name, "no row with a partner", ("%ss that are in %s"):format(self.keys[#self.keys], self.other))
    end
  end
end

return dataset
