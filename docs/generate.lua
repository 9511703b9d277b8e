--- Generates the pages of docs/ that repeat what the code says: commands, the C interface and the Lua library.
---
--- `make docs` writes them; tests/project/docs_test.lua compares them with what this gives.

local generate = {}

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

--- What crux prints.
local function printed(line)
  local pipe <close> = assert(io.popen(("'%s' %s"):format(os.getenv "CRUX" or "./crux", line)))
  return pipe:read "a"
end

--- Puts the lines of a paragraph together.
local function joined(lines) return table.concat(lines, " "):gsub("%s+", " "):match "^ ?(.-) ?$" end

--- Every command's help.
local function commands()
  local parts = { "# Commands\n\nGenerated from the table of commands (`make docs`): what `crux help COMMAND` prints.\n\n" }
  local sections, help = {}, printed "help" .. "\n"
  local function add(name, summary)
    table.insert(parts, ("- [%s](#%s): %s\n"):format(name, name, summary))
    table.insert(sections, ("\n## %s\n\n```\n%s\n```\n"):format(name, (printed("help " .. name):gsub("%s+$", ""))))
  end
  for title, rows in help:gmatch "(%u[^\n]*):\n(   %l.-)\n\n" do
    table.insert(parts, ("%s**%s**\n\n"):format(#sections > 0 and "\n" or "", title))
    for name, summary in rows:gmatch "   (%l+)%s+([^\n]*)" do add(name, summary) end
  end
  for topic, summary in help:gmatch "'crux help (%l+)' ([^'.]+)%." do add(topic, summary) end
  return table.concat(parts) .. table.concat(sections)
end

--- What a C comment says, its paragraphs put together.
local function prose_of(comment)
  local paragraphs, lines = {}, {}
  for line in (comment:gsub("^/%*", ""):gsub("%*/$", "") .. "\n\n"):gmatch "([^\n]*)\n" do
    local text = line:gsub("^ ?%*? ?", "") -- of the comment's frame
    if text:find "%S" then
      table.insert(lines, text)
    elseif #lines > 0 then
      table.insert(paragraphs, joined(lines))
      lines = {}
    end
  end
  return paragraphs
end

--- src/crux.h: its first comment, and each declaration with the comment in front.
local function c_interface()
  local text = read "src/crux.h"
  local first, rest = text:match "^(/%*.-%*/)(.*)$"
  local parts = { "# The C interface\n\nGenerated from the comments of `src/crux.h` (`make docs`).\n" }
  for _, paragraph in ipairs(prose_of(first)) do table.insert(parts, "\n" .. paragraph .. "\n") end
  table.insert(parts, [[

`examples/embed.c` and `examples/editor.c` are whole programs. If crux is installed,
`cc embed.c $(pkg-config --cflags --libs crux)` is enough; in crux's folder:

```
cc -Isrc examples/embed.c -L. -lcrux -Wl,-rpath,"$PWD" -o embed && ./embed
```

The editor parses, solves, measures and rates a level at each edit, or says in one line why there is no rating. The times of
edits of the levels in `datasets/levels/`, on a machine with two processors (AMD EPYC) that had other work to do (`make bench`
measures them anew):

| game | edits | median | 99 % within | slowest |
|---|---|---|---|---|
| Move | 2,436 | 0.19 ms | 5.8 ms | 92 ms |
| Flow | 3,232 | 0.13 ms | 2.2 ms | 18 ms |

The process has 9 MB of memory after 1,000 edits of a level, and after 20,000. A level that takes more than 1 s or 256 MB to
solve gets no rating.
]])
  for part in (rest .. "\n"):gmatch "(.-)\n\n" do
    local comment, declaration = part:gsub("CRUX_API ", ""):match "^%s*(/%*.-%*/)\n(.+;)$"
    if comment then
      local name = declaration:match "(crux_[%l_]+)%)?%(" or declaration:match "([%l_]+);$"
      local prose = table.concat(prose_of(comment), "\n\n")
      table.insert(parts, ("\n## %s\n\n%s\n\n```c\n%s\n```\n"):format(name, prose, declaration))
    end
  end
  return table.concat(parts)
end

---@class Documented         what follows a comment of LuaLS's kind
---@field prose string[]     lines
---@field tags { [1]: string, [2]: string }[]   "param" and what follows it
---@field line string?       the line of code

--- The comments with `---` of a file.
---@return Documented[]
local function documented(path)
  local list, item = {}, nil
  for line in (read(path) .. "\n"):gmatch "([^\n]*)\n" do
    local tag, rest = line:match "^%-%-%-@(%l+)%s*(.*)$"
    local prose = not tag and line:match "^%-%-%- ?(.*)$"
    item = item or { prose = {}, tags = {} }
    if tag then
      table.insert(item.tags, { tag, rest })
    elseif prose and #item.tags > 0 then -- goes on with the tag before
      item.tags[#item.tags][2] = item.tags[#item.tags][2] .. " " .. prose:match "^%s*(.*)$"
    elseif prose then
      table.insert(item.prose, prose)
    else
      item.line = line
      if #item.prose + #item.tags > 0 then table.insert(list, item) end
      item = nil
    end
  end
  return list
end

--- What begins with a type, and the rest of it: types have blanks only within brackets, and after commas, colons and `|`.
local function split_type(text)
  local depth, at = 0, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c:find "[%(%[{<]" then depth = depth + 1 elseif c:find "[%)%]}>]" then depth = depth - 1 end
    if c == " " and depth == 0 and not text:sub(at - 1, at - 1):find "[:,|]" then break end
    at = at + 1
  end
  return text:sub(1, at - 1), text:sub(at):match "^%s*(.*)$"
end

--- A function's heading, with types, and what is said of parameters and results.
local function function_section(item, name, arguments)
  local types, notes, results = {}, {}, {}
  for _, tag in ipairs(item.tags) do
    if tag[1] == "param" then
      local param, rest = tag[2]:match "^(%S+)%s+(.*)$"
      local kind, doc = split_type(rest)
      types[param:gsub("%?$", "")] = kind
      if doc ~= "" then table.insert(notes, ("- `%s`: %s\n"):format(param, doc)) end
    elseif tag[1] == "return" then
      local kind, doc = split_type(tag[2])
      local is_name = doc:find "^%l+$"
      table.insert(results, is_name and ("%s: %s"):format(doc, kind) or kind)
      if doc ~= "" and not is_name then table.insert(notes, ("- returns `%s`: %s\n"):format(kind, doc)) end
    end
  end
  local signature = arguments:gsub("[%w_.]+", function(word)
    return types[word] and ("%s: %s"):format(word, types[word]) or word
  end)
  if #results > 0 then signature = ("%s → %s"):format(signature, table.concat(results, ", ")) end
  local prose = joined(item.prose)
  return ("\n`%s%s`\n%s%s"):format(name, signature, prose ~= "" and "\n" .. prose .. "\n" or "",
    #notes > 0 and "\n" .. table.concat(notes) or "")
end

local function tag_of(item, name)
  for _, tag in ipairs(item.tags) do
    if tag[1] == name then return tag[2] end
  end
end

--- The documented functions and classes of lua/crux/api/library.lua, without its local functions.
local function lua_library()
  local path = "lua/crux/api/library.lua"
  local parts = { ("# The Lua library\n\nGenerated from the comments of `%s` and the declarations of tasks "):format(path),
    "(`make docs`). A type with `?` may be nil.\n" }
  for i, item in ipairs(documented(path)) do
    local name, arguments = item.line:match "^function library%.([%w_.:]+)(%b())"
    local field = item.line:match "^library%.([%w_.]+) = "
    if i == 1 then
      table.insert(parts, ("\n%s\n"):format(joined(item.prose)))
    elseif name then
      table.insert(parts, function_section(item, "crux." .. name, arguments))
    elseif field and #item.prose > 0 then
      local kind = tag_of(item, "type")
      table.insert(parts, ("\n`crux.%s%s`\n\n%s\n"):format(field, kind and ": " .. kind or "", joined(item.prose)))
    end
  end
  return table.concat(parts)
end

--- The tasks with their arguments and options, from their declarations.
local function tasks()
  local call, json = require "crux.task.shared.call", require "crux.base.json"
  local parts = { "\n## Tasks\n\nWhat `crux.task(name, values)` takes, and so `crux_call` of [the C interface](c-api.md) ",
    "and the functions of [Python](python.md): values by the names of arguments and options. ",
    "The page of [commands](commands.md) tells what they do.\n" }
  for _, name in ipairs(call.names) do
    local task = call.declaration(call.load(name))
    table.insert(parts, ("\n### %s\n\n%s\n\n| | type | default | |\n|---|---|---|---|\n"):format(name, task[1][2]))
    for _, pair in ipairs(task[3][2]) do
      local row = json.plain(pair[2])
      local kind = (row.takes or row.type) .. (row.unit and ", in " .. row.unit or "") .. (row.is_list and "; several" or "")
      local cells = { "`" .. pair[1] .. "`", row.choices and table.concat(row.choices, ", ") or kind,
        row.default and "`" .. row.default .. "`" or "", (row.doc:gsub("|", "\\|")) }
      table.insert(parts, ("| %s |\n"):format(table.concat(cells, " | ")))
    end
  end
  return table.concat(parts)
end

--- The text of each generated page, by path.
---@return table<string, string>
function generate.pages()
  return { ["docs/commands.md"] = commands(), ["docs/c-api.md"] = c_interface(),
    ["docs/library.md"] = lua_library() .. tasks() }
end

--- Writes them.
function generate.write()
  for path, text in pairs(generate.pages()) do
    local file <close> = assert(io.open(path, "wb"))
    assert(file:write(text))
  end
  return 0
end

return arg and arg[0] == "docs/generate.lua" and generate.write() or generate
