--- The text of a formula that was found, in R's notation or in Lua.
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"

local formula_text = {}

local sum, product, power, atom = 1, 2, 3, 4 -- how strongly parts hold together

local strengths = { ["+"] = sum, ["-"] = sum, ["*"] = product, ["/"] = product }

--- The text of an expression, and how strongly its parts hold together.
---@param list userdata   of libcrux.expressions
---@param names string[]  of the measures, as they are written
---@param library string  the prefix of functions
local function expression(list, index, names, library)
  local kind, left, right = list:at(index)
  local function part(at, least)
    local text, strength = expression(list, at, names, library)
    return strength < least and "(" .. text .. ")" or text
  end
  if kind == "measure" then return names[left], atom end
  if kind == "square" then return part(left, atom) .. "^2", power end
  if kind == "increment" then return "1 + " .. part(left, sum), sum end
  local strength = strengths[kind]
  if not strength then return ("%s%s(%s)"):format(library, kind, part(left, sum)), atom end
  local spaced = strength == sum and " " .. kind .. " " or kind
  local is_strict = kind == "-" or kind == "/"
  return part(left, strength) .. spaced .. part(right, strength + (is_strict and 1 or 0)), strength
end

--- The text of a candidate, whose lasso has all measures.
---@param names string[]   of the measures
function formula_text.of(target, names, list, candidate)
  local left, written = grammar.name(target), lists.map(names, grammar.name)
  local terms = lists.map(candidate.sum or {}, function(index)
    local text, strength = expression(list, index, written, "")
    return strength < atom and "I(" .. text .. ")" or text
  end)
  local fitted = candidate.fitted
  for _, term in ipairs(fitted and fitted.terms or {}) do
    if term.term ~= "(intercept)" and (candidate.key == "lasso" or term.estimate ~= 0) then table.insert(terms, term.term) end
  end
  return ("%s ~ %s"):format(candidate.is_log and ("log(%s)"):format(left) or left,
    #terms > 0 and table.concat(terms, " + ") or "1")
end

--- A Lua function of the measures and of constants, and the constants by name.
---@param terms Term[]   of the candidate's fit, with the intercept first
---@return string
---@return table<string, number>
function formula_text.tunable(names, list, candidate, terms)
  local written = lists.map(names, function(name)
    local is_plain = name:find "^[%a_][%w_]*$" and load("return level." .. name) -- no keyword
    return is_plain and "level." .. name or ("level[%q]"):format(name)
  end)
  local place, params, parts = {}, {}, {}
  for i, name in ipairs(names) do place[grammar.name(name)] = written[i] end
  for i, term in ipairs(terms) do
    local constant, text, strength = "c" .. i - 1, place[term.term], atom
    if i > 1 and candidate.sum then text, strength = expression(list, candidate.sum[i - 1], written, "math.") end
    params[constant] = term.estimate or 0
    parts[i] = "p." .. constant .. (i == 1 and "" or " * " .. (strength < power and "(" .. text .. ")" or text))
  end
  local text = table.concat(parts, " + ")
  return ("function(level, p) return %s end"):format(candidate.is_log and "math.exp(" .. text .. ")" or text), params
end

return formula_text
