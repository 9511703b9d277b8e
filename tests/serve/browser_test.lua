--- Tests of the page of studies in a headless Chromium: `make test-browser`.
local browser = require "browser"
local http = require "http"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"
local visitors = require "visitors"

local Browser = {}

local step, evaluate, key = browser.step, browser.evaluate, browser.key
local begin, settled, visit = visitors.begin, visitors.settled, visitors.visit

local phone = { width = 360, height = 640 }
local computer = { width = 1280, height = 800 }

--- Presses the button with a label, as a keyboard or a screen reader does.
local function press(label)
  return evaluate(("[...document.querySelectorAll('button')].find(b => b.textContent === '%s').click()"):format(label))
end

--- Waits until the page shows what is kept.
local kept = evaluate "new Promise(done => { const look = () => view && view.stage === 'kept' ? done() : setTimeout(look, 10); look() })"
local status = "document.getElementById('status').textContent"

--- On a phone by touch and on a computer by keys, with 300 ms of latency: a player rates a level, and closes the page at an optional
--- question. The rating is exported, with the kind of input; the other player leaves in the middle of the level.
function Browser.test_a_page_that_is_closed_at_a_question()
  browser.only()
  local server <close> = http.serve(http.study("closed", "ask_after = { 'remark' }", "; one\n@.O\n"), "closed.db")
  local slow = evaluate "{ const real = fetch; window.fetch = async (...words) => { await wait(300); return real(...words); }; 0 }"
  local function looks(screen, more) return visit(lists.merge(screen, lists.merge({ language = "en" }, more))) end
  local right = step("drag", "test.swipe(1, 0)", { touch = true })
  local values, console = browser.run(server.url .. "/", { looks(phone, { touch = true }), begin, settled "play", slow, right, right,
    settled "question", step("drag", "test.middle('.ratings button:nth-child(6)')", { touch = true }),
    evaluate "new Promise(done => { const look = () => view.asked === 'remark' && !isWaiting() ? done(view.asked) : setTimeout(look, 10); look() })",
    looks(computer), begin, settled "play", slow, key "ArrowRight", settled("play", "view.acts") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ lists.contains(values, "remark"), values[#values] }, { true, 1 })
  luaunit.assertStrMatches(shell.output(("%s study export %s"):format(shell.quote(shell.program), server.path)), "[^\n]*,abandoned,[^\n]*\n"
    .. "1,one,1,1,6,[^,]+,2,1,0,0,,0,0,1,[^,]+,[^,]+,touch\n2,one,1,1,,[^,]+,1,0,0,0,,0,1,1,[^,]+,[^,]+,keys\n")
end

--- A second click on a rating does not answer the next question; keys do not play on the page of what is kept.
function Browser.test_acts_belong_to_what_is_shown()
  browser.only()
  shell.folder("twice", { ["walk.lua"] = shell.read(playing.game "walk"), ["levels.txt"] = "; one\n@.O\n",
    ["study.lua"] = "return crux.study { game = 'walk.lua', levels = { 'levels.txt' }, questions = { 'enjoyment' } }" })
  local server <close> = http.serve(shell.path "twice/study.lua", "twice.db")
  local values, console = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled "play",
    press "What is kept about me", kept,
    key "ArrowRight", press "Back", settled("play", "view.acts"), key "ArrowRight", key "ArrowRight", settled "question",
    evaluate "for (const _ of [1, 2]) document.querySelectorAll('.ratings button')[6].click()", settled("question", "[view.acts, view.asked]") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[6], values[9] }, { 0, { 3, "enjoyment" } })
end

--- The board becomes as narrow as a window that is made narrow; what has the focus has a frame.
function Browser.test_narrow_window_and_focus()
  browser.only()
  local server <close> = http.serve("move " .. shell.file("wide.txt", ("a" .. (" ."):rep(18) .. " A\n"):rep(3)), "wide.db")
  local outline = evaluate "getComputedStyle(document.activeElement).outlineStyle"
  local values, console = browser.run(server.url .. "/", { visit(computer), settled "welcome", key "Tab", outline, begin, settled "play",
    outline, evaluate "document.querySelector('#board svg').clientWidth", step("screenshot", shell.path "page.png", phone),
    evaluate "new Promise(requestAnimationFrame).then(test.faults)", evaluate "document.querySelector('#board svg').clientWidth" })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[2], values[5], values[7] }, { "solid", "solid", {} })
  luaunit.assertTrue(values[6] > 360 and values[8] <= 336 and values[8] > 300)
