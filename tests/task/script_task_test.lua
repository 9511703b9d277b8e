--- Tasks of scripts: what they compute, and what is told about wrong ones.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Script = {}

--- The figures are those of crux evaluate.
function Script.test_example()
  local rows = shell.decoded "examples/targets.lua datasets/flow.csv --targets time,difficulty --folds 4 --format json"
  for i, target in ipairs { "time", "difficulty" } do
    local found = shell.decoded(("evaluate --formula '%s ~ size' datasets/flow.csv --folds 4 --format json"):format(target))
    luaunit.assertEquals({ rows[i].target, rows[i].mae, rows[i].baseline }, { target, found.mae, found.baseline.mae })
  end
  luaunit.assertStrContains(shell.printed "examples/targets.lua --help", "--folds INTEGER              Number of folds (default: 5)")
end

--- The status and the first line on standard error of a task with a function `run`.
local function said(run, more, line)
  local path = shell.file("mine.lua", ('return crux.task { summary = "One.", %s run = %s }'):format(more or "", run))
  local result = shell.crux(path .. " " .. (line or ""))
  return { result.status, (result.err:gsub(path:gsub("%p", "%%%0"), "mine.lua"):gsub("\n.*", "")) }
end

--- A second round of calls gets the answers of both; arguments that are flags, numbers and texts have their types.
function Script.test_values_and_calls()
  local path = shell.file("mine.lua", [[return crux.task {
  summary = "One.",
  options = { { name = "share", type = "number", default = 0.5, doc = "A share" }, { name = "deep", type = "flag", doc = "A flag." } },
  run = function(args, answers)
    if #answers < 2 then return { calls = { { "correlate", { data = { "datasets/flow.csv" }, x = { "size" } } } } } end
    local row = { share = args.share + 1, deep = tostring(args.deep), n = answers[2].result[1].n, answers = #answers }
    return { tables = { { columns = { "share", "deep", "n", "answers" }, rows = { row } } }, notes = { "Done." } }
  end }]])
  luaunit.assertEquals(shell.printed(path .. " --deep --format csv"), "share,deep,n,answers\n1.5,true,40,2\n")
  luaunit.assertStrContains(shell.printed(path), "\n\nDone.\n")
end

function Script.test_check()
  luaunit.assertEquals(shell.printed "check examples/targets.lua --format csv",
    "file,kind,errors,warnings,holds\nexamples/targets.lua,task,0,0,1 argument\n")
  local path = shell.file("mine.lua", "return crux.task { summary = 'One.' }")
  luaunit.assertEquals(shell.crux("check " .. path).err:match "[^\n]*", path .. ":1: field 'run': found nil, expected a function")
end

function Script.test_mistakes()
  long.leave_out()
  for _, case in ipairs {
    { "function() end", nil, { 1, "mine.lua: run: found nil, expected a table" } },
    { "function() return { tables = {}, note = {} } end", nil,
      { 1, "mine.lua: run: found the unknown field 'note'; did you mean 'notes'?" } },
    { "function() return { tables = { { rows = {} } } } end", nil,
      { 1, "mine.lua: run.tables: field 'columns': found nil, expected a table" } },
    { "function() return { calls = { { 'fits', {} } } } end", nil, { 1, "crux: found the unknown task 'fits'; did you mean 'fit'?" } },
    { "function() return { calls = { { 'fit' } } } end", nil,
      { 1, "mine.lua: run.calls: field '2': found nil, expected a table" } },
    { "function() error 'mine' end", nil, { 1, "mine.lua:1: mine" } },
    { "3", nil, { 1, "mine.lua: field 'run': found 3, expected a function" } },
    { "function() end", "options = { { name = 'a', doc = 'b', type = 'int' } },",
      { 1, "mine.lua: options: found the unknown type 'int'; there are: flag, integer, names, number, text" } },
    { "function() end", "options = { 3 },", { 1, "mine.lua: options: found 3, expected a table" } },
    { "function() end", "arguments = { 'data' },", { 1, "mine.lua: arguments: found 'data', expected a table" } },
    { "function() end", "arguments = { { namx = 'data', doc = 'b' } },",
      { 1, "mine.lua: arguments: found the unknown field 'namx'; did you mean 'name'?" } },
    { "function() end", "option = {},", { 1, "mine.lua: found the unknown field 'option'; did you mean 'options'?" } },
  } do
    luaunit.assertEquals(said(case[1], case[2]), case[3], case[1])
  end
  local endless = said("function() while true do end end", nil, "--limit-time 0.2")
  luaunit.assertEquals(endless[1], 1)
  luaunit.assertStrContains(endless[2], " ran for more than 0.2 s; --limit-time SECONDS allows more")
  luaunit.assertEquals(shell.crux("rules/flow.lua").err,
    "rules/flow.lua: found a script that returns a rule, expected return crux.task { ... }\n")
end

return { Script = Script }
