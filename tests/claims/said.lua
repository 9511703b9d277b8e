--- Finds texts on pages: their places, and the numbers in them.
local text_file = require "crux.base.text_file"

local said = {}

--- The pattern of a text in which # stands for a number, ... for the rest of a cell or line, and a blank for any blanks.
function said.pattern(text)
  text = text:gsub("[%^$()%%.%[%]*+?-]", "%%%0")
  return (text:gsub("%s+", "%%s+"):gsub("%%%.%%%.%%%.", "[^\n]-"):gsub("#", "(%%-?%%d[%%d,]*%%.?%%d*e?[-+]?%%d*)"))
end

--- The numbers of the only place of a page that a text matches, as they are written there; nil and a reason if there is none.
function said.by(page, text)
  local content, pattern = text_file.read(page, 1 << 24, "a page"), said.pattern(text)
  local found = table.pack(content:find(pattern))
  if not found[1] then return nil, "the page does not say it" end
  if content:find(pattern, found[2] + 1) then return nil, "the page says it twice" end
  local figures = table.move(found, 3, found.n, 1, {})
  for i, figure in ipairs(figures) do figures[i] = figure:gsub(",$", "") end
  return figures
end

return said
