--- A study played in a headless Chromium, on a phone's and a computer's screen, by keyboard, mouse and touch: `make test-browser`.
local http = require "http"
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local Browser = {}

--- Plays steps on the page of a server as tests/support/browser.py says, and returns the values.
local function browse(server, steps)
  local script = shell.file("steps.json", "[" .. table.concat(steps, ",\n") .. "]")
  local result = shell.run(("python3 tests/support/browser.py %s/ %s"):format(server.url, script))
  if result.status == 77 or result.status == 127 then luaunit.skip "chromium or python3 is missing" end
  luaunit.assertEquals({ result.status, result.err }, { 0, "" })
  local found = json.decode(result.out)
  luaunit.assertEquals(found.console, {})
  return found.values
end

local function expression(text) return ('{"evaluate": %q}'):format(text) end
local function key(name) return ('{"key": %q}'):format(name) end

--- Waits until the server has answered and the page shows a stage, and returns what an expression is then.
local function after(stage, text)
  return expression(("new Promise(r => { const look = () => view && view.stage === '%s' && !sending ? r(%s) "
    .. ": setTimeout(look, 20); look() })"):format(stage, text or "true"))
end

--- Presses the button with a label, as a keyboard or a screen reader does.
local function press(label)
  return expression(("[...document.querySelectorAll('button')].find(b => b.textContent === '%s').click()"):format(label))
end

local function screen(width, height, scheme)
  return ('{"screenshot": %q, "width": %d, "height": %d, "scheme": "%s"}'):format(shell.path "page.png", width, height, scheme)
end

--- Texts of a study are no HTML; the page is as wide as a phone; a reload goes on; what is kept is deleted.
function Browser.test_by_keyboard_on_a_phone()
  long.only()
  local game = shell.read(playing.game "walk")
  shell.folder("phone", { ["walk.lua"] = game, ["levels.txt"] = "; one\n@..O\n", ["study.lua"] = [[return crux.study {
    game = "walk.lua", levels = { "levels.txt" }, title = "<img src=x>", consent = "<b>Yes?</b>", ask = { "town" } }]] })
  local server <close> = http.serve(shell.path "phone/study.lua", "phone.db")
  local wide = "[document.documentElement.scrollWidth, document.querySelectorAll('img, b').length]"
  local values = browse(server, { screen(360, 640, "light"), after("welcome", wide), key "Tab", key " ", key "Tab", key "Tab",
    key "Enter", after("play", "view.text"), after("play", wide), key "ArrowRight", after("play", "view.text"),
    '{"reload": true}', after("play", "view.text"),
    screen(360, 640, "dark"), key "ArrowRight", key "ArrowRight", after("question", "document.activeElement.textContent"),
    key "Tab", key "Enter", after("thanks", "document.getElementById('main').textContent"),
    press "What is kept about me", expression "new Promise(r => setTimeout(r, 300))",
    expression "document.getElementById('main').textContent.includes('You are player 1.')",
    expression "window.confirm = () => true", press "Delete all of it", after("welcome", "document.getElementById('status').textContent") })
  luaunit.assertEquals({ values[1], values[2], values[3], values[4] }, { { 360, 0 }, "@..O\n", { 360, 0 }, ".@.O\n" })
  luaunit.assertEquals({ values[5], values[6] }, { ".@.O\n", "Solved!" })
  luaunit.assertStrContains(values[7], "Thank you!")
  luaunit.assertEquals({ values[10], values[#values] }, { true, "Deleted." })
end

--- The middle of a character of the drawing, on the screen.
local function at(column, row)
  return ("(() => { const m = document.querySelector('#board svg').getScreenCTM(), [a, w, h] = view.letters; "
    .. "return [m.e + m.a * (a + %g * w), m.f + m.d * (a + %g * h)] })()"):format(column - 0.5, row - 0.5)
end

--- Where the browser draws characters is known only to it: a first visit asks, a second one drags.
local function drag(server, columns, touch, stage)
  local text = after("play", ("[...%s, ...%s].map(Math.round)"):format(at(columns[1], columns[2]), at(columns[3], columns[4])))
  local begin = expression "document.querySelector('button.main').click()"
  local values = browse(server, { after "welcome", begin, text })
  return browse(server, { after "welcome", begin, after "play", ('{"drag": [%s], "touch": %s}'):format(
    table.concat(values[#values], ","), touch), after(stage, "view.text") })
end

--- A swipe is an arrow; a drag of the mouse draws the path of a game with a cursor.
function Browser.test_by_touch_and_mouse()
  long.only()
  local levels = shell.file("walk-levels.txt", "; one\n@....O\n")
  do
    local server <close> = http.serve(("%s %s"):format(playing.game "walk", levels), "touch.db")
    local values = drag(server, { 2, 1, 6, 1 }, "true", "play")
    luaunit.assertEquals(values[#values], ".@...O\n")
  end
  local server <close> = http.serve("flow " .. shell.file("flow.txt", "A.A\nB.B\n"), "mouse.db")
  local values = drag(server, { 1, 1, 5, 1 }, "false", "play")
  luaunit.assertStrContains(values[#values], "A───A")
end

--- Own questions are forms with labels; a player leaves, sees how others fared, goes on, and is asked nothing about lessons.
function Browser.test_own_questions_and_leaving()
  long.only()
  local path = http.study("questions", [[tutorial = { 'lesson.txt' }, ask_after = { 'again: yes, no', 'luck: 1..5' },
    labels = { again = '<b>Again?</b>' }]], "; one\n@.O\n\n; two\n@.O\n")
  local server <close> = http.serve(path, "questions.db")
  local main, label = "document.getElementById('main').textContent", "document.querySelector('label').textContent"
  local send = expression "document.querySelector('form').requestSubmit()"
  local function asked(name, text)
    return expression(("new Promise(r => { const look = () => view && view.asked === '%s' && !sending ? r(%s) "
      .. ": setTimeout(look, 20); look() })"):format(name, text or "true"))
  end
  local values = browse(server, { screen(360, 640, "light"),
    after("welcome", "document.querySelector('[name=knows_game]').checked = true"), send,
    after("play", "view.tutorial"), key "ArrowRight", key "ArrowRight", asked "rating", press "3", asked("again", label),
    expression "document.querySelector('select').value = 'no'", send, asked("luck", label),
    expression "document.querySelector('input').value = '6'", send,
    expression "document.querySelector('input').validity.rangeOverflow",
    expression "document.querySelector('input').value = '5'", send, after("play", "view.position"),
    press "Stop here", after("thanks", main), press "Go on playing", after("play", "view.position") })
  luaunit.assertEquals({ values[3], values[6] }, { false, "<b>Again?</b> (no answer)yesno" })
  luaunit.assertEquals({ values[9], values[12] }, { "luck ", true })
  luaunit.assertEquals({ values[15], values[#values] }, { 2, 2 })
  luaunit.assertStrContains(values[17], "You may go on, now or later, by your link.")
end

return { Browser = Browser }
