--- Faults: failures that users can mend, told in one line, each with an exit status.
local budget = require "libcrux.budget"
local home = require "libcrux.home"
local number = require "crux.base.number"
local plain = require "crux.base.plain"

local fault = {}

---@class Fault
---@field message string   one line: where, what was found, what was expected
---@field status integer   exit status: 1 data or script, 2 usage
---@field traceback string?
---@field is_stop boolean?  a limit stopped a worker's script
local Fault = { __metatable = false }

--- The fields of each fault, kept here so that a script that catches a fault cannot change it.
---@type table<Fault, Fault>
local contents = setmetatable({}, { __mode = "k" })
debug.getregistry()["crux.faults"] = contents -- for src/host/engine.c

function Fault:__index(key) return contents[self][key] end

function Fault:__tostring() return self.message end

function Fault.__newindex() error("found an assignment to a fault, expected none", 2) end

--- A fault with these fields.
---@param fields { message: string, status: integer?, traceback: string?, is_stop: boolean? }
function fault.new(fields)
  local new = setmetatable({}, Fault)
  contents[new] = { message = fields.message, status = fields.status or 1, traceback = fields.traceback,
    is_stop = fields.is_stop }
  return new
end

--- The longest message and the longest value in a message, in bytes.
local message_limit, value_limit = 2000, 300

--- A text as one line, cut between two characters if it is too long.
---@param limit integer?   bytes of the text
function fault.line(text, limit)
  limit = limit or message_limit
  if #text > limit then text = (text:sub(1, limit + 1):match "^(.*)[^\x80-\xBF]" or "") .. "..." end
  return plain.line(text)
end

--- The traceback of the caller's caller; a deep one would take seconds. debug.traceback() takes milliseconds, as it looks for
--- each function in all modules.
local function traceback()
  if debug.getinfo(200, "l") then return "stack traceback:\n\tmore than 200 calls" end
  local lines, level, info = { "stack traceback:" }, 3, debug.getinfo(3, "Sln")
  while info do
    table.insert(lines, ("%s:%d: in %s"):format(info.short_src, info.currentline, info.name or info.what))
    level, info = level + 1, debug.getinfo(level + 1, "Sln")
  end
  return table.concat(lines, "\n\t")
end

--- Raises a fault.
---@param message string   made one line unless a status is given: help and usage have several
---@param status integer?   1 unless given
function fault.raise(message, status)
  message = status and plain.text(message) or fault.line(message)
  error(fault.new { message = message, status = status or 1, traceback = traceback() }, 0)
end

--- Raises the fault of a value found in one place: `place: found ..., expected ...`.
function fault.at(place, found, expected)
  fault.raise(("%s: found %s, expected %s"):format(place, found, expected))
end

--- Raises the fault of an unknown name: `place: found the unknown measure 'sise'; did you mean 'size'?`.
---@param place string?
---@param name any            nil when none was given
---@param status integer?     1 unless given
function fault.unknown(place, kind, name, candidates, status)
  fault.raise((place and place .. ": " or "") .. require("crux.base.nearest").unknown(kind, name, candidates), status)
end

--- Raises the fault of something larger than libcrux.sizes allows.
---@param what string   such as "a line"
---@param unit string   in the singular
function fault.too_large(place, what, limit, unit)
  local count = number.count(limit, unit)
  fault.at(place, ("%s of more than %s"):format(what, count), "at most " .. count)
end

--- A value as messages show it.
---@param limit integer?   bytes of a text
function fault.show(value, limit)
  if type(value) == "string" then return ("'%s'"):format(fault.line(value, limit or value_limit)) end
  if value == nil or type(value) == "boolean" then return tostring(value) end
  if type(value) == "userdata" then return "a " .. ((debug.getmetatable(value) or {}).__name or "userdata") end
  if type(value) ~= "number" then return "a " .. type(value) end
  if value ~= value then return "NaN" end
  return number.exact(value)
end

--- Returns the results of a primitive; raises its message when the first is nil or false.
function fault.check(result, message, ...)
  if not result and message then fault.raise(message) end
  return result, message, ...
end

function fault.is(value) return rawequal(debug.getmetatable(value), Fault) end

local function raise_others(ok, problem, ...)
  if not ok and not fault.is(problem) then error(problem, 0) end
  return ok, problem, ...
end

--- Calls a function as pcall does, but catches faults alone: raises every other error again.
function fault.catch(f, ...) return raise_others(pcall(f, ...)) end

--- True if an error means that memory ran out: in Lua, in C, or in opening a file.
local function is_of_memory(text)
  return text:find "not enough memory$" or text:find "out of memory$" or text:find "Cannot allocate memory$"
end

--- A message without the place in the engine that `error(text, 2)` put in front; nil if it has none.
local function without_engine_place(text)
  local place, rest = text:match "^([^:]+):%d+: (.*)$"
  local tail = place and place:gsub("^%.%.%.", "") -- Lua cuts long paths
  local path = tail and tail:match "lua/crux/.*$"
  return path and ("%s/%s"):format(home, path):sub(-#tail) == tail and rest or nil
end

--- Makes a fault of what a script raised.
---@param who string      names the script
---@param place string?   its file and line, if they are known
local function of_script(err, who, place)
  if fault.is(err) then return err end
  local text = type(err) == "string" and err or "raised a " .. type(err)
  if is_of_memory(text) then return "not enough memory" end -- which is no fault of the script
  text = fault.line(text:match "[^\n]*") -- the message of a stack overflow includes a traceback
  local message = without_engine_place(text)
  if message then
    text = ("%s: %s"):format(place or who, message)
  elseif not text:match "^[^:]+:%d+: " then -- Lua gives no place where C indexes or compares: ipairs(nil), table.sort
    text = ("%s: %s"):format(text:find "^attempt to [ic]" and place or who, text)
  end
  return fault.new { message = text, status = 1, traceback = traceback() }
end

--- guard(who, f, ...) calls a function of a user's script within its limits. An error becomes a fault, with `who`, one of a few
--- names, in front unless the message begins with the script's file and line.
fault.guard = budget.guards(of_script, function(message) fault.raise(message) end)

--- The fields of a fault for an error that is no fault: a mistake in crux, or lack of memory.
function fault.of_crux(err)
  local text = tostring(err)
  return { message = is_of_memory(text) and "crux: out of memory" or "crux: internal error: " .. text,
    traceback = traceback() }
end

function fault.message(err) return (fault.is(err) and err or fault.of_crux(err)).message end

return fault
