--- What the grammar lets through and formulas do not have: unknown functions, wrong arguments, numbers too large.
local fault = require "crux.base.fault"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"

local check = {}

local function names_of(wanted)
  local names = {}
  for _, row in ipairs(functions) do
    if wanted(row) then table.insert(names, row.name) end
  end
  return names
end

--- Checks the functions and numbers of a right side, and gives the variables that have a basis one that has learned nothing.
---@param where string      "formula '...'", for messages
---@param inside boolean?   of another function's argument
function check.right_side(node, where, text, inside)
  if node.number == math.huge then fault.at(where, "a number beyond the range of a double", "one within it") end
  if node.call then
    local row = functions[node.call]
    local function refuse(found, expected) grammar.refuse(where, text, node.at, found, expected) end
    if not row then
      refuse(("the unknown function '%s'; %s"):format(node.call, nearest.hint(node.call, names_of(function() return true end))))
    end
    if inside and not row.apply then
      refuse(("'%s' inside a function"):format(node.call), "it as a term: " .. row.usage)
    end
    if #node.arguments > row.most then
      refuse(("%s of '%s'"):format(number.count(#node.arguments, "argument"), node.call), row.usage)
    end
    if row.basis then
      local basis, expected = row.basis.new(node.arguments)
      if not basis then refuse(grammar.deparse(node), ("%s with %s"):format(row.usage, expected)) end
      node.basis = basis
    end
  end
  for _, argument in ipairs(node.arguments or {}) do check.right_side(argument, where, text, true) end
  for _, child in ipairs(node.sum or {}) do
    if type(child) == "table" then check.right_side(child, where, text, inside) end
  end
  for _, child in ipairs { node.parenthesis or false, node.negated or false, node.left or false, node.right or false } do
    if child then check.right_side(child, where, text, inside) end
  end
end

return check
