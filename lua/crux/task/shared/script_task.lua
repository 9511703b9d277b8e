--- Tasks of a user's own: scripts that return crux.task { ... }, as examples/targets.lua does.
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"

--- The conversions of values by the type that an option declares; a flag and a text have none.
local conversions = { text = function() end, flag = function() end, names = function() return convert.names end,
  number = function() return convert.number end, integer = function(least) return convert.integer(least or 0) end }

--- The fields of a table that have a wrong type, as a fault.
---@param expected table<string, string>   the type by field; with ? it may be nil
local function check(where, fields, expected)
  if type(fields) ~= "table" then fault.at(where, fault.show(fields), "a table") end
  for name in pairs(fields) do
    if not expected[name] then fault.unknown(where, "field", tostring(name), lists.keys(expected)) end
  end
  for _, name in ipairs(lists.keys(expected)) do
    local wanted, value = expected[name], fields[name]
    if not (value == nil and wanted:find "?$") and type(value) ~= wanted:gsub("?$", "") then
      fault.at(("%s: field '%s'"):format(where, name), fault.show(value), "a " .. wanted:gsub("?$", ""))
    end
  end
end

--- The row of crux.option.options for an option of a script.
local function option_of(where, row)
  local default = type(row) == "table" and type(row.default) or "nil"
  check(where, row, { name = "string", doc = "string", type = "string?", default = default .. "?", least = "number?",
    unit = "string?", choices = "table?" })
  local kind = row.type or "text"
  if not conversions[kind] then fault.unknown(where, "type", kind, lists.keys(conversions)) end
  return { flags = "--" .. row.name:gsub("_", "-"), value = kind ~= "flag" and kind:upper() or nil, doc = row.doc,
    unit = row.unit, choices = row.choices, convert = conversions[kind](row.least and math.tointeger(row.least)),
    default = row.default ~= nil and tostring(row.default) or nil }
end

--- Makes the table that a script gets from a task: its fields are result, tables, notes and remarks.
---@param report Report   of crux.task.shared.call
local function answer_of(report)
  local tables = lists.map(report.tables or { report.data }, function(part)
    return { title = part.title, rows = json.plain(json.objects(part.columns, part.rows)) }
  end)
  return { result = json.plain(report.json) or tables[1].rows, tables = tables, notes = report.notes or {},
    remarks = report.remarks }
end

--- The report of what the function `run` of a script returned.
local function report_of(where, result)
  check(where, result, { tables = "table", notes = "table?" })
  return { notes = result.notes, tables = lists.map(result.tables, function(part)
    check(where .. ".tables", part, { title = "string?", columns = "table", rows = "table" })
    return { title = part.title, columns = formats.columns(part.columns), rows = part.rows }
  end) }
end

---@param call fun(name: string, values: table, fields: table): Report   calls another task
---@return Task
return function(path, call)
  local spec = script.load("task", path)
  check(path, spec, { name = "string", summary = "string", details = "string?", arguments = "table?", options = "table?",
    examples = "table?", run = "function" })

  local function run(args)
    local given, answers = {}, {}
    for _, row in ipairs(lists.concat(spec.arguments or {}, spec.options or {})) do given[row.name] = args[row.name] end
    while true do
      local result = sandbox.plain(fault.guard(path, spec.run, lists.merge(given), lists.copy(answers)), path .. ": run")
      if type(result) ~= "table" or not result.calls then return report_of(path .. ": run", result) end
      for _, wanted in ipairs(result.calls) do
        local name, values = table.unpack(wanted)
        check(path .. ": run.calls", { name, values }, { "string", "table" })
        table.insert(answers, answer_of(call(name, values, { say = args.say, progress = args.progress })))
      end
    end
  end

  local arguments, options = spec.arguments or {}, spec.options or {}
  for _, row in ipairs(arguments) do
    check(path .. ": arguments", row, { name = "string", args = "string?", doc = "string" })
  end
  return { summary = spec.summary, details = spec.details or spec.summary, arguments = arguments,
    options = lists.concat(lists.map(options, function(row) return option_of(path .. ": options", row) end),
      { "output", "format" }), examples = spec.examples or {}, run = run }
end
