--- crux in stock Lua 5.4: the plugin gives the numbers of the command line, and leaves the state that loads it alone.
local json = require "json_reader"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local plugin = require "plugin"
local shell = require "shell"
local walkthrough = require "walkthrough"

local Library = {}

function Library.setUp() plugin.expect() end

--- What a program prints, which has crux.
local function printed(text) return plugin.printed("local crux = require 'crux'\n" .. text) end

--- The message that a line of a program raises.
local function raised(line)
  return printed(("local ok, problem = pcall(function() %s end)\nassert(not ok and type(problem) == 'table')\n"
    .. "assert(problem.message == tostring(problem))\nio.write(problem.message)"):format(line))
end

--- docs/lua.md: each program, and behind it what it prints.
function Library.test_page_prints_what_is_shown()
  local blocks, count = walkthrough.blocks(shell.read "docs/lua.md"), 0
  for i, block in ipairs(blocks) do
    if block.language == "lua" then
      luaunit.assertEquals(plugin.printed(block.text), blocks[i + 1].text)
      count = count + 1
    end
  end
  luaunit.assertEquals(count, 4)
end

--- The page has a row for each function, and no other.
function Library.test_page_names_all_functions()
  local rows, names = "", {}
  for cell in shell.read "docs/lua.md":gmatch "\n| (`[^|]*) |" do rows = rows .. cell end
  for name in printed "for name in pairs(crux) do print(name) end":gmatch "[^\n]+" do names[name] = true end
  for name in rows:gmatch "`([%l_]+)" do luaunit.assertTrue(names[name], name) end
  for name in shell.read "lua/crux/api/library.lua":gmatch "\nfunction library%.([%l_]+)" do
    luaunit.assertStrContains(rows, "`" .. name .. "(")
  end
end

function Library.test_example_rates_as_the_command_line()
  local path = "datasets/levels/flow/4.txt"
  local rating = shell.printed("rate flow " .. path):match "\n4,([^\n]+)\n$"
  local out = plugin.output("examples/plain-lua/rate.lua " .. path)
  luaunit.assertEquals(out:match "^[^\n]*\n", ("4: solved, rated %.2f of 10\n"):format(rating))
  local result = plugin.run "examples/plain-lua/rate.lua /no/such"
  luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", "/no/such: No such file or directory\n" })
end

function Library.test_next_level()
  luaunit.assertEquals(printed [[
    local next = crux.next_level({ -2, -1, 0, 1 }, { { level = 2, solved = true } })
    io.write(("%d %.3f %.3f"):format(next.level, next.chance, next.difficulty))]], "3 0.557 -0.696")
  luaunit.assertEquals(raised "crux.next_level({ 1 }, 2)", "crux.next_level: argument 2: found 2, expected a table")
  luaunit.assertEquals(raised "crux.next_level({ 1 }, {}, { success = 2 })",
    "crux.next_level: success: found 2, expected a number between 0 and 1")
end

