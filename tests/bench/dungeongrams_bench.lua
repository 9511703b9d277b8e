-- Times crux on levels of DungeonGrams against a search in C, interleaved: the searches of each variant, and all of
-- `crux measure`; prints medians and ratios. Without files of levels, it makes some.
package.path = "tests/bench/?.lua;" .. package.path
local game = require "crux.game.game"
local search = require "crux.search.search"
local timing = require "timing"

local crux = os.getenv "CRUX"
local paths = { ... }
local made = #paths == 0 and os.tmpname()
if made then
  paths[1] = made
  assert(os.execute(("%s generate dungeongrams --count 100 -o %s"):format(crux, paths[1])))
end

local self = game.load "games/dungeongrams.lua"
local variants = { "as drawn", "no enemies", "nothing" }

--- The levels of a variant, as crux and as C take them.
local function read(variant)
  local erased = variant == "nothing" and "[#^*]" or variant == "no enemies" and "[#^]" or "\0"
  local levels = {}
  for entry in self:entries(paths) do
    entry.text = entry.text:gsub(erased, "-")
    table.insert(levels, { name = entry.name, text = entry.text, level = self:level(entry) })
  end
  return levels
end

--- Searches all levels both ways. Returns the seconds that C and crux took, and the states.
local function round_of(levels)
  local in_c, in_crux, states = 0, 0, 0
  for _, level in ipairs(levels) do
    local actions, count, seconds = plain_dungeongrams(level.text)
    local before = os.clock()
    local solution = search.solve(self.search, level.level, { states = 1 << 30 })
    in_c, in_crux, states = in_c + seconds, in_crux + os.clock() - before, states + count
    local found = solution.moves and table.concat(solution.moves)
    assert(found == actions and not solution.untraced, level.name .. ": another solution")
  end
  return in_c, in_crux, states
end

local all_in_c, all_in_crux, measuring = {}, {}, {}
local of_variant, count = {}, 0
for _, variant in ipairs(variants) do of_variant[variant] = { levels = read(variant), in_c = {}, in_crux = {} } end
for round = 1, timing.rounds do
  all_in_c[round], all_in_crux[round] = 0, 0
  for _, variant in ipairs(variants) do
    local of = of_variant[variant]
    of.in_c[round], of.in_crux[round], of.states = round_of(of.levels)
    all_in_c[round], all_in_crux[round] = all_in_c[round] + of.in_c[round], all_in_crux[round] + of.in_crux[round]
    count = count + (round == 1 and #of.levels or 0)
  end
  measuring[round] = timing.command(("%s measure dungeongrams --jobs 1 %s > /dev/null"):format(crux, table.concat(paths, " ")))
end
for _, variant in ipairs(variants) do
  local of = of_variant[variant]
  timing.report(("%s: %d levels, %d states"):format(variant, #of.levels, of.states), of.in_c, of.in_crux)
end
timing.report(("all %d searches"):format(count), all_in_c, all_in_crux)
timing.report("crux measure, against the searches", all_in_c, measuring)
print(("crux measure takes %.2f times its searches"):format(timing.median(measuring) / timing.median(all_in_crux)))
if made then os.remove(made) end
