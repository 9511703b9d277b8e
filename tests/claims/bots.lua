--- Lets programs play the 80 levels of Move of the published study. Prints the random plays a second of a processor; the correlations of
--- the figures of `limited` with the players' difficulty; and the nested errors of formulas whose terms are chosen among the study's
--- measures, those of bots, or both, where the mean has the error `mean`. Each bot plays a level 100 times.
package.path = "tests/support/?.lua;" .. package.path
local bots = require "crux.bots.bots"
local json = require "json_reader"
local library = require "crux.api.library"

local crux, path = os.getenv "CRUX", os.tmpname()
local game = library.load_game "move"
local levels, limits = library.levels(game, "datasets/levels/move"), { states = 10000000, bytes = 1 << 30, seconds = math.huge }
local begin, plays = os.clock(), 0
for _, level in ipairs(levels) do plays = plays + #bots.plays("random", game.search, level, limits, { runs = 100, seed = 1 }) end
print(("random plays of %d levels: %.0f a second"):format(#levels, plays / (os.clock() - begin)))

--- Runs a command with --format json and decodes what it prints.
local function result_of(command)
  local pipe <close> = assert(io.popen(("%s %s --format json"):format(crux, command)))
  return json.decode(pipe:read "a")
end

assert(os.execute(("%s measure move datasets/levels/move --seed 1 -o %s.csv --measures %s"):format(crux, path,
  "random_moves,random_pass,greedy_moves,greedy_pass,limited_moves,limited_best,limited_pass,limited_states")))

local with <const> = ("datasets/move.csv --with %s.csv --weights solved"):format(path)
local study <const> = "size,balls,colours,rocks,moves,counterintuitive,directions"
for _, row in ipairs(result_of(("correlate %s --x %s,limited_moves,limited_states --y difficulty"):format(with, study))) do
  print(("spearman %-16s %.2f"):format(row.x, row.spearman))
end

local sets = {
  { "study", study },
  { "study and three of limited", study .. ",limited_moves,limited_best,limited_pass" },
  { "study and six of three", study .. ",random_moves,random_pass,greedy_moves,greedy_pass,limited_moves,limited_pass" },
  { "three of limited", "limited_moves,limited_best,limited_pass" },
}
for _, set in ipairs(sets) do
  local found = result_of(("select %s --method forward --transforms log --max-terms 5 --measures %s"):format(with, set[2]))
  print(("nested %-28s %.3f, mean %.3f"):format(set[1], found.nested.weighted_mae, found.baseline.weighted_mae))
end
os.remove(path .. ".csv")
os.remove(path)
