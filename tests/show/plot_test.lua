--- Plots of plain numbers: characters exactly, SVG by its parts, and data that are few, many, missing or hostile.
local labels = require "crux.show.plot.labels"
local long = require "long"
local luaunit = require "luaunit"
local plot = require "crux.show.plot"
local vector = require "libcrux.vector"
local xml = require "xml_reader"

local nan = 0 / 0

--- The data of a small plot of each kind, with strings that are told apart from all markup.
local function small()
  local name = "<b>&\"'\27[31m\255"
  local levels, list = { name, "b\nb", ("long "):rep(40) }, { 1, nan, 4 }
  return {
    predicted = { levels = levels, values = { 1, 2, 4 }, predictions = { 1, nan, 3 }, target = name, how = name },
    errors = { values = { 1, 2, 4 }, predictions = { 1, nan, 3 }, target = name, how = name },
    residuals = { levels = levels, predictions = { 1, 2, 3 }, residuals = { -1, nan, 2 }, target = name },
    quantiles = { levels = levels, predictions = { 1, 2, 3 }, residuals = { -1, nan, 2 }, target = name },
    weights = { weights = { { term = name, estimate = 1, low = 0, high = 2, spread = 1 },
      { term = levels[3], estimate = 1, low = -math.huge, high = 2, spread = 1 } }, target = name, left_out = { name } },
    learning = { points = { { n = 3, mae = 1, std_error = 2, baseline = 2 }, { n = 9, mae = 0.5, baseline = 2 } }, name = name,
      target = name, weights = name },
    histogram = { values = list, name = name },
    scatter = { x = list, y = { 3, 4, 5 }, x_name = name, y_name = name, levels = levels },
    curve = { values = list, name = name, levels = levels },
    correlations = { measures = { name, "b" }, targets = { "c", name }, coefficient = "Pearson",
      values = { c = { [name] = 0.5, b = nan }, [name] = { [name] = -1, b = 1 } } },
    bars = { title = name, label = name, names = { name, levels[3] }, values = { 1, 2 } },
    ablation = { measures = { name, "b" }, shares = { [name] = 0.5, b = 1 }, count = 4, target = name },
    front = { target = name, by = name, rows = { { formula = name, size = 0, error = 2 }, { formula = levels[3], size = 3,
      error = 1, low = -1.5, high = -0.5, chosen = true }, { formula = name, error = 1.5 } } },
  }
end

--- All elements of a picture of a name, however deep.
local function elements(root, name, found)
  found = found or {}
  for _, element in ipairs(root) do
    if element.name == name then table.insert(found, element) end
    elements(element, name, found)
  end
  return found
end

local Text = {}

local function expect(figure, options, lines) luaunit.assertEquals(plot.text(figure, options), table.concat(lines, "\n") .. "\n") end

function Text.test_bars_to_the_right()
  local figure = plot.ablation { measures = { "size", "moves", "rocks" }, shares = { size = 0.5, moves = 1, rocks = 0 },
    count = 4, target = "time" }
  expect(figure, { width = 40 }, { -- 27 characters are 100 percent
    "Measures that predict time best",
    "moves ┤███████████████████████████ 100 %",
    " size ┤█████████████▌               50 %",
    "rocks ┤                              0 %",
    "      └┬────────────┬────────────┬",
    "       0           50          100",
    "      percent of the best 4 subsets",
  })
  expect(figure, { width = 40, ascii = true }, {
    "Measures that predict time best",
    "moves +########################### 100 %",
    " size +#############:               50 %",
    "rocks +                              0 %",
    "      ++------------+------------+",
    "       0           50          100",
    "      percent of the best 4 subsets",
  })
end

function Text.test_colours()
  local figure = plot.ablation { measures = { "a" }, shares = { a = 1 }, count = 1, target = "b" }
  local text = plot.text(figure, { width = 40, colours = true })
  luaunit.assertStrContains(text, "\27[1mMeasures that predict b best\27[m\n")
  luaunit.assertStrContains(text, "a \27[2m┤\27[m\27[94m" .. ("█"):rep(31) .. "\27[m 100 %\n")
  luaunit.assertEquals(text:gsub("\27%[%d*m", ""), plot.text(figure, { width = 40 }))
