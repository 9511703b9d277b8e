--- Wrong usage: the usage, one line with the nearest command or option, exit status 2, and nothing read or written.
local cli = require "crux.cli"
local failing = require "failing"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Usage = {}

--- Command line, the beginning of the line behind the usage, words that it must hold.
local cases = {
  { "", "a command is required; 'crux help' lists them" },
  { "--nonsense", "unknown option '--nonsense'" },
  { "rat flow data.csv", "unknown command 'rat'", "; did you mean 'rate'?" },
  { "Rate flow data.csv", "unknown command 'Rate'", "; did you mean 'rate'?" },
  { "corelate data.csv", "unknown command 'corelate'", "; did you mean 'correlate'?" },
  { "evaluate flow data.csv --shuffle",
    "unknown option '--shuffle'; folds are random, and --folds-by order takes them in the order of the file" },
  { "--versoin", "unknown option '--versoin'", "; did you mean '--version'?" },
  { "help fti", "found the unknown command 'fti'", "did you mean 'fit'?" },
  { "help rate fit", "too many arguments; one with blanks in it needs quotes" },
  { "rate", "missing argument 'rule'" },
  { "rate flow", "missing argument 'input'" },
  { "rate flow data.csv --apend", "unknown option '--apend'", "; did you mean '--append'?" },
  { "rate flow data.csv --target x", "unknown option '--target'" },
  { "rate flow data.csv --format xml", "argument for option '--format' must be one of 'table', 'csv', 'json', 'md', 'junit'" },
  { "rate flow data.csv --format", "option '--format' requires an argument" },
  { "rate flow data.csv -o", "option '-o' requires an argument" },
  { "rate flow data.csv --append --explain", "found --append and --explain, expected one of them" },
  { "rate flow data.csv --append=yes", "option '--append' does not take arguments" },
  { "rate flow data.csv --delimiter ';;'", "", "found ';;', expected one character" },
  { "rate flow data.csv --delimiter ''", "", "found '', expected one character" },
  { "rate flow data.csv --delimiter '\"'", "", "found '\"', expected one character" },
  { "rate flow data.csv --expect ''", "", "--expect: found an empty text, expected NAME=RANGE,..." },
  { "measure flow data.csv --jobs 1025", "", "found '1025', expected an integer from 1 to 1024" },
  { "fit", "expected RULE and DATA, or --formula FORMULA and DATA" },
  { "fit data.csv", "expected RULE and DATA, or --formula FORMULA and DATA" },
  { "fit --formula 'y ~ a'", "expected DATA behind --formula" },
  { "fit --formula 'y ~ a' flow data.csv", "found 'flow' and --formula, expected one of them" },
  { "fit flow data.csv more.csv", "too many arguments" },
  { "fit flow data.csv --tolerance 2", "", "found '2', expected a number between 0 and 1" },
  { "fit flow data.csv --tolerance 0", "", "found '0', expected a number between 0 and 1" },
  { "fit flow data.csv --tolerance nan", "", "found 'nan', expected a number between 0 and 1" },
  { "fit flow data.csv -o a.lua.gz", "-o: found 'a.lua.gz', expected a name of a script, which is not compressed" },
  { "generate move -o a.txt.gz", "-o: found 'a.txt.gz', expected a name without .gz or .zst" },
  { "select data.csv -o a.lua.zst", "-o: found 'a.lua.zst', expected a name of a script, which is not compressed" },
  { "evaluate flow", "expected RULE and DATA, or --formula FORMULA and DATA" },
  { "evaluate flow data.csv --fold 3", "unknown option '--fold'", "; did you mean '--folds'?" },
  { "evaluate flow data.csv --folds 1", "", "found '1', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds 0", "", "found '0', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds -5", "unknown option '-5'", "; a value that begins with - follows =, as in --option=-1" },
  { "evaluate flow data.csv --folds=-5", "", "found '-5', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds 2.5", "", "found '2.5', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds x", "", "found 'x', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds 1e99", "", "found '1e99', expected an integer of at least 2" },
  { "evaluate flow data.csv --folds", "option '--folds' requires an argument" },
  { "evaluate flow data.csv --seed x", "", "found 'x', expected an integer of at least 0" },
  { "compare", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)" },
  { "compare --formula y~a", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)" },
  { "compare flow move", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)" },
  { "compare flow mine.lua", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)" },
  { "evaluate flow data.csv --as-is --fit lad", "found --fit and --as-is, expected one of them" },
  { "compare data.csv", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)" },
  { "correlate", "missing argument 'data'" },
  { "correlate data.csv more.csv", "found 'more.csv' behind the dataset, expected nothing, or --plays" },
  { "ablate", "missing argument 'data'" },
  { "ablate data.csv --metric mae", "argument for option '--metric' must be one of 'mse'" },
  { "ablate data.csv --test-share 1", "", "found '1', expected a number from 0 to below 1" },
  { "ablate data.csv --test-share=-0.1", "", "found '-0.1', expected a number from 0 to below 1" },
  { "ablate data.csv --top 0", "", "found '0', expected an integer of at least 1" },
  { "ablate data.csv --folds 1", "", "found '1', expected an integer of at least 2" },
  { "compare flow data.csv --by slope", "", "must be one of 'mae', 'weighted_mae', 'relative_percent'" },
  { "evaluate flow data.csv --calibrate curve", "argument for option '--calibrate' must be one of 'line', 'monotone', 'none'" },
  { "aggregate", "missing argument 'study'" },
  { "aggregate study.csv --center mode", "argument for option '--center' must be one of 'mean', 'median', 'trimmed', 'combined'" },
  { "aggregate study.csv --scaled 7..1", "--scaled: found '7..1', expected LOW..HIGH, two numbers, centred or zscore" },
  { "aggregate study.csv --scaled best", "--scaled: found 'best', expected LOW..HIGH, two numbers, centred or zscore" },
  { "aggregate study.csv --skipped-as hard", "--skipped-as: found 'hard', expected a number, or own" },
  { "agreement", "missing argument 'study'" },
  { "replay move", "expected LEVELS: files or folders" },
  { "rate flow data.csv -o a.xlsx", "a.xlsx: found the ending 'xlsx', expected csv, json, md or txt" },
  { "solve flow data.csv -o a.png", "a.png: found the ending 'png', expected csv, json, md or txt" },
  { "report flow data.csv -o a.pdf", "a.pdf: found the ending 'pdf', expected html or htm" },
  { "agreement study.csv --threshold high", "", "found 'high', expected a number" },
  { "agreement study.csv --threshold 1", "--threshold: found 1, expected a number inside the scale, which is 1..1" },
  { "agreement study.csv --threshold 4 --scale 5..9",
    "--threshold: found 4, expected a number inside the scale, which is 5..9" },
  { "agreement study.csv --scale 7", "", "found '7', expected LOW..HIGH, two numbers" },
  { "agreement study.csv --scale 7..1", "", "found '7..1', expected LOW..HIGH, two numbers" },
}

