--- Writing tables, row by row or whole, and reports of several tables.
local formats = require "crux.out.formats"
local json = require "crux.base.json"
local plain = require "crux.base.plain"
local sinks = require "crux.out.sinks"

local tables = {}

--- Writes rows: CSV and JSON row by row, the other formats at the end, when the widths are known.
local Writer = {}
Writer.__index = Writer

---@param sink Sink
---@param format string
---@param columns Column[]
function tables.writer(sink, format, columns)
  if formats.is_data(format) then sink:write(formats.csv_line(format, columns)) end
  return setmetatable({ sink = sink, format = format, columns = columns, rows = {}, count = 0 }, Writer)
end

function Writer:add(row)
  self.count = self.count + 1
  if formats.is_data(self.format) then
    self.sink:write(formats.csv_line(self.format, self.columns, row))
  elseif self.format == "json" then
    self.sink:write(self.count == 1 and "[\n  " or ",\n  ", json.encode(formats.json_object(self.columns, row), "  "))
  else
    table.insert(self.rows, row)
  end
end

function Writer:finish()
  if self.format == "json" then
    self.sink:write(self.count == 0 and "[]\n" or "\n]\n")
  elseif not formats.is_data(self.format) then
    self.sink:write(formats.texts[self.format](self.columns, self.rows))
  end
end

--- Writes a table.
---@param sink Sink|file*
---@param format string
---@param columns Column[]
---@param rows table[]|fun(add: fun(row: table))   a function calls add with each row
function tables.write(sink, format, columns, rows)
  local writer = tables.writer(sink, format, columns)
  if type(rows) == "function" then rows(function(row) writer:add(row) end) end
  for _, row in ipairs(type(rows) == "table" and rows or {}) do writer:add(row) end
  writer:finish()
end

--- The text of a table.
---@param format string
---@param columns Column[]
---@param rows table[]
---@return string
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
---@field rows table[]|fun(add: fun(row: table))   of tables.write

---@class Report
---@field json any?               the report in the format json; the rows of the table of CSV unless given
---@field tables ReportTable[]    in the other formats; nil: only levels are written
---@field data ReportTable?       the table of CSV; the first one unless given
---@field notes string[]?         lines after the first table, not in CSV
---@field finish nil|fun()        to call when all is written: raises a fault that counts the failures, if there are any
---@field script string?          the script of a rule that a task made
---@field levels { name: string, text: string }[]?   that a task made
---@field level_format LevelFormat?

--- Saves a report as a file, or writes it to standard output for nil.
---@param path string?
---@param format string
---@param report Report
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
        local notes = {}
        for j, note in ipairs(report.notes) do notes[j] = shown(note) end
        sink:write("\n", table.concat(notes, format == "md" and "  \n" or "\n"), "\n")
      end
    end
  end
  sink:commit()
end

return tables
