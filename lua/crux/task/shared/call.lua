--- Tasks and their declarations, and calls with values by name, for Lua programs, C programs and Python.
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local formats = require "crux.out.formats"
local file_system = require "libcrux.files"
local home = require "libcrux.home"
local lists = require "crux.base.lists"
local options = require "crux.option.options"
local process = require "libcrux.process"
local tables = require "crux.out.tables"

local call = {}

---@class Task
---@field summary string      one line of what it is for, beside its name in lists
---@field details string      paragraphs about it
---@field arguments table[]   rows: name, doc, args ("?", "*" or "+")
---@field options (string|table)[]   rows as in crux.option.options, or the names of its rows
---@field examples string[]   command lines
---@field format string?     of the command line where none is asked for, "table" unless given
---@field options_of nil|fun(first: string?): table[]   those of `options` that go with the first argument
---@field options_of_script nil|fun(name: string?): table[]   further options, of the script that the first argument names
---@field writes_rule boolean?   -o takes the script of a rule; else it takes the report, or levels
---@field writes nil|fun(args: table): table<string, any>   args.prepared, whose keys are paths of files to write, with the
---                            report or not at all: --state takes its table `state`; others its `files`, texts by path
---@field writes_levels nil|fun(args: table): integer?, any   the most levels that -o takes, nil for none; and args.prepared
---@field run fun(args: table): Report   the report has also `value`, the result as a Lua value, and, if args.output is given
---                            and the task writes a rule, `script`. args.say(line) takes remarks, args.progress(total, noun)
---                            begins to show progress as crux.out.progress, args.form is the format that shows the report,
---                            args.details asks for statistics that take long

--- The names of the tasks: a file each.
call.names = {}
for _, file in ipairs(file_system.list(home .. "/lua/crux/task") or {}) do
  table.insert(call.names, file:match "^(.*)%.lua$")
end
table.sort(call.names)

--- The task of a name, or of the script at a path.
function call.load(name)
  if name:find "%.lua$" then return require "crux.task.shared.script_task" (name, call.task) end
  if not lists.contains(call.names, name) then fault.unknown("crux", "task", name, call.names) end
  return require("crux.task." .. name)
end

local PAUSE <const> = 0.1 -- seconds between two calls of `watch`

--- Progress of a call, as crux.out.progress has it for the terminal: its lines become remarks.
---@param watch nil|fun(done: integer, total: integer?, noun: string): boolean   false stops the call
local function progress_of(remarks, watch, total, noun)
  local bar, told = { done = 0 }, process.seconds()
  function bar:advance(n)
    self.done = self.done + (n or 1)
    if not watch or process.seconds() - told < PAUSE then return end
    told = process.seconds()
    if not watch(self.done, total, noun) then fault.raise "crux: interrupted" end
  end
  function bar.say(_, line) table.insert(remarks, line) end
  return setmetatable(bar, { __close = function() end })
end

--- The name of an option among the arguments of a task: folds_by of --folds-by, output of -o.
local function name_of(row) return row.name or (row.alias or row.flags):gsub("^%-+", ""):gsub("%-", "_") end

--- The name of an option to callers, which differs where a flag has taken the place of another.
local function name_to_callers(row)
  return row.name or row.flags:find "^%-%-" and name_of { flags = row.flags } or name_of(row)
end

