--- The grammar of formulas: from text to a tree, or a fault that marks the column.
---
--- A node is a table: { number = }, { name = }, { dot = position }, { call =, at = position, arguments = }, { parenthesis = },
--- { negated = }, { operator =, left =, right = }, for crossing to a degree { operator = "^", left =, degree = }, and sums of
--- terms { sum = { sign, node, sign, node ... } }; among the summands of the right side also grouping terms, as lme4's
--- (1 + x | a/b): { from =, to = the place of what varies in the text, bar = "|" or "||", groups = { "a", "/", "b" } }.
--- Precedence is that of R: ^, unary minus, :, %in%, * and /, + and -, comparisons.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local lpeg = require "lpeg"
local sizes = require "libcrux.sizes"

local grammar = {}

local P, R, S, C, Cc, Cg, Cp, Ct, Cmt, Carg, V =
  lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Cc, lpeg.Cg, lpeg.Cp, lpeg.Ct, lpeg.Cmt, lpeg.Carg, lpeg.V

local blank = S " \t\r\n" ^ 0

--- A token. Its name is noted as expected if the parser fails here and came no farther.
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

local function sum_of(term)
  return Ct((operator "+ -" + Cc "+") * term * (operator "+ -" * term) ^ 0) / function(parts) return { sum = parts } end
end

