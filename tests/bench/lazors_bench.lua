-- Times crux on Lazors levels against a search in C, interleaved: the first placement and the number of all of them against
-- their number, by how many nodes C takes. Files of levels may be given; without, crux's own and some that it makes.
package.path = "tests/bench/?.lua;" .. package.path
local beams = require "libcrux.beams"
local game = require "crux.game.game"
local random = require "libcrux.random"
local timing = require "timing"

local crux = os.getenv "CRUX"
local paths = { ... }
local made = #paths == 0 and os.tmpname()
local self = game.load "games/lazors.lua"

--- Writes that number of levels at random, each with one placement or more.
local function make(file, count, options)
  local rng = random.new(options.mirrors)
  while count > 0 do
    local level = self.generate(rng, options)
    if level then
      file:write(self:text(level), "\n")
      count = count - 1
    end
  end
end

if made then
  os.remove(made)
  made = made .. ".bff"
  paths = { "datasets/levels/lazors", made }
  local file <close> = assert(io.open(made, "w"))
  make(file, 10, { columns = 6, rows = 6, usable_tiles = 30, emitters = 2, receivers = 4, mirrors = 5 })
  make(file, 10, { columns = 8, rows = 8, usable_tiles = 56, emitters = 1, receivers = 4, mirrors = 6 })
end

local kinds = { { title = "under 1,000 nodes", levels = {} }, { title = "1,000 to 9,999", levels = {} },
  { title = "10,000 and more", levels = {} }, { title = "all", levels = {} } }

local function in_plain_c(level)
  return plain_lazors(level.width, level.height, level.tiles, level.emitters, level.targets, level.blocks)
end

for entry in self:entries(paths) do
  local level = self:level(entry)
  local _, nodes = in_plain_c(level)
  table.insert(kinds[nodes < 1000 and 1 or nodes < 10000 and 2 or 3].levels, level)
end

for _, kind in ipairs(kinds) do kind.in_c, kind.in_crux, kind.nodes, kind.count = {}, {}, 0, 0 end
local measuring = {}
for round = 1, timing.rounds do
  for _, kind in ipairs(kinds) do kind.in_c[round], kind.in_crux[round] = 0, 0 end
  for _, kind in ipairs(kinds) do
    for _, level in ipairs(kind.levels) do
      local count, nodes, in_c = in_plain_c(level)
      local before = os.clock()
      local solution = assert(beams.place(level, { count = true }))
      local in_crux = os.clock() - before
      assert(solution.solutions == count, "another number of placements")
      for _, of in ipairs { kind, kinds[4] } do
        of.in_c[round], of.in_crux[round] = of.in_c[round] + in_c, of.in_crux[round] + in_crux
        if round == 1 then of.nodes, of.count = of.nodes + nodes, of.count + 1 end
      end
    end
  end
  measuring[round] = timing.command(("%s measure lazors --measures size,reflections,solutions --jobs 1 %s > /dev/null")
    :format(crux, table.concat(paths, " ")))
end
for _, kind in ipairs(kinds) do
  if kind.count > 0 then
    timing.report(("%s: %d levels, %d nodes"):format(kind.title, kind.count, kind.nodes), kind.in_c, kind.in_crux)
  end
end
timing.report("crux measure, against the searches", kinds[4].in_c, measuring)
if made then os.remove(made) end
