--- Drawings in ASCII, for terminals that show no other characters.
local ascii = {}

local plain_of = {}
for plain, characters in pairs {
  ["-"] = "─━═╴╶", ["|"] = "│┃║╵╷┆", ["+"] = "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╭╮╰╯", ["."] = "·", o = "○◦", ["*"] = "●•",
  ["#"] = "█■▅▆▇▋▊▉", x = "×◆", ["<"] = "←", [">"] = "→", ["^"] = "↑▲", v = "↓▼", ["/"] = "╱", ["\\"] = "╲", ["_"] = "▁▂▃▄",
  [":"] = "▌▍▎▏", ["%"] = "✚",
} do
  for character in characters:gmatch(utf8.charpattern) do plain_of[character] = plain end
end

local braille, upper, lower = 0x2800, 0x1B, 0xE4 -- first code point, bits of the dots in the upper half and in the lower

local function of_character(character)
  if #character == 1 then return nil end
  local dots = utf8.codepoint(character) - braille
  if dots > 0 and dots < 256 then return dots & upper == 0 and "." or dots & lower == 0 and "'" or ":" end
  return plain_of[character] or "?"
end

--- A text with each character replaced by an ASCII character, "?" if it is no character of drawings.
function ascii.of(text) return (text:gsub(utf8.charpattern, of_character)) end

return ascii
