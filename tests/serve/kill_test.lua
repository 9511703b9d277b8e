--- Kills a server under load again and again: what was acknowledged is in the database, players go on, and nobody plays a level twice.
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local Kill = {}

function Kill.test_a_server_that_is_killed_under_load()
  long.only()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  if shell.run("command -v python3").out == "" then luaunit.skip "python3 is missing" end
  local levels = {}
  for i = 1, 60 do levels[i] = ("; %d\n@.O\n"):format(i) end
  local game = playing.game "walk"
  local kills, seconds = 100, 100
  local port = shell.output "python3 tests/support/clients.py port"
  local result = shell.run(("python3 tests/bench/serve_load.py 40 0.2 %d %d %s serve %s %s --sessions-per-minute 100000 --port %d "
    .. "--database %s"):format(seconds, kills, shell.quote(shell.program), game, shell.file("levels.txt",
    table.concat(levels, "\n")), port, shell.path "kill.db"))
  luaunit.assertEquals(result.status, 0, result.out .. result.err)
  local ratings = result.out:match "and (%d+) ratings acknowledged; missing in the database: 0; levels played twice: 0"
  luaunit.assertTrue(tonumber(ratings) > 0, result.out)
end

return { Kill = Kill }
