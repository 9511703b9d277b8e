--- Ranges of measures on a command line: 'size=25,moves=8..12' or 'moves>=8'.
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local range = require "crux.base.range"

local ranges = {}

--- A conversion to a range.
---@return Range?
function ranges.one(text, flag)
  local found = range.read(text)
  if found then return found end
  return convert.refuse(text, flag, range.expected)
end

--- A conversion to one or several ranges with commas between them.
---@return Range[]?
function ranges.several(text, flag)
  local list = {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local found = range.read(part)
    if not found then return convert.refuse(part, flag, range.expected) end
    table.insert(list, found)
  end
  return list
end

--- Refuses a name that is no measure of the game.
function ranges.check_measure(game, name, where)
  if game.measures[name] then return end
  fault.unknown(("%s: game '%s'"):format(where, game.name), "measure", name, lists.field(game.measures))
end

---@class NamedRange
---@field name string
---@field range Range
---@field text string   of the range

--- Reads the texts of an option that may be given several times.
---@return NamedRange[]
function ranges.named(texts, flag)
  local list, known = {}, {}
  for _, item in ipairs(convert.names(table.concat(texts, ","))) do
    local name, sign, value = item:match "^`?([^`=<>]-)`?%s*([=<>]=?)%s*(.-)$"
    if sign and sign ~= "=" then value = sign .. value end
    local wanted = value and name ~= "" and range.read(value)
    if not wanted then
      fault.raise(("%s: found '%s', expected MEASURE=RANGE,... where a range is %s"):format(flag, item, range.expected), 2)
    end
    if known[name] then fault.raise(("%s: found '%s' twice, expected it once"):format(flag, name), 2) end
    known[name] = true
    table.insert(list, { name = name, range = wanted, text = value })
  end
  return list
end

--- Reads them as ranges of measures of a game.
---@return table<string, Range>   by measure
function ranges.of_measures(game, texts, flag)
  local found = {}
  for _, item in ipairs(ranges.named(texts, flag)) do
    ranges.check_measure(game, item.name, flag)
    found[item.name] = item.range
  end
  return found
end

return ranges
