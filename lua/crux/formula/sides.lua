--- The sides of formulas: refuses what the grammar accepts but that is wrong, as unknown functions and numbers that are
--- too large; and left sides: a measure, an invertible function of one, or two counts, cbind(solved, skipped).
local fault = require "crux.base.fault"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"
local number = require "crux.base.number"

local sides = {}

--- Replacements for functions of R and other languages that formulas do not have.
local instead = { ["as.factor"] = "factor(x)", C = "factor(x)", ordered = "factor(x)", ln = "log(x)", pow = "I(x^2)",
  cut = "I(x > 3), or several of these", bs = "poly(x, k)", ns = "poly(x, k)", s = "poly(x, k)" }

--- Checks the functions and numbers of a right side, and sets `basis`, not yet learned, of calls of poly and factor.
---@param where string      "formula '...'", for messages
---@param inside boolean?   the node is in the argument of a function
function sides.check_right(node, where, text, inside)
  if node.number == math.huge then fault.at(where, "a number beyond the range of a double", "one within it") end
  if node.call then
    local row = functions[node.call]
    local function refuse(found, expected) grammar.refuse(where, text, node.at, found, expected) end
    if not row then
      local hint = instead[node.call] and "write " .. instead[node.call]
        or require("crux.base.nearest").hint(node.call, lists.field(functions))
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
  for _, child in ipairs(grammar.children(node)) do sides.check_right(child, where, text, inside or node.call ~= nil) end
end

local function invertible()
  local names = lists.field(lists.select(functions, function(row) return row.inverse end))
  return table.concat(names, ", "):gsub(", ([^,]*)$", " or %1")
end

--- The two counts of a left side; nil for another one.
---@return Node[]?
function sides.counts(node) return node and node.call == "cbind" and node.arguments or nil end

--- The measure of a left side, the target, or its text if it is two counts; a fault where a function has no inverse.
---@param where string   "formula '...'", for messages
function sides.measure(node, where, text)
  local counts = sides.counts(node)
  if counts then
    if #counts ~= 2 then
      grammar.refuse(where, text, node.at, number.count(#counts, "argument") .. " of 'cbind'", "cbind(solved, skipped)")
    end
    for _, count in ipairs(counts) do sides.check_right(count, where, text, true) end
    return grammar.deparse(node)
  end
  while node.call do
    local row = functions[node.call]
    if not row or not row.inverse then
      grammar.refuse(where, text, node.at, ("'%s' on the left side"):format(node.call), (invertible()))
    end
    if #node.arguments > 1 then
      grammar.refuse(where, text, node.at, ("%d arguments of '%s'"):format(#node.arguments, node.call), row.usage)
    end
    node = node.arguments[1]
  end
  return node.name
end

--- The text of a left side for another measure.
function sides.text(node, measure)
  if not (node and node.call) or sides.counts(node) then return grammar.name(measure) end
  return ("%s(%s)"):format(node.call, sides.text(node.arguments[1], measure))
end

--- Transforms the target to the scale of the left side.
function sides.transform(node, target)
  return node.call and functions[node.call].apply(sides.transform(node.arguments[1], target)) or target
end

--- The logarithm of the absolute slope of the left side at each target.
---@return userdata|number
function sides.log_slope(node, target)
  if not node.call then return 0 end
  local inner = node.arguments[1]
  return functions[node.call].log_slope(sides.transform(inner, target)) + sides.log_slope(inner, target)
end

--- Transforms the scale of the left side to that of the target.
function sides.invert(node, fitted)
  return node.call and sides.invert(node.arguments[1], functions[node.call].inverse(fitted)) or fitted
end

return sides
