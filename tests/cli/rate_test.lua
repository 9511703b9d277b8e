--- End-to-end tests of crux rate: inputs, joins, delimiters, missing measures, hand-made formulas.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- Fills the folder of the tests: `line` rates 1 + 2 a, `hand` is a Lua function.
local function prepare()
  shell.file("line.lua", 'return crux.rule { formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 } }\n')
  shell.file("hand.lua", 'return crux.rule { formula = function(m) return m.a * m.a + m["b c"] end }\n')
  shell.file("one.csv", "level,a,b c\nA,1,10\nB,2,20\n")
  shell.file("two.csv", "level,a,b c\nC,3,30\n")
  shell.file("unnamed.csv", "a\n1\n2\n")
  shell.file("gaps.csv", "level,a,b c\nA,,10\nB,NA,20\nC,3,\n")
  shell.file("semicolons.csv", "level;a\n\"x;y\";1\nB;2\n")
  shell.file("tabs.csv", "level\ta\nA, B\t1\n")
  shell.file("blank.csv", "\n level , a \n\n A , 1 \n\nB,\t2\n\n")
  shell.file("crlf.csv", "\239\187\191level,a\r\nA,1\r\nB,2") -- byte-order mark, CRLF, no line end at the end
  shell.file("more.csv", "level,d\nB,5\nX,6\nA,7\n")
  shell.file("parts.lua", 'return crux.rule { formula = function(m) return 2 * m.a, { { "a, twice", 2 * m.a } } end }\n')
  shell.file("sum.lua", 'return crux.rule { formula = "y ~ a + d - 1", coefficients = { a = 1, d = 1 } }\n')
end

--- Runs `crux rate` in the tests' folder.
local function rate(line, input)
  return shell.crux("rate " .. line, { folder = shell.path "", input = input })
end

local Rate = { setUp = prepare }

local no_a = "gaps.csv:2: level 'A' has no rating: a is missing\ngaps.csv:3: level 'B' has no rating: a is missing\n"

--- Command line, output, what is said on standard error.
local cases = {
  { "line.lua one.csv", "level,rating\nA,3\nB,5\n" },
  { "./line.lua one.csv two.csv one.csv", "level,rating\nA,3\nB,5\nC,7\nA,3\nB,5\n" },
  { "line.lua one.csv -", "level,rating\nA,3\nB,5\nC,7\n", stdin = "two.csv" },
  { "line.lua -", "level,rating\nC,7\n", stdin = "two.csv" },
  { "line.lua unnamed.csv one.csv", "level,rating\n1,3\n2,5\nA,3\nB,5\n" },
  { "line.lua --append one.csv two.csv", "level,a,b c,rating\nA,1,10,3\nB,2,20,5\nC,3,30,7\n" },
  { "line.lua unnamed.csv --append", "a,rating\n1,3\n2,5\n" },
  { "hand.lua one.csv", "level,rating\nA,11\nB,24\n" },
  { "line.lua gaps.csv", "level,rating\nA,\nB,\nC,7\n", no_a },
  { "hand.lua gaps.csv", "level,rating\nA,\nB,\nC,\n", no_a .. "gaps.csv:4: level 'C' has no rating: b c is missing\n" },
  { "line.lua gaps.csv --append", "level,a,b c,rating\nA,,10,\nB,NA,20,\nC,3,,7\n",
    no_a },
  { "line.lua --delimiter ';' semicolons.csv", "level,rating\nx;y,3\nB,5\n" },
  { "line.lua --delimiter tab tabs.csv", 'level,rating\n"A, B",3\n' },
  { "line.lua --delimiter '\\t' tabs.csv", 'level,rating\n"A, B",3\n' },
  { "line.lua --delimiter '\t' tabs.csv", 'level,rating\n"A, B",3\n' },
  { "line.lua blank.csv", "level,rating\nA,3\nB,5\n" },
  { "line.lua crlf.csv", "level,rating\nA,3\nB,5\n" },
  { "sum.lua one.csv --with more.csv", "level,rating\nA,8\nB,7\n" },
  { "sum.lua one.csv two.csv --with more.csv --append", nil,
    "two.csv: found no row with a partner, expected levels that are in more.csv\n", 1 },
  { "line.lua one.csv --explain", "level,part,value\nA,(intercept),1\nA,a,2\nA,rating,3\nB,(intercept),1\nB,a,4\nB,rating,5\n" },
  { "hand.lua one.csv two.csv --explain", "level,part,value\nA,rating,11\nB,rating,24\nC,rating,39\n" },
  { "parts.lua two.csv --explain", 'level,part,value\nC,"a, twice",6\nC,rating,6\n' },
  { "parts.lua two.csv", "level,rating\nC,6\n" },
  { "line.lua gaps.csv --explain", "level,part,value\nA,rating,\nB,rating,\nC,(intercept),1\nC,a,6\nC,rating,7\n",
    no_a },
  { "sum.lua more.csv --with one.csv --append", "level,d,a,b c,rating\nB,5,2,20,7\nA,7,1,10,8\n",
    "more.csv: 1 row left out: no such level in one.csv\n" },
}

