--- Puzzles and their shortest solutions in plain Lua, to hold crux's searches against: nothing here uses the engine, but
--- for the hooks that the searches are given.
local board = require "libcrux.board"
local vocabulary = require "crux.symbolic.vocabulary"
local words = vocabulary.words
local kinds = require("crux.search.state").kinds

vocabulary.enable()
local any, eq, lookup, where = words.any, words.eq, words.lookup, words.where

local reference = {}

---@class Puzzle
---@field start any              a state in plain Lua
---@field moves string[]
---@field key fun(state: any): string                      equal for equal states only
---@field step fun(state: any, move: string): string?, any   "won", "lost" or nil, and the state that it leaves
---@field spec SearchSpec        the same for crux, without a heuristic
---@field level table
---@field key_of fun(state: table): string                 what key is to the plain states

--- The list in random order.
local function shuffled(list)
  for i = #list, 2, -1 do
    local k = math.random(i)
    list[i], list[k] = list[k], list[i]
  end
  return list
end

--- A graph by its edges: level[move][node] is a node from 1 to n, 0 for lost, -1 for won, -2 for both at once.
---@return Puzzle
function reference.graph()
  local n, moves, level = math.random(2, 60), { "c", "b", "a", "d" }, {}
  for i = 4, math.random(1, 4) + 1, -1 do moves[i] = nil end
  for _, move in ipairs(moves) do
    level[move] = {}
    for node = 1, n do
      local wins = node > n - 3 and math.random(3) == 1
      local stray = math.max(1, math.min(n, node + math.random(-3, 4)))
      level[move][node] = wins and -math.random(2) or math.random(12) == 1 and 0 or stray
    end
  end
  return {
    start = 1, moves = moves, level = level, key = tostring,
    step = function(node, move)
      local to = level[move][node]
      return to < 0 and "won" or to == 0 and "lost" or nil, to
    end,
    key_of = function(state) return tostring(state.at) end,
    spec = {
      moves = moves,
      state = function() return { at = kinds.integer(1, n) } end,
      start = function() return { at = 1 } end,
      step = function(state, move, of)
        state.at = lookup(of[move], state.at)
        return words.lt(state.at, 0), eq(state.at, 0) | eq(state.at, -2)
      end,
    },
  }
end

local steps = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }

--- Cells of a board at random, as { x, y }, none of them among those that are taken.
local function scatter(width, height, count, taken)
  local cells = {}
  while #cells < count do
    local x, y = math.random(width), math.random(height)
    if not taken[y * 100 + x] then
      taken[y * 100 + x] = true
      table.insert(cells, { x, y })
    end
  end
  return cells
end

