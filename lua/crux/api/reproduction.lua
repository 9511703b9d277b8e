--- The published study of Flow, Lazors and Move (Mutser 2014), computed anew: every published cell beside crux's.
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local home = require "libcrux.home"
local rule = require "crux.rule.rule"

local reproduction = {}

reproduction.studies = { "flow", "lazors-original", "lazors", "move-original", "move" }
reproduction.targets = { "difficulty", "scaled", "time", "moves_used" }

local in_points = { difficulty = true, scaled = true }

---@class Cell
---@field table string        the file in datasets/ that holds it: published-weights, -errors or -predictions
---@field study string
---@field fold string?
---@field row string          term, averaging or level
---@field column string
---@field published number
---@field computed number
---@field tolerance number
---@field holds boolean
---@field reason string?      why it need not hold

--- The three tables: how a row's cells are looked up, and how near they must be. The inputs are printed to two decimals,
--- which limits how near a refit can come.
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
}

--- All rows of a CSV file in datasets/ as tables of text.
---@param name string
function reproduction.read(name)
  local data = dataset.open(("%s/datasets/%s.csv"):format(home, name))
  local rows = {}
  for block in data:blocks { texts = data.columns } do
    for i = 1, block.rows do
      local row = {}
      for _, column in ipairs(data.columns) do row[column] = block.texts[column][i] end
      table.insert(rows, row)
    end
  end
  return rows
end

--- Cross-validates a study's rule in five contiguous folds for one target.
local function evaluate(study, target)
  local studied = rule.load(("%s/rules/%s.lua"):format(home, study)):for_target(target)
  local data = dataset.open(("%s/datasets/%s.csv"):format(home, studied.game))
  local frame = design.new(data, { response = target, weights = studied.weights, formula = studied.formula,
    who = studied:who() }):keep(true)
  local evaluation = crossval.evaluate(studied.formula, frame, crossval.folds(frame.rows, 5, nil, data.name),
    { where = data.name })
  evaluation.predicted = {}
  for i, prediction in ipairs(evaluation.predictions()) do evaluation.predicted[frame.levels[i]] = prediction end
  return evaluation
end

local function key(...) return table.concat({ ... }, "\0") end

--- Why some published cells need not hold, by place.
local function exceptions()
  local reasons = {}
  for _, row in ipairs(reproduction.read "published-exceptions") do
    reasons[key(row.table, row.study, row.fold, row.row, row.column)] = row.reason
  end
  return reasons
end

--- Computes the cells of some studies, in the order of the published tables.
---@param studies string[]
---@return Cell[]
function reproduction.cells(studies)
  local cells, reasons = {}, exceptions()
  local published = {}
  for _, kind in ipairs(tables) do published[kind] = reproduction.read(kind.name) end
  for _, study in ipairs(studies) do
    local evaluations = {}
    for _, target in ipairs(reproduction.targets) do evaluations[target] = evaluate(study, target) end
    for _, kind in ipairs(tables) do
      for _, row in ipairs(published[kind]) do
        for _, target in ipairs(row.study == study and reproduction.targets or {}) do
          local column = kind.column and kind.column[target] or target
          local cell = { table = kind.name, study = study, fold = row.fold, row = row[kind.row], column = column }
          cell.published = tonumber(row[column])
          cell.computed = kind.computed(evaluations[target], row, target)
          cell.tolerance = kind.tolerance(target, cell.published)
          cell.holds = math.abs(cell.computed - cell.published) <= cell.tolerance
          cell.reason = reasons[key(kind.name, study, row.fold or "", cell.row, column)]
          table.insert(cells, cell)
        end
      end
    end
  end
  return cells
end

return reproduction
