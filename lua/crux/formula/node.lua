--- Nodes of a formula's tree (grammar.lua): the measures that they name, and the numbers that they stand for.
local functions = require "crux.formula.functions"
local vector = require "libcrux.vector"

local node = {}

--- Adds the names of the measures in a node to a list, in order of appearance, each once.
---@param names string[]   also a set: the names are its keys, too
function node.measures(self, names)
  if self.name then
    if not names[self.name] then table.insert(names, self.name) end
    names[self.name] = true
  end
  for _, child in ipairs(self.arguments or {}) do node.measures(child, names) end
  for _, child in ipairs { self.parenthesis or false, self.negated or false, self.left or false, self.right or false } do
    if child then node.measures(child, names) end
  end
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

--- What the operators of arithmetic do to vectors or numbers.
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

--- The number that a node of arithmetic stands for, or its vector of numbers.
---@param values table<string, userdata>
function node.evaluate(self, values)
  if self.number then return self.number end
  if self.name then return values[self.name] end
  if self.parenthesis then return node.evaluate(self.parenthesis, values) end
  if self.negated then return -node.evaluate(self.negated, values) end
  if self.call then
    local arguments = {}
    for i, argument in ipairs(self.arguments) do arguments[i] = node.evaluate(argument, values) end
    return functions[self.call].apply(table.unpack(arguments))
  end
  return operators[self.operator](node.evaluate(self.left, values), node.evaluate(self.right, values))
end

--- The vector of the first argument of a call.
function node.argument(self, values, rows)
  local value = node.evaluate(self.arguments[1], values)
  return type(value) == "userdata" and value or vector.fill(rows, value)
end

return node
