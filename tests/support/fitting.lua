--- Fits of formulas in tests, and comparisons of their numbers.
local design = require "crux.data.design"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"

local fitting = {}

--- The problem of fitting a formula to a dataset.
---@param text string   the formula
---@param more string|{ weights: string?, scale: number[]?, unconverged: boolean? }|nil   or the weights
function fitting.problem(data, text, more)
  local parsed, fields = formula.parse(text), type(more) == "table" and more or { weights = more }
  local frames = design.new(data, { response = parsed.response, formula = parsed, weights = fields.weights, who = "test" })
  return { formula = frames.formula, frames = frames:keep(true), where = data.name, scale = fields.scale,
    unconverged = fields.unconverged }
end

--- Random rows of k measures x1, x2, ...; y depends on them; w are weights.
function fitting.random_rows(n, k)
  local columns = { y = {}, w = {} }
  for j = 1, k do columns["x" .. j] = {} end
  for i = 1, n do
    columns.y[i], columns.w[i] = math.random() * 3, math.random(1, 12)
    for j = 1, k do
      columns["x" .. j][i] = math.random() * 10 ^ (j - 2)
      columns.y[i] = columns.y[i] + columns["x" .. j][i] * (j - 2)
    end
  end
  return columns
end

--- The formula of k measures x1, x2, ...
function fitting.formula_of(k)
  local names = {}
  for j = 1, k do names[j] = "x" .. j end
  return "y ~ " .. table.concat(names, " + ")
end

---@param method string   "lad"
---@param of Problem
function fitting.solve(method, of) return fits.parse(method, "test")[1]:solve(of) end

--- Expects a number with an error relative to its size, absolute below a size of 1.
function fitting.near(actual, expected, tolerance, what)
  luaunit.assertAlmostEquals(actual, expected, tolerance * math.max(1, math.abs(expected)), what)
end

--- Expects a number with an error relative to its size, however small that is.
function fitting.relatively_near(actual, expected, tolerance, what)
  luaunit.assertAlmostEquals(actual, expected, tolerance * math.abs(expected), what)
end

--- Expects numbers near others, in a list or by name.
function fitting.all_near(actual, expected, tolerance, what)
  luaunit.assertEquals(#actual, #expected, what)
  for key, value in pairs(expected) do
    fitting.near(actual[key], value, tolerance, ("%s %s"):format(what or "", key))
  end
end

--- The message of the error that a call raises.
function fitting.message(f, ...) return tostring(select(2, pcall(f, ...))) end

return fitting
