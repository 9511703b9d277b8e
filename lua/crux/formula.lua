--- Formulas in R's notation: from text to terms, and from terms to columns of a model matrix.
---
--- Terms are ordered and named as R's terms() and model.matrix() do; the intercept is called "(intercept)".
local fault = require "crux.fault"
local lpeg = require "lpeg"
local vector = require "libcrux.vector"

local formula = {}

---@class Formula
---@field text string
---@field response string?      the left side
---@field terms Term[]          the intercept, if any, first
---@field intercept boolean
---@field variables string[]    the measures on the right side, in order of appearance
local Formula = {}
Formula.__index = Formula

---@class Term
---@field name string
---@field factors Node[]        the columns whose product it is; none for the intercept

local functions = { log = vector.log, sqrt = vector.sqrt, exp = vector.exp }

-- Grammar. A node is a table: { number = }, { name = }, { call =, argument = }, { parenthesis = }, { negated = },
-- { operator =, left =, right = }; of the formula itself also { sum = { sign, node, sign, node ... } }.

local P, R, S, C, Cc, Cg, Ct, Cmt, Carg, V =
  lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Cc, lpeg.Cg, lpeg.Ct, lpeg.Cmt, lpeg.Carg, lpeg.V

local blank = S " \t\r\n" ^ 0

--- A token, and what to call it when something else stands at the farthest place that the parser came to.
local function token(pattern, called)
  local note = Cmt(Carg(1), function(_, position, state)
    if position > state.farthest then state.farthest, state.expected = position, {} end
    if position == state.farthest then state.expected[called] = true end
    return true
  end)
  return blank * note * pattern
end

local function symbol(text) return token(P(text), "'" .. text .. "'") end

local function operator(set)
  local choice = P(false)
  for text in set:gmatch "%S+" do choice = choice + token(C(text), "'" .. text .. "'") end
  return choice
end

local function left_associative(operand, operators)
  return Ct(operand * (operators * operand) ^ 0) / function(parts)
    local node = parts[1]
    for i = 2, #parts, 2 do node = { operator = parts[i], left = node, right = parts[i + 1] } end
    return node
  end
end

