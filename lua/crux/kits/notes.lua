--- Notes of levels: numbers from lines such as "; stamina: 30" above a level, by a table of what there may be:
---
---     notes = { stamina = { 40, 1, 999 } }   the value without a note, the least and the greatest
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local notes = {}

---@alias NoteSpecs table<string, integer[]>

--- The values without notes.
---@param specs NoteSpecs?
---@return table<string, integer>
function notes.defaults(specs)
  local values = {}
  for name, spec in pairs(specs or {}) do values[name] = spec[1] end
  return values
end

--- The values of a level's notes; raises what is wrong with one.
---@param specs NoteSpecs?
---@param given table<string, string>
---@return table<string, integer>
function notes.values(specs, given)
  local values = notes.defaults(specs)
  for name, spec in pairs(specs or {}) do
    local value = given[name] and math.tointeger(tonumber(given[name])) or not given[name] and spec[1]
    if not value or value < spec[2] or value > spec[3] then
      local message = "line 1: %s: found %s, expected an integer from %d to %d"
      error(message:format(name, fault.show(given[name]), spec[2], spec[3]), 0)
    end
    values[name] = value
  end
  return values
end

--- The lines of the notes that differ from the values without notes.
---@param specs NoteSpecs?
---@param values table<string, integer>
---@return string
function notes.text(specs, values)
  local lines = {}
  for _, name in ipairs(lists.keys(specs or {})) do
    if values[name] ~= specs[name][1] then table.insert(lines, ("; %s: %d\n"):format(name, values[name])) end
  end
  return table.concat(lines)
end

return notes
