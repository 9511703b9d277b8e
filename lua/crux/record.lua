--- A player's rows of a player study, appended to a file as levels are solved or skipped: what crux.study reads.
local dataset = require "crux.dataset"
local fault = require "crux.fault"
local output = require "crux.output"
local system = require "libcrux.system"

local record = {}

local names = { "player", "level", "rating", "time", "moves_used", "skipped" }
local columns = {}
for i, name in ipairs(names) do columns[i] = { key = name } end

---@class Record
---@field path string
---@field player string
---@field known table<string, boolean>   levels of which the player has a row
---@field count integer                  rows appended
local Record = {}
Record.__index = Record

---@class StudyRow
---@field level string
---@field rating integer?      from 1 to 10
---@field time number          seconds, kept to a tenth
---@field moves_used integer
---@field skipped boolean

--- The levels in a file of which a player has a row.
local function read(path, player)
  local data, known = dataset.open(path), {}
  if table.concat(data.columns, ",") ~= table.concat(names, ",") then
    fault.at(path .. ":1", fault.show(table.concat(data.columns, ",")), "the columns " .. table.concat(names, ","))
  end
  for block in data:blocks { texts = { "player", "level" } } do
    for i, level in ipairs(block.texts.level) do
      if block.texts.player[i] == player then known[level] = true end
    end
  end
  return known
end

--- Appends text to a file in one piece, so that several programs may append to one file.
local function append(path, text)
  local file <close> = fault.check(io.open(path, "ab"))
  file:setvbuf("full", #text + 1)
  local ok, problem = file:write(text)
  if ok then ok, problem = file:flush() end
  if not ok then fault.raise(("%s: %s"):format(path, problem)) end
end

--- A row as a line of CSV; the header for nil.
local function line_of(row)
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

--- Opens a file to append to; it need not exist. One that holds anything else than a player study of these columns is
--- refused.
---@param path string
---@param player string
---@return Record
function record.open(path, player)
  local kind = system.is_regular(path)
  if path == "-" or kind == false then fault.at(path, "no plain file", "the name of one, or of none yet") end
  append(path, "") -- what is in the way shows now
  local text, known = contents(path), {}
  if kind == nil then os.remove(path) end
  if text ~= "" and text:gsub("%s+$", "") .. "\n" ~= line_of() then known = read(path, player) end
  return setmetatable({ path = path, player = player, known = known, count = 0 }, Record)
end

--- Appends a row, after the header when it is the first.
---@param row StudyRow
function Record:append(row)
  local line = line_of { player = self.player, level = row.level, rating = row.rating,
    time = math.floor(row.time * 10 + 0.5) / 10, moves_used = row.moves_used, skipped = row.skipped and 1 or 0 }
  local text = contents(self.path)
  append(self.path, (text == "" and line_of() or text:sub(-1) ~= "\n" and "\n" or "") .. line)
  self.known[row.level] = true
  self.count = self.count + 1
end

return record