--- The rows of a task's arguments and options by name, without those that are about printing; and the names in order.
---@param first any   the value of the first argument
local function rows_of(task, first)
  local rows, names = {}, {}
  local own = task.options_of and task.options_of(first) or task.options
  local more = task.options_of_script and task.options_of_script(first) or {}
  for _, row in ipairs(lists.concat(task.arguments, own, more)) do
    row = type(row) == "string" and options[row] or row
    if row.in_journal ~= false or row == options.jobs then
      table.insert(names, name_to_callers(row))
      rows[names[#names]], rows[name_of(row)] = row, row
    end
  end
  return rows, names
end

local truths = { ["true"] = true, ["false"] = false }

--- True for an argument or option that can be given several times.
local function is_list(row) return row.repeated or row.args == "*" or row.args == "+" or false end

local function is_flag(row) return row.flags ~= nil and not row.value end

local function choices_of(row) return type(row.choices) == "function" and row.choices() or row.choices end

--- The value of an argument or option, from a boolean, a number, a text, a list of these, or a rule or dataset.
---@param where string   names it in messages
local function read(row, value, where)
  if is_flag(row) then
    local truth = truths[tostring(value)]
    if truth == nil then fault.at(where, fault.show(value), "true or false") end
    return truth
  end
  local is_object = type(value) == "table" and getmetatable(value) ~= nil
  if is_list(row) then
    local single = setmetatable({ repeated = false, args = false }, { __index = row })
    return lists.map(type(value) == "table" and not is_object and value or { value }, function(one)
      return read(single, one, where)
    end)
  end
  if is_object then return value end
  local text = type(value) == "table" and table.concat(lists.map(value, tostring), ",") or tostring(value)
  local choices = choices_of(row)
  if choices and not lists.contains(choices, text) then fault.unknown(where, "word", text, choices) end
  if not row.convert then return text end
  local found, problem = row.convert(text, where)
  if problem then fault.raise(problem) end
  return found
end

--- The declaration of a task as a json.object: summary, details, and options by name, each with doc, type, what it takes,
--- unit, default, choices, is_argument, is_flag, is_list.
function call.declaration(task)
  local rows, names = rows_of(task)
  local parts = lists.map(names, function(key)
    local row = rows[key]
    local conversion = type(row.convert) == "table" and row.convert or {}
    return { key, json.object { { "doc", row.doc }, { "type", is_flag(row) and "flag" or conversion.type or "text" },
      { "takes", conversion.takes }, { "unit", row.unit }, { "default", row.default }, { "choices", choices_of(row) },
      { "is_argument", row.name ~= nil }, { "is_flag", is_flag(row) }, { "is_list", is_list(row) } } }
  end)
  return json.object { { "summary", task.summary }, { "details", task.details }, { "options", json.object(parts) } }
end

--- When closed, gives back the pause of the garbage collector, which dataset.open shortens.
function call.pause_kept()
  local pause = collectgarbage("setpause", 200)
  collectgarbage("setpause", pause)
  return setmetatable({}, { __close = function() collectgarbage("setpause", pause) end })
end

--- Calls a task.
---@param name string    of the task, or the path of its script
---@param values table<string, any>   by the names of its arguments and options, such as { data = "a.csv", folds_by = "order" }
---@param fields table?     further fields of the arguments: what a task's values can hold beside the report, and `watch`, which
---                         is told how far the work is, and stops it by returning false
---@return Report           with `remarks`, lines about the data
function call.task(name, values, fields)
  local task, remarks = call.load(name), {}
  local watch = fields and fields.watch
  local first = task.arguments[1]
  local rows, args = rows_of(task, first and values[first.name]), lists.merge({ jobs = 1, form = "json", details = true,
    say = function(line) table.insert(remarks, line) end,
    progress = function(total, noun) return progress_of(remarks, watch, total, noun) end }, fields)
  for key, value in pairs(values) do
    local row = rows[key] or fault.unknown("crux." .. name, "option", tostring(key), lists.keys(rows))
    args[name_of(row)] = read(row, value, ("crux.%s: option '%s'"):format(name, key))
  end
  for _, row in pairs(rows) do
    local key = name_of(row)
    if args[key] == nil and row.name and (not row.args or row.args == "+") then
      fault.raise(("crux.%s: expected the argument '%s'"):format(name, key))
    end
    if args[key] == nil and row.default then args[key] = read(row, row.default, key) end
    if args[key] == nil and is_list(row) then args[key] = {} end
  end
  local pause <close> = call.pause_kept() -- luacheck: no unused
  local report = task.run(args)
  if report.levels and not report.tables and not report.data then
    report.tables = { { columns = formats.columns { "level", "text" },
      rows = lists.map(report.levels, function(level) return { level = level.name, text = level.text } end) } }
  end
  for _, part in ipairs(report.tables or { report.data }) do
    if type(part.rows) == "function" then part.rows = tables.rows(part.rows) end
    part.columns = formats.columns_in("json", part.columns)
  end
  local ok, problem = fault.catch(report.finish or function() end)
  if not ok then table.insert(remarks, problem.message) end
  report.remarks = remarks
  return report
end

return call
