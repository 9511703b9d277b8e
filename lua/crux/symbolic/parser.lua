--- Lua 5.4's grammar: from a text to a tree whose names are resolved to variables.
---
--- Each node has its kind, and the line and column of its first token; binary, and, or and index have those of the sign.
--- Expressions:
---   value { value }, varargs, variable { variable }, group { [1] }, index { object, key },
---   table { fields = { { key?, value } } }, unary { sign, [1] }, binary { sign, [1], [2] }, and and or as binary,
---   call { of, arguments }, method { object, name, arguments }, function (below)
--- Statements:
---   local { variables, list }, local function { variable, [1] }, assign { targets, list }, do call { [1] }, do { block },
---   if { { condition, block }..., otherwise? }, while { condition, block }, repeat { block, condition },
---   count { variables, list, block } of a numeric loop, for { variables, list, block }, return { list }, break,
---   goto { label, target = the label's node }, label { label }
--- A global name is an index of the variable _ENV. The use of a variable that is a constant to Lua's compiler is a value.
---
--- A variable has name, owner (the function of which it is a variable or parameter), line, column, attribute ("const",
--- "close" or nil), is_captured (an inner function uses it) and is_assigned (after its declaration, as a local function is).
--- A function has line, last_line (0 of the main function), parameters, is_vararg, free (its upvalues in the order of their
--- first use), as debug.getinfo and debug.getupvalue tell them of its closures; column, body, the function around: outer, and
--- outside_target: the first target of an assignment in it that is a variable, or is in a table, from outside of it.
local constant = require "crux.symbolic.constant"
local fault = require "crux.base.fault"
local scopes = require "crux.symbolic.scopes"
local tokens = require "crux.symbolic.tokens"

local parser = {}

--- The priority of binary operators, and the least of those in their right side: .. and ^ group to the right.
local left_priority, right_priority = {}, {}
for priority, signs in ipairs { "or", "and", "< > <= >= ~= ==", "|", "~", "&", "<< >>", "..", "+ -", "* / // %", "", "^" } do
  for sign in signs:gmatch "%S+" do
    left_priority[sign], right_priority[sign] = priority, (sign == ".." or sign == "^") and priority - 1 or priority
  end
end
local UNARY <const> = 11
local unary_signs = { ["not"] = true, ["-"] = true, ["#"] = true, ["~"] = true }
local words = { ["nil"] = {}, ["true"] = { true }, ["false"] = { false } }

--- The ends of blocks; labels before these are in the scope of no variable of the block.
local ends_block = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["end of file"] = true }

