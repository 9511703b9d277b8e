-- Measures what each level costs, and simulates how long a hundred thousand levels of such costs take with up to a thousand
-- workers of crux-mpi, dealt out as src/host/mpi_workers.c does: cluster_bench.lua GAME LEVELS [FACTOR [MEASURE,...]]. The costs are
-- multiplied by the factor, for levels as much harder.
local convert = require "crux.option.convert"
local game = require "crux.game.game"
local random = require "libcrux.random"

local name, path, factor, measures = ...
factor, measures = tonumber(factor) or 1, measures and convert.names(measures)

--- Seconds: of rank 0 for each level (reading, dealing, receiving, writing: half of it before and half after), on the way, and
--- until all ranks have started.
local rank_0, latency, start = 60e-6, 100e-6, 0.4

--- As in src/host/mpi_workers.c and lua/crux/run/jobs.lua: items that a rank has at most, and while one knows nothing; seconds of work
--- that it should have; items in flight for each.
local depth, few, worth, in_flight = 64, 2, 0.02, 256

local count <const> = 100000

--- The seconds that each level takes on this machine.
local function measured()
  local self, costs = game.load(name), {}
  local chosen = self:choose(measures)
  for entry in self:entries { path } do
    local before = os.clock()
    self:measure(self:level(entry), chosen, { bytes = 1 << 30 })
    table.insert(costs, os.clock() - before)
  end
  return costs
end

--- Times with what happens then, the earliest first: a binary heap.
local Queue = {}
Queue.__index = Queue

function Queue:put(time, what)
  local place = #self + 1
  while place > 1 and self[place // 2].time > time do
    self[place] = self[place // 2]
    place = place // 2
  end
  self[place] = { time = time, what = what }
end

function Queue:take()
  local first, last = self[1], table.remove(self)
  if #self == 0 then return first end
  local place = 1
  while true do
    local child = 2 * place
    if child < #self and self[child + 1].time < self[child].time then child = child + 1 end
    if child > #self or self[child].time >= last.time then break end
    self[place] = self[child]
    place = child
  end
  self[place] = last
  return first
end

--- The seconds that levels of such costs take with that number of workers.
local function simulate(costs, workers)
  local free, held, events, done = {}, {}, setmetatable({}, Queue), {}
  local idle, now, results, next_level, oldest = {}, start, 0, 1, 1
  for worker = 1, workers do free[worker], held[worker] = start, 0 end
  local function deal(worker)
    now = now + rank_0 / 2
    free[worker] = math.max(free[worker], now + latency) + costs[next_level]
    held[worker] = held[worker] + 1
    events:put(free[worker] + latency, { worker = worker, level = next_level })
    next_level = next_level + 1
  end
  local function most()
    local waiting = math.min(#costs, oldest + in_flight * workers - 1) - next_level + 1
    if waiting <= workers then return waiting > 0 and 1 or 0 end
    if results <= few * workers then return few end
    return math.max(few, math.min(depth, worth * results / ((now - start) * workers), waiting // workers))
  end
  for each = 1, few do
    for worker = 1, workers do
      if each <= most() then deal(worker) end
    end
  end
  while results < #costs do
    local event = events:take()
    local worker, level = event.what.worker, event.what.level
    now = math.max(now, event.time) + rank_0 / 2
    held[worker], results, done[level] = held[worker] - 1, results + 1, true
    while done[oldest] do oldest = oldest + 1 end
    while held[worker] < most() do deal(worker) end
    if held[worker] == 0 then table.insert(idle, worker) end
    while #idle > 0 and most() > 0 do deal(table.remove(idle)) end
  end
  return now
end

local costs, rng, drawn, sum = measured(), random.new(1), {}, 0
for i = 1, count do
  drawn[i] = factor * rng:pick(costs)
  sum = sum + drawn[i]
end
table.sort(costs)
print(("%s: %d levels, seconds each: least %.2g, median %.2g, mean %.2g, greatest %.2g"):format(name, #costs, factor * costs[1],
  factor * costs[#costs // 2 + 1], sum / count, factor * costs[#costs]))
print(("workers  seconds for %d  times as fast  share of the workers' time"):format(count))
for _, workers in ipairs { 1, 2, 10, 100, 1000 } do
  local seconds = simulate(drawn, workers)
  print(("%7d  %18.1f  %13.1f  %26.2f"):format(workers, seconds, sum / seconds, sum / seconds / workers))
end
