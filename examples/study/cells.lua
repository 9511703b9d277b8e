--- The published study of Flow, Lazors and Move (Mutser 2014), computed anew: every published cell beside crux's.
local crux = require "crux"

local study = {}

study.names = { "flow", "lazors-original", "lazors", "move-original", "move" }
study.targets = { "difficulty", "scaled", "time", "moves_used" }

--- The contents of each table of cells.
study.titles = {
  ["published-weights"] = "coefficients, by fold",
  ["published-errors"] = "mean errors (difficulty, scaled: points; time, moves used: percent)",
  ["published-predictions"] = "predictions of levels by the fit that has not seen them",
  ["published-correlations"] = "correlations of measures with single plays (level means: weighted correlations of the means)",
}

local in_points = { difficulty = true, scaled = true }

---@class Cell
---@field table string        the file in datasets/ that holds it: published-weights, -errors, -predictions or -correlations
---@field study string
---@field fold string?
---@field row string          term, averaging, level or measure
---@field column string
---@field published number
---@field computed number
---@field of_means number?    of a correlation: that of the level means, weighted by players
---@field tolerance number
---@field holds boolean
---@field reason string?      why it need not hold

--- The tables: how a row's cells are looked up, and how near they must be. The inputs are printed to two decimals, which limits
--- how near a refit can come.
local tables = {
  {
    name = "published-weights",
    row = "term",
    computed = function(evaluation, row) return evaluation.folds[tonumber(row.fold)].coefficients[row.term] end,
    tolerance = function(target, published)
      return in_points[target] and 0.005 or math.max(0.02, 0.005 * math.abs(published))
    end,
  },
  {
    name = "published-errors",
    row = "averaging",
    column = { time = "time_percent", moves_used = "moves_used_percent" },
    computed = function(evaluation, row, target)
      local errors = row.fold == "average" and evaluation.errors or evaluation.folds[tonumber(row.fold)].errors
      local key = in_points[target] and "mae" or "relative_percent"
      return errors[row.averaging == "weighted" and "weighted_" .. key or key]
    end,
    tolerance = function(target) return in_points[target] and 0.004 or 0.3 end,
  },
  {
    name = "published-predictions",
    row = "level",
    computed = function(evaluation, row) return evaluation.predicted[row.level] end,
    tolerance = function() return 0.02 end,
  },
  {
    name = "published-correlations",
    row = "measure",
    computed = function(evaluation, row)
      local of_means = evaluation.correlations.of_means[row.measure]
      return evaluation.correlations.factor * of_means, of_means
    end,
    tolerance = function() return 0.003 end,
  },
}

--- The dataset of that name.
function study.open(name) return crux.open(("%s/datasets/%s.csv"):format(crux.home, name)) end

--- Its rows as tables of text.
function study.read(name) return crux.rows(study.open(name)) end

--- Weighted correlations of measures with the level means of a target, by measure, and the factor that makes them those of
--- single plays. A measure is the same for all plays of a level, so this factor is the same for all measures: the square root
--- of the share of the variance of single plays that lies between levels. As single plays are not published, the factor is
--- fitted to the published correlations by least squares.
local function correlations_of(data, target, published)
  local measures, of_means, products, squares = {}, {}, 0, 0
  for i, row in ipairs(published) do measures[i] = row.measure end
  for i, row in ipairs(crux.correlate(data, { x = measures, y = { target } })) do
    of_means[row.x] = row.weighted_pearson
    products, squares = products + row.weighted_pearson * published[i][target], squares + row.weighted_pearson ^ 2
  end
  return { of_means = of_means, factor = products / squares }
end

--- Cross-validates a study's rule in five contiguous folds for one target.
local function evaluate(name, target)
  local rule = crux.for_target(crux.load_rule(name), target)
  local evaluation = crux.evaluate(rule, study.open(rule.game), { folds_by = "order" })
  evaluation.predicted = {}
  for i, level in ipairs(evaluation.levels) do evaluation.predicted[level] = evaluation.predictions[i] end
  local published = {}
  for _, row in ipairs(study.read "published-correlations") do
    if row.study == name and row[target] then table.insert(published, row) end
  end
  if #published > 0 then evaluation.correlations = correlations_of(study.open(rule.game), target, published) end
  return evaluation
