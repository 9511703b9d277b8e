--- Output formats: how columns and rows become an aligned table, CSV, JSON, Markdown or JUnit's XML.
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local line_text = require "libcrux.lines"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plain = require "crux.base.plain"
local terminal = require "libcrux.terminal"

local formats = {}

--- The values of --format of every command.
formats.names = { "table", "csv", "json", "md" }

--- True if a format is one table of data with every column and digit and without notes: CSV, or CSV for spreadsheets
--- (--safe-csv).
function formats.is_data(format) return format == "csv" or format == "safe-csv" end

---@class Column
---@field key string       field of the rows
---@field label string?    heads the column of a table; the key unless given
---@field right boolean?   text is aligned right
---@field p boolean?       a p-value
---@field is_detail boolean?   shown in CSV and JSON alone
---@field only string?     the only format that shows it

--- The columns that a table for reading shows.
function formats.shown(columns) return lists.select(columns, function(column) return not column.is_detail end) end

function formats.columns_in(format, columns)
  return lists.select(columns, function(column) return not column.only or column.only == format end)
end

--- Columns with these keys.
function formats.columns(keys) return lists.map(keys, function(key) return { key = key } end) end

--- Columns with those of some keys of which a row has a value.
function formats.filled(keys, rows)
  return formats.columns(lists.select(keys, function(key) return next(lists.field(rows, key)) end))
end

--- The ending of a file to write, nil without one; a usage fault if it is none of those expected.
---@param expected string[]
---@param more string?   follows the expected ones in the message
function formats.ending(path, expected, more)
  local ending = path:match "%.(%w+)$"
  if ending and not lists.contains(expected, ending) then
    local names = table.concat(expected, ", "):gsub("(.*), ", "%1 or ")
    fault.raise(("%s: found the ending '%s', expected %s%s"):format(path, ending, names, more or ""), 2)
  end
  return ending
end

--- Endings of files that are no text.
local binary = lists.set { "gif", "jpeg", "jpg", "ods", "pdf", "png", "xls", "xlsx" }

--- The format asked for; else that of the file's ending, before .gz or .zst; else a table on a terminal; else `default`.
function formats.choose(asked, path, default)
  if asked then return asked end
  local ending = path and path:gsub("%.gz$", ""):gsub("%.zst$", ""):match "%.(%w+)$"
  if lists.contains(formats.names, ending) then return ending end
  if binary[ending] then formats.ending(path, { "csv", "json", "md", "txt" }) end
  return not path and terminal.is_terminal(io.stdout) and "table" or default
end

--- Rows as lines of CSV, for spreadsheets if the format is "safe-csv".
---@param values (userdata|any[]|false)[]   a column each: vector, texts or list; false without values
function formats.csv_lines(format, values, rows) return line_text.csv(values, rows, format == "safe-csv") end

--- Rows as objects of JSON, separated by commas, with their columns in order.
---@param values (userdata|any[]|false)[]
function formats.json_lines(columns, values, rows)
  local keys = lists.field(columns, "key")
  local starts = {}
  for j, key in ipairs(keys) do starts[j] = (j > 1 and ", " or "") .. json.encode(key) .. ": " end
  local text = line_text.json(values, rows, starts, json.encode)
  if text then return text end
  local objects = {} -- some value is a list or an object, which takes several lines
  for i = 1, rows do
    local row = {}
    for j, key in ipairs(keys) do row[key] = values[j] and values[j][i] end
    objects[i] = json.encode(json.by_name(row, keys), "  ")
  end
  return table.concat(objects, ",\n  ")
end

--- The width of a text on a terminal, in characters.
local function width(text) return utf8.len(text) or #text end

--- The cells of each row as text, with numbers rounded for reading.
---@return string[][]
function formats.cells(columns, rows)
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

--- A table that is true at each column that is aligned left, as it holds text.
local function left_aligned(columns, rows)
  local left = {}
  for j, column in ipairs(columns) do
    for _, row in ipairs(rows) do left[j] = left[j] or not column.right and type(row[column.key]) == "string" end
  end
  return left
end

local function head_of(columns)
  return lists.map(columns, function(column) return plain.line(column.label or column.key) end)
end

--- Columns and rows as text, by format.
formats.texts = {}

function formats.texts.table(columns, rows)
  local lines, widths, left = formats.cells(columns, rows), {}, left_aligned(columns, rows)
  table.insert(lines, 1, head_of(columns))
  for j in ipairs(columns) do widths[j] = lists.widest(lists.field(lines, j), width) end
  local pieces = {} -- of a line: each cell with blanks before or behind it
  for i, line in ipairs(lines) do
    for j, cell in ipairs(line) do
      local padding = (" "):rep(widths[j] - width(cell))
      pieces[3 * j - 2], pieces[3 * j - 1], pieces[3 * j] = left[j] and cell or padding, left[j] and padding or cell, "  "
    end
    local row = table.concat(pieces)
    lines[i] = row:sub(1, row:find " *$" - 1)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- A text with the signs of Markdown and HTML escaped.
function formats.markdown(text)
  return (text:gsub("[\\|`%[]", "\\%0"):gsub("<([%a/!?])", "\\<%1"):gsub("&(#?%w+;)", "\\&%1"))
end

local function markdown_line(cells)
  for j, cell in ipairs(cells) do cells[j] = formats.markdown(cell) end
  return "| " .. table.concat(cells, " | ") .. " |"
end

function formats.texts.md(columns, rows)
  local rule, left = {}, left_aligned(columns, rows)
  for j in ipairs(columns) do rule[j] = left[j] and "---" or "---:" end
  local lines = { markdown_line(head_of(columns)), markdown_line(rule) }
  for _, line in ipairs(formats.cells(columns, rows)) do table.insert(lines, markdown_line(line)) end
  return table.concat(lines, "\n") .. "\n"
end

---@class TestCase
---@field name string
---@field file string
---@field failure string?   lines that say why it failed
---@field error string?     lines that say why it could not be run

--- XML as JUnit writes it: a test case for each row, with the cells of the row as its output.
---@param rows table[]   with a field `case`, a TestCase
function formats.texts.junit(columns, rows)
  local xml = require "crux.base.xml" -- only here: no other format needs it
  local cases, cells, counts = {}, formats.cells(columns, rows), { tests = #rows, failures = 0, errors = 0 }
  for i, row in ipairs(rows) do
    local content = {}
    for kind, count in pairs { failure = "failures", error = "errors" } do
      local text = row.case[kind]
      if text then
        counts[count] = counts[count] + 1
        table.insert(content, xml.element(kind, { message = text }, (text:gsub("[^\n]+", xml.escape))))
      end
    end
    local lines = {}
    for j, cell in ipairs(cells[i]) do
      if cell ~= "" then table.insert(lines, xml.escape(("%s: %s"):format(columns[j].key, cell))) end
    end
    if #lines > 0 then table.insert(content, xml.element("system-out", {}, table.concat(lines, "\n"))) end
    local attributes = { classname = row.case.file, name = row.case.name }
    cases[i] = xml.element("testcase", attributes, table.concat(content)) .. "\n"
  end
  local suite = xml.element("testsuite", lists.merge(counts, { name = "crux" }), "\n", table.concat(cases))
  return '<?xml version="1.0" encoding="UTF-8"?>\n' .. xml.element("testsuites", counts, "\n", suite, "\n") .. "\n"
end

return formats
