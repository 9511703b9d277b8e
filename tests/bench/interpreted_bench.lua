-- Times searches that stay in Lua, of Hanoi with 12 disks in tests/newcomers/, beside breadth-first searches in plain Lua of the same game,
-- interleaved: with the game's own step on tables, whose states are texts in a table; and written for this game, with states that are
-- numbers. Prints medians of seconds of the processor.
package.path = "tests/bench/?.lua;tests/support/?.lua;" .. package.path
local newcomers = require "newcomers"
local search = require "crux.search.search"
local timing = require "timing"

local DISKS <const> = 12
local hanoi, level = newcomers.load("hanoi").search, { disks = DISKS }

--- By the step of the game. Returns the moves of a shortest solution, and the states.
local function by_step()
  local function key(state) return table.concat(state.peg) end
  local start = hanoi.start(level)
  local depths, queue = { [key(start)] = 0 }, { start }
  for _, state in ipairs(queue) do
    local depth = depths[key(state)]
    for _, move in ipairs(hanoi.moves) do
      local after = { peg = table.move(state.peg, 1, DISKS, 1, {}) }
      local won = hanoi.step(after, move, level)
      if won then return depth + 1, #queue end
      local found = key(after)
      if not depths[found] then
        depths[found] = depth + 1
        queue[#queue + 1] = after
      end
    end
  end
end

--- Written for Hanoi: the peg of each disk, 0 to 2, is a digit in base 3.
local function by_numbers()
  local powers, moves, goal = {}, { { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 2 }, { 2, 0 }, { 2, 1 } }, math.tointeger(3 ^ DISKS) - 1
  for disk = 1, DISKS do powers[disk] = math.tointeger(3 ^ (disk - 1)) end
  local depths, queue = { [0] = 0 }, { 0 }
  for _, state in ipairs(queue) do
    for _, move in ipairs(moves) do
      local from, to = move[1], move[2]
      for disk = 1, DISKS do
        local peg = state // powers[disk] % 3
        if peg == to then break end
        if peg == from then
          local after = state + (to - from) * powers[disk]
          if after == goal then return depths[state] + 1, #queue end
          if not depths[after] then
            depths[after] = depths[state] + 1
            queue[#queue + 1] = after
          end
          break
        end
      end
    end
  end
end

local function by_crux()
  local solution = search.solve(hanoi, level, { engine = "interpreted" })
  return solution.length, solution.states
end

local ways, seconds = { by_step = by_step, by_numbers = by_numbers, by_crux = by_crux }, {}
for _ = 1, tonumber(arg[1] or timing.rounds) do
  for name, way in pairs(ways) do
    collectgarbage()
    local begin = os.clock()
    local length, states = way()
    assert(length == 2 ^ DISKS - 1 and states > 500000, name)
    seconds[name] = seconds[name] or {}
    table.insert(seconds[name], os.clock() - begin)
  end
end
local crux, step, numbers = timing.median(seconds.by_crux), timing.median(seconds.by_step), timing.median(seconds.by_numbers)
print(("crux in Lua %.2f s, by the step %.2f s, ratio %.2f; by numbers %.2f s, ratio %.2f"):format(crux, step, crux / step, numbers,
  crux / numbers))