end

--- Texts of a study are no HTML; what is kept is deleted.
function Browser.test_texts_and_what_is_kept()
  browser.only()
  local game = shell.read(playing.game "walk")
  shell.folder("kept", { ["walk.lua"] = game, ["levels.txt"] = "; one\n@O\n", ["study.lua"] = [[return crux.study {
    game = "walk.lua", levels = { "levels.txt" }, title = "<img src=x>", consent = "<b>Yes?</b>", ask = { "town" } }]] })
  local server <close> = http.serve(shell.path "kept/study.lua", "kept.db")
  local values, console = browser.run(server.url .. "/", { visit(lists.merge(phone, { language = "en" })),
    settled("welcome", "document.querySelectorAll('img, b').length"), evaluate "document.querySelector('input').click()",
    evaluate "document.querySelector('[name=town]').value = '<i>x</i>'", begin, settled "play", key "ArrowRight",
    settled("question", "document.activeElement.textContent"), key "Tab", key "Enter", settled "question",
    evaluate "document.querySelector('button.main').click()", settled "thanks", press "What is kept about me", kept, evaluate "test.faults()",
    evaluate "['You are player 1.', '<i>x</i>'].map(text => document.getElementById('main').textContent.includes(text))",
    evaluate "window.confirm = () => true", press "Delete all of it", settled("welcome", status) })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[1], values[6], values[#values] }, { 0, "Solved!", "Deleted." })
  luaunit.assertEquals({ values[#values - 4], values[#values - 3] }, { {}, { true, true } })
end

--- Starts a study of one long level, in which the player goes to the right.
local function walk(name)
  return http.serve(("%s %s"):format(playing.game "walk", shell.file(name .. ".txt", "; one\n@......O\n")), name .. ".db")
end

local where = "[view.acts, view.text, " .. status .. "]"

--- The German page shows German texts of crux's games: what to do, the note and the keys.
function Browser.test_german()
  browser.only()
  local server <close> = http.serve("dungeongrams " .. shell.file("german.txt", "@----O\n"), "german.db")
  local values, console = browser.run(server.url .. "/", { visit { language = "de" }, begin,
    settled("play", "[...document.querySelectorAll('#progress, #doc, #counts, [role=group]')].map(shown => shown.textContent)") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals(values[2], { "Level 1", "Drücken Sie alle Schalter und erreichen Sie den Ausgang, ehe die Ausdauer verbraucht "
    .. "ist; Gegner und Stacheln töten.", "Züge: 0 · Ausdauer 40", "↑←↓→", "." })
end

--- A level whose script fails is left by a button.
function Browser.test_a_level_that_fails()
  browser.only()
  local game = playing.game("walk", { ["local here ="] = "error 'broken'; local here =" })
  local server <close> = http.serve(("%s %s"):format(game, shell.file("fails.txt", "; one\n@.O\n")), "fails.db")
  local values, console = browser.run(server.url .. "/", { visit(lists.merge(phone, { language = "en" })), begin, settled "play",
    key "ArrowRight", settled("failed", "test.faults()"), evaluate "document.getElementById('main').textContent",
    press "Skip this level", settled("thanks", "view.acts") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[3], values[#values] }, { {}, 2 })
  luaunit.assertStrContains(values[4], "this level cannot go on")
end

--- Two tabs of one player: an act of the one that is behind is not made, and it says so; then both go on.
function Browser.test_two_tabs()
  browser.only()
  local server <close> = walk "tabs"
  local right = key "ArrowRight"
  local values, console = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled("play"), right, settled("play", where),
    step("tab", 2), settled("play", where), right, right, settled("play", where),
    step("tab", 1), right, settled("play", where), right, settled("play", where), step("tab", 2), right, settled("play", where) })
  for _, text in ipairs(console) do luaunit.assertStrContains(text, "status of 409") end
  local found = lists.map(values, function(value) return type(value) == "table" and value or false end)
  local other = "The level went on in another window."
  luaunit.assertEquals({ found[3], found[4], found[5], found[6], found[7], found[8] }, { { 1, ".@.....O\n", "" },
    { 1, ".@.....O\n", "" }, { 3, "...@...O\n", "" }, { 3, "...@...O\n", other }, { 4, "....@..O\n", "" }, { 4, "....@..O\n", other } })
end

--- Keys and taps that are 80 ms apart are stored so, though the answer to each takes 300 ms. A busy browser may be late by 60 ms.
function Browser.test_times_on_a_slow_network()
  browser.only()
  for i, case in ipairs { { computer, "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))" },
    { lists.merge(phone, { touch = true }), "document.querySelector('[data-key=right]').click()" } } do
    local server <close> = walk("slow" .. i)
    local values = browser.run(server.url .. "/", { visit(case[1]), begin, settled "play",
      evaluate(("(test.slow(150), test.every80(5, () => %s))"):format(case[2])), settled("play", "view.moves") })
    server:kill()
    local db <close> = require("libcrux.database").open(server.path)
    local acts = db:run "SELECT client_ms FROM act ORDER BY number"
    luaunit.assertEquals({ values[4], #acts }, { 5, 5 })
    for number, between in ipairs(values[3]) do
      luaunit.assertAlmostEquals(acts[number + 1].client_ms, between, 60)
    end
  end
end

--- What touch events do to the picture: dispatches a drag along squares, `pause` ms apart, and returns what an expression is after
--- each move, before any answer can come.
local function drag_by_events(squares, pause, seen)
  return evaluate(([[(async () => {
    const points = await test.squares(%s), board = byId('board'), found = [];
    board.setPointerCapture = () => {};
    for (let i = 0; i < points.length; i += 2, await wait(%d)) {
      board.dispatchEvent(new PointerEvent(i ? 'pointermove' : 'pointerdown', {pointerType: 'touch', isPrimary: true, button: 0,
        pointerId: 5, clientX: points[i], clientY: points[i + 1]}));
      found.push(%s);
    }
    board.dispatchEvent(new PointerEvent('pointerup', {pointerType: 'touch', isPrimary: true, pointerId: 5, clientX: points.at(-2),
      clientY: points.at(-1)}));
    return found;
  })()]]):format(table.concat(lists.map(squares, function(square) return ("[%s]"):format(square) end), ", "), pause, seen))
end

--- At 300 ms of latency the page draws a path of nine squares along with the finger, and the drag is one act; a drag that begins
--- before the answer to the one before is drawn, too; keys are sent before the answers to those before them come.
function Browser.test_the_board_follows_at_300_ms()
  browser.only()
  local server <close> = http.serve("flow " .. shell.file("nine.txt", "A.......A\nB.......B\n"), "nine.db")
  local length = [[document.querySelector('[data-thing="path1"] path').getAttribute('d').split('L').length]]
  local row, begun = {}, { "2,2", "3,2" }
  for x = 1, 9 do row[x] = x .. ",1" end
  local values, console = browser.run(server.url .. "/", { visit(lists.merge(phone, { touch = true, language = "en" })), begin,
    settled("play", "(test.slow(150), 1)"), drag_by_events(row, 90, length), evaluate(length .. " + ' ' + view.acts"),
    settled("play", "[view.moves, view.text]"), drag_by_events({ "1,2", table.unpack(begun) }, 90, "model.paths[1].length"), press "↶Undo",
    settled("play", "[view.moves, view.text]"), press "↷Redo", settled("play", "view.moves"), key "z", settled("play", "view.moves") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[3], values[4], values[5][1], values[6] }, { { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "9 0", 1, { 1, 2, 3 } })
  luaunit.assertEquals({ values[8], values[10], values[11] }, { { 1, "A───────────────A\nB · · · · · · · B\n" }, 2, 1 })
  local keys <close> = http.serve(("%s %s"):format(playing.game "walk", shell.file("ten.txt", "; one\n@...........O\n")), "ten.db")
  local typed = browser.run(keys.url .. "/", { visit(lists.merge(computer, { language = "en" })), begin, settled("play", "(test.slow(150), 1)"),
    evaluate [[(async () => {
      const slow = window.fetch, first = performance.now();
      let open = 0, most = 0;
      window.fetch = (...request) => {
        most = Math.max(most, ++open);
        return slow(...request).finally(() => open--);
      };
      await test.every80(10, () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true})));
      while (view.moves < 10) await wait(5);
      return [most, performance.now() - first];
    })()]] })
  io.stderr:write(("ten keys typed in 0.72 s are answered %.0f ms after the first\n"):format(typed[3][2]))
  luaunit.assertTrue(typed[3][1] > 1, typed[3][1])
end

--- Cars slide with the finger and stop at what is in the way; blocks go from the hand to a square, to another one, and back.
function Browser.test_things_are_dragged()
  browser.only()
  local touch = lists.merge(phone, { touch = true, language = "en" })
  local cars <close> = http.serve("rushhour " .. shell.file("cars.txt", "AA..B\n....B\n.....\n.....\n"), "cars.db")
  local function at(name) return ("document.querySelector('[data-thing=%s]').getAttribute('transform')"):format(name) end
  local values, console = browser.run(cars.url .. "/", { visit(touch), begin, settled "play",
    drag_by_events({ "2,1", "2.5,1", "5,1" }, 5, at "A"), settled("play", "[view.text, view.moves, view.can_undo]"),
    drag_by_events({ "5,1", "5,2", "5,2" }, 5, at "B"), settled("play", "[view.text, view.moves]"), key "z", settled("play", "[view.text, view.moves]") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals(lists.map(values[3], function(found) return type(found) == "string" and found end), { false, "translate(16 0)", "translate(64 0)" })
  luaunit.assertEquals({ values[4], values[6], values[7] }, { { "..AAB\n....B\n.....\n.....\n", 1, true },
    { "..AA.\n....B\n....B\n.....\n", 2 }, { "..AAB\n....B\n.....\n.....\n", 1 } })
  local blocks <close> = http.serve("lazors " .. shell.file("blocks.bff",
    "GRID START\no o o\no o o\nGRID STOP\nA 1\nB 1\nL 1 0 1 1\nP 1 4\n"), "blocks.db")
  local track <close> = http.serve("trainyard " .. shell.file("track.txt", ">R . .\n. . =R\n"), "track.db")
  values, console = browser.run(track.url .. "/", { visit(touch), begin, settled("play", "(test.slow(150), 1)"),
    drag_by_events({ "1,1", "2,1", "3,1", "3,2" }, 5, "document.querySelector('polyline')?.getAttribute('points')"), settled("question", "view.moves") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ lists.map(values[3], function(found) return type(found) == "string" and found end), values[4] },
    { { false, "20,20 52,20", "20,20 52,20 84,20", "20,20 52,20 84,20 84,52" }, 2 })
  local tiles = "Object.values(view.hand.things).map(thing => thing.key + Math.floor(thing.x) + Math.floor(thing.y)).join(' ')"
  values, console = browser.run(blocks.url .. "/", { visit(touch), begin, settled("play", tiles .. " + ' ' + view.pad.map(row => row.key).join('')"),
    drag_by_events({ "1,3.3", "2,2", "3,1" }, 5, "1"), settled("play", tiles), drag_by_events({ "3,1", "2,2" }, 5, "1"), settled("play", tiles),
    drag_by_events({ "2,2", "2,3.3" }, 5, "1"), settled("play", tiles), key "z", settled("play", tiles .. " + view.moves") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[2], values[4], values[6], values[8], values[9] },
    { "a13 b23 ab", "a31 b13", "a22 b13", "a13 b23", "a22 b133" })
end

--- Cells change by taps, and a drag fills several; two equal digits in a row are marked; pencil marks are no moves.
function Browser.test_cells()
  browser.only()
  local touch = lists.merge(phone, { touch = true, language = "en" })
  local islands <close> = http.serve("nurikabe " .. shell.file("islands.txt", "2..\n...\n...\n"), "islands.db")
  local function tap(square) return drag_by_events({ square }, 5, "1") end
  local values, console = browser.run(islands.url .. "/", { visit(touch), begin, settled "play", tap "2,1", settled("play", "[view.text, view.moves]"),
    drag_by_events({ "2,2", "3,2", "3,3" }, 5, "Object.keys(model.cells).length"), settled("play", "[view.text, view.moves]"), key "z", tap "2,1",
    settled("play", "view.text"), tap "2,1", settled("play", "view.text") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[4], values[5], values[6], values[8], values[10] },
    { { "2 # .\n. . .\n. . .\n", 1 }, { 2, 3, 4 }, { "2 # .\n. # #\n. . #\n", 4 }, "2 o .\n. . .\n. . .\n",
      "2 . .\n. . .\n. . .\n" })
  local digits <close> = http.serve("sudoku " .. shell.file("digits.txt", "7........\n" .. ("........."):rep(8, "\n") .. "\n"), "digits.db")
  local rings = "[document.querySelectorAll('#board circle').length, view.moves, view.note, view.can_undo]"
  values, console = browser.run(digits.url .. "/", { visit(touch), begin, settled "play", tap "9,1", press "✎", press "7", settled("play", rings),
    press "✎", key "7", settled("play", rings), key "6", settled("play", rings) })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[6], values[8], values[9] },
    { { 0, 0, "80 left, pencil marks", true }, { 2, 1, "79 left", true }, { 0, 2, "79 left", true } })
end

--- A crate of PuzzleScript that falls by `again` is shown in each of the four rows that it comes through, 0.05 s each, and at its end at once
--- where the system asks for less motion.
function Browser.test_again()
  browser.only()
  local game = ("title Falls\nagain_interval 0.05\n\nOBJECTS\nBackground .\nblack\n\nPlayer P\nwhite\n\nCrate *\nbrown\n\nGhost G\nred\n\nLEGEND\n"
    .. "SOUNDS\nCOLLISIONLAYERS\nBackground\nGhost\nPlayer, Crate\n\nRULES\ndown [ stationary Crate | no Player ] -> [ > Crate | ] again\n\n"
    .. "WINCONDITIONS\nsome Ghost\n\nLEVELS\nP*\n..\n..\n..\n..\n")
  local server <close> = http.serve(shell.file("falls.txt", game), "falls.db")
  local seen = evaluate [[(async () => {
    const shown = new Set([byId('board').innerHTML]);
    new MutationObserver(() => shown.add(byId('board').innerHTML)).observe(byId('board'), {childList: true});
    press('a');
    await wait(20);
    await test.settled('play');
    const first = shown.size;
    await wait(1000);
    return [first < 5, shown.size, view.moves];
  })()]]
  local values, console = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled "play", seen,
    visit { language = "en", motion = "reduce" }, begin, settled "play", seen })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[3], values[6] }, { { true, 5, 1 }, { true, 2, 1 } })
end

--- Those who hear the page are told the square of the cursor and what is there, by the accessibility tree alone, and the buttons by
--- what they do.
function Browser.test_what_is_heard()
  browser.only()
  local server <close> = http.serve("lazors " .. shell.file("heard.bff", "GRID START\no o o\no o o\nGRID STOP\nA 1\nB 1\nL 1 0 1 1\nP 1 4\n"),
    "heard.db")
  local tree = step("tree", true)
  local values, console = browser.run(server.url .. "/", { visit(lists.merge(computer, { language = "en" })), begin, settled "play", tree,
    key "ArrowRight", key "b", settled "play", tree, key "ArrowRight", settled "play", tree })
  luaunit.assertEquals(console, {})
  local function has(found, name)
    luaunit.assertTrue(lists.contains(found, name), name .. " in\n" .. table.concat(found, "\n"))
  end
  for i, place in pairs { [3] = "Column 1, row 1: laser: above", [5] = "Column 2, row 1: B", [7] = "Column 3, row 1: nothing" } do
    has(values[i], "StaticText: " .. place)
  end
  for _, name in ipairs { "application: The board. Arrow keys and the keys below play.", "button: block A reflects beams",
    "button: block B stops beams", "button: Undo", "button: Restart" } do has(values[3], name) end
end

--- A second tap, at the place of the first, answers nothing, whether it comes before or after the next question; "back" changes
--- an answer until the player goes on.
function Browser.test_double_taps_and_back()
  browser.only()
  for i, looks in ipairs { computer, lists.merge(phone, { touch = true }) } do
    local path = http.study("taps" .. i, "questions = { 'enjoyment' }", "; one\n@O\n")
    local server <close> = http.serve(path, ("taps%d.db"):format(i))
    local seen = "[view.acts, view.asked, view.answer, document.getElementById('main').innerText.split('\\n')[0]]"
    local function tap(number, latency, pause)
      return evaluate(([[(async () => {
        test.slow(%d);
        const box = document.querySelector('.ratings button:nth-child(%d)').getBoundingClientRect();
        const tap = () => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).click();
        tap();
        await wait(%d);
        tap();
        return test.settled('question').then(() => %s);
      })()]]):format(latency, number, pause, seen))
    end
    local back = step("drag", "test.middle('#back')", { touch = looks.touch })
    local function picture(name) return step("screenshot", shell.path(name .. i .. ".png"), looks) end
    local values = browser.run(server.url .. "/", { visit(lists.merge(looks, { language = "en" })), begin, settled "play", key "ArrowRight",
      settled("question", "test.faults()"), picture "asked", tap(6, 0, 120), picture "enjoyment", back, settled("question", seen), tap(7, 150, 120),
      back, settled("question", seen), tap(8, 0, 350), tap(2, 0, 120), settled("question", "test.faults()"), picture "waits",
      back, settled("question", seen), picture "back", tap(3, 0, 120), evaluate "document.querySelector('button.main').click()", settled "thanks" })
    server:kill()
    luaunit.assertEquals({ values[3], values[10] }, { {}, {} })
    local db <close> = require("libcrux.database").open(server.path)
    luaunit.assertEquals(lists.map(db:run "SELECT act || ' ' || value AS act FROM act ORDER BY number", function(row) return row.act end),
      { "key right", "answer 6", "back ", "answer 7", "back ", "answer 8", "answer 2", "back ", "answer 3", "key enter" })
    luaunit.assertEquals(db:run "SELECT rating, enjoyment FROM attempt", { { rating = 8, enjoyment = 3 } })
  end
end

--- The line drops before an act is sent, and before its answer comes: each act is made once, in order.
function Browser.test_the_line_drops()
  browser.only()
  local server <close> = walk "line"
  local trouble = "No connection; trying again …"
  local right = key "ArrowRight"
  local listen = evaluate("window.said = []; new MutationObserver(() => said.push(" .. status
    .. ")).observe(document.body, {childList: true, characterData: true, subtree: true}); true")
  local hear = evaluate(("new Promise(done => { const look = () => said.includes('%s') ? done(said.splice(0).length > 0)"
    .. " : setTimeout(look, 10); look() })"):format(trouble))
  local values, console = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled("play"), listen,
    step("offline", true), right, right, hear, step("offline", false), settled("play", where), evaluate "said.splice(0).length > 0",
    step("lose", "/act"), right, settled("play", where), hear })
  for _, text in ipairs(console) do luaunit.assertStrContains(text, "Failed to load resource: net::ERR_") end
  luaunit.assertEquals({ table.unpack(values, 4) }, { true, { 2, "..@....O\n", "" }, true, { 3, "...@...O\n", "" }, true })
