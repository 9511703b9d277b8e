-- Times crux on whole state spaces of Rush Hour, a game of many moves of which few are legal, against a search in C, interleaved;
-- prints medians and ratios. The first level has 541,934 states, the second is one of the longest to solve.
package.path = "tests/bench/?.lua;" .. package.path
local board = require "libcrux.board"
local kinds = require("crux.search.state").kinds
local search = require "crux.search.search"
local timing = require "timing"
local vocabulary = require "crux.symbolic.vocabulary"

vocabulary.enable()
local lookup, none, where = vocabulary.words.lookup, vocabulary.words.none, vocabulary.words.where
local ipairs, unpack = ipairs, table.unpack -- a step that reaches all globals has no program for several levels
local side = 6

--- The pieces of a text of 36 cells, with the boards that `step` looks up by position: the cells that each covers, and those that
--- it enters when it slides by some cells (all cells where it would leave the board).
local function pieces_of(text)
  local pieces, by_letter = {}, {}
  for cell = 0, side * side - 1 do
    local letter = text:sub(cell + 1, cell + 1)
    if letter ~= "." then
      local piece = by_letter[letter]
      if not piece then
        piece = { first = cell, length = 0 }
        by_letter[letter] = piece
        table.insert(pieces, piece)
      end
      piece.length, piece.last = piece.length + 1, cell
    end
  end
  for _, piece in ipairs(pieces) do
    piece.down = piece.last - piece.first >= side
    piece.at = piece.down and piece.first // side or piece.first % side
    local line = piece.down and piece.first % side or piece.first // side
    local function cells(from, to)
      local list = {}
      for i = from, to do list[#list + 1] = piece.down and { line + 1, i + 1 } or { i + 1, line + 1 } end
      return board.new(side, side, list)
    end
    piece.furthest, piece.covers, piece.enters = side - piece.length, {}, {}
    for at = 0, piece.furthest do piece.covers[at] = cells(at, at + piece.length - 1) end
    for by = -piece.furthest, piece.furthest do
      piece.enters[by] = {}
      for at = 0, piece.furthest do
        local from, to = at + piece.length, at + piece.length + by - 1
        if by < 0 then from, to = at + by, at - 1 end
        piece.enters[by][at] = (from < 0 or to >= side) and ~board.new(side, side) or cells(from, to)
      end
    end
  end
  return pieces
end

local function spec_of(pieces)
  local moves, slides = {}, {}
  for i, piece in ipairs(pieces) do
    for by = -piece.furthest, piece.furthest do
      if by ~= 0 then
        local name = i .. " " .. by
        table.insert(moves, name)
        slides[name] = { i, by }
      end
    end
  end
  return {
    moves = moves,
    state = function() return { at = kinds.array(#pieces, kinds.integer(0, side - 2)) } end,
    start = function(level)
      local at = {}
      for i, piece in ipairs(level.pieces) do at[i] = piece.at end
      return { at = at }
    end,
    step = function(state, move, level)
      local i, by = unpack(slides[move])
      local taken = board.new(side, side)
      for k, piece in ipairs(level.pieces) do taken = taken | lookup(piece.covers, state.at[k]) end
      local is_free = none(lookup(level.pieces[i].enters[by], state.at[i]) & taken)
      state.at[i] = where(is_free, state.at[i] + by, state.at[i])
      return false
    end,
  }
end

for _, text in ipairs {
  "..KK..EE...JAAIGCJLLIGC.DB..FFDBHH..", "IBB...I..LDDJAAL..J.KEEMFFK..MGGHHHM",
} do
  local cells = text:gsub("[ox]", ".")
  local pieces = pieces_of(cells)
  local spec, level = spec_of(pieces), { pieces = pieces }
  local in_c, in_crux, states = {}, {}, nil
  for round = 1, timing.rounds do
    states, in_c[round] = plain_rushhour(cells)
    local before = os.clock()
    local solution = search.solve(spec, level, { states = 1 << 30 })
    in_crux[round] = os.clock() - before
    assert(solution.states == states and not solution.untraced, solution.untraced or solution.states)
  end
  timing.report(("%d pieces, %d moves, %d states"):format(#pieces, #spec.moves, states), in_c, in_crux)
end
