-- Tests of what formulas learn from data: model matrices on a fit's rows and on new ones, and fits, as R makes them
-- (tests/r/formula.R), in blocks and from rules that were written and loaded again.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"
local rule = require "crux.rule.rule"
local shell = require "shell"
local vector = require "libcrux.vector"

local reference = dofile "tests/reference/formula.lua"
local names = { "a", "b", "c", "g", "h", "k", "y", "w" }

--- A CSV file of columns.
local function file(name, columns, chosen)
  local lines = { table.concat(chosen, ",") }
  for row = 1, #columns.a do
    local cells = {}
    for i, column in ipairs(chosen) do
      local value = columns[column][row]
      cells[i] = type(value) == "string" and value or ("%.17g"):format(value)
    end
    lines[row + 1] = table.concat(cells, ",")
  end
  return shell.file(name, table.concat(lines, "\n") .. "\n")
end

local function training(chosen) return dataset.open(file("rows.csv", reference.rows, chosen or names)) end

local function learned(text, data, weights)
  return design.new(data, { response = "y", formula = formula.parse(text), weights = weights, who = "test" })
end

--- The columns of a formula on a file.
local function columns_of(model, data)
  local block = data:blocks { numbers = model:numbers(), texts = model.texts } ()
  model:encode(block)
  return model:finite_columns(block)
end

local Learned = {}

