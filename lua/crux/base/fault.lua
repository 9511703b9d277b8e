--- Failures that are the user's to mend: one line each, and the exit status that goes with it.
local budget = require "libcrux.budget"
local number = require "crux.base.number"
local plain = require "crux.base.plain"

local fault = {}

---@class Fault
---@field message string   one line: where, what was found, what was expected
---@field status integer   exit status: 1 the data or a script is at fault, 2 usage
---@field traceback string?
---@field is_stop boolean?  a limit on a worker's script
local Fault = { __metatable = false }

--- What faults say: kept here so that a script which catches one can change nothing.
---@type table<Fault, Fault>
local contents = setmetatable({}, { __mode = "k" })
debug.getregistry()["crux.faults"] = contents -- for src/host/engine.c

function Fault:__index(key) return contents[self][key] end

function Fault:__tostring() return self.message end

function Fault.__newindex() error("found an assignment to a fault, expected none", 2) end

--- A fault with these fields.
---@param fields { message: string, status: integer?, traceback: string?, is_stop: boolean? }
---@return Fault
function fault.new(fields)
  local new = setmetatable({}, Fault)
  contents[new] = { message = fields.message, status = fields.status or 1, traceback = fields.traceback,
    is_stop = fields.is_stop }
  return new
end

--- The longest message, and the longest text shown in one, in bytes; what is longer is cut.
local most_said, most_shown = 2000, 300

--- A text as one line that is not too long.
---@param text string
---@param most integer?   bytes of the text
---@return string
function fault.line(text, most)
  most = most or most_said
  return #text <= most and plain.line(text) or plain.line(text:sub(1, most)) .. "..."
end

--- Raises a fault.
---@param message string   made one line: what users wrote may be part of it
---@param status integer?  1 unless given
function fault.raise(message, status)
  message = status and plain.text(message) or fault.line(message) -- help and usage, which have a status, have lines
  error(fault.new { message = message, status = status or 1, traceback = debug.traceback("", 2) }, 0)
end

--- Raises the fault of a value found in one place: `place: found ..., expected ...`.
function fault.at(place, found, expected)
  fault.raise(("%s: found %s, expected %s"):format(place, found, expected))
end

--- Raises the fault of something that has more bytes, rows or the like than libcrux.sizes allows.
---@param what string   such as "a line"
---@param most integer
---@param unit string   in the singular
function fault.too_large(place, what, most, unit)
  local count = number.count(most, unit)
  fault.at(place, ("%s of more than %s"):format(what, count), "at most " .. count)
end

--- A value as messages show what was found.
function fault.show(value)
  if type(value) == "string" then
    return ("'%s'"):format(fault.line(value, most_shown))
  end
  if value == nil or type(value) == "boolean" then return tostring(value) end
  if type(value) == "userdata" then return "a " .. ((debug.getmetatable(value) or {}).__name or "userdata") end
  if type(value) ~= "number" then return "a " .. type(value) end
  if value ~= value then return "NaN" end
  return number.exact(value)
end

--- Passes the results of a primitive on; raises its message when the first is nil or false.
function fault.check(result, message, ...)
  if not result and message then fault.raise(message) end
  return result, message, ...
end

function fault.is(value) return rawequal(debug.getmetatable(value), Fault) end

--- Whether an error says that there was no memory: to Lua, to C, to open a file, or to see that a module is there.
local function is_of_memory(text)
  local module = text:match "module '(crux%.[%w_.]+)' not found"
  return text:find "not enough memory$" or text:find "out of memory$" or text:find "Cannot allocate memory$"
    or module and package.searchpath(module, package.path)
end

--- What a script raised as a fault.
local function of_script(err, who)
  if fault.is(err) then return err end
  local text = type(err) == "string" and err or "raised a " .. type(err)
  if is_of_memory(text) then return "not enough memory" end -- no fault of a script's
  text = fault.line(text:match "[^\n]*") -- a stack overflow brings its traceback along
  if not text:match "^[^:]+:%d+: " then text = who .. ": " .. text end
  return fault.new { message = text, status = 1, traceback = debug.traceback("", 2) }
end

--- guard(who, f, ...) calls a function that comes from a user's script, within its limits. What it raises becomes a fault that
--- says `who`, one of few, in front when the message does not itself begin with the script's file and line.
fault.guard = budget.guards(of_script, function(message) fault.raise(message) end)

--- What was raised and is no fault, with its traceback: an error of crux, or want of memory.
function fault.of_crux(err)
  local text = tostring(err)
  return { message = is_of_memory(text) and "crux: out of memory" or "crux: internal error: " .. text,
    traceback = debug.traceback("", 2) }
end

return fault
