--- The views Set, Formula and Script in a headless Chromium: `make test-browser`.
local browser = require "browser"
local decoder = require "json_reader"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"
local workbench = require "workbench"

local Views = {}

local evaluate = browser.evaluate

--- Levels of Move, whose ratings rise with their length.
local three = "; short\nA a\n\n; long\nA . . . a\n\n; middle\nA . a\n"

local function set_of(steps, looks)
  browser.only()
  local folder = shell.folder("set", { ["levels.txt"] = three })
  return workbench.run(folder, "move levels.txt", { evaluate "location.hash = 'set'; test.set(3)", table.unpack(steps) }, looks),
    folder .. "/levels.txt"
end

--- The order is by keys, by rating and by dragging; what is saved are the same levels.
function Views.test_an_order_is_made_and_saved()
  local values, path = set_of {
    evaluate "(async () => { (await test.find('figure')).focus(); return document.activeElement.tagName; })()",
    evaluate [[document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true})),
      test.set(3)]],
    evaluate "test.press('Order by rating').then(() => test.set(3))",
    browser.step("drag", [[[...test.middle(document.querySelectorAll('figure')[2]), ...test.middle(document.querySelectorAll('figure')[1]),
      ...test.middle(document.querySelectorAll('figure')[0])] ]]),
    evaluate "test.set(3)",
    evaluate "test.press('Save the order').then(() => test.until(() => test.status().startsWith('Saved')))",
  }
  local function names(value)
    return lists.map(value, function(label) return label:match "^%d: (%w+)" end)
  end
  luaunit.assertEquals(names(values[1]), { "short", "long", "middle" })
  luaunit.assertEquals(names(values[3]), { "long", "short", "middle" })
  luaunit.assertEquals(names(values[4]), { "short", "middle", "long" })
  luaunit.assertEquals(names(values[5]), { "long", "short", "middle" })
  luaunit.assertEquals(shell.read(path), "; long\nA . . . a\n\n; short\nA a\n\n; middle\nA . a\n")
end

--- An answer without a fault takes back a fault, and nothing that was said of a save.
function Views.test_what_a_save_said_stays()
  local values = set_of {
    evaluate "say('Saved'); hasFault({}); test.status()",
    evaluate "hasFault({fault: {message: 'not whole'}}); test.status()",
    evaluate "hasFault({}); test.status()",
  }
  luaunit.assertEquals({ table.unpack(values, 2) }, { "Saved", "not whole", "" })
end

--- Three levels are played and rated, one without an answer; the ratings are kept, and are a study that crux aggregate reads.
function Views.test_levels_are_played_and_rated()
  browser.only()
  local folder = shell.folder("played", { ["levels.txt"] = three })
  local play = [=[(async () => {
      const solve = async (moves, answer) => {
        await test.until(() => view && view.acts === 0 && view.moves === 0);
        for (let i = 0; i < moves; i++) press('left');
        await test.until(() => document.querySelector('#asked:not([hidden])'));
        await test.press(answer);
      };
      location.hash = 'play';
      for (const [moves, answer] of [[1, '2'], [4, 'No answer'], [2, '10']]) await solve(moves, answer);
      await test.until(() => test.status() === 'Thank you! You have done all levels.');
      return document.getElementById('ratings').value;
    })()]=]
  local values = workbench.run(folder, "move levels.txt", { evaluate(play), evaluate "test.faults()", browser.step("reload", true),
    evaluate "test.until(() => document.getElementById('ratings')?.value.includes('middle') && byId('ratings').value)" }, { width = 390, height = 844 })
  local rows = values[1]:gsub("%x%x%x%x%x%x%x%x,", "P,"):gsub(",%d+%.%d,", ",T,")
  luaunit.assertEquals(rows, "player,level,position,attempt,rating,time,solved,skipped\nP,short,1,1,2,T,1,0\nP,long,2,1,,T,1,0\nP,middle,3,1,10,T,1,0\n")
  luaunit.assertEquals({ values[2], values[3] }, { {}, values[1] })
  local path, means = shell.file("ratings.csv", values[1]), {}
  for level, mean in shell.crux("aggregate --format csv " .. path).out:gmatch "(%l+),%d,1,1,0,(%d*)," do means[level] = mean end
  luaunit.assertEquals(means, { short = "2", long = "", middle = "10" })