end

function Text.test_columns()
  expect(plot.histogram { values = { 3, 3, 4, 6, nan }, name = "moves" }, { width = 40, ascii = true }, {
    "Distribution of moves",
    "levels",
    "2 + ________", "  | ########", "  | ########", "  | ########", "  | ########", "  | ########", "  | ########",
    "  | ########", "  | ########",
    "1 + ######## ########         ########",
    "  | ######## ########         ########", "  | ######## ########         ########",
    "  | ######## ########         ########", "  | ######## ########         ########",
    "  | ######## ########         ########", "  | ######## ########         ########",
    "  | ######## ########         ########",
    "0 + ######## ########         ########",
    "  +-----+--------+-------+--------+-----",
    "        3        4       5        6",
    "                   moves",
  })
end

function Text.test_intervals()
  expect(plot.weights { weights = { { term = "size", estimate = 2, low = 1, high = 3, spread = 0.5 },
    { term = "log(b)", estimate = -1, spread = 1 } }, target = "difficulty", left_out = { "(intercept)" } }, { width = 50 }, {
    "What moves difficulty",
    "  size ┤               ┆       ───────●───────   2",
    "log(b) ┤ ●             ┆                        -1",
    "       └─┬──────┬──────┬───────┬──────┬──────┬─",
    "        -1.0  -0.5    0.0     0.5    1.0    1.5",
    "     difficulty per standard deviation of the term",
    "Bars: 95 % intervals; one across 0 tells nothing",
    "for sure. On the right: the weight of a change of",
    "1. Not shown: (intercept).",
  })
end

function Text.test_a_front()
  local text = plot.text(plot.front { target = "time", by = "mae", rows = { { formula = "time ~ 1", size = 0, error = 4 },
    { formula = "time ~ a", size = 1, error = 2, low = -3, high = -1, chosen = true },
    { formula = "time ~ a + b", size = 3, error = 3, low = -2, high = 1, is_linear = true }, { formula = "old", error = 2.5 } } },
    { width = 50, ascii = true })
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    if line:find "^%d %+" then table.insert(lines, line) end
  end
  luaunit.assertEquals(lines, { -- bars: the mean's 4 and the intervals, 1 to 3 and 2 to 5
    "5 +                                             |",
    "4 +-*-------------------------------------------|-",
    "3 +                |                            #",
    "2 +                *time ~ a                    |",
    "1 +                |",
  })
  luaunit.assertStrContains(text, "size: old: 2.5.")
end

function Text.test_series()
  expect(plot.correlations { measures = { "size", "balls" }, targets = { "difficulty", "time" }, coefficient = "Pearson",
    values = { difficulty = { size = 1, balls = -0.5 }, time = { size = 0.5, balls = nan } } }, { width = 50 }, {
    "Correlation of measures with targets",
    "● difficulty  ■ time",
    "      │                     ─────────────────────●",
    " size ┤                     ──────────■",
    "      │           ●──────────",
    "balls ┤                     ┆",
    "      └┬──────────┬─────────┬─────────┬──────────┬",
    "       -1.0     -0.5       0.0       0.5       1.0",
    "                  Pearson's correlation",
  })
end

function Text.test_points_names_and_a_diagonal()
  local text = plot.text(plot.predicted { levels = { "a", "b", "c" }, values = { 1, 2, 4 }, predictions = { 1, 4, 3 },
    target = "difficulty", worst = 1 }, { width = 50, ascii = true })
  local lines = {}
  for line in text:gmatch "[^\n]+" do table.insert(lines, line) end
  luaunit.assertEquals({ lines[3], lines[11], lines[26] }, {
    "4.0 +               *b                          .:",
    "3.0 +                            .:'            *",
    "1.0 +.*",
  })
