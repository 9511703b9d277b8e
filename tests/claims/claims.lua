--- The figures that README.md and docs/ state, by the command that gives them. In `said`, which the page must say once, and in
--- `seen`, which the command must print, # stands for a number, and ... for the rest of a cell or line; `seen` may be a function of what
--- is printed. A number holds if it rounds to what is said, or lies within a factor of it; a claim without # if the command succeeds.
local json = require "json_reader"

---@class Claim
---@field said string
---@field seen string|nil|fun(output: string): number...
---@field page string?     the group's unless given
---@field factor number?   the group's unless given; a time or ratio of times says that much on a busy machine
---@field needs string?    a name in `claims.needs`

local claims = {}

--- The commands that succeed where a program or file is there, by what is missing otherwise.
claims.needs = {
  ["R"] = "command -v Rscript",
  ["R with data.table"] = "Rscript -e 'library(data.table)'",
  ["R with lme4"] = "Rscript -e 'library(lme4)'",
  ["pandas"] = "python3 -c 'import numpy, pandas'",
  ["Open MPI"] = "command -v mpirun && test -x $CRUX-mpi",
  ["the authors' levels of DungeonGrams, named by LEVELS"] = 'test -n "$LEVELS"',
  ["ten of M. Zucker's puzzles of Flow, named by FLOW"] = 'test -n "$FLOW"',
  ["XSokoban, of Debian's package xsok"] = "test -f /usr/share/games/xsok/Sokoban.def",
}

local busy <const> = 2 -- of ratios of processor times in one run
local other_machine <const> = 3 -- of seconds; those of the clock hold only where nothing else runs

--- A command line of a bench.
local function bench(words) return "$BUILD/bench tests/bench/" .. words end

--- The errors of a fit in the JSON of `crux compare`.
---@param name string|userdata   json.null for that of the rule
local function of_fit(name)
  return function(output)
    for _, rule in ipairs(json.decode(output).rules) do
      if rule.fit == name then return rule.mae, rule.tau end
    end
  end
end

--- The mean absolute errors of the mean and of chosen terms in what `crux select` prints.
local function baseline_and_nested(output)
  local nested, baseline = output:match "\nmae +([%d.]+) +[%d.]+ +[%d.]+ +([%d.]+)"
  return baseline, nested
end

--- The means of a number that is printed again and again.
local function mean(pattern)
  return function(output)
    local sum, count = 0, 0
    for value in output:gmatch(pattern) do sum, count = sum + tonumber(value), count + 1 end
    return sum / count
  end
end

claims.groups = {
  { run = "CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/project/docs_test.lua tests/project/examples_study_test.lua", page = "docs/study-reproduced.md",
    { said = "1,631 of 1,631 published cells hold" }, -- every command line of the pages prints what they show
    { page = "docs/paper.md", said = "1,631 of 1,631 printed coefficients" },
  },
  { run = "tests/run.sh $BUILD tests/fit/*_test.lua tests/formula/*_test.lua tests/cli/diagnose_test.lua", page = "docs/comparisons.md",
    { said = "They agree within 1e-12 (model matrices), 1e-9" },
  },
  { run = "STUDIES=400 CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/rule/plays_test.lua", page = "docs/players.md",
    { said = "held the truth for 95 % of the levels in linear models" },
    { said = "the mean slope was 0.78 to 0.82" },
    { said = "the mean slope was 0.805, 0.803 and 0.799, and 97, 96 and 95 % of the 95 % intervals held 0.8" },
    { page = "docs/study.md", said = "has p < 0.05 in 3 to 7 % of studies" },
    { page = "docs/fits.md", said = "In 400 simulated studies 95 % of the 95 % intervals of a slope" },
    { said = "the error of adjusted ratings was 0.48, that of means 0.73" },
    { page = "docs/paper.md", said = "the error of adjusted ratings was 0.48 where that of means was 0.73" },
  },
}

local function add(group) table.insert(claims.groups, group) end

add { run = "CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/fit/tune_test.lua tests/cli/calibration_test.lua", page = "docs/fits.md",
  { said = "the 95 % intervals held its six constants in 94 to 97 cases" },
  { page = "docs/writing-a-rule.md", said = "predicted them better than the other for 20 of 20 seeds" } }
