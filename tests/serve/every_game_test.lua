--- Studies of every game played in a headless Chromium, on a phone's and a computer's screen, by keyboard, mouse and touch:
--- `make test-browser`.
local browser = require "browser"
local http = require "http"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"
local solving = require "solving"
local visitors = require "visitors"

local EveryGame = {}

local step, evaluate, key = browser.step, browser.evaluate, browser.key
local begin, keyboard, pointer, settled, visit = visitors.begin, visitors.keyboard, visitors.pointer, visitors.settled, visitors.visit

local phone = { width = 360, height = 640 }
local aside = { width = 640, height = 360 } -- on its side
local computer = { width = 1280, height = 800 }

---@type { [1]: string, [2]: table, [3]: Input }[]
local people = {
  { "finger, phone", lists.merge(phone, { touch = true, scheme = "dark", language = "de" }), pointer(true) },
  { "finger, phone on its side", lists.merge(aside, { touch = true, scheme = "light", language = "en" }), pointer(true) },
  { "keyboard, phone", lists.merge(phone, { scheme = "light", language = "en" }), keyboard },
  { "keyboard, computer", lists.merge(computer, { scheme = "light", language = "de" }), keyboard },
  { "mouse, computer", lists.merge(computer, { scheme = "dark", language = "en" }), pointer(false) },
}

local slowly = evaluate "(test.slow(150), null)"

