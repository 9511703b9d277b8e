--- Laws that crux discover must find, published datasets, and noise in which it must find nothing. Seeds are fixed.
local long = require "long"
local luaunit = require "luaunit"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"
local shell = require "shell"

local Laws = {}

--- A file of 120 levels, or so many, with eight measures from 1 to 10 and 2 % of noise in the difficulty.
local function levels(law, seed, are_integers, rows)
  local draw, lines = random.new(seed), { "level,a,b,c,d,e,f,g,h,difficulty" }
  for row = 1, rows or 120 do
    local values = {}
    for i = 1, 8 do values[i] = are_integers and draw:integer(1, 10) or 1 + 9 * draw:real() end
    local difficulty = law(table.unpack(values)) * (1 + 0.02 * normal(draw))
    table.insert(lines, ("%d,%s,%.17g"):format(row, table.concat(values, ","), difficulty))
  end
  return shell.file("levels.csv", table.concat(lines, "\n") .. "\n")
end

local function found(path, more)
  local result = shell.decoded(("discover %s --repeats 1%s"):format(path, more or ""))
  for _, row in ipairs(result.front) do
    if row.chosen then return result, row end
  end
  return result
end

function Laws.test_a_quotient()
  long.only()
  for _, are_integers in ipairs { false, true } do
    local result, row = found(levels(function(a, b, c) return 4 * a / (b * c) end, 1, are_integers))
    luaunit.assertEquals({ result.formula, row.folds }, { "difficulty ~ I(a/(b*c))", "5 of 5" })
    luaunit.assertAlmostEquals(result.coefficients["I(a/(b * c))"], 4, 0.1)
  end
end

function Laws.test_a_sum_under_a_root_and_a_logarithm()
  long.only()
  luaunit.assertEquals(found(levels(function(a, b, c) return 3 * math.sqrt(a + b) + c end, 1, true)).formula,
    "difficulty ~ c + sqrt(a + b)")
  luaunit.assertEquals(found(levels(function(a, b, c) return math.sqrt(a + b * c) end, 1)).formula, "difficulty ~ sqrt(a + b*c)")
  luaunit.assertEquals(found(levels(function(a, b) return 10 + 3 * math.log(a) - b / 2 end, 1)).formula,
    "difficulty ~ b + log(a)")
end

--- Sprinkfield's first formula, 4a / (bcd), as a sum of logarithms.
function Laws.test_a_quotient_of_four()
  long.only()
  local result, row = found(levels(function(a, b, c, d) return 4 * a / (b * c * d) end, 1, true, 80))
  luaunit.assertStrContains(result.formula, "log(difficulty) ~ log(")
  for _, measure in ipairs { "a", "b", "c", "d" } do luaunit.assertStrContains(result.formula:match "~(.*)", measure) end
  for _, measure in ipairs { "e", "f", "g", "h" } do luaunit.assertNotStrContains(result.formula:match "~(.*)", "(" .. measure) end
  luaunit.assertEquals(row.folds, "5 of 5")
end

--- The same formula from what crux measures of 80 levels.
function Laws.test_the_first_formula_of_sprinkfield()
  long.only()
  local path, measured, rated = shell.path "levels.txt", shell.path "measured.csv", shell.path "rated.csv"
  shell.printed(("generate sprinkfield --count 80 -o %s"):format(path))
  shell.printed(("measure sprinkfield %s -o %s"):format(path, measured))
  shell.printed(("rate sprinkfield-v1 %s -o %s"):format(measured, rated))
  local result, row = found(measured, (" --with %s --target rating --measures starting_moves,solution_length,"
    .. "largest_possible_move,largest_made_move,histogram"):format(rated))
  luaunit.assertEquals({ result.formula, row.folds }, { "log(rating) ~ log(1 + largest_possible_move - largest_made_move) + "
    .. "log(starting_moves/(solution_length*histogram))", "5 of 5" })
end

--- Levels without any law: of 40 sets of 60, crux gives terms to at most 6, and calls at most 2 better than the mean.
function Laws.test_noise()
  long.only()
  local terms, better = 0, 0
  for set = 1, 40 do
    local draw = random.new(2000 + set)
    local path = levels(function() return 1 + 9 * draw:real() end, 3000 + set, false, 60)
    local result = found(path, " --measures a,b,c,d,e,f")
    terms = terms + (result.formula == "difficulty ~ 1" and 0 or 1)
    better = better + (result.better_than_mean and 1 or 0)
  end
  luaunit.assertTrue(terms <= 6 and better <= 2, ("%d with terms, %d better"):format(terms, better))
end

return Laws
