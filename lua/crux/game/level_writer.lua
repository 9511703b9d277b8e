--- Writing level files: levels to one file, or to a file each in a folder.
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local file_system = require "libcrux.files"

local level_writer = {}

--- Refuses a name that a level file cannot hold.
---@param place string   of the name, in messages
function level_writer.check_name(place, name)
  if name:find "^%S" and name:find "%S$" and not name:find "[\n\0]" and #name <= sizes.name_bytes then return end
  fault.at(place, "the name " .. fault.show(name),
    ("one line of at most %d bytes without blanks around it"):format(sizes.name_bytes))
end

--- The text of a level below its name in a comment; `; name: NAME` if `; NAME` would be read as another note.
function level_writer.with_name(level, format)
  if not format.comment then return level.text end -- of another program
  local key = levels.take_note({}, level.name, format) == level.name and "" or "name: "
  return ("%s %s%s\n%s"):format(format.comment, key, level.name, level.text)
end

--- A level as it was read, with its notes.
---@param entry LevelText
---@param format LevelFormat
---@return { name: string, text: string }
function level_writer.of(entry, format)
  local lines = {}
  for _, key in ipairs(lists.keys(entry.notes)) do
    if key ~= "name" and key ~= "title" then
      table.insert(lines, ("%s %s: %s\n"):format(format.comment, key, entry.notes[key]))
    end
  end
  return { name = entry.name, text = table.concat(lines) .. entry.text }
end

local stem_limit = 200 -- bytes of a file's name without its extension

--- A file name for a level that is not yet taken. It begins with no dot: such files are not read from a folder.
---@param taken table<string, boolean>   gets the name
local function file_name(level, format, taken)
  local base = level.name:gsub("[/%c]", "_"):gsub("^%.", "_"):sub(1, stem_limit)
  local name, count = base, 1
  while taken[name] do
    count = count + 1
    name = ("%s-%d"):format(base, count)
  end
  taken[name] = true
  return ("%s.%s"):format(name, format.extensions[1])
end

--- True if a path is a folder or ends in '/': each level is then written to a file in it.
---@param path string?
function level_writer.is_folder(path) return path and (path:find "/$" or file_system.list(path)) end

--- Opens the file or folder for level_writer.save.
---@param path string?
---@param count integer   the most levels that will be written
function level_writer.reserve(path, count)
  local is_folder = level_writer.is_folder(path)
  if path and not is_folder and (path:find "%.gz$" or path:find "%.zst$") then
    fault.raise(("-o: found %s, expected a name without .gz or .zst, as no command reads levels from such a file"):format(
      fault.show(path)), 2)
  end
  sinks.reserve(path, is_folder and count or nil)
end

--- Writes levels to standard output for nil, to a file, or each to a file in a folder.
---@param path string?
---@param list { name: string, text: string }[]
---@param format LevelFormat
function level_writer.save(path, list, format)
  local texts = lists.map(list, function(level) return level_writer.with_name(level, format) end)
  if not level_writer.is_folder(path) then return sinks.save(path, table.concat(texts, "\n")) end
  local folder <close> = sinks.open_folder(path, #list)
  local taken = {}
  for i, level in ipairs(list) do folder:write(file_name(level, format, taken), texts[i]) end
  folder:commit()
end

return level_writer
