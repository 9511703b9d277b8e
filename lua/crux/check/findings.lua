--- Findings about files, line by line: errors, and warnings about what may be intended.
local fault = require "crux.base.fault"
local source = require "crux.script.source"

local findings = {}

---@class Findings
---@field list Remark[]
---@field private sources table<string, ScriptSource|false>   scripts, by path
---@field private known table<string, boolean>          reported findings
local Findings = {}
Findings.__index = Findings

---@class Remark
---@field path string
---@field line integer
---@field message string     without the place
---@field is_warning boolean

---@return Findings
function findings.new() return setmetatable({ list = {}, sources = {}, known = {} }, Findings) end

--- The text of a script; nil where there is none.
---@return ScriptSource?
function Findings:source(path)
  if self.sources[path] == nil then self.sources[path] = source.read(path) or false end
  return self.sources[path] or nil
end

function Findings:error(path, line, message) self:add(path, line, message, false) end

function Findings:warn(path, line, message) self:add(path, line, message, true) end

---@private
---@param where string?   the level or row at which a script failed: the first of several
function Findings:add(path, line, message, is_warning, where)
  local key = ("%s:%d:%s"):format(path, line, message)
  if self.known[key] then return end
  self.known[key] = true
  table.insert(self.list, { path = path, line = line, message = message .. (where or ""), is_warning = is_warning })
end

--- Adds a fault at the place that it names; for a script without a line, at the field that it names.
---@param path string       of the checked file
---@param problem Fault
function Findings:fault(path, problem)
  local message = problem.message
  local where, line, rest = message:match "^([^:]+):(%d+): (.*)$"
  if where and where:sub(1, 3) == "..." and path:sub(3 - #where) == where:sub(4) then where = path end -- Lua cuts long paths
  local script, at, said = (rest or ""):match "^([^:]+%.lua):(%d*):? (.*)$"
  local text = script and self:source(script)
  if text then
    return self:add(script, math.tointeger(at) or text:line_of(said), said, false, (", at %s:%s"):format(where, line))
  end
  if where then return self:error(where, math.tointeger(line), rest) end
  rest = message:sub(1, #path + 2) == path .. ": " and message:sub(#path + 3) or message
  text = path:find "%.lua$" and self:source(path)
  self:error(path, text and text:line_of(rest) or 1, rest)
end

--- Calls a function; adds a fault that it raises, and returns nothing then.
---@param path string   of the checked file
function Findings:try(path, f, ...)
  local results = table.pack(fault.catch(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  self:fault(path, results[2])
end

--- Counts errors and warnings from a place in the list on.
---@return integer errors, integer warnings
function Findings:count(from)
  local errors, warnings = 0, 0
  for i = from or 1, #self.list do
    if self.list[i].is_warning then warnings = warnings + 1 else errors = errors + 1 end
  end
  return errors, warnings
end

return findings
