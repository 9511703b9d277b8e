--- What a rule or game script may use: pure functions and `crux`, in an environment of its own.
local bounding = require "libcrux.sandbox"
local fault = require "crux.base.fault"
local level_shape = require "libcrux.level_shape"
local sizes = require "libcrux.sizes"
local system = require "libcrux.system"
local text_file = require "crux.base.text_file"

local sandbox = {}

--- What scripts see of Lua, by library, and why each may be there. What is not here is not there: io, os, debug, package,
--- load and dofile reach files and the engine; coroutine restarts counts of instructions; getmetatable leads to the metatables
--- of strings and boards; collectgarbage switches the collector off; string.dump shows binary code.
---
--- Those marked "bounded" are replaced by what src/limits/sandbox_lua.c makes of them, as `bounded` says.
local allowed = {
  base = {
    assert = "raises", error = "raises", pcall = "catches what scripts raise, but never a limit", xpcall = "as pcall",
    ipairs = "reads its argument", next = "reads its argument", pairs = "reads its argument", rawequal = "compares",
    rawget = "reads its argument", rawlen = "reads its argument", rawset = "bounded: writes to the script's own tables",
    select = "chooses among arguments", setmetatable = "bounded: the script's own tables, without __gc",
    tonumber = "reads text", tostring = "makes text", type = "tells a type",
  },
  math = {
    abs = "computes", acos = "computes", asin = "computes", atan = "computes", ceil = "computes", cos = "computes",
    deg = "computes", exp = "computes", floor = "computes", fmod = "computes", huge = "a constant", log = "computes",
    max = "compares", maxinteger = "a constant", min = "compares", mininteger = "a constant", modf = "computes",
    pi = "a constant", rad = "computes", sin = "computes", sqrt = "computes", tan = "computes", tointeger = "converts",
    type = "tells a type", ult = "compares",
  },
  string = {
    byte = "reads text", char = "makes text", find = "searches; the watchdog ends one without an end", format = "makes text",
    gmatch = "as find", gsub = "as find", len = "measures text", lower = "makes text", match = "as find", pack = "makes text",
    packsize = "measures text", rep = "bounded: makes text", reverse = "makes text", sub = "makes text", unpack = "reads text",
    upper = "makes text",
  },
  table = {
    concat = "bounded: reads a list", insert = "bounded: changes a list", move = "bounded: changes a list",
    pack = "makes a list", remove = "bounded: changes a list", sort = "bounded: changes a list",
    unpack = "reads a list, at most as many as the stack holds",
  },
  utf8 = {
    char = "makes text", charpattern = "a constant", codepoint = "reads text", codes = "reads text", len = "measures text",
    offset = "measures text",
  },
}

--- What scripts may use beside `crux`: names by library, "base" being the global ones.
---@type table<string, string[]>
sandbox.allowed = {}
for library, reasons in pairs(allowed) do
  sandbox.allowed[library] = {}
  for name in pairs(reasons) do table.insert(sandbox.allowed[library], name) end
  table.sort(sandbox.allowed[library])
end

local bounded = {
  base = { rawset = "set", setmetatable = "metatable" },
  string = { rep = "repeat" },
  table = { concat = "join", insert = "list", move = "range", remove = "list", sort = "list" },
}

--- The functions of a library that scripts may use.
local function part_of(library)
  local from, part = library == "base" and _G or _G[library], {}
  for name in pairs(allowed[library]) do part[name] = from[name] end
  for name, how in pairs(bounded[library] or {}) do part[name] = bounding.bound(how, part[name]) end
  return part
end

local function environment(crux, require_beside)
  local env = part_of "base"
  env.crux, env.require = crux, require_beside
  for library in pairs(allowed) do
    if library ~= "base" then env[library] = part_of(library) end
  end
  level_shape.guard(env)
  return env
end

--- Methods of strings, everybody's: scripts reach the functions, but not the table that has them.
getmetatable("").__index = environment().string

local run

--- What `require` is for a script: it finds files beside the script, by names without folder and ending, and runs each once.
---@param script string   its path
---@param loaded table<string, any>   what was found, by path; false for what is being loaded
local function finder(script, crux, loaded)
  local folder = script:match "^(.*)/[^/]*$" or "."
  local function refuse(found)
    local caller = debug.getinfo(3, "S") -- not the script when that ends with the call
    error("require: found " .. found, caller.source == "@" .. script and 3 or 0)
  end
  return function(name)
    if type(name) ~= "string" or not name:find "^[%w_-]+$" then
      refuse(fault.show(name) .. ", expected the plain name of a file beside the script")
    end
    local path = ("%s/%s.lua"):format(folder, name)
    if loaded[path] == nil then
      local is_beside = system.is_regular(path) and system.resolve(path):match "^(.*)/[^/]*$" == system.resolve(folder)
      if not is_beside then refuse(("no file %s.lua beside the script"):format(name)) end
      loaded[path] = false
      local result = run(path, crux, loaded)
      loaded[path] = { result == nil and true or result }
    end
    if not loaded[path] then refuse(name .. ", which requires itself") end
    return loaded[path][1]
  end
end

function run(path, crux, loaded)
  local env = environment(crux, finder(path, crux, loaded))
  local chunk, message = load(text_file.read(path, sizes.script_bytes, "a Lua script"), "@" .. path, "t", env)
  if fault.is(message) then error(message, 0) end -- too deep for Lua's parser
  if not chunk then fault.raise(message:find(path, 1, true) and message:gsub("\n.*", "") or path .. ": " .. message) end
  return chunk()
end

--- A copy without metatables, of which the script keeps nothing.
local function plain(value, where, known)
  if type(value) ~= "table" then return value end
  if known[value] then return known[value] end
  if debug.getmetatable(value) then fault.at(where, "a table with a metatable", "a plain one") end
  local copy = {}
  known[value] = copy
  for key, item in next, value do
    if type(key) == "table" then fault.at(where, "a table as a key", "texts and numbers") end -- it may have a __tostring
    copy[key] = plain(item, type(key) == "string" and #key < 40 and ("%s.%s"):format(where, key) or where, known)
  end
  return copy
end

--- Runs a script; returns what it returns, and the paths of the files beside it that it required.
---@param path string
---@param crux table    what the script sees under that name
---@return any, string[]
function sandbox.run(path, crux)
  local loaded, files = {}, {}
  local result = fault.guard(path, run, path, crux, loaded)
  for file in pairs(loaded) do table.insert(files, file) end
  table.sort(files)
  return result, files
end

--- A table that a script made, copied for the engine: nothing that the script still has can change it, and reading it calls
--- nothing of the script's.
---@param where string   the script, in messages
function sandbox.plain(value, where)
  return type(value) == "table" and fault.guard(where, plain, value, where, {}) or value
end

return sandbox
