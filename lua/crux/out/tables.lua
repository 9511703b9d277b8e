--- Writing tables, row by row or whole, and reports of several tables.
local formats = require "crux.out.formats"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local plain = require "crux.base.plain"
local sinks = require "crux.out.sinks"

local tables = {}

local enough_rows = 512 -- to be written together

--- Writes rows: CSV and JSON in blocks, the other formats at the end, when the widths are known.
---@class Writer
local Writer = {}
Writer.__index = Writer

function tables.writer(sink, format, columns)
  if formats.is_data(format) then
    sink:write(formats.csv_lines(format, lists.map(columns, function(column) return { column.key } end), 1))
  end
  return setmetatable({ sink = sink, format = format, columns = columns, rows = {}, is_first = true }, Writer)
end

--- True for the formats in which rows are written before all are known.
function Writer:is_streaming() return self.format == "json" or formats.is_data(self.format) end

--- Writes columns of rows.
---@param values table<string, userdata|any[]>   by key: vector, texts or list
function Writer:block(values, rows)
  self:flush()
  if not self:is_streaming() then
    for i = 1, rows do
      local row = {}
      for key, column in pairs(values) do row[key] = column[i] end
      table.insert(self.rows, row)
    end
  elseif rows > 0 then
    self:write(lists.map(self.columns, function(column) return values[column.key] or false end), rows)
  end
end

---@param values (userdata|any[]|false)[]   by column
function Writer:write(values, rows)
  if formats.is_data(self.format) then
    self.sink:write(formats.csv_lines(self.format, values, rows))
  else
    self.sink:write(self.is_first and "[\n  " or ",\n  ", formats.json_lines(self.columns, values, rows))
    self.is_first = false
  end
end

function Writer:flush()
  local rows = self.rows
  if #rows == 0 or not self:is_streaming() then return end
  self.rows = {}
  self:write(lists.map(self.columns, function(column) return lists.field(rows, column.key) end), #rows)
end

function Writer:add(row)
  table.insert(self.rows, row)
  if #self.rows >= enough_rows then self:flush() end
end

function Writer:finish()
  self:flush()
  if self.format == "json" then
    self.sink:write(self.is_first and "[]\n" or "\n]\n")
  elseif not formats.is_data(self.format) then
    self.sink:write(formats.texts[self.format](self.columns, self.rows))
  end
end

--- The rows that a function writes.
---@param rows fun(writer: Writer)
function tables.rows(rows)
  local writer = setmetatable({ rows = {} }, Writer)
  rows(writer)
  return writer.rows
end

--- Writes a table.
---@param sink Sink|file*
---@param rows table[]|fun(writer: Writer)   a function calls writer:add or writer:block
function tables.write(sink, format, columns, rows)
  local writer = tables.writer(sink, format, columns)
  if type(rows) == "function" then rows(writer) end
  for _, row in ipairs(type(rows) == "table" and rows or {}) do writer:add(row) end
  writer:finish()
end

--- The text of a table.
function tables.text(format, columns, rows)
  local parts = {}
  local sink = { write = function(_, ...) table.insert(parts, table.concat { ... }) end }
  tables.write(sink, format, columns, rows)
  return table.concat(parts)
end

--- Saves a table as a file, or writes it to standard output for nil.
---@param path string?
function tables.save(path, format, columns, rows)
  local sink <close> = sinks.open(path)
  tables.write(sink, format, columns, rows)
  sink:commit()
end

---@class ReportTable
---@field title string?
---@field columns Column[]
---@field rows table[]|fun(writer: Writer)   of tables.write

---@class Report
---@field json any?               the report in the format json; the rows of the table of CSV unless given
---@field tables ReportTable[]    in the other formats; nil: only levels are written
---@field data ReportTable?       the table of CSV; the first one unless given
---@field notes string[]?         lines after the first table, not in CSV
---@field finish nil|fun()        to call when all is written: raises a fault that counts the failures, if there are any
---@field state ReportTable?      from which the task can go on
---@field script string?          the script of a rule that a task made
---@field levels { name: string, text: string }[]?   that a task made
---@field level_format LevelFormat?
---@field figure Figure?          that a task drew
---@field page string?            the HTML that a task wrote

--- Saves a report as a file, or writes it to standard output for nil.
---@param path string?
function tables.report(path, format, report)
  local sink <close> = sinks.open(path)
  local data = report.data or report.tables[1]
  if format == "json" and report.json then
    sink:write(json.encode(report.json), "\n")
  elseif format == "json" or formats.is_data(format) then
    tables.write(sink, format, formats.columns_in(format, data.columns), data.rows)
  else
    local function shown(text) return format == "md" and formats.markdown(plain.text(text)) or plain.text(text) end
    for i, part in ipairs(report.tables) do
      sink:write(i > 1 and "\n" or "", part.title and (format == "md" and "## " or "") .. shown(part.title) .. "\n\n" or "")
      tables.write(sink, format, formats.columns_in(format, formats.shown(part.columns)), part.rows)
      if i == 1 and report.notes then
        sink:write("\n", table.concat(lists.map(report.notes, shown), format == "md" and "  \n" or "\n"), "\n")
      end
    end
  end
  sink:commit()
end

return tables
