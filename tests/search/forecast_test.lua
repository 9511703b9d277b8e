--- Tests of lua/crux/search/forecast.lua, with figures by hand.
local forecast = require "crux.search.forecast"
local luaunit = require "luaunit"

local Forecast = {}

local function line(sizes, most)
  local states = 0
  for _, size in ipairs(sizes) do states = states + size end
  return forecast.line { sizes = sizes, states = states, seconds = 2, most = { states = most.states or 1000,
    bytes = most.bytes or math.huge, seconds = most.seconds or math.huge } }
end

-- 62 states are 31 a second. After 31 complete ones layers of 32, 64, 128, 256 and 512 make 1,023, in layer 10: 938 states take 30 s.
function Forecast.test_growth()
  luaunit.assertEquals(line({ 1, 2, 4, 8, 16, 31 }, {}),
    "62 states in 2 s, 31 a second; 6 layers, each 2 times the one before; expected: the limit on states after 30 s more, in layer 10")
  luaunit.assertEquals(line({ 1, 2, 4, 8, 16, 31 }, { bytes = 124, seconds = 500 }),
    "62 states in 2 s, 31 a second; 6 layers, each 2 times the one before; expected: the limit on bytes after 2 s more, in layer 7")
  luaunit.assertEquals(line({ 1, 2, 4, 8, 16, 31 }, { bytes = 124, seconds = 62 }),
    "62 states in 2 s, 31 a second; 6 layers, each 2 times the one before; expected: the limit on seconds after 0 s more, in layer 6")
end

-- 800 + 400 + 200 + ... are 1,600, of which 850 are found at 425 a second: 750 take 1.8 s.
function Forecast.test_layers_that_shrink()
  luaunit.assertEquals(line({ 400, 200, 100, 50, 100 }, { states = 10000 }),
    "850 states in 2 s, 425 a second; 5 layers, each 0.5 times the one before; expected: 800 states in all, after 0 s more")
  luaunit.assertEquals(line({ 1600, 800, 400, 0 }, { states = 3100 }),
    "2,800 states in 2 s, 1,400 a second; 4 layers, each 0.5 times the one before; expected: the limit on states after 0 s more, in layer 5")
end

function Forecast.test_few_layers()
  luaunit.assertEquals(line({ 1, 100 }, {}), "101 states in 2 s, 50 a second; 2 layers")
  luaunit.assertEquals(line({ 1 }, {}), "1 state in 2 s, 0 a second; 1 layer")
end

return { Forecast = Forecast }
