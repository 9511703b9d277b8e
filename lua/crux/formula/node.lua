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
  local a, b = node.evaluate(self.left, values), node.evaluate(self.right, values)
  if self.operator == "+" then return a + b end
  if self.operator == "-" then return a - b end
  if self.operator == "*" then return a * b end
  return self.operator == "/" and a / b or a ^ b
end

--- The vector of the first argument of a call.
function node.argument(self, values, rows)
  local value = node.evaluate(self.arguments[1], values)
  return type(value) == "userdata" and value or vector.fill(rows, value)
end

return node
