--- Refuses formulas that the grammar accepts but that are wrong: unknown functions, wrong arguments, too large numbers.
local fault = require "crux.base.fault"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"

local check = {}

--- Replacements for functions of R and other languages that formulas do not have.
local instead = { ["as.factor"] = "factor(x)", C = "factor(x)", ordered = "factor(x)", ln = "log(x)", pow = "I(x^2)",
  cut = "I(x > 3), or several of these", bs = "poly(x, k)", ns = "poly(x, k)", s = "poly(x, k)" }

local function names_of(wanted)
  local names = {}
  for _, row in ipairs(functions) do
    if wanted(row) then table.insert(names, row.name) end
  end
  return names
end

--- Checks the functions and numbers of a right side, and sets `basis`, not yet learned, of calls of poly and factor.
---@param where string      "formula '...'", for messages
---@param inside boolean?   the node is in the argument of a function
function check.right_side(node, where, text, inside)
  if node.number == math.huge then fault.at(where, "a number beyond the range of a double", "one within it") end
  if node.call then
    local row = functions[node.call]
    local function refuse(found, expected) grammar.refuse(where, text, node.at, found, expected) end
    if not row then
      local hint = instead[node.call] and "write " .. instead[node.call]
        or nearest.hint(node.call, names_of(function() return true end))
      refuse(("the unknown function '%s'; %s"):format(node.call, hint))
    end
    if inside and not row.apply then
      refuse(("'%s' inside a function"):format(node.call), "it as a term: " .. row.usage)
    end
    if #node.arguments < (row.least or 1) or #node.arguments > row.most then
      refuse(("%s of '%s'"):format(number.count(#node.arguments, "argument"), node.call), row.usage)
    end
    if row.basis then
      local basis, expected = row.basis.new(node.arguments)
      if not basis then refuse(grammar.deparse(node), ("%s with %s"):format(row.usage, expected)) end
      node.basis = basis
    end
  end
  for _, child in ipairs(grammar.children(node)) do check.right_side(child, where, text, inside or node.call ~= nil) end
end

return check
