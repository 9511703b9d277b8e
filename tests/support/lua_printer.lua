--- Turns a tree of lua/crux/symbolic/parser.lua back into text that Lua compiles to the same bytecode: each variable has a name of
--- its own, so that a use of a wrong variable shows; functions begin and end in their lines.

--- Calls add(text) for each piece of the text of a tree; at_line(n) comes before what stands in line n.
local function print_tree(main, add, at_line)
  local names, count = {}, 0
  local expression, block

  local function name_of(variable)
    if variable.name == "_ENV" and not variable.owner then return "_ENV" end
    if not names[variable] then
      count = count + 1
      names[variable] = ("%s_%d"):format(variable.name, count)
    end
    return names[variable]
  end

  local function literal(value)
    if value ~= value then error "NaN" end
    if value == math.huge or value == -math.huge then return value > 0 and "1e999" or "-1e999" end
    return ("%q"):format(value):gsub("\\\n", "\\n")
  end

  local function each(list, visit)
    for i, item in ipairs(list) do
      if i > 1 then add "," end
      visit(item)
    end
  end

  local function body(fn, is_method)
    at_line(fn.line)
    add "("
    local parameters = table.move(fn.parameters, is_method and 2 or 1, #fn.parameters, 1, {})
    if fn.is_vararg then table.insert(parameters, false) end
    each(parameters, function(variable) add(variable and name_of(variable) or "...") end)
    add ")"
    block(fn.body)
    at_line(fn.last_line)
    add "end"
  end

  local expressions = {
    value = function(e) add(e.variable and name_of(e.variable) or (literal(e.value))) end,
    varargs = function() add "..." end,
    variable = function(e) add(name_of(e.variable)) end,
    group = function(e) add "(" expression(e[1]) add ")" end,
    index = function(e)
      expression(e.object, true)
      add "[" expression(e.key) add "]"
    end,
    table = function(e)
      add "{"
      each(e.fields, function(field)
        if field.key then add "[" expression(field.key) add "] =" end
        expression(field.value)
      end)
      add "}"
    end,
    unary = function(e)
      add(e.sign)
      expression(e[1])
    end,
    ["function"] = function(e)
      add "function"
      body(e)
    end,
    call = function(e)
      expression(e.of, true)
      add "(" each(e.arguments, expression) add ")"
    end,
    method = function(e)
      expression(e.object, true)
      add(":" .. e.name .. "(") each(e.arguments, expression) add ")"
    end,
  }
  function expressions.binary(e)
    expression(e[1])
    add(e.sign)
    expression(e[2])
  end
  expressions["and"], expressions["or"] = expressions.binary, expressions.binary

  local prefixes = { variable = true, group = true, index = true, call = true, method = true }
  local operators = { binary = true, unary = true, ["and"] = true, ["or"] = true }

  --- Groups operands anew, as the tree has them; parentheses around them change no bytecode. (Those around calls and varargs do.)
  function expression(e, is_prefix)
    local is_grouped = operators[e.kind] or is_prefix and not prefixes[e.kind]
    if is_grouped then add "(" end
    expressions[e.kind](e)
    if is_grouped then add ")" end
  end

  local function variables(list)
    each(list, function(variable) add(name_of(variable) .. (variable.attribute and (" <%s>"):format(variable.attribute) or "")) end)
  end

  local function do_block(list) add "do" block(list) add "end" end

  local statements = {
    ["local"] = function(s)
      add "local"
      variables(s.variables)
      if #s.list > 0 then add "=" each(s.list, expression) end
    end,
    ["local function"] = function(s)
      add("local function " .. name_of(s.variable))
      body(s[1])
    end,
    assign = function(s)
      each(s.targets, function(target) expressions[target.kind](target) end)
      add "=" each(s.list, expression)
    end,
    ["do call"] = function(s) expression(s[1]) end,
    ["do"] = function(s) do_block(s.block) end,
    ["if"] = function(s)
      for i, clause in ipairs(s) do
        add(i == 1 and "if" or "elseif")
        expression(clause.condition)
        add "then"
        block(clause.block)
      end
      if s.otherwise then add "else" block(s.otherwise) end
      add "end"
    end,
    ["while"] = function(s) add "while" expression(s.condition) do_block(s.block) end,
    ["repeat"] = function(s) add "repeat" block(s.block) add "until" expression(s.condition) end,
    count = function(s)
      add "for" variables(s.variables)
      add "=" each(s.list, expression)
      do_block(s.block)
    end,
    ["for"] = function(s)
      add "for" variables(s.variables)
      add "in" each(s.list, expression)
      do_block(s.block)
    end,
    ["return"] = function(s) add "return" each(s.list, expression) end,
    ["break"] = function() add "break" end,
    ["goto"] = function(s) add("goto " .. s.label) end,
    label = function(s) add("::" .. s.label .. "::") end,
  }
  function block(list)
    for i, s in ipairs(list) do
      statements[s.kind](s)
      if i < #list then add ";" end -- a statement may begin with a parenthesis
    end
  end

  block(main.body)
end

return function(main)
  local pieces, line = {}, 1
  print_tree(main, function(text)
    table.insert(pieces, text)
    table.insert(pieces, " ")
  end, function(wanted)
    assert(line <= wanted, "a function begins or ends before its line")
    table.insert(pieces, ("\n"):rep(wanted - line))
    line = wanted
  end)
  return table.concat(pieces)
end
