--- The workbench without a server (make wasm) in a headless Chromium, from a file and from a static server, at a phone's width:
--- `make test-wasm`.
local attacks = require "attacks"
local browser = require "browser"
local engines = require "crux.workbench.engine"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local read_json = require "json_reader"
local shell = require "shell"
local workbench = require "workbench"

local page = "build/wasm/site/workbench.html"

local Page = {}

local phone = browser.step("visit", json.object { { "width", 390 }, { "height", 844 }, { "touch", true },
  { "script", workbench.script } })

--- Waits until an expression has a value that is true; this value.
local function soon(expression)
  return browser.evaluate(("test.until(() => { try { return %s; } catch { return null; } })"):format(expression))
end

local function expect_built()
  browser.only()
  luaunit.skipIf(not shell.exists(page), "make wasm was not run, which needs emscripten and f2c")
end

local started = soon "document.querySelector('#views a') && document.querySelector('textarea') && true"
local rating = soon "test.isAnswered() && Number(byId('rating').textContent)"

--- The step that chooses a game and waits for what the engine says of the level that the game makes.
local function choose_game(name)
  return browser.evaluate(("byId('game').value = '%s'; choose('game'); test.until(() => desk.game === '%s' && test.isAnswered())"):format(name, name))
end

local flow = choose_game "flow"
local level = json.encode(shell.read "datasets/levels/flow/2.txt")
local type_level = browser.evaluate(([[{ const area = document.querySelector('textarea'); area.value = %s; area.dispatchEvent(new Event('input')); }]])
  :format(level))

--- The rating of that level by the native program, with two decimals.
local function expected()
  return tonumber(("%.2f"):format(shell.decoded("rate flow datasets/levels/flow/2.txt")[1].rating))
end

--- Serves the files of a folder, without special headers, until /end is asked for; the address and the process.
local function serve(folder)
  local server = shell.file("server.py", [[import http.server, threading
class Handler(http.server.SimpleHTTPRequestHandler):
  def log_message(self, *words): pass
  def do_GET(self):
    if self.path != '/end': return super().do_GET()
    self.send_response(204); self.end_headers()
    threading.Thread(target=server.shutdown).start()
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print('at http://127.0.0.1:%d/' % server.server_port, flush=True)
server.serve_forever()]])
  local said = shell.file("server.said", "")
  local pid = shell.run(("cd %s && python3 %s > %s 2>&1 & echo $!"):format(folder, server, said)).out:match "%d+"
  return shell.wait(pid, function() return shell.read(said):match "http://%S+" end), pid
end

--- The steps from a page of a server to the same page without it, which has two values.
local offline = { browser.evaluate "navigator.serviceWorker.ready.then(() => true)", browser.evaluate "location.href = '/end'",
  browser.evaluate "new Promise(done => setTimeout(done, 500, true))", browser.step("reload", true) }

--- The page from a carrier, `file` or `server`, with what a link has after #, as somebody without cookies: the values of steps. After
--- `steps` the server is gone, the page is opened again and does `later`.
local function visit(carrier, hash, steps, later)
  local at, pid = page, nil
  if carrier == "server" then at, pid = serve "build/wasm/site" end
  local values, console = browser.run(pid and at .. "workbench.html" .. hash or at .. hash,
    lists.concat({ phone, started }, steps, pid and offline or { browser.step("reload", true) }, { started }, later))
  if pid then shell.wait(pid, function() end) end -- it has ended
  luaunit.assertEquals(console, {})
  return values
end

--- The steps that choose a tile and tap on a square with a finger.
---@param place string   JavaScript: column and row, from 0 on; `rows` are those of the last level that was answered
local function tapped(tile, place)
  return { browser.evaluate(([[{ const one = document.querySelector('#view [data-tile="%s"]'); one.click(); one.scrollIntoView();
      test.before = drawing.text; }]]):format(tile)),
    browser.step("drag", ([[(() => {
      const board = document.querySelector('.over .lines'), rows = drawing.answer.board.rows, [x, y] = %s;
      board.scrollIntoView({block: 'center'});
      const box = board.getBoundingClientRect(), column = box.width / rows[0].length, row = box.height / rows.length;
      const point = [box.left + (x + 0.5) * column, box.top + (y + 0.5) * row];
      return [...point, ...point];
    })()]]):format(place), { touch = true }), soon "drawing.text !== test.before && test.isAnswered()" }
end

--- The first square without a tile.
local empty <const> = [[rows.flatMap((line, y) => line.map((tile, x) => [tile, x, y])).find(([tile]) => tile === drawing.answer.empty).slice(1)]]
local new_level = browser.evaluate [[{ const levels = document.querySelector('[aria-label="Level"]'), last = drawing.text;
  levels.value = ''; levels.dispatchEvent(new Event('change')); test.until(() => drawing.text !== last && test.isAnswered()) }]]
