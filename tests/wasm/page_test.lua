--- The workbench without a server (make wasm) in a headless Chromium, from a file, at a phone's width: `make test-wasm`.
local browser = require "browser"
local json = require "crux.base.json"
local luaunit = require "luaunit"
local shell = require "shell"

local page = "build/wasm/site/index.html"

local Page = {}

local phone = browser.step("visit", json.object { { "width", 390 }, { "height", 844 } })

--- Waits until an expression is true, at most 20 s; its value.
local function soon(expression)
  return browser.evaluate(("new Promise(done => { const end = Date.now() + 20000, look = () => { let found = null; "
    .. "try { found = %s; } catch {} if (found || Date.now() > end) done(found); else setTimeout(look, 20); }; look(); })"):format(expression))
end

local function expect_built()
  browser.only()
  luaunit.skipIf(not shell.exists(page), "make wasm was not run, which needs emscripten and f2c")
end

local started = soon "document.querySelector('#views a') && document.querySelector('textarea') && true"
local rating = soon "Number(byId('rating').textContent) || null"
local flow = browser.evaluate "byId('game').value = 'flow'; choose('game')"
local level = json.encode(shell.read "datasets/levels/flow/2.txt")
local type_level = browser.evaluate(
  ("new Promise(done => setTimeout(() => { const area = document.querySelector('textarea'); area.value = %s; "
    .. "document.addEventListener('rated', () => done(true), {once: true}); setTimeout(done, 2000); "
    .. "area.dispatchEvent(new Event('input')); }, 500))"):format(level))

--- The rating of that level by the native program, with two decimals.
local function expected()
  return tonumber(("%.2f"):format(shell.decoded("rate flow datasets/levels/flow/2.txt")[1].rating))
end

function Page.test_level_is_rated_saved_and_linked()
  expect_built()
  local save = browser.evaluate "[...document.querySelectorAll('button')].find(one => one.textContent === 'Save').click()"
  local saved = soon "desk.file && desk.file.levels.length === 1 && desk.file.path"
  local link = soon "location.hash.startsWith('#open=') && location.hash"
  local share = browser.evaluate "[...document.querySelectorAll('button')].find(one => one.textContent === 'Link').click()"
  local values, console = browser.run(page, { phone, started, flow, type_level, rating, save, saved, browser.step("reload", true), started,
    rating, share, link })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals({ values[4], values[6], values[8] }, { expected(), "levels.txt", expected() })
  values = browser.run(page, { phone, started,
    browser.evaluate(("location.hash = '%s'"):format(values[10])), browser.step("reload", true), started, rating,
    soon "byId('game').value === 'flow'", soon "document.documentElement.scrollWidth <= 390" })
  luaunit.assertEquals({ values[4], values[5], values[6] }, { expected(), true, true })
end

--- A pattern that is tried for years, in C, where no limit of scripts reaches: the page ends its Worker when the level changes.
function Page.test_script_that_hangs_is_replaced()
  expect_built()
  local hang = browser.evaluate [[{ const given = new DataTransfer();
    given.items.add(new File(['return crux.rule { game = "flow", predicts = "difficulty", formula = function(m) '
      + 'return #(("a"):rep(200):find((".-"):rep(60) .. "b") or "") end }'], 'hang.lua'));
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: given})); }]]
  local values = browser.run(page, { phone, started, flow, type_level, rating, hang, type_level, soon "desk.rule === 'hang.lua'",
    browser.evaluate "byId('rule').value = 'flow'; choose('rule')", rating, browser.evaluate "byId('status').textContent" })
  luaunit.assertEquals(values[9], expected(), json.encode(json.of(values)))
end

return { Page = Page }
