-- Times choices of the next level in a study in browsers with the order "ability": 500 players with 20 plays each of 80 levels, in a
-- database. Milliseconds of the processor: the first choice of a worker, and the mean of the next 100.
local itinerary = require "crux.serve.itinerary"
local random = require "libcrux.random"
local store = require "crux.serve.store"

local path, stream = os.tmpname(), random.new(1)
os.remove(path)
local _ <close> = setmetatable({}, { __close = function() os.remove(path) end }) -- once the store is closed
local open <close> = store.open(path, true)
local block = { name = "", order = "ability", success = 0.7, per_player = 80, list = {}, tutorial = {} }
local numbers = {}
open:atomically(function()
  for level = 1, 80 do
    block.list[level], numbers[level] = { name = "l" .. level }, level
    open:run("INSERT INTO level VALUES ('', ?, '', 0)", "l" .. level)
  end
  for player = 1, 500 do
    open:add_player("p" .. player, { came_by = "public", knows_game = true }, 0)
    for position, level in ipairs { table.unpack(stream:shuffle(numbers), 1, 20) } do
      local now = 1000000 * position + player
      open:run("INSERT INTO play (player, position, level, began, ended) VALUES (?, ?, ?, ?, ?)", player, position, "l" .. level, now - 9, now)
      open:run("INSERT INTO attempt (player, position, attempt, time, solved, skipped, losses) VALUES (?, ?, 1, 1, ?, ?, 0)", player, position,
        stream:integer(0, 1), 0)
    end
  end
end)
local player = { id = 1, block = block, study = { away_seconds = 1800 }, store = open, random = stream }
local function choose(count)
  local start = os.clock()
  for _ = 1, count do itinerary.choose(player, 30000000) end
  return (os.clock() - start) / count * 1000
end
print(("first %.1f ms"):format(choose(1)))
print(("next %.2f ms"):format(choose(100)))
