--- The workbench in a process of its own, and its page in a headless Chromium.
local browser = require "browser"
local luaunit = require "luaunit"
local shell = require "shell"

local workbench = {}

--- Functions of the page for steps.
local script = [[window.test = {
  rest: ms => new Promise(done => setTimeout(done, ms)),
  // Waits for what a function finds.
  until: async find => {
    for (let i = 0; i < 1200; i++, await test.rest(25)) {
      const found = find();
      if (found) return found;
    }
    throw Error('never: ' + find);
  },
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
};]]

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
  local visit = browser.step("visit", browser.step("script", script, looks))
  local ok, values, console = pcall(browser.run, link, { visit, table.unpack(steps) })
  shell.run("kill -9 " .. pid)
  if not ok then error(values, 0) end
  luaunit.assertEquals(console, {})
  return values
end

return workbench
