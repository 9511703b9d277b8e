--- End-to-end tests of crux correlate, crux aggregate and crux agreement.
local json = require "json_reader"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local crux, decode = shell.printed, shell.decoded

--- "x y" of each row, in order.
local function pairs_of(rows)
  local list = {}
  for i, row in ipairs(rows) do list[i] = row.x .. " " .. row.y end
  return list
end

local correlate_head = "x,y,n,pearson,pearson_p,kendall,kendall_p,spearman,spearman_p,weighted_pearson"

local Correlate = {}

function Correlate.test_measures_with_targets_by_default()
  local rows = decode "correlate datasets/move.csv"
  local expected = {}
  for _, y in ipairs { "difficulty", "scaled", "time", "moves_used" } do -- not `solution`, which is text
    for _, x in ipairs { "size", "balls", "colours", "rocks", "moves", "counterintuitive", "directions" } do
      table.insert(expected, x .. " " .. y)
    end
  end
  luaunit.assertEquals(pairs_of(rows), expected)
  luaunit.assertEquals(rows[1][json.keys], { "x", "y", "n", "pearson", "pearson_p", "kendall", "kendall_p",
    "spearman", "spearman_p", "weighted_pearson" })
  local row = rows[19] -- R: cor(move$moves, move$time), cov.wt(move[c("moves", "time")], move$solved, cor = TRUE)
  luaunit.assertEquals({ row.x, row.y, row.n }, { "moves", "time", 80 })
  luaunit.assertAlmostEquals(row.pearson, 0.34920520815318362, 1e-13)
  luaunit.assertAlmostEquals(row.weighted_pearson, 0.35868482600661078, 1e-13)
  for key, value in pairs { pearson_p = 0.001499346136498279, kendall = 0.36106195087394199, kendall_p = 6.7595061159079207e-06, spearman = 0.50131454905764294, spearman_p = 2.1732562543325654e-06 } do
    luaunit.assertAlmostEquals(row[key], value, 1e-13, key) -- R: cor.test(move$moves, move$time, method = ...)
  end
end

