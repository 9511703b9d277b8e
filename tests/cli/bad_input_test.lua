--- Bad data: every fault of a CSV file is one line with file, row and column, exit status 1, and nothing written.
local failing = require "failing"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local line_rule = 'return crux.rule { formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 } }\n'
local hand_rule = 'return crux.rule { predicts = "y", formula = function(m) return m.a end }\n'

--- Commands that read the columns `a` and `y` of data.csv.
local readers = { "fit --formula 'y ~ a' data.csv", "evaluate --formula 'y ~ a' data.csv",
  "compare --formula 'y ~ a' data.csv",
  "correlate --x a --y y data.csv", "ablate data.csv --target y --measures a", "rate line.lua data.csv", "evaluate hand.lua data.csv" }

local function check(command, text, said, more)
  local case = { command, said, files = { ["line.lua"] = line_rule, ["hand.lua"] = hand_rule, ["data.csv"] = text } }
  for key, value in pairs(more or {}) do
    if key == "files" then
      for name, content in pairs(value) do case.files[name] = content end
    else
      case[key] = value
    end
  end
  failing.check(case)
end

local Data = {}

--- The content of data.csv, and what each of the readers says; of a `word` in a formula's measure they say more.
local faults = {
  { "", "data.csv:1: found an empty file, expected a header line" },
  { "\n\r\n \n", "data.csv:1: found an empty file, expected a header line" },
  { "a,y\n", "data.csv:1: found a header and no rows, expected at least one row" },
  { "a,y", "data.csv:1: found a header and no rows, expected at least one row" },
  { "a,y\n1,2\n3\n", "data.csv:3: found 1 field, expected 2 as in the header: nothing for column 'y'" },
  { "level,a,y\nA,1,2\n\n\nB,3\n", "data.csv:5: found 2 fields, expected 3 as in the header: nothing for column 'y'" },
  { "a,y\n1,2\n3,4,5\n", "data.csv:3: found 3 fields, expected 2 as in the header" },
  { "a,y\n1,2,\n", "data.csv:2: found 3 fields, expected 2 as in the header" },
  { "level,a,y\nA,1,2\nB,two,3\n", "data.csv:3: column 'a': found 'two', expected a number", word = true },
  { "level,a,y\n\"A\nA\",1,2\nB,two,3\n", "data.csv:4: column 'a': found 'two', expected a number", word = true },
  { "a,y\n1,2\nNaN,3\n", "data.csv:3: column 'a': found 'NaN', expected a number", word = true },
  { "a,y\n1,2\nnan,3\n", "data.csv:3: column 'a': found 'nan', expected a number", word = true },
  { "a,y\n1,2\nInf,3\n", "data.csv:3: column 'a': found 'Inf', expected a number", word = true },
  { "a,y\n1,2\n-infinity,3\n", "data.csv:3: column 'a': found '-infinity', expected a number" },
  { "a,y\n0x10,3\n", "data.csv:2: column 'a': found '0x10', expected a number" },
  { "a,y\n1 2,3\n", "data.csv:2: column 'a': found '1 2', expected a number" },
  { "a,y\n50%,3\n", "data.csv:2: column 'a': found '50%', expected a number; write 50: the unit '%' belongs into the column's name" },
  { "a,y\n1e,3\n", "data.csv:2: column 'a': found '1e', expected a number" },
  { "a,y\nn/a,3\n", "data.csv:2: column 'a': found 'n/a', expected a number; write nothing, or NA, where a value is missing" },
  { "a,y,a\n1,2,3\n", "data.csv:1: column 'a': found the name twice, expected a name for one column" },
  { "a,,y\n1,2,3\n", "data.csv:1: column 2: found an empty name, expected a name" },
  { "a,y,\n1,2,\n", "data.csv:1: column 3: found an empty name, expected a name" },
  { "a,y\n1,2\n\"3,4\n5,6\n", "data.csv:3: column 'a': found no closing quote, expected one before the end of the file" },
  { "\"a,y\n1,2\n", "data.csv:1: column 1: found no closing quote, expected one before the end of the file" },
  { "a,y\n1,2\n3\",4\n",
    "data.csv:3: column 'a': found a quote inside a field, expected quotes around all of it and \"\" for one inside" },
  { "a,y\n1,\"2\" x\n",
    "data.csv:2: column 'y': found a quote inside a field, expected quotes around all of it and \"\" for one inside" },
  { "a,y\n1,2\n\0001,2\n", "data.csv:3: found a NUL byte, expected text" },
  { "a\0,y\n1,2\n", "data.csv:1: found a NUL byte, expected text" },
  { "\n\r\na\rb,y\n1,2\n", "data.csv:1: found a carriage return alone, expected lines that end in a line feed" },
  { "a,y\r1,2\r3,4\r", "data.csv:1: found a carriage return alone, expected lines that end in a line feed" },
  { "\255\254a\0,\0y\0\n\0", "data.csv:1: found UTF-16 text, expected UTF-8" },
}

