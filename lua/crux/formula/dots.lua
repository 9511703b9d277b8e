--- What `.` stands for in a formula, written out in its text.
local grammar = require "crux.formula.grammar"

local dots = {}

--- The positions of the dots in a tree, in order.
function dots.positions(node, list)
  list = list or {}
  if node.dot then table.insert(list, node.dot) end
  for _, child in ipairs(node.sum or { node.left or false, node.right or false }) do
    if type(child) == "table" then dots.positions(child, list) end
  end
  return list
end

--- A formula's text with columns in the place of its dots, in parentheses where a dot is no summand.
---@param text string
---@param positions integer[]
---@param columns string[]
---@return string
function dots.write(text, positions, columns)
  local names, written, from = {}, "", 1
  for i, column in ipairs(columns) do names[i] = grammar.name(column) end
  local sum = table.concat(names, " + ")
  for _, at in ipairs(positions) do
    local is_summand = text:sub(1, at - 1):match "[~+(]%s*$" and not text:sub(at + 1):match "^%s*[^%s+%-)]"
    written = written .. text:sub(from, at - 1) .. (is_summand and sum or "(" .. sum .. ")")
    from = at + 1
  end
  return written .. text:sub(from)
end

return dots
