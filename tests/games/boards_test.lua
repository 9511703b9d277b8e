--- The puzzles of deduction, Trainyard and Happy Cube in each command, on their bundled levels.
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

local Boards = {}

--- The levels have no mistake; all measures of each have values; and the command that made them makes the first one again.
function Boards.test_check_measure_generate()
  for _, name in ipairs(long.some(4, names)) do
    local path, options = bundled(name)
    luaunit.assertStrContains(shell.printed(("check games/%s.lua %s"):format(name, path)), "20 levels")
    local rows = shell.rows(shell.printed(("measure %s %s"):format(name, path)))
    luaunit.assertEquals(#rows, 20, name)
    for _, row in ipairs(rows) do
      for measure, value in pairs(row) do luaunit.assertTrue(measure == "level" or tonumber(value) ~= nil, name .. measure) end
    end
    local made = shell.printed(("generate %s --count 1 --seed 1 %s"):format(name, options))
    local self = game.load(name)
    local first = levels.read(shell.file(name .. ".txt", made), self.files)[1]
    luaunit.assertEquals({ first.name, first.text }, { name .. "-1-1", levels.read(path, self.files)[1].text })
  end
end

--- A player who follows hints alone solves the first level.
function Boards.test_play()
  for _, name in ipairs(names) do
    local self = game.load(name)
    local session = Session.new(play.rules(self), self:level(levels.read((bundled(name)), self.files)[1]))
    for _ = 1, 100 do
      if not session:done() then session:push(session.rules.hint(session.position, session)) end
    end
    luaunit.assertTrue(session:done(), name)
  end
end

--- The workbench draws and measures the first level of each; a study serves them, a block each, up to the last.
function Boards.test_workbench_and_serve()
  local engine = engines.new { named = {}, list = function() return {} end, read = function() end }
  local blocks = {}
  for i, name in ipairs(names) do
    local self, path = game.load(name), bundled(name)
    local entry = levels.read(path, self.files)[1]
    local answer = engine:answer { kind = "level", game = name, text = entry.text }
    luaunit.assertNil(answer.fault, name)
    luaunit.assertStrContains(answer.picture, "<svg")
    luaunit.assertEquals(answer.solution.status, "solved", name)
    local file = shell.file(name .. "-first.txt", entry.text):match "[^/]+$"
    blocks[i] = ("{ name = %q, game = %q, levels = { %q } }"):format(name, name, file)
  end
  local study = shell.file("boards.lua", ("return crux.study { blocks = { %s } }"):format(table.concat(blocks, ", ")))
  local server <close> = http.serve("--preview " .. study) -- a preview, in which each level may be skipped
  local token, view = server:begin()
  local seen = {}
  while view.stage == "play" do
    table.insert(seen, view.position)
    view = server:act(token, view, "key", "x")
    if view.stage == "question" then view = server:act(token, view, "key", "enter") end
  end
  luaunit.assertEquals(seen, lists.order(#names, function(i) return i end))
end

return { Boards = Boards }