add { run = "bash -c 'TIMEFORMAT=%U; for grade in 4 10 40 60; do time $CRUX generate sudoku --hardest $grade --count 100 > /dev/null; done'",
  page = "docs/deduction.md", factor = other_machine,
  { said = "A hundred levels of the grades 4, 10, 40 and 60 take #, #, # and # s", seen = "# # # #" } }
add { run = "$CRUX evaluate --formula 'log(seconds) ~ shortest' --weights solved --group level --folds 10 datasets/rushhour-plays.csv",
  page = "docs/players.md", { said = "predicts single plays a little better (#)",
    seen = function(output) return output:match "\nall +%d+ +([%d.]+)" end } }
add { run = "lua5.4 -e 'local start = os.clock() require \"crux\" print((os.clock() - start) * 1000)'", page = "docs/lua.md", factor = other_machine,
  { said = "It loads in # ms", seen = "#" } }
add { run = "$CRUX compare roguelike-enjoyment --data datasets/dungeongrams.csv --repeats 20", page = "docs/study-reproduced.md",
  { said = "# on the first shortest, ", seen = function(output) return output:match "\nroguelike%-enjoyment +%d+ +([%d.]+)" end },
  { said = "all shortest, # by the mean", seen = function(output) return output:match "\nbaseline +%d+ +([%d.]+)" end } }

local nist = { { run = "$BUILD/tests/lua_host tests/claims/nist.lua" }, { run = "Rscript tests/claims/nist.R", needs = "R" } }
for i, group in ipairs(nist) do
  group.page, group.factor = "docs/comparisons.md", 2
  for _, name in ipairs { "norris", "pontius", "noint1", "filip", "wampler1", "wampler2", "wampler3", "wampler4", "wampler5",
    "longley" } do
    table.insert(group, { said = ("| %s | %s |"):format(name, i == 1 and "... | #" or "# | ..."), seen = name .. " #" })
  end
  add(group)
end

local large = { run = "$BUILD/data_bench $CRUX tests/bench/data", page = "docs/comparisons.md", factor = 2 }
for _, row in ipairs {
  { "`crux fit`", "crux fit" }, { "`crux evaluate`", "crux evaluate" },
  { "`crux evaluate --format json`, with ranks", "crux evaluate json" }, { "plain C: ...", "plain C evaluate" },
  { "pandas, numpy: ...", "pandas evaluate", "pandas" },
  { "R 4.2.2: `read.csv`, ...", "R evaluate", "R" }, { "R 4.2.2: data.table's `fread`, ...", "fread evaluate", "R with data.table" },
} do
  local title, program, needs = table.unpack(row)
  table.insert(large, { said = ("\n| %s | # s | # MB |"):format(title), needs = needs, seen = function(output)
    local million = output:match "1000000 rows x 7 columns, weighted fit(.*)10000000 rows x"
    return million:match("\n  " .. program .. " +[%d.]+ s %(processor +([%d.]+) s%) +[%d.]+ MB, +([%d.]+) above")
  end })
end
local function million_fitted(field)
  return function(output)
    return output:match("1000000 rows x 7 columns, weighted fit.-\n  crux fit +[%d.]+ s %(processor" .. field)
  end
end
table.insert(large, { page = "docs/paper.md", said = "weighted fit of a million rows takes # s and # MB",
  seen = million_fitted " +([%d.]+) s%) +[%d.]+ MB, +([%d.]+) above" })
table.insert(large, { page = "README.md", said = "a million rows are fitted in # MB", seen = million_fitted " +[%d.]+ s%) +([%d.]+) MB" })
local function of_ten_thousand(output, program)
  return output:match("10000 rows x 7 columns, weighted fit.-\n  " .. program .. " +[%d.]+ s %(processor +([%d.]+) s%)")
end
table.insert(large, { said = "# s of # s, of which the start takes # s", seen = function(output)
  return of_ten_thousand(output, "plain C evaluate"), of_ten_thousand(output, "crux evaluate"), of_ten_thousand(output, "crux help")
end })
add(large)

