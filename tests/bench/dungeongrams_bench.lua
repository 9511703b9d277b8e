-- Times crux on levels of DungeonGrams against a search in C, interleaved: the searches of each variant, and all of
-- `crux measure`; prints medians and ratios. Without files of levels, it makes some.
local game = require "crux.game"
local search = require "crux.search"

local rounds, crux = 5, os.getenv "CRUX" or "./crux"
local paths = { ... }
if #paths == 0 then
  paths[1] = os.tmpname()
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

--- The seconds that a command keeps a processor busy.
local function processor_seconds(command)
  local times <close> = assert(io.popen(("bash -c %q 2>&1"):format(("TIMEFORMAT='%%U %%S'; time %s"):format(command))))
  local user, kernel = times:read("a"):match "([%d.]+) ([%d.]+)%s*$"
  return assert(user, command) + kernel
end

local function median(list)
  table.sort(list)
  return list[#list // 2 + 1]
end

local function report(title, in_c, in_crux)
  in_c, in_crux = median(in_c), median(in_crux)
  print(("%-40s C %8.3f s   crux %8.3f s   ratio %.2f"):format(title, in_c, in_crux, in_crux / in_c))
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
for round = 1, rounds do
  all_in_c[round], all_in_crux[round] = 0, 0
  for _, variant in ipairs(variants) do
    local of = of_variant[variant]
    of.in_c[round], of.in_crux[round], of.states = round_of(of.levels)
    all_in_c[round], all_in_crux[round] = all_in_c[round] + of.in_c[round], all_in_crux[round] + of.in_crux[round]
    count = count + (round == 1 and #of.levels or 0)
  end
  measuring[round] = processor_seconds(("%s measure dungeongrams --jobs 1 %s > /dev/null"):format(crux, table.concat(paths, " ")))
end
for _, variant in ipairs(variants) do
  local of = of_variant[variant]
  report(("%s: %d levels, %d states"):format(variant, #of.levels, of.states), of.in_c, of.in_crux)
end
report(("all %d searches"):format(count), all_in_c, all_in_crux)
report("crux measure, against the searches", all_in_c, measuring)
print(("crux measure takes %.2f times its searches"):format(median(measuring) / median(all_in_crux)))