end

local function key(...) return table.concat({ ... }, "\0") end

--- Why some published cells need not hold, by place.
local function exceptions()
  local reasons = {}
  for _, row in ipairs(study.read "published-exceptions") do
    reasons[key(row.table, row.study, row.fold, row.row, row.column)] = row.reason
  end
  return reasons
end

--- Computes the cells of some studies, in the order of the published tables.
function study.cells(names)
  local cells, reasons = {}, exceptions()
  local published = {}
  for _, kind in ipairs(tables) do published[kind] = study.read(kind.name) end
  for _, name in ipairs(names) do
    local evaluations = {}
    for _, target in ipairs(study.targets) do evaluations[target] = evaluate(name, target) end
    for _, kind in ipairs(tables) do
      for _, row in ipairs(published[kind]) do
        for _, target in ipairs(row.study == name and study.targets or {}) do
          local column = kind.column and kind.column[target] or target
          local cell = { table = kind.name, study = name, fold = row.fold, row = row[kind.row], column = column }
          cell.published = tonumber(row[column])
          if cell.published then
            cell.computed, cell.of_means = kind.computed(evaluations[target], row, target)
            cell.tolerance = kind.tolerance(target, cell.published)
            cell.holds = math.abs(cell.computed - cell.published) <= cell.tolerance
            cell.reason = reasons[key(kind.name, name, row.fold or "", cell.row, column)]
            table.insert(cells, cell)
          end
        end
      end
    end
  end
  return cells
end

--- One table of a study: a row for each row of the published table, published and computed side by side.
---@return Column[]
---@return table[]
function study.wide(cells)
  local columns = { { key = "fold" }, { key = "row", label = "" } }
  if not cells[1].fold then table.remove(columns, 1) end
  local rows, last, known = {}, nil, {}
  for _, cell in ipairs(cells) do
    local place = (cell.fold or "") .. "\0" .. cell.row
    if place ~= last then
      last = place
      table.insert(rows, { fold = cell.fold, row = cell.row })
    end
    if not known[cell.column] then
      known[cell.column] = true
      table.insert(columns, { key = cell.column, right = true })
      table.insert(columns, { key = "computed " .. cell.column, label = "crux" })
      if cell.of_means then table.insert(columns, { key = "means " .. cell.column, label = "level means", right = true }) end
    end
    local row, decimals = rows[#rows], cell.table == "published-predictions" and 2 or cell.of_means and 3 or 4
    if cell.column:find "percent" then decimals = 2 end
    local format = ("%%.%df"):format(decimals)
    row[cell.column] = format:format(cell.published)
    row["computed " .. cell.column] = format:format(cell.computed) .. (cell.holds and "" or " *")
    row["means " .. cell.column] = cell.of_means and format:format(cell.of_means)
  end
  return columns, rows
end

--- Counts the cells that must hold and those that do, and lists those that need not hold.
---@return integer n
---@return integer held
---@return Cell[] excepted
function study.tally(cells)
  local n, held, excepted = 0, 0, {}
  for _, cell in ipairs(cells) do
    if cell.reason then
      table.insert(excepted, cell)
    else
      n, held = n + 1, held + (cell.holds and 1 or 0)
    end
  end
  return n, held, excepted
end

--- Ends the program with status 1.
local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

--- Refuses cells that do not hold.
function study.expect_held(cells)
  local n, held = study.tally(cells)
  if held < n then fail(("found %d published cells that do not hold, expected none"):format(n - held)) end
end

--- Prints a text.
function study.print(text)
  local ok, problem = io.write(text)
  if ok then ok, problem = io.stdout:flush() end
  if not ok then fail("<stdout>: " .. problem) end
end

--- A number with commas between thousands.
function study.count(n) return (tostring(n):reverse():gsub("(%d%d%d)(%d)", "%1,%2"):reverse()) end

return study
