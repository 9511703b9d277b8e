--- Columns whose names have blanks, in backquotes as in R, and columns joined by --with, in every command that takes them.
local luaunit = require "luaunit"
local shell = require "shell"

local Names = {}

local data, more

function Names.setUp()
  data = shell.file("d.csv", "level,difficulty\nA,3\nB,4\nC,5\nD,4.5\nE,8\nF,6\nG,3\n")
  more = shell.file("more.csv", "level,rank,time,solved,board size,n of moves\nA,1,3,2,4,7\nB,2,4,2,5,6\nC,3,5,2,6,9\nD,4,6,2,5,2\n"
    .. "E,5,6,2,9,3\nF,6,5,2,7,8\nG,7,8,2,3,4\n")
end

--- Each command reads the name in a formula, and prints it in backquotes again; a rule that is written reads back.
function Names.test_every_command()
  local rule, with = shell.path "rule.lua", " --with " .. more
  local formula = "--formula 'difficulty ~ log(`board size`) + `n of moves`' " .. data .. with
  local term = "\nlog(`board size`)"
  local csv = " --format csv"
  luaunit.assertStrContains(shell.printed("fit " .. formula .. " -o " .. rule), term)
  luaunit.assertStrContains(shell.read(rule), '["log(`board size`)"] = ')
  luaunit.assertStrContains(shell.read(rule), '["board size"] = { 3, 9 }')
  for line, expected in pairs {
    ["rate RULE DATA"] = "level,rating\nA,", ["rate RULE DATA --explain"] = "\nA,log(`board size`),",
    ["rate RULE DATA --expect '`board size`=3..9,n of moves<=9'"] = "\nG,",
    ["evaluate RULE DATA"] = "", ["compare RULE 'difficulty ~ `board size`' DATA"] = "\ndifficulty ~ `board size`,2,",
    ["diagnose RULE DATA"] = "\nA,", ["correlate --x 'board size' --y difficulty DATA"] = "\nboard size,difficulty,7,",
    ["ablate DATA --test-share 0"] = ",3,`board size` + `n of moves`\n", ["select DATA"] = ",2,`board size`\n",
    ["check --strict RULE DATA"] = ",dataset,0,0,",
  } do
    local words = line:gsub("RULE", rule):gsub("DATA", "--data " .. data):gsub("%-%-data " .. data, function(found)
      return line:find "^compare" and found or data
    end)
    luaunit.assertStrContains(shell.printed(words .. with .. csv), expected, false, line)
  end
  for text, said in pairs { ["difficulty ~ board size"] = "column 20: found 'size', expected an operator; or backquotes, if it is "
    .. "one name: `board size`\n", ["difficulty ~ `board size"] = "column 14: found a backquote, expected another one behind the name\n",
    ["difficulty ~ `bord size`"] = "which is not among the columns; did you mean 'board size'?\n" } do
    local result = shell.crux(('fit --formula "%s" %s%s'):format(text:gsub("`", "\\`"), data, with))
    luaunit.assertEquals(result.status, 1, text)
    luaunit.assertStrContains(result.err, said)
  end
end

--- What a study says of a level is no measure of it; select tells which joined columns it took.
function Names.test_joined_columns()
  luaunit.assertStrContains(shell.printed(("select %s --with %s"):format(data, more)),
    ("\nMeasures from %s: board size, n of moves; not taken: rank, time, solved.\n"):format(more))
  luaunit.assertNotStrContains(shell.printed("select datasets/flow.csv --weights solved"), "Measures from")
end

--- check looks at joined columns as at others, and tells rows that have no partner.
function Names.test_check()
  local bad = shell.file("bad.csv", "level,moves\nA,1\nB,ten\nC,3\nD,5\nE,2\nF,9\n")
  local result = shell.crux(("check %s --with %s --format csv"):format(data, bad))
  luaunit.assertEquals(result, { status = 1, out = ("file,kind,errors,warnings,holds\n%s,dataset,1,1,\"6 rows, 3 columns\"\n"):format(data),
    err = ("%s:1: warning: 1 row left out: no such level in %s\n%s:3: column 'moves' of %s: found 'ten', expected a number\n"
      .. "1 error, 1 warning\n"):format(data, bad, data, bad) })
end

return { Names = Names }
