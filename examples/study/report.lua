--- A page of each table and figure of the published studies, published beside computed:
--- lua5.4 examples/study/report.lua > study.html
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = here .. "/../../?.so;" .. package.cpath -- of a checkout
local crux = require "crux"
local study = require "cells"

local plot, report, targets = crux.plot, crux.report, study.targets

---@class Thesis                what the items of the thesis are made of
---@field cells Cell[]
---@field pictures table<string, table<string, { level: LevelPicture, solution: LevelPicture? }>>   by game and level
local Thesis = {}
Thesis.__index = Thesis

--- The cells of one table of datasets/ and one study.
function Thesis:cells_of(kind, name)
  local chosen = {}
  for _, cell in ipairs(self.cells) do
    if cell.table == kind and cell.study == name then table.insert(chosen, cell) end
  end
  return chosen
end

--- An item that a kind of published cells makes.
local function published(kind, name)
  return function(self, id)
    local cells = self:cells_of("published-" .. kind, name)
    local columns, rows = study.wide(cells)
    for _, column in ipairs(columns) do column.right = column.right or column.label == "crux" end
    local held, n = 0, 0
    for _, cell in ipairs(cells) do held, n = held + (cell.holds and 1 or 0), n + 1 end
    return report.table { id = id, columns = columns, rows = rows,
      caption = ("%s: %s; %d of %d hold."):format(name, study.titles["published-" .. kind], held, n) }
  end
end

--- The rows of a dataset from one level to another.
local function rows_between(name, first, last)
  local chosen = {}
  for _, row in ipairs(study.read(name)) do
    local level = tonumber(row.level)
    if level >= first and level <= last then table.insert(chosen, row) end
  end
  return chosen
end

local as_printed = "As printed, but for the cells that datasets/README.md names."

--- An item with the measures of levels.
local function measured(name, first, last, measures)
  return function(_, id)
    local columns = { { key = "level" } }
    for _, measure in ipairs(measures) do table.insert(columns, { key = measure, right = measure ~= "solution" }) end
    return report.table { id = id, columns = columns, rows = rows_between(name, first, last),
      caption = ("Measures of the levels %d to %d of %s."):format(first, last, name) }
  end, as_printed
end

--- An item with what players said of levels, the published predictions and those of crux.
local function compared(name, first, last)
  return function(self, id)
    local columns = { { key = "level" }, { key = "solved", right = true }, { key = "skipped", right = true } }
    for _, target in ipairs(targets) do
      table.insert(columns, { key = target, label = "players’ " .. target, right = true })
      table.insert(columns, { key = "published " .. target, label = "published", right = true })
      table.insert(columns, { key = "computed " .. target, label = "crux", right = true })
    end
    local rows, of = rows_between(name, first, last), {}
    for _, row in ipairs(rows) do of[row.level] = row end
    for _, cell in ipairs(self:cells_of("published-predictions", name)) do
      local row = of[cell.row]
      if row then
        row["published " .. cell.column] = ("%.2f"):format(cell.published)
        row["computed " .. cell.column] = ("%.2f%s"):format(cell.computed, cell.holds and "" or " *")
      end
    end
    return report.table { id = id, columns = columns, rows = rows,
      caption = ("What players of the levels %d to %d of %s said, and predictions."):format(first, last, name) }
  end
end

local function figure_of(inner) return "<figure>\n" .. inner .. "</figure>" end

--- An item that shows a level and its solution.
local function example(name, level)
  return function(self, id)
    local own = self.pictures[name][level]
    return report.gallery({ own.level, own.solution }, id)
  end, "The level in print is not at hand; this is one of crux’s own."
end

local not_theirs = "The players’ levels are not at hand. These are crux’s own with the same measures, as "
  .. "datasets/levels/README.md tells; it names those that are missing."

--- An item that shows levels, or their solutions.
local function gallery(name, first, last, which)
  return function(self, id)
    local list = {}
    for level = first, last do
      local own = self.pictures[name][tostring(level)]
      table.insert(list, own and own[which])
    end
    return report.gallery(list, id)
  end, not_theirs
end

--- An item with the correlations of a dataset's measures with what players said, and the published ones in a table if they are
--- known.
local function correlations(name, measures, ...)
  return function(self, id)
    local values = {}
    for _, target in ipairs(targets) do values[target] = {} end
    local rows = crux.correlate(study.open(name), { x = measures, y = targets })
    for _, row in ipairs(rows) do values[row.y][row.x] = row.pearson end
    local shown = plot.correlations { measures = measures, targets = targets, values = values, coefficient = "Pearson" }
    local has_numbers = #self:cells_of("published-correlations", name) > 0
    return figure_of(report.figure(shown, id)) .. (has_numbers and published("correlations", name)(self, id .. "-table") or "")
  end, ...
