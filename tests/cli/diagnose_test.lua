--- End-to-end tests of crux diagnose: tables, JSON, new levels, faults.
local failing = require "failing"
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local Diagnose = {}

--- The figures of the two most influential levels are R's: see tests/r/comparison.R and tests/judge/diagnostics_test.lua.
function Diagnose.test_table()
  local text = shell.printed "diagnose flow datasets/flow.csv"
  luaunit.assertStrContains(text, "\n15     3.350       4.571   -1.2213       -2.6006   0.17013         0.27731   -1.4717\n")
  luaunit.assertStrContains(text, "\n2 levels above 4 / n in Cook's distance\n")
  luaunit.assertStrContains(text, "\nVariance inflation\n\nterm         vif\nsize      10.129\n")
  luaunit.assertStrContains(text, "\n15                      0.2773    0.1701        -2.601   0.3793        0.3917        1.634  0.08553")
  luaunit.assertNotStrContains(text, "Outside")
  local lines = shell.printed "diagnose flow datasets/flow.csv --format csv"
  luaunit.assertEquals(select(2, lines:gsub("\n", "")), 41)
end

--- A term that others make up is named, as by crux fit.
function Diagnose.test_aliased()
  local file = shell.file("twice.csv", "level,size,twice,difficulty\na,1,2,3\nb,2,4,6\nc,3,6,4\nd,4,8,7\ne,5,10,5\n")
  local line = "diagnose --formula 'difficulty ~ size + twice' " .. file
  luaunit.assertStrContains(shell.printed(line), "\nAliased (combinations of the other terms): twice\n")
  luaunit.assertEquals(shell.decoded(line).aliased, { "twice" })
end

--- People see the ten levels of the largest Cook's distances, the largest first; --all, CSV and JSON have all in the file's order.
function Diagnose.test_ten_levels_first()
  local distances, first, count = {}, {}, 0
  for _, row in ipairs(shell.decoded("diagnose flow datasets/flow.csv").levels) do table.insert(distances, row) end
  luaunit.assertEquals({ #distances, distances[1].level, distances[40].level }, { 40, "1", "40" })
  table.sort(distances, function(a, b) return a.cooks_distance > b.cooks_distance end)
  for i = 1, 10 do first[i] = distances[i].level end
  local text = shell.printed "diagnose flow datasets/flow.csv"
  for level in text:match "^[^\n]*\n(.-)\n\n":gmatch "%f[^\n\0]%d+" do
    count = count + 1
    luaunit.assertEquals(level, first[count])
  end
  luaunit.assertEquals(count, 10)
  luaunit.assertStrContains(text, "\nThe 10 levels of the largest Cook's distances; --all prints all\n")
  local all = shell.printed "diagnose flow datasets/flow.csv --all"
  luaunit.assertEquals(select(2, all:match "^(.-)\n\n":gsub("\n", "")), 40)
  luaunit.assertNotStrContains(all, "--all")
end

function Diagnose.test_json_and_new_levels()
  local new = shell.file("new.csv", "level,size,colours,distance,corners\nfar,200,5,3,50\nnear,36,5,3,7\nopen,,5,1,7\n")
  local result = shell.decoded("diagnose flow datasets/flow.csv --new " .. new)
  luaunit.assertEquals(result[json.keys], { "rule", "formula", "weights", "n", "loo_mae", "levels", "aliased", "vif", "influential", "outside" })
  luaunit.assertEquals({ #result.levels, #result.vif, #result.influential }, { 40, 4, 4 })
  luaunit.assertEquals({ result.influential[1].without, result.influential[2].without, result.influential[4].without },
    { "(none)", "15", "(all of these)" })
  luaunit.assertAlmostEquals(result.loo_mae, shell.decoded("evaluate flow datasets/flow.csv --loo").weighted_mae, 1e-12)
  luaunit.assertAlmostEquals(result.influential[1].size, shell.decoded("fit flow datasets/flow.csv").terms[2].estimate, 1e-12)
  local outside = {}
  for i, stray in ipairs(result.outside) do outside[i] = ("%s %s %g %g %g"):format(stray.level, stray.measure, stray.value, stray.low, stray.high) end
  luaunit.assertEquals(outside, { "far size 200 25 81", "far corners 50 5 25", "open distance 1 2.4 7.375" })
  luaunit.assertStrContains(shell.printed("diagnose flow datasets/flow.csv --new " .. new),
    "\n2 of 3 new levels outside the training range\n")
end

function Diagnose.test_other_scales_and_weights()
  local text = shell.printed "diagnose --formula 'log(time) ~ size' datasets/flow.csv --weights solved"
  luaunit.assertStrContains(text, "\nlog(time) ~ size, 40 levels, weighted by solved; values are log(time)\n")
end

--- No table stands empty, and levels that decide a coefficient alone have no Cook's distance.
function Diagnose.test_nothing_to_tell()
  local text = shell.printed "diagnose --formula 'difficulty ~ 1' datasets/flow.csv --new datasets/flow.csv"
  luaunit.assertStrContains(text, "\n0 of 40 new levels outside the training range\n")
  luaunit.assertNotStrContains(text, "Variance")
  luaunit.assertNotStrContains(text, "Outside")
  luaunit.assertStrContains(shell.printed "diagnose --formula 'difficulty ~ factor(level)' datasets/flow.csv",
    "\n10 levels or more above 4 / n in Cook's distance (of leverage 1: 10)\n")
end

local Faults = {}

local files = { ["d.csv"] = "level,a,y\nA,1,2\nB,2,3\nC,4,4\n", ["same.csv"] = "a,y\n1,2\n2,2\n", ["other.csv"] = "b\n1\n",
  ["hand.lua"] = 'return crux.rule { name = "hand", predicts = "y", formula = function(m) return m.a end }\n' }

for name, case in pairs {
  all_equal = { "diagnose --formula y~a same.csv", "same.csv: column 'y': found 2 in all 2 rows, expected values that differ" },
  another_fit = { "diagnose --formula y~a d.csv --fit lad",
    "formula 'y~a': found the fit 'lad', expected ols or wls, of which leverage is known: --fit ols" },
  a_function = { "diagnose hand.lua d.csv",
    "hand.lua: found a Lua function as its formula, expected a formula string, which can be fitted" },
  new_without_measure = { "diagnose --formula y~a d.csv --new other.csv", "other.csv:1: --new needs the measure 'a', which is not among ",
    starts = true },
  too_few = { "diagnose --formula 'y ~ poly(a, 2) + I(a^3) + log(a)' d.csv",
    "d.csv: found 3 complete rows, expected at least as many as the formula has terms, 5", starts = true },
} do
  Faults["test_" .. name] = function()
    case.files = files
    failing.check(case)
  end
end

return { Diagnose = Diagnose, DiagnoseFaults = Faults }
