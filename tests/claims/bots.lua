--- Lets programs play the levels of Move and Rush Hour that players rated or solved, each bot 100 times a level. Prints the random plays
--- a second of a processor; the correlations of the figures of `limited` with the players' difficulty or time; and the nested errors of
--- formulas whose terms are chosen among the measures of the study, those of bots, or both, where the mean has the error `mean`.
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

local studies = {
  { "move", target = "difficulty", weights = "--weights solved",
    measures = "size,balls,colours,rocks,moves,counterintuitive,directions" },
  { "rushhour", target = "log_seconds", weights = "",
    measures = "blockers,chain,slides,space,width,depth,dead_ends,pieces_moved,away,counterintuitive" },
}
local sets = {
  { "study", "%s" },
  { "study and three of limited", "%s,limited_moves,limited_best,limited_pass" },
  { "study and six of three", "%s,random_moves,random_pass,greedy_moves,greedy_pass,limited_moves,limited_pass" },
  { "three of limited", "limited_moves,limited_best,limited_pass" },
}
for _, study in ipairs(studies) do
  local name = study[1]
  assert(os.execute(("%s measure %s datasets/levels/%s --seed 1 -o %s.csv --measures %s"):format(crux, name, name, path,
    "random_moves,random_pass,greedy_moves,greedy_pass,limited_moves,limited_best,limited_pass,limited_states")))
  local with = ("datasets/%s.csv --with %s.csv %s"):format(name, path, study.weights)
  for _, row in ipairs(result_of(("correlate %s --x %s,limited_moves,limited_states --y %s"):format(with, study.measures, study.target))) do
    print(("%s: spearman %-16s %.2f"):format(name, row.x, row.spearman))
  end
  for _, set in ipairs(sets) do
    local found = result_of(("select %s --target %s --method forward --transforms log --max-terms 5 --measures %s"):format(with,
      study.target, set[2]:format(study.measures)))
    print(("%s: nested %-28s %.3f, mean %.3f"):format(name, set[1], found.nested.weighted_mae or found.nested.mae,
      found.baseline.weighted_mae or found.baseline.mae))
  end
  os.remove(path .. ".csv")
end
os.remove(path)
