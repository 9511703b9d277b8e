-- Counts of allocations, by valgrind: what goes through a million rows takes none for a row.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Rows = {}

--- How many allocations a command makes.
local function allocations(line)
  local told = shell.run(("valgrind %s %s 2>&1 > /dev/null"):format(shell.quote(shell.program), line)).out
  return tonumber((told:match("total heap usage: ([%d,]+) allocs"):gsub(",", "")))
end

--- Levels with four measures, and their plays by players of 50.
local function draw(rows)
  local levels, plays = { "level,size,colours,distance,corners,difficulty" }, { "player,level,rating,time,skipped" }
  for i = 1, rows do
    levels[i + 1] = ("level-%d,%d,%d,%.2f,%d,%.3f"):format(i, i * 37 % 201, i % 13, i * 7 % 1999 / 100, i % 91, i * 11 % 503 / 50)
    plays[i + 1] = ("p%d,l%d,%d,%.1f,%d"):format(i // 50, i % 50, i * 13 % 7 + 1, i % 97 / 3, i % 19 == 0 and 1 or 0)
  end
  return shell.file("levels.csv", table.concat(levels, "\n") .. "\n"), shell.file("plays.csv", table.concat(plays, "\n") .. "\n")
end

function Rows.test_no_allocation_for_a_row()
  long.only()
  luaunit.skipIf(shell.run("command -v valgrind").status ~= 0, "valgrind is not installed")
  local line = shell.file("line.lua", [[return crux.rule { formula = "d ~ size + colours",
    coefficients = { ["(intercept)"] = 1, size = 0.1, colours = 0.3 }, ranges = { size = { 0, 9 } } }]])
  local called = shell.file("called.lua", "return crux.rule { formula = function(m) return m.size / 7 + m.colours ^ 2 end }")
  local few, many = {}, {}
  for _, run in ipairs { { few, 2000 }, { many, 4000 } } do
    local levels, plays = draw(run[2])
    for i, command in ipairs { "rate " .. line .. " " .. levels, "rate --format json " .. line .. " " .. levels,
      "rate " .. called .. " " .. levels, "aggregate " .. plays, "agreement " .. plays,
      "fit --formula 'difficulty ~ size + corners' " .. levels, "evaluate --formula 'difficulty ~ size + corners' " .. levels,
      "diagnose --formula 'difficulty ~ size + corners' " .. levels, "correlate " .. levels } do
      run[1][i] = allocations(command)
    end
  end
  for i, count in ipairs(few) do luaunit.assertTrue(many[i] - count < 200, ("%d: %d, %d"):format(i, count, many[i])) end
end

return { Rows = Rows }