end

--- No line is longer than the width, and nothing but ASCII is in what is to be ASCII.
function Text.test_width_and_ascii()
  for kind, data in pairs(small()) do
    local figure = plot[kind](data)
    for _, width in ipairs { 30, 47, 80, 200 } do
      for line in plot.text(figure, { width = width }):gmatch "[^\n]*" do
        luaunit.assertTrue(utf8.len(line) <= width, ("%s, %d: %s"):format(kind, width, line))
      end
      luaunit.assertNil(plot.text(figure, { width = width, ascii = true }):find "[^\10\32-\126]", kind)
    end
    luaunit.assertNil(plot.text(figure):find "[\0-\9\11-\31\127]", kind)
  end
end

local Pictures = {}

--- What an element's first coordinates are.
local function place(element)
  local x, y = element.attributes.d:match "^M(%S+) ([%d.]+)"
  return tonumber(x), tonumber(y)
end

--- Left of the data: 10 + the width of "4.0", 2 x 0.63 + 0.37 times 13, + 6 = 37.19; right 402; the axis goes from 1 - 0.04 x 3
--- to 4 + 0.04 x 3; so 1 is at 37.19 + 0.12 / 3.24 x 364.81 = 50.70, and 4 at 388.49.
function Pictures.test_coordinates()
  local root = xml(plot.svg(plot.predicted { levels = { "a", "b", "c" }, values = { 1, 2, 4 }, predictions = { 1, 4, 3 },
    target = "difficulty", worst = 1 }))
  local points, texts = {}, {}
  for _, element in ipairs(elements(root, "path")) do
    if element.attributes.class == "fill-1" then table.insert(points, { place(element) }) end
  end
  luaunit.assertEquals(points, { { 50.7, 401.3 }, { 163.3, 63.51 }, { 388.49, 176.11 } })
  for _, element in ipairs(elements(root, "text")) do
    texts[element.text] = { tonumber(element.attributes.x), tonumber(element.attributes.y) }
  end
  luaunit.assertEquals(texts["4.0"], { 388.49, 430.81 })
  luaunit.assertEquals(texts.b, { 173.39, 68.01 }) -- to the right of its point, 6 and half its width away
  luaunit.assertEquals({ texts.a, texts.c }, {})
  luaunit.assertEquals(elements(root, "title")[2].text, "a: rated 1, predicted 1")
end

