-- Tests of examples/lights.lua against all sets of presses: the order of presses does not matter, and two of the same square are
-- none.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local random = require "libcrux.random"
local Session = require "crux.play.session"

local lights = game.load "examples/lights.lua"

local function level_of(text) return lights:level(levels.split(text, "level.txt", lights.files)[1]) end

--- Bits of the squares that a press switches, on a board of 3 x 3.
local function press_of(square)
  local x, y, bits = square % 3, square // 3, 0
  for other = 0, 8 do
    if math.abs(other % 3 - x) + math.abs(other // 3 - y) <= 1 then bits = bits | 1 << other end
  end
  return bits
end

local function bits_of(text)
  local bits, i = 0, 0
  for tile in text:gmatch "[.*]" do bits, i = bits | (tile == "*" and 1 << i or 0), i + 1 end
  return bits
end

--- The fewest presses that switch all lights off.
local function fewest(bits)
  local best
  for presses = 0, 511 do
    local left, count = bits, 0
    for square = 0, 8 do
      if presses & 1 << square ~= 0 then left, count = left ~ press_of(square), count + 1 end
    end
    if left == 0 and (not best or count < best) then best = count end
  end
  return best
end

local Lights = {}

function Lights.test_fewest_presses()
  local rng = random.new(1)
  for _ = 1, 20 do
    local level = lights.generate(rng, { side = 3, pressed = 5 })
    local text = lights:text(level)
    if text:find "*" then
      local row = lights:measure(level_of(text), lights:choose(), {})
      luaunit.assertEquals(row, { size = 9, lights = select(2, text:gsub("%*", "")), presses = fewest(bits_of(text)) }, text)
    end
  end
end

--- By hand: a press in the middle switches the plus off.
function Lights.test_played()
  local session = Session.new(play.rules(lights), level_of ".*.\n***\n.*.\n")
  for key in ("right down enter"):gmatch "%S+" do session:press(key) end
  luaunit.assertTrue(session:done())
  luaunit.assertEquals({ session.moves, table.concat(session:draw(), "/") }, { 1, ".../.../..." })
end

function Lights.test_bad_levels()
  for _, case in ipairs {
    { "...\n", "1: found no light, expected '*'" },
    { "*.....\n", "1: found a larger board, expected at most 5 columns and rows" },
  } do
    luaunit.assertErrorMsgEquals("level.txt:" .. case[2], level_of, case[1])
  end
end

return { Lights = Lights }
