--- End-to-end tests of crux report: what pages say, hostile input, and how they do in a browser.
local browser = require "browser"
local contrast = require "contrast"
local long = require "long"
local luaunit = require "luaunit"
local number = require "crux.base.number"
local plugin = require "plugin"
local report = require "crux.show.report"
local shell = require "shell"

local flow = "flow datasets/flow.csv"

--- Expects a text in a page. (LuaUnit takes minutes to say that a long text has it not.)
local function expect(page, text) luaunit.assertTrue(page:find(text, 1, true) ~= nil, text) end

--- A page, as crux prints it.
local function page_of(line) return shell.printed("report --folds-by order " .. line) end

--- A page in a file.
local function page_file(name, line)
  local path = shell.path(name)
  shell.printed(("report --folds-by order %s -o %s"):format(line, path))
  return path
end

local function hash_of(text)
  local path = shell.file("hashed", text)
  return shell.output(("openssl dgst -sha256 -binary %s | base64"):format(path)):match "%S+"
end

local Report = {}

--- The rule's script may take 3 MB here. The data take more, which does not count: the script runs before crux reads them.
function Report.test_memory_of_the_script()
  local lines, random = { "level,difficulty,size" }, math.random
  math.randomseed(1)
  for i = 1, 50000 do lines[i + 1] = ("%d,%d,%d"):format(i, random(10), random(30)) end
  local data = shell.file("many.csv", table.concat(lines, "\n") .. "\n")
  local rule = shell.file("small.lua", "return crux.rule { formula = 'difficulty ~ size' }\n")
  local result = shell.run(("%s report %s %s --limit-memory 3"):format(shell.program, rule, data)) -- in a process of its own
  luaunit.assertEquals(result.err, "")
  expect(result.out, "fitted to 50,000 levels")
end

--- The page says what the commands say.
function Report.test_same_numbers()
  local page, evaluation = page_of(flow), shell.decoded("evaluate --folds-by order " .. flow)
  local fit = shell.decoded("fit " .. flow)
  expect(page, ("are off by %.3g on average, weighted by solved. Predicting the mean for every level is off by %.3g,")
    :format(evaluation.weighted_mae, evaluation.baseline.weighted_mae))
  expect(page, ("so the rule’s errors are %.0f %% smaller"):format(100 * (1 - evaluation.weighted_mae
    / evaluation.baseline.weighted_mae)))
  -- of the terms, size alone has a variance inflation above 5: as R's car::vif
  expect(page, "by 1.76; other terms tell much of the same (variance inflation 10.1), so even the direction is doubtful.")
  local _, warnings = page:gsub("tell much of the same", "")
  luaunit.assertEquals(warnings, 1)
  for _, fold in ipairs(evaluation.folds) do expect(page, ('data-value="%s"'):format(number.exact(fold.mae))) end
  for _, term in ipairs(fit.terms) do expect(page, ('data-value="%s"'):format(number.exact(term.estimate))) end
  expect(page, "<code>crux report --folds-by order flow datasets/flow.csv</code>")
  -- R: confint(lm(difficulty ~ size + colours + distance + corners, flow, weights = solved)), as tests/cli/plot_test.lua
  expect(page, "size: 0.0874, 95 % interval 0.0611 to 0.114;")
end

--- The measure tells nothing: errors that are not those of the mean show nothing.
function Report.test_noise()
  local line = "--formula 'y ~ a' " .. shell.file("noise.csv", "level,a,y\nA,1,3\nB,2,1\nC,3,4\nD,4,2\nE,5,5\nF,6,2\nG,7,4\nH,8,3\n")
  expect(page_of(line), ", which shows no difference.")
end

--- Nothing depends on the time, the order of tables in memory or the number of workers.
function Report.test_same_bytes()
  long.leave_out()
  local first = page_of(flow .. " datasets/levels/flow/ --jobs 1")
  luaunit.assertTrue(first == page_of(flow .. " datasets/levels/flow/ --jobs 1"))
  local both = page_of(flow .. " datasets/levels/flow/ --jobs 2"):gsub("jobs 2", "jobs 1")
  luaunit.assertTrue(first == both)
end

