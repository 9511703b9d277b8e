--- What searches took: a table with a row for each kind of state and way of running step.
local output = require "crux.out.output"

local trace_report = {}

---@class TraceReport
---@field rows table[]
---@field private known table<string, table>   rows
local Report = {}
Report.__index = Report

local columns = { { key = "fields" }, { key = "levels" }, { key = "states" }, { key = "step" }, { key = "operations" },
  { key = "lanes" }, { key = "bits" }, { key = "bytes" }, { key = "step_seconds", label = "step s" },
  { key = "set_seconds", label = "set s" }, { key = "rest_seconds", label = "rest s" }, { key = "because" } }

---@return TraceReport
function trace_report.new() return setmetatable({ rows = {}, known = {} }, Report) end

---@param search SearchRecord
local function row_of(search)
  local program = search.program
  return { fields = search.fields, levels = 0, states = 0, most = 0,
    step = not program and "Lua" or program.is_shared and "shared" or "single",
    operations = program and program.operations, lanes = program and program.lane_bits, bits = search.bits,
    step_seconds = 0, set_seconds = 0, rest_seconds = 0, because = search.untraced or program and program.widest }
end

---@param searches SearchRecord[]
function Report:add(searches)
  for _, search in ipairs(searches) do
    local new = row_of(search)
    local key = ("%s\n%s\n%s\n%s"):format(new.fields, new.step, new.operations, new.because)
    local row = self.known[key] or new
    if row == new then
      self.known[key] = row
      table.insert(self.rows, row)
    end
    local step, set = search.step_seconds or 0, search.set_seconds or 0
    row.levels, row.states = row.levels + 1, row.states + search.states
    if search.states > row.most then row.most, row.bytes = search.states, search.bytes / search.states end
    row.step_seconds, row.set_seconds = row.step_seconds + step, row.set_seconds + set
    row.rest_seconds = row.rest_seconds + search.seconds - step - set
  end
end

--- Prints the table on standard error, what took most time first; bytes are those of a state in the largest search.
function Report:print()
  local function total(row) return row.step_seconds + row.set_seconds + row.rest_seconds end
  table.sort(self.rows, function(a, b) return total(a) > total(b) end)
  output.write(io.stderr, "table", columns, self.rows)
end

return trace_report
