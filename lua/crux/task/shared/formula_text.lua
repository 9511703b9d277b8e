--- The text of a formula that was found, in R's notation.
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"

local formula_text = {}

local sum, product, power, atom = 1, 2, 3, 4 -- how strongly parts hold together

local strengths = { ["+"] = sum, ["-"] = sum, ["*"] = product, ["/"] = product }

--- The text of an expression, and how strongly its parts hold together.
---@param list userdata   of libcrux.expressions
local function expression(list, index, names)
  local kind, left, right = list:at(index)
  local function part(at, least)
    local text, strength = expression(list, at, names)
    return strength < least and "(" .. text .. ")" or text
  end
  if kind == "measure" then return grammar.name(names[left]), atom end
  if kind == "square" then return part(left, atom) .. "^2", power end
  if kind == "increment" then return "1 + " .. part(left, sum), sum end
  local strength = strengths[kind]
  if not strength then return ("%s(%s)"):format(kind, part(left, sum)), atom end
  local spaced = strength == sum and " " .. kind .. " " or kind
  local is_strict = kind == "-" or kind == "/"
  return part(left, strength) .. spaced .. part(right, strength + (is_strict and 1 or 0)), strength
end

--- The text of a candidate, whose lasso has all measures.
---@param names string[]   of the measures
function formula_text.of(target, names, list, candidate)
  local left = grammar.name(target)
  local terms = lists.map(candidate.sum or {}, function(index)
    local text, strength = expression(list, index, names)
    return strength < atom and "I(" .. text .. ")" or text
  end)
  local fitted = candidate.fitted
  for _, term in ipairs(fitted and fitted.terms or {}) do
    if term.term ~= "(intercept)" and (candidate.key == "lasso" or term.estimate ~= 0) then table.insert(terms, term.term) end
  end
  return ("%s ~ %s"):format(candidate.is_log and ("log(%s)"):format(left) or left,
    #terms > 0 and table.concat(terms, " + ") or "1")
end

return formula_text
