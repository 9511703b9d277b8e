--- Lua's tokens of a text, each with its line and column.
local fault = require "crux.base.fault"
local lexer = require "crux.base.lexer"
local lpeg = require "lpeg"

local tokens = {}

local C, Cp, Cs, Ct, P, R = lpeg.C, lpeg.Cp, lpeg.Cs, lpeg.Ct, lpeg.P, lpeg.R

--- All line ends as \n, as Lua reads them.
local plain_lines = Cs(((P "\r\n" + "\n\r" + "\r") / "\n" + 1) ^ 0)

local token = lexer.word + lexer.string + lexer.opening + lexer.numeral + lexer.sign + 1 * R "\x80\xBF" ^ 0
local all = Ct((lexer.blank * Cp() * C(token)) ^ 0 * lexer.blank * Cp())

--- The kind of a token: of keywords and signs the text itself, of others by the first character.
local kind_of = { ["end of file"] = "end of file" }
for text in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until while
  ... .. . == = << <= < >> >= > ~= ~ // / :: : + - * % ^ # & | ( ) { } [ ] ; ,]]):gmatch "%S+" do
  kind_of[text] = text
end
local kind_by_first = { ["_"] = "name", ["."] = "number", ['"'] = "string", ["'"] = "string", ["["] = "string",
  ["-"] = "comment" }
for code = 0, 9 do kind_by_first[tostring(code)] = "number" end
for code = ("a"):byte(), ("z"):byte() do
  local letter = string.char(code)
  kind_by_first[letter], kind_by_first[letter:upper()] = "name", "name"
end

--- The content of a text in quotes or long brackets; nil, what is wrong, and what was expected.
local function content(text)
  local mark = text:sub(1, 1)
  if mark ~= "[" and text:sub(-1) == mark and #text > 1 and not text:find("\\", 1, true) then return text:sub(2, -2) end
  local chunk, message = load("return " .. text, "", "t", {})
  if chunk then return chunk() end
  if message:find "unfinished" then return nil, "a text without an end", "its end" end
  return nil, fault.show(text), "a text with escapes that Lua has"
end

--- The value of a token by its kind; nil, what is wrong, and what was expected.
local value_of = {
  name = function(word) return word end,
  number = function(word) return tonumber(word), fault.show(word), "a number" end,
  string = content,
  comment = function() return nil, "a comment without an end", "its end" end,
  other = function(word) return nil, fault.show(word), "a token of Lua" end,
}

--- Four lists with an item for each token, and for the end of the file: its kind (a keyword, a sign, "name", "number",
--- "string" or "end of file"), the value of a name, number or string, its line, and its column in characters from 1.
---@param text string
---@param refuse fun(found: string, expected: string, place: table)   raises the fault of what is no token, at a line and column
---@return string[] kinds, table<integer, any> values, integer[] lines, integer[] columns
function tokens.of(text, refuse)
  if text:find("\r", 1, true) then text = plain_lines:match(text) end
  local found = all:match(text)
  local kinds, values, lines, columns = {}, {}, {}, {}
  local line, start, line_end = 1, 1, text:find("\n", 1, true)
  local is_ascii = not text:find "[\x80-\xFF]"
  for i = 1, #found // 2 + 1 do
    local at, word = found[2 * i - 1], found[2 * i] or "end of file"
    while line_end and line_end < at do
      line, start, line_end = line + 1, line_end + 1, text:find("\n", line_end + 1, true)
    end
    local column = is_ascii and at - start + 1 or (utf8.len(text, start, at - 1) or at - start) + 1
    local kind = kind_of[word]
    if not kind then
      kind = kind_by_first[word:sub(1, 1)] or "other"
      local value, problem, expected = value_of[kind](word)
      if value == nil then refuse(problem, expected, { line = line, column = column }) end
      values[i] = value
    end
    kinds[i], lines[i], columns[i] = kind, line, column
  end
  return kinds, values, lines, columns
end

return tokens
