--- Left sides of formulas: a measure, an invertible function of one, or two counts, cbind(solved, skipped).
local check = require "crux.formula.check"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local number = require "crux.base.number"

local left = {}

local function invertible()
  local names = {}
  for _, row in ipairs(functions) do
    if row.inverse then table.insert(names, row.name) end
  end
  return table.concat(names, ", "):gsub(", ([^,]*)$", " or %1")
end

--- The two counts of a left side; nil for another one.
---@return Node[]?
function left.counts(node) return node and node.call == "cbind" and node.arguments or nil end

--- The measure of a left side, the target, or its text if it is two counts; a fault where a function has no inverse.
---@param where string   "formula '...'", for messages
function left.measure(node, where, text)
  local counts = left.counts(node)
  if counts then
    if #counts ~= 2 then
      grammar.refuse(where, text, node.at, number.count(#counts, "argument") .. " of 'cbind'", "cbind(solved, skipped)")
    end
    for _, count in ipairs(counts) do check.right_side(count, where, text, true) end
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
function left.text(node, measure)
  if not (node and node.call) or left.counts(node) then return grammar.name(measure) end
  return ("%s(%s)"):format(node.call, left.text(node.arguments[1], measure))
end

--- Transforms the target to the scale of the left side.
function left.transform(node, target)
  return node.call and functions[node.call].apply(left.transform(node.arguments[1], target)) or target
end

--- The logarithm of the absolute slope of the left side at each target.
---@return userdata|number
function left.log_slope(node, target)
  if not node.call then return 0 end
  local inner = node.arguments[1]
  return functions[node.call].log_slope(left.transform(inner, target)) + left.log_slope(inner, target)
end

--- Transforms the scale of the left side to that of the target.
function left.invert(node, fitted)
  return node.call and left.invert(node.arguments[1], functions[node.call].inverse(fitted)) or fitted
end

return left