end

--- A page that is loaded again while the server is away says that it waits, and goes on when the server is there again.
function Browser.test_a_page_that_is_loaded_again_without_a_server()
  browser.only()
  local server <close> = walk "away"
  local pid = shell.path "again.pid"
  local again = ("%s serve %s %s --database %s --port %s > /dev/null 2>&1 & echo $! > %s"):format(shell.quote(shell.program),
    playing.game "walk", shell.path "away.txt", server.path, server.port, pid)
  local values = browser.run(server.url .. "/?PROLIFIC_PID=x", { visit { language = "fr" }, begin, settled("play"), key "ArrowRight",
    settled("play", where), evaluate "navigator.serviceWorker.ready.then(() => true)", step("shell", ("kill -9 %s; sleep 1"):format(server.pid)),
    step("reload", true),
    evaluate(("new Promise(done => { const look = () => %s ? done(%s) : setTimeout(look, 10); look() })"):format(status, status)),
    step("shell", again), settled("play", where) })
  shell.run("kill -9 " .. shell.read(pid))
  luaunit.assertEquals({ values[3], values[5], values[#values] }, { { 1, ".@.....O\n", "" }, "Pas de connexion ; nouvel essai …",
    { 1, ".@.....O\n", "" } })
end

--- An act that is not the next one is refused, and the page goes on.
function Browser.test_wrong_order()
  browser.only()
  local server <close> = walk "order"
  local values, console = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled("play"),
    evaluate "fetch('/act', {method: 'POST', body: new URLSearchParams({number: 5, act: 'key', value: 'right', time: 0})}).then(r => r.status)",
    key "ArrowRight", settled("play", where) })
  luaunit.assertEquals({ values[3], values[4] }, { 409, { 1, ".@.....O\n", "" } })
  for _, text in ipairs(console) do luaunit.assertStrContains(text, "status of 409") end