end

--- A falling curve is drawn by hand; the levels that fit are the set's, in the curve's order.
function Views.test_levels_are_chosen_for_a_drawn_curve()
  local values = set_of {
    evaluate [[(async () => {
      const chart = document.querySelector('.chart'), box = chart.getBoundingClientRect(), at = (x, y) => ({bubbles: true, pointerId: 1,
        clientX: box.x + box.width * x / 560, clientY: box.y + box.height * y / 320});
      chart.setPointerCapture = () => {};
      await test.press('Straight');
      const key = name => chart.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
      chart.dispatchEvent(new PointerEvent('pointerdown', at(44, 8)));
      chart.dispatchEvent(new PointerEvent('pointermove', at(552, 284)));
      chart.dispatchEvent(new PointerEvent('pointerup', at(552, 284)));
      key('ArrowLeft'); key('ArrowUp');
      return test.status();
    })()]],
    evaluate [[(async () => { await test.type('input[max="5"]', '5'); await test.press('Choose from the set'); return test.set(3); })()]],
  }
  -- from 10 at place 1 to 1 at place 3: 5.5 at place 2, one step of 0.1 up
  luaunit.assertEquals(values[2], "Place 2: 5.6 is wanted.")
  luaunit.assertEquals(#values[3], 3)
end

--- New levels for a curve come behind the others; they are rated as is wanted.
function Views.test_levels_are_made_for_a_curve()
  local values = set_of {
    evaluate [[(async () => {
      await test.type('input[max="500"]', '2');
      await test.press('Straight');
      await test.press('Make what is missing');
      return (await test.set(5)).map(label => Number(/[\d.]+$/.exec(label)[0]));
    })()]],
  }
  local low, high = values[2][1], values[2][2] -- of short and long
  luaunit.assertTrue(math.abs(values[2][4] - low) <= 0.51 and math.abs(values[2][5] - high) <= 0.51)
end

function Views.test_narrow_and_dark()
  for _, hash in ipairs { "set", "formula", "script" } do
    browser.only()
    local folder = shell.folder("narrow", { ["levels.txt"] = three, ["data.csv"] = shell.read "datasets/move.csv" })
    local values = workbench.run(folder, "move levels.txt --data data.csv", {
      evaluate(("location.hash = '%s'; test.rest(1500).then(() => test.faults())"):format(hash)),
    }, { width = 390, height = 844, scheme = "dark" })
    luaunit.assertEquals(values[1], {}, hash)
  end
end

--- A thousand levels and ten terms: the step of a slider, with the layout of what it changes.
function Views.test_errors_follow_a_slider()
  browser.only()
  local median, errors = workbench.slider()
  print(("a step of a slider of 1,000 levels: %.1f ms in the median"):format(median))
  luaunit.assertTrue(errors > 90) -- the error follows
end

--- A script that is saved elsewhere rates anew; its mistake is told, and marked in the editor.
function Views.test_scripts_are_loaded_again()
  browser.only()
  local rule = "return crux.rule {\n  predicts = 'difficulty',\n  formula = function(level) return %s end,\n}\n"
  local folder = shell.folder("again", { ["levels.txt"] = three, ["rule.lua"] = rule:format "level.moves" })
  local function save(text) return evaluate(("test.save(%s)"):format(json.encode(text))) end
  local values = workbench.run(folder, "move levels.txt --rule rule.lua", {
    evaluate [[window.test.save = async text => {
      const {version} = await ask('script', {path: 'rule.lua'});
      return (await ask('save_script', {path: 'rule.lua', text, version})).fault?.message ?? 'saved';
    };
    { // the page looks at the scripts each second, and has looked once before they change
      const asked = ask;
      ask = async (...words) => {
        const answer = await asked(...words);
        if (words[0] === 'stamps' && answer) setTimeout(() => { test.hasLooked = true; });
        return answer;
      };
    }
    location.hash = 'set';
    test.set(3).then(() => test.until(() => test.hasLooked))]],
    save(rule:format "2 * level.moves"),
    evaluate "test.until(() => document.querySelector('figcaption b')?.textContent === '2.00')",
    save(rule:format "2 *+ level.moves"),
    evaluate "test.until(() => test.status().includes('rule.lua:3')).then(() => test.status())",
    evaluate [[location.hash = 'script'; test.until(() => document.querySelector('#view .fault')?.textContent)]],
  })
  luaunit.assertEquals({ values[2], values[4] }, { "saved", "saved" })
  luaunit.assertStrContains(values[5], "rule.lua:3")
  luaunit.assertStrContains(values[6], "rule.lua:3")
end

--- Scripts of crux's own are saved beside the levels, and used from then on; another file is replaced only if the user says so.
function Views.test_scripts_of_crux_are_saved_under_another_name()
  browser.only()
  local folder = shell.folder("own", { ["levels.txt"] = three, ["other.lua"] = "-- other\n" })
  local rule, game = shell.read "rules/move.lua", shell.read "games/move.lua"
  local function saved(path, answer)
    return ([[test.type('input[aria-label=File]', '%s').then(() => { window.answer = %s; return test.press('Save'); })]]):format(path, answer)
  end
  local values = workbench.run(folder, "move levels.txt", {
    evaluate [[(async () => {
      window.replaced = [];
      window.confirm = text => { replaced.push(text); return window.answer; };
      window.path = () => document.querySelector('input[aria-label=File]')?.value;
      await test.until(test.isAnswered);
      location.hash = 'script';
      return test.until(path);
    })()]],
    evaluate "test.press('Save').then(() => test.until(() => test.status())).then(said => [said, byId('rule').value, path()])",
    evaluate [[(async () => {
      await test.type('[aria-label=Script]', 'game', 'change');
      const proposed = await test.until(() => path() !== 'my-move-rule.lua' && path());
      await test.press('Save');
      await test.until(() => test.status() === `Saved ${proposed}.`);
      return [proposed, byId('game').value, byId('rule').value, document.querySelector('[aria-label=Script]').selectedOptions[0].text];
    })()]],
    evaluate(saved("other.lua", "false")),
    evaluate "test.until(() => replaced.length === 1).then(() => ask('script', {path: 'other.lua'})).then(({text}) => text)",
    evaluate(saved("other.lua", "true")),
    evaluate "test.until(() => test.status() === 'Saved other.lua.').then(() => replaced)",
    evaluate "location.hash = 'level'; test.until(() => test.isAnswered() && byId('rating').textContent)",
  })
  luaunit.assertEquals({ values[1], values[2], values[3], values[5], values[7] }, { "my-move-rule.lua",
    { "Saved my-move-rule.lua.", "my-move-rule.lua", "my-move-rule.lua" },
    { "my-move-game.lua", "my-move-game.lua", "my-move-rule.lua", "game my-move-game.lua" }, "-- other\n",
    { "Replace other.lua?", "Replace other.lua?" } })
  luaunit.assertEquals(values[8], "1.06") -- that of rules/move.lua for "A a"
  for path, text in pairs { ["my-move-rule.lua"] = rule, ["my-move-game.lua"] = game, ["other.lua"] = game } do
    luaunit.assertEquals(shell.read(folder .. "/" .. path), text, path)
  end
end

--- A formula is completed and fitted as one types, compared with another one, moved by a slider and saved; then it rates.
function Views.test_formulas_are_fitted_compared_and_saved()
  browser.only()
  local folder = shell.folder("formulas", { ["flow.csv"] = shell.read "datasets/flow.csv",
    ["1.txt"] = shell.read "datasets/levels/flow/1.txt", ["2.txt"] = shell.read "datasets/levels/flow/2.txt",
    ["4.txt"] = shell.read "datasets/levels/flow/4.txt" })
  local values = workbench.run(folder, "flow 1.txt 2.txt 4.txt --data flow.csv", {
    evaluate [[(async () => {
      location.hash = 'formula';
      await test.until(() => document.querySelectorAll('.slider').length === 5);
      const labels = [document.querySelector('[aria-label=Weights]').selectedOptions[0].text, document.querySelector('[role=group]').innerText];
      await test.type('select[aria-label=Weights]', '', 'change');
      await test.type('.formula', 'difficulty ~ co');
      (await test.button('corners')).click();
      await test.until(() => document.querySelectorAll('.slider').length === 2);
      return [document.querySelector('.formula').value, labels,
        ...[...document.querySelectorAll('.card table')][0].innerText.split('\n').map(row => Number(row.split('\t')[1]))];
    })()]],
    evaluate [[(async () => {
      await test.press('+');
      await test.type('.formula', 'difficulty ~ size');
      await test.until(() => document.querySelector('.slider + .slider')?.textContent === 'size');
      await test.press('Compare the variants');
      await test.until(() => /best/.test(document.querySelector('.scroll table').textContent));
      for (const letter of 'sz') { // what is of the last formula is dimmed
        await test.type('.formula', `difficulty ~ si${letter}e`);
        await test.until(() => document.querySelectorAll('.old').length === (letter === 's' ? 2 : 0));
      }
      return [...document.querySelectorAll('.scroll tr')].map(row => [...row.children].map(cell => cell.textContent));
    })()]],
    evaluate [[(async () => {
      const chart = document.querySelector('.chart');
      for (let i = 0; i < 40; i++) chart.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
      const far = document.querySelector('#view p[aria-live]').textContent;
      await test.press('Pictures');
      await test.until(() => document.querySelectorAll('.chart svg').length === 3);
      document.querySelector('tbody tr').dispatchEvent(new Event('click'));
      return far;
    })()]],
    evaluate [[(async () => {
      const row = [...document.querySelectorAll('tbody tr')].find(one => one.firstChild.textContent === '4') || null;
      await test.press('Fit to my order');
      await test.until(() => /order of the set/.test(document.querySelector('#view').textContent)
        && document.querySelectorAll('.slider').length === 2 && !document.querySelector('.fault').textContent);
      return document.querySelectorAll('tbody tr:not([hidden])').length;
    })()]],
    evaluate [[(async () => {
      await test.press('Fit to the data');
      await test.until(() => !/order of the set/.test(document.querySelector('#view').textContent));
      await test.type('.slider + .slider input[type=number]', '0.1', 'change');
      await test.type('input[aria-label="File of the rule"]', 'hand.lua');
      await test.press('Save the rule');
      await test.until(() => test.status().startsWith('Saved'));
      return document.getElementById('rule').value;
    })()]],
  })
  local function printed(words) return decoder.decode(shell.printed(words .. " --format json", { folder = folder })) end
  luaunit.assertEquals({ values[1][1], values[1][2] }, { "difficulty ~ corners", { "weights: solved", "Variant\nA\n+" } })
  shell.printed("fit --formula 'difficulty ~ corners' -o corners.lua flow.csv", { folder = folder })
  local judged = printed "evaluate --as-is corners.lua flow.csv"
  for i, name in pairs { [3] = "mae", [5] = "rmse", [6] = "tau" } do
    luaunit.assertAlmostEquals(values[1][i], judged[name], 1e-4, name)
  end
  luaunit.assertEquals(values[2][1], { "rule", "may be best", "terms", "mae", "relative percent", "rmse", "tau" })
  local compared = printed "compare 'difficulty ~ corners' 'difficulty ~ size' --data flow.csv"
  for i = 1, 2 do
    luaunit.assertEquals(values[2][i + 1][1], compared.rules[i].rule)
    luaunit.assertAlmostEquals(tonumber(values[2][i + 1][4]), compared.rules[i].mae, 1e-4)
  end
  luaunit.assertStrContains(values[3], "3: difficulty 5.96") -- the level rated hardest
  luaunit.assertEquals({ values[4], values[5] }, { 3, "hand.lua" })
  luaunit.assertStrContains(shell.read(folder .. "/hand.lua"), "size = 0.1,")
  luaunit.assertAlmostEquals(printed("rate hand.lua 1.txt")[1].rating - printed("rate hand.lua 2.txt")[1].rating, 0.1 * (81 - 49), 1e-9)
end

--- From a new game to a saved order, as a new user goes: three levels are drawn, one is made harder by a suggestion, and crux rate
--- says the same numbers.
function Views.test_the_whole_loop()
  browser.only()
  local folder = shell.folder "loop"
  for _, words in ipairs { "new game ice", "new rule my-ice --game ice.lua" } do
    shell.output(("cd %s && %s %s"):format(folder, shell.quote(shell.program), words))
  end
  local drawn = {}
  for i, keys in ipairs { { "#" }, { "#", "ArrowDown", "ArrowDown", "#" }, { "ArrowDown", "#", "ArrowRight", "#" } } do
    drawn[i] = evaluate(([[(async () => {
      const press = key => document.querySelector('.board').dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      %s
      await test.type('.text textarea', '; number %d\n@....\n.....\n.....\n....O\n');
      for (const key of ['ArrowRight', %s]) {
        await test.until(test.isAnswered);
        press(key);
      }
      await test.until(test.isAnswered);
      await test.press('Save');
      await test.until(() => document.querySelector('h2').textContent.endsWith('· saved'));
      return document.getElementById('rating').textContent;
    })()]]):format(i == 1 and [[await test.type('select[aria-label=File]', '', 'change');
      await test.type('input[aria-label="Name of the new file"]', 'mine.txt');]]
      or "await test.type('select[aria-label=Level]', '', 'change');", i,
      table.concat(lists.map(keys, function(key) return "'" .. key .. "'" end), ", ")))
  end
  local values = workbench.run(folder, "ice.lua ice.txt --rule my-ice.lua", {
    evaluate "test.until(test.isAnswered)", table.unpack(lists.concat(drawn, {
      evaluate [[(async () => {
        const before = Number(document.getElementById('rating').textContent);
        await test.type('#wanted', before + 2);
        await test.press('Suggest');
        (await test.find('#suggestions button')).click();
        await test.until(() => Number(document.getElementById('rating').textContent) > before + 1);
        await test.press('Save');
        await test.until(() => document.querySelector('h2').textContent.endsWith('· saved'));
        return [before, Number(document.getElementById('rating').textContent)];
      })()]],
      evaluate [[(async () => {
        location.hash = 'set';
        await test.set(6);
        await test.type('select[aria-label=Files]', 'mine.txt', 'change');
        await test.set(3);
        await test.press('Order by rating');
        await test.press('Save the order');
        await test.until(() => test.status().startsWith('Saved 3 levels in mine.txt'));
        return test.set(3);
      })()]],
    })) })
  luaunit.assertTrue(values[5][2] > values[5][1] + 1)
  local rated = decoder.decode(shell.printed("rate my-ice.lua mine.txt --format json", { folder = folder }))
  luaunit.assertEquals(lists.map(rated, function(row) return ("%.2f"):format(row.rating) end),
    lists.map(values[6], function(label) return label:match "[%d.]+$" end))
  for i = 2, 3 do luaunit.assertTrue(rated[i].rating >= rated[i - 1].rating) end
end

return Views
