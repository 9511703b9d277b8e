--- End-to-end tests of crux discover: laws that are found, noise in which nothing is, what is written, and what is refused.
local long = require "long"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local printed, decoded = shell.printed, shell.decoded

--- A file of levels with measures a, b, c and d from 1 to 10.
---@param law fun(a: number, b: number, c: number, draw: userdata): number|string   the difficulty
---@param more string?   a further column and its value, as "text,x"
local function levels(rows, law, more)
  local draw, lines = random.new(7), { "level,a,b,c,d,difficulty" .. (more and "," .. more:match "^[^,]*" or "") }
  for row = 1, rows do
    local a, b, c, d = draw:integer(1, 10), draw:integer(1, 10), draw:integer(1, 10), draw:integer(1, 10)
    table.insert(lines, table.concat({ row, a, b, c, d, law(a, b, c, draw), more and more:match ",(.*)$" }, ","))
  end
  return shell.file("levels.csv", table.concat(lines, "\n") .. "\n")
end

local function quotient(a, b, c) return 4 * a / (b * c) end

local Discover = {}

function Discover.test_a_quotient_is_found_in_every_fold_and_written_as_a_rule()
  long.leave_out()
  local path, rule, picture = levels(30, quotient, "text,x"), shell.path "found.lua", shell.path "front.svg"
  local found = decoded(("discover %s --nodes 5 --repeats 1 -o %s --plot %s"):format(path, rule, picture))
  luaunit.assertEquals(found.formula, "difficulty ~ I(a/(b*c))")
  luaunit.assertAlmostEquals(found.coefficients["I(a/(b * c))"], 4, 1e-9)
  luaunit.assertEquals(found.left_out, { "text, which is not all numbers" })
  luaunit.assertTrue(found.better_than_mean)
  for _, row in ipairs(found.front) do
    if row.chosen then
      luaunit.assertEquals({ row.size, row.folds }, { 5, "5 of 5" })
      luaunit.assertAlmostEquals(row.mae, 0, 1e-5) -- values of expressions are kept as floats
    end
  end
  luaunit.assertStrContains(printed(("evaluate %s %s"):format(rule, path)), "baseline")
  luaunit.assertStrContains(shell.read(picture), "difficulty ~ I(a/(b*c)): ")
  local page = printed(("report %s %s"):format(rule, path))
  luaunit.assertStrContains(page, '<th scope="row">difficulty ~ I(a/(b*c))</th><td class="number">5</td>')
  luaunit.assertStrContains(page, 'aria-labelledby="front-1-title')
end

function Discover.test_a_formula_is_written_for_tune()
  long.leave_out()
  local path, rule = levels(30, function(a, b, c) return 4 * a / (b * c) + 3 end), shell.path "found.lua"
  printed(("discover %s --repeats 1 --tunable -o %s"):format(path, rule))
  luaunit.assertStrContains(shell.read(rule),
    "  formula = function(level, p) return p.c0 + p.c1 * (level.a/(level.b*level.c)) end,\n")
  local tuned = decoded(("fit %s %s"):format(rule, path))
  luaunit.assertAlmostEquals(tuned.terms[1].estimate, 3, 1e-6)
  luaunit.assertAlmostEquals(tuned.terms[2].estimate, 4, 1e-6)
end

function Discover.test_nothing_is_shown_in_noise()
  local path = levels(30, function(_, _, _, draw) return draw:real() end)
  local text = printed(("discover %s --nodes 3 --repeats 1"):format(path))
  luaunit.assertStrContains(text, "Chosen: difficulty ~ 1")
  luaunit.assertStrContains(text, "Nothing better than the mean is shown.")
end

