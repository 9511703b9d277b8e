--- A task about one side of the model of a study: its players, or its levels.
local arguments = require "crux.option.arguments"
local formats = require "crux.out.formats"
local study_data = require "crux.task.shared.study_data"
local plays = require "crux.rule.plays"

---@param side "players"|"levels"   the function of crux.rule.plays
---@param task table                summary, details and examples
---@return Task
return function(side, task)
  function task.run(args)
    local rule = study_data.rule(args)
    local data = study_data.kept(args.data, rule, args)
    local rows, columns = plays[side](rule, data, study_data.options(data, args))
    return { value = rows, tables = { { columns = formats.columns(columns), rows = rows } } }
  end
  task.arguments, task.format = { arguments.plays, arguments.study_rule }, "csv"
  task.options = { "formula", "fit", "errors", "weights", "target", "target_falls", "with", "delimiter", "rename", "output",
    "format" }
  return task
end