function Correlate.test_chosen_columns()
  local rows = decode "correlate --x size,corners --y difficulty datasets/flow.csv"
  luaunit.assertEquals(pairs_of(rows), { "size difficulty", "corners difficulty" })
  luaunit.assertAlmostEquals(rows[1].pearson, 0.90526267023205964, 1e-13) -- R, as above
  luaunit.assertAlmostEquals(rows[1].weighted_pearson, 0.90275058625494653, 1e-13)
  luaunit.assertEquals(pairs_of(decode "correlate --x 'size, colours' --y 'time ,scaled' datasets/flow.csv"),
    { "size time", "colours time", "size scaled", "colours scaled" })
  luaunit.assertEquals(#decode "correlate --x size datasets/flow.csv", 4)
  luaunit.assertEquals(#decode "correlate --y solved datasets/flow.csv", 4)
end

--- By hand: x = 1, 2, 3 and y = 1, 3, 2 have r = 1/2; with weights 1, 2, 1 the deviations of x are -1, 0, 1 and of y
--- -5/4, 3/4, -1/4, so that r = 1 / sqrt(2 * (25 + 18 + 1) / 16) = 1 / sqrt(5.5).
function Correlate.test_by_hand()
  local data = shell.file("hand.csv", "level,x,y,w,gap,same,word\nA,1,1,1,1,5,a\nB,2,3,2,,5,b\nC,3,2,1,7,5,c\n")
  local rows = shell.lines(crux(("correlate %s --x x,gap,same --y y --weights w"):format(data)))
  luaunit.assertEquals(rows[1], correlate_head)
  local pearson, weighted = rows[2]:match "^x,y,3,(.-),.*,(.*)$"
  luaunit.assertAlmostEquals(tonumber(pearson), 1 / 2, 1e-15)
  luaunit.assertAlmostEquals(tonumber(weighted), 1 / math.sqrt(5.5), 1e-15)
  luaunit.assertEquals(rows[3], "gap,y,2,1,,1,1,1,1,1") -- two rows are a line, and no evidence
  luaunit.assertEquals(rows[4], "same,y,3,,,,,,,") -- a constant has no correlation
  luaunit.assertEquals(#rows, 4)
end

--- No row has both values: nothing is known. A negative weight is no weight.
--- A measure that is the same for all levels has no correlation, so no test either; rows with `solved` are attempts without numbers.
function Correlate.test_plays_and_a_constant()
  local plays = shell.file("plays.csv", "player,level,rating,solved\nann,a,2,1\nann,b,3,0\nann,b,4,1\nbob,a,1,1\nbob,b,5,0\ncid,b,2,1\n")
  local measures = shell.file("measures.csv", "level,k,size\na,5,1\nb,5,2\n")
  local rows = decode(("correlate --plays %s --with %s --x k,size --y rating"):format(plays, measures))
  luaunit.assertEquals({ rows[1].n, rows[1].pearson, rows[1].pearson_p, rows[1].kendall_p, rows[1].spearman_p },
    { 4, json.null, json.null, json.null, json.null })
  luaunit.assertEquals({ rows[2].n, rows[2].pearson_p ~= json.null }, { 4, true })
end

function Correlate.test_nothing_to_correlate()
  local data = shell.file("none.csv", "x,y,w\n1,,1\n,2,0\nNA,3,0\n")
  luaunit.assertEquals(crux(("correlate %s --x x --y y --weights w"):format(data)),
    correlate_head .. "\nx,y,0,,,,,,,\n")
  local weightless = shell.file("weightless.csv", "x,y,w\n1,1,0\n2,5,0\n3,2,\n")
  luaunit.assertEquals(crux(("correlate %s --x x --y y --weights w"):format(weightless)):match ",[^,]*\n$", ",\n")
  local negative = shell.file("negative.csv", "x,y,w\n1,1,1\n2,5,-2\n3,2,1\n")
  luaunit.assertEquals(shell.crux(("correlate %s --x x --y y --weights w"):format(negative)), { status = 1, out = "",
    err = negative .. ":3: column 'w': found -2, expected a weight that is not negative\n" })
end

--- Over plays a measure correlates as over the weighted means of levels, times one factor for each target: the square root of the
--- share of the variance of plays that lies between levels.
function Correlate.test_plays()
  local lines, numbers = { "player,level,rating,time,skipped,tutorial,lost" }, random.new(3)
  for level = 1, 12 do
    for player = 1, 3 + level % 4 do
      table.insert(lines, ("p%d,%d,%d,%g,%d,%d,0"):format(player, level, numbers:integer(1, 5) + level % 5, numbers:integer(1, 10) + level,
        player == 3 and 1 or 0, level == 12 and 1 or 0))
    end
  end
  local study = shell.file("study.csv", table.concat(lines, "\n") .. "\n")
  local measures = { "level,size,luck" }
  for level = 1, 12 do measures[level + 1] = ("%d,%d,%g"):format(level, level, numbers:integer(1, 1000)) end
  local with, levels = shell.file("measures.csv", table.concat(measures, "\n") .. "\n"), shell.path "levels.csv"
  shell.crux(("aggregate %s -o %s"):format(study, levels))
  local singles = decode(("correlate --plays %s --with %s --x size,luck"):format(study, with))
  local means = decode(("correlate %s --with %s --x size,luck --y difficulty,time"):format(levels, with))
  luaunit.assertEquals(pairs_of(singles), { "size rating", "luck rating", "size time", "luck time" })
  luaunit.assertEquals(singles[1].n, 40) -- 3 + 4 + 5 + 2 of each four levels but the tutorial, without p3
  for _, first in ipairs { 1, 3 } do
    local factor = singles[first].pearson / means[first].weighted_pearson
    luaunit.assertTrue(factor > 0 and factor < 1)
    luaunit.assertAlmostEquals(singles[first + 1].pearson / means[first + 1].weighted_pearson, factor, 1e-12)
  end
end

local Aggregate = {}

--- ann's ratings 2, 4, 6 become 1, 5.5, 10; bob's 3, 5 become 1, 10; cyd's only rating stays 7. Skipped rows rate nothing.
local plays = [[
player,level,rating,time,moves_used,skipped,size,device,temperature
ann,10,6,40,9,0,25,pc,20
ann,1,2,10,3,0,9,pc,20
ann,2,4,20,5,0,16,pc,21
bob,1,3,20,4,0,9,tablet,22
bob,2,5,30,6,no,16,pc,23
bob,10,,,,1,25,pc,
cyd,1,,5,,1,9,pc,30
cyd,2,7,55,10,false,16,pc,25
]]

function Aggregate.test_by_hand()
  local study = shell.file("study.csv", plays)
  local expected = [[
level,size,temperature,solved,skipped,difficulty,scaled,time,moves_used
1,9,21,2,1,2.5,1,15,3.5
2,16,23,3,0,5.333333333333333,7.5,35,7
10,25,20,1,1,6,10,40,9
]]
  -- means 18.5 / 3 and 4.61, ranges 9 and 3.5
  local said = ("%s: column 'device' left out: it is text that differs within a level\nscaled ratings of levels have 1.34 "
    .. "times the mean and 2.57 times the range of the others\n"):format(study)
  luaunit.assertEquals(shell.crux("aggregate " .. study), { status = 0, out = expected, err = said })
  luaunit.assertEquals(shell.crux("aggregate -", { input = study }).out, expected)
  luaunit.assertEquals(shell.crux(("aggregate %s --as enjoyment"):format(study)).out, (expected:gsub("difficulty",
    "enjoyment")))
  local semicolons = shell.file("semicolons.csv", (plays:gsub(",", ";")))
  luaunit.assertEquals(shell.crux(("aggregate --delimiter ';' %s"):format(semicolons)).out, expected)
end

--- Onto 1 to 7 ann's become 1, 4, 7; bob's 3, 5 and the skip, rated 8, become 1, 3.4, 7; cyd's 8, 7 become 7, 1.
function Aggregate.test_scalings_and_skips()
  local study = shell.file("scalings.csv", (plays:gsub(",%a+,%d*\n", "\n"):gsub(",device,temperature", "")))
  local head = "level,size,solved,skipped,rated,difficulty,scaled,time,moves_used\n"
  luaunit.assertEquals(shell.crux(("aggregate %s --scaled 1..7 --skipped-as 8"):format(study)).out, head .. [[
1,9,2,1,3,4.333333333333334,3,15,3.5
2,16,3,0,3,5.333333333333333,2.8,35,7
10,25,1,1,2,7,7,40,9
]])
  luaunit.assertEquals(crux(("aggregate %s --plays --scaled centred | head -4"):format(study)), [[
level,player,size,solved,skipped,rated,difficulty,scaled,time,moves_used
1,ann,9,1,0,1,2,-2,10,3
1,bob,9,1,0,1,3,-1,20,4
1,cyd,9,0,1,0,,,,
]])
  local zscores = crux(("aggregate %s --scaled zscore --center trimmed"):format(study))
  luaunit.assertStrContains(zscores, "\n10,25,1,1,6,1,40,9\n") -- (6 - 4) / 2
end

--- A file for each player is as good as one for all; the tutorial's rows are left out, whatever they say.
function Aggregate.test_files_of_players()
  local head = "player,level,rating,time,moves_used,skipped,enjoyment,tutorial\n"
  local paths = {}
  for player, rows in pairs {
    ann = "ann,first,,9,9,0,,1\nann,1,2,10,3,0,7,0\nann,2,,60,8,1,,0\n", bob = "bob,first,,8,8,1,,1\nbob,2,4,20,6,0,5,0\n",
    cyd = "cyd,1,5,30,4,0,2,0\n", -- who comes without
  } do
    table.insert(paths, shell.file(player .. ".csv", head .. rows))
  end
  table.sort(paths)
  luaunit.assertEquals(shell.crux("aggregate " .. table.concat(paths, " ")).out,
    "level,enjoyment,solved,skipped,difficulty,scaled,time,moves_used\n1,4.5,2,0,3.5,3.5,20,3.5\n2,5,1,1,4,4,20,6\n")
  luaunit.assertStrContains(crux(("agreement %s --threshold 3"):format(table.concat(paths, " "))), "\n1             1        0      1     0.5000\n")
  local again = shell.crux(("aggregate %s %s"):format(paths[1], paths[1]))
  luaunit.assertEquals(again.err, ("%s:2: found player 'ann' and level 'first' again, as in %s:2, expected one row for each\n"):format(
    paths[1], paths[1]))
  local other = shell.file("other.csv", "player,level,rating\ndan,1,2\n")
  local mixed = shell.crux(("aggregate %s %s"):format(paths[1], other))
  luaunit.assertEquals({ mixed.status, mixed.err }, { 1, ("%s:1: found 'player,level,rating', expected the columns of %s, '%s'\n"):format(
    other, paths[1], head:gsub("\n", "")) })
end

--- Measures of the levels join the players' ratings, and all of it goes into a fit and an evaluation.
function Aggregate.test_output_is_a_dataset()
  local study, levels = shell.file("study.csv", plays), shell.path "levels.csv"
  luaunit.assertEquals(shell.crux(("aggregate %s -o %s"):format(study, levels)).status, 0)
  local fit = decode(("fit --formula 'difficulty ~ size' --weights solved %s"):format(levels))
  -- By hand: weights 2, 3, 1 of sizes 9, 16, 25 and means 2.5, 16/3, 6; weighted means 91/6 and 27/6.
  local sxx = 2 * (9 - 91 / 6) ^ 2 + 3 * (16 - 91 / 6) ^ 2 + (25 - 91 / 6) ^ 2
  local sxy = 2 * (9 - 91 / 6) * (2.5 - 27 / 6) + 3 * (16 - 91 / 6) * (16 / 3 - 27 / 6) + (25 - 91 / 6) * (6 - 27 / 6)
  luaunit.assertAlmostEquals(fit.terms[2].estimate, sxy / sxx, 1e-14)
  luaunit.assertAlmostEquals(fit.terms[1].estimate, 27 / 6 - sxy / sxx * 91 / 6, 1e-14)
  local evaluation = decode(("evaluate --formula 'difficulty ~ size' --weights solved --folds 3 %s"):format(levels))
  luaunit.assertEquals({ evaluation.n, evaluation.folds[1].n_test }, { 3, 1 })
  -- fold 3 predicts level 10 by the line through the other two: 2.5 + (17/3 - 2.5) / 7 * 16
  luaunit.assertAlmostEquals(evaluation.folds[3].mae, 2.5 + (16 / 3 - 2.5) / 7 * 16 - 6, 1e-13)
  local more = shell.file("more.csv", "level,corners\n10,5\n2,3\n1,4\n")
  luaunit.assertEquals(decode(("fit --formula 'difficulty ~ corners' %s --with %s"):format(levels, more)).n, 3)
end

--- A row an attempt: times and moves of all attempts at a level are summed; Cid has not gone on.
local attempts = [[
player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial
ann,a,1,1,,4,2,0,0,1,spike,0
ann,a,1,2,2,6,3,1,0,0,,0
ann,b,2,1,5,20,6,0,1,2,enemy,0
bob,a,1,1,4,5,3,1,0,0,,0
cid,a,1,1,,9,3,0,0,0,,0
]]

function Aggregate.test_attempts()
  local study = shell.file("attempts.csv", attempts)
  luaunit.assertEquals(shell.crux("aggregate " .. study), { status = 0,
    err = study .. ": 5 attempts made 4 plays: times, moves and losses are added up, the rest is of the last attempt\n"
      .. study .. ": 1 play left out: neither solved nor skipped\n", out = [[
level,position,losses,attempts,solved,skipped,difficulty,scaled,time,moves_used
a,1,0.5,1.5,2,0,3,3,7.5,4
b,2,2,1,0,1,,,,
]] })
end

--- What players said about themselves joins by player, measures by level, and further answers by both.
function Aggregate.test_joins()
  local study = shell.file("study.csv", "player,level,rating\nann,a,2\nann,b,3\nbob,a,5\ncid,a,7\n")
  local function fit(name, text)
    return shell.crux(("fit --formula 'rating ~ %s' --format json %s --with %s"):format(name, study, shell.file("more.csv", text)))
  end
  local by_player = fit("age", "player,age\nbob,30\nann,20\n")
  luaunit.assertEquals(by_player.err, study .. ": 1 row left out: no such player in " .. shell.path "more.csv" .. "\n")
  luaunit.assertAlmostEquals(json.decode(by_player.out).terms[2].estimate, (5 - 2.5) / 10, 1e-14)
  luaunit.assertAlmostEquals(json.decode(fit("size", "level,size\nb,2\na,1\n").out).terms[2].estimate, 3 - 14 / 3, 1e-14)
  local both = fit("fun", "fun,level,player\n1,a,ann\n2,b,ann\n3,a,bob\n4,a,cid\n")
  luaunit.assertAlmostEquals(json.decode(both.out).terms[2].estimate, (-1.5 * -2.25 - 0.5 * -1.25 + 0.5 * 0.75 + 1.5 * 2.75) / 5, 1e-14)
  luaunit.assertStrContains(fit("fun", "fun,level,player\n1,a,ann\n2,a,ann\n").err,
    "more.csv:3: found the player 'ann' and the level 'a' again, expected each player and level once")
  luaunit.assertStrContains(fit("fun", "fun\n1\n").err, "joining needs the column 'level'")
end

--- A table with other names of columns gives what the one with crux's gives; a name that is not there, or is there already, is
--- refused.
function Aggregate.test_renames()
  local usual = "player,level,rating,time\nann,a,2,30\nbob,a,5,40\n"
  local others = shell.file("others.csv", (usual:gsub("^[^\n]*", "who,level,stars,seconds")))
  local expected = crux("aggregate " .. shell.file("usual.csv", usual))
  local line = "aggregate " .. others .. " --rename player=who --rename rating=stars --rename time="
  luaunit.assertEquals(crux(line .. "seconds"), expected)
  luaunit.assertEquals(shell.crux(line .. "second").err,
    others .. ":1: --rename: found the unknown column 'second'; did you mean 'seconds'?\n")
  luaunit.assertStrContains(shell.crux(("aggregate %s --rename level=stars"):format(others)).err,
    others .. ":1: --rename: found a column 'level' already, expected a new name")
  luaunit.assertStrContains(shell.crux(("aggregate %s --rename stars"):format(others)).err,
    "--rename: found 'stars', expected NEW=OLD, two names of a column")
end

local Summary = {}

--- The median of 1, 2 and 9 seconds; of three players two stop at the first level.
function Summary.test_medians_and_players_who_leave()
  local out = crux("study summary --format json " .. shell.file("left.csv", "player,level,position,rating,time\n"
    .. "ann,a,1,4,1\nbob,a,1,4,2\ncid,a,1,4,9\ncid,b,2,4,5\n"))
  local found = json.decode(out)
  luaunit.assertEquals({ found.levels[1].time, found.levels[1].median_time }, { 4, 2 })
  luaunit.assertEquals({ found.positions[1].last, found.positions[2].last }, { 2, 1 })
end

function Summary.test_by_hand()
  local out = crux("study summary " .. shell.file("attempts.csv", attempts))
  luaunit.assertEquals(out, [[
level  plays  solved  skipped  rated  rating  deviation   time  median_time
a          3       2        0      2       3      1.414  7.500        7.500
b          1       0        1      1       5

4 plays of 2 levels by 3 players: 2 solved, 1 skipped (25.0%, after 20.0 s on average), 1 neither
5 attempts, 40.0% solve the level, 3 losses
Plays of a level: 1 to 3, mean 2.00, median 2, standard deviation 1.41
Levels of a player: 0 to 2, mean 1.00, median 1, standard deviation 1.00
Lost by: enemy 50.0%, spike 50.0%

By position in the player's order

position  plays  solved  skipped  rated  rating  deviation   time  median_time  last
       1      3       2        0      2       3      1.414  7.500        7.500     2
       2      1       0        1      1       5                                    1
]])
  local tutorial = shell.file("tutorial.csv", "player,level,rating,tutorial\nann,a,,1\n")
  luaunit.assertEquals(shell.crux("study summary " .. tutorial).err,
    tutorial .. ": found no play, expected at least one beside those of a tutorial\n")
end

local Agreement = {}

--- Level 1: 3, 3, 6 below and above 4: 2 / 3. Level 2: neutral alone. Level 3: 5, 7, 4, 1 and 2, 6 of those who skipped it or
--- gave no rating: 2 / 3. Level 10: 1.
local rated = [[
player,level,rating,fun,skipped
ann,10,7,2,
ann,1,3,1,0
bob,1,3,2,0
cid,1,6,1,0
ann,2,4,4,0
bob,2,4,7,0
ann,3,5,1,0
bob,3,7,1,0
cid,3,4,1,0
dan,3,1,1,0
eve,3,2,1,1
fay,3,,1,0
]]

function Agreement.test_by_hand()
  local study = shell.file("study.csv", rated)
  luaunit.assertEquals(crux("agreement " .. study), [[
level  disagree  neutral  agree  agreement
1             2        0      1     0.6667
2             0        2      0
3             1        1      2     0.6667
10            0        0      1     1.0000

Agreement on rating: 77.8%, the mean of 3 levels; 1 level left out: neutral ratings alone
ICC(1): -0.196, ICC(2,1): 0.000, ICC(2,k): 0.000 for k = 2.5 ratings a level; Krippendorff's alpha: -0.214 interval, -0.189 ordinal
No number of players makes means of reliability 0.9
]])
  local lines = { "level,rating\n" } -- levels 1 to 12, with two ratings below the neutral one and as many above as their number
  for level = 1, 12 do lines[level + 1] = ("%d,1\n"):format(level):rep(2) .. ("%d,7\n"):format(level):rep(level) end
  local many = shell.file("many.csv", table.concat(lines))
  local shown = crux("agreement " .. many)
  luaunit.assertStrContains(shown, "\n2             2        0      2     0.5000\n3             2        0      3     0.6000\n1  ")
  luaunit.assertStrContains(shown, "\n10            2        0     10     0.8333\n\nThe 10 levels of least agreement; --all prints all\n")
  luaunit.assertStrContains(crux("agreement --all " .. many), "\n12            2        0     12     0.8571\n\nAgreement on rating")
  local result = decode(("agreement %s --column rating --threshold 4"):format(study))
  luaunit.assertEquals(result[json.keys], { "column", "threshold", "n", "agreement", "left_out",
    "icc_1", "icc_2_1", "icc_2_k", "k", "alpha_interval", "alpha_ordinal", "reliability", "players_needed", "levels" })
  luaunit.assertEquals({ result.column, result.threshold, result.n, result.left_out }, { "rating", 4, 3, 1 })
  luaunit.assertAlmostEquals(result.agreement, (2 / 3 + 2 / 3 + 1) / 3, 1e-15)
  luaunit.assertEquals(result.levels[2][json.keys], { "level", "disagree", "neutral", "agree", "agreement" })
  luaunit.assertIs(result.levels[2].agreement, json.null)
  luaunit.assertEquals(crux(("agreement %s --format csv"):format(study)):match "\n(2,[^\n]*)\n", "2,0,2,0,")
  -- fun above 1.5: 1, 1, 2 / 4, 7 / 1, 1, 1, 1, 1 / 2
  luaunit.assertAlmostEquals(decode(("agreement %s --column fun --threshold 1.5 --scale 1..7"):format(study)).agreement,
    (2 / 3 + 1 + 1 + 1) / 4, 1e-15)
end

--- Ratings of tutorials and of levels that the player left do not count.
function Agreement.test_what_is_left_out()
  luaunit.assertEquals(crux("agreement --format csv " .. shell.file("left.csv",
    "player,level,rating,tutorial,abandoned\nann,1,7,0,0\nann,0,7,1,0\nbob,1,2,0,0\ncid,1,1,0,1\n")),
    "level,disagree,neutral,agree,agreement\n1,1,0,1,0.5\n")
end

--- Attempts of a player at a level are one play, as for aggregate.
function Agreement.test_attempts()
  local result = shell.crux("agreement --format csv " .. shell.file("attempts.csv",
    "player,level,attempt,solved,rating\nann,1,1,0,\nann,1,2,1,7\nbob,1,1,1,1\n"))
  luaunit.assertEquals({ result.status, result.out }, { 0, "level,disagree,neutral,agree,agreement\n1,1,0,1,0.5\n" })
end

return { Correlate = Correlate, Aggregate = Aggregate, Summary = Summary, Agreement = Agreement }
