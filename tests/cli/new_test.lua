--- crux new: what it writes works as it stands, and it never writes over a file.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local New = {}

--- Runs a command line in the folder of new files, with crux on the search path; returns what it prints.
local function run(line, status, said)
  local program = shell.run("readlink -f " .. shell.quote(shell.program)).out:gsub("/[^/]*\n$", "")
  local result = shell.run(("cd %s && PATH=%s:$PATH && %s"):format(shell.path "new", shell.quote(program), line))
  luaunit.assertEquals(result.err, said or "", line)
  luaunit.assertEquals(result.status, status or 0, line)
  return result.out
end

function New.test_a_game()
  long.leave_out()
  shell.folder "new"
  luaunit.assertEquals(run "crux new game ice", [[
file              what
ice.lua           the game: crux play ice.lua ice.txt
ice.txt           some levels
ice-expected.csv  what they measure: crux measure ice.lua ice.txt
ice-test.sh       checks all of it: sh ice-test.sh
.luarc.json       tells editors what scripts see
]])
  luaunit.assertStrContains(run "sh ice-test.sh", "\nice is as expected\n")
  luaunit.assertStrContains(run "crux solve ice.lua ice.txt", "\n5 moves: ULDLD\n")
  run "crux generate ice.lua --count 20 --seed 3 -o made.txt"
  run "crux check --strict ice.lua made.txt" -- all have a solution
  luaunit.assertStrContains(run "crux generate ice.lua --like moves=6 | crux measure ice.lua - --measures moves --format csv", ",6\n")
  run("crux new rule hard --game ice.lua && crux rate hard.lua ice.txt && crux fit hard.lua hard-ratings.csv -o fitted.lua")
  luaunit.assertStrContains(run "sh hard-test.sh", "\nhard is as expected\n")
end

--- A study is right as it stands; tests/serve/server_test.lua serves one.
function New.test_a_study()
  shell.folder "new"
  luaunit.assertEquals(run "crux new study mine", [[
file               what
mine.lua           the study: crux serve mine.lua
mine-levels.txt    its levels, made at random
mine-tutorial.txt  levels to learn the game with, made at random, too
.luarc.json        tells editors what scripts see
]])
  luaunit.assertStrContains(run "crux check mine.lua --format csv", "mine.lua,study,0,0,8 levels\n")
  if long.choose(false, true) then run "crux check --game move mine-levels.txt mine-tutorial.txt" end
end

--- Games of each kind are checked, solved, made and rated as they stand.
function New.test_kinds_of_games()
  long.leave_out()
  shell.folder "new"
  for _, kind in ipairs(long.some(1, { "grid", "slide", "deduce", "path_cover", "exact_cover" })) do
    run(("crux new game %s --kind %s"):format(kind, kind))
    luaunit.assertStrContains(run(("sh %s-test.sh"):format(kind)), ("\n%s is as expected\n"):format(kind))
    run(("crux generate %s.lua --count 5 --seed 3 -o made.txt && crux check --strict %s.lua made.txt"):format(kind, kind))
    run(("crux new rule my-%s --game %s.lua && sh my-%s-test.sh 2>/dev/null"):format(kind, kind, kind))
  end
end

function New.test_its_test_fails_when_the_game_changes()
  shell.folder "new"
  run "crux new game ice && sed -i 's/shift(move)/shift(move, 2)/' ice.lua"
  local out = run("sh ice-test.sh", 1, "ice.txt:2: warning: level 'First': no solution exists\n"
    .. "ice.txt:8: warning: level 'Second': no solution exists\nice.txt:15: warning: level 'Third': no solution exists\n0 errors, 3 warnings\n")
  luaunit.assertStrContains(out, "ice.txt")
end

function New.test_a_rule_for_each_game()
  shell.folder "new"
  for name in long.choose("move.lua", shell.run("ls games").out):gmatch "(%l+)%.lua" do
    -- Warnings are about measures that are combinations of others in the few levels that are made.
    luaunit.assertStrContains(run(("crux new rule my-%s --game %s && sh my-%s-test.sh 2>/dev/null"):format(name, name, name)),
      ("\nmy-%s is as expected\n"):format(name))
  end
end

--- The param of the constant has another name than each measure.
function New.test_a_measure_named_least()
  shell.folder "new"
  run "crux new game ice && sed -i 's/\"rocks\", count/\"least\", count/' ice.lua && crux new rule hard --game ice.lua"
  luaunit.assertStrContains(shell.read(shell.path "new/hard.lua"), "rating = p.least_rating\n")
  luaunit.assertStrContains(run "sh hard-test.sh", "\nhard is as expected\n")
end

function New.test_nothing_is_written_over()
  local folder = shell.folder("new", { ["ice-test.sh"] = "mine\n" })
  run("crux new game ice", 1, "found the file ice-test.sh, expected none of that name\n")
  luaunit.assertEquals(shell.run("ls -A " .. folder).out, "ice-test.sh\n")
  shell.file("new/.luarc.json", "mine\n")
  run "crux new game snow"
  luaunit.assertEquals(shell.read(folder .. "/.luarc.json"), "mine\n")
end

function New.test_bad_usage()
  shell.folder "new"
  for line, said in pairs {
    ["crux new game ../ice"] = "found the name '../ice', expected a letter, then letters, digits, _ and -",
    ["crux new game 2048"] = "found the name '2048', expected a letter, then letters, digits, _ and -",
    ["crux new game ice --game flow"] = "--game is for new rules",
    ["crux new rule ice --kind grid"] = "--kind is for new games",
  } do
    luaunit.assertStrContains(shell.crux(line:sub(6), { folder = shell.path "new" }).err, said)
  end
  run("crux new rule hard --game flwo", 1, "found the unknown game 'flwo'; did you mean 'flow'?\n")
  luaunit.assertEquals(shell.run("ls -A " .. shell.path "new").out, "")
  run("crux new game ice")
  run("crux solve ice ice.txt", 1, "found the unknown game 'ice'; did you mean 'ice.lua'?\n")
end

return { New = New }
