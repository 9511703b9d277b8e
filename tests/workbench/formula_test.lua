--- Tests of the view Formula's messages: fits, columns, comparisons and scripts, against the commands that do the same.
local digest = require "libcrux.digest"
local engines = require "crux.workbench.engine"
local json = require "json_reader"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"
local text_file = require "crux.base.text_file"

local Formula = {}

local flow_levels = lists.map({ 1, 2, 4, 6 }, function(number) return ("datasets/levels/flow/%d.txt"):format(number) end)

local function ask(message)
  local function read(path)
    local text = text_file.read(path, 1 << 20, "a file")
    return text, digest.text(text)
  end
  local engine = engines.new { named = {}, list = function() return flow_levels end, read = read }
  return engine:answer(lists.merge({ game = "flow", rule = "flow", data = "datasets/flow.csv" }, message))
end

--- The sum of estimates times columns in a row.
local function sum_of(answer, row)
  local sum = 0
  for _, term in ipairs(answer.terms) do sum = sum + term.estimate * term.column[row] end
  return sum
end

--- The estimates are those of crux fit, and the columns make the ratings.
function Formula.test_a_fit_with_its_columns()
  local formula = "log(difficulty) ~ size + log(colours)"
  local answer = ask { kind = "fit", variant = { formula = formula, weights = "solved" } }
  local fitted = json.decode(shell.printed(("fit --formula '%s' --weights solved --format json datasets/flow.csv"):format(formula)))
  for i, term in ipairs(fitted.terms) do
    luaunit.assertEquals({ answer.terms[i].term, answer.terms[i].estimate }, { term.term, term.estimate })
  end
  luaunit.assertEquals({ #answer.ratings, answer.is_sum, answer.left, answer.target, answer.levels[40] },
    { 40, true, { "log" }, "difficulty", "40" })
  for row = 1, 40 do luaunit.assertAlmostEquals(answer.ratings[row], math.exp(sum_of(answer, row)), 1e-12) end
end

--- The numbers of the script rate as crux rate does.
function Formula.test_a_rule_as_its_script_stands()
  local answer = ask { kind = "fit", as_is = true, variant = { rule = "flow" } }
  local rated = json.decode(shell.printed "rate flow --format json datasets/flow.csv")
  for row, level in ipairs(rated) do luaunit.assertAlmostEquals(answer.ratings[row], level.rating, 1e-12) end
end

--- examples/tuned.lua rates time by its params; other values of them give other ratings.
function Formula.test_the_constants_of_a_function()
  local variant = { rule = "examples/tuned.lua" }
  local as_is = ask { kind = "fit", as_is = true, variant = variant }
  luaunit.assertFalse(as_is.is_sum)
  local tuned = ask { kind = "fit", variant = variant }
  local values = {}
  for _, term in ipairs(tuned.terms) do values[term.term] = term.estimate end
  luaunit.assertEquals(ask({ kind = "ratings", variant = variant, values = values }).ratings, tuned.ratings)
  luaunit.assertNotEquals(as_is.ratings, tuned.ratings)
  local text = ask({ kind = "rule", path = "new.lua", variant = variant, values = values }).write.text
  local path = shell.file("tuned.lua", text)
  luaunit.assertEquals(shell.read(path), (shell.printed("fit examples/tuned.lua datasets/flow.csv -o " .. path) and shell.read(path)))
end

--- The levels in the order of their colours, 5, 6 and 7: colours alone give their places.
function Formula.test_a_fit_to_an_order()
  local answer = ask { kind = "fit", order = { 3, 1, 2 }, variant = { formula = "difficulty ~ size + colours" } }
  luaunit.assertEquals({ answer.target, answer.levels, answer.targets }, { "place", { "4", "1", "2" }, { 1, 5.5, 10 } })
  luaunit.assertStrContains(table.concat(answer.notes, "\n"), "Kendall's tau of predictions and ratings: 1.0000")
  luaunit.assertEquals(answer.terms[3], { term = "colours", estimate = 4.5, column = { 5, 6, 7 } })
end

--- A measure that the data lack is counted in the level files, whose names join the rows.
function Formula.test_measures_of_level_files()
  local data = shell.file("rated.csv", "level,difficulty\n1,5\n2,2\n4,2.5\n6,3\n77,9\n")
  local answer = ask { kind = "fit", data = data, variant = { formula = "difficulty ~ size" } }
  luaunit.assertEquals({ answer.levels, answer.terms[2].column }, { { "1", "2", "4", "6" }, { 81, 49, 36, 25 } })
end

function Formula.test_variants_on_the_same_folds()
  local variants = { { formula = "difficulty ~ size" }, { formula = "difficulty ~ size + colours", fit = "lad" } }
  local answer = ask { kind = "compare", variants = variants }
  local compared = json.decode(shell.printed("compare --format json 'difficulty ~ size' --data datasets/flow.csv"))
  for _, row in ipairs(answer.rows) do
    if row.rule == "difficulty ~ size" then luaunit.assertEquals(row.mae, compared.rules[1].mae) end
  end
  luaunit.assertEquals(#answer.rows, 3) -- and the baseline
  luaunit.assertTrue(lists.contains(answer.columns, "may_be_best"))
end

--- Without sliders the script is that of crux fit -o; with them it has their numbers, and rates by them.
function Formula.test_scripts()
  local formula, path = "difficulty ~ size + colours", shell.path "saved.lua"
  local message = { kind = "rule", path = path, variant = { formula = formula } }
  shell.printed(("fit --formula '%s' --game flow -o %s datasets/flow.csv"):format(formula, path))
  luaunit.assertEquals(ask(message).write.text, shell.read(path))
  local moved = ask(lists.merge(message, { values = { ["(intercept)"] = 1, size = 0, colours = 0.5 } })).write.text
  local rated = json.decode(shell.printed(("rate %s --format json %s"):format(shell.file("moved.lua", moved), flow_levels[1])))
  luaunit.assertEquals(rated[1].rating, 1 + 0.5 * 6) -- 6 colours
end

function Formula.test_names()
  local answer = ask { kind = "names" }
  luaunit.assertEquals({ answer.target, answer.weights, answer.formula, answer.is_function },
    { "difficulty", "solved", "difficulty ~ size + colours + distance + corners", false })
  luaunit.assertTrue(lists.contains(answer.columns, "corners"))
  luaunit.assertTrue(lists.contains(lists.field(answer.measures), "corners"))
end

function Formula.test_mistakes()
  local function said(message) return ask(message).fault.message end
  luaunit.assertStrContains(said { kind = "fit", variant = { formula = "difficulty ~ sise" } }, "'sise'")
  luaunit.assertStrContains(said { kind = "fit", variant = { formula = "difficulty ~ (size" } }, "column 19")
  luaunit.assertStrContains(said { kind = "fit", order = { 2 }, variant = { formula = "difficulty ~ size" } },
    "found 1 level, expected at least 2 in an order")
  local without = engines.new({ named = {}, list = function() return {} end, sources_of_data = "a CSV file" }):answer {
    kind = "fit", variant = { formula = "difficulty ~ size" } }
  luaunit.assertEquals(without.fault.message, "found no data, expected a CSV file, or Fit to my order")
end

--- A game and a rule of one name have a script each, which is saved under a name of the user's own; a script of the user's own keeps its.
function Formula.test_names_to_save_scripts_at()
  for of, save_as in pairs { rule = "my-flow-rule.lua", game = "my-flow-game.lua" } do
    local answer = ask { kind = "script", path = "flow", of = of }
    luaunit.assertEquals({ answer.save_as, answer.text }, { save_as, shell.read(("%ss/flow.lua"):format(of)) })
    luaunit.assertEquals(ask({ kind = "script", path = ("%ss/flow.lua"):format(of) }).save_as, save_as)
  end
  luaunit.assertEquals(ask({ kind = "script", path = "examples/by-hand.lua" }).save_as, "examples/by-hand.lua")
  luaunit.assertNotNil(ask({ kind = "script", path = "flow" }).fault) -- no file
end

--- A script of the user's own is loaded anew when it is saved, and its mistake is told with its line.
function Formula.test_scripts_that_change()
  local path = shell.file("own.lua", "return crux.rule { formula = function(level) return level.size end }\n")
  local engine = engines.new { named = {}, list = function() return {} end, read = function(name) return shell.read(name), "1" end }
  local function now() return engine:answer { kind = "stamps", game = "flow", rule = path } end
  local first = now()
  luaunit.assertEquals(now(), first)
  luaunit.assertNil(engine:answer({ kind = "script", game = "flow", rule = path, path = path }).problem)
  shell.file("own.lua", "return crux.rule {\n  formula = function(level) return level.size +* 2 end,\n}\n")
  luaunit.assertEquals({ now().fault.file, now().fault.line }, { path, 2 })
  luaunit.assertStrContains(engine:answer({ kind = "script", game = "flow", path = path }).problem, "own.lua:2:")
  shell.file("own.lua", "return crux.rule { formula = function(level) return 2 * level.size end }\n")
  luaunit.assertNotEquals(now(), first)
  luaunit.assertNil(now().fault)
end

return Formula
