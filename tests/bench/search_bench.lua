-- Times crux's searches of Move levels against one in C, interleaved; prints medians and ratios.
local board = require "libcrux.board"
local game = require "crux.game"
local random = require "libcrux.random"
local search = require "crux.search"
local system = require "libcrux.system"

local rounds, interpreted_states = 5, 20000
local spec = game.load("games/move.lua").search
local blind = { moves = spec.moves, state = spec.state, start = spec.start, step = spec.step }

--- A level of that size, as the script has it and as integers.
local function draw(rng, side, balls, colours)
  local free, level = ~board.new(side, side), { width = side, height = side, colours = {}, balls = {}, goals = {}, count = balls }
  local function place(on)
    local x, y = on:pick(rng)
    return board.new(side, side, { { x, y } })
  end
  local rocks = board.new(side, side)
  for i = 1, balls do
    local colour = i <= colours and i or rng:integer(1, colours)
    level.colours[colour] = tostring(colour)
    local ball = place(free)
    free = free - ball
    level.balls[colour] = (level.balls[colour] or rocks) | ball
  end
  for colour in ipairs(level.colours) do
    for _ = 1, #level.balls[colour] do
      local goal = place(~(level.goals[colour] or rocks))
      level.goals[colour] = (level.goals[colour] or rocks) | goal
    end
  end
  for x, y in free:cells() do
    if rng:chance(0.15) then rocks = rocks:with(x, y) end
  end
  level.rocks, level.floor = rocks, ~rocks
  local function bits(of)
    local word = 0
    for _, _, cell in of:cells() do word = word | 1 << cell - 1 end
    return word
  end
  local function all(boards)
    local list = {}
    for i, of in ipairs(boards) do list[i] = bits(of) end
    return list
  end
  return level, { side, side, bits(rocks), all(level.balls), all(level.goals) }
end

local function median(list)
  table.sort(list)
  return list[#list // 2 + 1]
end

local function timed(f)
  local before = os.clock()
  local result = f()
  return os.clock() - before, result
end

--- Times all levels of a kind, in seconds: C, native.
local function compare(title, levels)
  local plain, native, states = {}, {}, 0
  for round = 1, rounds do
    local in_c, in_crux = 0, 0
    for _, level in ipairs(levels) do
      local length, count, seconds = plain_move(table.unpack(level.plain))
      local took, solution = timed(function() return search.solve(blind, level.level, { states = 1 << 30 }) end)
      assert((solution.length or -1) == length and not solution.untraced, "another solution")
      in_c, in_crux = in_c + seconds, in_crux + took
      states = states + (round == 1 and count or 0)
    end
    plain[round], native[round] = in_c, in_crux
  end
  local in_c, in_crux = median(plain), median(native)
  print(("%-28s %4d levels %9d states   C %8.4f s   crux %8.4f s   ratio %.2f"):format(title, #levels, states, in_c, in_crux,
    in_crux / in_c))
end

local rng = random.new(1)
for _, kind in ipairs { { 4, 3, 2, 60 }, { 5, 3, 2, 40 }, { 5, 3, 3, 20 }, { 5, 4, 2, 20 }, { 5, 4, 4, 6 }, { 6, 4, 3, 2 }, { 5, 5, 3, 2 } } do
  local levels = {}
  while #levels < kind[4] do
    local level, plain = draw(rng, kind[1], kind[2], kind[3])
    local length = plain_move(table.unpack(plain))
    if length ~= 0 then table.insert(levels, { level = level, plain = plain }) end
  end
  compare(("%d x %d, %d balls, %d colours"):format(kind[1], kind[1], kind[2], kind[3]), levels)
  if kind[4] == 60 then
    local level = levels[1].level
    local options = { states = interpreted_states, engine = "interpreted" }
    local took, solution = timed(function() return search.solve(blind, level, options) end)
    print(("%28s interpreted: %.1f microseconds a state"):format("", took / solution.states * 1e6))
  end
end
