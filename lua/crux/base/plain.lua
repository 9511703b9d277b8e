--- Text for people: characters that control a terminal or make a text look like another one are escaped (docs/sizes.md).
local plain = {}

--- The first and last code points of escaped ranges. U+200C and U+200D are not escaped: words and emoji need them.
local hidden = { { 0x00, 0x1F }, { 0x7F, 0x9F }, { 0x061C, 0x061C }, { 0x200B, 0x200B }, { 0x200E, 0x200F }, { 0x2028, 0x202E },
  { 0x2060, 0x2060 }, { 0x2066, 0x2069 }, { 0xFEFF, 0xFEFF } }

local is_hidden = {}
for _, range in ipairs(hidden) do
  for code = range[1], range[2] do is_hidden[utf8.char(code)] = code end
end

local function is_clean(text) return not text:find "[\0-\31\127-\255]" end

--- Replaces the hidden characters of a text, and the bytes that are not UTF-8, by what a function returns; false keeps them.
---@param replace fun(code: integer?, byte: string?): string|false
function plain.replace(text, replace)
  if is_clean(text) then return text end
  local pieces, from = {}, 1
  local function show(characters)
    table.insert(pieces, (characters:gsub("[\0-\31\127\194-\239][\128-\191]*", function(character)
      local code = is_hidden[character]
      return code and replace(code)
    end)))
  end
  while from <= #text do
    local valid, wrong = utf8.len(text, from)
    show(text:sub(from, valid and #text or wrong - 1))
    if valid then break end
    table.insert(pieces, replace(nil, text:sub(wrong, wrong)) or text:sub(wrong, wrong))
    from = wrong + 1
  end
  return table.concat(pieces)
end

local function escape(code, byte)
  if code and code >= 0x80 then return ("\\u{%x}"):format(code) end
  return ("\\x%02x"):format(code or byte:byte())
end

--- Escapes a text, line breaks and tabs included.
function plain.line(text) return plain.replace(text, escape) end

local function escape_in_text(code, byte) return code ~= 0x0A and code ~= 0x09 and escape(code, byte) end

--- Escapes a text except for line breaks and tabs.
function plain.text(text) return plain.replace(text, escape_in_text) end

return plain
