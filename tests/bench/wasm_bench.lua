-- Times crux as WebAssembly beside the native program: the same tasks, each in an engine that has run it before, in node and here, on
-- one thread; and the page of `make wasm` in Chromium, from opening it, and from an edit, to the rating. LEVELS names folders or files
-- of Sokoban whose levels are edited, too.
package.path = "tests/support/?.lua;tests/bench/?.lua;" .. package.path
local browser = require "browser"
local json = require "crux.base.json"
local library = require "crux.api.library"
local lists = require "crux.base.lists"
local read_json = require "json_reader"
local shell = require "shell"
local timing = require "timing"
local workbench = require "workbench"

local package_folder <const>, page <const> = "build/wasm/package", "build/wasm/site/workbench.html"
local SECONDS <const>, LEAST <const> = 2, 5 -- as in wasm_bench.js
local OPENINGS <const>, EDITS <const>, EDITS_OF_MANY <const> = 7, 100, 2 -- of one level, and of each of LEVELS

--- The least processor seconds of a call, as wasm_bench.js finds them.
local function least(call)
  local best, runs, spent, count = math.huge, 1, 0, 0
  while spent < SECONDS or count < LEAST do
    local start = os.clock()
    for _ = 1, runs do call() end
    local time = os.clock() - start
    spent, count, best = spent + time, count + 1, math.min(best, time / runs)
    if time < 0.02 then runs = runs * 2 end
  end
  return best
end

-- The level of 6 x 6 squares of move_bench.lua, which has no solution and 669,384 states.
local hard = "a b . . A .\n. # . . . .\n. . c . B .\n. . . # . .\nC . . . d .\n. . . . . D\n"

local large, formula_of_large = workbench.data(20000, 5)
local made = { dungeongrams = shell.file("dungeons.txt", shell.output(shell.quote(shell.program)
  .. " generate dungeongrams --count 20 --seed 1")), large = shell.file("large.csv", large), hard = shell.file("hard.txt", hard) }

local function levels(task, game, input) return { task = task, options = { game = game, levels = { input }, jobs = 1 } } end

local function fit(options) return { task = "fit", options = options } end

local searches = {
  levels("measure", "move", "datasets/levels/move"), levels("measure", "move", made.hard),
  levels("solve", "sokoban", "datasets/levels/sokoban"), levels("measure", "sokoban", "datasets/levels/sokoban"),
  levels("measure", "dungeongrams", made.dungeongrams), levels("measure", "rushhour", "datasets/levels/rushhour"),
  levels("measure", "flow", "datasets/levels/flow"), levels("measure", "lazors", "datasets/levels/lazors"),
  levels("measure", "sudoku", "datasets/levels/sudoku"),
}
local fits = {
  fit { rule = "flow", data = "datasets/flow.csv" },
  fit { formula = formula_of_large, data = made.large },
  fit { formula = "difficulty ~ size + colours + corners", data = "datasets/flow.csv", fit = "lasso" },
  fit { formula = "difficulty ~ size + colours + corners", data = "datasets/flow.csv", fit = "lad" },
  fit { formula = "log(seconds) ~ 1 + (1 | player) + (1 | level)", data = "datasets/rushhour-plays.csv" },
}

--- The texts of files that a case reads, by path.
local function files_of(case)
  local files = {}
  for _, path in ipairs(lists.concat({ case.options.data }, case.options.levels or {})) do
    local names = shell.run("test -d " .. path).status == 0 and shell.list(path)
    for _, file in ipairs(names and lists.map(names, function(name) return path .. "/" .. name end) or { path }) do
      files[file] = shell.read(file)
    end
  end
  return files
end

local function in_node(case)
  local work = shell.file("work.json", json.encode(json.object { { "files", json.by_name(files_of(case)) }, { "cases", json.of { case } } }))
  return read_json.decode(shell.output(("node tests/bench/wasm_bench.js %s %s"):format(shell.quote(package_folder), work)))[1]
end

local function title_of(case)
  local options = case.options
  return ("%s %s %s"):format(case.task, options.game or options.fit or options.rule or options.formula, (options.data or options.levels[1]):match "[^/]+$")
end

local function compare(cases, bar)
  for _, case in ipairs(cases) do
    local native = least(function() library.task(case.task, case.options) end)
    local found = in_node(case)
    print(("%-64s native %8.2f ms, WebAssembly %8.2f ms, ratio %.2f (bar %.1f)"):format(title_of(case), 1000 * native, 1000 * found,
      found / native, bar))
  end
end

--- The page with levels in its link.
local function link_to(game, path)
  local folder = shell.path "site"
  shell.output("rm -rf " .. folder)
  shell.crux(("site %s %s -o %s --workbench ."):format(game, path, folder))
  return page .. "#level/" .. shell.read(folder .. "/index.html"):match 'href="%.#set/(open=[^"]+)"'
end

local visit = browser.step("visit", json.object { { "script", workbench.script
  .. "document.addEventListener('rated', () => { window.firstRated ||= performance.now(); });" } })
local first = browser.evaluate "test.until(() => window.firstRated)"

local function opened(name, link)
  local steps, times = {}, {}
  for _ = 1, OPENINGS do
    for _, step in ipairs { visit, first, browser.evaluate "test.rest(500)" } do table.insert(steps, step) end
  end
  for i, value in ipairs((browser.run(link, steps))) do if i % 2 == 1 then table.insert(times, value) end end
  print(("first rating  %-14s %3d openings: median %4.0f ms (bar 500), least %4.0f ms"):format(name, #times, timing.median(times), times[1]))
end

local function edited(name, link, count, edits)
  local steps, times = { visit, first }, {}
  for place = 0, count - 1 do table.insert(steps, browser.evaluate(workbench.edits(edits, place))) end
  for i, list in ipairs((browser.run(link, steps))) do if i > 1 then table.move(list, 1, #list, #times + 1, times) end end
  print(("edit to rating  %-12s %3d edits: median %4.0f ms, 95th %4.0f ms (bar 30)"):format(name, #times, timing.median(times),
    times[math.ceil(0.95 * #times)]))
end

compare(searches, 2.5)
compare(fits, 1.5)
local drawn = {
  { "flow", "datasets/levels/flow/4.txt" }, { "move", "datasets/levels/move/4.txt" }, { "lazors", "datasets/levels/lazors/10.bff" },
  { "sokoban", shell.file("sokoban.xsb", workbench.levels.sokoban) },
  { "dungeongrams", shell.file("dungeon.txt", shell.output(shell.quote(shell.program) .. " generate dungeongrams --seed 1")) },
}
opened("without a link", page)
for _, level in ipairs(drawn) do opened(level[1], link_to(table.unpack(level))) end
for _, level in ipairs(drawn) do edited(level[1], link_to(table.unpack(level)), 1, EDITS) end
local levels_of_sokoban = os.getenv "LEVELS"
if levels_of_sokoban then
  local count = #library.task("solve", { game = "sokoban", levels = { levels_of_sokoban }, states = 1 }).tables[1].rows
  edited("sokoban LEVELS", link_to("sokoban", levels_of_sokoban), count, EDITS_OF_MANY)
end
