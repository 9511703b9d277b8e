--- What took the time of measuring: a table with a row for each function of the game.
local output = require "crux.out.output"

local profile_report = {}

local columns = { { key = "hook" }, { key = "engine" }, { key = "calls" }, { key = "shown", label = "seconds", right = true },
  { key = "percent", right = true } }

---@class ProfileReport
---@field private rows ProfileRow[]
---@field private known table<string, ProfileRow>
local Report = {}
Report.__index = Report

---@return ProfileReport
function profile_report.new() return setmetatable({ rows = {}, known = {} }, Report) end

---@param rows ProfileRow[]   of a level
function Report:add(rows)
  for _, row in ipairs(rows) do
    local sum = self.known[row.hook] or { hook = row.hook, engine = row.engine, calls = row.calls and 0, seconds = 0 }
    if not self.known[row.hook] then
      self.known[row.hook] = sum
      table.insert(self.rows, sum)
    end
    sum.calls, sum.seconds = sum.calls and sum.calls + row.calls, sum.seconds + row.seconds
  end
end

--- Prints the table on standard error, what took most time first.
function Report:print()
  local total = 0
  for _, row in ipairs(self.rows) do total = total + row.seconds end
  for _, row in ipairs(self.rows) do
    row.shown, row.percent = ("%.6f"):format(row.seconds), ("%.1f"):format(100 * row.seconds / math.max(total, 1e-9))
  end
  table.sort(self.rows, function(a, b)
    if a.seconds ~= b.seconds then return a.seconds > b.seconds end
    return a.hook < b.hook
  end)
  output.write(io.stderr, "table", columns, self.rows)
end

return profile_report
