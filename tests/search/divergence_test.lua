-- Tests of lua/crux/search/divergence.lua: the line after which two calls part.
local divergence = require "crux.search.divergence"
local luaunit = require "luaunit"

local function helper(x)
  if x > 2 then
    return 1
  end
  return 2
end

local function f(x, loops)
  local sum = 0
  for _ = 1, loops do
    sum = sum + 1
  end
  local y = helper(x)
  sum = y + "1" + 0 * sum
  if y == 1 then sum = 3 end
  return sum
end

local function g(x)
  local sum = x + 1 == 3 and 1 or 2
  sum = sum + 1
  return sum == 3 or sum
end

local function line_of(of, first, second)
  return divergence.line(of, function() of(table.unpack(first)) end, function() of(table.unpack(second)) end)
end

local Divergence = {}

function Divergence.test_different_lines()
  local first = debug.getinfo(f, "S").linedefined
  luaunit.assertEquals(line_of(f, { 1, 2 }, { 3, 2 }), debug.getinfo(helper, "S").linedefined + 1)
  luaunit.assertEquals(line_of(f, { 1, 2 }, { 1, 3 }), first + 2)
  luaunit.assertEquals(line_of(f, { 3, 1 }, { 3, 0 }), first + 2)
end

-- x + 1 takes an instruction more when x is no number; that is no choice.
function Divergence.test_choices_on_one_line()
  local first, number = debug.getinfo(g, "S").linedefined, setmetatable({}, { __add = load("return 3", "=other") })
  luaunit.assertEquals(line_of(g, { 1 }, { 2 }), first + 1)
  luaunit.assertEquals(line_of(g, { 1 }, { number }), first + 1)
  luaunit.assertEquals(line_of(g, { 2 }, { number }), first + 3) -- no other line could have made them part
end

return { Divergence = Divergence }
