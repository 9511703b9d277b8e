-- Tests of src/trace/mask_lua.c: masks as integers, of truth values of a trace; tests/c/trace/mask_test.c compares what they say with
-- truth tables.
local luaunit = require "luaunit"
local trace = require "libcrux.trace"

local Mask = {}

function Mask.test_masks_are_integers()
  local recorded = trace.new()
  local masks, a, b = recorded:masks(), recorded:flag(), recorded:flag()
  local x, y = masks:of(a), masks:of(b)
  luaunit.assertEquals(math.type(x), "integer")
  luaunit.assertEquals({ masks:of(true), masks:of(false), masks:of(a), masks:of(~a) }, { 1, 0, x, x ~ 1 })
  luaunit.assertEquals({ masks:both(x, x), masks:both(x, x ~ 1), masks:both(x, y) }, { x, 0, masks:both(y, x) })
  luaunit.assertEquals(masks:within(masks:both(x, y), x), y)
  luaunit.assertEquals({ masks:symbol(1), masks:symbol(0) }, { true, false })
  luaunit.assertEquals(masks:of(masks:symbol(masks:both(x, y))), masks:both(x, y))
  luaunit.assertEquals(masks:of(a | b), masks:of(a | b))
end

function Mask.test_what_is_refused()
  local recorded, other = trace.new(), trace.new()
  local masks, flag, far = recorded:masks(), recorded:flag(), other:flag()
  local x = masks:of(flag)
  luaunit.assertErrorMsgContains("a truth value", masks.of, masks, 3)
  luaunit.assertErrorMsgContains("a truth value", masks.of, masks, far)
  luaunit.assertErrorMsgContains("a mask", masks.both, masks, x, x + 2)
  luaunit.assertErrorMsgContains("a mask", masks.symbol, masks, -1)
  luaunit.assertErrorMsgContains("number expected", masks.both, masks, x, "one")
  local _, problem = pcall(function()
    for _ = 1, 5001 do masks:of(recorded:flag()) end
  end)
  luaunit.assertEquals(problem, { refused = "found paths that differ by too many conditions of the state, expected fewer branches and loops" })
  recorded:close()
  luaunit.assertErrorMsgContains("an open trace", masks.both, masks, x, x)
end

return { Mask = Mask }
