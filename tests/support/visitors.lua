--- People who use the page of a study in a headless Chromium: what they look at, and how they press, drag and hear.
local browser = require "browser"
local lists = require "crux.base.lists"
local solving = require "solving"

local visitors = {}

--- Functions for steps: of the page's script, they know what the server said last (`view`) and whether it has answered (`isWaiting`).
local script = [[window.test = {
  // Waits until all acts are answered and the page shows a stage, and until a question takes answers.
  settled: stage => new Promise(done => {
    const look = () => typeof view === 'object' && view && !isWaiting() && (!stage || view.stage === stage)
      && !(view.stage === 'question' && performance.now() - shown < rest) ? done(true) : setTimeout(look, 10);
    look();
  }),
  // The points on the screen of squares of the board, from 1, 1 on.
  squares: async (...list) => {
    await test.settled();
    const svg = document.querySelector('#board svg');
    svg.scrollIntoView({block: 'center'});
    const at = svg.getScreenCTM(), [left, top, width, height] = view.squares;
    return list.flatMap(([x, y]) => [at.e + at.a * (left + (x - 0.5) * width), at.f + at.d * (top + (y - 0.5) * height)]);
  },
  // The middle of an element, twice: a click.
  middle: async selector => {
    await test.settled();
    const found = document.querySelector(selector);
    found.scrollIntoView({block: 'center'});
    const box = found.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.x + box.width / 2, box.y + box.height / 2];
  },
  swipe: async (right, down) => {
    const [x, y] = await test.middle('#board');
    return [x, y, x + 30 * right, y + 30 * down, x + 60 * right, y + 60 * down];
  },
  // Delays each request, and each answer, by some ms.
  slow: ms => {
    const fast = window.fetch;
    window.fetch = async (...request) => {
      await wait(ms);
      const response = await fast(...request);
      await wait(ms);
      return response;
    };
  },
  // Does something some times, 80 ms apart, and returns the ms between.
  every80: async (count, deed) => {
    const times = [];
    for (let i = 0; i < count; i++, await wait(80)) {
      times.push(performance.now());
      deed();
    }
    return times.slice(1).map((time, i) => time - times[i]);
  },
  // The faults of the page: wider than the screen, buttons that are too small, fields and pictures without a label.
  faults: () => [
    ...document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} px wide`] : [],
    ...view.stage === 'play' && document.documentElement.scrollHeight > innerHeight ? ['a level that scrolls'] : [],
    ...[...document.querySelectorAll('button, input:not([type=checkbox]), select')].filter(e => e.offsetParent !== null
      && (e.offsetWidth < 44 || e.offsetHeight < 44)).map(e => 'small: ' + e.outerHTML),
    ...[...document.querySelectorAll('input, select')].filter(e => !e.labels.length).map(e => 'no label: ' + e.outerHTML),
    ...[...document.querySelectorAll('svg:not([aria-hidden])')].filter(e => !e.querySelector('title')).map(() => 'a picture without a title'),
  ],
};]]

local step, evaluate, key = browser.step, browser.evaluate, browser.key

--- Waits until all is answered and the page shows a stage, and returns what an expression is then.
function visitors.settled(stage, expression)
  return evaluate(("test.settled('%s').then(() => %s)"):format(stage or "", expression or "null"))
end

function visitors.visit(looks) return step("visit", step("script", script, looks)) end

--- Leaves the page of welcome.
visitors.begin = visitors.settled("welcome", "document.querySelector('button.main').click()")

--- The names of keys in browsers.
visitors.keys = { up = "ArrowUp", down = "ArrowDown", left = "ArrowLeft", right = "ArrowRight", enter = "Enter", space = " " }
local swipes = { up = "0, -1", down = "0, 1", left = "-1, 0", right = "1, 0" }

---@class Input            the ways in which somebody uses a page
---@field looks table       of the screen
---@field click fun(add: fun(step), selector: string, tabs: integer, name: string)   presses a button, which has this name in the
---                         accessibility tree; `tabs` leads to it by the keyboard
---@field deed fun(add: fun(step), deed: Deed, session: Session)

visitors.keyboard = {
  click = function(add, _, tabs)
    for _ = 1, tabs do add(key "Tab") end
    add(key "Enter")
  end,
  deed = function(add, deed, session)
    solving.by_keyboard(deed, session, function(name)
      session:press(name)
      add(key(visitors.keys[name] or name))
    end)
  end,
}

--- A mouse or a finger. A finger swipes where the game has no cursor.
function visitors.pointer(is_touch)
  local self = {}
  local function drag(add, points) add(step("drag", points, { touch = is_touch })) end

  function self.click(add, selector) drag(add, ("test.middle('%s')"):format(selector)) end

  function self.deed(add, deed, session)
    local click, places = session.rules.click, lists.map(deed.path or { deed.square, deed.square }, function(place)
      return ("[%d, %d]"):format(table.unpack(place))
    end)
    if deed.path then
      drag(add, ("test.squares(%s)"):format(table.concat(places, ", ")))
      for i, place in ipairs(deed.path) do
        session:point(table.unpack(place))
        if i == 1 then session:press(click) end
      end
      if session:holds() and places[1] == places[#places] then drag(add, ("test.squares(%s, %s)"):format(places[1], places[1])) end
      if session:holds() then session:press(click) end
    elseif deed.square and session.rules.hand and session.rules.hand(session.position, session.level).cycles then
      for _, value in ipairs(session.rules.hand(session.position, session.level).keys) do -- a tap goes on to the next value
        drag(add, ("test.squares(%s)"):format(table.concat(places, ", ")))
        session:point(table.unpack(deed.square))
        session:press(value)
        if value == deed.key then return end
      end
    elseif deed.square then
      drag(add, ("test.squares(%s)"):format(table.concat(places, ", ")))
      session:point(table.unpack(deed.square))
      if click and not session.rules.hand then session:press(click) end
      if deed.key == click then return end
    end
    if not deed.key then return end
    session:press(deed.key)
    if is_touch and swipes[deed.key] and not session:spot() then
      drag(add, ("test.swipe(%s)"):format(swipes[deed.key]))
    else
      self.click(add, ('[data-key="%s"]'):format(deed.key))
    end
  end

  return self
end


--- The name in the accessibility tree of the button that presses a key; nil if the page has none.
local function button_of(session, name)
  local rules = session.rules
  for _, row in ipairs(rules.pad and rules.pad(session.level) or {}) do
    if row.key == name then return row.doc end
  end
  for _, row in ipairs(rules.keys) do
    if (" " .. row[1] .. " "):find((" %s "):format(name), 1, true) then
      if rules.pad then return (name == "space" or name == "m") and row[2] or nil end
      local is_shown = not session:spot() or not rules.hand and not row[1]:find "up"
      return is_shown and name .. ": " .. row[2] or nil
    end
  end
end

--- Somebody who knows no more of the page than its accessibility tree tells, and has a keyboard.
visitors.tree = {
  click = function(add, _, _, name) add(step("press", name)) end,
  deed = function(add, deed, session)
    local function press(name)
      local button = button_of(session, name)
      session:press(name)
      add(button and step("press", button) or key(visitors.keys[name] or name))
    end
    local function go(square)
      solving.go(session, function(name) session:press(name) end, table.unpack(square))
      add(step("go", square))
    end
    if deed.square then go(deed.square) end
    if deed.key then press(deed.key) end
    for i, square in ipairs(deed.path or {}) do
      go(square)
      if i == 1 then press(session.rules.click) end
    end
    if deed.path and session:holds() and not session:done() then press(session.rules.click) end
    if deed.key then add(step("hear", true)) end -- along a path, each square is heard
  end,
}

return visitors
