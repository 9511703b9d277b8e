--- Level files: from the inputs of a command line to the texts of single levels.
local fault = require "crux.base.fault"
local natural = require "crux.base.natural"
local output = require "crux.out.output"
local sizes = require "libcrux.sizes"
local system = require "libcrux.system"
local text_file = require "crux.base.text_file"

local levels = {}

---@class LevelText
---@field name string
---@field text string       without comments
---@field path string       as messages call the file
---@field lines integer[]   where each line of the text is in the file
---@field notes table<string, string>   what comments such as `; stamina: 30` say, by key

---@class LevelFormat
---@field extensions string[]   of the files that a folder stands for, without the dot
---@field starts string?        a pattern: the line that starts a level; without it blank lines separate levels
---@field comment string        what a comment line starts with
---@field rows string?          a pattern: the lines that are a level's; others, before and after these, are remarks

---@class Line
---@field number integer
---@field text string           of a comment, without what it starts with
---@field kind "comment"|"remark"|"blank"|"content"

--- A text without the blanks around it, in time that grows with its length only.
local function trim(text) return text:find "%S" and text:match "^%s*(.*%S)" or "" end

---@param text string
---@param format LevelFormat
---@return Line
local function line_of(number, text, format)
  if text:sub(1, #format.comment) == format.comment then
    return { number = number, text = text:sub(#format.comment + 1), kind = "comment" }
  end
  local kind = not text:find "%S" and "blank" or format.rows and not text:find(format.rows) and "remark" or "content"
  return { number = number, text = text, kind = kind }
end

--- Calls a function with the lines of each level of a text in turn.
---@param text string
---@param path string
---@param format LevelFormat
---@param take fun(group: Line[])
local function each_group(text, path, format, take)
  local group, number, last = {}, 0, 0 -- group[last]: its last content
  local function finish()
    if last == 0 then return end -- comments alone belong to the level that follows
    local rest = format.starts and table.move(group, last + 1, #group, 1, {}) or {}
    for i = #group, #group - #rest + 1, -1 do group[i] = nil end
    take(group)
    group, last = rest, 0
  end
  for whole in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    if #whole > sizes.line_bytes then
      fault.too_large(("%s:%d: column %d"):format(path, number, sizes.line_bytes + 1), "a line", sizes.line_bytes, "byte")
    end
    local line = line_of(number, whole:gsub("\r$", ""), format)
    local is_start = format.starts and line.kind == "content" and line.text:find(format.starts)
    if is_start or not format.starts and line.kind == "blank" then finish() end
    table.insert(group, line)
    if line.kind == "content" then last = #group end
  end
  finish()
end

--- Notes what a comment says, if it is `; KEY: VALUE`; else returns it: where blank lines separate levels, it may be a name.
---@param notes table<string, string>
---@return string? title
local function take_note(notes, comment, format)
  local key, value = comment:match "^%s*([%w_-]+)%s*:(.*)$"
  if key then
    notes[key:lower()] = notes[key:lower()] or trim(value)
  elseif not format.starts then
    local title = trim(comment):gsub("^'(.*)'$", "%1")
    return title ~= "" and title or nil
  end
end

--- The level in a group of lines.
local function entry_of(group, path, format)
  local entry, texts, titles, remark, size = { path = path, lines = {}, notes = {} }, {}, {}, nil, 0
  for _, line in ipairs(group) do
    if line.kind == "comment" or line.kind == "remark" then
      local title = take_note(entry.notes, line.text, format)
      titles[line.kind] = titles[line.kind] or title
      remark = line.kind == "remark" and #texts > 0 and line or remark
    elseif line.kind == "content" or #texts > 0 then
      if remark then
        fault.at(("%s:%d"):format(path, remark.number), fault.show(remark.text:sub(1, 40)),
          "a row of the level, or a blank line before another level")
      end
      table.insert(texts, line.text)
      table.insert(entry.lines, line.number)
      size = size + #line.text + 1
      if size > sizes.level_bytes then
        fault.too_large(("%s:%d"):format(path, line.number), "a level", sizes.level_bytes, "byte")
      end
    end
  end
  local keyed = entry.notes.name or entry.notes.title or ""
  entry.name = keyed ~= "" and keyed or titles.comment or titles.remark
  if entry.name and #entry.name > sizes.name_bytes then
    fault.too_large(("%s:%d"):format(path, entry.lines[1]), "a name", sizes.name_bytes, "byte")
  end
  if format.starts and not texts[1]:find(format.starts) then
    fault.at(("%s:%d"):format(path, entry.lines[1]), fault.show(texts[1]:sub(1, 40)), "the start of a level")
  end
  entry.text = table.concat(texts, "\n") .. "\n"
  return entry
end

--- Base name without extension.
local function stem(path) return (path:match "([^/]*)$":gsub("(.)%.[^.]*$", "%1")) end

--- Splits the text of a file into levels. Those without a name get the file's, with `:k` for the k-th of several.
---@param text string
---@param path string        as messages call the file
---@param format LevelFormat
---@return LevelText[]
function levels.split(text, path, format)
  local list = {}
  each_group(text, path, format, function(group)
    table.insert(list, entry_of(group, path, format))
    if #list > sizes.levels then
      fault.too_large(("%s:%d"):format(path, list[#list].lines[1]), "a file", sizes.levels, "level")
    end
  end)
  local base = stem(path)
  for i, entry in ipairs(list) do entry.name = entry.name or (#list == 1 and base or ("%s:%d"):format(base, i)) end
  return list
end

--- The levels of one file, or of standard input for "-". A file without any is a fault.
---@return LevelText[]
function levels.read(path, format)
  if path:find "%.lua$" then
    fault.raise(("found the script %s, expected a level file; the game comes before the levels"):format(path))
  end
  local text = text_file.read(path, sizes.level_file_bytes, "a level file")
  local shown = path == "-" and "<stdin>" or path
  local nul = text:find("\0", 1, true)
  if nul then
    local _, line = text:sub(1, nul):gsub("\n", "")
    fault.at(("%s:%d"):format(shown, line + 1), "a NUL byte", "text")
  end
  local list = levels.split(text:gsub("^\239\187\191", ""), shown, format)
  if #list == 0 then fault.at(shown .. ":1", text == "" and "an empty file" or "no level", "at least one level") end
  return list
end

--- A level with its name, as a level file has it.
local function with_name(level, format)
  return ("%s %s%s\n%s"):format(format.comment, format.starts and "name: " or "", level.name, level.text)
end

--- Whether levels go to a file each in a folder: the path is one or ends in '/'.
---@param path string?
local function is_folder(path) return path and (path:find "/$" or system.is_regular(path) == false and system.list(path)) end

--- Opens what levels.save is to write a number of levels to.
---@param path string?
---@param count integer   at most
function levels.reserve(path, count) output.reserve(path, is_folder(path) and count or nil) end

--- Writes levels to standard output, to a file, or to a file each in a folder.
---@param path string?
---@param list { name: string, text: string }[]
---@param format LevelFormat
function levels.save(path, list, format)
  local texts = {}
  for i, level in ipairs(list) do texts[i] = with_name(level, format) end
  if not is_folder(path) then return output.save(path, table.concat(texts, "\n")) end
  local folder <close> = output.open_folder(path, #list)
  for i, level in ipairs(list) do
    local name = level.name:gsub("[/%c]", "_")
    folder:write(("%s.%s"):format(name, format.extensions[1]), texts[i])
  end
  folder:commit()
end

--- The files that an input stands for: itself, or the files of the format's extensions in a folder, in natural order.
---@param path string
---@param format LevelFormat
---@return string[]
function levels.files(path, format)
  if path == "-" or system.is_regular(path) ~= false then return { path } end
  local names = system.list(path)
  if not names then return { path } end -- a pipe or device
  local files = {}
  for _, name in ipairs(names) do
    for _, extension in ipairs(format.extensions) do
      if name:sub(-#extension - 1) == "." .. extension and name:sub(1, 1) ~= "." then table.insert(files, name) end
    end
  end
  if #files > sizes.files then fault.too_large(path, "a folder", sizes.files, "level file") end
  if #files == 0 then fault.at(path, "no level files", "files that end in ." .. table.concat(format.extensions, " or .")) end
  natural.sort(files)
  for i, name in ipairs(files) do files[i] = path:gsub("/*$", "/") .. name end
  return files
end

return levels
