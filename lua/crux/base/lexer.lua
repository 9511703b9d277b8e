--- The words of Lua as patterns of lpeg, to find places in the text of a script.
local lpeg = require "lpeg"

local P, R, S = lpeg.P, lpeg.R, lpeg.S

local lexer = {}

local letter = R("az", "AZ") + "_"

--- A character of a word after the first.
lexer.inner = letter + R "09"

--- A name or keyword.
lexer.word = letter * lexer.inner ^ 0

--- A long bracket, of a comment or a string.
local long = "[" * P(function(text, at)
  local level, after = text:match("^(=*)%[()", at)
  local last = level and select(2, text:find("]" .. level .. "]", after, true))
  return last and last + 1
end)

--- The beginning of a long bracket, of a string or of a comment: a token alone if the bracket has no end.
lexer.opening = P "--" ^ -1 * "[" * P "=" ^ 0 * "["

local comment = "--" * long + ("--" * (1 - P "\n") ^ 0 - lexer.opening)

local space = S " \t\r\n\v\f"
local function quoted(mark) return mark * ("\\z" * space ^ 0 + "\\" * P(1) + 1 - S(mark .. "\n")) ^ 0 * P(mark) ^ -1 end

lexer.string = long + quoted '"' + quoted "'"

local function digits(exponent) return (S(exponent) * S "+-" + lexer.inner + ".") ^ 0 end
lexer.numeral = "0" * S "xX" * digits "pP" + (R "09" + "." * R "09") * digits "eE"

--- A sign of several characters.
lexer.sign = P "..." + "==" + "~=" + "<=" + ">=" + ".." + "//" + "::" + "<<" + ">>"

--- Any number of blanks and comments.
lexer.blank = (space + comment) ^ 0

--- A comment, string, word or any other character.
lexer.other = comment + lexer.string + lexer.word + 1

return lexer
