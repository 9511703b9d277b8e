--- Values that no function expects, to call functions with: seeded, so that what was found is found again.
local nasty = {}

local numbers = { 0, 1, -1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 1024, 0.0, 1.0, -0.0, 0.5, 1.5, 1e-300, 2.0 ^ 53,
  2.0 ^ 63, -2.0 ^ 63, 1e308, math.huge, -math.huge, 0 / 0, math.maxinteger, math.mininteger, math.maxinteger - 1, 1 << 62,
  1 << 61, (1 << 60) + 1, 1 << 53, -(1 << 32) }

--- Sizes for which memory would be taken, on which many a machine has none.
nasty.sizes = { 1 << 16, 1 << 31, (1 << 31) - 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, -(1 << 31) }

local texts = { "", "U", "L", "D", "R", "x", "o x\nA B", "1", "-1", "0x10", "1e400", "nan", "\0", "a\0b", "\xff\xfe", "é", "%s%n",
  "separated", "__gc", "__index", ("ab\n"):rep(2000), ("a"):rep(70), ("#.\n"):rep(40), "#.\n.#", "\27[31m" }

--- Names of fields that functions look for.
local fields = { "width", "height", "cells", "paths", "bytes", "seconds", "items", "options", "count", "nodes", "tiles",
  "emitters", "targets", "blocks", "A", "B", "C", "separated", "pad", "comment", "expected", "usable", "pieces", "rows",
  "endpoints", "letters", "cell", "held", "kind", "low", "high", "name", "x", "y", "n" }

local function raise() error("raised on purpose", 0) end

--- Tables that lie about what is in them.
local lies = {
  { __len = function() return 1 << 40 end }, { __len = raise }, { __len = function() return "many" end },
  { __index = raise }, { __index = function(_, key) return key end }, { __index = string }, { __newindex = raise },
  { __name = 5, __tostring = function() return {} end }, { __tostring = raise }, { __name = "crux.board" },
  { __eq = function() return true end, __lt = raise, __le = raise, __concat = raise, __call = raise },
  { __band = raise, __bor = function() return 1, 2, 3 end, __bxor = 5, __sub = {} }, { __pairs = raise, __close = raise },
  { __mode = "kv", __metatable = false }, { __gc = function() end },
}

--- A list without a metatable of which rawlen says that it is 2^60 long.
local function sparse()
  local parts = {}
  for i = 0, 60 do parts[i + 1] = ("[%d]=..."):format(1 << i) end
  return load("return {" .. table.concat(parts, ",") .. "}")(1)
end

local function around()
  local list = { 1, 2 }
  list[3], list.width, list.self = list, 2, list
  return setmetatable(list, { __index = list })
end

local function copy(value)
  if type(value) ~= "table" or getmetatable(value) then return value end
  local copied = {}
  for key, element in next, value do copied[key] = copy(element) end
  return copied
end

--- A copy of a table with some field, anywhere in it, replaced.
local function spoilt(template, value)
  local whole = copy(template)
  local at = whole
  for _ = 1, 4 do
    local keys = {}
    for key in next, at do keys[#keys + 1] = key end
    if #keys == 0 then break end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    local key = keys[math.random(#keys)]
    if type(at[key]) ~= "table" or at[key] == at or math.random(3) == 1 then
      at[key] = value
      break
    end
    at = at[key]
  end
  return whole
end

--- What makes such values.
---@param own any[]         further ones, by preference
---@param templates table[] what functions expect, to spoil
---@param sizes boolean?    also those of nasty.sizes
---@return fun(): any
function nasty.source(own, templates, sizes)
  local make
  local function table_of()
    local made = {}
    for _ = 1, math.random(0, 6) do made[fields[math.random(#fields)]] = make() end
    for i = 1, math.random(0, 4) do made[i] = make() end
    return math.random(6) == 1 and setmetatable(made, lies[math.random(#lies)]) or made
  end
  local kinds = {
    function() return nil end,
    function() return math.random(2) == 1 end,
    function() return numbers[math.random(#numbers)] end,
    function() return sizes and nasty.sizes[math.random(#nasty.sizes)] or math.random(-3, 40) end,
    function() return math.random(1, 6) end,
    function() return texts[math.random(#texts)] end,
    table_of,
    function() return setmetatable({}, lies[math.random(#lies)]) end,
    function() return math.random(9) == 1 and sparse() or around() end,
    function() return ({ raise, type, math.floor, function(...) return ... end, coroutine.create(raise) })[math.random(5)] end,
    function() return copy(templates[math.random(#templates)]) end,
    function() return spoilt(templates[math.random(#templates)], make()) end,
  }
  local depth = 0
  function make()
    depth = depth + 1
    local value
    if math.random(3) == 1 then
      value = own[math.random(#own)]
    else
      value = kinds[depth > 4 and math.random(6) or math.random(#kinds)]()
    end
    depth = depth - 1
    return value
  end
  return make
end

return nasty
