--- A task about one side of the model of a study: its players, or its levels.
local arguments = require "crux.option.arguments"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local plays = require "crux.rule.plays"

---@param side "players"|"levels"   the function of crux.rule.plays
---@param task table                summary, details and examples
---@return Task
return function(side, task)
  function task.run(args)
    local rule = inputs.study_rule(args)
    local data = inputs.plays(args.data, rule, args)
    local rows, columns = plays[side](rule, data, inputs.plays_options(data, args))
    return { value = rows, tables = { { columns = formats.columns(columns), rows = rows } } }
  end
  task.arguments, task.format = { arguments.plays, arguments.study_rule }, "csv"
  task.options = { "formula", "fit", "errors", "weights", "target", "target_falls", "with", "delimiter", "rename", "output",
    "format" }
  return task
end
