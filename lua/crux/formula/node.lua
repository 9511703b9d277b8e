--- Nodes of a formula's tree (grammar.lua): their measures and their values.
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local vector = require "libcrux.vector"

local node = {}

--- Adds the names of the measures in a tree to a list, in order of appearance, each once.
---@param names string[]   the names are also its keys
function node.measures(tree, names)
  if tree.name then
    if not names[tree.name] then table.insert(names, tree.name) end
    names[tree.name] = true
  end
  for _, child in ipairs(grammar.children(tree)) do node.measures(child, names) end
  return names
end

--- A comparison of vectors or numbers: 1 where it holds, else 0.
local function comparison(of_numbers, of_vectors)
  return function(a, b)
    if math.type(a) and math.type(b) then return of_numbers(a, b) and 1 or 0 end
    return of_vectors(a, b)
  end
end

local less, less_or_equal = vector.less, vector.less_or_equal
local function equal(a, b) return less_or_equal(a, b) * less_or_equal(b, a) end

--- The operators of arithmetic on vectors or numbers.
local operators = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b) return a / b end,
  ["^"] = function(a, b) return a ^ b end,
  ["<"] = comparison(function(a, b) return a < b end, less),
  ["<="] = comparison(function(a, b) return a <= b end, less_or_equal),
  [">"] = comparison(function(a, b) return a > b end, function(a, b) return less(b, a) end),
  [">="] = comparison(function(a, b) return a >= b end, function(a, b) return less_or_equal(b, a) end),
  ["=="] = comparison(function(a, b) return a == b end, equal),
  ["!="] = comparison(function(a, b) return a ~= b end, function(a, b) return 1 - equal(a, b) end),
}

--- The value of a node of arithmetic: a number or a vector.
---@param values table<string, userdata>
function node.evaluate(tree, values)
  if tree.number then return tree.number end
  if tree.name then return values[tree.name] end
  if tree.parenthesis then return node.evaluate(tree.parenthesis, values) end
  if tree.negated then return -node.evaluate(tree.negated, values) end
  if tree.call then
    local arguments = {}
    for i, argument in ipairs(tree.arguments) do arguments[i] = node.evaluate(argument, values) end
    return functions[tree.call].apply(table.unpack(arguments))
  end
  return operators[tree.operator](node.evaluate(tree.left, values), node.evaluate(tree.right, values))
end

--- The vector of the first argument of a call.
function node.argument(tree, values, rows)
  local value = node.evaluate(tree.arguments[1], values)
  return type(value) == "userdata" and value or vector.fill(rows, value)
end

return node
