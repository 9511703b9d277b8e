--- A study of three blocks with two conditions, which paid players play while its server is killed again and again.
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local Paid = {}

--- Each player has one row, the code of how the study ended, the blocks of the condition in its order, and each act and rating that
--- was acknowledged.
function Paid.test_players_of_a_study_that_is_killed()
  long.only()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  if shell.run("command -v python3").out == "" then luaunit.skip "python3 is missing" end
  shell.folder("paid", { ["walk.lua"] = shell.read(playing.game "walk"), ["lights.lua"] = shell.read(playing.game "lights"),
    ["one.txt"] = "; 1\n@.O\n\n; 2\n.@O\n\n; 3\n@..O\n\n; 4\n..@O\n", ["two.txt"] = "; 1\n..\n\n; 2\n...\n",
    ["study.lua"] = [[
return crux.study {
  identifiers = { "PROLIFIC_PID" }, completion = { finished = "DONE", screened = "OUT", left = "LEFT" },
  ask = { { "age: 1..120", right = "18..120", wrong = "end" } },
  blocks = {
    { name = "rules", pages = { { text = "Go to O.", ask = { { "goal: O, X", right = "O", wrong = "again" } } } } },
    { name = "one", game = "walk.lua", levels = { "one.txt" }, per_player = 3 },
    { name = "two", game = "lights.lua", levels = { "two.txt" }, per_player = 1 },
    { name = "three", game = "walk.lua", levels = { "one.txt" }, per_player = 2, order = "random" },
    { name = "end", pages = { { text = "Choose blue.", ask = { { "colour: red, blue", right = "blue" } } } } },
  },
  conditions = { ab = { "rules", "one", "two", "three", "end" }, ba = { "rules", "two", "one", "three", "end" } },
}
]] })
  local port = shell.output "python3 tests/support/clients.py port"
  local result = shell.run(("python3 tests/support/paid_players.py 60 20 20 %s serve %s --port %d --sessions-per-minute 1000 "
    .. "--database %s"):format(shell.quote(shell.program), shell.path "paid/study.lua", port, shell.path "paid.db"))
  luaunit.assertEquals(result.status, 0, result.out .. result.err)
  local finished, gone, left, screened, rows, a, b, late = result.out:match(
    "finished (%d+), gone (%d+), left (%d+), screened (%d+); rows (%d+);.*conditions %[(%d+), (%d+)%].*last kill (%d+);")
  luaunit.assertEquals({ finished, gone, left, screened, rows }, { "30", "12", "6", "12", "60" }, result.out)
  luaunit.assertTrue(math.abs(a - b) <= 4 and tonumber(late) > 0, result.out) -- some are screened out after others have begun
end

return { Paid = Paid }
