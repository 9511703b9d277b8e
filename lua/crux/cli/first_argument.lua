--- The first argument of a command line, for commands whose options depend on it.
local options = require "crux.option.options"

local without_value = { "-h", "--help", options.debug.flags, options.safe_csv.flags }

---@param words string[]          of the command line, from the command's name on
---@param rows (string|table)[]   its options; unknown options take a value
---@return string?                nil where there is no argument
return function(words, rows)
  local is_bare, i = {}, 2
  for _, flag in ipairs(without_value) do is_bare[flag] = true end
  for _, row in ipairs(rows) do
    row = options[row] or row
    is_bare[row.flags] = not row.value
  end
  while words[i] do
    local word = words[i]
    if word == "-" or word:sub(1, 1) ~= "-" then return word end
    local has_value = word:find "^%-%-.*=" or word:find "^%-[^-]." -- in the same word
    i = i + ((is_bare[word] or has_value) and 1 or 2)
  end
end
