-- The levels in datasets/levels have the measures of the rows whose numbers they bear, and give the same ratings.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- The rows of a CSV by level, and how many there are.
local function rows_of(text)
  local rows, by_level = shell.rows(text), {}
  for _, row in ipairs(rows) do by_level[row.level] = row end
  return by_level, #rows
end

local function crux(line) return rows_of(shell.printed(line)) end

--- Expects measured values to round to those of the dataset; returns the number of levels.
local function check(game, measures, solutions)
  local names = table.concat(measures, ",") .. (solutions and ",solutions" or "")
  local measured, count = crux(("measure %s datasets/levels/%s --measures %s"):format(game, game, names))
  local published = rows_of(shell.read(("datasets/%s.csv"):format(game)))
  for level, row in pairs(measured) do
    for _, measure in ipairs(measures) do
      local wanted = published[level][measure]
      local decimals = measure == "distance" and 3 or 0
      luaunit.assertEquals(("%.*f"):gsub("%*", decimals):format(row[measure]), ("%.*f"):gsub("%*", decimals):format(wanted),
        ("%s %s: %s"):format(game, level, measure))
    end
    if solutions then luaunit.assertEquals(row.solutions, "1") end
  end
  local from_levels = crux(("rate %s datasets/levels/%s"):format(game, game))
  local from_dataset = crux(("rate %s datasets/%s.csv"):format(game, game))
  for level, row in pairs(from_levels) do
    luaunit.assertAlmostEquals(tonumber(row.rating), tonumber(from_dataset[level].rating), 0.001)
  end
  return count
end

local Shipped = {}

function Shipped.test_flow() luaunit.assertEquals(check("flow", { "size", "colours", "distance", "corners" }, true), 38) end

function Shipped.test_move()
  long.leave_out()
  luaunit.assertEquals(check("move", { "size", "balls", "colours", "rocks", "moves", "counterintuitive" }), 80)
end

function Shipped.test_lazors()
  local measures = { "size", "usable_tiles", "emitters", "receivers", "mirrors", "reflections", "intersections" }
  luaunit.assertEquals(check("lazors", measures, true), 65)
end

return { ShippedLevels = Shipped }
