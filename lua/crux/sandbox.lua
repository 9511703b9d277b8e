--- What a rule or game script may use: pure functions and `crux`, in an environment of its own.
local fault = require "crux.fault"
local level_shape = require "libcrux.level_shape"
local sizes = require "libcrux.sizes"
local text_file = require "crux.text_file"

local sandbox = {}

--- Names of the global environment that scripts see; libraries as lists of their pure functions.
local allowed = {
  base = { "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset", "select",
    "setmetatable", "tonumber", "tostring", "type", "xpcall" },
  math = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max",
    "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult" },
  string = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep",
    "reverse", "sub", "unpack", "upper" },
  table = { "concat", "insert", "move", "pack", "remove", "sort", "unpack" },
  utf8 = { "char", "charpattern", "codepoint", "codes", "len", "offset" },
}

--- What scripts may use beside `crux`: names by library, "base" being the global ones.
---@type table<string, string[]>
sandbox.allowed = allowed

local function environment(crux)
  local env = { crux = crux }
  for library, names in pairs(allowed) do
    local from = library == "base" and _G or _G[library]
    local to = library == "base" and env or {}
    for _, name in ipairs(names) do to[name] = from[name] end
    if library ~= "base" then env[library] = to end
  end
  level_shape.guard(env)
  return env
end

--- Runs a script and returns what it returns.
---@param path string
---@param crux table    what the script sees under that name
function sandbox.run(path, crux)
  local text = text_file.read(path, sizes.script_bytes, "a Lua script")
  local chunk, message = load(text, "@" .. path, "t", environment(crux))
  if not chunk then fault.raise(message:find(path, 1, true) and message:gsub("\n.*", "") or path .. ": " .. message) end
  return fault.guard(path, chunk)
end

return sandbox
