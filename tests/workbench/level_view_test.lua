--- The view Level in a headless Chromium: `make test-browser`.
local browser = require "browser"
local luaunit = require "luaunit"
local shell = require "shell"
local workbench = require "workbench"

local LevelView = {}

local evaluate, key = browser.evaluate, browser.key

--- Runs steps on the page of a level of Move.
---@return any[], string   the values, and the path of the file
local function level(steps)
  browser.only()
  local folder = shell.folder("level", { ["levels.txt"] = "; one\nA . a\n" })
  return workbench.run(folder, "move levels.txt", { evaluate "test.until(() => byId('rating')?.textContent === '1.24')",
    table.unpack(steps) }), folder .. "/levels.txt"
end

function LevelView.test_drawing_by_keys_undo_and_saving()
  local values, path = level { evaluate [[(async () => {
      const rated = text => test.until(() => byId('rating').textContent === text), texts = [];
      const press = key => document.querySelector('.board').dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      press('ArrowRight'); // from the first square to the second
      press('A');
      await test.until(() => byId('rating').textContent !== '1.24');
      texts.push(drawing.text);
      document.querySelector('[title=Undo]').click();
      await rated('1.24');
      texts.push(drawing.text);
      press('#');
      await test.until(() => byId('solution').textContent === 'No solution exists.');
      await test.press('Save');
      await test.until(() => desk.file.levels[0].text === drawing.text);
      return texts;
    })()]] }
  luaunit.assertEquals(values[2], { "; one\nA A a\n", "; one\nA . a\n" })
  luaunit.assertEquals(shell.read(path), "; one\nA # a\n")
end

--- A new level is drawn on an empty board as large as the last one, is no level at first, and stays while another view is shown.
function LevelView.test_a_new_level_begins_with_an_empty_board_and_is_kept()
  local values, path = level { evaluate [[(async () => {
      const press = key => document.querySelector('.board').dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      await test.type('select[aria-label=Level]', '', 'change');
      await test.until(() => drawing.text === '. . .\n');
      press('A');
      await test.until(() => byId('rating').textContent === '–' && /no ball/.test(document.querySelector('.fault').textContent));
      const letters = [...document.querySelectorAll('.letters text')].map(one => one.textContent);
      location.hash = 'set';
      await test.find('.levels');
      location.hash = 'level';
      await test.find('.board');
      for (const key of ['ArrowRight', 'ArrowRight', 'a']) press(key);
      await test.until(() => byId('rating').textContent === '1.24');
      await test.type('[aria-label="Name of the new level"]', 'two');
      await test.press('Save');
      await test.until(() => desk.file.levels.length === 2);
      return letters;
    })()]] }
  luaunit.assertEquals(values[2], { "A" })
  luaunit.assertEquals(shell.read(path), "; one\nA . a\n\n; name: two\nA . a\n")
end

--- The browser asks whether to leave a level that was changed, and not one that the game made.
function LevelView.test_a_level_that_nobody_changed_is_no_draft()
  browser.only()
  local values = workbench.run(shell.folder "fresh", "move", { evaluate [[(async () => {
      const asks = () => !dispatchEvent(new Event('beforeunload', {cancelable: true})), asked = [];
      await test.until(test.isAnswered);
      asked.push(asks());
      drawing.change('A . a\n');
      asked.push(asks());
      document.querySelector('[title=Undo]').click();
      asked.push(asks());
      return asked;
    })()]] })
  luaunit.assertEquals(values[1], { false, true, false })
end

