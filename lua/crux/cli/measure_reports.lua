--- The reports of `crux measure` about the time of its work: of searches (--trace-report) and of functions (--profile).
local lists = require "crux.base.lists"
local tables = require "crux.out.tables"

local measure_reports = {}

---@class Sums            rows, of which those of the same key are added up
---@field rows table[]
---@field private known table<string, table>   rows by key

---@return Sums
function measure_reports.new() return { rows = {}, known = {} } end

--- The row of a key: the known one, else the new one, which is added.
local function row_of(sums, key, new)
  if not sums.known[key] then
    sums.known[key] = new
    table.insert(sums.rows, new)
  end
  return sums.known[key]
end

---@param search SearchRecord
local function of_search(search)
  local program = search.program
  return { fields = search.fields, levels = 0, states = 0, largest = 0,
    step = not program and "Lua" or program.is_shared and "shared" or "single",
    operations = program and program.operations, lanes = program and program.lane_bits, bits = search.bits,
    step_seconds = 0, set_seconds = 0, rest_seconds = 0, because = search.untraced or program and program.widest }
end

--- Adds the searches of a level, by kind of state and way of running step.
---@param searches SearchRecord[]
function measure_reports.add_searches(sums, searches)
  for _, search in ipairs(searches) do
    local new = of_search(search)
    local row = row_of(sums, ("%s\n%s\n%s\n%s"):format(new.fields, new.step, new.operations, new.because), new)
    local step, set = search.step_seconds or 0, search.set_seconds or 0
    row.levels, row.states = row.levels + 1, row.states + search.states
    if search.states > row.largest then row.largest, row.bytes = search.states, search.bytes / search.states end
    row.step_seconds, row.set_seconds = row.step_seconds + step, row.set_seconds + set
    row.rest_seconds = row.rest_seconds + search.seconds - step - set
  end
end

--- Adds the times of the functions of a level's game.
---@param rows ProfileRow[]
function measure_reports.add_profile(sums, rows)
  for _, row in ipairs(rows) do
    local sum = row_of(sums, row.hook, { hook = row.hook, engine = row.engine, calls = row.calls and 0, seconds = 0 })
    sum.calls, sum.seconds = sum.calls and sum.calls + row.calls, sum.seconds + row.seconds
  end
end

--- Prints the table of searches on standard error, the longest time first; bytes are per state in the largest search.
function measure_reports.print_searches(sums)
  lists.sort(sums.rows, function(row) return -(row.step_seconds + row.set_seconds + row.rest_seconds) end)
  tables.write(io.stderr, "table", { { key = "fields" }, { key = "levels" }, { key = "states" }, { key = "step" },
    { key = "operations" }, { key = "lanes" }, { key = "bits" }, { key = "bytes" }, { key = "step_seconds", label = "step s" },
    { key = "set_seconds", label = "set s" }, { key = "rest_seconds", label = "rest s" }, { key = "because" } }, sums.rows)
end

--- Prints the table of functions on standard error, the longest time first.
function measure_reports.print_profile(sums)
  local total = 0
  for _, row in ipairs(sums.rows) do total = total + row.seconds end
  for _, row in ipairs(sums.rows) do
    row.shown, row.percent = ("%.6f"):format(row.seconds), ("%.1f"):format(100 * row.seconds / math.max(total, 1e-9))
  end
  lists.sort(sums.rows, function(row) return -row.seconds end, function(row) return row.hook end)
  tables.write(io.stderr, "table", { { key = "hook" }, { key = "engine" }, { key = "calls" },
    { key = "shown", label = "seconds", right = true }, { key = "percent", right = true } }, sums.rows)
end

return measure_reports
