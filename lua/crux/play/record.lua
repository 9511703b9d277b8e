--- CSV files to which a program appends a row about a player at a time. A killed program leaves at most one incomplete line,
--- which the next program removes.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local file_system = require "libcrux.files"

local record = {}

---@class Record
---@field path string
---@field player string
---@field rows table[]                   of the file when it was opened: texts by column, and `place`
---@field count integer                  appended rows
---@field dropped string?                an incomplete last line that was removed
---@field has table<string, boolean>     columns
---@field private file file*             open for appending
---@field private temporary userdata?    a new file that has no row yet
---@field private columns Column[]
---@field private text string?           the expected text of the file, if no other program may append to it
local Record = {}
Record.__index = Record

local function read(path, columns)
  local data, rows = dataset.open(path), {}
  local found, expected = table.concat(data.columns, ","), table.concat(lists.field(columns, "key"), ",")
  if found ~= expected then fault.at(path .. ":1", fault.show(found), "the columns " .. expected) end
  for block in data:blocks { texts = data.columns } do
    for i = 1, block.rows do
      local row = { place = block:place(i) }
      for column, texts in pairs(block.texts) do row[column] = texts[i] end
      table.insert(rows, row)
    end
  end
  return rows
end

--- A row as a line of CSV; the header for nil.
local function line_of(row, columns)
  return formats.csv_lines("csv", lists.map(columns, function(column)
    if row then return { row[column.key] } end
    return { column.key }
  end), 1)
end

--- The text of a file; "" if there is none.
local function contents(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a" or ""
end

--- Returns true if a last line without a line break has all fields; the last field is 0 or 1.
local function is_whole(line, columns)
  local rest = line:gsub('"[^"]*"', "")
  return not rest:find '"' and rest:find ",[01]$" and select(2, rest:gsub(",", "")) == #columns - 1
end

--- Removes an incomplete last line, which a killed program has left. Returns the text of the file and the removed line.
local function mend(path, text, columns)
  local header = line_of(nil, columns):gsub("\n", "")
  local before, last = text:match "^(.-)([^\n]*)$"
  local is_torn = before == "" and last ~= header and header:find(last, 1, true) == 1
    or before:match "^[^\r\n]*" == header and last ~= "" and not is_whole(last, columns)
  if not is_torn or text == "" then return text end
  sinks.save(path, before)
  return before, last
end

--- The columns of a file, by its header: one of the layouts, the first unless another fits.
local function columns_of(text, layouts)
  local header, columns = text:match "^[^\r\n]*", layouts[1]
  for _, layout in ipairs(layouts) do
    if table.concat(layout, ",") == header then columns = layout end
  end
  return formats.columns(columns)
end

--- Opens a file for appending; a missing file is created with the first row. Raises a fault if the file has other columns. Use
--- with <close>.
---@param layouts string[][]    lists of columns: the first for new files, the others for files of earlier versions. The last
---                             column of each holds 0 or 1
---@param is_alone boolean?     no other program may append to the file
---@return Record
function record.open(path, player, layouts, is_alone)
  local kind = file_system.is_regular(path)
  if path == "-" or kind == false then fault.at(path, "no plain file", "the name of one, or of none yet") end
  local text = contents(path)
  local columns = columns_of(text, layouts)
  local dropped, rows, file, temporary
  text, dropped = mend(path, text, columns)
  if kind then
    file = fault.check(io.open(path, "ab"))
  else
    file, temporary = fault.check(file_system.create_beside(path))
    file_system.clean(path)
  end
  file:setvbuf("full", 65536) -- writes a row in one piece, as several programs may append
  local self = setmetatable({ path = path, player = player, file = file, temporary = temporary, columns = columns,
    has = lists.set(lists.field(columns, "key")), count = 0, dropped = dropped, text = is_alone and text or nil }, Record)
  rows = text ~= "" and text:gsub("%s+$", "") .. "\n" ~= line_of(nil, columns) and read(path, columns)
  self.rows = rows or {}
  return self
end

--- Gives a new file its final name.
function Record:appear()
  if file_system.is_regular(self.path) ~= nil then fault.at(self.path, "a file of another program", "no file yet") end
  fault.check(file_system.rename(self.temporary, self.path))
  self.temporary = nil
end

--- Appends a row about the player, after the header if it is the first, and waits until it is on the disk.
---@param row table   values by column
function Record:append(row)
  local line = line_of(lists.merge(row, { player = self.player }), self.columns)
  if not self.temporary and not file_system.is_regular(self.path) then fault.at(self.path, "no file", "the opened file") end
  local text = contents(self.path)
  if self.text and self.text ~= text then fault.at(self.path, "changes by another program", "an unchanged file") end
  line = (text == "" and line_of(nil, self.columns) or text:sub(-1) ~= "\n" and "\n" or "") .. line
  local ok, problem = self.file:write(line)
  if ok then ok, problem = self.file:flush() end
  if ok then ok, problem = file_system.sync(self.file) end
  if not ok then fault.raise(("%s: %s"):format(self.path, problem)) end
  if self.temporary then self:appear() end
  self.text = self.text and text .. line
  self.count = self.count + 1
end

function Record:__close()
  if io.type(self.file) == "file" then self.file:close() end
  if self.temporary then file_system.remove(self.temporary) end
  self.temporary = nil
end

Record.__gc = Record.__close

return record
