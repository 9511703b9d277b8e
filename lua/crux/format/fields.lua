--- Fields of maps that were read from JSON: checked, as whoever made the file may have written anything there.
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"

local fields = {}

--- A field that is to be a list of objects, or missing.
---@param place string   in messages
function fields.items(object, name, place)
  local list = object[name] or {}
  for _, item in ipairs(type(list) == "table" and list or { false }) do
    if type(item) ~= "table" then fault.at(place .. ": " .. name, fault.show(item), "a list of objects") end
  end
  return list
end

---@param default integer?   where the field is missing
function fields.integer(object, name, place, default)
  local value = math.tointeger(object[name] == nil and default or object[name])
  return value or fault.at(("%s: %s"):format(place, name), fault.show(object[name]), "a whole number")
end

--- A number of pixels, 0 where the field is missing.
function fields.pixels(object, name, place)
  local value = object[name] or 0
  return type(value) == "number" and math.abs(value) < 1e9 and value
    or fault.at(("%s: %s"):format(place, name), fault.show(value), "a number of pixels")
end

--- A text that is not empty, else nil.
function fields.text(value) return type(value) == "string" and value ~= "" and value or nil end

--- Adds a value to the notes of a level, unless it is a list or an object.
---@param notes table<string, string>
function fields.note(notes, name, value)
  if math.tointeger(value) then value = ("%d"):format(value) end
  if fields.text(name) and value ~= nil and type(value) ~= "table" then notes[name:lower()] = tostring(value) end
end

--- The path of a file that a map names, beside the map.
---@param expected string   what the file is
function fields.file(name, path, expected)
  local file = fields.text(name) and (name:find "^/" and name or (path:match "^.*/" or "") .. name)
  return file and file_system.is_regular(file) and file
    or fault.at(path, (file and "no file " or "") .. fault.show(name), expected)
end

return fields
