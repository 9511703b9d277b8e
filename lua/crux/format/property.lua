--- Writing numbers into the maps of a file, as properties of Tiled or fields of LDtk's levels; all other bytes stay.
local fault = require "crux.base.fault"
local fields = require "crux.format.fields"
local json = require "crux.base.json"
local json_reader = require "crux.base.json_reader"
local ldtk = require "crux.format.ldtk"
local lists = require "crux.base.lists"
local markup = require "crux.base.xml"
local tiled = require "crux.format.tiled"
local xml = require "libcrux.xml"

local property = {}

---@alias Edit { [1]: integer, [2]: integer, [3]: string }   the first and the last byte, and what takes their place

--- The last of the items that are wanted, as the last one counts where a file has several; nil if there is none.
local function find(items, is_wanted)
  local found = lists.select(items, is_wanted)
  return found[#found]
end

--- True if a name in a file is the wanted one but for capitals, as crux reads names in lower case.
local function is_same(found, wanted) return type(found) == "string" and found:lower() == wanted:lower() end

--- The last byte of an element, whose `last` is that of its content unless its tag is all.
local function last_of(text, element)
  return (text:match("^</" .. element.name .. "%s*>()", element.last + 1) or element.last + 1) - 1
end

--- The edit that sets a property in TMX, as Tiled writes it.
local function in_xml(text, path, name, value)
  local map = xml.parse(text)
  local list = find(map, function(element) return element.name == "properties" end)
  local old = find(list or {}, function(element) return is_same(element.attributes.name, name) end)
  local own = markup.escape(old and old.attributes.name or name)
  local new = ('<property name="%s" type="float" value="%s"/>'):format(own, json.encode(value))
  if old then return { old.first, last_of(text, old), new } end
  if list and list[1] then return { list[1].first, list[1].first - 1, new .. "\n  " } end
  new = "<properties>\n  " .. new .. "\n </properties>"
  if list then return { list.first, last_of(text, list), new } end
  local first = (map[1] or fault.at(path, "a map without layers", "layers")).first
  return { first, first - 1, new .. "\n " }
end

--- The edit that sets a property in Tiled's JSON.
local function in_json(text, path, name, value)
  local places = {}
  local map = json_reader.read(text, path, places)
  local list, place = fields.items(map, "properties", path), places[map]
  local old = find(list, function(item) return is_same(item.name, name) end)
  local new = json.encode(json.object { { "name", old and old.name or name }, { "type", "float" }, { "value", value } })
  if not place.properties then return { place[1] + 1, place[1], (' "properties":[%s],'):format(new) } end
  local at, own = place.properties, places[old]
  if not list[1] then return { at[1], at[2], ("[%s]"):format(new) } end
  if not old then return { at[1] + 1, at[1], new .. "," } end
  if old.type == "float" and own.value then return { own.value[1], own.value[2], json.encode(value) } end
  return { own[1], own[2], new }
end

--- The edits that set a field of the levels of LDtk: its value and what the editor reads.
---@return Edit[]
local function in_levels(text, path, name, values)
  local places, edits = {}, {}
  for i, level in ipairs(ldtk.levels(json_reader.read(text, path, places), path)) do
    local place = ("%s: level %s"):format(path, fault.show(level.identifier))
    local field = find(fields.items(level, "fieldInstances", place), function(item)
      return is_same(item.__identifier, name)
    end)
    local own = places[field] or {}
    if values[i] and not level.layerInstances then
      fault.at(place, "a level in a file of its own", "levels in the project")
    elseif values[i] and (not own.__value or field.__type ~= "Float") then
      fault.at(place, ("no field %s of the type Float"):format(fault.show(name)), "it among the fields of levels")
    elseif values[i] then
      local new, real = json.encode(values[i]), own.realEditorValues
      table.insert(edits, { own.__value[1], own.__value[2], new })
      if real then table.insert(edits, { real[1], real[2], ('[{ "id": "V_Float", "params": [%s] }]'):format(new) }) end
    end
  end
  return lists.sort(edits, function(edit) return edit[1] end)
end

--- The text of a file with a number in its maps.
---@param text string                  that formats.read reads
---@param values table<integer, number>   by the number of the map in the file; maps without one stay as they are
function property.set(text, path, name, values)
  local edits
  if not tiled.is_one(text) then
    edits = in_levels(text, path, name, values)
  else
    edits = values[1] and { (text:find "^%s*<" and in_xml or in_json)(text, path, name, values[1]) } or {}
  end
  local parts, first = {}, 1
  for _, edit in ipairs(edits) do
    table.insert(parts, text:sub(first, edit[1] - 1) .. edit[3])
    first = edit[2] + 1
  end
  return table.concat(parts) .. text:sub(first)
end

--- True if a text is of a kind that takes numbers.
function property.takes(text) return tiled.is_one(text) or ldtk.is_one(text) end

return property