--- Parses a text. Raises the fault of the first mistake, at its line and column.
---@param text string
---@param name string         of the text, in messages
---@param upvalues string[]?   if the text begins with a function, which alone is parsed: the names of its upvalues
---@return FunctionNode main   or that function
---@return FunctionNode[] functions   in the order of their beginnings, the main function first
---@return table<string, boolean> globals
function parser.parse(text, name, upvalues)
  local kinds, values, lines, columns
  local at, kind = 1, nil -- the current token
  local loops = 0 -- of the current function around
  local functions, globals = {}, {}
  local expression, block, body, statement

  local function refuse(found, expected, place)
    place = place or { line = lines[at], column = columns[at] }
    fault.at(("%s:%d: column %d"):format(name, place.line, place.column), found, expected)
  end
  kinds, values, lines, columns = tokens.of(text, refuse)
  local scope_of = scopes.new(refuse)

  local function unexpected(expected)
    local value = values[at]
    local found = kind == "string" and "a text" or kind == "end of file" and "the end of the file" or fault.show(value or kind)
    refuse(found, expected)
  end

  local function advance()
    at = at + 1
    kind = kinds[at]
  end

  local function take(wanted)
    if kind ~= wanted then return false end
    advance()
    return true
  end

  local function expect(wanted)
    if kind ~= wanted then unexpected(wanted == "name" and "a name" or ("'%s'"):format(wanted)) end
    advance()
    return values[at - 1]
  end

  --- A value at the place of a token.
  local function value_node(token, value)
    return { kind = "value", line = lines[token], column = columns[token], value = value }
  end

  --- The name at the current token as a new variable.
  local function new_variable()
    return { line = lines[at], column = columns[at], owner = scope_of.fn, name = expect "name" }
  end

  local function name_node()
    local line, column, word = lines[at], columns[at], expect "name"
    local variable = scope_of:find(word)
    local known = variable and variable.constant
    if known then return { kind = "value", line = line, column = column, value = known[1], variable = variable } end
    local e = { kind = "variable", line = line, column = column, variable = variable or scope_of:find "_ENV" }
    if not variable then globals[word] = true end
    return variable and e or { kind = "index", line = line, column = column, object = e, key = value_node(at - 1, word) }
  end

  local function list_of()
    local list = { expression(0) }
    while take "," do list[#list + 1] = expression(0) end
    return list
  end

  local function table_node()
    local first, fields = at, {}
    expect "{"
    while kind ~= "}" do
      local key = nil
      if take "[" then
        key = expression(0)
        expect "]"
        expect "="
      elseif kind == "name" and kinds[at + 1] == "=" then
        key = value_node(at, values[at])
        at = at + 1
        advance()
      end
      fields[#fields + 1] = { key = key, value = expression(0) }
      if not (take "," or take ";") then break end
    end
    expect "}"
    return { kind = "table", line = lines[first], column = columns[first], fields = fields }
  end

  local function arguments()
    if take "string" then return { value_node(at - 1, values[at - 1]) } end
    if kind == "{" then return { table_node() } end
    if not take "(" then unexpected "the arguments of a call" end
    local list = kind == ")" and {} or list_of()
    expect ")"
    return list
  end

  --- An index by a name, after its sign.
  local function field_of(object)
    local line, column = lines[at - 1], columns[at - 1]
    return { kind = "index", line = line, column = column, object = object, key = value_node(at, expect "name") }
  end

  --- A name or an expression in parentheses, with the indices and calls that follow.
  local function primary()
    local first, e = at, nil
    local line, column = lines[first], columns[first]
    if kind == "name" then
      e = name_node()
    elseif take "(" then
      e = { kind = "group", line = line, column = column, expression(0) }
      expect ")"
    else
      unexpected "an expression"
    end
    while true do
      local sign = at
      if take "." then
        e = field_of(e)
      elseif take "[" then
        e = { kind = "index", line = lines[sign], column = columns[sign], object = e, key = expression(0) }
        expect "]"
      elseif take ":" then
        e = { kind = "method", line = line, column = column, object = e, name = expect "name", arguments = arguments() }
      elseif kind == "(" or kind == "string" or kind == "{" then
        e = { kind = "call", line = line, column = column, of = e, arguments = arguments() }
      else
        return e
      end
    end
  end

  local function simple()
    local first, word = at, words[kind]
    if kind == "name" or kind == "(" then return primary() end
    if kind == "{" then return table_node() end
    if take "number" or take "string" then return value_node(first, values[first]) end
    if take "function" then return body(at, first) end
    if word then
      advance()
      return value_node(first, word[1])
    end
    if not take "..." then unexpected "an expression" end
    local e = { kind = "varargs", line = lines[first], column = columns[first] }
    if not scope_of.fn.is_vararg then refuse("'...' in a function without varargs", "'...' among its parameters", e) end
    return e
  end

  --- An expression with the binary operators of a priority above `least`.
  function expression(least)
    local left
    local line, column, sign = lines[at], columns[at], kind
    if unary_signs[sign] then
      advance()
      left = { kind = "unary", line = line, column = column, sign = sign, expression(UNARY) }
    else
      left = simple()
    end
    while (left_priority[kind] or 0) > least do
      line, column, sign = lines[at], columns[at], kind
      advance()
      left = { kind = (sign == "and" or sign == "or") and sign or "binary", line = line, column = column, sign = sign,
        left, expression(right_priority[sign]) }
    end
    return left
  end

  --- A function from the parenthesis before its parameters.
  ---@param defined integer   the token whose line debug.getinfo tells
  ---@param first integer     the token `function`
  function body(defined, first, is_method)
    local fn = { kind = "function", line = lines[defined], column = columns[first], parameters = {}, is_vararg = false,
      free = {} }
    local outer_loops = loops
    functions[#functions + 1], loops = fn, 0
    scope_of:enter(fn)
    local scope = scope_of:open()
    expect "("
    if is_method then fn.parameters[1] = { name = "self", owner = fn, line = fn.line, column = fn.column } end
    if kind ~= ")" then
      repeat
        if take "..." then fn.is_vararg = true else table.insert(fn.parameters, new_variable()) end
      until fn.is_vararg or not take ","
    end
    expect ")"
    for _, variable in ipairs(fn.parameters) do scope_of:declare(variable) end
    fn.body = block()
    scope_of:close(scope)
    fn.last_line = lines[at]
    expect "end"
    scope_of:leave()
    loops = outer_loops
    return fn
  end

  --- The block of a statement to its keyword `end`.
  local function last_block()
    local list = block()
    expect "end"
    return list
  end

  --- The block of a loop, from the keyword `do` unless its scope is given.
  local function loop_block(scope)
    if not scope then expect "do" end
    loops = loops + 1
    local list = block(scope)
    loops = loops - 1
    expect(scope and "until" or "end")
    return list
  end

  --- Statements: each function completes a node, from what follows the keyword.
  local statements = {}

  statements["if"] = function(s)
    repeat
      local condition = expression(0)
      expect "then"
      table.insert(s, { condition = condition, block = block() })
    until not take "elseif"
    if take "else" then s.otherwise = last_block() else expect "end" end
  end

  statements["while"] = function(s) s.condition, s.block = expression(0), loop_block() end

  statements["do"] = function(s) s.block = last_block() end

  statements["repeat"] = function(s)
    local scope = scope_of:open()
    s.block, s.condition = loop_block(scope), expression(0)
    scope_of:close(scope)
  end

  statements["for"] = function(s)
    s.variables = { new_variable() }
    while take "," do table.insert(s.variables, new_variable()) end
    if #s.variables == 1 and take "=" then s.kind = "count" else expect "in" end
    s.list = list_of()
    if s.kind == "count" and (#s.list < 2 or #s.list > 3) then
      refuse(("a numeric loop of %d values"):format(#s.list), "its first, its last and perhaps its step", s)
    end
    local scope = scope_of:open()
    for _, variable in ipairs(s.variables) do scope_of:declare(variable) end
    s.block = loop_block()
    scope_of:close(scope)
  end

  --- Notes that an expression is assigned to; refuses one that cannot be.
  local function check_target(e)
    local variable = e.variable
    if not variable and e.kind ~= "index" then refuse("an expression alone", "a call or an assignment", e) end
    scope_of:note_target(e)
    if not variable then return end
    if variable.attribute then refuse(("an assignment to the constant '%s'"):format(variable.name), "a variable", e) end
    variable.is_assigned = true
  end

  statements["function"] = function(s)
    local first, target = at - 1, name_node()
    while take "." do target = field_of(target) end
    local is_method = take ":"
    if is_method then target = field_of(target) end
    check_target(target)
    s.kind, s.targets, s.list = "assign", { target }, { body(first, first, is_method) }
  end

  statements["local"] = function(s)
    if take "function" then
      local first = at - 1
      s.kind, s.variable = "local function", new_variable()
      s.variable.is_assigned = true -- its function exists later than it does
      scope_of:declare(s.variable)
      s[1] = body(at, first)
      return
    end
    s.variables = {}
    local closing = 0
    repeat
      local variable = new_variable()
      if take "<" then
        if values[at] ~= "const" and values[at] ~= "close" then unexpected "the attribute 'const' or 'close'" end
        variable.attribute = expect "name"
        if variable.attribute == "close" then closing = closing + 1 end
        if closing > 1 then refuse("a second variable to be closed", "one in a statement", variable) end
        expect ">"
      end
      table.insert(s.variables, variable)
    until not take ","
    s.list = take "=" and list_of() or {}
    local last = s.variables[#s.variables]
    if last.attribute == "const" and #s.list == #s.variables then
      local is_known, value = constant(s.list[#s.list])
      if is_known then last.constant = { value } end
    end
    for _, variable in ipairs(s.variables) do scope_of:declare(variable) end
  end

  statements["return"] = function(s)
    s.list = (ends_block[kind] or kind == "until" or kind == ";") and {} or list_of()
    take ";"
    if not ends_block[kind] and kind ~= "until" then unexpected "the end of the block after return" end
  end

  statements["break"] = function(s)
    if loops == 0 then refuse("a break outside of loops", "one in a loop", s) end
  end

  statements["goto"] = function(s)
    s.label = expect "name"
    scope_of:go(s)
  end

  statements["::"] = function(s, scope, list)
    s.kind, s.label = "label", expect "name"
    expect "::"
    while kind == ";" or kind == "::" do statement(scope, list) end
    scope_of:label(s, scope, ends_block[kind] or false)
  end

  --- Appends a statement of a scope to a list.
  function statement(scope, list)
    if take ";" then return end
    local s, complete = { kind = kind, line = lines[at], column = columns[at] }, statements[kind]
    if complete then
      advance()
      complete(s, scope, list)
    else
      local e = primary()
      if e.kind == "call" or e.kind == "method" then
        s.kind, s[1] = "do call", e
      else
        s.kind, s.targets = "assign", { e }
        while take "," do table.insert(s.targets, primary()) end
        for _, target in ipairs(s.targets) do check_target(target) end
        expect "="
        s.list = list_of()
      end
    end
    list[#list + 1] = s
  end

  --- The statements of a block.
  ---@param scope table?   which the caller closes; unless given, the block has one of its own
  function block(scope)
    local own, list, is_open = scope or scope_of:open(), {}, true
    while is_open and not ends_block[kind] and kind ~= "until" do
      is_open = kind ~= "return"
      statement(own, list)
    end
    if not scope then scope_of:close(own) end
    return list
  end

  local main = { kind = "function", line = 0, last_line = 0, column = 1, parameters = {}, is_vararg = true, free = {} }
  functions[1], kind = main, kinds[1]
  scope_of:enter(main)
  scope_of:declare { name = "_ENV", owner = upvalues and main }
  if upvalues then
    for _, word in ipairs(upvalues) do scope_of:declare { name = word, owner = main } end
    expect "function"
    local is_method = false
    while kind == "name" or kind == "." or kind == ":" do
      is_method = kind == ":"
      advance()
      if is_method then advance() end
    end
    return body(at, 1, is_method), functions, globals
  end
  scope_of:find "_ENV"
  main.body = block()
  if kind ~= "end of file" then unexpected "a statement" end
  scope_of:leave()
  return main, functions, globals
end

return parser