--- Whatever names hold, a picture is well-formed, without scripts, styles of its own or numbers that are none.
function Pictures.test_hostile_names()
  for kind, data in pairs(small()) do
    local text = plot.svg(plot[kind](data), { id = kind })
    local root = xml(text)
    luaunit.assertEquals(root.attributes["aria-labelledby"], kind .. "-title " .. kind .. "-description")
    luaunit.assertEquals({ #elements(root, "b"), #elements(root, "script") }, { 0, 0 }, kind)
    luaunit.assertNil(text:gsub("<style>.-</style>", ""):find "style=", kind)
    for _, element in ipairs(elements(root, "path")) do
      luaunit.assertNil(element.attributes.d:find "n[a]n", kind)
      luaunit.assertNil(element.attributes.d:find "inf", kind)
    end
    luaunit.assertEquals(text, plot.svg(plot[kind](small()[kind]), { id = kind }), kind) -- the same bytes again
  end
end

--- Nothing stands outside of the picture, by the widths that crux.svg takes texts to have.
function Pictures.test_texts_are_inside()
  local svg = require "crux.show.svg"
  for kind, data in pairs(small()) do
    local root = xml(plot.svg(plot[kind](data)))
    local width, height = root.attributes.viewBox:match "^0 0 (%S+) (%S+)$"
    for _, element in ipairs(elements(root, "text")) do
      local x, y, anchor = tonumber(element.attributes.x), tonumber(element.attributes.y), element.attributes["text-anchor"]
      local wide = svg.width(element.text, tonumber(element.attributes["font-size"]) or 13)
      local left = anchor == "end" and x - wide or anchor == "middle" and x - wide / 2 or x
      luaunit.assertTrue(left >= 0 and left + wide <= tonumber(width) and y > 10 and y < tonumber(height),
        ("%s: '%s' at %g, %g wide, in %s"):format(kind, element.text, left, wide, width))
    end
  end
end

function Pictures.test_many_points()
  long.only()
  local random, x, y = require "libcrux.random".new(1), {}, {}
  for i = 1, 10000 do x[i], y[i] = random:real(), random:real() end
  local figure = plot.scatter { x = vector.of(x), y = vector.of(y), x_name = "x", y_name = "y" }
  local text = plot.svg(figure)
  xml(text)
  luaunit.assertTrue(#text < 150000, tostring(#text))
  luaunit.assertStrContains(plot.text(figure), "⣿")
end

local Figures = {}

function Figures.test_nothing_to_show()
  local none = { levels = {}, values = {}, predictions = {}, residuals = {}, x = {}, y = {}, x_name = "x", y_name = "y",
    name = "n", title = "t", label = "l", target = "t", points = {}, names = {}, measures = {}, targets = { "t" }, coefficient = "Pearson", shares = {},
    count = 0, by = "mae" }
  none.values.t = {}
  for kind in pairs(small()) do
    local data = setmetatable({ weights = kind == "weights" and {} or nil, rows = kind == "front" and {} or nil }, { __index = none })
    xml(plot.svg(plot[kind](data)))
    luaunit.assertStrContains(plot.text(plot[kind](data)), "└", kind)
  end
end

function Figures.test_one_point_and_constant_columns()
  for _, value in ipairs { 0, 5, -2.5, 1e300, 5e-324 } do
    for _, list in ipairs { { value }, { value, value } } do
      for _, figure in ipairs { plot.scatter { x = list, y = list, x_name = "x", y_name = "y" },
        plot.histogram { values = list, name = "x" }, plot.errors { values = list, predictions = list, target = "x" },
        plot.predicted { levels = { "a", "b" }, values = list, predictions = list, target = "x" } } do
        local text = plot.svg(figure)
        xml(text)
        luaunit.assertNil(text:find "[ \"]-?nan")
        plot.text(figure)
      end
    end
  end
end

function Figures.test_bars()
  local figure = plot.bars { title = "Errors", label = "points", names = { "flow", "move" }, values = { 0.40413, 12345.6 } }
  luaunit.assertEquals(figure.y.texts, { "0.404", "12346" })
  luaunit.assertEquals(figure.description, "Errors, points. flow: 0.404, move: 12346.")
  luaunit.assertEquals({ figure.x.low, figure.marks[1].boxes[2] }, { 0, { 0, 12345.6, 1.68, 2.32 } })
end

--- Names 4 wide and 2 high, 1 from their points in a room of 20 x 10: the first goes to the right; the second to the left, for
--- the first is in its way; at the edge there is only the left; and between all of them is no place.
function Figures.test_places_of_names()
  local names = { { 5, 5, width = 4 }, { 5, 5, width = 4 }, { 19, 5, width = 4 }, { 5, 5, width = 30 } }
  luaunit.assertEquals(labels.place(names, { height = 2, gap = { 1, 1 }, bounds = { 0, 0, 20, 10 }, points = {} }),
    { { 6, 4, 10, 6 }, { 0, 4, 4, 6 }, { 14, 4, 18, 6 } })
  luaunit.assertEquals(labels.place({ names[1] }, { height = 2, gap = { 1, 1 }, bounds = { 0, 0, 20, 10 }, -- hides nothing there
    points = { { 8, 5 }, { 2, 5 } } }), { { 3, 2, 7, 4 } })
end

--- Bins, and the counts in them.
local function bins(figure)
  local list = {}
  for i, box in ipairs(figure.marks[1].boxes) do list[i] = { box[1], box[2], box[4] } end
  return list
end

function Figures.test_bins()
  luaunit.assertEquals(bins(plot.histogram { values = { 3, 3, 5 }, name = "moves" }), -- whole numbers: a bar each
    { { 2.5, 3.5, 2 }, { 3.5, 4.5, 0 }, { 4.5, 5.5, 1 } })
  luaunit.assertEquals(bins(plot.histogram { values = { 1.5, 1.99, 2, 4, 6.5 }, name = "difficulty" }), -- 5 / 10: steps of 0.5
    { { 1.5, 2, 2 }, { 2, 2.5, 1 }, { 2.5, 3, 0 }, { 3, 3.5, 0 }, { 3.5, 4, 0 }, { 4, 4.5, 1 }, { 4.5, 5, 0 }, { 5, 5.5, 0 },
      { 5.5, 6, 0 }, { 6, 6.5, 0 }, { 6.5, 7, 1 } })
  luaunit.assertEquals(bins(plot.errors { values = { 1, 2, 3 }, predictions = { 3, 2.4, 1 }, target = "t" }), -- 4 / 10: 0.5
    { { -2.25, -1.75, 1 }, { -1.75, -1.25, 0 }, { -1.25, -0.75, 0 }, { -0.75, -0.25, 1 }, { -0.25, 0.25, 0 }, { 0.25, 0.75, 0 },
      { 0.75, 1.25, 0 }, { 1.25, 1.75, 0 }, { 1.75, 2.25, 1 } })
end

--- The mean error and the names of the worst, by hand: errors 0, 2, -1, 0.5.
function Figures.test_worst_levels()
  local figure = plot.predicted { levels = { "a", "b", "c", "d" }, values = { 1, 2, 3, 4 }, predictions = { 1, 4, 2, 4.5 },
    target = "time", worst = 2 }
  luaunit.assertEquals(figure.marks[3].texts, { "b", "c" })
  luaunit.assertEquals(figure.note, "Predictions are off by 0.875 on average. Named: those furthest off.")
  luaunit.assertEquals({ figure.x.low, figure.x.high }, { figure.y.low, figure.y.high })
end

--- R: qnorm(ppoints(5)) and qnorm(ppoints(12)).
--- Of many points those side by side are one stroke, which covers what their dots would; a place is drawn once.
function Figures.test_many_points_are_strokes()
  local x, y, words = {}, {}, {}
  for i = 1, 1001 do x[i], y[i] = i % 501, 0 end
  local drawn = plot.svg(plot.scatter { x = x, y = y, x_name = "x", y_name = "y" })
  local path = drawn:match 'd="([^"]+)" stroke%-linecap'
  for from, row, along in path:gmatch "M(%d+) (%d+)h(%d+)" do table.insert(words, { from + 0, row + 0, along + 0 }) end
  local last = words[#words]
  luaunit.assertEquals({ words[1][1] < 140, last[1] + last[3] > 700 }, { true, true })
  for i = 2, #words do luaunit.assertTrue(words[i][1] > words[i - 1][1] + words[i - 1][3] + 1) end
end

function Figures.test_normal_quantiles()
  local function quantiles(n)
    local list, levels = {}, {}
    for i = 1, n do list[i], levels[i] = n - i, tostring(i) end
    return plot.quantiles { levels = levels, predictions = list, residuals = list, target = "t" }.marks[2]
  end
  local five, twelve = quantiles(5), quantiles(12)
  for i, value in ipairs { -1.1797611176118612, -0.49720057068155445, 0, 0.49720057068155445, 1.1797611176118612 } do
    luaunit.assertAlmostEquals(five.x[i], value, 1e-12)
  end
  luaunit.assertAlmostEquals(twelve.x[1], -1.7316643961222451, 1e-12)
  luaunit.assertEquals(table.move(five.y, 1, 5, 1, {}), { 0, 1, 2, 3, 4 })
end

return { Text = Text, Pictures = Pictures, Figures = Figures }
