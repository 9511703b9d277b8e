--- Ranges of numbers, by hand.
local luaunit = require "luaunit"
local range = require "crux.base.range"

local Ranges = {}

--- The values of a list that a range holds.
local function held(text, values, decimals)
  local bounds, inside = assert(range.read(text, decimals), text), {}
  for _, value in ipairs(values) do
    if range.holds(bounds, value) then table.insert(inside, value) end
  end
  return inside
end

function Ranges.test_what_texts_hold()
  luaunit.assertEquals(held("4..5", { 3.999, 4, 4.5, 5, 5.001 }), { 4, 4.5, 5 })
  luaunit.assertEquals(held("4.5", { 4.44, 4.45, 4.5, 4.55, 4.56 }), { 4.45, 4.5, 4.55 })
  luaunit.assertEquals(held("4.5", { 4.44, 4.496, 4.5, 4.504, 4.506 }, 2), { 4.496, 4.5, 4.504 })
  luaunit.assertEquals(held("-3", { -4, -3.6, -3.4, -2.6, -2.4 }), { -3.4, -2.6 })
  luaunit.assertEquals(held(">=8", { 7.99, 8, 1e300, math.huge }), { 8, 1e300, math.huge })
  luaunit.assertEquals(held("<= -2", { -math.huge, -2, -1.99 }), { -math.huge, -2 })
  luaunit.assertEquals(held("7..7", { 6.9, 7, 7.1 }), { 7 })
end

function Ranges.test_other_texts_are_no_range()
  for _, text in ipairs { "", "x", "5..4", "..", "4..", "..5", ">8", ">=", "4...5", "4-5", ">=4..5" } do
    luaunit.assertNil(range.read(text), text)
  end
end

function Ranges.test_beyond()
  local bounds = range.read "4..5"
  luaunit.assertEquals({ range.beyond(3, bounds), range.beyond(4.2, bounds), range.beyond(7.5, bounds) }, { 1, 0, 2.5 })
end

function Ranges.test_texts()
  for _, text in ipairs { "4..5", "4.5", ">=8", "<=2" } do luaunit.assertEquals(range.text(range.read(text)), text) end
end

return { Ranges = Ranges }
