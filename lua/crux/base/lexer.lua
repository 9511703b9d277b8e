--- The words of Lua, as patterns of lpeg: what looks into the text of a script needs them.
local lpeg = require "lpeg"

local P, R, S = lpeg.P, lpeg.R, lpeg.S

local lexer = {}

local letter = R("az", "AZ") + "_"

--- What a word may go on with.
lexer.inner = letter + R "09"

--- A name or keyword.
lexer.word = letter * lexer.inner ^ 0

--- A long bracket, of a comment or a string.
local long = "[" * P(function(text, at)
  local level = text:match("^(=*)%[", at)
  return level and (select(2, text:find("]" .. level .. "]", at, true)) or #text) + 1
end)

local comment = "--" * (long + (1 - P "\n") ^ 0)

local function quoted(mark) return mark * ("\\" * P(1) + 1 - S(mark .. "\n")) ^ 0 * P(mark) ^ -1 end

lexer.string = long + quoted '"' + quoted "'"

lexer.numeral = (R "09" + "." * R "09") * (S "eEpP" * S "+-" + lexer.inner + ".") ^ 0

--- Blanks and comments, as far as they go.
lexer.blank = (S " \t\r\n\v\f" + comment) ^ 0

--- One of whatever there is but blanks.
lexer.other = comment + lexer.string + lexer.word + 1

return lexer
