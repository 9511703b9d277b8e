--- Smooth lines: the numbers of R's lowess (tests/r/lowess.R).
local dataset = require "crux.data.dataset"
local lowess = require "crux.stats.lowess"
local luaunit = require "luaunit"

local Lowess = {}

--- Expects the line, each x once, to be R's within 1e-12 of its size.
local function expect(x, y, expected)
  local sorted, line = lowess(x, y)
  luaunit.assertEquals(#sorted, #x)
  local place = 0
  for i = 1, #line do
    local value = line[i]
    if i == 1 or sorted[i] ~= sorted[i - 1] then place = place + 1 end
    luaunit.assertAlmostEquals(value, expected[place], 1e-12 * math.max(1, math.abs(expected[place])))
    luaunit.assertTrue(i == 1 or sorted[i] >= sorted[i - 1])
  end
  luaunit.assertEquals(place, #expected)
end

--- 25 values of a function of 0 to 24.
local function values(f)
  local list = {}
  for i = 0, 24 do list[i + 1] = f(i) end
  return list
end

function Lowess.test_published_ratings()
  local block = dataset.open("datasets/flow.csv"):blocks { numbers = { "size", "difficulty" } } ()
  expect(block.numbers.size, block.numbers.difficulty, {
    1.6354017750654413, 2.3176098442196986, 3.1748702744193453, 4.1616410781767481, 5.1562491104280763 })
end

function Lowess.test_outlier_has_no_say()
  expect(values(function(i) return i end), values(function(i) return i == 12 and 40 or i % 3 + i / 2 end), {
    0.71798699599071747, 1.2682869775165841, 1.8178306426557265, 2.3683346087992714, 2.9193125796640156,
    3.4704202986346315, 4.0195952758080828, 4.5564460565723364, 5.0928691181523984, 5.6161633163485343,
    6.1250661570415215, 6.6280744320799396, 7.1274079611219001, 7.6283841361026923, 8.1258374217536975,
    8.6155447107047713, 9.0945224366705286, 9.5587182923079421, 10.033219539231659, 10.498842221052147,
    10.962726266429602, 11.427545551292395, 11.893034800350334, 12.359665165484182, 12.827092559234375 })
end

function Lowess.test_near_points_are_interpolated()
  expect(values(function(i) return i ^ 4 end), values(function(i) return i * 7 % 11 end), {
    4.8445455185805217, 4.8445299403581252, 4.8442962670221812, 4.8432836825664225, 4.840557493647073,
    4.8348091295828448, 4.8243561423549384, 4.8071422066070459, 4.7882401828456906, 4.7725977983262116,
    4.7774155666959723, 4.8373572422150142, 5.0333050256381817, 5.8361919418234969, 5.7340658301914003,
    5.6018984731561678, 5.9221724308868859, 5.069991675214264, 5.1208717117852078, 4.9272750824072062,
    4.2379435035049546, 4.2548869231114343, 4.070154497904495, 3.7898837671060064, 3.5509327775658028 })
end

function Lowess.test_few_points()
  expect({ 4, 1, 3, 2 }, { 9, 3, 7, 5 }, { 3, 5, 7, 9 })
  expect({ 2, 1 }, { 5, 3 }, { 3, 5 })
  expect({ 1, 1, 1 }, { 2, 4, 9 }, { 4.9095471550930565 })
  expect({ 7 }, { 8 }, { 8 }) -- R's lowess, too, gives one point back
  expect({}, {}, {})
end

return { Lowess = Lowess }
