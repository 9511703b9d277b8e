--- The rule of a block, fitted to the mean ratings of its levels so far.
local attempts = require "crux.data.attempts"
local dataset = require "crux.data.dataset"
local export = require "crux.serve.export"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local study = require "crux.data.study"

local refit = {}

--- A dataset of rows that have numbers and texts.
local function dataset_of(name, columns, rows)
  return dataset.of_texts(name, columns, lists.map(rows, function(row)
    local texts = {}
    for _, column in ipairs(columns) do
      texts[column] = math.type(row[column]) and number.exact(row[column]) or row[column] or ""
    end
    return { place = ("%s: level '%s'"):format(name, row.level), texts = texts }
  end))
end

local most_seconds <const> = 2 -- for the measures of a level

--- The measures of a block's levels that its rule needs; levels that take long or fail have none.
---@param block StudyBlock
---@return Dataset
function refit.measured(block)
  local names, rows = block.game:needed_by(block.rule), {}
  local measures = block.game:choose(names)
  for i, level in ipairs(block.list) do
    local ok, row = pcall(block.game.measure, block.game, level.level, measures, { seconds = most_seconds })
    rows[i] = lists.merge(ok and row or {}, { level = level.name })
  end
  return dataset_of(block.game.path, lists.concat({ "level" }, names), rows)
end

--- Fits the rule of a block. Raises a fault if there are too few ratings.
---@param measured Dataset   of its levels
---@return Fitted
function refit.of(store, block, measured)
  local result = study.aggregate(attempts.merged(export.dataset(store, block.name)), { target = "difficulty" })
  return (block.rule:estimate(dataset.join(dataset_of(store.path, result.columns, result.rows), measured), {}))
end

return refit