end

--- A player who comes by a link with parameters: they are kept, the page leaves a level when its time is over, and then has the link
--- to return to.
function Browser.test_paid_players()
  browser.only()
  local path = http.study("paid", [[identifiers = { 'PROLIFIC_PID' }, level_seconds = 1,
    completion = { finished = 'https://pay.example/?cc=DONE', left = 'LEFT' }]], "; one\n@.O\n")
  local server <close> = http.serve(path, "paid.db")
  local code = "document.getElementById('completion').textContent"
  local values, console = browser.run(server.url .. "/?PROLIFIC_PID=5f%20x&OTHER=1", { visit(lists.merge(phone, { language = "en" })), begin,
    settled("play", "document.getElementById('counts').textContent"), press "Stop here", settled("thanks", code), press "Go on playing",
    settled("thanks", "[document.querySelector('#completion a').href, test.faults()]") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[2], values[4], values[6] },
    { "Moves: 0 · time left 0:01", "Your code: LEFT", { "https://pay.example/?cc=DONE", {} } })
  local db <close> = require("libcrux.database").open(server.path, false)
  luaunit.assertEquals(db:run "SELECT * FROM identifier", { { player = 1, name = "PROLIFIC_PID", value = "5f x" } })
  luaunit.assertEquals(db:run "SELECT skipped, time >= 1 AS is_over FROM attempt", { { skipped = 1, is_over = 1 } })