local letter = R("az", "AZ", "\128\255")
local digit = R "09"
local numeral = (digit ^ 1 * (P "." * digit ^ 0) ^ -1 + P "." * digit ^ 1) * (S "eE" * S "+-" ^ -1 * digit ^ 1) ^ -1
local identifier = (letter + P "." * #(letter + S "._")) * (letter + digit + S "._") ^ 0
local name = token(C(identifier) + P "`" * C((1 - P "`") ^ 1) * P "`", "a measure")
local called = token(C(identifier) * blank * P "(", "a function")

lpeg.setmaxstack(2000) -- nesting of parentheses and signs

local grammar = P {
  "formula",
  formula = Ct(Cg(name, "response") ^ -1 * symbol "~" * Cg(V "sum", "right")) * token(-P(1), "the end"),
  sum = Ct((operator "+ -" + Cc "+") * V "crossing" * (operator "+ -" * V "crossing") ^ 0)
    / function(parts) return { sum = parts } end,
  crossing = left_associative(V "interaction", operator "*"),
  interaction = left_associative(V "degree", operator ":"),
  degree = (V "factor" * (symbol "^" * token(C(R "19" * digit ^ 0) / tonumber, "an integer")) ^ -1) / function(base, degree)
    return degree and { operator = "^", left = base, degree = degree } or base
  end,
  factor = token(C(S "01") * -(digit + S ".eE"), "'0', '1'") / function(text) return { number = tonumber(text) } end
    + V "call" + Ct(Cg(name, "name"))
    + symbol "(" * V "sum" * symbol ")",
  call = Ct(Cg(called, "call") * Cg(V "arithmetic", "argument") * symbol ")"),
  arithmetic = left_associative(V "product", operator "+ -"),
  product = left_associative(V "signed", operator "* /"),
  signed = Ct(symbol "-" * Cg(V "signed", "negated")) + V "power",
  power = (V "primary" * (symbol "^" * V "signed") ^ -1) / function(base, exponent)
    return exponent and { operator = "^", left = base, right = exponent } or base
  end,
  primary = token(C(numeral), "a number") / function(text) return { number = tonumber(text) } end
    + V "call" + Ct(Cg(name, "name"))
    + Ct(symbol "(" * Cg(V "arithmetic", "parenthesis") * symbol ")"),
}

--- A number as R's deparse writes it: 15 digits, the shorter of fixed and scientific.
local function deparse_number(x)
  local fixed = ("%.15g"):format(x)
  if fixed:find "e" then return fixed end
  local mantissa, exponent = ("%.14e"):format(x):match "^(.-)e(.*)$"
  local scientific = mantissa:gsub("%.?0+$", "") .. "e" .. exponent
  return #scientific < #fixed and scientific or fixed
end

local spaced = { ["+"] = true, ["-"] = true, ["*"] = true }

--- A node as R's deparse writes it: the name of a column.
local function deparse(node)
  if node.number then return deparse_number(node.number) end
  if node.name then return identifier:match(node.name) == #node.name + 1 and node.name or "`" .. node.name .. "`" end
  if node.call then return ("%s(%s)"):format(node.call, deparse(node.argument)) end
  if node.parenthesis then return ("(%s)"):format(deparse(node.parenthesis)) end
  if node.negated then return "-" .. deparse(node.negated) end
  local between = spaced[node.operator] and (" %s "):format(node.operator) or node.operator
  return deparse(node.left) .. between .. deparse(node.right)
end

--- The terms of the right side while they are gathered: sets of variables (R's sense: anything that stands for a
--- column), each a sorted list of their numbers.
local Gathering = {}
Gathering.__index = Gathering

local function key(set) return table.concat(set, ":") end

--- The set of one variable, numbered in order of appearance.
function Gathering:variable(node)
  local text = deparse(node)
  if not self.number[text] then
    table.insert(self.variables, node)
    self.number[text] = #self.variables
  end
  return { self.number[text] }
end

local function union(a, b)
  local seen, set = {}, {}
  for _, list in ipairs { a, b } do
    for _, variable in ipairs(list) do
      if not seen[variable] then table.insert(set, variable) end
      seen[variable] = true
    end
  end
  table.sort(set)
  return set
end

local function add(terms, set)
  if not terms[key(set)] then
    terms[key(set)] = true
    table.insert(terms, set)
  end
end

local function remove(terms, set)
  if terms[key(set)] then
    terms[key(set)] = nil
    for i, other in ipairs(terms) do
      if key(other) == key(set) then table.remove(terms, i) end
    end
  end
end

local function interaction(left, right)
  local terms = {}
  for _, a in ipairs(left) do
    for _, b in ipairs(right) do add(terms, union(a, b)) end
  end
  return terms
end

--- The sets of a node; the intercept is the empty set.
function Gathering:sets(node)
  if node.number == 0 then self:refuse "'0' inside a term" end
  if node.number == 1 then return { {}, [""] = true } end
  if node.sum then
    for i = 2, #node.sum, 2 do
      if node.sum[i].number then self:refuse(("'%d' inside parentheses"):format(node.sum[i].number)) end
    end
    return self:sum(node.sum)
  end
  if not node.operator then
    local terms = {}
    add(terms, self:variable(node))
    return terms
  end
  local left = self:sets(node.left)
  if node.degree then
    local terms, before, degree = left, 0, 1
    while degree < node.degree and #terms > before do
      terms, before, degree = interaction(terms, left), #terms, degree + 1
    end
    return terms
  end
  local right = self:sets(node.right)
  local product = interaction(left, right)
  if node.operator == ":" then return product end
  local terms = {}
  for _, list in ipairs { left, right, product } do
    for _, set in ipairs(list) do add(terms, set) end
  end
  return terms
end

--- Adds and removes from left to right; `+ 0` removes the intercept and `- 0` adds it.
function Gathering:sum(parts, terms)
  terms = terms or {}
  for i = 1, #parts, 2 do
    local change, node = parts[i] == "+" and add or remove, parts[i + 1]
    if node.number == 0 then
      (parts[i] == "+" and remove or add)(terms, {})
    else
      for _, set in ipairs(self:sets(node)) do change(terms, set) end
    end
  end
  return terms
end

function Gathering:refuse(found) fault.at(self.where, found, "measures and functions of them") end

--- The names of measures in a node, in order of appearance.
local function measures(node, names)
  if node.name then
    if not names[node.name] then table.insert(names, node.name) end
    names[node.name] = true
  end
  for _, child in ipairs { node.argument or false, node.parenthesis or false, node.negated or false, node.left or false,
    node.right or false } do
    if child then measures(child, names) end
  end
  return names
end

--- Refuses functions that are not known and numbers that are too large.
local function check(node, where)
  if node.number == math.huge then fault.at(where, "a number beyond the range of a double", "one within it") end
  if node.call and node.call ~= "I" and not functions[node.call] then
    fault.at(where, ("the function '%s'"):format(node.call), "I, log, sqrt or exp")
  end
  for _, child in pairs(node) do
    if type(child) == "table" then check(child, where) end
  end
end

local function syntax_fault(where, text, state)
  local rest = text:sub(state.farthest)
  local found = rest:match "^[%w_.]+" or rest:match "^[%z\1-\127\194-\244][\128-\191]*"
  local expected = {}
  for what in pairs(state.expected) do table.insert(expected, what) end
  table.sort(expected)
  local column = (utf8.len(text, 1, state.farthest - 1) or state.farthest - 1) + 1
  fault.at(("%s: column %d"):format(where, column), found and ("'%s'"):format(found) or "the end of the formula",
    table.concat(expected, ", "):gsub(", ([^,]*)$", " or %1"))
end

--- Parses a formula such as "difficulty ~ size + log(colours)".
---@param text string
---@param script string?   the path of the script that it stands in, for messages
---@return Formula
function formula.parse(text, script)
  local where = ("%sformula '%s'"):format(script and script .. ": " or "", text)
  local state = { farthest = 1, expected = {} }
  local parsed, tree = pcall(grammar.match, grammar, text, 1, state)
  if not parsed then
    if not tree:find "stack overflow" then error(tree, 0) end
    fault.at(where, "terms nested too deeply", "a simpler formula")
  end
  if not tree then syntax_fault(where, text, state) end
  check(tree.right, where)
  local gathering = setmetatable({ where = where, variables = {}, number = {} }, Gathering)
  local sets = gathering:sum(tree.right.sum, { {}, [""] = true })
  if #sets == 0 then fault.at(where, "no terms", "at least one") end
  local order = {}
  for i, set in ipairs(sets) do order[set] = i end
  table.sort(sets, function(a, b)
    if #a ~= #b then return #a < #b end
    return order[a] < order[b]
  end)
  local self = { text = text, response = tree.response, terms = {}, variables = {}, constants = {},
    intercept = #sets[1] == 0 }
  for _, set in ipairs(sets) do
    local term = { factors = {} }
    local names = {}
    for i, variable in ipairs(set) do
      term.factors[i] = gathering.variables[variable]
      names[i] = deparse(term.factors[i])
      measures(term.factors[i], self.variables)
    end
    term.name = #names == 0 and "(intercept)" or table.concat(names, ":")
    if #set == 1 and term.factors[1].name and term.factors[1].name == tree.response then
      fault.at(where, ("the target '%s' on the right side"):format(tree.response), "measures")
    end
    table.insert(self.terms, term)
  end
  return setmetatable(self, Formula)
end

--- The same formula for another response.
function Formula:with_response(response)
  local right = self.text:match "~.*$"
  local left = identifier:match(response) == #response + 1 and response or "`" .. response .. "`"
  return formula.parse(left .. " " .. right)
end

local arithmetic = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b) return a / b end,
  ["^"] = function(a, b) return a ^ b end,
}