--- A group of claims about ratios in docs/comparisons.md: rows of its table, each with the start of a line of the bench.
local function searches(words, rows)
  local group = { run = bench(words), page = "docs/comparisons.md", factor = busy }
  for said, seen in pairs(rows) do table.insert(group, { said = said, seen = seen .. " ... ratio #" }) end
  table.sort(group, function(a, b) return a.said < b.said end)
  add(group)
  return group
end

local move = searches("move_bench.lua 300", {
  ["| Move, 300 random levels | # |"] = "all:", ["| those with fewer than 100 states | # |"] = "under 100 states:",
  ["| 100 to 9,999 states | # |"] = "100 to 9,999:", ["| 10,000 states and more | # |"] = "10,000 and more:",
  ["| one of 669,384 states | # |"] = "hard:",
})
table.insert(move, { said = "it takes # microseconds for a level of fewer than 100 states, crux takes #", factor = other_machine, seen = function(output)
  local count, in_c, in_crux = output:match "under 100 states: (%d+) levels[^\n]- C +([%d.]+) s +crux +([%d.]+) s"
  return in_c / count * 1e6, in_crux / count * 1e6
end })
local function of_measure(output)
  return tonumber(output:match "crux measure,[^\n]- crux +([%d.]+) s") / tonumber(output:match "\nall[^\n]- crux +([%d.]+) s")
end
table.insert(move, { page = "docs/paper.md", said = "On 300 random levels of Move the searches take # of the time", seen = "all: ... ratio #" })
table.insert(move, { said = "took # times as long as its searches in Move", seen = of_measure })
add { run = bench "small_bench.lua", page = "docs/comparisons.md", factor = busy,
  { said = "crux takes # times as long as the C solver", seen = "10000 levels under 100 states, ... ratio #" } }
local dungeons = searches("dungeongrams_bench.lua", {
  ["| DungeonGrams, 300 levels | # |"] = "all 300 searches", ["| without enemies | # |"] = "no enemies:",
  ["| with nothing but walls | # |"] = "nothing:",
})
table.insert(dungeons, { page = "docs/paper.md", said = "in C, and # on 300 levels of DungeonGrams", seen = "all 300 searches ... ratio #" })
table.insert(dungeons, { said = "and # times in DungeonGrams", seen = of_measure })
local flow = searches("flow_bench.lua", { ["| Flow, 30 levels of 5 x 5 to 15 x 15 (C gave up on 11 of them) | # |"] = "all:" })
table.insert(flow, { said = "| 5 x 5; 9 x 9; 10 x 10 | #; #; # |", seen = function(output)
  local function ratio(side) return output:match(("%d x %d:[^\n]- ratio ([%%d.]+)"):format(side, side)) end
  return ratio(5), ratio(9), ratio(10)
end })
table.insert(flow, { said = "(C gave up on # of them)", seen = "all: ... C gave up #", factor = 1 })
local function states_of(side)
  return function(output) return output:match(("%d x %d: %%d+ levels, (%%d+) states"):format(side, side)) end
end
add { run = bench "flow_bench.lua $FLOW", page = "docs/comparisons.md", needs = "ten of M. Zucker's puzzles of Flow, named by FLOW",
  { said = "| 8 x 8 | 2 | 131 | # |", seen = states_of(8) }, { said = "| 9 x 9 | 2 | 277 | # |", seen = states_of(9) },
  { said = "| 10 x 10 | 2 | 4,792 | # |", seen = states_of(10) }, { said = "| 12 x 12 | 1 | 345 | # |", seen = states_of(12) },
  { said = "crux took # s", factor = other_machine, seen = "all: ... crux # s" } }
