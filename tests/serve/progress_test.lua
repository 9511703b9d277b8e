--- Tests of the page for researchers: what it tells, that its link alone shows it, and that it changes nothing.
local http = require "http"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"

local Progress = {}

local rule = "return crux.rule { game = 'walk.lua', formula = 'difficulty ~ states' }"

--- Levels whose exit is further and further away; nobody solves the last one, and one player leaves there.
function Progress.test_what_researchers_see()
  local levels = {}
  for i = 1, 4 do levels[i] = ("; l%d\n@%sO\n"):format(i, ("."):rep(i)) end
  local path = http.study("progress", [[order = 'given', rule = 'rule.lua', skip_seconds = 0, away_seconds = 0, title = 'A <b> study',
    questions = { 'skipped' }]], table.concat(levels, "\n"))
  shell.file("progress/rule.lua", rule)
  local server <close> = http.serve(path, "progress.db")
  local link = shell.read(server.said):match "(/progress/%x+) shows its progress\n"
  luaunit.assertEquals(#link, #"/progress/" + 32)
  local status, _, page = server:get(link)
  luaunit.assertEquals({ status, page:match "<p>(%d+ players) began" }, { 200, "0 players" })
  luaunit.assertStrContains(page, "Not yet: ")
  for player = 1, 4 do
    local token, view = server:begin()
    for i = 1, 3 do view = http.solve(server, token, view, 2 * i + player % 2) end
    view = player < 4 and server:act(token, view, "key", "x") or view
    if player < 4 then server:act(token, view, "answer", 10) end
  end
  local db <close> = require("libcrux.database").open(server.path, false)
  local function rows() return db:run "SELECT total(acts) AS acts, count(*) AS players, max(seen) AS seen FROM player" end
  local before = rows()
  status, _, page = server:get(link)
  luaunit.assertEquals({ status, rows() }, { 200, before })
  local text = page:gsub("<svg.-</svg>", ""):gsub("<.->", " "):gsub("%s+", " ")
  for _, part in ipairs { "Progress: A &lt;b&gt; study", "4 players began.", "Level &#39;l4&#39;: nobody of 3 players solved it.",
    " all 4 3 0 0 1 ", " l1 4 4 0 4 2.500 0.5774 ", " l4 3 0 3 3 10.000 ", "refitted to the mean ratings of levels", " (intercept) -1.500 ", " states 2.000 " } do
    luaunit.assertStrContains(text, part)
  end
  luaunit.assertStrContains(page, "level 4: 1") -- where a player left, in the description of the plot
  luaunit.assertStrContains(page, "10: 3.") -- ratings of all levels
  luaunit.assertEquals(lists.map({ "/progress", "/progress/", "/progress/" .. ("0"):rep(32), link .. "0" },
    function(other) return (server:get(other)) end), { 404, 404, 404, 404 })
  luaunit.assertEquals((server:get(link, "-d a=b")), 404)
  server:kill()
  local again <close> = http.serve(path, "progress.db")
  luaunit.assertStrContains(shell.read(again.said), link)
end

return { Progress = Progress }