--- A fit of least absolute errors, for which the page loads clp.js: the estimates.
local take_data = browser.evaluate(([[{ const given = new DataTransfer();
  given.items.add(new File([%s], 'flow.csv'));
  document.dispatchEvent(new DragEvent('drop', {dataTransfer: given})); }]]):format(json.encode(shell.read "datasets/flow.csv")))
local lad <const> = "difficulty ~ size + colours + corners"
local fitted = browser.evaluate(([[ask('fit', {data: 'flow.csv', variant: {formula: '%s', fit: 'lad'}, paths: []}, 'formula')
  .then(({fault, terms}) => fault ? fault.message : terms.map(({estimate}) => estimate))]]):format(lad))
local save = browser.step("press", "Save")
local shown = browser.evaluate "[drawing.text, byId('rating').textContent, document.documentElement.scrollWidth]"

--- Three levels are drawn with a finger, a rock in the one that the game makes and two on empty boards, rated, and saved; a table
--- is fitted. A link opens the last level for somebody else. Both see the same at the next visit, without a network.
for _, carrier in ipairs { "file", "server" } do
  Page["test_levels_are_drawn_rated_saved_and_linked_from_a_" .. carrier] = function()
    expect_built()
    local function saved(count)
      return { save, soon(("desk.file?.levels.length === %d && !drawing.answer.fault"):format(count)), soon "desk.text === desk.file.levels.at(-1).text" }
    end
    local drawn = { { tapped("#", empty) }, { { new_level }, tapped("A", "[0, 0]"), tapped("a", "[1, 0]") },
      { { new_level }, tapped("A", "[0, 0]"), tapped("a", "[1, 1]") } }
    local steps = { choose_game "move" }
    for i, parts in ipairs(drawn) do steps = lists.concat(steps, table.unpack(lists.concat(parts, { { rating, shown }, saved(i) }))) end
    steps = lists.concat(steps, { take_data, soon "desk.data === 'flow.csv'", fitted, browser.step("press", "Link"), soon "location.hash.startsWith('#level/open=') && location.hash" })
    local all = browser.evaluate "openFile('levels.txt').then(() => desk.file.levels.map(one => one.text))"
    local values = visit(carrier, "", steps, { rating, fitted, all })
    local link, levels = lists.select(values, function(value) return type(value) == "string" and value:find "^#level" end)[1], {}
    for _, value in ipairs(values) do
      if type(value) == "table" and #value == 3 and type(value[3]) == "number" then
        table.insert(levels, value[1])
        local drawn_file = shell.file("drawn.txt", value[1])
        luaunit.assertEquals({ value[2], value[3] }, { ("%.2f"):format(read_json.decode(shell.crux("rate move --format json " .. drawn_file).out)[1].rating), 390 })
      end
    end
    local native = shell.decoded(("fit --formula '%s' datasets/flow.csv --fit lad"):format(lad))
    local estimates = lists.map(native.terms, function(term) return term.estimate end)
    luaunit.assertEquals({ #levels, values[#values - 1], values[#values] }, { 3, estimates, levels })
    values = visit(carrier, link, { rating, shown }, { rating, shown })
    luaunit.assertEquals(values[3][1], levels[3])
    luaunit.assertEquals(values[#values], values[3])
  end
end

--- The page opens with the first game that has a rule. What it knows without an engine, the games and rules and a first level of each
--- game, is what an engine here answers; a game of the user's is among the games at the next visit.
function Page.test_page_opens_with_a_rated_level()
  expect_built()
  local engine = engines.new { named = {}, list = function() return {} end, read = error }
  local own = browser.evaluate [[{ const given = new DataTransfer();
    given.items.add(new File(['-- Mine.\nreturn crux.grid {}'], 'mine.lua'));
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: given})); }]]
  local values = browser.run(page, { phone, started, rating, browser.evaluate "[desk.game, desk.rule, drawing.text]",
    browser.evaluate "ask('desk').then(({games, rules}) => [games, rules].map(rows => rows.map(({name, doc}) => [name, doc])))",
    browser.evaluate "Promise.all(desk.games.map(({name}) => ask('fresh', {game: name}).then(({text}) => text)))", own, soon "desk.game === 'mine.lua'",
    browser.evaluate "ask('desk').then(({games}) => [games.at(-1).name, games.at(-1).doc])" })
  local desk = engine:answer { kind = "desk" }
  local rows = lists.map({ desk.games, desk.rules }, function(list)
    return lists.map(list, function(row) return { row.name, row.doc } end)
  end)
  local fresh = lists.map(desk.games, function(row) return engine:answer({ kind = "fresh", game = row.name }).text end)
  luaunit.assertEquals(values[3], { "flow", "flow", engine:answer { kind = "fresh", game = "flow" }.text })
  luaunit.assertEquals({ values[4], values[5] }, { rows, fresh })
  luaunit.assertEquals(values[#values], { "mine.lua", "Mine." })
end

--- A pattern that is tried for years, in C, where no limit of scripts reaches: the page ends its Worker when the level changes.
function Page.test_script_that_hangs_is_replaced()
  expect_built()
  local hang = browser.evaluate [[{ const given = new DataTransfer();
    given.items.add(new File(['return crux.rule { game = "flow", predicts = "difficulty", formula = function(m) '
      + 'return #(("a"):rep(200):find((".-"):rep(60) .. "b") or "") end }'], 'hang.lua'));
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: given})); }]]
  local values = browser.run(page, { phone, started, flow, type_level, rating, hang, soon "desk.rule === 'hang.lua' && (test.isAnswered() || !byId('busy').hidden)",
    browser.evaluate "byId('rule').value = 'flow'; choose('rule')", rating, browser.evaluate "byId('status').textContent" })
  luaunit.assertEquals(values[8], expected(), json.encode(json.of(values)))
