--- Reading level files: the inputs of a command line become the texts of single levels.
local fault = require "crux.base.fault"
local level_formats = require "crux.format.level_formats"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local sizes = require "libcrux.sizes"
local file_system = require "libcrux.files"
local text_file = require "crux.base.text_file"

local levels = {}

---@class LevelText
---@field name string
---@field text string       without comments
---@field path string       of the file, in messages
---@field lines integer[]   the line in the file of each line of the text; of a map the row
---@field first integer?   the line in the file of the first of its comments and remarks, or rows; nil of a map
---@field last integer?    the line of the last of these
---@field map_number integer?   of a map of another program in its file
---@field message string?    of a game of PuzzleScript, before the level
---@field notes table<string, string>   values of comments such as `; stamina: 30`, by key

---@class LevelFormat
---@field name string           of the game
---@field extensions string[]   of level files in a folder, without the dot
---@field tiled table<integer|string, string>?   what a square holds by names of tiles and objects of map editors
---@field tiles { [integer]: string[], separated: boolean? }?   characters, each with the things that it stands for
---@field starts string?        pattern of the first line of a level; blank lines separate levels unless given
---@field comment string        the start of a comment line
---@field rows string?          pattern of the lines of a level; other lines before and after them are remarks

---@class Lines              consecutive lines of a file
---@field first integer?     the number of the first of them
---@field count integer
---@field texts string[]     of comments without their start; behind `count` there may be others, as in kinds
---@field kinds string[]     "comment", "remark", "blank" or "content"

--- A text without the blanks around it, in linear time.
local function trim(text) return text:find "%S" and text:match "^%s*(.*%S)" or "" end