local function evaluate(node, values)
  if node.number then return node.number end
  if node.name then return values[node.name] end
  if node.call == "I" then return evaluate(node.argument, values) end
  if node.call then return functions[node.call](evaluate(node.argument, values)) end
  if node.parenthesis then return evaluate(node.parenthesis, values) end
  if node.negated then return -evaluate(node.negated, values) end
  return arithmetic[node.operator](evaluate(node.left, values), evaluate(node.right, values))
end

--- A vector of one number, the same one for as many rows as before.
function Formula:constant(rows, value)
  local known = self.constants[value]
  if not known or #known ~= rows then
    known = vector.fill(rows, value)
    self.constants[value] = known
  end
  return known
end

--- The columns of the model matrix, one vector a term.
---@param values table<string, userdata>  a vector for each of the formula's variables
---@param rows integer
function Formula:columns(values, rows)
  local columns, known = {}, {}
  for i, term in ipairs(self.terms) do
    local product
    for _, factor in ipairs(term.factors) do
      known[factor] = known[factor] or evaluate(factor, values)
      product = product and product * known[factor] or known[factor]
    end
    columns[i] = type(product) == "userdata" and product or self:constant(rows, product or 1)
  end
  return columns
end

--- The sum of the columns of the model matrix, each times the coefficient of its term: 0 where there is none.
---@param columns userdata[]
---@param coefficients table<string, number>
---@param rows integer
function Formula:combine(columns, coefficients, rows)
  local sum = vector.fill(rows, 0)
  for i, term in ipairs(self.terms) do sum = sum + columns[i] * (coefficients[term.name] or 0) end
  return sum
end

return formula
