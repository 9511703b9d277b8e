--- The record of a player in a study: a CSV file to which a row is appended when a level is solved or skipped. crux.data.study
--- reads it.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"
local file_system = require "libcrux.files"

local record = {}

--- The columns of every record.
local names = { "player", "level", "rating", "time", "moves_used", "skipped" }

---@class Record
---@field path string
---@field player string
---@field rows { player: string, level: string, rating: number, place: string }[]   of the file when it was opened
---@field known table<string, boolean>   levels with a row of the player
---@field count integer                  appended rows
---@field dropped string?                an incomplete last line that was removed
---@field private file file*             open for appending
---@field private temporary userdata?    a new file that has no row yet
---@field private columns Column[]
---@field private text string?           the expected text of the file, if no other program may append to it
local Record = {}
Record.__index = Record

---@class StudyRow
---@field level string
---@field rating integer?
---@field time number          seconds, rounded to a tenth
---@field moves_used integer
---@field skipped boolean

--- Raises a fault if two levels have the same name: a study identifies levels by name.
---@param entries { name: string, path: string }[]
function record.check_names(entries)
  local seen = {}
  for _, entry in ipairs(entries) do
    if seen[entry.name] then
      fault.at(entry.path, ("a level '%s', as in %s"):format(entry.name, seen[entry.name]), "different names, to record them")
    end
    seen[entry.name] = entry.path
  end
end

--- The rows in a file.
local function read(path, columns)
  local data, rows = dataset.open(path), {}
  local found, expected = table.concat(data.columns, ","), table.concat(lists.field(columns, "key"), ",")
  if found ~= expected then fault.at(path .. ":1", fault.show(found), "the columns " .. expected) end
  for block in data:blocks { texts = { "player", "level" }, numbers = { "rating" } } do
    for i, level in ipairs(block.texts.level) do
      table.insert(rows, { player = block.texts.player[i], level = level, rating = block.numbers.rating[i],
        place = block:place(i) })
    end
  end
  return rows
end

--- A row as a line of CSV; the header for nil.
local function line_of(row, columns)
  local lines = {}
  local writer = tables.writer({ write = function(_, line) table.insert(lines, line) end }, "csv", columns)
  if row then writer:add(row) end
  return lines[#lines]
end

--- The text of a file; "" if there is none.
local function contents(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a" or ""
end

--- True if a last line without a line break has all fields; the last one is 0 or 1.
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

--- Opens a file for appending; a new one is created with its first row. Raises a fault if a file is no player study with these
--- columns. Use with <close>.
---@param path string
---@param player string
---@param further string[]?   columns beside those of every record; only one program may append to such a file
---@return Record
function record.open(path, player, further)
  local kind, columns = file_system.is_regular(path), {}
  if path == "-" or kind == false then fault.at(path, "no plain file", "the name of one, or of none yet") end
  for _, list in ipairs { names, further or {} } do
    for _, name in ipairs(list) do table.insert(columns, { key = name }) end
  end
  local text, dropped = mend(path, contents(path), columns)
  local rows, known, file, temporary = {}, {}
  if kind then
    file = fault.check(io.open(path, "ab"))
  else
    file, temporary = fault.check(file_system.create_beside(path))
  end
  file:setvbuf("full", 65536) -- writes a row in one piece, as several programs may append
  local self = setmetatable({ path = path, player = player, file = file, temporary = temporary, columns = columns, rows = rows,
    known = known, count = 0, dropped = dropped, text = further and text }, Record)
  if text ~= "" and text:gsub("%s+$", "") .. "\n" ~= line_of(nil, columns) then rows = read(path, columns) end
  for _, row in ipairs(rows) do
    if row.player == player then known[row.level] = true end
  end
  self.rows = rows
  return self
end

--- Gives a new file its final name.
function Record:appear()
  if file_system.is_regular(self.path) ~= nil then fault.at(self.path, "another program's file", "none, as at the start") end
  fault.check(file_system.rename(self.temporary, self.path))
  self.temporary = nil
end

--- Appends a row, after the header if it is the first, and waits until it is on the disk.
---@param row StudyRow   with values of the further columns
function Record:append(row)
  local line = line_of(setmetatable({ player = self.player, time = math.floor(row.time * 10 + 0.5) / 10,
    skipped = row.skipped and 1 or 0 }, { __index = row }), self.columns)
  if not self.temporary and not file_system.is_regular(self.path) then fault.at(self.path, "no file", "that of the start") end
  local text = contents(self.path)
  if self.text and self.text ~= text then fault.at(self.path, "what another program wrote", "the record as it was") end
  line = (text == "" and line_of(nil, self.columns) or text:sub(-1) ~= "\n" and "\n" or "") .. line
  local ok, problem = self.file:write(line)
  if ok then ok, problem = self.file:flush() end
  if ok then ok, problem = file_system.sync(self.file) end
  if not ok then fault.raise(("%s: %s"):format(self.path, problem)) end
  if self.temporary then self:appear() end
  self.text = self.text and text .. line
  self.known[row.level] = true
  self.count = self.count + 1
end

function Record:__close()
  if io.type(self.file) == "file" then self.file:close() end
  if self.temporary then file_system.remove(self.temporary) end
  self.temporary = nil
end

Record.__gc = Record.__close

return record