end

--- Own questions are forms with labels; a player leaves, sees how others fared, goes on, and is asked nothing about lessons.
function Browser.test_own_questions_and_leaving()
  browser.only()
  local path = http.study("questions", [[tutorial = { 'lesson.txt' }, ask_after = { 'again: yes, no', 'luck: 1..5' },
    labels = { again = '<b>Again?</b>' }]], "; one\n@.O\n\n; two\n@.O\n")
  local server <close> = http.serve(path, "questions.db")
  local main, label = "document.getElementById('main').textContent", "document.querySelector('label').textContent"
  local send = evaluate "document.querySelector('form').requestSubmit()"
  local function asked(name, text)
    return evaluate(("new Promise(r => { const look = () => view && view.asked === '%s' && !isWaiting() "
      .. "&& performance.now() - shown >= rest ? r(%s) : setTimeout(look, 20); look() })"):format(name, text or "true"))
  end
  local values, console = browser.run(server.url .. "/", { visit(lists.merge(phone, { language = "en" })),
    settled("welcome", "document.querySelector('[name=knows_game]').checked = true"), send,
    settled("play", "view.tutorial"), key "ArrowRight", key "ArrowRight", asked "rating", press "3", asked("again", label),
    evaluate "document.querySelector('select').value = 'no'", send, asked("luck", label),
    evaluate "document.querySelector('input').value = '6'", send,
    evaluate "document.querySelector('input').validity.rangeOverflow",
    evaluate "document.querySelector('input').value = '5'", send, settled("question", main), press "Go on", settled("play", "view.position"),
    press "Stop here", settled("thanks", main), press "Go on playing", settled("play", "view.position") })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[3], values[6] }, { false, "<b>Again?</b> (no answer)yesno" })
  luaunit.assertEquals({ values[9], values[12] }, { "luck ", true })
  luaunit.assertStrContains(values[15], "Solved!How hard was it? 3<b>Again?</b> noluck 5Go onBack")
  luaunit.assertEquals({ values[17], values[#values] }, { 2, 2 })
  luaunit.assertStrContains(values[19], "You may go on, now or later, by your link.")
end

--- Pages show a picture and need an answer; a wrong one shows the page again, and a preview needs none.
function Browser.test_pages()
  browser.only()
  local path = http.study("pages", [[tutorial = { 'lesson.txt' }, pages = { { text = 'Go to <O>.', pictures = { 'lesson.txt' },
    ask = { { 'goal: O, X', label = 'Where?', right = 'O', wrong = 'again' }, 'town' } } }]], "; one\n@.O\n")
  local main, send = "document.getElementById('main').textContent", evaluate "document.querySelector('form').requestSubmit()"
  local function choose(value) return evaluate(("document.querySelector('select').value = '%s'"):format(value)) end
  do
    local server <close> = http.serve(path, "pages.db")
    local values, console = browser.run(server.url .. "/", { visit(lists.merge(phone, { language = "en" })), begin,
      settled("page", "[document.querySelector('form').textContent, document.querySelectorAll('svg').length, test.faults()]"), send,
      evaluate "document.querySelector('select').validity.valueMissing", choose "X", send, settled("page", main), choose "O", send,
      settled("play", "view.position") })
    luaunit.assertEquals(console, {})
    luaunit.assertEquals(values[2], { "Questions with * need an answer.Where? * (no answer)OXtown Go on", 1, {} })
    luaunit.assertEquals({ values[4], values[#values] }, { true, 1 })
    luaunit.assertStrContains(values[7], "Not all answers were right. Please read this once more.")
  end
  local server <close> = http.serve(path .. " --preview", nil)
  local values = browser.run(server.url .. "/", { visit { language = "en" }, begin, settled("page", "document.getElementById('preview').textContent"),
    send, settled("play", "document.getElementById('skip').getAttribute('aria-disabled')"), press "»Skip", settled("play", "view.position"), press "»Skip",
    settled("thanks", "1"), press "Begin again", settled("welcome", "1") })
  luaunit.assertEquals({ values[2], values[4], values[6] }, { "Preview: nothing is kept", "false", 2 })
end

return { Browser = Browser }