local xsokoban = { page = "docs/comparisons.md", needs = "XSokoban, of Debian's package xsok" }
local fewest = { -- pushes of levels
  { 1, 97 }, { 2, 131 }, { 3, 134 }, { 4, 355 }, { 5, 143 }, { 6, 110 }, { 7, 88 }, { 9, 237 }, { 17, 213 }, { 38, 81 },
  { 43, 146 }, { 51, 54 }, { 54, 187 }, { 55, 120 }, { 60, 152 }, { 78, 136 }, { 80, 231 }, { 81, 173 }, { 82, 143 },
  { 83, 194 },
}
local numbers = {}
for i, level in ipairs(fewest) do
  numbers[i] = level[1]
  table.insert(xsokoban, { said = ("| level %d | %d | # |"):format(table.unpack(level)),
    seen = ("level %d: won, pushes %d, expanded #,"):format(table.unpack(level)) })
end
xsokoban.run = bench("sokoban_bench.lua 600 /usr/share/games/xsok/Sokoban.def " .. table.concat(numbers, " "))
add(xsokoban)
searches("lazors_bench.lua", { ["| Lazors, 85 levels, all placements counted | # |"] = "all:" })
searches("sudoku_bench.lua", { ["| Sudoku, 1,022 puzzles, solutions counted to 2; C by dancing links | # |"] = "counted to 2: dancing links",
  ["| C by bit masks | # |"] = "counted to 2: bit masks" })
searches("collection_bench.lua", { ["| Rush Hour, 70 levels, all measures; C finds all states | # |"] = "70 levels of Rush Hour, 483543 states" })
searches("generator_bench.lua", { ["| generating 5,000 Move levels | # |"] = "crux generate:" })

local million = { run = bench "data/rows_bench.lua 6 1", page = "docs/fits.md", factor = other_machine,
  { said = "by 20,000 players take # s of one processor", seen = function(output) return output:match "level%)` | ([%d.]+) s" end },
  { said = "`crux players` and `crux levels` take # s", seen = function(output) return output:match "| `crux players` | ([%d.]+) s" end },
}
for _, row in ipairs {
  { "`crux rate`, a linear rule, CSV to CSV", "pandas" }, { "the same, most rows outside of the ranges that it was fitted to" },
  { "the same as JSON" }, { "the same with `--interval`" }, { "`crux rate`, a Lua function of three measures" }, { "`crux sort --rule`" },
  { "`crux aggregate`", "pandas" }, { "`crux fit`, four measures", "R's `lm`" }, { "`crux evaluate`, a formula" },
  { "`crux evaluate`, a Lua function" }, { "`crux correlate`, four measures, two targets" }, { "`crux diagnose`", "R's `lm`" },
  { "`crux report`" }, { "`crux fit`, `rating ~ 1 + (1\\|player) + (1\\|level)`", "R's `lmer`" }, { "`crux players`" }, { "`crux levels`" },
  { "`crux agreement`" },
} do
  local title, peer = table.unpack(row)
  local cells = ("\n| %s | # s | # MB | %s"):format(title, peer and peer .. " # s, # MB |" or "|")
  table.insert(million, { page = "docs/comparisons.md", said = cells, seen = cells,
    needs = peer and (peer:find "^R" and "R with lme4" or peer) })
end
add(million)

add { run = bench "track_bench.lua", page = "docs/tracking.md", factor = other_machine,
  { said = "take # s of a processor and # MB by Glicko-2", seen = "glicko2 # s, # MB" },
  { said = "and # s and # MB by the Kalman filter", seen = "kalman # s, # MB" } }
add { run = bench "choice_bench.lua", page = "docs/tracking.md", factor = other_machine,
  { said = "a choice takes # ms of a", seen = "next # ms" },
  { said = "which reads all plays, # ms", seen = "first # ms" } }
add { run = "CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/play/chooser_test.lua", page = "docs/tracking.md",
  { said = "0.576, with random levels 0.640" },
  { said = "A chance of 0.5 tells more: 0.438 after 20 plays" } }
add { run = "$BUILD/tests/lua_host tests/claims/next_level.lua", page = "docs/tracking.md",
  { said = "levels of deviation 1.5 they solved #;", seen = function(output) return output:match "of 200 levels, all: .-all ([%d.]+)" end },
  { said = "and made one before each choice, #.", seen = function(output) return output:match "made as needed, all: .-all ([%d.]+)" end },
  { said = "solved # of the first ten and # of the last twenty, those above 0.5 solved # and #.", seen = function(output)
    local weak, able = output:match "made as needed, first: weak ([%d.]+) .- able ([%d.]+)"
    local later, late = output:match "made as needed, last: weak ([%d.]+) .- able ([%d.]+)"
    return weak, later, able, late
  end },
  { said = "Of 200 levels it was # and #", seen = function(output)
    return output:match "of 200 levels, last: weak ([%d.]+) .- able ([%d.]+)"
  end } }
