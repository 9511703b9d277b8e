--- Messages about files that do not exist name the file that may be meant.
local home = require "libcrux.home"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Missing = {}

local files = { ["levels.txt"] = "B . b\n", ["my-rule.lua"] = "return crux.rule { formula = 'y ~ a' }\n", ["plays.csv"] = "a,y\n1,2\n" }

--- The end of the message about the last word of a command line, in a folder with those files.
local function hint(line)
  local result = shell.crux(line, { folder = shell.folder("missing", files) })
  local path, rest = result.err:match "([^\n:]+):1?:? ?c?[ %a]*:? ?No such file or directory([^\n]*)"
  luaunit.assertEquals({ result.status, path }, { 1, line:match "%S+$" }, line .. result.err)
  return rest
end

--- The file beside it, with one or more letters wrong; else crux's own, of any folder.
function Missing.test_the_file_that_is_meant()
  for line, expected in pairs {
    ["solve move lvels.txt"] = "levels.txt", ["check my-rul.lua"] = "my-rule.lua",
    ["check level"] = "levels.txt", ["replay move ./levles.txt"] = "./levels.txt",
    ["evaluate my-rule.lua play.csv"] = "plays.csv", ["evaluate my-rule.lua plays"] = "plays.csv",
    ["solve flow ../datasets/levels/flow/2.txt"] = home .. "/datasets/levels/flow/2.txt",
  } do
    luaunit.assertEquals(hint(line), ("; did you mean '%s'?"):format(expected), line)
  end
  luaunit.assertEquals(hint "solve move none.bff", "")
end

--- Each command that takes a dataset: a game's name, and names with a letter missing or two swapped.
function Missing.test_datasets()
  for _, command in ipairs(long.some(6, { "fit my-rule.lua", "evaluate my-rule.lua", "compare my-rule.lua --data", "diagnose my-rule.lua",
    "correlate", "ablate", "select --target y", "plot predicted my-rule.lua", "report my-rule.lua -o a.html", "aggregate",
    "players", "levels", "agreement", "rate move", "rate move plays.csv --with", "generate move --like-dataset" })) do
    for _, word in ipairs(long.some(1, { "mvoe.csv", "move", "mov", "datasets/move" })) do
      luaunit.assertEquals(hint(command .. " " .. word), ("; did you mean '%s/datasets/move.csv'?"):format(home), command)
    end
    luaunit.assertEquals(hint(command .. " chess"), ("; expected a file such as '%s/datasets/flow.csv'"):format(home))
    luaunit.assertEquals(hint(command .. " chess.csv"), "")
  end
end

--- A script in the place of a dataset, and levels in that of a rule.
function Missing.test_places()
  local folder = shell.folder("missing", files)
  for line, expected in pairs {
    ["fit my-rule.lua my-rule.lua"] = "my-rule.lua: found a script, expected a CSV file; it comes behind the rules\n",
    ["rate levels.txt my-rule.lua"] = "levels.txt: found a text file, expected a rule script; it comes first, then the levels\n",
  } do
    luaunit.assertEquals(shell.crux(line, { folder = folder }).err, expected)
  end
end

return { Missing = Missing }