end

--- The distribution of the fewest moves of 10,000 levels.
local function distribution(_, id)
  local moves = {}
  for _, product in ipairs(crux.generate(crux.load_game "move", { count = 10000, measures = { "moves" } })) do
    table.insert(moves, product.text and product.row.moves)
  end
  return figure_of(report.figure(plot.histogram { values = moves, name = "moves" }, id))
end

--- The mean errors of the five rules, published and computed.
local function overview(self, id)
  local names, values = {}, {}
  for _, name in ipairs(study.names) do
    for _, cell in ipairs(self:cells_of("published-errors", name)) do
      if cell.row == "weighted" and cell.fold == "average" and cell.column == "difficulty" then
        table.move({ name .. ", published", name .. ", crux" }, 1, 2, #names + 1, names)
        table.move({ cell.published, cell.computed }, 1, 2, #values + 1, values)
      end
    end
  end
  return figure_of(report.figure(plot.bars { title = "Mean errors of difficulty, weighted by players", label = "points",
    names = names, values = values }, id))
end

--- An item that cannot be made; the text says why.
local function absent(text)
  return function() return "" end, text
end

local no_numbers = "The printed bars have no numbers to hold against these."
local flow = { "size", "colours", "distance", "corners" }
local lazors = { "size", "usable_tiles", "emitters", "receivers", "mirrors", "reflections", "intersections" }
local move = { "size", "balls", "colours", "rocks", "moves", "counterintuitive" }
local move_table = { "size", "balls", "colours", "rocks", "moves", "counterintuitive", "solution" }

--- An item: its name, what it shows, what makes it, and what is to be said.
local function item(name, title, make, ...) return { name = name, title = title, make = make, texts = { ... } } end

local of_thesis = {
  { id = "thesis-figures", name = "Thesis: figures", items = {
    item("Figure 1", "a level of Flow and its solution", example("flow", "2")),
    item("Figure 2", "a level of Move and its solution", example("move", "1")),
    item("Figure 3", "a level of Lazors and its solution", example("lazors", "3")),
    item("Figure 4", "how levels of Move are made",
      absent "A drawing of steps rather than of data: ‘crux generate move’ takes them, and games/move.lua is to be read."),
    item("Figure 5", "the fewest moves of 10,000 generated levels of Move", distribution,
      "Levels are made anew with seed 1. " .. no_numbers),
    item("Figure 6", "ages of the players", absent "Not at hand: of single players nothing was published."),
    item("Figure 7", "education of the players", absent "Not at hand: of single players nothing was published."),
    item("Figure 8", "correlations, Flow", correlations("flow", flow, no_numbers)),
    item("Figure 9", "correlations, Lazors", correlations("lazors", lazors, "The bars are correlations with level means. "
      .. "The authors’ paper of 2015 prints numbers in its Figure 5: correlations with single plays, which follow from those "
      .. "with level means, as docs/study-reproduced.md tells.")),
    item("Figure 10", "correlations, Move", correlations("move", move, no_numbers)),
    item("Figure 11", "mean errors of the three games", overview),
    item("Figure 12", "levels 1 to 20 of Flow, solved", gallery("flow", 1, 20, "solution")),
    item("Figure 13", "levels 21 to 40 of Flow, solved", gallery("flow", 21, 40, "solution")),
    item("Figure 14", "levels 1 to 20 of Lazors", gallery("lazors", 1, 20, "level")),
    item("Figure 15", "levels 21 to 45 of Lazors", gallery("lazors", 21, 45, "level")),
    item("Figure 16", "levels 46 to 65 of Lazors", gallery("lazors", 46, 65, "level")),
    item("Figure 17", "levels 1 to 20 of Lazors, solved", gallery("lazors", 1, 20, "solution")),
    item("Figure 18", "levels 21 to 45 of Lazors, solved", gallery("lazors", 21, 45, "solution")),
    item("Figure 19", "levels 46 to 65 of Lazors, solved", gallery("lazors", 46, 65, "solution")),
    item("Figure 20", "levels 1 to 20 of Move", gallery("move", 1, 20, "level")),
    item("Figure 21", "levels 21 to 40 of Move", gallery("move", 21, 40, "level")),
    item("Figure 22", "levels 41 to 60 of Move", gallery("move", 41, 60, "level")),
    item("Figure 23", "levels 61 to 80 of Move", gallery("move", 61, 80, "level")),
  } },
  { id = "thesis-tables", name = "Thesis: tables", items = {
    item("Table 1", "errors, Flow", published("errors", "flow")),
    item("Table 2", "errors, Lazors", published("errors", "lazors-original")),
    item("Table 3", "errors, Lazors with more measures", published("errors", "lazors")),
    item("Table 4", "errors, Move", published("errors", "move-original")),
    item("Table 5", "errors, Move with one more measure", published("errors", "move")),
    item("Table 6", "measures, Flow", measured("flow", 1, 40, flow)),
    item("Table 7", "measures, Lazors", measured("lazors", 1, 40, lazors)),
    item("Table 8", "measures, Lazors", measured("lazors", 41, 65, lazors)),
    item("Table 9", "measures, Move", measured("move", 1, 40, move_table)),
    item("Table 10", "measures, Move", measured("move", 41, 80, move_table)),
    item("Table 11", "players and predictions, Flow", compared("flow", 1, 40)),
    item("Table 12", "players and predictions, Lazors", compared("lazors", 1, 40)),
    item("Table 13", "players and predictions, Lazors", compared("lazors", 41, 65)),
    item("Table 14", "players and predictions, Move", compared("move", 1, 40)),
    item("Table 15", "players and predictions, Move", compared("move", 41, 80)),
    item("Table 16", "weights, Flow", published("weights", "flow")),
    item("Table 17", "weights, Lazors", published("weights", "lazors-original")),
    item("Table 18", "weights, Lazors with more measures", published("weights", "lazors")),
    item("Table 19", "weights, Move", published("weights", "move-original")),
    item("Table 20", "weights, Move with one more measure", published("weights", "move")),
    item("Exceptions", "cells that need not hold", function(self, id)
      local _, _, excepted = study.tally(self.cells)
      return report.table { id = id, rows = excepted, caption = "Published cells that a refit does not give, and why.",
        columns = { { key = "study" }, { key = "fold" }, { key = "row" }, { key = "column" }, { key = "published" },
          { key = "computed", label = "crux" }, { key = "reason" } } }
    end),
  } },
}

---@class Roguelike             what the items of the paper are made of, by target
---@field studies table<string, Study>
---@field best table<string, Verdict>   on the measures that the paper found best

local best_measures = {
  difficulty = { "jaccard_distance_nothing", "narrow_proximity_to_enemies", "stamina_percent_enemies", "density" },
  enjoyment = { "path_nothing", "narrow_proximity_to_enemies" },
}

local function roguelike()
  local self = { studies = {}, best = {} }
  for target, measures in pairs(best_measures) do
    self.studies[target] = crux.ablate(study.open "dungeongrams-authors", { target = target, folds_by = "order" })
    self.best[target] = crux.judge(self.studies[target], measures)
  end
  return self
end

local function usage(self, id)
  local rows = study.read "published-usage"
  local columns = { { key = "measure" } }
  for _, target in ipairs { "difficulty", "enjoyment" } do
    table.insert(columns, { key = "share_" .. target, label = target, right = true })
    table.insert(columns, { key = "computed " .. target, label = "crux", right = true })
    for _, row in ipairs(rows) do row["computed " .. target] = ("%.1f"):format(self.studies[target].shares[row.measure]) end
  end
  return report.table { id = id, columns = columns, rows = rows, caption = "Share of the ten best subsets that use a measure." }
end

local function scatters(target, measures)
  return function(self, id)
    local train, test, figures = self.studies[target].train, self.studies[target].test, {}
    local place = {}
    for i, measure in ipairs(self.studies[target].measures) do place[measure] = i + 1 end
    for i, measure in ipairs(measures) do
      local data = { x = {}, y = {}, x_name = measure, y_name = target }
      for _, part in ipairs { train, test } do
        for row = 1, part.rows do
          table.insert(data.x, part.columns[place[measure]][row])
          table.insert(data.y, part.response[row])
        end
      end
      figures[i] = figure_of(report.figure(plot.scatter(data), id .. "-" .. i))
    end
    return '<div class="figures">' .. table.concat(figures, "\n") .. "</div>"
  end
end

--- A row of errors in the test part by what predicts, computed, for the published ones to be put beside.
local function test_rows(verdict)
  local rows = {}
  for name, own in pairs { best = verdict.test, baseline = verdict.baseline } do
    local row = { predicted_by = name }
    for _, key in ipairs { "median_squared_error", "max_squared_error" } do
      row["computed " .. key] = ("%.2f"):format(own[key])
    end
    for _, key in ipairs { "overestimates", "underestimates" } do row["computed " .. key] = ("%d"):format(own[key]) end
    rows[name] = row
  end
  return rows
end

local function test_errors(target)
  return function(self, id)
    local verdict, zeros = self.best[target], {}
    for i in ipairs(verdict.differences) do zeros[i] = 0 end
    local row_of = test_rows(verdict)
    local rows = { row_of.best, row_of.baseline }
    for _, cell in ipairs(study.read "published-tests") do
      if cell.target == target then row_of[cell.predicted_by][cell.error] = cell.value end
    end
    local columns = { { key = "predicted_by" } }
    for _, key in ipairs { "median_squared_error", "max_squared_error", "overestimates", "underestimates" } do
      table.insert(columns, { key = key, right = true })
      table.insert(columns, { key = "computed " .. key, label = "crux", right = true })
    end
    return figure_of(report.figure(plot.errors { values = verdict.differences, predictions = zeros, target = target }, id))
      .. report.table { id = id .. "-table", columns = columns, rows = rows, caption = "Errors in the test part." }
  end
end

local others = "From dungeongrams-authors.csv: the paper’s measures, on the paths of its authors’ search; ratings are means of "
  .. "other players than the paper’s, of 115 levels."

local of_roguelike = { id = "roguelike", name = "Roguelike paper", items = {
  item("Paper, Table 1", "which measures the best subsets use", usage, others),
  item("Paper, Figure 3", "four measures against difficulty",
    scatters("difficulty", { "jaccard_distance_nothing", "narrow_proximity_to_enemies", "density",
      "stamina_percent_enemies" }), others),
  item("Paper, Figure 4", "errors in predicting difficulty", test_errors "difficulty", others .. " The best measures are "
    .. "those that the paper found; the test part, a fifth of the levels, is drawn with seed 1."),
  item("Paper, Figure 5", "four measures against enjoyment",
    scatters("enjoyment", { "narrow_proximity_to_enemies", "path_nothing", "jaccard_distance_no_enemies",
      "narrow_proximity_to_food" }), others),
  item("Paper, Figure 6", "errors in predicting enjoyment", test_errors "enjoyment", others),
} }

--- The pictures of crux's own levels of a game, by level.
local function pictures_of(name)
  local game, found = crux.load_game(name), {}
  local levels, names = crux.levels(game, ("%s/datasets/levels/%s"):format(crux.home, name))
  for i, level in ipairs(levels) do
    local solution = crux.solve(game, level, { way = true })
    found[names[i]] = { level = crux.paint(game, level, names[i]),
      solution = solution.status == "solved" and crux.paint(game, level, names[i], solution) or nil }
  end
  return found
end

--- A section with its items made.
local function made(section, context)
  local items = {}
  for i, one in ipairs(section.items) do
    local id, texts = one.name:lower():gsub("%W+", "-"), {}
    for j, text in ipairs(one.texts) do texts[j] = { text = text } end
    items[i] = { item = id, heading = ("%s: %s"):format(one.name, one.title), texts = texts,
      html = one.make(context, id .. "-shown") }
  end
  return { id = section.id, name = section.name, items = items }
end

local thesis = setmetatable({ cells = study.cells(study.names), pictures = {} }, Thesis)
for _, name in ipairs { "flow", "lazors", "move" } do thesis.pictures[name] = pictures_of(name) end
local sections, parts = {}, {}
for i, section in ipairs(of_thesis) do sections[i] = made(section, thesis) end
table.insert(sections, made(of_roguelike, roguelike()))
for i, section in ipairs(sections) do parts[i] = { id = section.id, name = section.name } end
table.insert(parts, { id = "made", name = "How this page was made" })
study.expect_held(thesis.cells)
local n, held = study.tally(thesis.cells)
local template <close> = assert(io.open(here .. "/study.html"))
study.print(report.page { title = "The published studies, made anew", template = template:read "a", parts = parts,
  words = { "lua5.4", "examples/study/report.lua" }, lead = "Published beside computed.",
  sources = "the datasets that come with it",
  values = { studies = sections, cells = study.count(n), held = study.count(held) } })