add { run = "$BUILD/tests/lua_host tests/claims/pool.lua 2", page = "docs/tracking.md", factor = other_machine,
  { said = "80 levels were there within # ms, 95 of 100 within # ms", seen = function(output)
    local half, most = output:match "seconds: half ([%d.]+), 95 %% ([%d.]+)"
    return 1000 * half, 1000 * most
  end },
  { said = "off by at most #, 95 of 100 by at most #", seen = function(output) return output:match "off: half ([%d.]+), 95 %% ([%d.]+)" end } }
local played = { run = "$BUILD/tests/lua_host tests/claims/bots.lua", page = "docs/bots.md",
  { said = "is # for `limited_moves` and # for `limited_states`", seen = function(output)
    return output:match "move: spearman limited_moves +([%d.]+)", output:match "move: spearman limited_states +([%d.]+)"
  end },
  { said = "| none: the mean | # | # |", seen = function(output)
    return output:match "move: nested study +[%d.]+, mean ([%d.]+)", output:match "rushhour: nested study +[%d.]+, mean ([%d.]+)"
  end } }
for _, row in ipairs { { "those of the study", "study" }, { "and `limited_moves`, `limited_best`, `limited_pass`", "study and three of limited" },
  { "and six of three bots", "study and six of three" }, { "three of `limited` alone", "three of limited" } } do
  local said, name = table.unpack(row)
  table.insert(played, { said = ("| %s | # | # |"):format(said), seen = function(output)
    return output:match("move: nested " .. name .. " +([%d.]+),"), output:match("rushhour: nested " .. name .. " +([%d.]+),")
  end })
end
add(played)
add { run = "$BUILD/tests/lua_host tests/claims/track.lua", page = "docs/tracking.md",
  { said = "all tenths but the first was # for the filter", seen = "kalman #" },
  { said = "It was # for the same model fitted anew before each tenth, # for Glicko-2, and # for Elo", seen = function(output)
    return output:match "refitted ([%d.]+) .- glicko2 ([%d.]+) elo ([%d.]+)"
  end } }
add { run = "CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/rule/tracker_test.lua", page = "docs/tracking.md",
  { said = "held 93.7 % of the abilities and 93.0 % of the difficulties" } }

add { run = "$BUILD/tests/lua_host tests/claims/curve.lua", page = "docs/tracking.md",
  { said = "everybody played all levels, # % for a player and # % for the player in the middle",
    seen = "density 1: player #, middle #" },
  { said = "a level with a chance of 0.3, # % and # %", seen = "density 0.3: player #, middle #" } }

add { run = bench "editor_bench.lua $BUILD/editor", page = "docs/c-api.md", factor = other_machine,
  { said = "| Move | # | # ms | # ms |", seen = "move # edits, ...: median # ms, 99 % within # ms" },
  { said = "| Flow | # | # ms | # ms |", seen = "flow # edits, ...: median # ms, 99 % within # ms" },
}

local above = { run = bench "order_bench.lua", page = "docs/levels-to-order.md" }
for _, name in ipairs { "Move", "Flow", "Lazors" } do
  table.insert(above, { said = ("| %s, `%s` | # | # | # | # | # |"):format(name, name:lower()), seen = function(output)
    local of_game = ("\n" .. output):match("\n" .. name:lower() .. ":(.*)")
    return of_game:match "above ([%d.]+): (%d+) levels in (%d+) calls; [^\n]- so ([%d.]+) in as many; ratio (%d+)"
  end })
end
add(above)

