--- Kinds of the fields of a game's state, as `game.search.state` of a script writes them.
---
---     state = function(level)
---       return { at = crux.integer(1, level.cells), awake = crux.flag, ball = crux.array(2, crux.board(5, 4)) }
---     end
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local state = {}

--- The field that each kind describes, kept here so that a script can neither read nor change it.
---@type table<Kind, StateField>
local meaning = setmetatable({}, { __mode = "k" })

---@class Kind

---@class StateField        one field as libcrux.state_set takes it
---@field name string
---@field kind "flag"|"integer"|"board"
---@field low integer?
---@field high integer?
---@field width integer?
---@field height integer?
---@field count integer?   elements, of an array

local error = error -- scripts must not reach the engine through the functions of kinds

local function refuse_assignment() error("found an assignment to a kind of field, expected none", 2) end

---@return Kind
local function new(fields)
  local kind = setmetatable({}, { __metatable = false, __name = "kind of field", __newindex = refuse_assignment })
  meaning[kind] = fields
  return kind
end

--- Raises at the line of the script that calls a kind.
local function refuse(name, found, expected) error(("crux.%s: found %s, expected %s"):format(name, found, expected), 3) end

local function show(a, b) return ("%s and %s"):format(fault.show(a), fault.show(b)) end

local type_of_number = math.type

local function is_integer(value, low, high) return type_of_number(value) == "integer" and value >= low and value <= high end

--- The functions and values that scripts see as fields of `crux`.
state.kinds = {}

--- true or false
state.kinds.flag = new { kind = "flag" }

--- Kinds that were made, as scripts ask for the same ones for every level: integers by their range, boards by size, arrays by
--- kind and count.
local integers, boards, arrays = setmetatable({}, { __mode = "v" }), {}, setmetatable({}, { __mode = "k" })

function state.kinds.integer(low, high)
  if math.type(low) ~= "integer" or math.type(high) ~= "integer" or low > high then
    refuse("integer", show(low, high), "two integers, the lower first")
  end
  local key = low .. " " .. high
  local made = integers[key] or new { kind = "integer", low = low, high = high }
  integers[key] = made
  return made
end

--- A set of cells: a board of that size.
function state.kinds.board(width, height)
  if not (is_integer(width, 1, 64) and is_integer(height, 1, 64)) then
    refuse("board", show(width, height), "a width and a height from 1 to 64")
  end
  local key = width << 8 | height
  local made = boards[key] or new { kind = "board", width = width, height = height }
  boards[key] = made
  return made
end

--- A list of n values of a kind; n may be 0.
function state.kinds.array(n, kind)
  if not is_integer(n, 0, 10000) then refuse("array", fault.show(n), "a number of elements from 0 to 10000") end
  local element = meaning[kind]
  if not element or element.count then
    refuse("array", element and "an array of arrays" or "an array of " .. fault.show(kind), "flags, integers or boards")
  end
  local made = arrays[kind] or {}
  arrays[kind] = made
  made[n] = made[n] or new { kind = element.kind, low = element.low, high = element.high, width = element.width,
    height = element.height, count = n }
  return made[n]
end

--- Tells whether a value is a kind of field.
function state.is_kind(value) return meaning[value] ~= nil end

--- The kinds of fields, as messages name them.
state.expected = "crux.flag, crux.integer(low, high), crux.board(width, height) or crux.array(n, one of these)"

--- The value with which a field of a kind starts if no level gives one: false, or the least integer; nil for boards and arrays.
function state.first(kind)
  local field = meaning[kind]
  if not field or field.count then return nil end
  return field.kind ~= "flag" and field.low
end

--- Raises a fault unless this is a table of fields.
local function check(description, where)
  if type(description) ~= "table" then fault.at(where, fault.show(description), "a table of fields") end
  for name, kind in next, description do
    if type(name) ~= "string" then fault.at(where, "a field without a name", "names, as in { at = crux.flag }") end
    local found = meaning[kind]
    if not found then
      fault.at(("%s: field '%s'"):format(where, name), fault.show(kind), state.expected)
    end
  end
  if not next(description) then fault.at(where, "no field", "at least one") end
end

---@class Described       the fields of descriptions that begin with some names and kinds, in the order of `next`
---@field fields StateField[]?   of the description that has no more
---@field longer table<string, table<Kind, Described>>   by the next name and kind

---@type Described
local described = { longer = {} }

--- All fields that were described, by their names and kinds.
---@type table<string, StateField[]>
local by_key = setmetatable({}, { __mode = "v" })

--- The place for the fields of a description; nil for one that was never seen, unless it is to be made.
---@return Described?
local function place_of(description, is_made)
  local place = described
  for name, kind in next, description do
    local kinds = place.longer[name]
    if is_made and not kinds then
      kinds = setmetatable({}, { __mode = "k" })
      place.longer[name] = kinds
    end
    local longer = kinds and kinds[kind]
    if is_made and not longer then
      longer = { longer = {} }
      kinds[kind] = longer
    end
    if not longer then return end
    place = longer
  end
  return place
end

--- The fields that a script describes, sorted by name, so that states are packed alike in every run.
---@param description table<string, Kind>
---@param where string   names the script's hook in messages
---@return StateField[]   the same list for the same fields
function state.fields(description, where)
  local known = type(description) == "table" and place_of(description)
  if known and known.fields then return known.fields end
  check(description, where)
  known = place_of(description, true)
  local fields = lists.map(lists.keys(description), function(name)
    return lists.merge(meaning[description[name]], { name = name })
  end)
  local key = table.concat(lists.map(fields, function(field)
    return ("%s\n%s %s %s %s"):format(field.name, field.kind, field.count or "", field.low or field.width or "",
      field.high or field.height or "")
  end), "\n")
  by_key[key] = by_key[key] or fields
  known.fields = by_key[key]
  return known.fields
end

--- A copy of a state as scripts see it: plain values, and lists of them.
function state.copy(values)
  local fields = {}
  for name, value in pairs(values) do
    fields[name] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
  end
  return fields
end

function state.same(a, b)
  for name, value in pairs(a) do
    local other = b[name]
    if type(value) == "table" and type(other) == "table" then
      if not state.same(value, other) then return false end
    elseif value ~= other then
      return false
    end
  end
  return true
end

--- A state in lines: each field's name and value, and below the name the rows of a board.
function state.text(values)
  return table.concat(lists.map(lists.keys(values), function(name)
    local value = values[name]
    local shown = lists.map(type(value) == "table" and value or { value }, function(one)
      return (math.type(one) or type(one) == "boolean") and " " .. tostring(one) or "\n" .. tostring(one)
    end)
    return ("%s:%s\n"):format(name, table.concat(shown))
  end))
end

--- Fields in a line: "at 1..25, awake flag, ball[2] 5 x 4".
---@param fields StateField[]
function state.describe(fields)
  local parts = {}
  for i, field in ipairs(fields) do
    local kind = field.kind
    if kind == "integer" then
      kind = ("%d..%d"):format(field.low, field.high)
    elseif kind == "board" then
      kind = ("%d x %d"):format(field.width, field.height)
    end
    parts[i] = ("%s%s %s"):format(field.name, field.count and ("[%d]"):format(field.count) or "", kind)
  end
  return table.concat(parts, ", ")
end

return state