--- 40 different levels are played; those that were made for the player have a chance near the wanted one.
function Library.test_example_of_next_levels()
  long.only()
  local out, levels, made = plugin.output "examples/plain-lua/next.lua 0.5 3 datasets/levels/flow/", {}, 0
  for name, chance in out:gmatch "level (%S+ ?%d*) +rated +[%d.]+  chance ([%d.]+)" do
    levels[name] = true
    if name:find "^made" then
      made = made + 1
      luaunit.assertTrue(math.abs(chance - 0.7) < 0.1, out)
    end
  end
  luaunit.assertEquals(#lists.keys(levels), 40, out)
  luaunit.assertTrue(made >= 20, out)
end

function Library.test_ratings()
  local expected = shell.printed "rate flow datasets/flow.csv"
  local out = printed [[
    local ratings = crux.rate(crux.load_rule "flow", crux.open "datasets/flow.csv")
    for i = 1, #ratings do print(("%.17g"):format(ratings[i])) end]]
  local count = 0
  for rating in expected:gmatch "\n%d+,([^\n]+)" do
    count = count + 1
    local own
    own, out = out:match "^([^\n]*)\n(.*)$"
    luaunit.assertEquals(tonumber(own), tonumber(rating))
  end
  luaunit.assertEquals({ count, out }, { 40, "" })
end

--- A script that is written is one that the command line reads; nothing is lost on the way.
function Library.test_fit()
  local path = shell.path "library-fit.lua"
  local fit = shell.decoded "fit --formula 'difficulty ~ size + corners' --weights solved datasets/flow.csv"
  local out = printed(([[
    local data = crux.open "datasets/flow.csv"
    local fitted, fit = crux.fit(crux.formula("difficulty ~ size + corners", "solved"), data)
    for _, row in ipairs(fit.terms) do
      print(("%%s %%.17g %%.17g %%.17g"):format(row.term, row.estimate, row.std_error, row.p))
    end
    print(("%%d %%.17g %%.17g"):format(fit.n, fit.r_squared, fit.bic))
    assert(io.open("%s", "w")):write(crux.script(fitted))]]):format(path))
  local lines = shell.lines(out)
  for i, term in ipairs(fit.terms) do
    luaunit.assertEquals(lines[i], ("%s %.17g %.17g %.17g"):format(term.term, term.estimate, term.std_error, term.p))
  end
  luaunit.assertEquals(lines[4], ("%d %.17g %.17g"):format(fit.n, fit.r_squared, fit.bic))
  luaunit.assertEquals(#lines, 4)
  local again = shell.decoded("fit " .. path .. " datasets/flow.csv")
  luaunit.assertEquals(again.terms, fit.terms)
end

--- The params of a Lua function: its ratings are those of the script that the command line writes.
function Library.test_tuning()
  local path, own = shell.path "library-tuned.lua", shell.path "library-own.lua"
  shell.printed(("fit examples/tuned.lua datasets/flow.csv -o %s"):format(path))
  local out = printed(([[
    local rule = crux.load_rule "examples/tuned.lua"
    local tuned = crux.fit(rule, crux.open "datasets/flow.csv")
    assert(io.open("%s", "w")):write(crux.script(tuned))
    for _, one in ipairs { rule, tuned } do print(("%%.17g"):format(crux.rating(one, { size = 25, corners = 5 }))) end]])
    :format(own))
  local level = shell.file("library-level.csv", "size,corners\n25,5\n")
  local function rating(rule) return tonumber(shell.printed(("rate %s %s"):format(rule, level)):match "\n1,([^\n]+)") end
  local before, after = out:match "^([^\n]+)\n([^\n]+)\n$"
  luaunit.assertEquals(tonumber(before), rating "examples/tuned.lua")
  luaunit.assertEquals(tonumber(after), rating(path))
  luaunit.assertEquals(rating(own), rating(path))
end

function Library.test_evaluation()
  long.only()
  for _, case in ipairs {
    { "crux.load_rule 'flow', data", "flow" },
    { "crux.load_rule 'flow', data, { loo = true }", "flow --loo" },
    { "crux.load_rule 'flow', data, { folds = 4, repeats = 3 }", "flow --folds 4 --repeats 3" },
    { "crux.load_rule 'flow', data, { seed = 7 }", "flow --seed 7" },
    { "crux.load_rule 'flow', data, { folds_by = 'order' }", "flow --folds-by order" },
    { "crux.load_rule 'examples/by-hand.lua', data", "examples/by-hand.lua" },
    { "crux.load_rule 'examples/tuned.lua', data", "examples/tuned.lua" },
  } do
    local expected = shell.decoded(("evaluate %s datasets/flow.csv"):format(case[2]))
    local out = printed(("local data = crux.open 'datasets/flow.csv'\nlocal e = crux.evaluate(%s)\n"):format(case[1])
      .. "print(('%.17g %.17g'):format(e.errors.mae, e.baseline.rmse))")
    luaunit.assertEquals(out, ("%.17g %.17g\n"):format(expected.mae, expected.baseline.rmse), case[1])
  end
end

function Library.test_comparison()
  local expected = shell.decoded "compare flow flow-solver datasets/flow.csv --seed 3 --draws 50 --format json"
  local out = printed [[
    local rules = { crux.load_rule "flow", crux.load_rule "flow-solver" }
    local ranking = crux.compare(rules, crux.open "datasets/flow.csv", { seed = 3, draws = 50 })
    for _, entry in ipairs(ranking.entries) do
      print(("%s %.17g %.17g"):format(entry.rule, entry.evaluation.errors.mae, entry.difference and entry.difference.low or 0))
    end]]
  local lines = {}
  for _, row in ipairs(expected.rules) do
    table.insert(lines, ("%s %.17g %.17g\n"):format(row.rule, row.mae, row.difference.low))
  end
  luaunit.assertEquals(out, table.concat(lines) .. ("baseline %.17g 0\n"):format(expected.baseline.mae))
end

function Library.test_selection()
  long.only()
  local expected = shell.decoded "select datasets/flow.csv --weights solved --transforms log,sqrt --format json"
  local out = printed [[
    local selected = crux.select(crux.open "datasets/flow.csv", { weights = "solved", transforms = { "log", "sqrt" } })
    print(("%s %.17g"):format(selected.fitted.formula.text, selected.errors.nested.mae))]]
  luaunit.assertEquals(out, ("%s %.17g\n"):format(expected.formula, expected.nested.mae))
end

function Library.test_correlations()
  local expected = shell.decoded "correlate datasets/move.csv --x size,moves --y time"
  luaunit.assertEquals(json.decode(printed [[
    local rows = crux.correlate(crux.open "datasets/move.csv", { x = { "size", "moves" }, y = { "time" } })
    local columns = {}
    for i, key in ipairs { "x", "y", "n", "pearson", "pearson_p", "kendall", "kendall_p", "spearman", "spearman_p",
      "weighted_pearson" } do columns[i] = { key = key } end
    io.write(crux.table(columns, rows, "json"))]]), expected)
end

function Library.test_ablation()
  local expected = shell.decoded "ablate datasets/move.csv --target time --measures size,moves,rocks --folds 4 --seed 3 --top 2"
  local out = printed [[
    local study = crux.ablate(crux.open "datasets/move.csv",
      { target = "time", measures = { "size", "moves", "rocks" }, folds = 4, seed = 3, top = 2 })
    for _, subset in ipairs(study.subsets) do print(("%s %.17g"):format(table.concat(subset.measures, "+"), subset.mse)) end
    for _, measure in ipairs(study.measures) do print(study.shares[measure]) end
    local judged = crux.judge(study, study.subsets[1].measures)
    for _, verdict in ipairs { study.verdict, judged } do print(("%.17g %.17g"):format(verdict.test.mse, verdict.baseline.mae)) end]]
  local lines = {}
  for _, subset in ipairs(expected.subsets) do
    table.insert(lines, ("%s %.17g"):format(table.concat(subset.measures, "+"), subset.mse))
  end
  for _, measure in ipairs { "size", "moves", "rocks" } do table.insert(lines, tostring(expected.share[measure] + 0.0)) end
  for _ = 1, 2 do
    table.insert(lines, ("%.17g %.17g"):format(expected.best.test.mse, expected.baseline.test.mae))
  end
  luaunit.assertEquals(out, table.concat(lines, "\n") .. "\n")
end

function Library.test_generated_levels()
  local expected = shell.printed "generate move --count 3 --seed 7 --side 5"
  luaunit.assertEquals(printed [[
    local move, texts = crux.load_game "move", {}
    for i, product in ipairs(crux.generate(move, { count = 3, seed = 7, measures = { "moves" }, own = { side = 5 } })) do
      texts[i] = "; " .. product.name .. "\n" .. product.text
      assert(product.row.moves == crux.measure(move, crux.level(move, product.text)).moves)
    end
    io.write(table.concat(texts, "\n"))]], expected)
end

--- The picture in a page is that of crux solve; the page has all that was put in.
function Library.test_pages()
  local path = shell.path "picture.svg"
  shell.printed(("solve flow datasets/levels/flow/2.txt -o %s"):format(path))
  local shapes = shell.read(path):match "<path.*/>"
  luaunit.assertNotNil(shapes)
  local out = printed [[
    local flow = crux.load_game "flow"
    local levels, names = crux.levels(flow, "datasets/levels/flow/2.txt")
    local picture = crux.paint(flow, levels[1], names[1], crux.solve(flow, levels[1], { way = true }))
    local figure = crux.plot.scatter { x = { 1, 2 }, y = { 3, 5 }, x_name = "size", y_name = "hard" }
    local rows = crux.table({ { key = "level" }, { key = "size" } }, crux.rows(crux.open "examples/new-levels.csv"))
    print(rows)
    print(crux.report.page { title = "T < U", lead = "L", parts = {}, words = { "lua5.4", "rate.lua" }, sources = "S",
      template = "{{{level}}}{{{figure}}}{{{table}}}", values = { level = crux.report.level(picture, "one"),
      figure = crux.report.figure(figure, "two"), table = crux.report.table { id = "three", caption = "C",
      columns = { { key = "a" } }, rows = { { a = "<b>" } } } } })]]
  luaunit.assertEquals(out:match "^level%s+size\n[%a ]+%d+\n" ~= nil, true)
  for _, part in ipairs { "T &lt; U", ">lua5.4 rate.lua<", "<th scope=\"row\">&lt;b&gt;</th>", ">hard</text>" } do
    luaunit.assertTrue(out:find(part, 1, true) ~= nil, part)
  end
  luaunit.assertTrue(out:find(shapes, 1, true) ~= nil)
end

function Library.test_rule_for_another_target()
  local expected = shell.decoded "evaluate --folds-by order flow datasets/flow.csv --target time"
  luaunit.assertEquals(printed [[
    local evaluation = crux.evaluate(crux.for_target(crux.load_rule "flow", "time"), crux.open "datasets/flow.csv",
      { folds_by = "order" })
    io.write(("%.17g"):format(evaluation.errors.mae))]], ("%.17g"):format(expected.mae))
end

function Library.test_measures_and_solutions()
  local row = shell.decoded "measure move datasets/levels/move/17.txt"[1]
  local solution = shell.decoded "solve --all move datasets/levels/move/17.txt"[1]
  local out = printed [[
    local move = crux.load_game "move"
    local levels, names = crux.levels(move, "datasets/levels/move/17.txt")
    local row, solution = crux.measure(move, levels[1]), crux.solve(move, levels[1], { count = true })
    local list = {}
    for name, value in pairs(row) do table.insert(list, ("%s=%.17g\n"):format(name, value)) end
    table.sort(list)
    print(table.concat(list) .. names[1], solution.status, solution.text, solution.solutions, solution.expanded)]]
  local list = {}
  for name, value in pairs(row) do
    if name ~= "level" and math.type(value) then table.insert(list, ("%s=%.17g\n"):format(name, value)) end
  end
  table.sort(list)
  luaunit.assertTrue(#list > 3)
  luaunit.assertEquals(out, table.concat(list) .. table.concat({ "17", "solved", solution.solution, solution.solutions,
    solution.expanded }, "\t") .. "\n")
end

--- Boards and words: a rook's moves from a corner of 3 x 3 cells are the two next to it, by hand.
function Library.test_boards()
  luaunit.assertEquals(printed [[
    local corner = crux.cells(3, 3):with(1, 1)
    print(#corner:neighbours(), crux.none(corner & corner:neighbours()), crux.where(true, 1, 2))]], "2\ttrue\t1\n")
end

--- The same search in C and in Lua.
function Library.test_search_of_the_program()
  local program = [[
    local spec = { moves = { "+", "*" } }
    function spec.state() return { n = crux.integer(1, 10000) } end
    function spec.start() return { n = 1 } end
    function spec.step(state, move)
      state.n = crux.min(move == "+" and state.n + 3 or state.n * 2, 10000)
      return crux.eq(state.n, 100)
    end
    local solution = crux.search(spec, {}, { count = true, engine = %s })
    print(solution.status, table.concat(solution.moves), solution.solutions, solution.expanded, solution.untraced)]]
  local native, interpreted = printed(program:format "nil"), printed(program:format "'interpreted'")
  luaunit.assertEquals(native, interpreted)
  luaunit.assertEquals(native:match "^solved\t([+*]+)\t", "+*+*+**") -- 1, 4, 8, 11, 22, 25, 50, 100: by hand from the end
end

--- Globals, paths and metatables are as they were; there is one thread, and signals are as they were.
function Library.test_state_is_left_alone()
  local look = [[
    local function look()
      local seen = {}
      for name, value in pairs(_G) do table.insert(seen, name .. tostring(value)) end
      for _, library in ipairs { "string", "table", "io", "os", "coroutine", "debug", "math" } do
        for name, value in pairs(_G[library]) do table.insert(seen, library .. name .. tostring(value)) end
      end
      table.sort(seen)
      for _, value in ipairs { true, 1, print } do table.insert(seen, tostring(debug.getmetatable(value))) end
      for name in pairs(debug.getmetatable "") do table.insert(seen, name) end
      table.insert(seen, package.path .. package.cpath)
      for line in io.lines "/proc/self/status" do
        if line:find "^Threads" or line:find "^Sig[BIC]" then table.insert(seen, line) end
      end
      return table.concat(seen, "\n")
    end
    local before = look()
    local crux = require "crux"
    crux.evaluate(crux.load_rule "flow", crux.open "datasets/flow.csv")
    assert(look() == before, look())]]
  plugin.printed(look)
  plugin.printed(look .. [[
    local host = { __index = { yes = "no" }, __band = error }
    debug.setmetatable(true, host)
    local move = crux.load_game "move"
    crux.solve(move, crux.levels(move, "datasets/levels/move/17.txt")[1])
    assert(debug.getmetatable(true) == host and (true).yes == "no" and (true & false) == false)
    debug.setmetatable(true, nil)
    assert(look() == before, look())]])
end

--- Another folder named crux on the path is not taken for crux's own.
function Library.test_own_modules_come_first()
  shell.folder("shadow/crux", { ["fault.lua"] = "error 'the wrong one'" })
  luaunit.assertEquals(printed "print(crux.version)", plugin.printed(
    ("package.path = '%s/?.lua;' .. package.path\nprint(require('crux').version)"):format(shell.path "shadow")))
  luaunit.assertEquals(printed "print(pcall(require, 'crux.nothing'))":match "^false\tmodule 'crux.nothing' not found",
    "false\tmodule 'crux.nothing' not found")
end

function Library.test_sandbox()
  local path = shell.file("sandboxed.lua", "return tostring(io) .. tostring(os) .. tostring(load) .. crux.word, string.rep")
  luaunit.assertEquals(printed(("print((crux.sandbox('%s', { word = 'x' })))"):format(path)), "nilnilnilx\n")
  local words = shell.file("sandboxed-words.lua", "return crux.min(3, 2)")
  luaunit.assertEquals(printed(("print(crux.sandbox '%s')"):format(words)), "2\n")
  local wrong = shell.file("sandboxed-wrong.lua", "local x = 1\nos.exit(3)")
  luaunit.assertStrContains(raised(("crux.sandbox '%s'"):format(wrong)), wrong .. ":2: attempt to index a nil value")
end

--- The limits hold whatever a script does, and only while it runs; the next one runs as if nothing had been.
function Library.test_limits()
  long.leave_out()
  local path = shell.file("endless.lua", "while true do pcall(function() while true do end end) end")
  local greedy = shell.file("greedy.lua", "local list = {} for i = 1, 1e9 do list[i] = { i } end")
  for _, case in ipairs { { "time = 0.1", path, ":1: the script ran for more than 0.1 s" },
    { "instructions = 0.5", path, ":1: the script took more than 0.5 million instructions" },
    { "memory = 50", greedy, ":1: the script took more than 50 MB" } } do
    luaunit.assertEquals(printed(([[
crux.limit { %s }
local ok, problem = pcall(crux.sandbox, '%s')
print(ok, problem.message)
local sum = 0
for i = 1, 2e6 do sum = sum + i end
print(crux.sandbox '%s')]]):format(case[1], case[2], shell.file("honest.lua", "return 5"))),
      ("false\t%s%s\n5\n"):format(case[2], case[3]))
  end
end

function Library.test_what_is_wrong_is_raised()
  local fitted = "crux.fit(crux.formula('difficulty ~ size'), crux.open 'datasets/flow.csv')"
  for _, case in ipairs(long.some(12, {
    { "crux.load_rule 'flw'", "found the unknown rule 'flw'; did you mean 'flow'?" },
    { "crux.load_game(1)", "crux.load_game: argument 1: found 1, expected a string" },
    { "crux.open '/no/such.csv'", "/no/such.csv: cannot be opened: No such file or directory" },
    { "crux.dataset { a = { 1, 2 }, b = { 1 } }", "crux.dataset: column 'b': found 1 values, expected a list of 2, as the others" },
    { "crux.dataset { a = { 1, 'x' } }", "crux.dataset: column 'a'[2]: found 'x', expected a number" },
    { "crux.dataset { level = { 1 } }", "crux.dataset: column 'level'[1]: found 1, expected a string" },
    { "crux.dataset { { 1 } }", "crux.dataset: found a column without a name, expected { size = { ... }, ... }" },
    { "crux.dataset {}", "crux.dataset: found no column, expected at least one" },
    { "crux.rate(crux.load_game 'flow', 1)",
      "crux.rate: argument 1: found a table, expected a rule: crux.load_rule or crux.formula" },
    { "crux.rate(crux.load_rule 'flow')", "crux.rate: argument 2: found nil, expected a dataset: crux.open or crux.dataset" },
    { "crux.rate(crux.formula 'y ~ x', crux.dataset { x = { 1 } })",
      "formula 'y ~ x': found no coefficients, expected a fitted rule (crux fit RULE DATA -o FITTED.lua)" },
    { ("crux.rate(%s, crux.dataset { siz = { 1 } })"):format(fitted),
      "dataset:1: formula 'difficulty ~ size' needs the measure 'size', which is not among the columns; did you mean 'siz'?" },
    { "crux.evaluate(crux.load_rule 'flow', crux.open 'datasets/flow.csv', { fold = 3 })",
      "crux.evaluate: found the unknown option 'fold'; did you mean 'folds'?" },
    { "crux.evaluate(crux.load_rule 'flow', crux.open 'datasets/flow.csv', { folds_by = 1 })",
      "crux.evaluate: option 'folds_by': found the unknown word '1'; there are: random, order" },
    { "crux.evaluate(crux.load_rule 'flow', crux.open 'datasets/flow.csv', { seed = 1.5 })",
      "crux.evaluate: option 'seed': found '1.5', expected an integer of at least 0" },
    { "crux.evaluate(crux.load_rule 'flow', crux.open 'datasets/flow.csv', { folds = 1 })",
      "crux.evaluate: option 'folds': found '1', expected an integer of at least 2" },
    { "crux.ablate(crux.open 'datasets/flow.csv', { measures = { 'width' } })",
      "datasets/flow.csv:1: ablate needs the measure 'width', which is not among the columns; there are: level, size, colours, "
        .. "distance, corners, solved, skipped, difficulty, scaled, time, moves_used" },
    { "crux.evaluate(crux.load_rule 'flow', crux.open 'datasets/flow.csv', { loo = 1 })",
      "crux.evaluate: option 'loo': found 1, expected true or false" },
    { "crux.compare({ crux.load_rule 'flow' }, 'datasets/flow.csv')",
      "crux.compare: argument 2: found 'datasets/flow.csv', expected a dataset: crux.open or crux.dataset" },
    { "crux.ablate(crux.open 'datasets/flow.csv', { test_share = 1 })",
      "crux.ablate: option 'test_share': found '1', expected a number from 0 to below 1" },
    { "crux.judge(crux.ablate(crux.open 'datasets/flow.csv', { measures = { 'size', 'corners' } }), { 'sizes' })",
      "datasets/flow.csv: found the unknown measure 'sizes'; did you mean 'size'?" },
    { "crux.judge({}, {})", "crux.judge: argument 1: found a table, expected a study: crux.ablate" },
    { "crux.generate(crux.load_game 'move', { count = 0 })",
      "crux.generate: option 'count': found '0', expected an integer of at least 1" },
    { "crux.table({ { key = 'a' } }, {}, 'svg')", "crux.table: argument 3: found 'svg', expected table, csv, json, md" },
    { "crux.script(crux.load_rule 'examples/by-hand.lua')",
      "examples/by-hand.lua: found a Lua function as its formula, expected a formula string, which can be fitted" },
    { "crux.level(crux.load_game 'flow', '\\239\\187\\191A?A\\n')", "level:1: column 2: found '?', expected a letter, a digit or '.'" },
    { "crux.level(crux.load_game 'flow', 'A?A\\n')", "level:1: column 2: found '?', expected a letter, a digit or '.'" },
    { "crux.level(crux.load_game 'flow', 'AA\\n\\nBB\\n')", "level: found 2 levels, expected one" },
    { "crux.generate(crux.load_game 'flow', { own = { sdie = 3 } })",
      "crux.generate: option 'own': found the unknown option 'sdie'; did you mean 'side'?" },
    { "crux.solve(crux.load_game 'flow', 'AA')", "crux.solve: argument 2: found 'AA', expected a level: crux.level or crux.levels" },
    { "crux.search({ moves = {} }, {})", "search.moves: found an empty list, expected a list of names" },
  })) do
    luaunit.assertEquals(raised(case[1]), case[2], case[1])
  end
end

--- A misspelt limit, or one in C's words, would be none.
function Library.test_limits_by_name()
  for given, said in pairs { ["{ tme = 1 }"] = "crux.limit: found the unknown limit 'tme'; did you mean 'time'?",
    ["{ seconds = 1 }"] = "crux.limit: found the unknown limit 'seconds'; there are: time, memory, instructions",
    ["{ time = -1 }"] = "crux.limit: field 'time': found -1, expected a number that is not negative" } do
    luaunit.assertEquals(printed(("print(select(2, pcall(crux.limit, %s)).message)"):format(given)), said .. "\n")
  end
end

--- Tasks that write levels give their names and texts.
function Library.test_tasks_of_levels()
  luaunit.assertEquals(printed [[
    local sample = crux.task("sample", { levels = { "datasets/levels/flow" }, rule = "flow", count = 2 }).tables[1].rows
    local convert = crux.task("convert", { levels = { "datasets/levels/sokoban" }, game = "sokoban" }).tables[1].rows
    print(#sample, sample[1].text:match "^%S+", convert[1].level, convert[1].text:match "^%S+")]], "2\t....A..B\tSide door\t#######\n")
end

--- Datasets and tasks leave the pause of the program's garbage collector as it was.
function Library.test_pause_of_the_collector()
  luaunit.assertEquals(printed [[
    collectgarbage("setpause", 172)
    crux.open "datasets/flow.csv"
    crux.task("correlate", { data = "datasets/flow.csv" })
    print(collectgarbage("setpause", 200))]], "172\n")
end

--- The levels of crux.order are those of the command line; what is wrong with an order is a fault.
function Library.test_orders()
  long.leave_out()
  local out = printed [[
    local game, rule = crux.load_game "move", crux.load_rule "move"
    local levels, filled = crux.order(game, rule, { rating = "2..3", count = 1, like = { size = "9" } })
    for _, level in ipairs(levels) do print("; " .. level.name .. "\n" .. level.text) end
    assert(filled.missing == 0 and levels[1].row.size == 9 and levels[1].rating >= 2)]]
  luaunit.assertEquals(out, shell.printed "generate move --rule move --rating 2..3 --count 1 --like size=9" .. "\n")
  local call = "crux.order(crux.load_game 'move', crux.load_rule '%s', { %s })"
  luaunit.assertEquals(raised(call:format("move", "rating = '5..4'")),
    "crux.generate: option 'rating': found '5..4', expected a number, LEAST..GREATEST, '>=LEAST' or '<=GREATEST'")
  luaunit.assertEquals(raised(call:format("flow", "rating = '5'")),
    "rule 'flow': found a rule of the game 'flow', expected one of 'move'")
end

return { Library = Library }
