--- Times the workbench in a headless Chromium: from an edit to the new rating on the screen, the map of changes, suggestions, and a
--- slider, as docs/workbench.md describes them. Milliseconds of the clock.
package.path = "tests/support/?.lua;tests/bench/?.lua;" .. package.path
local browser = require "browser"
local json = require "crux.base.json"
local shell = require "shell"
local timing = require "timing"
local workbench = require "workbench"

local crux = shell.quote(shell.program)

--- The value of JavaScript in the page of a level, after its first rating.
local function value_in_page(game, text, rule, script)
  local folder = shell.folder("bench", { ["level.txt"] = text, ["rule.lua"] = rule or "" })
  return workbench.run(folder, ("%s level.txt%s"):format(game, rule and " --rule rule.lua" or ""),
    { browser.evaluate("test.until(() => drawing.answer?.board)"), browser.evaluate(script) })[2]
end

--- The same of an asynchronous function, whose text follows `async () =>`.
local function in_page(game, text, rule, script) return value_in_page(game, text, rule, ("(async () => %s)()"):format(script)) end

--- The map after a change of the text alone.
local map = [[{
  const start = performance.now(), map = drawing.map;
  drawing.change('; again\n' + drawing.text);
  await test.until(() => byId('rating').textContent !== '' && drawing.answer.board.head.startsWith('; again'));
  const rated = performance.now() - start;
  await test.until(() => map.querySelector('rect'));
  const first = performance.now() - start;
  await test.until(() => map.dataset.isWhole === 'true');
  return [rated, first, performance.now() - start];
}]]

--- Suggestions at some ratings: the time, the farthest rating and how many levels have a solution.
local suggestions = [[{
  const rows = [];
  for (const rating of %s) {
    const start = performance.now(), {suggestions} = await ask('suggestions', {text: drawing.text, rating});
    const time = performance.now() - start, off = Math.max(...suggestions.map(one => Math.abs(one.rating - rating)));
    let solved = 0;
    for (const {text} of suggestions) solved += (await ask('level', {text})).solution.status === 'solved';
    rows.push([rating, time, off, suggestions.length, solved]);
  }
  return rows;
}]]

local function edited(name, game, text, median, late)
  local times = value_in_page(game, text, nil, workbench.edits(100, 0))
  print(("edit to rating  %-12s %3d edits: median %4.0f ms (bar %d), 95th %4.0f ms (bar %d)"):format(name, #times, timing.median(times),
    median, times[math.ceil(0.95 * #times)], late))
end

local dungeon = shell.output(("%s generate dungeongrams --seed 1"):format(crux))
edited("flow", "flow", shell.read "datasets/levels/flow/4.txt", 60, 150)
edited("move", "move", shell.read "datasets/levels/move/4.txt", 60, 150)
edited("lazors", "lazors", shell.read "datasets/levels/lazors/10.bff", 60, 150)
edited("sokoban", "sokoban", workbench.levels.sokoban, 60, 150)
edited("dungeongrams", "dungeongrams", dungeon, 60, 150)
edited("rushhour", "rushhour", shell.output(("%s generate rushhour --seed 1"):format(crux)), 150, 400)
for _, game in ipairs { "move", "flow", "sokoban" } do
  local found = in_page(game, workbench.levels[game], nil, map)
  print(("map of changes  %-12s rated %4.0f ms, first colours %4.0f ms (bar 300), all %5.0f ms (bar 2000)"):format(game, found[1],
    found[2], found[3]))
end
local lights = "return crux.rule { formula = 'difficulty ~ presses', coefficients = { ['(intercept)'] = 1, presses = 0.6 }, "
  .. "scale = { 1, 10 } }"
for _, case in ipairs {
  { "move", workbench.levels.move, { 2, 4, 6, 8, 9 } }, { "flow", workbench.levels.flow, { 2, 3, 4, 5, 6 } },
  { "sokoban", workbench.levels.sokoban, { 2, 4, 6, 8 } },
  { os.getenv "CRUX_HOME" .. "/examples/lights.lua", "*..\n...\n..*\n", { 2.8, 4, 4.6 }, lights },
  { os.getenv "CRUX_HOME" .. "/examples/lights.lua", "*...*\n.....\n..*..\n.....\n*...*\n", { 2.8, 4, 5.2 }, lights },
} do
  local game, text, wanted, rule = table.unpack(case)
  for _, row in ipairs(in_page(game, text, rule, suggestions:format(json.encode(json.of(wanted))))) do
    print(("suggestions     %-12s rating %.1f: %4.0f ms (bar 3000), off by at most %.2f (bar 0.5), %d of %d solvable")
      :format(game:match "[^/]*$", row[1], row[2], row[3], row[5], row[4]))
  end
end
print(("slider          1,000 levels: %.1f ms a step in the median (bar 16)"):format((workbench.slider())))
