--- crux watch: runs again when a file is saved, tells what goes wrong, and leaves nothing behind.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Watch = {}

--- Waits until the program has said this many times that it watches, or has ended.
local function until_watching(count)
  return ("until [ $(grep -c Ctrl-C out) = %d ] || [ ! -e /proc/$pid/exe ]; do sleep 0.05; done\n"):format(count)
end

--- Watches a command line in a folder with r.lua and d.csv; each of the steps, in the shell, saves something.
local function watch(line, files, steps)
  local folder = shell.folder("watched", files)
  local script = ("cd %s\n: > out; %s watch %s > out 2>&1 & pid=$!\n"):format(folder, shell.quote(shell.program), line)
  for i, step in ipairs(steps) do script = script .. until_watching(i) .. step .. "\n" end
  script = script .. until_watching(#steps + 1) .. "kill $pid; wait $pid; echo $?"
  luaunit.assertEquals(shell.run(script).out, "143\n")
  return shell.read(folder .. "/out"), shell.run("ls -A " .. folder).out
end

local rule = "return crux.rule { formula = function(m) return %s end }\n"
local data = "level,a\n1,1\n2,2\n"

--- A file that is written again, and one that takes its place, as editors save; a mistake in between.
function Watch.test_runs_again()
  local out, names = watch("rate --format csv r.lua d.csv", { ["r.lua"] = rule:format "m.a", ["d.csv"] = data }, {
    ("echo '%s' > new && mv new r.lua"):format(rule:format "m.a +" ),
    ("echo '%s' > r.lua"):format(rule:format "m.a + 1"),
    "echo 3,7 >> d.csv",
  })
  luaunit.assertEquals(out, [[
level,rating
1,1
2,2
watching d.csv, r.lua; Ctrl-C ends

r.lua was saved
r.lua:1: unexpected symbol near 'end'
> 1 | return crux.rule { formula = function(m) return m.a + end }
  2 |
watching d.csv, r.lua; Ctrl-C ends

r.lua was saved
level,rating
1,2
2,3
watching d.csv, r.lua; Ctrl-C ends

d.csv was saved
level,rating
1,2
2,3
3,8
watching d.csv, r.lua; Ctrl-C ends
]])
  luaunit.assertEquals(names, "d.csv\nout\nr.lua\n")
end

--- RULE DATA: checked, fitted and evaluated; the rule's game is watched, too. What a command writes is not.
function Watch.test_rule_and_data()
  long.leave_out()
  local files = { ["g.lua"] = shell.read "games/move.lua", ["d.csv"] = "level,moves,difficulty\n1,1,1\n2,2,3\n3,3,4\n4,5,4\n5,6,7\n",
    ["r.lua"] = "return crux.rule { game = 'g.lua', formula = 'difficulty ~ moves' }\n" }
  local out = watch("r.lua d.csv --folds 2", files, {})
  luaunit.assertStrContains(out, "Usage: crux check") -- options are those of one command
  out = watch("r.lua d.csv", files, { "echo >> g.lua" })
  luaunit.assertStrContains(out, "watching d.csv, g.lua, r.lua; Ctrl-C ends\n\ng.lua was saved\n")
  for _, words in ipairs { "a formula to fit for the game 'g.lua'", "Residual standard error: ", "baseline" } do
    luaunit.assertEquals(select(2, out:gsub(words, "")), words == "baseline" and 4 or 2, words)
  end
  out = watch("fit r.lua d.csv -o f.lua", files, { "echo 6,7,7 >> d.csv" })
  luaunit.assertEquals(select(2, out:gsub("was saved", "")), 1)
end

function Watch.test_bad_usage()
  for line, said in pairs {
    ["watch"] = "expected RULE DATA, or a command with its arguments", ["watch watch rate"] = "found 'watch', expected another command",
    ["watch rate no.lua no.csv"] = "found no file to watch, expected some on the command line",
  } do
    local result = shell.crux(line)
    luaunit.assertEquals(result.status, 2, line)
    luaunit.assertStrContains(result.err, said)
  end
end

return { Watch = Watch }