function Learned.test_model_matrices_are_those_of_r()
  luaunit.assertTrue(#reference.matrices >= 50)
  local new = dataset.open(file("new.csv", reference.new, names))
  local count = #reference.rows.a
  for _, case in ipairs(reference.matrices) do
    local has_dot = case.formula:find "~ %(?%."
    local frames = learned(case.formula, training(has_dot and { "y", "a", "b", "c", "g" }))
    local found = {}
    for i, term in ipairs(frames.formula.terms) do found[i] = term.name end
    luaunit.assertEquals(found, case.names, case.formula)
    local rows, fresh = frames:keep().columns, columns_of(frames.formula, new)
    local tolerance = case.formula:find "poly" and 1e-10 or 1e-12
    for i, values in ipairs(case.values) do
      for row, value in ipairs(values) do
        local actual = row <= count and rows[i][row] or row > count and fresh[i][row - count]
        luaunit.assertAlmostEquals(actual, value, tolerance * math.max(1, math.abs(value)), case.formula .. ": " .. case.names[i])
      end
    end
  end
end

local figures = { "sigma", "df", "r_squared", "adj_r_squared", "f", "log_likelihood", "aic", "bic" }

--- The ratings of new rows by a rule.
local function rate(self)
  local data = dataset.open(file("new.csv", reference.new, names))
  local block = data:blocks { numbers = self:measures(data), texts = self:texts(data) } ()
  return (self:rate(block))
end

function Learned.test_fits_are_those_of_r_and_rules_keep_them()
  for _, case in ipairs(reference.fits) do
    local frames = learned(case.formula, training(), case.weights)
    local fitted = fits.default():solve { formula = frames.formula, frames = frames, where = "test" }
    local function near(actual, expected, what)
      luaunit.assertAlmostEquals(actual, expected, 1e-9 * math.max(1, math.abs(expected)), case.formula .. ": " .. what)
    end
    luaunit.assertEquals(#fitted.terms, #case)
    for i, term in ipairs(case) do
      luaunit.assertEquals(fitted.terms[i].term, term.term)
      near(fitted.terms[i].estimate, term.estimate, term.term)
      near(fitted.terms[i].std_error, term.std_error, term.term)
    end
    for _, key in ipairs(figures) do
      if case[key] then near(fitted[key], case[key], key) end
    end
    local written = rule.new({ name = "r", formula = case.formula }):fitted(fitted)
    local path = shell.file("written.lua", written:script "Fitted.")
    for _, self in ipairs { written, rule.load(path) } do
      local ratings = rate(self)
      for row, prediction in ipairs(case.predictions) do near(ratings[row], prediction, "prediction") end
    end
    luaunit.assertEquals(rule.load(path):script "Fitted.", shell.read(path))
  end
end

-- By hand: x - 2.5 of 1 2 3 4 has the sum of squares 5; (x - 2.5)^2 - 1.25 the values 1 -1 -1 1.
function Learned.test_what_a_rule_keeps()
  local data = dataset.open(shell.file("kept.csv", "x,t,y\n1,b,1\n2,a,3\n3,b,2\n4,NA,9\n4,a,5\n"))
  local frames = learned("y ~ poly(x, 2) + factor(t) + factor(x)", data)
  local script = rule.new({ name = "r", formula = frames.formula.text })
    :fitted({ method = fits.default(), formula = frames.formula, coefficients = {}, aliased = {} }):script "By hand."
  luaunit.assertStrContains(script, [[
  bases = {
    ["poly(x, 2)"] = { alpha = { 2.5, 2.5 }, norm2 = { 1, 4, 5, 4 } },
    ["factor(t)"] = { values = { "a", "b" } },
    ["factor(x)"] = { values = { 1, 2, 3, 4 } },
  },
]])
end

-- R makes one level of numbers whose first 15 digits are the same, and writes numbers so.
function Learned.test_values_of_factors_are_named_as_r_names_them()
  local data = dataset.open(shell.file("values.csv", "x,y\n0.3,1\n0.30000000000000004,2\n1e5,3\n-2,4\n10,5\n9,5\n0.3,4\n"))
  local found = {}
  for i, term in ipairs(learned("y ~ factor(x) - 1", data).formula.terms) do found[i] = term.name end
  luaunit.assertEquals(found, { "factor(x)-2", "factor(x)0.3", "factor(x)9", "factor(x)10", "factor(x)1e+05" })
  data = dataset.of_vectors("data", { "x", "y" }, { x = vector.of { 0, -0.0, 1 }, y = vector.of { 1, 2, 3 } }, 3)
  luaunit.assertEquals(learned("y ~ factor(-x)", data).formula.bases["factor(-x)"].values, { -1.0, 0.0 })
end

-- The blocks of a file are of some thousand rows: what is learned is that of all of them, and of complete rows only.
function Learned.test_learning_goes_over_all_blocks()
  local lines, values, random = { "x,t,y,z" }, {}, math.random
  math.randomseed(9, 0)
  for row = 1, 20000 do
    local x, missing = random(), row % 7 == 0
    lines[row + 1] = ("%.17g,%s,%d,%s"):format(x, row == 19998 and "last" or "t" .. row % 3, row % 5, missing and "" or "1")
    if not missing then table.insert(values, x) end
  end
  local data = dataset.open(shell.file("long.csv", table.concat(lines, "\n") .. "\n"))
  local model = learned("y ~ poly(x, 3) + factor(t) + z", data).formula
  local whole = dataset.of_vectors("whole", { "x", "y" }, { x = vector.of(values), y = vector.of(values) }, #values)
  local expected = learned("y ~ poly(x, 3)", whole).formula.bases["poly(x, 3)"]
  local found = model.bases["poly(x, 3)"]
  for _, key in ipairs { "alpha", "norm2" } do
    for i, value in ipairs(expected[key]) do luaunit.assertAlmostEquals(found[key][i], value, 1e-13 * value) end
  end
  luaunit.assertEquals(model.bases["factor(t)"].values, { "last", "t0", "t1", "t2" })
end

-- Orthonormal to 1e-12 up to a high degree, and far from 0.
function Learned.test_polynomials_are_orthonormal()
  local x = {}
  math.randomseed(4, 0)
  for row = 1, 500 do x[row] = 3 + math.random() end
  local data = dataset.of_vectors("x", { "x", "y" }, { x = vector.of(x), y = vector.of(x) }, #x)
  local columns = learned("y ~ poly(x, 12)", data):keep().columns
  for i = 2, 13 do
    for j = 2, i do luaunit.assertAlmostEquals((columns[i] * columns[j]):sum(), i == j and 1 or 0, 1e-12) end
  end
end

-- Found by fuzzing: names of levels of a dataset in memory, taken for numbers.
function Learned.test_names_of_levels_are_no_numbers()
  local data = dataset.of_vectors("x", { "level", "y" }, { y = vector.of { 1, 2 } }, 2, { "1", "two" })
  local _, problem = pcall(learned, "y ~ factor(level + 0)", data)
  luaunit.assertEquals(tostring(problem), "x: row 2: column 'level': found 'two', expected a number")
end

function Learned.test_a_dot_is_written_out()
  local header = "level,size,theme,rocks,difficulty,solved,w,y,board size\n"
  local data = dataset.open(shell.file("dot.csv", header .. "a,1,x,2,3,4,5,6,7\nb,2,y,,3,4,5,6,7\n"))
  for text, expected in pairs {
    ["y ~ ."] = "y ~ size + rocks + `board size`",
    ["y ~ . + log(size)"] = "y ~ size + rocks + `board size` + log(size)",
    ["log(y) ~ (.)^2 - 1"] = "log(y) ~ (size + rocks + `board size`)^2 - 1",
    ["y ~ .*theme - . + .z"] = "y ~ (size + rocks + `board size`)*theme - (size + rocks + `board size`) + .z",
    ["rocks ~."] = "rocks ~size + y + `board size`",
  } do
    luaunit.assertEquals(formula.parse(text):settled(data, "w").text, expected)
  end
end

return { Learned = Learned }
