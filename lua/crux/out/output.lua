--- Where results go, and in which form: aligned tables, CSV, JSON or Markdown; whole or not at all.
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local number = require "crux.base.number"
local plain = require "crux.base.plain"
local system = require "libcrux.system"

local output = {}

--- What --format takes: CSV and JSON are written row by row, the others by a function of `texts`.
output.formats = { "table", "csv", "json", "md" }

--- Whether a format is data, one table with every column and every digit, and no words: CSV, or CSV for spreadsheets,
--- which --safe-csv asks for.
function output.is_data(format) return format == "csv" or format == "safe-csv" end

---@class Column
---@field key string       field of the rows
---@field label string?    heads the column of a table; the key unless given
---@field right boolean?   aligned right even if it holds text
---@field p boolean?       a p-value

---@class Sink
---@field file file*
---@field path string?        of a file; nil for standard output
---@field temporary userdata? what is written to until it is renamed; nil for a device or pipe
---@field target string?      what it is to be called
---@field is_terminal boolean   gets nothing that could control it
local Sink = {}
Sink.__index = Sink

---@class FolderSink
---@field path string
---@field sinks Sink[]         files without a name yet
---@field count integer        of those that were written
---@field temporary userdata?  the folder, if it is new
local FolderSink = {}
FolderSink.__index = FolderSink

--- What output.reserve opened and nobody took yet, by path; "-" is standard output.
---@type table<string, Sink|FolderSink>
local reserved = {}

--- What is reserved for a path.
local function take(path)
  local sink = reserved[path]
  reserved[path] = nil
  return sink
end

--- Opens a place to write to: a file that is replaced when all is written, or standard output, which gets everything at
--- once. Use with <close>: without a commit nothing is left behind.
---@param path string?  nil or "-" for standard output
---@return Sink
function output.open(path)
  local sink = take(path or "-")
  if sink then return sink end
  if not path or path == "-" then
    if not system.can_write(io.stdout) then fault.at("<stdout>", "it closed", "it open for writing") end
    return setmetatable({ file = fault.check(io.tmpfile()), is_terminal = system.is_terminal(io.stdout) }, Sink)
  end
  if system.is_regular(path) == false then -- a device or pipe cannot be replaced
    local file = fault.check(io.open(path, "w"))
    return setmetatable({ file = file, path = path, is_terminal = system.is_terminal(file) }, Sink)
  end
  local file, temporary, target = fault.check(system.create_beside(path))
  return setmetatable({ file = file, path = path, temporary = temporary, target = target }, Sink)
end

--- Opens a folder, new or not, for a number of files, of levels, at most. Use with <close>.
---@param path string
---@param count integer
---@return FolderSink
function output.open_folder(path, count)
  local folder = take(path)
  if folder then return folder end
  local made = fault.check(system.make_folder(path))
  folder = setmetatable({ path = path:gsub("/+$", ""), sinks = {}, count = 0 }, FolderSink)
  if made ~= true then folder.temporary = made end
  local ok, problem = pcall(function()
    local most = fault.check(system.allow_files(count))
    if most < count then
      fault.at(path, number.count(count, "file"), ("at most %d in a folder, as ulimit -n allows"):format(most))
    end
    for i = 1, count do folder.sinks[i] = output.open(("%s/level-%d"):format(folder.path, i)) end
  end)
  if ok then return folder end
  folder:__close()
  error(problem, 0)
end

--- Opens a place now that output.open, or with a count output.open_folder, gives later: what cannot be written is told before
--- any work is done, and scripts run when nothing is to be opened any more.
---@param path string?
---@param count integer?
function output.reserve(path, count)
  reserved[path or "-"] = count and output.open_folder(path, count) or output.open(path)
end

--- Gives up what was reserved and not taken.
function output.release()
  for path, sink in pairs(reserved) do
    reserved[path] = nil
    sink:__close()
  end
end

function Sink:check(ok, problem)
  if not ok then fault.raise(("%s: %s"):format(self.path or "<stdout>", problem)) end
end

function Sink:write(...)
  for i = 1, select("#", ...) do
    local text = select(i, ...)
    self:check(self.file:write(self.is_terminal and plain.text(text) or text))
  end
end

--- Writes a text for people, wherever it goes.
function Sink:show(text) self:write(plain.text(text)) end

--- Writes a text whose escape sequences are crux's own, and which shows the rest as it is.
function Sink:colour(text) self:check(self.file:write(text)) end

local function copy(from, to)
  from:seek "set"
  for chunk in function() return from:read(65536) end do
    local ok, problem = to:write(chunk)
    if not ok then return ok, problem end
  end
  return to:flush()
