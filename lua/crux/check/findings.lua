--- What is wrong with files, line by line: errors, and warnings about what may be meant so.
local fault = require "crux.base.fault"
local source = require "crux.script.source"

local findings = {}

---@class Findings
---@field list Remark[]
---@field private sources table<string, Source|false>   scripts, by path
---@field private known table<string, boolean>          what was said
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
---@return Source?
function Findings:source(path)
  if self.sources[path] == nil then self.sources[path] = source.read(path) or false end
  return self.sources[path] or nil
end

--- Notes an error.
function Findings:error(path, line, message) self:add(path, line, message, false) end

--- Notes what may be meant so.
function Findings:warn(path, line, message) self:add(path, line, message, true) end

---@private
---@param where string?   by what a script came to it: said with the first of several
function Findings:add(path, line, message, is_warning, where)
  local key = ("%s:%d:%s"):format(path, line, message)
  if self.known[key] then return end
  self.known[key] = true
  table.insert(self.list, { path = path, line = line, message = message .. (where or ""), is_warning = is_warning })
end

--- Notes a fault, where it says or, for a script, where what it names stands.
---@param path string       of the file that was looked at
---@param problem Fault
function Findings:fault(path, problem)
  local message = problem.message
  local where, line, rest = message:match "^([^:]+):(%d+): (.*)$"
  if where and where:sub(1, 3) == "..." and path:sub(3 - #where) == where:sub(4) then where = path end -- Lua cuts long paths
  local script, at, said = (rest or ""):match "^([^:]+%.lua):(%d+): (.*)$"
  if script and self:source(script) then
    return self:add(script, math.tointeger(at), said, false, (", at %s:%s"):format(where, line))
  end
  if where then return self:error(where, math.tointeger(line), rest) end
  rest = message:sub(1, #path + 2) == path .. ": " and message:sub(#path + 3) or message
  local text = path:find "%.lua$" and self:source(path)
  self:error(path, text and text:line_of(rest) or 1, rest)
end

--- Calls a function; a fault that it raises is noted, and nothing returned.
---@param path string   of the file that is looked at
function Findings:try(path, f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  if not fault.is(results[2]) then error(results[2], 0) end
  self:fault(path, results[2])
end

--- How many errors and warnings there are of a file, from a place in the list on.
---@return integer errors, integer warnings
function Findings:count(from)
  local errors, warnings = 0, 0
  for i = from or 1, #self.list do
    if self.list[i].is_warning then warnings = warnings + 1 else errors = errors + 1 end
  end
  return errors, warnings
end

return findings
