--- Replaces `.` in the text of a formula by the columns that it stands for.
local grammar = require "crux.formula.grammar"
local sizes = require "libcrux.sizes"

local dots = {}

--- The positions of the dots in a tree, in order.
function dots.positions(node, list)
  list = list or {}
  if node.dot then table.insert(list, node.dot) end
  for _, child in ipairs(grammar.children(node)) do dots.positions(child, list) end
  return list
end

--- The character nearest to a place that is not blank, "" at the end.
---@param step integer   1 to the right, -1 to the left
local function next_character(text, at, step)
  local character
  repeat
    at = at + step
    character = text:sub(at, at)
  until not character:find "%s"
  return character
end

--- A formula's text with columns in the place of its dots, in parentheses where a dot is no summand. Stops at a length that
--- formula.parse refuses.
---@param positions integer[]
---@param columns string[]
function dots.write(text, positions, columns)
  local names, pieces, from, size = {}, {}, 1, #text
  for i, column in ipairs(columns) do names[i] = grammar.name(column) end
  local sum = table.concat(names, " + ")
  for _, at in ipairs(positions) do
    local is_summand = next_character(text, at, -1):find "[~+(]" and not next_character(text, at, 1):find "[^+%-)]"
    table.insert(pieces, text:sub(from, at - 1))
    table.insert(pieces, is_summand and sum or "(" .. sum .. ")")
    from, size = at + 1, size + #sum
    if size > 2 * sizes.formula_bytes then break end
  end
  return table.concat(pieces) .. text:sub(from)
end

return dots