add { run = "levels=$(mktemp) && $CRUX generate move --count 10000 -o $levels && " .. bench "scaling_bench.lua move $levels; rm -f $levels",
  page = "docs/cluster.md", factor = busy,
  { said = "| Move, 10,000 levels | ... | # | ... | # |", needs = "Open MPI", seen = function(output)
    return output:match "two threads [^\n]-the least times ([%d.]+)", output:match "two processes[^\n]-the least times ([%d.]+)"
  end },
}
add { run = bench "scaling_bench.lua dungeongrams $LEVELS", page = "docs/cluster.md", factor = busy,
  needs = "the authors' levels of DungeonGrams, named by LEVELS",
  { said = "| DungeonGrams, 191 levels | ... | # |", seen = "two threads ... the least times #" },
}
add { run = bench "cluster_bench.lua dungeongrams $LEVELS", page = "docs/cluster.md", factor = busy,
  needs = "the authors' levels of DungeonGrams, named by LEVELS",
  { said = "| 1,000 | # | # | # | ... | ... | ... |", seen = " 1000 # # #" },
}

-- All fits of the published equations, a command line for each game.
local fits = { "ols", "ridge", "lasso", "elastic-net", "nnls", "lad", "minimax", "margin", "order",
  "order(logistic)", "order(drop)", "ordinal(round = 1)", "beta" }
for column, game in ipairs { "flow", "lazors", "move" } do
  local group = { page = "docs/fits.md" }
  for i, fit in ipairs(fits) do
    local title = fit .. (i == 1 and ", the published one" or "")
    table.insert(group, { said = ("\n| %s | %s#, # |"):format(title, ("... | "):rep(column - 1)),
      seen = of_fit(i == 1 and json.null or fit) })
  end
  group.run = ("$CRUX compare %s datasets/%s.csv --fit '%s' --repeats 20 --seed 1 --format json"):format(game, game,
    table.concat(fits, ", "))
  add(group)
end

-- The published equations beside the mean.
local function weighted_error_of(name)
  return function(output) return output:match("\n" .. name .. " +%d+ +[%d.]+ +([%d.]+)") end
end
for _, row in ipairs {
  { "flow", "mean absolute errors of # (Flow)", "the mean has #," }, { "lazors", "# (Lazors) and", "the mean has ..., # and" },
  { "move", "and # (Move) points", "the mean has ... and #." },
} do
  local game, of_rule, of_mean = table.unpack(row)
  add { run = ("$CRUX compare %s --data datasets/%s.csv --folds-by order"):format(game, game), page = "docs/paper.md",
    { said = of_rule, seen = weighted_error_of(game) }, { said = of_mean, seen = weighted_error_of "baseline" } }
end

-- Other measures: the rules fitted by solvers.
for _, row in ipairs {
  { "flow", "falls from # to #,", "intervals are # to #,", "repetitions fall from # to #," },
  { "lazors", "falls from ..., # to # and", "intervals are ..., # to #\nand", "0.357, from # to # and from" },
  { "move", "falls from ... and # to # points", "intervals are ...\nand # to # (`crux", "0.88 and from # to #." },
} do
  local game, errors, interval, in_paper = table.unpack(row)
  local function both_errors(output)
    local by_error = output:match "standard errors, and differences.*"
    return by_error:match("\n" .. game .. " +([%d.]+)"), by_error:match("\n" .. game .. "%-solver +([%d.]+)")
  end
  local function interval_of(output)
    return output:match("standard errors, and differences.*\n" .. game .. "%-solver +%S+ +%S+ +%S+ +(%S+) +(%S+)\n")
  end
  add { run = ("$CRUX compare %s %s-solver --data datasets/%s.csv --fit ols --repeats 20 --reference %s"):format(game, game, game, game),
    page = "docs/fits.md",
    { said = errors, seen = both_errors }, { page = "docs/paper.md", said = in_paper, seen = both_errors },
    { said = interval, seen = interval_of },
  }
end

-- Comparisons of 20 rules in simulated studies.
for _, row in ipairs {
  { "20 1 400 0 101", "| 20 | 1 | none | # | # |" }, { "20 10 400 0 102", "| 20 | 10 | none | # | # |" },
  { "40 1 400 0 103", "| 40 | 1 | none | # | # |" }, { "40 10 400 0 104", "| 40 | 10 | none | # | # |" },
  { "40 10 400 2 105", "| 40 | 10 | 2 | # | # | # |" }, { "80 10 400 2 106", "| 80 | 10 | 2 | # | # | # |" },
} do
  add { run = "$BUILD/bench tests/claims/many_rules.lua " .. row[1], page = "docs/comparisons.md",
    { said = row[2], seen = "set of the best #, differences to the first #, power #" } }