local letter = R("az", "AZ", "\128\255")
local digit = R "09"
local numeral = (digit ^ 1 * (P "." * digit ^ 0) ^ -1 + P "." * digit ^ 1) * (S "eE" * S "+-" ^ -1 * digit ^ 1) ^ -1
local identifier = (letter + P "." * #(letter + S "._")) * (letter + digit + S "._") ^ 0
local name = token(C(identifier) + P "`" * C((1 - P "`") ^ 1) * P "`", "a measure")

--- A call of a function, by a pattern of its name.
local function call(argument, called)
  return Ct(token(Cg(Cp(), "at") * Cg(C(called or identifier), "call") * blank * P "(", "a function")
    * Cg(Ct(argument * (symbol "," * argument) ^ 0), "arguments") * symbol ")")
end

lpeg.setmaxstack(2000) -- nesting of parentheses and signs

local rules = P {
  "formula",
  formula = Ct(Cg(V "counts" + V "response", "left") ^ -1 * symbol "~" * Cg(Cp(), "right_at") * Cg(V "right", "right"))
    * token(-P(1), "the end"),
  counts = call(V "arithmetic", P "cbind"),
  right = sum_of(V "grouping" + V "crossing"),
  grouping = Ct(symbol "(" * Cg(Cp(), "from") * Cg(V "sum", "varying") * Cg(Cp(), "to")
    * Cg(token(C(P "||" + "|"), "'|'"), "bar") * Cg(Ct(name * (operator ": /" * name) ^ 0), "groups") * symbol ")"),
  response = call(V "response") + Ct(Cg(name, "name")),
  sum = sum_of(V "crossing"),
  crossing = left_associative(V "inside", operator "* /"),
  inside = left_associative(V "interaction", operator "%in%"),
  interaction = left_associative(V "degree", operator ":"),
  degree = (V "factor" * (symbol "^" * token(C(R "19" * digit ^ 0) / tonumber, "an integer")) ^ -1) / function(base, degree)
    return degree and { operator = "^", left = base, degree = degree } or base
  end,
  factor = token(C(S "01") * -(digit + S ".eE"), "'0', '1'") / function(text) return { number = tonumber(text) } end
    + V "call" + Ct(Cg(name, "name"))
    + Ct(token(Cg(Cp(), "dot") * P "." * -(letter + digit + S "._"), "'.'"))
    + symbol "(" * V "sum" * symbol ")",
  call = call(V "comparison"),
  comparison = (V "arithmetic" * (token(C(P "<=" + ">=" + "==" + "!=" + S "<>"), "a comparison") * V "arithmetic") ^ -1)
    / function(left, compared, right) return compared and { operator = compared, left = left, right = right } or left end,
  arithmetic = left_associative(V "product", operator "+ -"),
  product = left_associative(V "signed", operator "* /"),
  signed = Ct(symbol "-" * Cg(V "signed", "negated")) + V "power",
  power = (V "primary" * (symbol "^" * V "signed") ^ -1) / function(base, exponent)
    return exponent and { operator = "^", left = base, right = exponent } or base
  end,
  primary = token(C(numeral), "a number") / function(text) return { number = tonumber(text) } end
    + V "call" + Ct(Cg(name, "name"))
    + Ct(symbol "(" * Cg(V "comparison", "parenthesis") * symbol ")"),
}

--- Raises a fault at a byte of the text; the message counts characters.
---@param where string      "formula '...'"
---@param expected string?  absent if `found` says it
function grammar.refuse(where, text, at, found, expected)
  local place = ("%s: column %d"):format(where, (utf8.len(text, 1, at - 1) or at - 1) + 1)
  if expected then fault.at(place, found, expected) end
  fault.raise(("%s: found %s"):format(place, found))
end

--- Replacements for operators of R: in functions, and as terms.
local inside = { ["&"] = "a product of comparisons, as (a > 1) * (b > 2)", ["|"] = "max of comparisons, as max(a > 1, b > 2)",
  ["!"] = "the opposite comparison, or 1 - x" }
local outside = { ["|"] = "parentheses around a grouping term, as (1 | g), which is a summand of its own" }
for sign in ("< > !"):gmatch "%S+" do outside[sign] = "comparisons in I(), as I(a > 3)" end
outside["="] = "'~', or a comparison as I(a == 3)"

local function syntax_fault(where, text, state)
  local rest = text:sub(state.farthest)
  local sign = rest:sub(1, 1)
  local advice = ((state.expected["','"] or state.expected["a number"]) and inside or outside)[sign]
  if advice then grammar.refuse(where, text, state.farthest, ("'%s'"):format(sign), advice) end
  local found = rest:match "^[%w_.]+" or rest:match "^[%z\1-\127\194-\244][\128-\191]*"
  local before = text:sub(1, state.farthest - 1):match "([%w_.\128-\255]+)%s+$"
  if before and rest:find "^[%a_.\128-\255]" then
    grammar.refuse(where, text, state.farthest, ("'%s'"):format(found),
      ("an operator; or backquotes, if it is one name: `%s %s`"):format(before, found))
  end
  if sign == "`" then grammar.refuse(where, text, state.farthest, "a backquote", "another one behind the name") end
  local expected = lists.keys(state.expected)
  local last = table.remove(expected)
  grammar.refuse(where, text, state.farthest, found and ("'%s'"):format(found) or "the end of the formula",
    #expected == 0 and last or ("%s or %s"):format(table.concat(expected, ", "), last))
end

--- The tree of a formula: { left = node or nil, right = node, right_at = where the right side begins }.
---@param where string   "formula '...'", for messages
function grammar.parse(text, where)
  local state = { farthest = 1, expected = {} }
  local parsed, tree = pcall(rules.match, rules, text, 1, state)
  if not parsed then
    local is_deep = tree:find "stack overflow" or tree:find "nesting too deep" or tree:find "too many captures" -- LPeg's words
    if not is_deep then error(tree, 0) end
    fault.at(where, "terms nested too deeply", "a simpler formula")
  end
  if not tree then syntax_fault(where, text, state) end
  return tree
end

--- A name in a formula: in backticks unless it is an identifier.
function grammar.name(text) return identifier:match(text) == #text + 1 and text or "`" .. text .. "`" end

--- A number as R's deparse writes it: 15 digits, the shorter of fixed and scientific.
function grammar.number(x)
  local fixed = ("%.15g"):format(x)
  if fixed:find "e" then return fixed end
  local mantissa, exponent = ("%.14e"):format(x):match "^(.-)e(.*)$"
  local scientific = mantissa:gsub("%.?0+$", "") .. "e" .. exponent
  return #scientific < #fixed and scientific or fixed
end

--- The nodes directly below a node, in order of appearance.
function grammar.children(node)
  local children = table.move(node.arguments or {}, 1, #(node.arguments or {}), 1, {})
  for i = 2, #(node.sum or {}), 2 do table.insert(children, node.sum[i]) end
  for _, key in ipairs { "parenthesis", "negated", "left", "right" } do table.insert(children, node[key]) end
  return children
end

local spaced = {}
for sign in ("+ - * < <= > >= == !="):gmatch "%S+" do spaced[sign] = true end

--- Adds the pieces of a node's text to a list.
local function add_pieces(pieces, node)
  local function add(...)
    for _, piece in ipairs { ... } do
      if type(piece) == "table" then add_pieces(pieces, piece) else table.insert(pieces, piece) end
    end
  end
  if node.number then
    add(grammar.number(node.number))
  elseif node.name then
    add(grammar.name(node.name))
  elseif node.parenthesis then
    add("(", node.parenthesis, ")")
  elseif node.negated then
    add("-", node.negated)
  elseif node.call then
    add(node.call, "(")
    for i, argument in ipairs(node.arguments) do add(i > 1 and ", " or "", argument) end
    add ")"
  else
    add(node.left, spaced[node.operator] and (" %s "):format(node.operator) or node.operator, node.right)
  end
end

--- A node as R's deparse writes it: the name of a column.
function grammar.deparse(node)
  local pieces = {}
  add_pieces(pieces, node)
  return table.concat(pieces)
end

--- The positions of the dots in a tree, in order.
function grammar.dots(node, list)
  list = list or {}
  if node.dot then table.insert(list, node.dot) end
  for _, child in ipairs(grammar.children(node)) do grammar.dots(child, list) end
  return list
end

--- The character nearest to a place that is not blank, "" at the end.
---@param step integer   1 to the right, -1 to the left
local function next_character(text, at, step)
  local character
  repeat
    at = at + step
    character = text:sub(at, at)
  until not character:find "%s"
  return character
end

--- A formula's text with columns in the place of its dots, in parentheses where a dot is no summand. Stops at a length that
--- formula.parse refuses.
---@param positions integer[]
---@param columns string[]
function grammar.without_dots(text, positions, columns)
  local names, pieces, from, size = {}, {}, 1, #text
  for i, column in ipairs(columns) do names[i] = grammar.name(column) end
  local sum = table.concat(names, " + ")
  for _, at in ipairs(positions) do
    local is_summand = next_character(text, at, -1):find "[~+(]" and not next_character(text, at, 1):find "[^+%-)]"
    table.insert(pieces, text:sub(from, at - 1))
    table.insert(pieces, is_summand and sum or "(" .. sum .. ")")
    from, size = at + 1, size + #sum
    if size > 2 * sizes.formula_bytes then break end
  end
  return table.concat(pieces) .. text:sub(from)
end

return grammar