--- The steps of a visitor who plays both levels of a game, the first as a lesson, and rates the second, which is played with 300 ms
--- of latency; and the moves of each.
local function visit_of(solved, looks, input)
  local steps, moves = { visit(looks), settled("welcome", "test.faults()") }, {}
  local function add(one) table.insert(steps, one) end
  if input == keyboard then
    add(key "Tab")
    add(key " ")
  else
    input.click(add, "input[name=consent]")
  end
  input.click(add, "button.main", 1)
  for number = 1, 2 do
    local session, deeds = solving.session(solved, number), solved.levels[number].deeds
    add(settled("play", "test.faults()"))
    if number == 2 then add(slowly) end
    for i, deed in ipairs(deeds) do
      input.deed(add, deed, session)
      if number == 2 and i == (#deeds + 1) // 2 and not session:done() then
        local drawing = "document.querySelector('#board svg').outerHTML + view.moves"
        add(settled("play", "window.before = " .. drawing))
        add(step("reload", true))
        add(settled("play", drawing))
        add(slowly)
      end
    end
    luaunit.assertTrue(session:done())
    moves[number] = session.moves
    add(settled("question", "test.faults()"))
    if number == 2 then
      input.click(add, ".ratings button:nth-child(4)", 4)
      add(settled("question", "test.faults()"))
    end
    input.click(add, "button.main", 1)
  end
  add(settled("thanks", "test.faults()"))
  add(evaluate "document.documentElement.lang + document.getElementById('main').textContent.includes(texts[language].thanks)")
  return steps, moves
end

--- A test of a game: people with all inputs play a whole study of it; each has the moves that a session counts.
local function plays_study(index)
  return function()
    browser.only()
    local solved = solving.games()[index]
    shell.folder(solved.name, { ["study.lua"] = ("return crux.study { game = %q, tutorial = { %q }, levels = { %q }, consent = 'Yes?' }"):format(
      solved.script:find "/" and shell.output("realpath " .. solved.script):gsub("\n", "") or solved.script,
      shell.output("realpath " .. solved.files[1]):gsub("\n", ""), shell.output("realpath " .. solved.files[2]):gsub("\n", "")) })
    local server <close> = http.serve(shell.path(solved.name .. "/study.lua"), solved.name .. ".db")
    local steps, expected = {}, {}
    for _, visitor in ipairs(people) do
      local own, moves = visit_of(solved, visitor[2], visitor[3])
      table.move(own, 1, #own, #steps + 1, steps)
      table.insert(expected, moves)
    end
    local values, console = browser.run(server.url .. "/", steps)
    luaunit.assertEquals(console, {})
    local before, ends = nil, {}
    for _, value in ipairs(values) do
      if type(value) == "table" then
        luaunit.assertEquals(value, {})
      elseif type(value) == "string" and value:find "^<svg" then
        luaunit.assertEquals(value, before or value) -- a reload shows the same
        before = not before and value or nil
      elseif type(value) == "string" then
        table.insert(ends, value)
      end
    end
    luaunit.assertEquals(ends, lists.map(people, function(visitor) return visitor[2].language .. "true" end))
    local found = {}
    for row in shell.output(("%s study export %s"):format(shell.quote(shell.program), server.path)):gmatch "[^\n]+" do
      local player, position, rating, moves, solved_it = row:match "^(%d+),[^,]*,(%d),1,(%d*),[%d.]+,(%d+),(%d)"
      if player then table.insert(found, { player, position, rating, moves, solved_it }) end
    end
    local wanted = {}
    for player, moves in ipairs(expected) do
      for position = 1, 2 do
        table.insert(wanted, { tostring(player), tostring(position), position == 2 and "4" or "", tostring(moves[position]), "1" })
      end
    end
    luaunit.assertEquals(found, wanted)
    local db <close> = require("libcrux.database").open(server.path, false)
    local rows = db:run [[SELECT player, group_concat(DISTINCT input) AS inputs FROM act GROUP BY player ORDER BY player]]
    luaunit.assertEquals(lists.field(rows, "inputs"), { "touch", "touch", "keys", "keys", "mouse" })
  end
end

for index, solved in ipairs(solving.games()) do EveryGame["test_study_of_" .. solved.name] = plays_study(index) end


--- One study of the nine puzzles of deduction, Trainyard, Happy Cube and all games that `crux new game` writes, a block each: played by
--- a finger with 300 ms of latency, and by the keyboard, where what is heard has the square of the cursor.
function EveryGame.test_further_games()
  browser.only()
  local all, blocks = solving.further(), {}
  local function real(path) return path:find "/" and shell.output("realpath " .. path):gsub("\n", "") or path end
  for i, solved in ipairs(all) do
    blocks[i] = ("{ name = 'b%d', game = %q, levels = { %q } }"):format(i, real(solved.script), real(solved.files[1]))
  end
  local path = shell.file("further.lua", ("return crux.study { blocks = { %s } }"):format(table.concat(blocks, ", ")))
  local server <close> = http.serve(path, "further.db")
  local steps, spots = {}, {}
  for _, index in ipairs { 1, 3 } do
    local looks, input = people[index][2], people[index][3]
    local function add(one) table.insert(steps, one) end
    add(visit(looks))
    add(begin)
    if index == 1 then add(settled("play", "(test.slow(150), 0)")) end
    for number, solved in ipairs(all) do
      local session = solving.session(solved, 1)
      add(settled("play", ("view.position === %d ? test.faults() : [view.position]"):format(number)))
      for _, deed in ipairs(solved.levels[1].deeds) do
        input.deed(add, deed, session)
        if input == keyboard and not session:done() and session:spot() then
          add(settled("play", "byId('where').textContent"))
          table.insert(spots, ("Column %d, row %d: "):format(session:spot()))
        end
      end
      luaunit.assertTrue(session:done(), solved.script)
      add(settled("question", ("[view.outcome === 'Solved', view.moves - %d]"):format(session.standing)))
      input.click(add, ".ratings button:nth-child(4)", 4)
      add(settled "question")
      input.click(add, "button.main", 1)
    end
    add(settled("thanks", "'done'"))
  end
  local values, console = browser.run(server.url .. "/", steps)
  luaunit.assertEquals(console, {})
  local heard, ends = {}, 0
  for _, value in ipairs(values) do
    if type(value) == "table" then
      luaunit.assertTrue(value[1] == nil or value[1] == true and value[2] == 0, require("crux.base.json").encode(value))
    elseif value == "done" then
      ends = ends + 1
    elseif type(value) == "string" then
      table.insert(heard, value)
    end
  end
  luaunit.assertEquals({ ends, #heard }, { 2, #spots })
  for i, spot in ipairs(spots) do luaunit.assertStrContains(heard[i], spot) end
end

--- Each game, played by keys and the accessibility tree of Chromium alone: each move of the cursor is told with what is on its square,
--- each other move by squares that changed; and the solved level is told.
function EveryGame.test_each_game_by_what_is_heard()
  browser.only()
  local hear = evaluate "test.settled().then(() => 0)"
  for _, solved in ipairs(solving.games()) do
    local server <close> = http.serve(("%s %s"):format(solved.script, solved.files[2]), solved.name .. "-heard.db")
    local session, steps, spots = solving.session(solved, 2), { visit(lists.merge(computer, { language = "en" })), begin, settled "play" }, {}
    for _, deed in ipairs(solved.levels[2].deeds) do
      solving.by_keyboard(deed, session, function(name)
        session:press(name)
        table.move({ key(visitors.keys[name] or name), hear, step("tree", true) }, 1, 3, #steps + 1, steps)
        table.insert(spots, { session:spot() })
      end)
    end
    table.insert(steps, step("tree", true))
    local trees = lists.select(browser.run(server.url .. "/", steps), function(value) return type(value) == "table" and value[1] ~= nil end)
    local before = ""
    for i, spot in ipairs(spots) do
      local heard = table.concat(lists.select(trees[i], function(line) return line:find "StaticText: Column" end))
      local is_over = lists.contains(trees[i], "heading: Solved!")
      if not is_over and spot[1] then
        luaunit.assertStrContains(heard, ("StaticText: Column %d, row %d: "):format(spot[1], spot[2]), false, solved.name)
      elseif not is_over then
        luaunit.assertTrue(heard ~= "" and heard ~= before, solved.name .. i .. ": " .. heard .. table.concat(trees[i], "\n"))
      end
      before = heard
    end
    luaunit.assertTrue(lists.contains(trees[#trees], "heading: Solved!"), solved.name .. table.concat(trees[#trees], "\n"))
  end
end

return { EveryGame = EveryGame }
