--- The puzzles of deduction, Trainyard and Happy Cube in each command, on their bundled levels. With CRUX_TEST_LONG=1 the output has
--- a table of all of them.
local engines = require "crux.workbench.engine"
local game = require "crux.game.game"
local http = require "http"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local Session = require "crux.play.session"
local shell = require "shell"

local own = { trainyard = { "trainyard/levels.txt", "--side 4..5 --stations 2 --tracks 4" }, happycube = { "happycube/cubes.txt", "" } }
local names = { "akari", "fillomino", "heyawake", "hitori", "kakuro", "masyu", "nonogram", "nurikabe", "slitherlink", "starbattle",
  "trainyard", "happycube" }

--- The path of a game's levels, and the options that made them.
local function bundled(name)
  local row = own[name] or { ("deduction/%s.txt"):format(name), "" }
  return "datasets/levels/" .. row[1], row[2]
end

local commands, cells, tried = { "check", "measure", "generate", "play", "workbench", "serve" }, {}, 0

--- Tries a command with some games, and raises the first fault when all were tried. Once each command was tried with each game, prints
--- "ok" or the fault for each.
local function try(command, games, f)
  local first
  for _, name in ipairs(games) do
    local ok, problem = pcall(f, name)
    local said = tostring(type(problem) == "table" and (problem.msg or problem.message) or problem):gsub("\n.*", "")
    cells[name .. command] = ok and "ok" or said
    tried, first = tried + 1, first or not ok and { problem }
  end
  if tried == #names * #commands then
    for _, name in ipairs { "game", table.unpack(names) } do
      local row = lists.map(commands, function(other) return ("%-10s"):format(name == "game" and other or cells[name .. other]) end)
      print((name == "game" and "\n%-12s" or "%-12s"):format(name) .. table.concat(row))
    end
  end
  if first then error(first[1], 0) end
end

local Boards = {}

--- The levels have no mistake; all measures of each have values; and the command that made them makes the first one again.
function Boards.test_check_measure_generate()
  local some = long.some(4, names)
  try("check", some, function(name)
    luaunit.assertStrContains(shell.printed(("check games/%s.lua %s"):format(name, (bundled(name)))), "20 levels")
  end)
  try("measure", some, function(name)
    local rows = shell.rows(shell.printed(("measure %s %s"):format(name, (bundled(name)))))
    luaunit.assertEquals(#rows, 20, name)
    for _, row in ipairs(rows) do
      for measure, value in pairs(row) do luaunit.assertTrue(measure == "level" or tonumber(value) ~= nil, name .. measure) end
    end
  end)
  try("generate", some, function(name)
    local path, options = bundled(name)
    local made = shell.printed(("generate %s --count 1 --seed 1 %s"):format(name, options))
    local files = game.load(name).files
    local first = levels.read(shell.file(name .. ".txt", made), files)[1]
    luaunit.assertEquals({ first.name, first.text }, { name .. "-1-1", levels.read(path, files)[1].text })
  end)
end

--- A player who follows hints alone solves the first level.
function Boards.test_play()
  try("play", names, function(name)
    local self = game.load(name)
    local session = Session.new(play.rules(self), self:level(levels.read((bundled(name)), self.files)[1]))
    for _ = 1, 100 do
      if not session:done() then session:push(session.rules.hint(session.position, session)) end
    end
    luaunit.assertTrue(session:done(), name)
  end)
end

--- The workbench draws and measures the first level of each; a study serves them, a block each, up to the last.
function Boards.test_workbench_and_serve()
  local engine = engines.new { named = {}, list = function() return {} end, read = function() end }
  local blocks, numbers = {}, {}
  try("workbench", names, function(name)
    local entry = levels.read((bundled(name)), game.load(name).files)[1]
    local answer = engine:answer { kind = "level", game = name, text = entry.text }
    luaunit.assertNil(answer.fault, name)
    luaunit.assertStrContains(answer.picture, "<svg")
    luaunit.assertEquals(answer.solution.status, "solved", name)
    local file = shell.file(name .. "-first.txt", entry.text):match "[^/]+$"
    table.insert(blocks, ("{ name = %q, game = %q, levels = { %q } }"):format(name, name, file))
    numbers[name] = #blocks
  end)
  local study = shell.file("boards.lua", ("return crux.study { blocks = { %s } }"):format(table.concat(blocks, ", ")))
  local server <close> = http.serve("--preview " .. study) -- a preview, in which each level may be skipped
  local token, view = server:begin()
  local seen = {}
  while view.stage == "play" do
    table.insert(seen, view.position)
    view = server:act(token, view, "key", "x")
    if view.stage == "question" then view = server:act(token, view, "key", "enter") end
  end
  try("serve", names, function(name)
    luaunit.assertTrue(lists.contains(seen, numbers[name]), name)
  end)
end

return { Boards = Boards }