function LevelView.test_bad_input_is_marked_at_its_line()
  local values = level {
    evaluate "drawing.change('; one\\nA . ?\\n'); test.until(() => !document.querySelector('.text i').hidden)",
    evaluate "document.querySelector('.fault').textContent",
  }
  luaunit.assertStrContains(values[#values], "level:2: column 5: found '?'")
end

function LevelView.test_the_map_its_changes_and_playing()
  local values = level {
    evaluate "test.until(() => document.querySelector('.map').dataset.isWhole === 'true')",
    evaluate "document.querySelectorAll('.map rect').length",
    evaluate "test.press('▶ Play').then(() => test.until(() => document.activeElement.id === 'board'))",
    evaluate "[...document.querySelectorAll('.map text')].map(one => one.textContent).sort()",
    evaluate "[...document.querySelectorAll('.pair')].map(one => one.textContent)",
    evaluate "[...document.querySelector('[aria-label=Level]').options].map(one => one.text)",
    evaluate "byId('board').focus()", key "ArrowLeft", key "ArrowLeft", evaluate "test.until(() => byId('status').textContent === 'Solved!')",
  }
  luaunit.assertEquals({ values[3], values[5], values[6], values[7] }, { 3, { "−.13", "−.13", "−.26" }, -- one and two moves less, each of 0.12977
    { "harder", "easier", "no change leaves a level", "× only without a solution" }, { "one", "a new level" } })
end

--- A level of one move, on a narrow screen: the frame above leaves place for it.
function LevelView.test_one_move_on_a_phone()
  browser.only()
  local folder = shell.folder("phone", { ["levels.txt"] = "; one\nA a\n", ["a.csv"] = "level,difficulty\none,1\n" })
  local values = workbench.run(folder, "move levels.txt", { evaluate [[(async () => {
      await test.until(test.isAnswered);
      return [byId('solution').textContent, document.querySelector('header').offsetHeight < 140];
    })()]] }, { width = 390, height = 844 })
  luaunit.assertEquals(values[1], { "Solved in 1 move. L", true })
end

--- The solution comes after the rating, which needs a shorter search, and is shown step by step; a box in a corner takes it away.
function LevelView.test_a_solution_that_takes_longer_than_the_rating()
  browser.only()
  local folder = shell.folder("sokoban", { ["one.xsb"] = "#######\n#@ $ .#\n#     #\n#######\n" })
  local values = workbench.run(folder, "sokoban one.xsb", { evaluate [[(async () => {
      const rated = await test.until(() => /^Solved in 3 moves/.test(byId('solution')?.textContent) && byId('rating').textContent);
      await test.press('Show it step by step');
      const step = await test.until(() => [...document.querySelectorAll('[role=status]')].find(one => one.textContent === 'the start, before 3 moves')?.textContent);
      drawing.put([{x: 4, y: 2, tile: ' '}, {x: 2, y: 3, tile: '$'}]);
      await test.until(() => byId('solution').textContent === 'No solution exists.');
      return [rated, step];
    })()]] })
  luaunit.assertEquals(values[1], { "2.75", "the start, before 3 moves" }) -- 2.5 log 3
end

--- The other levels are rated some at a time, only while nothing else is asked; another question stops that about them, which is asked
--- again. The level is harder than the shorter ones: it takes a move for each square.
function LevelView.test_other_levels_are_rated_while_nothing_is_asked()
  browser.only()
  local levels = {}
  for i = 1, 40 do levels[i] = ("; level %d\nA %sa\n"):format(i, (". "):rep(i)) end
  local values = workbench.run(shell.folder("many", { ["levels.txt"] = table.concat(levels, "\n") }), "move levels.txt", { evaluate [[(async () => {
      const {ask: send, stop: halt} = carrier, waiting = [], stopped = [];
      carrier.ask = (message, subject, round) => {
        const isFirst = subject === 'levels' && waiting.push(asked) === 1, sent = send(message, subject, round);
        if (isFirst) ask('stamps');
        return sent;
      };
      carrier.stop = (subject, round) => {
        if (subject === 'levels') stopped.push(round);
        return halt(subject, round);
      };
      await test.until(test.isAnswered);
      drawing.change(desk.file.levels[19].text);
      const rank = await test.until(() => /^harder than \d+ of 39 other levels$/.test(byId('rank').textContent) && byId('rank').textContent);
      return [rank, Math.max(...waiting), stopped.length > 0, levelSet.answer.levels.length];
    })()]] })
  luaunit.assertEquals(values[1], { "harder than 18 of 39 other levels", 0, true, 40 })
end

--- A level of Lazors is drawn from an empty board: a place without a block, two lasers, a target and the blocks in hand; by the
--- pointer near sides of squares, and by Shift with arrows.
function LevelView.test_a_whole_level_of_lazors_is_drawn()
  browser.only()
  local folder = shell.folder("lazors", { ["one.bff"] = "# name: one\nGRID START\nA o o\no o o\nGRID STOP\nB 1\nL 1 0 1 1\nP 1 4\n" })
  local values = workbench.run(folder, "lazors one.bff", { evaluate [[(async () => {
      await test.until(test.isAnswered);
      await test.type('select[aria-label=Level]', '', 'change');
      await test.until(() => /^GRID START\no o o\n/.test(drawing.text) && test.isAnswered());
      const board = document.querySelector('.board');
      const press = (key, shiftKey = false) => board.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true}));
      const point = (x, y) => {
        const [left, top, width, height] = drawing.answer.squares;
        const at = new DOMPoint(left + (x - 0.5) * width, top + (y - 0.5) * height).matrixTransform(board.querySelector('svg').getScreenCTM());
        board.dispatchEvent(new PointerEvent('pointerdown', {clientX: at.x, clientY: at.y, pointerId: 1, buttons: 1, bubbles: true}));
      };
      const changed = async deed => {
        const last = drawing.text;
        deed();
        await test.until(() => drawing.text !== last && test.isAnswered());
      };
      board.setPointerCapture = () => {};
      await test.press('x gap');
      await changed(() => point(2, 1));
      await test.press('laser ↘');
      await changed(() => point(3, 0.55));
      await test.press('laser ↖');
      await changed(() => press('ArrowDown', true)); // below the square of the cursor, the third one
      await test.press('target');
      await changed(() => point(0.3, 2)); // beside the board
      await changed(() => point(1, 2.45)); // takes away the first target
      for (const label of ['+ A', '+ A', '− B']) await changed(() => test.press(label));
      const drawn = drawing.text;
      await changed(() => document.querySelector('[title=Turn]').click());
      return [drawn, drawing.text, test.faults().filter(one => !one.includes("checkbox"))];
    })()]] }, { width = 390, height = 844 })
  luaunit.assertEquals(values[2] or values[1], { "GRID START\no x o\no o o\nGRID STOP\nA 2\nL 1 0 1 1\nL 5 0 1 1\nL 5 2 -1 -1\nP 0 3\n",
    "GRID START\no o\no x\no o\nGRID STOP\nA 2\nL 4 1 -1 1\nL 4 5 -1 1\nL 2 5 1 -1\nP 1 0\n", {} })
end

return LevelView
