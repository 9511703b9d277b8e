--- Prints the figures that README.md and docs/ state beside those that commands give now: run.lua [PAGE], of all pages unless one is
--- named. The environment names CRUX and BUILD. Exits with status 1 if a figure does not hold; what needs a program or file that is
--- not here is skipped, and named.
package.path = "tests/claims/?.lua;tests/support/?.lua;" .. package.path
local claims = require "claims"
local formats = require "crux.out.formats"
local range = require "crux.base.range"
local said = require "said"

io.stdout:setvbuf "line"
local only = arg[1]
local counts = { ["holds"] = 0, ["does not hold"] = 0, ["skipped"] = 0 }

--- True if a number is what was said: rounded to the same digits, or within a factor.
local function agrees(figure, seen, factor)
  figure = figure:gsub(",", "")
  local value = tonumber(figure)
  if factor then return seen == value or seen <= value * factor and seen * factor >= value end
  return range.holds(range.read(figure), seen)
end

--- Returns the output of a command, and true if its status is 0.
local function output_of(command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  return text, (pipe:close())
end

local function is_met(need) return select(2, output_of(claims.needs[need])) == true end

--- The numbers that a claim finds in what its command printed; none in what the command printed instead.
local function seen_in(output, seen)
  if type(seen) == "string" then return { output:match(said.pattern(seen)) } end
  local found = table.pack(pcall(seen, output))
  return found[1] and table.move(found, 2, found.n, 1, {}) or {}
end

--- The rows of a claim: one for each number, or one for a claim without.
local function rows_of(claim, group, output, succeeded)
  local figures, problem = said.by(claim.page or group.page, claim.said)
  local function row(a, b, result)
    counts[result] = counts[result] + 1
    return { page = claim.page or group.page, claim = claim.said:match "^%s*(.*)", said = a, seen = b, result = result }
  end
  if not figures then return { row("", problem, "does not hold") } end
  local need = claim.needs or group.needs
  if need and not is_met(need) then return { row(table.concat(figures, " "), "needs " .. need, "skipped") } end
  if #figures == 0 then return { row("", "", succeeded and "holds" or "does not hold") } end
  local seen = seen_in(output, claim.seen)
  local rows = {}
  for i, figure in ipairs(figures) do
    local value = tonumber((tostring(seen[i]):gsub(",", "")))
    local holds = value and agrees(figure, value, claim.factor or group.factor)
    rows[i] = row(figure, value and ("%.6g"):format(value) or "nothing", holds and "holds" or "does not hold")
  end
  return rows
end

for _, group in ipairs(claims.groups) do
  local wanted = {}
  for _, claim in ipairs(group) do
    if not only or (claim.page or group.page) == only then table.insert(wanted, claim) end
  end
  if #wanted > 0 then
    print("$ " .. group.run)
    local output, succeeded = "", false
    if not group.needs or is_met(group.needs) then output, succeeded = output_of(group.run) end
    local rows = {}
    for _, claim in ipairs(wanted) do
      local list = rows_of(claim, group, output, succeeded)
      table.move(list, 1, #list, #rows + 1, rows)
    end
    local columns = { { key = "page" }, { key = "claim" }, { key = "said", right = true }, { key = "seen", right = true },
      { key = "result" } }
    print(formats.texts.table(columns, rows) .. (succeeded and "" or output:sub(-1000)))
  end
end
print(("%d figures hold, %d do not, %d claims are skipped"):format(counts.holds, counts["does not hold"], counts.skipped))
os.exit(counts["does not hold"] == 0)
