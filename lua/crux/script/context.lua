--- The lines of a script that a message names, and a hint how to mend them, if one is known.
local hints = require "crux.script.hints"
local home = require "libcrux.home"
local source = require "crux.script.source"

local context = {}

--- The place in a script that a message names: path, line, and the rest of the message.
local function place_of(message, words)
  local where, line, said = message:match "([^:]+%.lua):(%d+): (.*)$"
  if not where then where, said = message:match "^([^:]+%.lua): (.*)$" end
  if not where then where, said = message:match "^[^:]+:%d+: ([^:]+%.lua): (.*)$" end
  where = where and where:gsub("^ ", "")
  for _, word in ipairs(where and where:sub(1, 3) == "..." and words or {}) do -- Lua cuts long paths
    if word:sub(3 - #where) == where:sub(4) then where = word end
  end
  return where, math.tointeger(line), said
end

local function folder_of(path) return path:match "^(.*/)" or "" end

--- Returns true for crux's own files, and files in or beside a file or folder of the command line. Only these are shown, as a
--- script's message could name any file.
local function is_near(path, words)
  if path:sub(1, #home + 1) == home .. "/" then return true end
  for _, word in ipairs(words) do
    local inside = word:gsub("/*$", "/")
    local is_inside = path:sub(1, #inside) == inside and not path:find("/../", 1, true)
    if is_inside or folder_of(path) == folder_of(word) then return true end
  end
  return false
end

--- The lines to print below a message; none unless it names a script.
---@param words string[]?   of the command line
function context.lines(message, words)
  local path, line, said = place_of(message, words)
  local script = path and is_near(path, words or { path }) and source.read(path)
  if not script then return {} end
  line = line or script:line_of(said)
  local text = script.lines[line]
  if not text then return {} end
  local lines, hint = script:excerpt(line), hints.of(said, text)
  if hint then table.insert(lines, "  " .. hint) end
  return lines
end

--- A message with those lines.
---@param words string[]?
function context.message(message, words) return table.concat({ message, table.unpack(context.lines(message, words)) }, "\n") end

return context