end

--- Ends writing.
function Sink:complete()
  self:check(self.file:flush())
  if not self.path then self:check(copy(self.file, io.stdout)) end
  self:check(self.file:close())
end

--- Makes what was written appear.
function Sink:commit()
  if io.type(self.file) == "file" then self:complete() end
  if self.temporary then
    fault.check(system.rename(self.temporary, self.target))
    self.temporary = nil
  end
end

function Sink:__close()
  if io.type(self.file) == "file" then self.file:close() end
  if self.temporary then system.remove(self.temporary) end
  self.temporary = nil
end

--- Writes one text to a file of the folder.
---@param name string
---@param text string
function FolderSink:write(name, text)
  self.count = self.count + 1
  local sink = self.sinks[self.count]
  sink.path = ("%s/%s"):format(self.path, name)
  sink.target = sink.path
  sink:write(text)
  sink:complete()
end

--- Makes all that was written appear.
function FolderSink:commit()
  for i = 1, self.count do self.sinks[i]:commit() end
  if self.temporary then system.keep(self.temporary) end
  self.temporary = nil
end

function FolderSink:__close()
  for _, sink in ipairs(self.sinks) do sink:__close() end
  if self.temporary then system.remove(self.temporary) end
  self.sinks, self.temporary = {}, nil
end

--- Writes one text to a file, or to standard output for nil, whole or not at all.
---@param path string?
---@param text string
function output.save(path, text)
  local sink <close> = output.open(path)
  sink:write(text)
  sink:commit()
end

--- The format that was asked for, else what fits the place: by the ending of the file's name; a table on a terminal;
--- else `default`.
function output.format(asked, path, default)
  if asked then return asked end
  local ending = path and path:match "%.(%w+)$"
  for _, format in ipairs(output.formats) do
    if ending == format then return format end
  end
  return not path and system.is_terminal(io.stdout) and "table" or default
end

--- What a spreadsheet takes for the start of a formula; the last four are the wide forms of the others.
local formula_starts = { "^%s*[=+%-@]", "^[\t\r\n]", "^\239\188\157", "^\239\188\139", "^\239\188\141", "^\239\188\160" }

--- A text with an apostrophe before what a spreadsheet would run; numbers stay.
local function defused(text)
  for _, start in ipairs(formula_starts) do
    if text:find(start) and not csv.number(text) then return "'" .. text end
  end
  return text
end

---@param is_safe boolean   a spreadsheet runs none of it, also where it takes ; or tabs for delimiters
local function csv_cell(value, is_safe)
  local text = type(value) == "number" and number.exact(value) or value == nil and "" or tostring(value)
  if is_safe and type(value) ~= "number" then text = defused(text) end
  if text:find(is_safe and '[",;\t\r\n]' or '[",\r\n]') or text:find "^%s" or text:find "%s$" then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local function csv_line(cells, n, is_safe)
  local words = {}
  for i = 1, n do words[i] = csv_cell(cells[i], is_safe) end
  return table.concat(words, ",") .. "\n"
end

--- Columns on a terminal, in characters.
local function width(text) return utf8.len(text) or #text end

--- All cells as text, rounded for reading: a list for each row.
function output.cells(columns, rows)
  local lines = {}
  for i = 1, #rows do lines[i] = {} end
  for j, column in ipairs(columns) do
    local numbers = {}
    for _, row in ipairs(rows) do
      local value = row[column.key]
      if type(value) == "number" and value == value then table.insert(numbers, value) end
    end
    local round = column.p and number.p or number.rounder(numbers)
    for i, row in ipairs(rows) do
      local value = row[column.key]
      if type(value) == "number" then
        lines[i][j] = value ~= value and "" or round(value)
      else
        lines[i][j] = value == nil and "" or plain.line((tostring(value):gsub("[\t\n\r]", " ")))
      end
    end
  end
  return lines
end

--- Which columns are aligned left: those that hold text.
local function left_aligned(columns, rows)
  local left = {}
  for j, column in ipairs(columns) do
    for _, row in ipairs(rows) do left[j] = left[j] or not column.right and type(row[column.key]) == "string" end
  end
  return left
end

local function head_of(columns)
  local head = {}
  for j, column in ipairs(columns) do head[j] = plain.line(column.label or column.key) end
  return head
end

