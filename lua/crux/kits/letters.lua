--- Levels with letters, digits included: their characters in a legend, and the colours of these.
local letters = {}

letters.all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

local tints <const> = { "red", "green", "yellow", "blue", "magenta", "cyan" }

--- Adds to the rows of a legend one for each letter that is in none of them; returns the rows, and the letters.
---@param rows string[][]
---@return string[][]
---@return string[]
function letters.added(rows)
  local taken, names = {}, {}
  for _, row in ipairs(rows) do taken[row[1]] = true end
  for letter in letters.all:gmatch "." do
    if not taken[letter] then
      table.insert(names, letter)
      table.insert(rows, { letter, letter })
    end
  end
  return rows, names
end

--- The colour in terminals and pictures of the i-th of several things.
function letters.tint(i) return tints[(i - 1) % #tints + 1] end

--- The colours of letters in terminals and pictures.
---@return table<string, string>
function letters.colours()
  local by_letter, all = {}, letters.all
  for i = 1, #all do by_letter[all:sub(i, i)] = ((i - 1) % 12 < 6 and "" or "bright ") .. letters.tint(i) end
  return by_letter
end

return letters