end
add { run = "$BUILD/bench tests/claims/many_rules.lua noise 20 1 1000 201", page = "docs/comparisons.md",
  { said = "it said so in a share of # of 1,000 studies", seen = "said to be better #" } }

add { run = "tests/bench/disk_bench.sh $CRUX ${TMPDIR:-/tmp}", page = "docs/search.md", factor = other_machine,
  { said = "of 21,841,159 states) took # s of the processor, # million states a second", seen = function(output)
    local user, system = output:match "([%d.]+) s of the processor, ([%d.]+) s of the system"
    return user + system, 239.5008 / (user + system)
  end },
  { said = "All # positions of eleven tiles", seen = "no solution; # states" } }

-- Terms chosen anew without each fold, beside the published formula on the same folds.
for _, row in ipairs { { "flow", "--method lasso --by cv --transforms log,sqrt", "# for Flow," },
  { "lazors", "--method lasso --by cv --transforms log", "# for Lazors" }, { "move", "--method best --by cv", "# for Move." } } do
  local game, options, in_paper = table.unpack(row)
  local function nested(output) return json.decode(output).nested.weighted_mae end
  add { run = ("$CRUX evaluate %s datasets/%s.csv --repeats 20 --format csv | cut -d, -f1-8"):format(game, game),
    page = "docs/fits.md", { said = ("\n| %s | # | `--method"):format(game), seen = mean "\nall,,%d+,[%d.]+,([%d.]+)" } }
  add { run = ("$CRUX select datasets/%s.csv --weights solved %s --repeats 20 --seed 1 --format json"):format(game, options),
    page = "docs/fits.md", { said = ("| `%s` | # |"):format(options), seen = nested },
    { page = "docs/paper.md", said = in_paper, seen = nested } }
end
add { run = "$CRUX select datasets/dungeongrams.csv --target difficulty --method best --by cv --repeats 20 --seed 1", page = "docs/fits.md",
  { said = "off by # and ...: difficulty # (`best`, `cv`)", seen = baseline_and_nested } }
add { run = "$CRUX select datasets/dungeongrams.csv --target enjoyment --method best --by bic --repeats 20 --seed 1", page = "docs/fits.md",
  { said = "enjoyment # (`best`, `bic`)", seen = function(output) return select(2, baseline_and_nested(output)) end } }

-- Whole formulas beside the published ones, and beside genetic search.
for _, game in ipairs { "flow", "move", "lazors" } do
  add { run = ("$CRUX discover datasets/%s.csv --weights solved --against %s --format json"):format(game, game),
    page = "docs/discover.md", { said = ("| `%s` | # | # | # |"):format(game), seen = function(output)
      local found = json.decode(output)
      return found.tried, found.sentences[2]:match "nested: ([%d.]+)", found.front[#found.front].weighted_mae
    end } }
end
local genetic = { run = "$BUILD/tests/lua_host tests/claims/genetic.lua", page = "docs/discover.md" }
for _, law in ipairs { "4a/(bc)", "sqrt(a + bc)", "10 + 3log(a) - b/2", "4a/(bcd)", "12 + 3log(a/(b + c))" } do
  table.insert(genetic, { said = ("| %s | # | # |"):format(law), seen = ("%s: #, genetic #"):format(law) })
end
add(genetic)
add { run = "CRUX_TEST_LONG=1 tests/run.sh $BUILD tests/cli/discover_laws_test.lua", page = "docs/discover.md",
  { said = "repeats this, and searches laws" } }

add { run = "$CRUX compare sudoku --data datasets/sudoku.csv --repeats 1 --weights players --format json", page = "docs/paper.md",
  { said = "of 1,022 puzzles [@wang2024] by # (Spearman)", seen = function(output) return json.decode(output).rules[1].spearman end } }

return claims
