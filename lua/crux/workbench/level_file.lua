--- Level files as the workbench edits them: the text of each level with its comments, byte for byte, and files in which one of
--- these texts is another one.
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"

local level_file = {}

---@class FileLevel
---@field name string
---@field text string    as it is in the file, from its first comment to the end of its last line
---@field first integer  the line where it begins; 0 of a level that cannot be edited, as of a map of another program
---@field from integer   its first byte in the file
---@field to integer     its last byte

--- The places of the first bytes of lines, and one more behind the last.
local function starts_of(text)
  local starts = { 1 }
  for place in text:gmatch "\n()" do table.insert(starts, place) end
  if starts[#starts] <= #text then table.insert(starts, #text + 1) end
  return starts
end

--- The levels of a file.
---@return FileLevel[]
---@return LevelText[]
function level_file.levels(game, text, path)
  local starts = starts_of(text)
  local entries = game.own and path == game.path and game:read(path) or levels.of(text, path, game.files)
  return lists.map(entries, function(entry)
    local first, last = entry.first or not entry.map_number and entry.lines[1], entry.last or entry.lines[#entry.lines]
    if not first then return { name = entry.name, text = entry.text, first = 0, from = 0, to = 0 } end
    local from, to = starts[first], starts[last + 1] - 1
    local whole = text:sub(from, to)
    return { name = entry.name, text = whole, first = utf8.len(whole) and first or 0, from = from, to = to }
  end), entries
end

local function with_end(text, eol) return text:find "\n$" and text or text .. eol end

--- The text of a file in which one level is another text, or has one more level.
---@param place integer?   of the level among those of the file; nil adds one
function level_file.replaced(game, file, path, place, text)
  local eol = file:find "\r\n" and "\r\n" or "\n"
  text = with_end(text, eol)
  if not place then return file == "" and text or with_end(file, eol) .. eol .. text end
  local level = level_file.levels(game, file, path)[place]
  if not level then fault.at(path, ("no level %d"):format(place), "one") end
  if level.first == 0 then
    fault.at(path, "a level of another program",
      ("text, which can be changed here: crux convert %s --game GAME -o FILE writes it"):format(path))
  end
  return file:sub(1, level.from - 1) .. text .. file:sub(level.to + 1)
end

return level_file