function Discover.test_a_rule_is_compared_on_the_same_folds()
  local path = levels(30, function(a, b) return a + b * b end)
  local found = decoded(("discover %s --nodes 2 --repeats 1 --against 'difficulty ~ I(a + b^2)'"):format(path))
  local evaluated = decoded(("evaluate --formula 'difficulty ~ I(a + b^2)' %s --repeats 1"):format(path))
  luaunit.assertEquals(found.formula, "difficulty ~ a + I(b^2)")
  local last = found.front[#found.front]
  luaunit.assertEquals(last.formula, "difficulty ~ I(a + b^2)")
  luaunit.assertAlmostEquals(last.mae, evaluated.mae, 1e-12)
end

function Discover.test_sums_of_unlike_units_are_left_out()
  local path = levels(30, function(a, b) return math.sqrt(a + b) end)
  if long.choose(false, true) then
    luaunit.assertEquals(decoded(("discover %s --nodes 4 --repeats 1"):format(path)).formula, "difficulty ~ sqrt(a + b)")
  end
  local found = decoded(("discover %s --nodes 4 --repeats 1 --units a=squares,b=moves"):format(path))
  luaunit.assertNotStrContains(found.formula, "(a + b)")
end

function Discover.test_the_result_does_not_depend_on_threads()
  long.leave_out()
  local path = levels(30, function(a, b, _, draw) return a / b + draw:real() end)
  local line = ("discover %s --nodes 3 --repeats 1 --format json --jobs "):format(path)
  luaunit.assertEquals(printed(line .. "1"), printed(line .. "3"))
end

function Discover.test_what_is_refused()
  local function refused(path, words, expected)
    local found = shell.crux(("discover %s %s"):format(path, words))
    luaunit.assertEquals({ found.status, found.out, found.err }, { 1, "", path .. ": " .. expected .. "\n" }, words)
  end
  refused(levels(11, quotient), "", "found 11 complete rows, expected at least 12 to search a formula")
  refused(levels(20, function() return 3 end), "",
    "column 'difficulty': found 3 in all rows, expected a target that varies")
  local path = levels(20, quotient)
  luaunit.assertStrContains(shell.crux("discover x.csv --plot x.txt").err, "--plot: found 'x.txt', expected a name that ends in .svg")
  luaunit.assertStrContains(shell.crux("discover x.csv -o x.svg --plot x.svg").err,
    "found x.svg as two outputs, expected different files")
  refused(path, "--measures a,a", "column 'a': found the measure twice, expected measures that differ")
end

--- The first choice takes seconds with formulas of that size, all choices minutes with so many repeats.
function Discover.test_an_interruption()
  long.only()
  local said, results = shell.path "said", shell.path "results"
  local function interrupted(ticks, words, levels_of)
    local pid = shell.run(("env --default-signal=INT $CRUX discover %s --jobs 1 %s > %s 2> %s & echo $!"):format(levels_of, words,
      results, said)).out:match "%d+"
    shell.wait(pid, function() return shell.ticks(pid) > ticks end)
    shell.run("kill -INT " .. pid)
    shell.wait(pid, function() end)
    return shell.read(results), shell.read(said)
  end
  local out, err = interrupted(30, "--nodes 7", levels(120, quotient))
  luaunit.assertEquals(out, "")
  luaunit.assertStrContains(err, "crux: interrupted")
  out, err = interrupted(150, "--nodes 2 --repeats 5000", levels(20, function(a, b) return a / b end))
  luaunit.assertStrContains(out, "\nChosen: ")
  luaunit.assertStrContains(out, "\nInterrupted: errors are of the folds that were done.\n")
  luaunit.assertEquals(err, "crux: interrupted\n")
end

function Discover.test_rows_without_a_value_and_constant_columns_are_named()
  local path = levels(20, function(a, b, c) return a == 1 and "" or quotient(a, b, c) end, "same,1")
  local result = shell.crux(("discover %s --nodes 3 --repeats 1"):format(path))
  luaunit.assertStrContains(result.err, "left out: a value is missing")
  luaunit.assertStrContains(result.out, "Left out: same, which is the same in all rows")
end

--- Move has levels 1 to 80; a measure that some level lacks is no column, as is one that the dataset has.
function Discover.test_measures_of_a_game()
  long.only()
  local lines, names = { "level,size,difficulty" }, {}
  for level = 1, 12 do
    lines[level + 1] = ("%d,%d,%d"):format(level, level % 3, level % 5)
    names[level] = ("datasets/levels/move/%d.txt"):format(level)
  end
  local path = shell.file("levels.csv", table.concat(lines, "\n") .. "\n")
  local result = shell.crux(("discover %s %s --measures-of move --nodes 1 --repeats 1 --states 1000 --against 'difficulty ~ "
    .. "rocks + longest_run' --format json"):format(path, table.concat(names, " ")))
  luaunit.assertStrContains(result.out, "rocks + longest_run")
  luaunit.assertStrContains(shell.crux(("discover %s %s"):format(path, names[1])).err, "expected nothing, or --measures-of GAME")
end

return Discover