--- The kind of a line.
local function kind_of(text, format)
  local comment = format.comment
  if text:byte() == comment:byte() and text:sub(1, #comment) == comment then return "comment" end
  return not text:find "%S" and "blank" or format.rows and not text:find(format.rows) and "remark" or "content"
end

--- Removes the lines up to one from a group.
---@param group Lines
local function remove_lines(group, last)
  local left = group.count - last
  table.move(group.texts, last + 1, group.count, 1)
  table.move(group.kinds, last + 1, group.count, 1)
  group.first, group.count = left > 0 and group.first + last or nil, left
end

--- Calls a function with the lines of each level of a text.
---@param format LevelFormat
---@param take fun(group: Lines, count: integer)   the first lines of the group
local function each_group(text, path, format, take)
  local group, number, last = { count = 0, texts = {}, kinds = {} }, 0, 0 -- line `last` is the group's last one of content
  local function finish()
    if last == 0 then return end -- comments alone belong to the next level
    local count = format.starts and last or group.count
    take(group, count)
    remove_lines(group, count)
    last = 0
  end
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    if #line > sizes.line_bytes then
      fault.too_large(("%s:%d: column %d"):format(path, number, sizes.line_bytes + 1), "a line", sizes.line_bytes, "byte")
    end
    if line:byte(-1) == 13 then line = line:sub(1, -2) end
    local kind = kind_of(line, format)
    local is_start = format.starts and kind == "content" and line:find(format.starts)
    if is_start or not format.starts and kind == "blank" then finish() end
    local place = group.count + 1
    group.first, group.count = group.first or number, place
    group.texts[place], group.kinds[place] = kind == "comment" and line:sub(#format.comment + 1) or line, kind
    if kind == "content" then last = place end
  end
  finish()
end

--- Notes the value of a comment `; KEY: VALUE`. Returns any other comment if blank lines separate levels: it may be a name.
---@param notes table<string, string>
---@return string? title
function levels.take_note(notes, comment, format)
  local key, value = comment:match "^%s*([%w_-]+)%s*:(.*)$"
  if key then
    notes[key:lower()] = notes[key:lower()] or trim(value)
  elseif not format.starts then
    local title = trim(comment):gsub("^'(.*)'$", "%1")
    return title ~= "" and title or nil
  end
end

--- The level of the first lines of a group.
---@param group Lines
local function entry_of(group, count, path, format)
  local entry, texts, titles, remark, size = { path = path, lines = {}, notes = {} }, {}, {}, nil, 0
  for i = 1, count do
    local text, kind, number = group.texts[i], group.kinds[i], group.first + i - 1
    if kind ~= "blank" then entry.first, entry.last = entry.first or number, number end
    if kind == "comment" or kind == "remark" then
      local title = levels.take_note(entry.notes, text, format)
      titles[kind] = titles[kind] or title
      remark = kind == "remark" and #texts > 0 and i or remark
    elseif kind == "content" or #texts > 0 then
      if remark then
        fault.at(("%s:%d"):format(path, group.first + remark - 1), fault.show(group.texts[remark], 40),
          "a row of the level, or a blank line before another level")
      end
      local row = #texts + 1
      texts[row], entry.lines[row], size = text, number, size + #text + 1
      if size > sizes.level_bytes then
        fault.too_large(("%s:%d"):format(path, number), "a level", sizes.level_bytes, "byte")
      end
    end
  end
  local keyed = entry.notes.name or entry.notes.title or ""
  entry.name = keyed ~= "" and keyed or titles.comment or titles.remark
  if entry.name and #entry.name > sizes.name_bytes then
    fault.too_large(("%s:%d"):format(path, entry.lines[1]), "a name", sizes.name_bytes, "byte")
  end
  if format.starts and not texts[1]:find(format.starts) then
    fault.at(("%s:%d"):format(path, entry.lines[1]), fault.show(texts[1], 40), "the start of a level")
  end
  entry.text = table.concat(texts, "\n") .. "\n"
  return entry
end

--- The name of a file without folder and extension.
local function stem(path) return (path:match "([^/]*)$":gsub("(.)%.[^.]*$", "%1")) end

--- A function that calls another with each level of a file; one without a name gets that of the file, with `:k` for the k-th of
--- several.
---@param each fun(take: fun(entry: LevelText))
---@param count integer   of the levels
local function named(each, path, count)
  local name = count == 1 and stem(path) or stem(path) .. ":"
  return function(take)
    local k = 0
    each(function(entry)
      k = k + 1
      entry.name = entry.name or count == 1 and name or name .. k
      take(entry)
    end)
  end
end

--- A function that calls another with each level of a list, with its name.
local function each_in(list, path)
  return named(function(take)
    for _, entry in ipairs(list) do take(entry) end
  end, path, #list)
end

--- Bytes of a text of which all levels are kept; that of a larger one is split twice.
local KEPT <const> = 1 << 16

--- A function that calls another with each level of a text, in order. Faults of all of them are raised before.
---@param path string        of the file, in messages
---@param format LevelFormat
---@param keeps boolean?     the caller keeps all levels
---@return fun(take: fun(entry: LevelText))
---@return integer count     of the levels
local function split(text, path, format, keeps)
  if text:sub(1, 3) == "\239\187\191" then text = text:sub(4) end
  local count, kept = 0, (keeps or #text <= KEPT) and {} or nil
  each_group(text, path, format, function(group, lines)
    local entry = entry_of(group, lines, path, format)
    count = count + 1
    if kept then kept[count] = entry end
  end)
  if kept then return each_in(kept, path), count end
  return named(function(take)
    each_group(text, path, format, function(group, lines) take(entry_of(group, lines, path, format)) end)
  end, path, count), count
end

--- A list of levels; raises a fault if there are more than memory holds.
---@param each fun(take: fun(entry: LevelText))
local function list_of(each, path)
  local list = {}
  each(function(entry)
    table.insert(list, entry)
    levels.expect_few(#list, path, entry)
  end)
  return list
end

--- Raises a fault if a number of levels of a command that keeps all of them is too large.
---@param entry LevelText   the last
function levels.expect_few(count, path, entry)
  if count > sizes.levels then fault.too_large(("%s:%d"):format(path, entry.lines[1]), "a file", sizes.levels, "level") end
end

--- Splits the text of a file into levels.
---@param path string        of the file, in messages
---@param format LevelFormat
function levels.split(text, path, format) return list_of(split(text, path, format, true), path) end

--- A function that calls another with each level of the text of a file, which may be of another program; raises a fault if
--- there are none, or if one is wrong.
---@param path string   of the file, in messages
---@param keeps boolean?   the caller keeps all levels
---@return fun(take: fun(entry: LevelText))
local function each_of(text, path, format, keeps)
  local maps = level_formats.read(text, path, format)
  if maps then return each_in(maps, path) end
  local nul = text:find("\0", 1, true)
  if nul then
    local _, line = text:sub(1, nul):gsub("\n", "")
    fault.at(("%s:%d"):format(path, line + 1), "a NUL byte", "text")
  end
  local each, count = split(text, path, format, keeps)
  if count == 0 then fault.at(path .. ":1", text == "" and "an empty file" or "no level", "at least one level") end
  return each
end

--- The levels of the text of a file, which may be of another program; raises a fault if there are none.
---@param path string   of the file, in messages
---@return LevelText[]
function levels.of(text, path, format) return list_of(each_of(text, path, format, true), path) end

--- A function that calls another with each level of one file, or of standard input for "-"; raises a fault if there are none,
--- or if one is wrong. The text of the file is in memory, the levels of a large one are only if the caller keeps all of them.
---@param keeps boolean?
---@return fun(take: fun(entry: LevelText))
function levels.each(path, format, keeps)
  if path:find "%.lua$" then
    fault.raise(("found the script %s, expected a level file; the game comes before the levels"):format(path))
  end
  local text = level_formats.is_address(path) and path or text_file.read(path, sizes.level_file_bytes, "a level file")
  return each_of(text, path == "-" and "<stdin>" or path, format, keeps)
end

--- The levels of one file, or of standard input for "-"; raises a fault if there are none.
---@return LevelText[]
function levels.read(path, format) return list_of(levels.each(path, format, true), path) end

--- A message about a level, with its file and first line in front.
---@param entry LevelText
function levels.at(entry, message) return ("%s:%d: %s"):format(entry.path, entry.lines[1], message) end

--- True if the name of a file has one of the extensions of a format.
---@param format LevelFormat
function levels.has_extension(path, format)
  for _, extension in ipairs(lists.concat(format.extensions, level_formats.extensions)) do
    if path:sub(-#extension - 1) == "." .. extension then return true end
  end
  return false
end

--- The files of an input: itself, or the files in a folder with the format's extensions, and other .txt files whose levels the
--- game reads, in natural order.
---@param format LevelFormat
---@param reads nil|fun(path: string): boolean   whether the game reads all levels of a file; none unless given
function levels.files(path, format, reads)
  local names = path ~= "-" and file_system.list(path)
  if not names then return { path } end
  local files, folder = {}, path:gsub("/*$", "/")
  for _, name in ipairs(names) do
    local is_named = levels.has_extension(name, format)
    if name:sub(1, 1) ~= "." and (is_named or reads and name:find "%.txt$" and reads(folder .. name)) then
      table.insert(files, name)
    end
  end
  if #files > sizes.files then fault.too_large(path, "a folder", sizes.files, "level file") end
  if #files == 0 then fault.at(path, "no level files", "files that end in ." .. table.concat(format.extensions, " or .")) end
  natural.sort(files)
  return lists.map(files, function(name) return folder .. name end)
end

return levels
