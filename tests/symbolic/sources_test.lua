-- Functions are parsed alone, without the rest of their text: their trees are those of the whole text.
local home = require "libcrux.home"
local long = require "long"
local luaunit = require "luaunit"
local parser = require "crux.symbolic.parser"
local shell = require "shell"
local sources = require "crux.symbolic.sources"

local Sources = {}

--- A tree as a text: kinds, places, values and names of variables.
local function described(node)
  if type(node) ~= "table" then return tostring(node) end
  if node.name and not node.kind then return node.name end -- a variable
  local keys, parts = {}, {}
  for key in next, node do
    if key ~= "path" and key ~= "outer" and key ~= "compiled" and key ~= "target" then table.insert(keys, key) end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = ("%s=%s"):format(key, described(node[key])) end
  return "{" .. table.concat(parts, " ") .. "}"
end

--- The functions that can be reached from a value, once each.
local function functions_of(v, found, seen)
  if v == nil or seen[v] then return found end
  seen[v] = true
  if type(v) == "table" then
    for _, field in next, v do functions_of(field, found, seen) end
  elseif type(v) == "function" and debug.getinfo(v, "S").what == "Lua" then
    table.insert(found, v)
    for i = 1, debug.getinfo(v, "u").nups do functions_of(select(2, debug.getupvalue(v, i)), found, seen) end
  end
  return found
end

function Sources.test_trees_are_those_of_the_whole_text()
  long.leave_out()
  local count, by_path = 0, {}
  for _, f in ipairs(functions_of({ require "crux.kits.slide", require "crux.kits.grid", require "crux.search.search" }, {}, {})) do
    local info = debug.getinfo(f, "S")
    local path = info.source:match "^@(.*)"
    if path and path:sub(1, #home) == home and path:find(long.choose("/kits/", "/")) then
      by_path[path] = by_path[path] or select(2, parser.parse(shell.read(path), info.short_src))
      local ok, node = pcall(sources.node_of, f)
      for _, other in ipairs(ok and by_path[path] or {}) do
        if other.line == node.line and other.last_line == node.last_line and other.column == node.column then
          luaunit.assertEquals(described(node), described(other), path .. ":" .. node.line)
          count = count + 1
        end
      end
    end
  end
  luaunit.assertTrue(count > long.choose(30, 300), count)
end

--- The first function that a text returns, as a file, and its tree.
local function node_of(text)
  local path = shell.file("functions.lua", text)
  return sources.node_of(assert(loadfile(path))())
end

function Sources.test_a_name_may_be_a_constant_or_a_global()
  luaunit.assertEquals(node_of "local K <const> = 3\nreturn function(x)\n  return K, print\nend\n".body[1].list[1].value, 3)
  luaunit.assertEquals(node_of "local K --[[ ]] <const> = 3\nreturn function(x)\n  return K, print\nend\n".body[1].list[1].value, 3)
  local found = node_of "return function(x)\n  return K\nend\n".body[1].list[1]
  luaunit.assertEquals({ found.kind, found.object.variable.name, found.key.value }, { "index", "_ENV", "K" })
end

function Sources.test_methods_and_text_around()
  local node = node_of "local t, u = { a = {} }, 1\nfunction t.a:b(x)\n  return self, u, x\nend return t.a.b, [[\n]]"
  luaunit.assertEquals({ node.line, node.last_line, #node.parameters, node.parameters[1].name, node.free[1].name },
    { 2, 4, 2, "self", "u" })
end

return { Sources = Sources }
