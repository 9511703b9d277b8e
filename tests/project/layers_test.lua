--- Each room of the house uses only the rooms that its row of a table allows (docs/architecture.md shows the tables).
local luaunit = require "luaunit"
local shell = require "shell"

local Layers = {}

--- The rooms of a table of docs/architecture.md from the lowest to the highest, each with those that it may use; "all" are all
--- below it.
---@param heading string   the words before the table
---@return string[][]
local function rooms_of(heading)
  local rooms, below = {}, ""
  local rows = shell.read("docs/architecture.md"):match(heading .. "[^\n]*\n\n|[^\n]*\n|[^\n]*\n(.-\n)\n")
  for name, uses in rows:gmatch "| `(%l+)` |[^\n]*| ([%l ]*) ?|\n" do
    table.insert(rooms, { name, uses:find "^all" and below or uses })
    below = below .. " " .. name
  end
  assert(#rooms > 10, heading)
  return rooms
end

local c_rooms, lua_rooms = rooms_of "The rooms of `src/`", rooms_of "The rooms of `lua/crux/`:"

local most_files = 25 -- of a room; NAME.c, NAME.h and NAME_lua.c count once
local most_lines = 400 -- of a file

--- The rooms and files that may be larger, each with a reason in docs/architecture.md.
local larger = {}
for row in shell.read("docs/architecture.md"):match("| larger |[^\n]*\n|[^\n]*\n(.-\n)\n"):gmatch "| ([^|]+) |[^\n]+\n" do
  for name in row:gmatch "`([^`]+)`" do larger[name] = true end
end

---@class Edge
---@field from string   file
---@field to string     file, or symbol
---@field room string   of `from`
---@field target string   room of `to`

local function listing(command)
  local result = shell.lines(shell.run(command).out)
  assert(#result > 0, command)
  return result
end

local function text_of(path)
  local file <close> = assert(io.open(path, "r"))
  return file:read "a"
end

--- The texts of the files that a shell pattern names, by path.
local function texts(pattern)
  local result = {}
  for _, path in ipairs(listing("ls " .. pattern)) do result[path] = text_of(path) end
  return result
end

local function c_files() return texts "src/*/*.[ch]" end
local function lua_files() return texts "lua/crux/*/*.lua lua/crux/*/*/*.lua" end

local function c_room(path) return path:match "^src/(%l+)/" end
local function lua_room(path) return path:match "^lua/crux/(%l+)/" end

--- Calls visit(from, to) for each #include of a file of src/.
local function each_include(files, visit)
  for path, text in pairs(files) do
    for header in ("\n" .. text):gmatch '\n#include "([^"]+)"' do
      if header ~= "crux.h" then visit(path, "src/" .. header) end
    end
  end
end

--- Calls visit(from, to) for each module of crux that a file names where modules are named: after require and in jobs.map.
local function each_require(files, visit)
  for path, text in pairs(files) do
    for module in text:gmatch "[\"']crux%.([%w_.-]+)[\"']" do
      local name = "lua/crux/" .. module:gsub("%.", "/")
      local to = files[name .. ".lua"] and name .. ".lua" or files[name .. "/init.lua"] and name .. "/init.lua"
      if to and to ~= path then visit(path, to) end
    end
  end
end

--- Calls visit(from, to) for each symbol that an object of the library uses and another defines: both as files of src/.
local function each_symbol(objects, visit)
  local defines, uses = {}, {}
  for _, line in ipairs(objects) do
    local object, kind, name = line:match "^.-([%w_]+/[%w_]+)%.o:%s*%x*%s+(%u) ([%w_]+)"
    if kind == "U" then table.insert(uses, { object, name })
    elseif kind then defines[name] = object end
  end
  for _, use in ipairs(uses) do
    local to = defines[use[2]]
    if to and to ~= use[1] then visit(("src/%s.c"):format(use[1]), ("src/%s.c"):format(to)) end
  end
end

--- The faults of edges: a line for each that the table does not allow.
local function misplaced(rooms, room_of, each)
  local allowed, faults = {}, {}
  for _, row in ipairs(rooms) do
    allowed[row[1]] = { [row[1]] = true }
    for name in (row[2] or ""):gmatch "%S+" do
      assert(allowed[name], name .. " stands below " .. row[1])
      allowed[row[1]][name] = true
    end
  end
  each(function(from, to)
    local room, target = room_of(from), room_of(to)
    if room and not (allowed[room] and allowed[room][target]) then
      faults[("%s uses %s: room '%s' may not use '%s'"):format(from, to, room, tostring(target))] = true
    end
  end)
  return faults
end

--- The faults of edges: a line for each file that uses itself through others.
local function cycles(each)
  local graph, state, faults = {}, {}, {}
  each(function(from, to)
    graph[from] = graph[from] or {}
    graph[from][to] = true
  end)
  local way = {}
  local function visit(file)
    state[file] = "open"
    table.insert(way, file)
    for to in pairs(graph[file] or {}) do
      if state[to] == "open" then faults[("a cycle: %s -> %s"):format(table.concat(way, " -> "), to)] = true
      elseif not state[to] then visit(to) end
    end
    table.remove(way)
    state[file] = "done"
  end
  for file in pairs(graph) do
    if not state[file] then visit(file) end
  end
  return faults
end

local function lines(faults)
  local list = {}
  for fault in pairs(faults) do table.insert(list, fault) end
  table.sort(list)
  return table.concat(list, "\n")
end

--- The objects of the library with what they define and use, as nm prints it; nil without nm.
local function symbols()
  if not shell.run("command -v nm").out:find "nm" then return nil end
  local build = shell.program:match "^(.*build/[^/]+)/crux$" or "."
  if not io.open(build .. "/libcrux.a") then return nil end
  -- The archive knows objects by name alone: which room each is in, its source tells.
  local rooms, list = {}, {}
  for path in pairs(c_files()) do rooms[path:match "([%w_]+)%.%l$"] = c_room(path) end
  for _, line in ipairs(listing("nm -A -g " .. build .. "/libcrux.a")) do
    local name, rest = line:match ":([%w_]+)%.o(:.*)$"
    if name and rooms[name] then table.insert(list, ("%s/%s.o%s"):format(rooms[name], name, rest)) end
  end
  return list
end

--- Each kind of edge: its table of rooms, the room of a file, and what calls visit(from, to) for every edge.
local kinds = {
  includes = { c_rooms, c_room, function(visit) each_include(c_files(), visit) end },
  requires = { lua_rooms, lua_room, function(visit) each_require(lua_files(), visit) end },
  symbols = { c_rooms, c_room, function(visit)
    local objects = symbols()
    if objects then each_symbol(objects, visit) end
  end },
}

for name, kind in pairs(kinds) do
  Layers["test_" .. name] = function()
    luaunit.assertEquals(lines(misplaced(table.unpack(kind))), "")
    luaunit.assertEquals(lines(cycles(kind[3])), "")
  end
end

--- Lua's headers are for bindings (NAME_lua.c), and for the rooms lua, limits and host.
function Layers.test_lua_is_known_to_bindings_alone()
  local faults = {}
  for path, text in pairs(c_files()) do
    local knows = path:find "_lua%.[ch]$" or path:find "^src/lua/" or path:find "^src/limits/" or path:find "^src/host/"
    if not knows and (text:find "#include <lua" or text:find "#include <lauxlib") then
      faults[path .. ": a primitive knows no Lua, so that it can be tested without: move this to a sibling NAME_lua.c"] = true
    end
  end
  luaunit.assertEquals(lines(faults), "")
end

--- Words of compilers for the system that they compile for, and headers that only one system has.
local systems = { "__linux", "__gnu_linux", "__GLIBC__", "__APPLE__", "__EMSCRIPTEN__", "__wasm", "_WIN32", "<malloc.h>",
  "<sys/eventfd.h>", "<sys/epoll.h>", "<dlfcn.h>", "<sched.h>", "/proc/" }

local function file_that_knows_a_system(files)
  for path, text in pairs(files) do
    for _, word in ipairs(systems) do
      if text:find(word, 1, true) then return path .. ": " .. word end
    end
  end
end

function Layers.test_only_port_and_the_wall_know_the_system()
  local files = c_files()
  for path in pairs(files) do
    if path:find "^src/port/" or path == "src/limits/wall.c" then files[path] = nil end
  end
  luaunit.assertNil(file_that_knows_a_system(files))
  luaunit.assertEquals(file_that_knows_a_system { ["src/base/new.c"] = "#if defined __APPLE__" }, "src/base/new.c: __APPLE__")
end

--- Rooms and files are small, but for those that have a reason; no reason is left of one that is small again.
function Layers.test_rooms_and_files_are_small()
  local large = {}
  for _, folder in ipairs(listing "find src lua/crux -mindepth 1 -type d -not -empty") do
    local names, count = {}, 0
    for _, path in ipairs(listing(("find %s -maxdepth 1 -type f"):format(folder))) do
      local name = path:match "([^/]+)%.[^./]+$":gsub("_lua$", "")
      if not names[name] then names[name], count = true, count + 1 end
    end
    if count > most_files then large[folder] = true end
  end
  for _, files in ipairs { c_files(), lua_files() } do
    for path, text in pairs(files) do
      if select(2, text:gsub("\n", "")) > most_lines then large[path] = true end
    end
  end
  luaunit.assertEquals(lines(large), lines(larger))
end

--- Edges that nobody may add: each kind of test finds its own.
function Layers.test_planted_edges_are_found()
  local function planted(each, files, path, text, other)
    files[path] = (files[path] or "") .. text
    if other then files[other[1]] = (files[other[1]] or "") .. other[2] end
    return function(visit) each(files, visit) end
  end
  local upward = planted(each_include, c_files(), "src/base/number.c", '\n#include "fit/ols.h"\n')
  luaunit.assertStrContains(lines(misplaced(c_rooms, c_room, upward)), "src/base/number.c uses src/fit/ols.h: room 'base' may not")
  local round = planted(each_include, c_files(), "src/stats/rank.h", '\n#include "stats/errors.h"\n',
    { "src/stats/errors.h", '\n#include "stats/rank.h"\n' })
  luaunit.assertStrContains(lines(cycles(round)), "a cycle: ")
  local command = planted(each_require, lua_files(), "lua/crux/fit/ols.lua", '\nrequire "crux.task.fit"\n')
  luaunit.assertStrContains(lines(misplaced(lua_rooms, lua_room, command)), "lua/crux/fit/ols.lua uses lua/crux/task/fit.lua")
  local back = planted(each_require, lua_files(), "lua/crux/base/fault.lua", '\nrequire "crux.base.number"\n',
    { "lua/crux/base/number.lua", '\nrequire "crux.base.fault"\n' })
  luaunit.assertStrContains(lines(cycles(back)), "a cycle: ")
  local objects = { "base/number.o:0000 T crux_number_parse", "base/number.o: U crux_ols_new", "fit/ols.o:0000 T crux_ols_new",
    "fit/ols.o: U crux_number_parse" }
  local function linked(visit) each_symbol(objects, visit) end
  luaunit.assertStrContains(lines(misplaced(c_rooms, c_room, linked)), "src/base/number.c uses src/fit/ols.c")
  luaunit.assertStrContains(lines(cycles(linked)), "a cycle: ")
end

--- No command is a library of another: what two share stands in a module that is no command.
function Layers.test_commands_require_no_command()
  local commands, faults = {}, {}
  for _, name in ipairs(require("crux.cli").commands) do commands[("lua/crux/cli/%s.lua"):format(name)] = true end
  each_require(lua_files(), function(from, to)
    if commands[to] then faults[("%s requires the command %s"):format(from, to)] = true end
  end)
  luaunit.assertEquals(lines(faults), "")
end

--- Names of scripts in a folder, and those that are ordinary words or rooms, too: these count only in quotes.
local function scripts(folder)
  local names = {}
  for path in pairs(texts(folder .. "/*.lua")) do names[path:match "([^/]*)%.lua$"] = true end
  return names
end
local ordinary = { move = true, puzzlescript = true }

--- The first of the names that stands in a text as a word; - of a name may be _ or a space.
local function name_in(text, names)
  text = text:lower()
  for name in pairs(names) do
    local word = name:gsub("%-", "[-_ ]")
    local pattern = ordinary[name] and "['\"]" .. word .. "['\"]" or "%f[%w]" .. word .. "%f[%W]"
    if text:find(name:match "^%w+", 1, true) and text:find(pattern) then return name end -- the first is faster
  end
end

function Layers.test_src_knows_no_game_and_no_rule()
  local names = scripts "games"
  for name in pairs(scripts "rules") do names[name] = true end
  for path, text in pairs(c_files()) do luaunit.assertNil(name_in(text, names), path) end
end

function Layers.test_games_name_no_rule_and_scripts_require_nothing()
  local rules, games = scripts "rules", scripts "games"
  for name in pairs(games) do rules[name] = nil end
  for path, text in pairs(texts "games/*.lua") do
    luaunit.assertNil(name_in(text, rules) or text:match "crux%.rule" or text:match "rules/", path)
  end
  for path, text in pairs(texts "games/*.lua rules/*.lua") do
    luaunit.assertNil(text:match "%f[%w_]require%s*[%(\"'%[]", path)
  end
end

--- Files that comments name are there; NAME, ROOM and the words `name` and `room` stand for others.
function Layers.test_comments_name_files_that_are_there()
  local count = 0
  for path, text in pairs(texts "src/*/*.[ch] lua/crux/*/*.lua lua/crux/*/*/*.lua games/*.lua rules/*.lua") do
    for _, pattern in ipairs { "lua/crux/[%w_/-]+%.lua", "src/[%w_/-]+%.[ch]%f[%W]" } do
      for named in text:gmatch("%f[%w]" .. pattern) do
        count = count + 1
        luaunit.assertTrue(named:find "/room/" ~= nil or shell.exists(named), ("%s names %s"):format(path, named))
      end
    end
  end
  luaunit.assertTrue(count > 20, count)
end

return { Layers = Layers }