local function table_text(columns, rows)
  local lines, widths, left = output.cells(columns, rows), {}, left_aligned(columns, rows)
  table.insert(lines, 1, head_of(columns))
  for j in ipairs(columns) do
    widths[j] = 0
    for _, line in ipairs(lines) do widths[j] = math.max(widths[j], width(line[j])) end
  end
  for i, line in ipairs(lines) do
    for j, cell in ipairs(line) do
      local padding = (" "):rep(widths[j] - width(cell))
      line[j] = left[j] and cell .. padding or padding .. cell
    end
    local row = table.concat(line, "  ")
    lines[i] = row:sub(1, (row:find "[^ ] *$") or 0)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- A text that Markdown shows as it is: no table's bar, code, link, tag of HTML or entity.
local function markdown(text)
  return (text:gsub("[\\|`%[]", "\\%0"):gsub("<([%a/!?])", "\\<%1"):gsub("&(#?%w+;)", "\\&%1"))
end

local function markdown_line(cells)
  for j, cell in ipairs(cells) do cells[j] = markdown(cell) end
  return "| " .. table.concat(cells, " | ") .. " |"
end

local function markdown_text(columns, rows)
  local rule, left = {}, left_aligned(columns, rows)
  for j in ipairs(columns) do rule[j] = left[j] and "---" or "---:" end
  local lines = { markdown_line(head_of(columns)), markdown_line(rule) }
  for _, line in ipairs(output.cells(columns, rows)) do table.insert(lines, markdown_line(line)) end
  return table.concat(lines, "\n") .. "\n"
end

--- Columns and rows as text, by format.
local texts = { table = table_text, md = markdown_text }

--- Writes rows one by one: CSV and JSON at once, the other formats at the end, when the widths are known.
local Writer = {}
Writer.__index = Writer

---@param sink Sink
---@param format string
---@param columns Column[]
function output.writer(sink, format, columns)
  local self = setmetatable({ sink = sink, format = format, columns = columns, rows = {}, count = 0 }, Writer)
  if output.is_data(format) then
    local head = {}
    for j, column in ipairs(columns) do head[j] = column.key end
    sink:write(csv_line(head, #columns, format == "safe-csv"))
  end
  return self
end

--- A row as JSON: its columns in order.
local function object(columns, row)
  local fields = {}
  for j, column in ipairs(columns) do fields[j] = { column.key, row[column.key] } end
  return json.object(fields)
end

function Writer:add(row)
  self.count = self.count + 1
  if output.is_data(self.format) then
    local cells = {}
    for j, column in ipairs(self.columns) do cells[j] = row[column.key] end
    self.sink:write(csv_line(cells, #self.columns, self.format == "safe-csv"))
  elseif self.format == "json" then
    self.sink:write(self.count == 1 and "[\n  " or ",\n  ", json.encode(object(self.columns, row), "  "))
  else
    table.insert(self.rows, row)
  end
end

function Writer:finish()
  if self.format == "json" then
    self.sink:write(self.count == 0 and "[]\n" or "\n]\n")
  elseif not output.is_data(self.format) then
    self.sink:write(texts[self.format](self.columns, self.rows))
  end
end

--- Writes all rows of a table to a place.
---@param sink Sink|file*
---@param format string
---@param columns Column[]
---@param rows table[]
function output.write(sink, format, columns, rows)
  local writer = output.writer(sink, format, columns)
  for _, row in ipairs(rows) do writer:add(row) end
  writer:finish()
end

--- Writes a table in one piece.
---@param path string?
function output.table(path, format, columns, rows)
  local sink <close> = output.open(path)
  output.write(sink, format, columns, rows)
  sink:commit()
end

---@class Report
---@field json any                           what JSON shows
---@field tables { title: string?, columns: Column[], rows: table[] }[]   what the others show; CSV only the first
---@field notes string[]?                    lines after the first table, not in CSV

--- Writes a report in one piece.
---@param path string?
---@param format string
---@param report Report
function output.report(path, format, report)
  local sink <close> = output.open(path)
  if format == "json" then
    sink:write(json.encode(report.json), "\n")
  else
    local function shown(text) return format == "md" and markdown(plain.text(text)) or plain.text(text) end
    for i, part in ipairs(report.tables) do
      if output.is_data(format) and i > 1 then break end
      if not output.is_data(format) then
        sink:write(i > 1 and "\n" or "", part.title and (format == "md" and "## " or "") .. shown(part.title) .. "\n\n" or "")
      end
      output.write(sink, format, part.columns, part.rows)
      if i == 1 and report.notes and not output.is_data(format) then
        local notes = {}
        for j, note in ipairs(report.notes) do notes[j] = shown(note) end
        sink:write("\n", table.concat(notes, format == "md" and "  \n" or "\n"), "\n")
      end
    end
  end
  sink:commit()
end

--- Says something to the person at the terminal: standard error.
function output.say(message) io.stderr:write(plain.text(message), "\n") end

return output
