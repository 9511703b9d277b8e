--- The workbench in a process of its own, and its page in a headless Chromium.
local browser = require "browser"
local luaunit = require "luaunit"
local shell = require "shell"

local workbench = {}

--- The levels whose maps of changes are timed: of 10 x 10 and of 8 x 8 squares at random, and the tenth of Microban.
workbench.levels = {
  move = [[
.  #  .  .  .  .  .  .  #  .
.  .  #  .  .  .  .  .  .  #
#  .  .  .  .  .  .  #  .  .
.  .  #  .  .  .  .  .  .  .
.  .  #  .  .  .  .  #  #  .
.  .  .  .  .  .  #  b  .  .
#  .  #  .  #  .  #  B  .  a
.  .  .  .  .  .  #  .  .  .
bB B  .  .  .  .  .  .  .  .
.  b  #  .  A  .  .  .  #  .
]], flow = ".....AB.\n...C....\n...D....\nE.......\n..DF....\n.AC.F..G\n.EG...B.\n........\n", sokoban = [[
      #####
      #.  #
      #.# #
#######.# #
# @ $ $ $ #
# # # # ###
#       #
#########
]] }

--- Functions of the page for steps.
workbench.script = [[window.test = {
  rest: ms => new Promise(done => setTimeout(done, ms)),
  // Waits for what a function finds, two minutes at most.
  until: async find => {
    for (let i = 0; i < 4800; i++) {
      const found = find();
      if (found) return found;
      await test.rest(25);
    }
    throw new Error(`not within two minutes: ${find}; the page says "${test.status()}"`);
  },
  // True when the last answer of the engine is about the level that is drawn, by the game and the rule that are chosen.
  isAnswered: () => drawing.text && test.answered === test.state(),
  state: () => JSON.stringify([desk.game, desk.rule, drawing.text]),
  find: selector => test.until(() => document.querySelector(selector)),
  // A button by its label.
  button: label => test.until(() => [...document.querySelectorAll('button')].find(one => one.textContent === label && !one.disabled)),
  press: async label => (await test.button(label)).click(),
  type: async (selector, value, kind = 'input') => {
    const field = await test.find(selector);
    field.value = value;
    field.dispatchEvent(new Event(kind, {bubbles: true}));
  },
  status: () => document.getElementById('status').textContent,
  // The names and ratings of the view Set, once they are as many.
  set: async count => {
    await test.until(() => document.querySelectorAll('figcaption b').length === count);
    return [...document.querySelectorAll('figure')].map(one => one.getAttribute('aria-label'));
  },
  middle: one => {
    one.scrollIntoView({block: 'center'});
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  },
  // The faults of the page: wider than the screen, fields and buttons that are too small or have no name.
  faults: () => [
    ...document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} px wide`] : [],
    ...[...document.querySelectorAll('button, select, input:not([type=range])')].filter(one => one.offsetParent
      && (one.offsetWidth < 44 || one.offsetHeight < 44)).map(one => 'small: ' + one.outerHTML),
    ...[...document.querySelectorAll('input, select, textarea')].filter(one => one.offsetParent && !one.labels.length
      && !one.getAttribute('aria-label')).map(one => 'no name: ' + one.outerHTML),
  ],
};
for (const name of ['rated', 'refused']) document.addEventListener(name, () => { test.answered = test.state(); });]]

--- Does steps of tests/support/browser.py on the page of `crux workbench`, which runs in a folder with these words. Returns the
--- values of the steps.
---@param looks table?   of the browser: width, height, scheme
---@return any[]
function workbench.run(folder, words, steps, looks)
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux workbench" end
  local said = shell.file("workbench.said", "")
  local pid = shell.run(("cd %s && %s workbench %s > %s 2>&1 & echo $!"):format(folder, shell.quote(shell.program), words, said))
    .out:match "%d+"
  local link = shell.wait(pid, function() return shell.read(said):match "http://%S+" end) or error(shell.read(said))
  local visit = browser.step("visit", browser.step("script", workbench.script, looks))
  local ok, values, console = pcall(browser.run, link, { visit, table.unpack(steps) })
  shell.run("kill -9 " .. pid)
  if not ok then error(values, 0) end
  luaunit.assertEquals(console, {})
  return values
end

--- JavaScript of the page: edits of a level of the open file that exchange two squares at random, and after each the exchange back;
--- its value is the list of milliseconds from each to its rating on the screen. Those that are no level do not count.
---@param place integer   of the level, from 0 on
function workbench.edits(count, place)
  return ([[(async () => {
    const times = [], answered = () => Promise.race(['rated', 'refused'].map(name =>
      new Promise(done => document.addEventListener(name, () => done(name), {once: true}))));
    let random = 1;
    const draw = most => (random = random * 16807 %% 2147483647) %% most;
    const change = async act => {
      const start = performance.now(), end = answered();
      act();
      const isRated = await end === 'rated';
      await new Promise(requestAnimationFrame);
      if (!isRated) return;
      times.push(performance.now() - start);
      await test.rest(300);
    };
    const text = desk.file.levels[%d].text;
    if (drawing.text !== text) await change(() => drawing.change(text));
    times.length = 0;
    for (let tries = 0; times.length < %d && tries < 1000; tries++) {
      const {rows} = drawing.answer.board, squares = [0, 1].map(() => ({x: draw(rows[0].length) + 1, y: draw(rows.length) + 1}));
      const [first, second] = squares.map(({x, y}) => rows[y - 1][x - 1]);
      if (first === second) continue;
      await change(() => drawing.put([{...squares[0], tile: second}, {...squares[1], tile: first}]));
      await change(() => drawing.put([{...squares[0], tile: first}, {...squares[1], tile: second}]));
    }
    return times;
  })()]]):format(place, count)
end

--- A dataset of levels whose numbers look like measures, and a formula of all of them.
---@return string   CSV
---@return string
function workbench.data(rows, measures)
  local lines, names, random = {}, {}, 1
  for i = 1, measures do names[i] = "m" .. i end
  for row = 1, rows do
    local cells, sum = { "L" .. row }, 0
    for i = 1, measures do
      random = random * 16807 % 2147483647
      cells[i + 1] = random % 1000
      sum = sum + i * cells[i + 1]
    end
    cells[measures + 2] = sum / 1000 + random % 7
    lines[row] = table.concat(cells, ",")
  end
  return ("level,%s,difficulty\n%s\n"):format(table.concat(names, ","), table.concat(lines, "\n")), "difficulty ~ " .. table.concat(names, " + ")
end

--- Moves a slider of a formula of ten terms on a thousand levels, by a hundred steps. Returns the milliseconds of a step in the
--- median, with the layout of what it changes, and how many errors the page showed.
---@return number, integer
function workbench.slider()
  local data, formula = workbench.data(1000, 10)
  local folder = shell.folder("big", { ["big.csv"] = data, ["rule.lua"] = ("return crux.rule { formula = '%s' }\n"):format(formula) })
  local values = workbench.run(folder, "move --data big.csv --rule rule.lua", { browser.evaluate [[(async () => {
    location.hash = 'formula';
    await test.until(() => document.querySelectorAll('.slider').length === 11);
    const slider = document.querySelectorAll('.slider input[type=range]')[3], times = [], errors = new Set();
    for (let i = 0; i < 100; i++) {
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      slider.value = Number(slider.min) + (Number(slider.max) - Number(slider.min)) * i / 100;
      slider.dispatchEvent(new Event('input'));
      document.body.getBoundingClientRect();
      times.push(performance.now() - start);
      errors.add(document.querySelector('table td + td').textContent);
    }
    return [times.sort((a, b) => a - b)[50], errors.size];
  })()]] })
  return table.unpack(values[1])
end

return workbench
