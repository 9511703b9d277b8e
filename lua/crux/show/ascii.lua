--- ASCII in place of the characters that drawings are made of, for terminals that show no others.
local ascii = {}

local plain_of = {}
for plain, characters in pairs {
  ["-"] = "─━═╴╶", ["|"] = "│┃║╵╷┆", ["+"] = "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╭╮╰╯", ["."] = "·", o = "○◦", ["*"] = "●•",
  ["#"] = "█■▅▆▇▋▊▉", x = "×◆", ["<"] = "←", [">"] = "→", ["^"] = "↑▲", v = "↓▼", ["/"] = "╱", ["\\"] = "╲", ["_"] = "▁▂▃▄",
  [":"] = "▌▍▎▏", ["%"] = "✚",
} do
  for character in characters:gmatch(utf8.charpattern) do plain_of[character] = plain end
end

local braille, upper, lower = 0x2800, 0x1B, 0xE4 -- its dots in the upper half of a character, and in the lower

local function of_character(character)
  if #character == 1 then return nil end
  local dots = utf8.codepoint(character) - braille
  if dots > 0 and dots < 256 then return dots & upper == 0 and "." or dots & lower == 0 and "'" or ":" end
  return plain_of[character] or "?"
end

--- A text in UTF-8 as ASCII of as many characters; "?" for those that are no part of drawings.
function ascii.of(text) return (text:gsub(utf8.charpattern, of_character)) end

return ascii
