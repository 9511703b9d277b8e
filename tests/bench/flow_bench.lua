-- Times crux on Flow levels against a search in C, interleaved, by size: one solution and the number of all of them against
-- one solution. Files of levels may be given. Prints medians, ratios, states and memory.
package.path = "tests/bench/?.lua;" .. package.path
local game = require "crux.game.game"
local path_cover = require "libcrux.path_cover"
local timing = require "timing"

local patience = 100000 -- moves, after which the search in C gives up: about 0.1 s
local crux = os.getenv "CRUX"
local paths = { ... }
if #paths == 0 then paths[1] = "tests/bench/data/flow.txt" end

local self, sizes, all = game.load "games/flow.lua", {}, { title = "all", levels = {} }
for entry in self:entries(paths) do
  local level = self:level(entry)
  local title = ("%d x %d"):format(level.width, level.height)
  if not sizes[title] then
    sizes[title] = { title = title, levels = {} }
    table.insert(sizes, sizes[title])
  end
  for _, size in ipairs { sizes[title], all } do table.insert(size.levels, level) end
end
table.insert(sizes, all)

--- Refuses a solution in C that is not the only one.
local function check(colours, solution)
  for colour, path in ipairs(colours and solution.solutions == 1 and solution.paths or {}) do
    for _, cell in ipairs(path) do assert(colours[cell] == colour, "another solution") end
  end
  assert(not colours or solution.paths, "no solution")
end

for _, size in ipairs(sizes) do size.in_c, size.in_crux, size.states, size.bytes, size.given_up = {}, {}, 0, 0, 0 end
local measuring = {}
for round = 1, timing.rounds do
  for _, size in ipairs(sizes) do size.in_c[round], size.in_crux[round] = 0, 0 end
  for _, size in ipairs(sizes) do
    for _, level in ipairs(size ~= all and size.levels or {}) do
      local colours, _, in_c = plain_flow(level.width, level.height, level.cells, patience)
      local before = os.clock()
      local solution = assert(path_cover.solve(level, { paths = true }))
      local in_crux = os.clock() - before
      check(colours, solution)
      for _, of in ipairs { size, all } do
        of.in_c[round], of.in_crux[round] = of.in_c[round] + in_c, of.in_crux[round] + in_crux
        of.bytes = math.max(of.bytes, solution.bytes)
        if round == 1 then
          of.states, of.given_up = of.states + solution.states, of.given_up + (colours and 0 or 1)
        end
      end
    end
  end
  measuring[round] = timing.command(("%s measure flow --measures size,corners,solutions --jobs 1 %s > /dev/null")
    :format(crux, table.concat(paths, " ")))
end
for _, size in ipairs(sizes) do
  timing.report(("%s: %d levels, %d states, %.1f MB%s"):format(size.title, #size.levels, size.states, size.bytes / 1e6,
    size.given_up > 0 and (", C gave up %d"):format(size.given_up) or ""), size.in_c, size.in_crux)
end
timing.report("crux measure, against the searches", all.in_c, measuring)
