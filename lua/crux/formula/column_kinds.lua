--- The kinds of columns of a dataset: targets, measures, and others.
local lists = require "crux.base.lists"

local column_kinds = {}

local targets = lists.set { "difficulty", "scaled", "time", "moves_used", "enjoyment" }

--- Columns of studies, and of what `crux aggregate`, `levels` and `sort` make of them.
local others = lists.set { "level", "player", "solved", "skipped", "skip_rate", "position", "attempt", "attempts", "losses",
  "tutorial", "rank", "rating", "plays", "mean", "adjusted", "error" }

function column_kinds.is_target(column) return targets[column] == true end

--- Tells whether a column of numbers is a measure.
function column_kinds.may_be_measure(column) return not targets[column] and not others[column] end

--- The default measures: all columns of numbers but those of the left side, the weights, and known other columns. Names with a
--- backtick are left out, as no formula can name them.
---@param left string[]
---@param weights string?
function column_kinds.measures(data, left, weights)
  local candidates = {}
  for _, column in ipairs(data.columns) do
    local is_other = lists.contains(left, column) or column == weights or column:find "`"
    if column_kinds.may_be_measure(column) and not is_other then table.insert(candidates, column) end
  end
  return data:numeric(candidates)
end

return column_kinds