function Usage.test_table_of_cases()
  for _, case in ipairs(long.some(30, cases)) do
    local line, said, held = table.unpack(case, 1, 3)
    failing.check { line, said, starts = true, status = 2, output = false, once = true,
      files = { ["data.csv"] = "a,y\n1,2\n" } }
    if held then luaunit.assertStrContains(shell.crux(line).err, held, false, line) end
  end
end

--- The usage is that of the command, as its help shows it.
function Usage.test_usage_of_the_command()
  for _, name in ipairs(long.some(12, cli.commands)) do
    local usage = shell.crux("help " .. name).out:match "^(Usage: .-\n)\n"
    local result = shell.crux(name .. " --nonsense")
    luaunit.assertEquals(result.err:sub(1, #usage), usage)
    luaunit.assertStrContains(result.err:sub(#usage), "\nunknown option '--nonsense'")
    luaunit.assertEquals(result.status, 2)
  end
end

--- Usage is checked before any file is opened, and --debug says where.
function Usage.test_before_files_and_with_debug()
  local result = shell.crux "evaluate none.lua none.csv --folds 1 --debug"
  luaunit.assertEquals(result.status, 2)
  luaunit.assertStrContains(result.err, "expected an integer of at least 2\n")
  luaunit.assertStrContains(result.err, "stack traceback:")
end

--- The output would replace an input, also by another path to it or a link; a file that is not read is replaced.
function Usage.test_output_that_is_read()
  local text = "size,difficulty\n1,2\n2,3\n3,5\n"
  local path = shell.file("read.csv", text)
  local folder, name = path:match "(.*)/(.*)"
  local link, other = shell.file("link.csv", ""), shell.file("other.csv", "before")
  shell.run(("ln -sf %s %s"):format(path, link))
  for _, output in ipairs { "-o " .. path, "--output=" .. path, ("-o %s/./%s"):format(folder, name), "-o " .. link } do
    local result = shell.crux(("correlate %s %s"):format(path, output))
    luaunit.assertStrContains(result.err, "found a file that is read, too, expected another one\n")
    luaunit.assertEquals({ result.status, shell.read(path) }, { 2, text })
  end
  luaunit.assertEquals(shell.crux(("correlate %s -o %s"):format(path, other)).status, 0)
  luaunit.assertStrContains(shell.read(other), "size")
end

return { Usage = Usage }
