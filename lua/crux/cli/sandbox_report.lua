--- The report of `crux check --sandbox`: tries operations that scripts must not do.
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local home = require "libcrux.home"
local number = require "crux.base.number"
local sandbox = require "crux.script.sandbox"
local tables = require "crux.out.tables"
local wall = require "libcrux.wall"

local sandbox_report = {}

local columns = { { key = "wall" }, { key = "tried" }, { key = "result" } }

--- Adds the probes of a script in its environment.
local function add_environment(rows)
  for _, probe in ipairs(sandbox.run(home .. "/lua/crux/cli/sandbox_probe.lua", {})) do
    table.insert(rows, { wall = "environment", tried = probe[1], result = probe[2] and "succeeds" or "refused" })
  end
end

--- Adds the probes of system calls in this process, whose wall was raised before the command ran.
local function add_system_calls(rows)
  if wall.missing then
    table.insert(rows, { wall = "system calls", tried = "", result = "none: " .. wall.missing })
    return
  end
  for _, probe in ipairs(wall.probes()) do
    local result = probe[2] and "refused: " .. probe[2] or "succeeds"
    table.insert(rows, { wall = "system calls", tried = probe[1], result = result })
  end
end

--- Prints the probes, and raises a fault if one succeeds.
---@param args { output: string?, format: string? }
function sandbox_report.print(args)
  local rows, succeeded = {}, 0
  add_environment(rows)
  add_system_calls(rows)
  for _, row in ipairs(rows) do succeeded = succeeded + (row.result == "succeeds" and 1 or 0) end
  tables.save(args.output, formats.choose(args.format, args.output, "table"), columns, rows)
  if succeeded == 0 then return end
  local _, reason = wall.raise()
  fault.raise(("found that %s of a script's succeed%s (%s), expected none"):format(number.count(succeeded, "probe"),
    succeeded == 1 and "s" or "", reason))
end

return sandbox_report
