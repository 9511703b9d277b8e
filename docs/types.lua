--- Writes declarations for editors with a Lua language server from docs/lua-api.md: lua_host docs/types.lua > types/crux.lua
---
--- In that page a paragraph that is one piece of code declares a function, a field or an alias, and the headings `crux.NAME` a
--- class, whose fields are in tables. The paragraph behind a declaration describes it, a list behind that its arguments.
local types = {}

--- The parts of a list between commas that are not within brackets.
local function split(text)
  local parts, depth, first = {}, 0, 1
  for at, c in text:gmatch "()([%(%[{<>}%]%),])" do
    if c:find "[%(%[{<]" then depth = depth + 1 elseif c ~= "," then depth = depth - 1 end
    if c == "," and depth == 0 then
      table.insert(parts, text:sub(first, at - 1))
      first = at + 2
    end
  end
  if text ~= "" then table.insert(parts, text:sub(first)) end
  return parts
end

--- The declarations of a page, each with the paragraph that describes it and the rows of its tables and lists.
---@return { kind: string, text: string, prose: string, rows: string[] }[]
local function declarations(page)
  local list = {}
  for paragraph in (page .. "\n\n"):gmatch "(.-)\n\n+" do
    local item = list[#list] or {}
    local heading, code = paragraph:match "^### (.*)$", paragraph:match "^`([^`\n]*)`$"
    if heading or code then
      table.insert(list, { kind = heading and "class" or "value", text = heading or code, prose = "", rows = {} })
    elseif paragraph:find "^#" then
      table.insert(list, { kind = "section", text = paragraph })
    elseif item.rows and paragraph:find "^[|-]" then
      for row in paragraph:gmatch "[^\n]+" do table.insert(item.rows, row) end
    elseif item.rows then
      item.prose = paragraph
    end
  end
  return list
end

local function add(lines, form, ...) table.insert(lines, (form:format(...):gsub("%s+$", ""))) end

--- A class, with its fields and operators.
local function add_class(lines, item, owners)
  local name = item.text:match "^[%w_.]+"
  add(lines, "---@class %s", item.text)
  for _, row in ipairs(item.rows) do
    local field, kind, doc = row:gsub("\\|", "\0"):match "^| `(.-)` | `(.-)` | (.-) ?|$"
    if field then
      local is_operator = field:find "%(" or field == "bnot" or field == "len"
      kind, doc = kind:gsub("%z", "|"), doc:gsub("%z", "|")
      add(lines, is_operator and "---@operator %s: %s" or "---@field %s %s   %s", field, kind, doc)
    end
  end
  local owner = name:match "[%w_]+$"
  if name:find "%.%l[%w_]*$" then
    if owners[name] then add(lines, "---@overload fun%s", owners[name]) end
    add(lines, "%s = {}", name)
  elseif owners[owner] then
    add(lines, "local %s = {}", owner)
  end
end

--- A function, by its name, its parameters and its results.
local function add_function(lines, item, name, parameters, results)
  local docs, names = {}, {}
  for _, row in ipairs(item.rows) do
    local of, doc = row:match "^%- `(.-)`: (.*)$"
    docs[of] = doc
  end
  if (parameters .. results):find "%f[%w]T%f[%W]" then add(lines, "---@generic T") end
  for i, parameter in ipairs(split(parameters)) do
    local of, kind = parameter:match "^([%w_.]+): (.*)$"
    names[i] = of or parameter
    if kind then add(lines, "---@param %s %s   %s", of, kind, docs[of] or "") end
  end
  for _, result in ipairs(results:find "^fun%(" and { results } or split(results)) do
    local of, kind = result:match "^(%l+): (.*)$"
    add(lines, "---@return %s %s", kind or result, of or "")
  end
  add(lines, "function %s(%s) end", name, table.concat(names, ", "))
end

--- A function, a field or an alias.
local function add_value(lines, item)
  local name, parameters, results = item.text:match "^([%w_.:]+)(%b())(.*)$"
  local alias, of = item.text:match "^(%S+) = (.*)$"
  local field, kind = item.text:match "^([%w_.]+): (.*)$"
  if name then
    add_function(lines, item, name, parameters:sub(2, -2), results:match "→ (.*)$" or "")
  elseif alias then
    add(lines, "---@alias %s %s", alias, of)
  else
    add(lines, "---@type %s", kind)
    add(lines, "%s = {}", field)
  end
end

--- The declarations of a page as Lua.
---@param page string   text of docs/lua-api.md
function types.of(page)
  local list, owners = declarations(page), {}
  for _, item in ipairs(list) do
    local owner = item.kind == "value" and item.text:match "^(%u%l+):"
    if owner then owners[owner] = true end
    local name, parameters, result = item.text:match "^(crux%.%l+)(%b()) → (.*)$"
    if name then owners[name] = ("%s: %s"):format(parameters, result) end
  end
  local lines = { "---@meta", "", "crux = {}" }
  for i, item in ipairs(list) do
    local is_call = item.kind == "value" and list[i - 1].text == item.text:match "^[%w_.]+" -- of the table before: an overload
    if item.kind ~= "section" and not is_call then
      table.insert(lines, "")
      for line in item.prose:gmatch "[^\n]+" do add(lines, "--- %s", line) end
      if item.kind == "class" then add_class(lines, item, owners) else add_value(lines, item) end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

if arg and arg[0] == "docs/types.lua" then
  local file <close> = assert(io.open("docs/lua-api.md", "rb"))
  io.write(types.of(file:read "a"))
  return 0
end
return types
