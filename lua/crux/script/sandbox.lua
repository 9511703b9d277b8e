--- The sandbox of rule and game scripts: each has an environment of its own with pure functions and `crux`.
local bounding = require "libcrux.sandbox"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"
local sources = require "crux.symbolic.sources"
local file_system = require "libcrux.files"
local text_file = require "crux.base.text_file"

local sandbox = {}

--- The functions of Lua that scripts may use, by library, and why each is harmless. Scripts have no others: io, os, debug,
--- package, load and dofile reach files and the engine; coroutine restarts counts of instructions; getmetatable leads to the
--- metatables of strings and boards; collectgarbage switches the collector off; string.dump shows binary code.
---
--- Those marked "bounded" are replaced by functions of src/limits/sandbox_lua.c, which `bounded` names.
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

--- The names that scripts may use beside `crux`, by library; "base" has the global ones.
---@type table<string, string[]>
sandbox.allowed = {}
for library, reasons in pairs(allowed) do sandbox.allowed[library] = lists.keys(reasons) end

local bounded = {
  base = { rawset = "set", setmetatable = "metatable" },
  string = { rep = "repeat" },
  table = { concat = "join", insert = "list", move = "range", remove = "list", sort = "list" },
}

--- The functions of a library that scripts may use.
local function part_of(library)
  local from, part = library == "base" and _G or _G[library], {}
  for name in pairs(allowed[library]) do part[name] = from[name] end
  for name, how in pairs(bounded[library] or {}) do
    part[name] = bounding.bound(how, from[name])
    sources.stands_for(part[name], from[name])
  end
  return part
end

local function environment(crux, require_beside)
  local env = part_of "base"
  env.crux, env.require = crux, require_beside
  for library in pairs(allowed) do
    if library ~= "base" then env[library] = part_of(library) end
  end
  return env
end

--- The methods of strings: scripts reach the functions, but not the table.
getmetatable("").__index = environment().string

local run

--- The function `require` of a script: it finds files beside the script, by name without folder and extension, and runs each
--- once.
---@param script string   its path
---@param loaded table<string, any>   results in a list, by path; false for a file that is being loaded
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
      local resolved = file_system.is_regular(path) and file_system.resolve(path)
      local is_beside = resolved and resolved:match "^(.*)/[^/]*$" == file_system.resolve(folder)
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
  local text = text_file.read(path, sizes.script_bytes, "a Lua script")
  local chunk, message = load(text, "@" .. path, "t", env)
  if fault.is(message) then error(message, 0) end -- the script is nested too deep for Lua's parser
  if not chunk then fault.raise(message:find(path, 1, true) and message:gsub("\n.*", "") or path .. ": " .. message) end
  sources.keep("@" .. path, text)
  return chunk()
end

--- A copy of a value without metatables. The script has no reference to it.
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
---@param crux table    what the script sees under that name
---@return any, string[]
function sandbox.run(path, crux)
  local loaded = {}
  local result = fault.guard(path, run, path, crux, loaded)
  return result, lists.keys(loaded)
end

--- A copy of a table of a script for the engine: the script cannot change it, and reading it calls no function of the script.
---@param where string   the script, in messages
function sandbox.plain(value, where)
  return type(value) == "table" and fault.guard(where, plain, value, where, {}) or value
end

return sandbox