function Rate.test_table_of_cases()
  for _, case in ipairs(long.some(20, cases)) do
    local line, out, err, status = table.unpack(case, 1, 4)
    local result = rate(line, case.stdin)
    luaunit.assertEquals(result, { status = status or 0, out = out or "", err = err or "" }, line)
  end
end

function Rate.test_output_file_holds_what_would_be_printed()
  for _, case in ipairs(long.some(10, cases)) do
    local line, out, err = table.unpack(case, 1, 3)
    os.remove(shell.path "out.csv")
    local result = rate(line .. " -o out.csv", case.stdin)
    luaunit.assertEquals(result.out, "", line)
    luaunit.assertEquals(result.err, err or "", line)
    luaunit.assertEquals(shell.exists(shell.path "out.csv") and shell.read(shell.path "out.csv") or nil, out, line)
  end
end

--- What a rating is made of, in the other formats; a term that was found to depend on others has no share.
function Rate.test_explain()
  luaunit.assertEquals(rate("parts.lua two.csv --explain --format json").out, [=[
[
  {"level": "C", "part": "a, twice", "value": 6},
  {"level": "C", "part": "rating", "value": 6}
]
]=])
  luaunit.assertEquals(rate("parts.lua two.csv --explain --format table").out,
    "level  part      value\nC      a, twice      6\nC      rating        6\n")
  luaunit.assertEquals(rate("parts.lua two.csv --explain --format md").out,
    "| level | part | value |\n| --- | --- | ---: |\n| C | a, twice | 6 |\n| C | rating | 6 |\n")
  shell.file("aliased.lua", 'return crux.rule { formula = "y ~ a + I(2 * a)", coefficients = { ["(intercept)"] = 1, a = 2 }, '
    .. 'aliased = { "I(2 * a)" } }\n')
  luaunit.assertEquals(rate("aliased.lua two.csv --explain").out, "level,part,value\nC,(intercept),1\nC,a,6\nC,rating,7\n")
end

--- The input may be the output of --append: it is read to its end before it is replaced.
function Rate.test_input_as_output()
  luaunit.assertEquals(rate "line.lua one.csv --append -o one.csv", { status = 0, out = "", err = "" })
  luaunit.assertEquals(shell.read(shell.path "one.csv"), "level,a,b c,rating\nA,1,10,3\nB,2,20,5\n")
end