--- A stone slides until something stops it, and collects the coins on its way; a pit on the way loses.
---@return Puzzle
function reference.sliding()
  local width, height, taken = math.random(3, 6), math.random(3, 6), {}
  local stone, coins = scatter(width, height, 1, taken)[1], scatter(width, height, math.random(3), taken)
  local pits, rocks = scatter(width, height, math.random(0, 1), taken), scatter(width, height, math.random(0, 3), taken)
  local level = { floor = ~board.new(width, height, rocks), pits = board.new(width, height, pits), coins = {} }
  local what = {}
  local function mark(cells, value)
    for i, cell in ipairs(cells) do what[cell[2] * 100 + cell[1]] = value == "coin" and i or value end
  end
  mark(coins, "coin")
  mark(pits, "pit")
  mark(rocks, "rock")
  for i, coin in ipairs(coins) do level.coins[i] = board.new(width, height, { coin }) end
  local moves = shuffled { "U", "L", "D", "R" }
  return {
    start = { x = stone[1], y = stone[2] }, moves = moves, level = level,
    key = function(state)
      local key = state.x .. "," .. state.y
      for i = 1, #coins do key = key .. (state[i] and "x" or "-") end
      return key
    end,
    step = function(state, move)
      local dx, dy = table.unpack(steps[move])
      local after, fell, left = { x = state.x, y = state.y }, false, 0
      for i = 1, #coins do after[i] = state[i] end
      while true do
        local x, y = after.x + dx, after.y + dy
        local here = what[y * 100 + x]
        if x < 1 or y < 1 or x > width or y > height or here == "rock" then break end
        after.x, after.y, fell = x, y, fell or here == "pit"
        if math.type(here) then after[here] = true end
      end
      for i = 1, #coins do left = left + (after[i] and 0 or 1) end
      return left == 0 and "won" or fell and "lost" or nil, after
    end,
    key_of = function(state)
      local x, y = state.at:first()
      local key = x .. "," .. y
      for _, got in ipairs(state.got) do key = key .. (got and "x" or "-") end
      return key
    end,
    spec = {
      moves = moves,
      state = function() return { at = kinds.board(width, height), got = kinds.array(#coins, kinds.flag) } end,
      start = function()
        local got = {}
        for i = 1, #coins do got[i] = false end
        return { at = board.new(width, height, { stone }), got = got }
      end,
      step = function(state, move, of)
        local passed = state.at - state.at
        for _ = 1, math.max(width, height) do
          local on = state.at:shift(move) & of.floor
          state.at = where(any(on), on, state.at)
          passed = passed | on
        end
        local won = true
        for i, coin in ipairs(of.coins) do
          state.got[i] = state.got[i] | any(passed & coin)
          won = won & state.got[i]
        end
        return won, any(passed & of.pits)
      end,
    },
  }
end

---@class Explored
---@field states table[]           in the order of discovery: { state =, key =, depth =, next = }, next being by number of
---                                the move the number of a state, "won" or "lost"
---@field distance table<string, integer>   by key: the moves from a state to the nearest win
---@field sizes integer[]          the number of states at each depth, from 0

--- All states that can be reached, and the moves from each of them to a win: found by asking the successors until nothing
--- changes any more.
---@return Explored
function reference.explore(puzzle)
  local states = { { state = puzzle.start, key = puzzle.key(puzzle.start), depth = 0 } }
  local number, distance, sizes = { [states[1].key] = 1 }, {}, {}
  for _, entry in ipairs(states) do
    sizes[entry.depth + 1] = (sizes[entry.depth + 1] or 0) + 1
    entry.next = {}
    for i, move in ipairs(puzzle.moves) do
      local outcome, state = puzzle.step(entry.state, move)
      local key = not outcome and puzzle.key(state)
      if key and not number[key] then
        table.insert(states, { state = state, key = key, depth = entry.depth + 1 })
        number[key] = #states
      end
      entry.next[i] = outcome or number[key]
    end
  end
  local changed
  repeat
    changed = false
    for i = #states, 1, -1 do
      local entry = states[i]
      for _, successor in ipairs(entry.next) do
        local left = successor == "won" and 0 or successor ~= "lost" and distance[states[successor].key]
        if left and left + 1 < (distance[entry.key] or math.huge) then distance[entry.key], changed = left + 1, true end
      end
    end
  until not changed
  return { states = states, distance = distance, sizes = sizes }
end

--- The first of the shortest solutions, as numbers of moves, and how many there are; nothing when there are none.
function reference.solution(explored)
  local states, length = explored.states, explored.distance[explored.states[1].key]
  if not length then return end
  local ways = { [0] = { [1] = 1 } } -- by depth and state: how many sequences of moves lead there
  local solutions = 0
  for depth = 1, length do
    ways[depth] = {}
    for index, count in pairs(ways[depth - 1]) do
      for _, successor in ipairs(states[index].next) do
        if successor == "won" then
          solutions = solutions + (depth == length and count or 0)
        elseif successor ~= "lost" then
          ways[depth][successor] = (ways[depth][successor] or 0) + count
        end
      end
    end
  end
  local moves, index = {}, 1
  for left = length - 1, 0, -1 do
    for move, successor in ipairs(states[index].next) do
      local is_on_way = successor == "won" and left == 0
        or type(successor) == "number" and left > 0 and explored.distance[states[successor].key] == left
      if is_on_way then
        table.insert(moves, move)
        index = successor
        break
      end
    end
  end
  return moves, solutions
end

return reference