function Data.test_every_reader_says_the_same()
  for k, case in ipairs(faults) do
    for i, command in ipairs(long.choose({ readers[1 + k % #readers] }, readers)) do
      local is_measure = case.word and (command:find "~" or command:find "line.lua")
      check(command, case[1], case[2] .. (is_measure and ", or factor(a) in the formula" or ""), { once = i > 1 })
    end
  end
end

--- An overflow is named as such; a quoted number with a decimal comma is text, and what it may have been is said.
function Data.test_numbers()
  for _, command in ipairs(long.some(2, readers)) do
    for text, expected in pairs { ["1e999"] = " within the range of a double", ["-2e308"] = " within the range of a double",
      ["1,5"] = "; write 1.5", ["1,500"] = "; write 1500, or 1.500" } do
      local data = ('a,y\n1,2\n"%s",3\n'):format(text)
      check(command, data, ("data.csv:3: column 'a': found '%s', expected a number%s"):format(text, expected), { once = true })
    end
  end
end

--- The same through standard input, which has its own name.
function Data.test_standard_input()
  check("fit --formula y~a -", "a,y\n1,2\nx,3\n", "<stdin>:3: column 'a': found 'x', expected a number, or factor(a) in the formula",
    { stdin = "data.csv" })
  check("rate line.lua -", "", "<stdin>:1: found an empty file, expected a header line", { stdin = "data.csv" })
end

--- Command, content of data.csv, what is said, other fields.
local cases = {
  -- columns that are not there
  { "fit --formula 'y ~ sise' data.csv", "level,size,y\nA,1,2\n",
    "data.csv:1: formula 'y ~ sise' needs the measure 'sise', which is not among the columns; did you mean 'size'?" },
  { "fit --formula 'difficulti ~ a' data.csv", "a,difficulty\n1,2\n",
    "data.csv:1: formula 'difficulti ~ a' needs the target 'difficulti', which is not among the columns; "
    .. "did you mean 'difficulty'?" },
  { "fit --formula 'y ~ a' --weights solvd data.csv", "a,y,solved\n1,2,3\n",
    "data.csv:1: formula 'y ~ a' needs the weights 'solvd', which is not among the columns; did you mean 'solved'?" },
  { "rate flow data.csv", "level,width,height\nA,1,2\n",
    "data.csv:1: rule 'flow' needs the measure 'size', which is not among the columns; there are: level, width, height" },
  { "rate line.lua data.csv", "level;a;y\nA;1;2\n",
    "data.csv:1: line.lua needs the measure 'a', which is not among the columns; "
    .. "the header is the single column 'level;a;y'; is --delimiter ';' meant?" },
  { "fit --formula 'y ~ a' --delimiter ';' data.csv", "a,y\n1,2\n",
    "data.csv:1: formula 'y ~ a' needs the target 'y', which is not "
    .. "among the columns; the header is the single column 'a,y'; is --delimiter ',' meant?" },
  { "evaluate hand.lua data.csv", "aa,y\n1,2\n3,4\n4,5\n5,6\n6,7\n",
    "data.csv:1: hand.lua needs the measure 'a', which is not among the columns; there are: aa, y" },
  { "correlate --x hight --y y data.csv", "height,y\n1,2\n",
    "data.csv:1: correlate needs the column 'hight', which is not among the columns; did you mean 'height'?" },
  { "correlate data.csv", "level,a,b\nA,1,2\n", "data.csv: found no column that is a target", starts = true },
  { "correlate data.csv", "level,difficulty\nA,1\n", "data.csv: found no column that is a measure", starts = true },
  { "rate line.lua data.csv --append", "a,rating\n1,2\n",
    "data.csv:1: found a column 'rating', expected none, as --append adds it" },
  { "rate line.lua data.csv other.csv --append", "a,b\n1,2\n", files = { ["other.csv"] = "b,a\n1,2\n" },
    "other.csv:1: found other columns than in data.csv, expected the same, as --append keeps them" },
  -- too little
  { "fit --formula 'y ~ a' data.csv", "a,y\n,1\n2,NA\n",
    "data.csv: found no complete row, expected at least one without a missing value (2 rows left out: a value is missing)" },
  { "evaluate --formula 'y ~ a' data.csv", "a,y\n,1\n2,NA\n",
    "data.csv: found no complete row, expected at least one without a missing value (2 rows left out: a value is missing)" },
  { "fit --formula 'y ~ a + I(a^2)' data.csv", "a,y\n1,2\n2,3\n",
    "data.csv: found 2 complete rows, expected at least as many as the formula has terms, 3"
      .. "; fits that do with fewer: ridge, lasso, elastic-net" },
  { "evaluate --formula 'y ~ a' data.csv --folds 2", "a,y\n1,2\n2,3\n",
    "data.csv, all but fold 1: found 1 complete row, expected at least as many as the formula has terms, 2"
      .. "; fits that do with fewer: ridge, lasso, elastic-net" },
  { "evaluate --formula 'y ~ a' data.csv", "a,y\n1,2\n2,3\n3,4\n4,4\n",
    "data.csv: found 4 complete rows, expected at least one for each of the 5 folds" },
  { "compare --formula 'y ~ a' hand.lua data.csv", "a,y\n1,2\n2,3\n3,4\n4,4\n",
    "data.csv: found 4 complete rows, expected at least one for each of the 5 folds" },
  -- weights, terms, values
  { "fit --formula 'y ~ a' --weights w data.csv", "a,y,w\n1,2,1\n2,3,-0.5\n",
    "data.csv:3: column 'w': found -0.5, expected a weight that is not negative" },
  { "evaluate hand.lua --weights w data.csv", "a,y,w\n1,2,1\n2,3,-2\n",
    "data.csv:3: column 'w': found -2, expected a weight that is not negative" },
  { "fit --formula 'y ~ a' --weights w data.csv", "a,y,w\n1,2,1\n2,3,many\n",
    "data.csv:3: column 'w': found 'many', expected a number" },
  { "fit --formula 'y ~ log(a)' data.csv", "a,y\n1,2\n0,3\n", "data.csv:3: term 'log(a)': found ", starts = true },
  { "fit --formula 'y ~ sqrt(a - 2)' data.csv", "a,y\n1,2\n0,3\n", "data.csv:2: term 'sqrt(a - 2)': found ", starts = true },
  { "fit --formula 'y ~ I(1 / a)' data.csv", "a,y\n1,2\n0,3\n", "data.csv:3: term 'I(1/a)': found ", starts = true },
  { "fit --formula 'y ~ a:b' data.csv", "a,b,y\n1,2,3\n1e200,1e200,3\n", "data.csv:3: term 'a:b': found ", starts = true },
  -- joins
  { "rate line.lua data.csv --with other.csv", "level,a\nA,1\n", "other.csv: cannot be opened: No such file or directory" },
  { "rate line.lua data.csv --with other.csv", "level,a\nA,1\n", files = { ["other.csv"] = "level,b\nB,1\n" },
    "data.csv: found no row with a partner, expected levels that are in other.csv" },
  { "rate line.lua data.csv --with other.csv", "level,a\nA,1\n", files = { ["other.csv"] = "level,a\nA,1\n" },
    "other.csv:1: column 'a': found a column that data.csv has too, expected new ones" },
  { "rate line.lua data.csv --with other.csv", "level,a\nA,1\n", files = { ["other.csv"] = "level,b\nA,1\nA,2\n" },
    "other.csv:3: found the level 'A' again, expected each level once" },
  { "rate line.lua data.csv --with other.csv", "level,a\nA,1\n", files = { ["other.csv"] = "name,b\nA,1\n" },
    "other.csv:1: joining needs the column 'level', which is not among the columns; there are: name, b" },
  { "fit --formula 'y ~ a + b' data.csv --with other.csv", "level,a,y\nA,1,2\n",
    files = { ["other.csv"] = "level,b\nX,1\nA,one\n" },
    "other.csv:3: column 'b': found 'one', expected a number, or factor(b) in the formula" },
  { "fit --formula 'y ~ a + b' data.csv --with other.csv", "level,a,y\nA,1,2\n",
    files = { ["other.csv"] = "level,b\nA,\"0,5\"\n" },
    "other.csv:2: column 'b': found '0,5', expected a number; write 0.5" },
  -- spreadsheets, R
  { "fit --formula 'y ~ a' --delimiter ';' data.csv", "a;y\n3,5;1\n",
    "data.csv:2: column 'a': found '3,5', expected a number; write 3.5" },
  { "correlate data.csv", "level;a;y\nA;3,5;1,5\n", "data.csv:2: found 3 fields, expected 1 as in the header; the header is the "
    .. "single column 'level;a;y'; is --delimiter ';' meant?" },
  { "fit --formula 'breaks ~ log(`my wool`)' data.csv", "\"\",\"breaks\",\"my wool\"\n\"1\",26,\"A\"\n",
    "data.csv:2: column 'my wool': found 'A', expected a number, or factor(`my wool`) in the formula" },
  { "fit --formula 'wool ~ breaks' data.csv", "\"\",\"breaks\",\"wool\"\n\"1\",26,\"A\"\n",
    "data.csv:2: column 'wool': found 'A', expected a number" },
  { "rate line.lua data.csv", "\"\",level,a\n1,A,2\n", "data.csv:1: column 1: found an empty name, expected a name: another "
    .. "column is called 'level' (R: write.csv(..., row.names = FALSE))" },
  -- player studies
  { "aggregate data.csv", "player,level\nann,1\n",
    "data.csv:1: a player study needs the column 'rating', which is not among the columns; there are: player, level" },
  -- ablation
  { "ablate data.csv", "a,y\n1,2\n",
    "data.csv:1: ablate needs the target 'difficulty', which is not among the columns; there are: a, y" },
  { "ablate data.csv --target y --measures a,c", "a,b,y\n1,2,3\n",
    "data.csv:1: ablate needs the measure 'c', which is not among the columns", starts = true },
  { "ablate data.csv", "level,difficulty\nA,1\n",
    "data.csv: found 0 measures, expected 1 to 20: choose with --measures NAME,..." },
  { "ablate data.csv --target y", "y,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u\n" .. ("1,"):rep(21) .. "2\n",
    "data.csv: found 21 measures, expected 1 to 20: choose with --measures NAME,..." },
  { "ablate data.csv --target y", "a,b,y\n1,2,3\n2,2,4\n3,2,6\n4,2,6\n",
    "data.csv: column 'b': found 2 in all rows, expected a measure that varies: choose others with --measures NAME,..." },
  { "ablate data.csv --target y", "a,y\n1,0.5\n2,0.5\n3,0.5\n",
    "data.csv: column 'y': found 0.5 in all rows, expected a target that varies" },
  { "ablate data.csv --target y --test-share 0.1", "a,y\n1,1\n2,3\n3,2\n4,5\n",
    "data.csv: found no row for the test part (a test share of 0.1 of 4 complete rows), expected at least one" },
  { "ablate data.csv --target y --test-share 0.9", "a,y\n1,1\n2,3\n3,2\n4,5\n",
    "data.csv: found no row for the training part (a test share of 0.9 of 4 complete rows), expected at least one" },
  { "ablate data.csv --target y --folds 4", "a,y\n1,1\n2,3\n3,2\n4,5\n",
    "data.csv, training part: found 3 complete rows, expected at least one for each of the 4 folds" },
  { "ablate data.csv --target y --folds 2 --test-share 0", "a,y\n1,1\n2,3\n3,2\n",
    "data.csv, all but fold 1: found 1 complete row, expected at least as many as a fit to all measures has terms, 2" },
  { "ablate data.csv --target y --test-share 0 --folds 2", "a,y\n1,1e300\n2,3\n3,2\n4,5\n",
    "data.csv: found numbers too large to square, expected others" },
  { "ablate data.csv --target y", "a,y\n,1\n2,NA\n",
    "data.csv: found no complete row, expected at least one without a missing value (2 rows left out: a value is missing)" },
  { "fit --formula 'solved ~ 1 + (1 | player)' --fit 'mixed(family = logistic)' data.csv",
    "player,solved\na,1\nb,\nb,0\n\na,2\nc,3\n",
    "data.csv:6: found the solved 2, expected the outcome 0 or 1 (1 row left out: a value is missing)" },
  -- agreement
  { "agreement data.csv", "level,rating\n1,7\n1,8\n",
    "data.csv:3: column 'rating': found 8, expected a rating from 1 to 7 (see --scale)" },
  { "agreement data.csv --threshold 3", "level,rating\n1,4\n1,0\n",
    "data.csv:3: column 'rating': found 0, expected a rating from 1 to 5 (see --scale)" },
  { "agreement data.csv", "level,rating\n1,4\n1,\n",
    "data.csv: column 'rating': found no rating but 4, expected at least one other" },
  { "agreement data.csv", "player,level,rating,attempt\nann,1,7,1\nbob,1,6,1\nann,1,7,2\n",
    "data.csv:4: found player 'ann' and level '1' again, as in data.csv:2, expected one row for each" },
  { "agreement data.csv", "player,level,rating\nann,1,7\n,1,6\n",
    "data.csv:3: column 'player': found an empty field, expected the name of a player" },
  { "agreement data.csv --column fun", "level,rating\n1,4\n",
    "data.csv:1: agreement needs the column 'fun'", starts = true },
}

function Data.test_table_of_cases()
  long.leave_out()
  for _, case in ipairs(long.some(30, cases)) do check(case[1], case[2], case[3], { starts = case.starts, files = case.files }) end
end

--- What is no readable file.
function Data.test_files()
  for _, command in ipairs { "fit --formula y~a %s", "evaluate hand.lua %s", "compare flow %s", "correlate %s",
    "ablate %s", "aggregate %s", "agreement %s",
    "rate line.lua %s" } do
    check(command:format "none.csv", "a,y\n1,2\n", "none.csv: cannot be opened: No such file or directory")
    check(command:format ".", "a,y\n1,2\n", command:find "rate"
      and "line.lua: found no field 'game', expected one, or --game, to measure the levels of ."
      or ".: found a directory, expected a CSV file")
    check(command:format "/dev/null", "a,y\n1,2\n", "/dev/null:1: found an empty file, expected a header line")
  end
  check("rate line.lua data.csv -o none/out.csv", "a\n1\n", "none/out.csv: No such file or directory")
  check("rate line.lua data.csv -o .", "a\n1\n", ".: Is a directory")
end

--- A field as large as memory allows is refused, not read.
function Data.test_a_row_without_end()
  local text = "level,a,y\n\"" .. ("never closed\n"):rep(100000)
  for _, command in ipairs(readers) do
    check(command, text, "data.csv:2: found a row of more than 1048576 bytes", { starts = true, once = true })
  end
end

function Data.test_long_and_odd_text_is_quoted_readably()
  shell.file("long.csv", "a,y\n" .. ("word "):rep(1000) .. ",1\n")
  local result = shell.crux("fit --formula y~a " .. shell.path "long.csv")
  luaunit.assertTrue(#result.err < 300, result.err)
  luaunit.assertStrContains(result.err, "long.csv:2: column 'a': found 'word word")
end

return { BadData = Data }
