--- A player's rows of a player study, appended to a file as levels are solved or skipped: what crux.study reads.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local output = require "crux.out.output"
local system = require "libcrux.system"

local record = {}

--- The columns of every record.
local names = { "player", "level", "rating", "time", "moves_used", "skipped" }

---@class Record
---@field path string
---@field player string
---@field rows { player: string, level: string, rating: number, place: string }[]   that were there
---@field known table<string, boolean>   levels of which the player has a row
---@field count integer                  rows appended
---@field dropped string?                of a last line that was torn
---@field private file file*             open to append to
---@field private temporary userdata?    what a new file is until it has a row
---@field private columns Column[]
---@field private text string?           what the file has to hold, as no other program appends to it
local Record = {}
Record.__index = Record

---@class StudyRow
---@field level string
---@field rating integer?
---@field time number          seconds, kept to a tenth
---@field moves_used integer
---@field skipped boolean

--- A study knows levels by their names: refuses names that come twice.
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
  local data, rows, expected = dataset.open(path), {}, {}
  for i, column in ipairs(columns) do expected[i] = column.key end
  if table.concat(data.columns, ",") ~= table.concat(expected, ",") then
    fault.at(path .. ":1", fault.show(table.concat(data.columns, ",")), "the columns " .. table.concat(expected, ","))
  end
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
  local writer = output.writer({ write = function(_, line) table.insert(lines, line) end }, "csv", columns)
  if row then writer:add(row) end
  return lines[#lines]
end

--- What a file holds: "" unless it is there.
local function contents(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a" or ""
end

--- Whether a last line without its end has all fields: the last of them is 0 or 1.
local function is_whole(line, columns)
  local rest = line:gsub('"[^"]*"', "")
  return not rest:find '"' and rest:find ",[01]$" and select(2, rest:gsub(",", "")) == #columns - 1
end

--- Drops what a program that was killed in the middle of writing has left of a record's last line. Returns what the file
--- holds, and what was dropped.
local function mend(path, text, columns)
  local header = line_of(nil, columns):gsub("\n", "")
  local before, last = text:match "^(.-)([^\n]*)$"
  local is_torn = before == "" and last ~= header and header:find(last, 1, true) == 1
    or before:match "^[^\r\n]*" == header and last ~= "" and not is_whole(last, columns)
  if not is_torn or text == "" then return text end
  output.save(path, before)
  return before, last
end

--- Opens a file to append to; it need not exist, and then is there with its first row. One that holds anything else than a
--- player study of these columns is refused. Use with <close>.
---@param path string
---@param player string
---@param further string[]?   columns beside those of every record; such a file is for one program at a time
---@return Record
function record.open(path, player, further)
  local kind, columns = system.is_regular(path), {}
  if path == "-" or kind == false then fault.at(path, "no plain file", "the name of one, or of none yet") end
  for _, list in ipairs { names, further or {} } do
    for _, name in ipairs(list) do table.insert(columns, { key = name }) end
  end
  local text, dropped = mend(path, contents(path), columns)
  local rows, known, file, temporary = {}, {}
  if kind then
    file = fault.check(io.open(path, "ab"))
  else
    file, temporary = fault.check(system.create_beside(path))
  end
  file:setvbuf("full", 65536) -- a row goes to the file in one piece, so that several programs may append to it
  local self = setmetatable({ path = path, player = player, file = file, temporary = temporary, columns = columns, rows = rows,
    known = known, count = 0, dropped = dropped, text = further and text }, Record)
  if text ~= "" and text:gsub("%s+$", "") .. "\n" ~= line_of(nil, columns) then rows = read(path, columns) end
  for _, row in ipairs(rows) do
    if row.player == player then known[row.level] = true end
  end
  self.rows = rows
  return self
end

--- Gives a new file its name.
function Record:appear()
  if system.is_regular(self.path) ~= nil then fault.at(self.path, "another program's file", "none, as at the start") end
  fault.check(system.rename(self.temporary, self.path))
  self.temporary = nil
end

--- Appends a row, after the header when it is the first. When this returns, it is on the disk.
---@param row StudyRow   and values of the further columns
function Record:append(row)
  local line = line_of(setmetatable({ player = self.player, time = math.floor(row.time * 10 + 0.5) / 10,
    skipped = row.skipped and 1 or 0 }, { __index = row }), self.columns)
  if not self.temporary and not system.is_regular(self.path) then fault.at(self.path, "no file", "that of the start") end
  local text = contents(self.path)
  if self.text and self.text ~= text then fault.at(self.path, "what another program wrote", "the record as it was") end
  line = (text == "" and line_of(nil, self.columns) or text:sub(-1) ~= "\n" and "\n" or "") .. line
  local ok, problem = self.file:write(line)
  if ok then ok, problem = self.file:flush() end
  if ok then ok, problem = system.sync(self.file) end
  if not ok then fault.raise(("%s: %s"):format(self.path, problem)) end
  if self.temporary then self:appear() end
  self.text = self.text and text .. line
  self.known[row.level] = true
  self.count = self.count + 1
end

function Record:__close()
  if io.type(self.file) == "file" then self.file:close() end
  if self.temporary then system.remove(self.temporary) end
  self.temporary = nil
end

Record.__gc = Record.__close

return record