--- Of 1,001 levels the one that is best predicted is not in the table.
function Report.test_many_levels()
  local rows = { "level,a,y" }
  for i = 0, 1000 do rows[i + 2] = ("level %d,%d,%d"):format(i, i % 2, i == 7 and 3 or i % 2 + 1 + (i // 2 % 2) * 2) end
  local page = page_of("--formula 'y ~ a' " .. shell.file("many.csv", table.concat(rows, "\n")))
  expect(page, "1,000 of 1,001 levels: those furthest off.")
  local _, listed = page:gsub('<th scope="row">level ', "")
  luaunit.assertEquals({ listed, page:find("<th scope=\"row\">level 7<", 1, true) }, { 1000 })
end

function Report.test_pictures()
  local page = page_of(flow .. " datasets/levels/flow/")
  local _, levels = page:gsub('id="level%-%d+%-title"', "")
  local _, solutions = page:gsub('id="solution%-%d+%-title"', "")
  luaunit.assertEquals({ levels, solutions }, { 38, 38 }) -- datasets/levels/README.md: rows 3 and 5 have none
  expect(page, "38 levels of the table, 2 have none.")
  local plain = page_of(flow)
  luaunit.assertNil(plain:find "<details>")
  luaunit.assertNil(plain:find("Pictures are of", 1, true))
end

--- Rules of every kind have a page: refitted, by other fits, of hand-tuned functions, of every shipped game's dataset.
function Report.test_every_kind()
  local data = shell.file("field.csv", "level,size,difficulty\na,1,2\nb,2,3\nc,3,5\nd,4,4\ne,5,7\nf,6,6\n")
  local rule = shell.file("by-hand.lua", 'return crux.rule { formula = function(v) return 2 * v.size end, predicts = "difficulty" }')
  for _, line in ipairs(long.some(3, { "lazors datasets/lazors.csv", "move datasets/move.csv", "roguelike-difficulty datasets/dungeongrams.csv",
    flow .. " --fit lad", flow .. " --as-is", flow .. " --loo", flow .. " --target time" })) do
    local page = page_of(line)
    expect(page, "</html>")
    luaunit.assertNil(page:find("{{", 1, true), line)
  end
  local by_hand = page_of(rule .. " " .. data .. " --folds 3")
  expect(by_hand, "by-hand.lua: found a Lua function without params")
  expect(by_hand, "Not looked at: ")
end

--- Texts from files stay texts: names of levels, of columns, of rules, and the command line.
function Report.test_hostile_texts()
  local rows = { 'level,"<b onclick=""x"">",difficulty' }
  for i, name in ipairs { "<script>alert(1)</script>", '"" onmouseover=""alert(1)', "=cmd|' /C calc'!A0", "{{{main}}}", "</title><svg/onload=x>",
    "</style><script>", "]]>" } do
    table.insert(rows, ('"%s",%d,%d'):format(name, i, i * i % 5 + 1))
  end
  local data = shell.file("<i>data.csv", table.concat(rows, "\n") .. "\n")
  local page = page_of(("--formula 'difficulty ~ `<b onclick=\"x\">`' '%s' --folds 3"):format(data))
  for _, text in ipairs { "<script>alert", "<b onclick", "<svg/onload", "<i>data", '" onmouseover="' } do
    luaunit.assertNil(page:find(text, 1, true), text)
  end
  expect(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(page, "{{{main}}}")
  local _, scripts = page:gsub("<script", "")
  luaunit.assertEquals(scripts, 1)
end

function Report.test_left_out_rows()
  local data = shell.file("gaps.csv", "level,size,difficulty\na,1,2\nb,,3\nc,3,5\nd,4,4\ne,5,7\n")
  local result = shell.crux(("report --folds-by order --formula 'difficulty ~ size' %s --folds 2"):format(data))
  luaunit.assertEquals(result.err, data .. ": 1 row left out: a value is missing\n") -- once, though it is read three times
  expect(result.out, "1 row left out: a value is missing")
end

function Report.test_refusals()
  local one = shell.file("one.csv", "level,size,difficulty\na,1,2\n")
  local bad = shell.file("bad.txt", "AA\nBC\n")
  local target = shell.path "not-there.html"
  for _, case in ipairs {
    { "report", 2, "expected RULE and DATA, or --formula FORMULA and DATA" },
    { "report --folds-by order flow -", 2, "found - as DATA, expected a file, which is read several times" },
    { "report --folds-by order --formula 'difficulty ~ size' " .. one, 1, "one.csv: column 'difficulty': found 4" and "expected values that differ" },
    { "report --folds-by order --formula 'difficulty ~ size' datasets/flow.csv datasets/levels/flow", 1, "expected one, or --game, to read the levels" },
    { "report --folds-by order flow datasets/nothing.csv", 1, "datasets/nothing.csv" },
  } do
    local result = shell.crux(case[1] .. " -o " .. target)
    luaunit.assertEquals(result.status, case[2], case[1])
    luaunit.assertStrContains(result.err, case[3])
    luaunit.assertFalse(shell.exists(target))
  end
  local result = shell.crux(("report --folds-by order %s %s datasets/levels/flow -o %s"):format(flow, bad, shell.path "some.html"))
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "1 of 39 levels failed")
  luaunit.assertStrContains(shell.read(shell.path "some.html"), "38 levels of the table") -- as for other commands on levels
end

--- The Content-Security-Policy allows the style and the script of the page, and nothing else.
function Report.test_policy()
  if shell.run "command -v openssl".status ~= 0 then luaunit.skip "openssl is missing" end
  local page = page_of(flow)
  local script, style = page:match "<script>(.-)</script>", page:match "<style>(.-)</style>"
  luaunit.assertTrue(script == report.script() and style == report.style())
  expect(page, ("content=\"default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; "
    .. "form-action 'none'\""):format(hash_of(script), hash_of(style)))
  luaunit.assertNil(page:find " style=")
  luaunit.assertNil(page:find " on%l+=")
  luaunit.assertNil(page:find "https?:" and page:gsub("http://www.w3.org/2000/svg", ""):find "https?:")
end

--- Headings go down one step at a time, ids are there once, and references have their ids.
local function check_structure(page)
  local last, ids = 0, {}
  for level in page:gmatch "<h(%d)" do
    luaunit.assertTrue(tonumber(level) <= last + 1)
    last = tonumber(level)
  end
  for id in page:gmatch ' id="([^"]*)"' do
    luaunit.assertNil(ids[id], id)
    ids[id] = true
  end
  for list in page:gmatch ' aria%-labelledby="([^"]*)"' do
    for id in list:gmatch "%S+" do luaunit.assertTrue(ids[id], id) end
  end
  for id in page:gmatch ' href="#([^"]*)"' do luaunit.assertTrue(ids[id], id) end
  local _, firsts = page:gsub("<h1", "")
  luaunit.assertEquals(firsts, 1)
end

--- A Python that has html5lib, if there is one.
local function python_with_html5lib()
  for _, python in ipairs { "python3", "/usr/bin/python3" } do
    if shell.run(python .. " -c 'import html5lib'").status == 0 then return python end
  end
end

--- What validators find wrong with a page.
local function check_valid(path)
  local python = python_with_html5lib()
  if python then
    local parse = "import html5lib, sys; html5lib.HTMLParser(strict=True).parse(open(sys.argv[1], encoding='utf-8').read())"
    luaunit.assertEquals(shell.run(("%s -c %s %s"):format(python, shell.quote(parse), path)).err, "")
  end
  if shell.run "command -v tidy".status == 0 then -- it knows no attributes of SVG
    local found = shell.run(("tidy -q -e %s 2>&1 | grep -v proprietary"):format(path)).out
    luaunit.assertEquals(found, "")
  end
  return python
end

function Report.test_structure_and_validity()
  long.leave_out()
  local path = page_file("report.html", flow .. " datasets/levels/flow/")
  check_structure(shell.read(path))
  if not check_valid(path) then luaunit.skip "html5lib is missing" end
end

--- Text can be read on every ground, in light, in dark and on paper: AA, 4.5; what has the focus is seen: 3.
function Report.test_contrast()
  local schemes = 0
  for rules in shell.read "web/report/page.css":gmatch ":root {(.-)}" do
    local colour = {}
    for name, value in rules:gmatch "%-%-(%l+): (#%x+);" do colour[name] = value end
    for _, ground in ipairs { "ground", "raised" } do
      for name, least in pairs { text = 4.5, muted = 4.5, link = 4.5, focus = 3 } do
        if colour[name] then luaunit.assertTrue(contrast(colour[name], colour[ground]) >= least, name .. " on " .. ground) end
      end
    end
    schemes = schemes + 1
  end
  luaunit.assertEquals(schemes, 3)
end

local Study = {}

--- examples/study/report.lua: every table and figure is there, and the published numbers hold.
function Study.test_all()
  long.only()
  plugin.expect()
  local page = plugin.output "examples/study/report.lua"
  local path = shell.file("study.html", page)
  for i = 1, 23 do expect(page, ("<h3 id=\"figure-%d\">"):format(i)) end
  for i = 1, 20 do expect(page, ("<h3 id=\"table-%d\">"):format(i)) end
  for _, id in ipairs { "table-1", "figure-3", "figure-4", "figure-5", "figure-6" } do
    expect(page, ("<h3 id=\"paper-%s\">"):format(id))
  end
  -- 640 coefficients, 240 errors, 740 predictions and 21 correlations, but for the rows of datasets/published-exceptions.csv
  local _, exceptions = shell.read "datasets/published-exceptions.csv":gsub("\n", "")
  local held = 640 + 240 + 740 + 21 - (exceptions - 1)
  expect(page, ("1,%d of 1,%d published cells"):format(held - 1000, held - 1000))
  -- thesis, Table 1: weighted average of difficulty; paper, Table 1: density
  expect(page, '<td class="number">0.4040</td><td class="number">0.4041</td>')
  expect(page, '<th scope="row">density</th><td class="number">1.0</td>')
  check_structure(page)
  if not check_valid(path) then luaunit.skip "html5lib is missing" end
end

local Browser = {}

--- The names of the first three levels of the table, and what the focused heading says of the order.
local state = browser.evaluate("[...document.querySelectorAll('#levels ~ .scroll tbody th')].slice(0, 3).map(e => e.textContent)"
  .. ".concat(document.activeElement.closest('th')?.getAttribute('aria-sort')).join()")

--- On a phone of 390 px the rating, the prediction and the error of a level are on the screen, and the page is no wider; a level that
--- is furthest off leads to its row; the page names no folders of this machine.
function Browser.test_on_a_phone()
  browser.only()
  local here = shell.output "pwd":gsub("\n", "")
  local path = page_file("phone.html", ("move %s/datasets/move.csv %s/datasets/levels/move/"):format(here, here))
  local values, console = browser.run(path, { browser.step("visit", browser.step("width", 390, { height = 844, touch = true })),
    browser.evaluate "[...document.querySelectorAll('#level-table-caption ~ thead th')].slice(1, 4).map(e => e.textContent).join()",
    browser.evaluate "document.querySelectorAll('#level-table-caption ~ thead th')[3].getBoundingClientRect().right <= innerWidth - 16",
    browser.evaluate "document.documentElement.scrollWidth",
    browser.evaluate "(link => document.querySelector(link.hash).cells[0].textContent === link.textContent)(document.querySelector('li a[href^=\"#row\"]'))",
    browser.evaluate(("document.documentElement.outerHTML.includes('%s')"):format(here)) })
  luaunit.assertEquals(console, {})
  luaunit.assertEquals(values, { "rated difficulty,predicted,error", true, 390, true, false })
end

--- The keyboard alone goes to the table and sorts it: Enter and space, up and down.
function Browser.test_sorts_by_keyboard()
  browser.only()
  local path = page_file("report.html", flow .. " datasets/levels/flow/7.txt")
  local steps = { browser.key "Tab", browser.evaluate "document.activeElement.textContent" }
  for _ = 1, 7 + 5 + 2 do table.insert(steps, browser.key "Tab") end -- parts of the page, levels, the table, its first button
  for _, key in ipairs { "", "Enter", " " } do
    if key ~= "" then table.insert(steps, browser.key(key)) end
    table.insert(steps, state)
  end
  for _ = 1, 2 do table.insert(steps, browser.key "Tab") end -- the next columns: rated, predicted
  table.insert(steps, browser.key "Enter")
  table.insert(steps, state)
  local values, console = browser.run(path, steps)
  luaunit.assertEquals(console, {})
  luaunit.assertEquals(values[1], "Skip to the report")
  luaunit.assertEquals({ values[2], values[3], values[4] }, { "1,2,3,", "1,2,3,ascending", "40,39,38,descending" })
  local evaluation = {}
  for row in shell.read(path):match("id=\"levels\".-</table>"):gmatch "<tr[^>]*>.-</tr>" do
    local level, cells = row:match 'row">(%d+)<', {}
    for text in row:gmatch '<td class="number"[^>]*>([^<]*)<' do table.insert(cells, tonumber(text)) end
    if level then table.insert(evaluation, { level, cells[2] }) end
  end
  table.sort(evaluation, function(a, b) return a[2] < b[2] end)
  luaunit.assertEquals(values[5], ("%s,%s,%s,ascending"):format(evaluation[1][1], evaluation[2][1], evaluation[3][1]))
end

--- No page is wider than a phone, and none is loud in the console, in light and in dark.
function Browser.test_widths()
  browser.only()
  local path = page_file("report.html", "move datasets/move.csv datasets/levels/move/1.txt")
  local image = shell.path "page.png"
  local steps = {}
  for _, width in ipairs { 390, 1280 } do
    for _, scheme in ipairs { "light", "dark" } do
      table.insert(steps, browser.step("screenshot", image, { width = width, height = 800, scheme = scheme }))
      table.insert(steps, browser.evaluate "document.documentElement.scrollWidth")
    end
  end
  luaunit.assertEquals({ browser.run(path, steps) }, { { 390, 390, 1280, 1280 }, {} })
end

return { Report = Report, Study = Study, Browser = Browser }
