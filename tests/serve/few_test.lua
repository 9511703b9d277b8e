--- Every game played in Chromium by touch, mouse, keyboard and the accessibility tree alone, with 0 and 300 ms of latency, on a phone,
--- a phone on its side and a computer. Prints a table of how many of the six ways of each input solved the game. Takes half an hour:
---
---     make all build/tests/lua_host
---     CRUX_TEST_BROWSER=1 CRUX_TEST_LONG=1 CRUX=$PWD/crux CRUX_HOME=$PWD tests/run.sh build tests/serve/every_way_test.lua
---
--- CRUX_TEST_GAME=flow plays that game alone.
local browser = require "browser"
local http = require "http"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local solving = require "solving"
local visitors = require "visitors"

local EveryWay = {}

local screens = { { width = 390, height = 844 }, { width = 844, height = 390 }, { width = 1280, height = 800 } }
local inputs = { { "touch", visitors.pointer(true) }, { "mouse", visitors.pointer(false) }, { "keyboard", visitors.keyboard },
  { "tree", visitors.tree } }

--- All people: input, latency in ms, and screen.
local people = {}
for _, input in ipairs(inputs) do
  for _, latency in ipairs { 0, 300 } do
    for i, screen in ipairs(screens) do
      table.insert(people, { input = input, latency = latency, looks = lists.merge(screen, { touch = input[1] == "touch", language = "en",
        scheme = i == 1 and "dark" or "light" }) })
    end
  end
end

if os.getenv "FEW" then
  people = lists.select(people, function(person)
    return person.latency == 300 and person.looks.width == ({ touch = 390, mouse = 1280, keyboard = 844, tree = 1280 })[person.input[1] ]
  end)
end

--- The steps of somebody who plays a level; their last value is the list of faults of the page, and what came of the level.
local function steps_of(solved, number, person)
  local steps, session, input = { visitors.visit(person.looks) }, solving.session(solved, number), person.input[2]
  local function add(one) table.insert(steps, one) end
  add(visitors.settled("welcome", "test.faults()"))
  input.click(add, "button.main", 1, "Begin")
  add(visitors.settled("play", ("(window.faults = test.faults(), test.slow(%d), null)"):format(person.latency / 2)))
  for _, deed in ipairs(solved.levels[number].deeds) do
    if not session:done() then input.deed(add, deed, session) end
  end
  luaunit.assertTrue(session:done(), solved.name)
  add(visitors.settled("question", ("[...faults, ...test.faults(), view.outcome, view.moves - %d]"):format(session.standing)))
  return steps
end

--- Plays a level as some people; nil and what went wrong unless each solves it, with the moves that a session counts.
local function play(url, solved, number, some)
  local ok, problem = pcall(function()
    local steps = lists.concat(table.unpack(lists.map(some, function(person) return steps_of(solved, number, person) end)))
    local values, console = browser.run(url .. "/", steps)
    luaunit.assertEquals(console, {})
    local ends = lists.select(values, function(value) return type(value) == "table" and value[1] ~= nil end)
    luaunit.assertEquals(ends, lists.map(some, function() return { "Solved", 0 } end))
  end)
  return ok, type(problem) == "table" and problem.msg or problem
end

function EveryWay.test_every_game()
  browser.only()
  long.only()
  local cases, failed = {}, {}
  for _, solved in ipairs(solving.games()) do table.insert(cases, { solved, 2 }) end
  for _, solved in ipairs(solving.further()) do table.insert(cases, { solved, 1 }) end
  io.stderr:write(("%-14s"):format "game", table.concat(lists.map(inputs, function(input) return ("%9s"):format(input[1]) end)), "\n")
  for i, case in ipairs(cases) do
    local solved, number = table.unpack(case)
    if (os.getenv "CRUX_TEST_GAME" or solved.name) == solved.name then
      local server <close> = http.serve(("%s %s"):format(solved.script, solved.files[number]), ("%s-%d.db"):format(solved.name, i))
      local row = {}
      for _, input in ipairs(inputs) do
        local some = lists.select(people, function(person) return person.input == input end)
        local count = play(server.url, solved, number, some) and #some or 0
        for _, person in ipairs(count == 0 and some or {}) do -- each alone, to tell which
          local ok, problem = play(server.url, solved, number, { person })
          count = count + (ok and 1 or 0)
          table.insert(failed, not ok and ("%s: %s, %d ms, %d x %d: %s"):format(solved.name, input[1], person.latency,
            person.looks.width, person.looks.height, problem) or nil)
          if not ok then io.stderr:write(failed[#failed], "\n") end
        end
        table.insert(row, ("%7d/%d"):format(count, #some))
      end
      io.stderr:write(("%-14s%s\n"):format(solved.name, table.concat(row)))
    end
  end
  luaunit.assertEquals(failed, {})
end

return { EveryWay = EveryWay }
