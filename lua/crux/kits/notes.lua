--- Notes of levels: numbers from lines such as "; stamina: 30" above a level, by a table of what there may be:
---
---     notes = { stamina = { 40, 1, 999 } }   the value without a note, the least and the greatest; "NAME" for the value of
---                                            another note
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local notes = {}

---@alias NoteSpecs table<string, (integer|string)[]>

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
  for name in pairs(values) do
    if given[name] then values[name] = math.tointeger(tonumber(given[name])) or false end
  end
  for name, spec in pairs(specs or {}) do
    local value, most = values[name], values[spec[3]] or spec[3]
    if not value or value < spec[2] or math.type(most) and value > most then
      local message = "line 1: %s: found %s, expected an integer from %d to %s"
      error(message:format(name, fault.show(given[name] or value), spec[2], most), 0)
    end
  end
  return values
end

--- The lines of the notes that differ from the values without notes.
---@param specs NoteSpecs?
---@param values table<string, integer>
function notes.text(specs, values)
  local lines = {}
  for _, name in ipairs(lists.keys(specs or {})) do
    if values[name] ~= specs[name][1] then table.insert(lines, ("; %s: %d\n"):format(name, values[name])) end
  end
  return table.concat(lines)
end

return notes
