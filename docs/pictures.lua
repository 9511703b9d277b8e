-- Makes the pictures of the workbench in docs/pictures: `make pictures`, with chromium.
package.path = "tests/support/?.lua;" .. package.path

local browser = require "browser"
local shell = require "shell"
local workbench = require "workbench"

local folder = shell.folder("pictures", { ["flow.csv"] = shell.read "datasets/flow.csv" })
shell.output(("cp -r datasets/levels/flow %s/levels"):format(folder))
shell.output(("%s generate move --side 6 --seed 5 -o %s/move.txt"):format(shell.quote(shell.program), folder))

--- Shows a view as an expression makes it, and keeps its picture.
local function picture(name, words, expression)
  workbench.run(folder, words, { browser.evaluate(expression),
    browser.step("screenshot", ("docs/pictures/workbench-%s.png"):format(name), { width = 1200, height = 800 }) })
end

picture("level", "move move.txt", [[test.find('.board svg.crux-level').then(() => test.rest(6000))]])
picture("set", "flow levels --data flow.csv", [[(async () => {
  location.hash = 'set';
  await test.find('figure');
  await test.press('Straight');
  await test.press('Choose from the set');
  await test.rest(2000);
})()]])
picture("formula", "flow levels --data flow.csv", [[(async () => {
  location.hash = 'formula';
  await test.find('.slider');
  await test.press('+');
  await test.type('.formula', 'difficulty ~ log(size) + colours');
  await test.rest(3000);
  document.querySelector('tbody tr').click();
})()]])
