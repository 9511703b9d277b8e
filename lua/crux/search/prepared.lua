--- The description of a search, checked once, and all that its levels share.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local moves = require "crux.search.moves"
local Problem = require "crux.search.problem"

---@class Prepared
---@field spec SearchSpec                  a copy
---@field labels table<string, string>     "script:line: name" of each function
---@field families Families?               its programs, if there are any
---@field private moves string[]?          a copy, if all levels have the same
---@field private key string?              of these moves
---@field private field_count integer
---@field private others table<function|false, Prepared>   the same without the heuristic, by priority
local Prepared = {}
Prepared.__index = Prepared

local functions = { "state", "start", "step", "heuristic" }
local names = { "moves", "informed", table.unpack(functions) }
local known = lists.set(names)

--- The beginning of messages: the script, if a function tells it, and the field.
local function label(spec, field)
  for _, name in ipairs(functions) do
    if type(spec[name]) == "function" then return debug.getinfo(spec[name], "S").short_src .. ": search." .. field end
  end
  return "search." .. field
end

--- Checks what can be checked without a level.
local function check(spec)
  if type(spec.moves) ~= "function" then moves.check(function() return label(spec, "moves") end, spec.moves) end
  for _, name in ipairs(functions) do
    local is_left_out = name == "heuristic" and spec[name] == nil
    if type(spec[name]) ~= "function" and not is_left_out then
      fault.at(label(spec, name), fault.show(spec[name]), "a function")
    end
  end
  if spec.informed ~= nil and type(spec.informed) ~= "boolean" then
    fault.at(label(spec, "informed"), fault.show(spec.informed), "true or false")
  end
  for name in pairs(spec) do
    if not known[name] then fault.unknown(label(spec, tostring(name)), "field", name, names) end
  end
end

---@return Prepared
local function new(spec)
  local labels, list = {}, type(spec.moves) == "table" and table.move(spec.moves, 1, #spec.moves, 1, {}) or nil
  for _, name in ipairs(functions) do labels[name] = spec[name] and Problem.label(spec, name) end
  return setmetatable({ others = {}, spec = lists.merge(spec), field_count = #lists.keys(spec), labels = labels, moves = list,
    key = list and table.concat(list, "\n") }, Prepared)
end

--- True if a description has the fields and moves that it had when it was prepared.
local function is_unchanged(self, spec)
  local given, list, left = self.spec, self.moves, self.field_count
  for name, value in next, spec do
    if given[name] ~= value then return false end
    left = left - 1
  end
  if left ~= 0 or not list then return left == 0 end
  local moves_now = spec.moves
  for i = 1, #list do
    if list[i] ~= moves_now[i] then return false end
  end
  return moves_now[#list + 1] == nil
end

--- Prepared descriptions, by description.
---@type table<SearchSpec, Prepared>
local prepared = setmetatable({}, { __mode = "k" })

--- Checks a description; raises a fault if something is wrong with it.
---@param spec SearchSpec
---@return Prepared
function Prepared.of(spec)
  local found = prepared[spec]
  if found and is_unchanged(found, spec) then return found end
  check(spec)
  prepared[spec] = new(spec)
  return prepared[spec]
end

--- The search without the heuristic, or by a priority instead.
---@param priority function?
---@return Prepared
function Prepared:without_heuristic(priority)
  local found = self.others[priority or false]
  if not found then
    local spec = lists.merge(self.spec)
    spec.heuristic, spec.priority = nil, priority
    found = new(spec)
    self.others[priority or false] = found
  end
  return found
end

--- The moves of a level, and a text that is the same for the same moves.
---@return string[]
---@return string
function Prepared:moves_of(level)
  if self.moves then return self.moves, self.key end
  local list = moves.of(self.spec, level)
  return list, table.concat(list, "\n")
end

return Prepared
