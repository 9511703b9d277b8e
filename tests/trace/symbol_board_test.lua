-- Tests of symbolic boards (src/trace/symbol_board_lua.c): which cells they can still have.
local board = require "libcrux.board"
local luaunit = require "luaunit"
local trace = require "libcrux.trace"

local SymbolBoard = {}

-- A board has lost its last column or row after as many rounds; boards of one and of several words.
function SymbolBoard.test_a_board_that_slides_gets_empty()
  for _, case in ipairs { { 5, 3, "R", 5 }, { 5, 3, "U", 3 }, { 9, 9, "L", 9 }, { 20, 13, "D", 13 }, { 64, 2, "R", 64 } } do
    local width, height, direction, rounds = table.unpack(case)
    local recorded = trace.new()
    local at, wall = recorded:board(width, height), recorded:board(width, height)
    for round = 1, rounds do
      luaunit.assertNotEquals(at:any(), false, round)
      at = at:shift(direction) & ~wall
    end
    luaunit.assertIs(at:any(), false)
  end
end

function SymbolBoard.test_cells_apart_have_nothing_in_common()
  local recorded = trace.new()
  local left, right = board.new(10, 10, { { 1, 1 }, { 2, 10 } }), board.new(10, 10, { { 3, 1 }, { 10, 10 } })
  local a, b = recorded:board(10, 10) & left, recorded:board(10, 10) & right -- no cell is in both
  luaunit.assertIs((a & b):any(), false)
  luaunit.assertIs((a:shift "R" & left):any(), false)
  luaunit.assertEquals(type((a:shift("R", 2) & b):any()), "userdata")
end

return { SymbolBoard = SymbolBoard }