--- 1 + 2 a in doubles, as Lua computes it, comes back bit by bit from CSV and from JSON.
function Rate.test_every_digit()
  local values = { 0.1, 1 / 3, -2 / 3, 1e-7 / 3, 123456789.123456789, 1e300 / 3, 5e-324, 2.2250738585072014e-308 / 3, -0.5,
    0 }
  local lines = { "a" }
  for i, value in ipairs(values) do lines[i + 1] = ("%.17g"):format(value) end
  shell.file("digits.csv", table.concat(lines, "\n") .. "\n")
  local rows = json.decode(rate("line.lua digits.csv --format json").out)
  local row = 0
  for level, text in rate("line.lua digits.csv").out:gmatch "(%d+),([^\n]+)\n" do
    row = row + 1
    luaunit.assertEquals(tonumber(level), row)
    luaunit.assertTrue(tonumber(text) == 1 + 2 * values[row], text)
    luaunit.assertTrue(rows[row].rating == 1 + 2 * values[row], text)
    luaunit.assertEquals(rows[row].level, level)
    luaunit.assertEquals(rows[row][json.keys], { "level", "rating", "missing" })
  end
  luaunit.assertEquals(row, #values)
end

function Rate.test_json_of_missing_ratings_and_of_strange_names()
  local rows = json.decode(rate("line.lua gaps.csv --format json").out)
  luaunit.assertIs(rows[1].rating, json.null)
  luaunit.assertEquals(rows[3].rating, 7)
  local name = 'q"uo\\te,\n\t\1 é 😀'
  shell.file("names.csv", ('level,a\n"%s",1\n'):format(name:gsub('"', '""')))
  luaunit.assertEquals(json.decode(rate("line.lua names.csv --format json").out)[1].level, name)
end

function Rate.test_more_rows_than_a_block_holds()
  local lines, expected = { "level,a" }, { "level,rating" }
  for i = 1, 10000 do
    table.insert(lines, ("L%d,%d"):format(i, i))
    table.insert(expected, ("L%d,%d"):format(i, 1 + 2 * i))
  end
  shell.file("long.csv", table.concat(lines, "\n") .. "\n")
  luaunit.assertEquals(rate("line.lua long.csv").out == table.concat(expected, "\n") .. "\n", true)
end

--- Names mean crux's own rules, unless there is such a file.
function Rate.test_names_of_rules()
  shell.file("flow.csv", "size,colours,distance,corners\n25,5,3.2,5\n")
  -- R: predict(lm(difficulty ~ size + colours + distance + corners, flow, weights = solved), new)
  local own = json.decode(rate("flow flow.csv --format json").out)[1].rating
  luaunit.assertAlmostEquals(own, 1.6904520035395434, 1e-13)
  shell.file("flow", 'return crux.rule { formula = function() return 5 end }\n')
  luaunit.assertEquals(rate("flow flow.csv").out, "level,rating\n1,5\n")
  os.remove(shell.path "flow")
end

--- In JSON each level without a rating names the missing measures, and why it has none; ten lines say so, and a count.
--- The game of a rule is seen from the rule's folder, else from the current one; a fitted rule keeps the name as it was written.
function Rate.test_a_game_beside_its_rule()
  shell.output("mkdir " .. shell.path "own")
  shell.file("own/row.lua", 'return crux.grid { name = "row", tiles = { { "." }, { "@", "man" } }, moves = { "R" }, state = { "man" }, '
    .. 'step = function() end, won = function() return true end, measures = { { "size", size = true } } }\n')
  shell.file("row.txt", "@..\n")
  shell.file("own/size.lua", 'return crux.rule { game = "row.lua", formula = "y ~ size", coefficients = { ["(intercept)"] = 1, size = 2 } }\n')
  shell.file("far.lua", 'return crux.rule { game = "own/row.lua", formula = "y ~ size", coefficients = { ["(intercept)"] = 1, size = 2 } }\n')
  for _, rule in ipairs { "own/size.lua", "far.lua" } do luaunit.assertEquals(rate(rule .. " row.txt").out, "level,rating\nrow,7\n") end
  shell.file("data.csv", "size,y\n1,1\n2,2\n3,5\n")
  local fitted = shell.crux("fit own/size.lua data.csv -o own/fitted.lua", { folder = shell.path "" })
  luaunit.assertEquals({ fitted.status, shell.read(shell.path "own/fitted.lua"):match "game = ([^\n]*)," }, { 0, '"row.lua"' })
end

function Rate.test_missing_measures()
  shell.file("both.lua", 'return crux.rule { formula = "y ~ a + b - 1", coefficients = { a = 1, b = 1 } }\n')
  shell.file("rows.csv", "level,a,b\nA,,\nB,1,\nC,1,2\n" .. ("D,,1\n"):rep(10))
  local result = rate "both.lua rows.csv --format json"
  local rows = json.decode(result.out)
  luaunit.assertEquals({ rows[1].missing, rows[2].missing, rows[3].missing }, { "a, b", "b", json.null })
  luaunit.assertStrMatches(result.err, "rows.csv:2: level 'A' has no rating: a, b are missing\nrows.csv:3: level 'B' has no "
    .. "rating: b is missing\n.*\nrows.csv:12: level 'D' has no rating: a is missing\nrows.csv: 2 more levels have no rating\n")
end

return { Rate = Rate }
