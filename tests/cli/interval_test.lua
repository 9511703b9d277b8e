--- End-to-end tests of prediction intervals and of levels outside the training range: crux fit -o, crux rate.
local failing = require "failing"
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local Lines = {}

--- y = 1, 3, 2, 6 at x = 1 .. 4: b = 1.4, a = -0.5, residuals 0.1, 0.7, -1.7, 0.9: sigma^2 = 4.2 / 2; at x = 6 the spread
--- is 1/4 + 3.5^2 / 5 = 2.7; R: qt(0.95, 2) = 2.9199855803537251.
function Lines.test_by_hand()
  local data = shell.file("line.csv", "level,x,y\nA,1,1\nB,2,3\nC,3,2\nD,4,6\n")
  local new = shell.file("new.csv", "level,x\nE,6\nF,\nG,2\n")
  shell.printed(("fit --formula 'y ~ x' %s -o %s"):format(data, shell.path "line.lua"))
  local result = shell.crux(("rate %s %s --interval 0.9 --format json"):format(shell.path "line.lua", new))
  luaunit.assertEquals(result.err, ("%s: level E is outside the training range in x (6, not in 1 to 4)\n"
    .. "%s:3: level 'F' has no rating: x is missing\n"):format(new, new))
  local rows, reach = json.decode(result.out), 2.9199855803537251 * math.sqrt(2.1 * 3.7)
  luaunit.assertEquals(rows[1][json.keys], { "level", "rating", "low", "high", "missing" })
  luaunit.assertAlmostEquals(rows[1].low, 7.9 - reach, 1e-12)
  luaunit.assertAlmostEquals(rows[1].high, 7.9 + reach, 1e-12)
  luaunit.assertIs(rows[2].high, json.null)
  local kept = shell.crux(("rate %s %s --append --interval 0.5 --format csv"):format(shell.path "line.lua", new)).out
  luaunit.assertStrContains(kept, "level,x,rating,low,high\nE,6,7.")
end

--- The kinds: without --intervals that of the fit, or what there is; none; and conformal ones around the same rating.
function Lines.test_kinds()
  local out = shell.path "kind.lua"
  for options, kept in pairs { [""] = "sigma", ["--intervals conformal"] = "errors", ["--fit lad --draws 0"] = "errors",
    ["--intervals none"] = false } do
    shell.printed(("fit flow datasets/flow.csv %s -o %s"):format(options, out))
    luaunit.assertEquals(shell.read(out):find("intervals = {", 1, true) ~= nil, kept ~= false, options)
    luaunit.assertEquals(kept and shell.read(out):find(kept .. " = ", 1, true) ~= nil, kept ~= false, options)
  end
  shell.printed(("fit flow datasets/flow.csv --intervals conformal --seed 3 -o %s"):format(out))
  for _, row in ipairs(shell.decoded(("rate %s datasets/flow.csv --interval 0.8"):format(out))) do
    luaunit.assertAlmostEquals(row.rating - row.low, row.high - row.rating, 1e-12)
  end
end

--- A fit that has no other folds to learn from is written all the same.
function Lines.test_too_few_rows()
  local data, out = shell.file("two.csv", "x,y\n1,2\n2,3\n"), shell.path "two.lua"
  local result = shell.crux(("fit --formula 'y ~ x' %s -o %s"):format(data, out))
  luaunit.assertStrContains(result.err, "no prediction intervals: ")
  luaunit.assertEquals({ result.status, shell.read(out):find "intervals" }, { 0 })
end

--- Ten levels are named, the others counted.
function Lines.test_many_levels_outside()
  local lines = { "level,size,colours,distance,corners" }
  for i = 1, 13 do table.insert(lines, ("L%d,100,5,3,7"):format(i)) end
  local new = shell.file("many.csv", table.concat(lines, "\n") .. "\n")
  local result = shell.crux(("rate flow %s"):format(new))
  luaunit.assertEquals(select(2, result.err:gsub("\n", "")), 11)
  luaunit.assertStrContains(result.err, "level L10 is outside the training range in size (100, not in 25 to 81)\n")
  luaunit.assertStrContains(result.err, new .. ": 3 more levels are outside the training range\n")
end

local Faults = {}

local files = { ["bare.lua"] = 'return crux.rule { name = "bare", formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 } }\n',
  ["hand.lua"] = 'return crux.rule { name = "hand", formula = function(m) return m.a end }\n',
  ["two.csv"] = "a,y\n1,2\n2,3\n", ["low.csv"] = "a,low\n1,2\n" }

for name, case in pairs {
  no_intervals = { "rate bare.lua two.csv --interval 0.9", "bare.lua: found no intervals, expected a field 'intervals', as crux fit "
    .. "RULE DATA -o FITTED.lua writes it" },
  a_function = { "rate hand.lua two.csv --interval 0.9",
    "hand.lua: found a Lua function as its formula, expected a fitted formula, which has intervals" },
  column_low = { "rate bare.lua low.csv --append --interval 0.9",
    "low.csv:1: found a column 'low', expected none, as --append adds it" },
  and_explain = { "rate bare.lua two.csv --explain --interval 0.9", "found --interval and --explain, expected one of them", status = 2 },
  no_share = { "rate bare.lua two.csv --interval 1", "--interval: found '1', expected a number from 0 to below 1", status = 2 },
  perfect = { "fit --formula y~a two.csv --intervals fit -o new.lua",
    "--intervals: found fit 'ols' of 2 rows, expected ols or wls with more rows than terms; or --intervals conformal" },
  of_lad = { "fit --formula y~1 two.csv --fit lad --draws 0 --intervals fit -o new.lua",
    "--intervals: found fit 'lad' of 2 rows, expected ols or wls with more rows than terms; or --intervals conformal" },
} do
  Faults["test_" .. name] = function()
    case.files = files
    failing.check(case)
  end
end

return { Intervals = Lines, IntervalFaults = Faults }
