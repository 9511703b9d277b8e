--- The text of a script, for messages about it: the lines of its fields and words, and the lines around one.
local lexer = require "crux.base.lexer"
local lpeg = require "lpeg"
local file_system = require "libcrux.files"

local source = {}

---@class Word
---@field [1] integer     position in the text
---@field [2] string      its text, with quotes
---@field line integer
---@field sets string?    the field that is set there

---@class ScriptSource
---@field lines string[]
---@field private words Word[]   without blanks and comments
local Source = {}
Source.__index = Source

local words = lpeg.Ct((lexer.blank * lpeg.Ct(lpeg.Cp() * lpeg.C(lexer.numeral + lexer.sign + lexer.other))) ^ 0)

local function unquoted(text) return text:match "^['\"](.*)['\"]$" end

--- The field that is set at a word: `name = ...`, `["name"] = ...` or `function x.name(...)`.
---@param text fun(i: integer): string   the i-th word after it
local function field_at(text)
  if text(1) == "=" then return text(0) end
  if text(1) == "]" and text(2) == "=" then return unquoted(text(0)) end
  return text(1) == "(" and text(-1):find "^[.:]$" and text(-3) == "function" and text(0) or nil
end

---@return ScriptSource
function source.of(text)
  local self = setmetatable({ lines = {}, words = words:match(text) }, Source)
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "([^\n]*)\n" do table.insert(self.lines, (line:gsub("\r$", ""))) end
  local line, at = 1, 1
  for i, word in ipairs(self.words) do
    line, at = line + select(2, text:sub(at, word[1] - 1):gsub("\n", "")), word[1]
    word.line = line
    word.sets = field_at(function(offset) return (self.words[i + offset] or { 0, "" })[2] end)
  end
  return self
end

--- The text of a script; nil when there is no such file.
---@return ScriptSource?
function source.read(path)
  local file <close> = file_system.is_regular(path) and io.open(path, "rb") or nil
  return file and source.of(file:read "a" or "")
end

--- The line of the first word that a function accepts.
---@param accepts fun(word: Word, last: string): boolean   `last` is the text of the word before
---@param from integer?   the first line to look at
function Source:find(accepts, from)
  local last = ""
  for _, word in ipairs(self.words) do
    if word.line >= (from or 1) and accepts(word, last) then return word.line end
    last = word[2]
  end
end

--- The line on which a field is set.
function Source:field(name, from) return self:find(function(word) return word.sets == name end, from) end

--- The string that a field is set to; nil for other values.
---@return string?
function Source:value(name)
  for i, word in ipairs(self.words) do
    local after = self.words[i + 2]
    if word.sets == name and word[2] == name then return after and unquoted(after[2]) end
  end
end

--- The line of a string.
function Source:string(value, from) return self:find(function(word) return unquoted(word[2]) == value end, from) end

--- The line on which `x.name` is used: `crux.rule`, `crux.game`.
function Source:use(name)
  return self:find(function(word, last) return word[2] == name and last == "." end)
end

--- The line of a row of a table: `{ "name", ...`.
function Source:row(name) return self:find(function(word, last) return unquoted(word[2]) == name and last == "{" end) end

--- The line that a message about a script most likely means: that of the first name in quotes that is set or written below the
--- field that the message begins with; else that field's line, or the line that makes the rule or game.
---@param message string   without the script's name: "search.step: found nil, expected a function"
function Source:line_of(message)
  if message:find "found a script that returns" then return math.max(1, #self.lines) end
  local label, rest = message:gsub("^crux%.[%w_.]+: ", ""):match "^(.-): (.*)$"
  local from = label and label:match "^measure '(.-)'$" and self:row(label:match "'(.-)'")
  for name in (from and "" or label or ""):gmatch "[%a_][%w_%-]*" do from = self:field(name, from) or from end
  rest = (rest or message):gsub("; did you mean.*", ""):gsub(", expected .*", "")
  if from and rest:find "^found no" then return from end
  for name in rest:gmatch "'([^']+)'" do
    local field, text = self:field(name, from), self:string(name, from)
    if field and from then field = math.min(field, text or field) end -- the field itself may name it, and a later line set it
    if field or text then return field or text end
  end
  local field = rest:match "^found (%a+)$"
  return field and self:field(field) or from or self:use "rule" or self:use "game" or 1
end

local line_limit = 110 -- characters of a line in an excerpt

--- A line of the script, which is marked, with the one before and the one after it; nothing if all of them are blank.
function Source:excerpt(line)
  local shown, has_text, digits = {}, false, #tostring(line + 1)
  for number = math.max(1, line - 1), math.min(#self.lines, line + 1) do
    local text = self.lines[number]:gsub("\t", "  "):gsub("%c", "?")
    if not utf8.len(text) then text = text:gsub("[\128-\255]", "?") end
    if utf8.len(text) > line_limit then text = text:sub(1, utf8.offset(text, line_limit) - 1) .. "..." end
    has_text = has_text or text:find "%S"
    local row = ("%s %" .. digits .. "d | %s"):format(number == line and ">" or " ", number, text)
    table.insert(shown, (row:gsub(" +$", "")))
  end
  return has_text and shown or {}
end

return source