end

--- Hostile scripts of tests/attacks, one after another, each with a level of its own: in the end the page rates as before, and has
--- tried nothing that its Content-Security-Policy forbids. CRUX_TEST_MORE tries all of them.
function Page.test_page_goes_on_after_hostile_scripts()
  expect_built()
  local steps, scripts = { phone, started, flow, type_level, rating }, { { "honest.lua", shell.read "tests/attacks/honest.lua" } }
  for i, attack in ipairs(attacks.list) do
    if i % 8 == 1 or os.getenv "CRUX_TEST_MORE" then table.insert(scripts, { attack.name .. ".lua", shell.read(attack.path) }) end
  end
  for i, script in ipairs(scripts) do
    local name = json.encode(script[1])
    for _, step in ipairs { browser.evaluate(([[{ const given = new DataTransfer();
        given.items.add(new File([%s], %s));
        document.dispatchEvent(new DragEvent('drop', {dataTransfer: given})); }]]):format(json.encode(script[2]), name)),
      soon(("[desk.game, desk.rule].includes(%s) && %s"):format(name, name)),
      browser.evaluate(([[{ const area = document.querySelector('textarea'); area.value = 'xx%d'; area.dispatchEvent(new Event('input'));
        test.until(() => test.isAnswered() || !byId('busy').hidden) }]]):format(i)) } do table.insert(steps, step) end
  end
  for _, step in ipairs { flow, soon "desk.rule === 'flow'", type_level,
    soon(("Number(byId('rating').textContent) === %s"):format(expected())) } do table.insert(steps, step) end
  local values, console = browser.run(page, steps)
  luaunit.assertEquals(console, {})
  luaunit.assertTrue(values[#values])
  for i, script in ipairs(scripts) do luaunit.assertEquals(values[3 + 3 * i], script[1]) end -- the first four are of the level before
end

--- The folder of crux site from a static server without special headers: three levels are played and rated; without the server the
--- page comes again with its levels and ratings. The page itself can open no connection.
function Page.test_levels_of_a_site_are_rated_and_stay_offline()
  expect_built()
  local levels = shell.file("three.txt", "; a\nA a\n\n; b\nA a\n\n; c\nA a\n")
  local folder = shell.path "site"
  shell.printed(("site move %s -o %s"):format(levels, folder))
  local link, pid = serve(folder)
  local playing = soon "document.querySelector('#play:not([hidden])') && view && view.acts === 0"
  local steps = { phone }
  for place = 1, 3 do
    for _, step in ipairs { playing, browser.evaluate "press('left')", soon "document.querySelector('#asked:not([hidden])') && true",
      browser.evaluate(("document.querySelectorAll('#asked button')[%d].click()"):format(place)) } do table.insert(steps, step) end
  end
  local rated = soon "byId('ratings').value.split('\\n').length === 5 && byId('ratings').value.replace(/^\\w+/gm, '').replace(/[\\d.]+,1,0$/gm, '')"
  steps = lists.concat(steps, { rated, browser.evaluate "fetch('/index.html').then(() => 'sent', () => 'refused')" }, offline,
    { rated, browser.evaluate "location.href" })
  local values = browser.run(link .. shell.read(folder .. "/index.html"):match 'href="(workbench.html#play/open=[^"]+)"', steps)
  local last = #values
  luaunit.assertEquals(values[last - 6], ",level,position,attempt,rating,time,solved,skipped\n,a,1,1,2,\n,b,2,1,3,\n,c,3,1,4,\n")
  luaunit.assertEquals({ values[last - 5], values[last - 1] }, { "refused", values[last - 6] })
  luaunit.assertStrContains(values[last], "workbench.html#play/open=")
  shell.wait(pid, function() end) -- it has ended
end

return { Page = Page }
