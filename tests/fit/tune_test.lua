-- Tests of lua/crux/fit/tune.lua, params.lua: R's nls, bounds, corners, searches that fail, Sprinkfield's constants.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fitting = require "fitting"
local long = require "long"
local luaunit = require "luaunit"
local memory = require "memory"
local minimise = require "libcrux.minimise"
local params = require "crux.rule.params"
local recovery = require "tune_recovery"
local rule = require "crux.rule.rule"
local shell = require "shell"
local vector = require "libcrux.vector"

local reference = dofile "tests/reference/tune_reference.lua"
local assert_near, message = fitting.relatively_near, fitting.message

--- Tunes a function on a dataset; `spec` has further fields of the rule.
local function tuned(data, formula, numbers, spec)
  local fields = { name = "test", formula = formula, params = numbers, predicts = "y" }
  for key, value in pairs(spec or {}) do fields[key] = value end
  local self = rule.new(fields, "test.lua")
  local frames = design.new(data, { response = self.predicts, formula = self:fittable(), weights = self.weights,
    who = self:who() })
  return self.method:solve { formula = frames.formula, frames = frames, where = data.name,
    unconverged = fields.name == "unconverged" }
end

local function function_of(text) return load("local v, p = ... return " .. text) end

local Tune = {}

--- The search for a param that starts on its only bound begins 0.01 of the bound's size off it, 0.01 off the bound 0. So it is
--- the same as from that place.
function Tune.test_a_start_on_the_only_bound()
  local data = dataset.open(shell.file("on-bound.csv", "a,y\n1,2.1\n2,3.9\n3,6.2\n4,7.8\n"))
  for _, case in ipairs { { low = 1, 1, 1.01 }, { low = -50, -50, -49.5 }, { low = 0, 0, 0.01 }, { high = 500, 500, 495 } } do
    local fits = {}
    for i = 1, 2 do
      fits[i] = tuned(data, function_of "p.b * v.a", { b = { case[i], low = case.low, high = case.high } })
    end
    luaunit.assertEquals(fits[1].iterations, fits[2].iterations)
    luaunit.assertEquals(fits[1].coefficients, fits[2].coefficients)
    assert_near(fits[1].coefficients.b, 59.7 / 30, 1e-9) -- the sum of a y over that of a a
  end
end

function Tune.test_all_numbers_are_those_of_r()
  luaunit.assertTrue(#reference >= 10)
  for _, case in ipairs(reference) do
    local numbers, what = {}, case.data .. ": " .. case.formula
    for name, value in pairs(case.start) do
      numbers[name] = case.low and { value, low = case.low[name], high = case.high[name] } or value
    end
    local fitted = tuned(dataset.open(case.data), function_of(case.formula), numbers,
      { predicts = case.target, weights = case.weights })
    luaunit.assertEquals({ fitted.converged, fitted.aliased }, { true, {} }, what)
    assert_near(fitted.log_likelihood, case.log_likelihood, 1e-8, what)
    local held = {}
    for _, row in ipairs(fitted.terms) do
      local name = row.term
      assert_near(row.estimate, case.estimates[name], 1e-6, what .. ": " .. name)
      if case.errors[name] then
        assert_near(row.std_error, case.errors[name], 1e-6, what)
        assert_near(row.t, case.t[name], 1e-6, what)
        assert_near(row.p, case.p[name], 1e-4, what) -- far out, p changes about a hundred times as much as t
      else
        luaunit.assertNil(row.std_error)
        table.insert(held, name)
      end
    end
    luaunit.assertEquals(fitted.held, held, what)
    assert_near(fitted.sigma, case.sigma, 1e-8, what)
  end
end

--- A weight of w counts as w rows: the same estimates as of rows written w times.
function Tune.test_weights_repeat_rows()
  local once, times = { x = {}, y = {}, w = {} }, { x = {}, y = {} }
  for i = 1, 12 do
    once.x[i], once.y[i], once.w[i] = i, 3 * i ^ 0.5 + math.sin(7 * i), i % 4
    for _ = 1, i % 4 do
      table.insert(times.x, i)
      table.insert(times.y, once.y[i])
    end
  end
  local function f(v, p) return p.a * v.x ^ p.b end
  local weighted = tuned(memory(once), f, { a = 1, b = 1 }, { weights = "w" })
  local repeated = tuned(memory(times), f, { a = 1, b = 1 })
  luaunit.assertEquals({ weighted.n, repeated.n }, { 9, 18 })
  for i, row in ipairs(weighted.terms) do assert_near(row.estimate, repeated.terms[i].estimate, 1e-9) end
  assert_near(weighted.objective[2], repeated.objective[2], 1e-12)
end

-- A straight line by hand: y = 1 2 4 over x = 0 1 2 has slope 1.5, intercept 5/6, errors 1/6 -1/3 1/6, sigma^2 = 1/6.
function Tune.test_line_by_hand()
  local data = memory { x = { 0, 1, 2 }, y = { 1, 2, 4 } }
  local function f(v, p) return p.a + p.b * v.x end
  local fitted = tuned(data, f, { a = 0, b = 0 })
  assert_near(fitted.coefficients.a, 5 / 6, 1e-9)
  assert_near(fitted.coefficients.b, 1.5, 1e-9)
  assert_near(fitted.terms[2].std_error, math.sqrt(1 / 12), 1e-9)
  assert_near(fitted.objective[2], 1 / 6, 1e-9)
  -- R: qt(0.975, 1) = 12.7062047361747
  assert_near(fitted.terms[2].high - 1.5, 12.7062047361747 * math.sqrt(1 / 12), 1e-9)
  -- b at most 1: a = 7/3 - 1
  local bounded = tuned(data, f, { a = 0, b = { 0, low = -5, high = 1 } })
  luaunit.assertEquals({ bounded.coefficients.b, bounded.held, bounded.df }, { 1, { "b" }, 2 })
  luaunit.assertNil(bounded.terms[2].std_error)
  assert_near(bounded.coefficients.a, 4 / 3, 1e-9)
  -- a start on the bounds does not stay there
  local corner = tuned(data, f, { a = { 3, low = -10, high = 3 }, b = { 0, low = 0 } })
  assert_near(corner.coefficients.a, 5 / 6, 1e-9)
  assert_near(corner.coefficients.b, 1.5, 1e-9)
  luaunit.assertEquals(corner.held, {})
end

--- Straight lines with random bounds against all choices of which coefficients lie on which bound.
function Tune.test_bounds_against_all_choices()
  math.randomseed(11)
  local function best(x, y, box)
    local least = math.huge
    local function try(a, b)
      if a < box.a.low - 1e-12 or a > box.a.high + 1e-12 or b < box.b.low - 1e-12 or b > box.b.high + 1e-12 then return end
      local sum = 0
      for i = 1, #x do sum = sum + (y[i] - a - b * x[i]) ^ 2 end
      least = math.min(least, sum)
    end
    local n, sx, sy, sxx, sxy = #x, 0, 0, 0, 0
    for i = 1, n do sx, sy, sxx, sxy = sx + x[i], sy + y[i], sxx + x[i] ^ 2, sxy + x[i] * y[i] end
    local slope = (n * sxy - sx * sy) / (n * sxx - sx ^ 2)
    try((sy - slope * sx) / n, slope)
    for _, side in ipairs { "low", "high" } do
      local a, b = box.a[side], box.b[side]
      try(a, (sxy - a * sx) / sxx)
      try((sy - b * sx) / n, b)
      for _, other in ipairs { "low", "high" } do try(a, box.b[other]) end
    end
    return least
  end
  local met = 0
  for _ = 1, 60 do
    local x, y, box = {}, {}, {}
    for i = 1, 8 do x[i], y[i] = math.random() * 4, math.random() * 4 end
    for _, name in ipairs { "a", "b" } do
      local low = math.random() * 4 - 3
      box[name] = { low + 0.25, low = low, high = low + 0.5 + math.random() * 2 }
    end
    local fitted = tuned(memory { x = x, y = y }, function(v, p) return p.a + p.b * v.x end, box)
    met = met + #fitted.held
    assert_near(fitted.objective[2], best(x, y, box), 1e-9)
  end
  luaunit.assertTrue(met > 20 and met < 110)
end

--- The rating jumps as p.c goes on: only the simplex finds its way; there is no slope to make a standard error of.
function Tune.test_steps()
  local x, y = {}, {}
  for i = 1, 40 do x[i], y[i] = i / 4, math.max(0, i / 4 - 5) * 2 end
  local function f(v, p) return math.max(0, v.x - math.floor(p.c * 4) / 4) * p.b end
  local numbers = { b = 1, c = { 4.1, low = 0, high = 10 } }
  local fitted = tuned(memory { x = x, y = y }, f, numbers, { fit = "tune(search = simplex)" })
  luaunit.assertTrue(fitted.converged and fitted.objective[2] < 1e-10)
  assert_near(fitted.coefficients.b, 2, 1e-6)
  luaunit.assertEquals({ math.floor(fitted.coefficients.c * 4), fitted.terms[2].std_error, fitted.flat }, { 20, nil, { "c" } })
  luaunit.assertEquals(message(tuned, memory { x = x, y = y }, f, numbers), "data: fit 'tune': found the param 'c' undetermined: "
    .. "the ratings do not change with it, or only as with those before it, expected convergence; --unconverged takes it as it is")
end

--- The best width is its bound 0, next to which the ratings do not change with it: it is put there. A share of 0 leaves the
--- other param without effect, which goes to its bound, too; without a bound it is undetermined. Between its bounds c has steps,
--- so that no bound is better than where it is.
function Tune.test_ratings_that_are_flat_next_to_a_bound()
  local x, y = {}, {}
  for i = 1, 20 do x[i], y[i] = i, 20 - i end
  local data = memory { x = x, y = y }
  local function f(v, p) return p.base + p.gain * math.exp(-(v.x / math.max(p.width, 1e-9)) ^ 2) - v.x end
  local fitted = tuned(data, f, { base = 15, gain = { 3, low = 1 }, width = { 2, low = 0 } })
  luaunit.assertEquals({ fitted.coefficients.width, fitted.converged }, { 0, true })
  assert_near(fitted.coefficients.base, 20, 1e-9)
  local function bump(v, p) return p.base + p.share * v.x ^ p.power end
  fitted = tuned(data, bump, { base = 1, share = { 1, low = 0 }, power = { 2, low = 0.5, high = 3 } })
  luaunit.assertEquals({ fitted.coefficients.share, fitted.converged }, { 0, true })
  luaunit.assertItemsEquals(fitted.held, { "power", "share" })
  assert_near(fitted.coefficients.base, 9.5, 1e-9)
  luaunit.assertStrContains(message(tuned, data, bump, { base = 1, share = { 1, low = 0 }, power = 2 }),
    "found the param 'power' undetermined")
end

--- The best place is the corner b = 1, on both sides of which errors grow: the gradient does not claim to have found it.
function Tune.test_corners()
  local data = memory { x = { 1, 2, 3, 4 }, y = { 10, 7, 9, 8 } }
  local function f(_, p) return 10 + math.abs(p.b - 1) end
  luaunit.assertEquals(message(tuned, data, f, { b = 3 }), "data: fit 'tune': found a place that still has a slope, as at a corner, "
    .. "for which there is tune(search = simplex), expected convergence; --unconverged takes it as it is")
  local fitted = tuned(data, f, { b = 3 }, { fit = "tune(search = simplex)" })
  assert_near(fitted.coefficients.b, 1, 1e-6)
  assert_near(fitted.objective[2], 9 + 1 + 4, 1e-6)
end

--- Places without numbers are walked around; where none but those lie before a search, it says which row.
function Tune.test_places_without_numbers()
  local x, y = {}, {}
  for i = 1, 10 do x[i], y[i] = i, math.log(i - 0.5) end
  local data = memory { x = x, y = y }
  local function f(v, p) return math.log(v.x - p.a) end
  local fitted = tuned(data, f, { a = -40 })
  assert_near(fitted.coefficients.a, 0.5, 1e-6)
  luaunit.assertEquals(message(tuned, data, f, { a = 1.5 }), "data: row 1: level '1': test.lua: found NaN, expected a number")
  -- the best place, a = -1, has no numbers
  luaunit.assertStrMatches(message(tuned, data, function(v, p) return p.a > 0.1 and v.y - 1 - p.a or 0 / 0 end, { a = 0.5 }),
    "data: fit 'tune': found .+ %(on the way: data: row 1: level '1': test.lua: found %-?NaN %(a = .+%), expected a number%), "
    .. "expected convergence; %-%-unconverged takes it as it is")
end

function Tune.test_errors_of_functions_pass_through()
  local data = memory { x = { 1, 2, 3 }, y = { 1, 2, 4 } }
  local calls = 0
  local function after(count, f)
    calls = 0
    return function(v, p)
      calls = calls + 1
      return calls > count and f(v, p) or p.a * v.x
    end
  end
  for _, search in ipairs { "gradient", "simplex" } do
    for _, count in ipairs { 6, 7, 13, 20 } do
      local spec = { fit = ("tune(search = %s)"):format(search) }
      luaunit.assertEquals(message(tuned, data, after(count, function() error("no more", 0) end), { a = 1.5 }, spec),
        "test.lua: no more")
      luaunit.assertStrContains(message(tuned, data, after(count, function(v) return v.z end), { a = 1.5 }, spec),
        "data:1: test.lua needs the measure 'z', which is not among the columns")
      luaunit.assertStrMatches(message(tuned, data, after(count, function() return "much" end), { a = 1.5 }, spec),
        "data: row %d: level '%d': test.lua: found 'much' %(a = [%d.]+%), expected a number")
    end
  end
  luaunit.assertStrMatches(message(tuned, data, function(v, p) return p.b * v.x end, { a = 1.5 }),
    "tests/fit/tune_test.lua:%d+: found the unknown param 'b'; .+")
  luaunit.assertStrContains(message(tuned, data, function(_, p) p.a = 1 end, { a = 1.5 }), "found an assignment to a param")
  luaunit.assertStrContains(message(tuned, data, function(v) v.x = 1 end, { a = 1.5 }), "found an assignment to a measure")
end

--- Saturating functions of values that curve the other way: the larger the constants, the better. The search ends early, and the
--- message names the one that has grown most. With a bound it ends there.
function Tune.test_growth_without_end()
  local x, y = {}, {}
  for i = 1, 30 do x[i], y[i] = i, i ^ 1.6 + math.sin(i) end
  local data = memory { x = x, y = y }
  local divided, above = "p.a * v.x / (v.x + p.b)", { 20, low = 0 }
  for _, case in ipairs { { divided, { a = 1, b = above } }, { divided, { a = { 1, low = 0 }, b = above } },
    { "p.a * (1 - math.exp(-v.x / p.b))", { a = 100, b = above } },
    { divided, { a = 1, b = above }, "tune(search = simplex)" } } do
    local self = rule.new({ name = "test", formula = function_of(case[1]), params = case[2], predicts = "y", fit = case[3] }, "test.lua")
    local rated = 0
    luaunit.assertStrMatches(message(self.estimate, self, data, { advance = function() rated = rated + 1 end }), "data: fit '.+': found "
      .. "the param '[ab]' growing without end, from %d+ to [%d.e+]+ %('high = NUMBER' in params bounds it%), expected convergence; .+")
    luaunit.assertTrue(rated > 100 and rated < 4000, rated)
  end
  local bounded = tuned(data, function_of(divided), { a = 1, b = { 5, low = 0, high = 1e4 } })
  luaunit.assertEquals({ bounded.coefficients.b, bounded.held, bounded.converged }, { 1e4, { "b" }, true })
end

--- The slope by k of log(x + |k|) never vanishes at the best k, 0: the search ends when it has gained nothing for 20 looks of 100
--- evaluations, and names the corner. The 20,000 evaluations that are allowed took a second.
function Tune.test_a_search_that_stands_still()
  local x, y = {}, {}
  for i = 1, 120 do x[i], y[i] = i % 29 + 1, i % 29 + 1 + math.sin(i) end
  local self = rule.new({ name = "test", formula = function_of "p.b * math.log(v.x + math.abs(p.k))", params = { b = 1, k = 1 },
    predicts = "y" }, "test.lua")
  local rated = 0
  luaunit.assertStrContains(message(self.estimate, self, memory { x = x, y = y }, { advance = function() rated = rated + 1 end }),
    "found a place that still has a slope, as at a corner, for which there is tune(search = simplex)")
  luaunit.assertTrue(rated > 2000 and rated < 2500, rated)
end

function Tune.test_refusals()
  local x, y = {}, {}
  for i = 1, 30 do x[i], y[i] = i, math.exp(i / 10) + i % 3 end
  local data = memory { x = x, y = y }
  local function f(v, p) return p.a * math.exp(p.b * v.x) end
  local limited = { fit = "tune(evaluations = 5)", name = "test" }
  luaunit.assertEquals(message(tuned, data, f, { a = 1, b = 0 }, limited), "data: fit 'tune(evaluations = 5)': found none after "
    .. "rating all rows 5 times, expected convergence; --unconverged takes it as it is")
  limited.name = "unconverged"
  luaunit.assertEquals(tuned(data, f, { a = 1, b = 0 }, limited).converged, false)
  luaunit.assertEquals(message(tuned, memory { x = { 1, 2 }, y = { 1, 2 } }, function(v, p) return p.a + p.b * v.x + p.c end,
    { a = 1, b = 1, c = 1 }), "data: found 2 complete rows, expected at least as many as there are params, 3")
  luaunit.assertEquals(message(tuned, memory { x = { 1, 2 }, y = { 4, 4 } }, f, { a = 1, b = 1 }),
    "data: found ratings that are all 4, expected different ones to tune params on")
  luaunit.assertStrContains(message(tuned, data, function(v, p) return (p.a + p.b) * v.x end, { a = 1, b = 1 }),
    "found the param 'b' undetermined")
  luaunit.assertEquals(message(tuned, data, f, { a = 1, b = 1 }, { fit = "lad" }),
    "test.lua: found the fit 'lad', expected tune, the one for a Lua function")
  luaunit.assertEquals(message(tuned, data, f, { a = 1, b = 1 }, { fit = "tune(search = luck)" }),
    "test.lua: field 'fit': option 'search': found 'luck', expected gradient or simplex")
end

--- As many rows as params: the numbers are exact, their errors unknown.
function Tune.test_as_many_rows_as_params()
  local fitted = tuned(memory { x = { 1, 2 }, y = { 3, 12 } }, function(v, p) return p.a * v.x ^ p.b end, { a = 1, b = 1 })
  assert_near(fitted.coefficients.a, 3, 1e-7)
  assert_near(fitted.coefficients.b, 2, 1e-7)
  luaunit.assertEquals({ fitted.df, fitted.terms[1].std_error, fitted.converged }, { 0, nil, true })
end

-- Each constant in at least 90 of 100: 95 are expected, and the deviation of their number is 2.2.
function Tune.test_constants_of_sprinkfield_are_found_again()
  long.only()
  for name, count in pairs(recovery.count(100, 120, 2)) do luaunit.assertTrue(count >= 90, ("%s: %d"):format(name, count)) end
end

local Primitive = {}

function Primitive.test_arguments()
  local function try(changes)
    local asked = { start = vector.of { 1 }, low = vector.of { 0 }, high = vector.of { 2 }, residuals = 2,
      evaluate = function() return vector.of { 1, 2 } end }
    for key, value in pairs(changes) do asked[key] = value end
    return message(minimise.squares, asked)
  end
  luaunit.assertEquals(try {}, "converged")
  for _, case in ipairs { { { evaluate = 1 }, "expected a function" }, { { residuals = false }, "residuals: expected" },
    { { start = vector.of { 3 } }, "expected a start between low and high" }, { { low = vector.of {} }, "low: expected 1 numbers" },
    { { high = vector.of { 0 } }, "expected a start between" }, { { start = vector.of { 0 / 0 } }, "expected a start between" },
    { { by = "luck" }, "invalid option 'luck'" }, { { evaluate = function() return vector.of { 1 } end }, "expected 2 residuals" },
    { { evaluate = function() return 1 end }, "crux.vector expected" }, { { evaluate = function() error {} end }, "table: " },
    { { most_evaluations = 0 }, "most_evaluations: expected an integer from 1" } } do
    luaunit.assertStrContains(try(case[1]), case[2])
  end
end

local Params = {}

local function replaced(text, spec, values) return params.replace(text, params.read(spec, "r.lua"), values, "r.lua") end

function Params.test_replace_keeps_every_other_byte()
  local spec, values = { a = 0.3, b = { 2, low = 0, high = 1e3 } }, { a = 1 / 3, b = -4 }
  for _, text in ipairs { "params = { a = %s, b = { %s, low = 0, high = 1e3 } }", "x{params={a=%s;b={%s;high=1e3,low=0;};}}",
    "-- params = { a = 1 }\r\nparams\n=\t{ -- a\n a = %s --[[ b ]], b --[==[ ]] ]==] = { %s }, }", "s = 'params = {}' params = {a=%s,b=%s}",
    's = "\\"params = {}" t = [[ params = {a=1} ]] myparams = {a=1} params = {a=%s,b={%s,low=-1,high=math.huge}} params2 = {}' } do
    local before, after = text:format("0.30", "2"), text:format("0.3333333333333333", "-4")
    luaunit.assertEquals(replaced(before, spec, values), after)
  end
end

function Params.test_replace_refuses_what_is_not_plain()
  for text, found in pairs { ["params = { a = 0.3 * 1 }"] = "no", ["params = { a = 3 / 10 }"] = "no", ["local a = 0.3"] = "no",
    ["params = { a = 0.4 }"] = "no", ["params = { ['a'] = 0.3 }"] = "no", ["params = { a = 0.3, b = 1 }"] = "no",
    ["params = {}"] = "no", ["params = { a = 0.3 } params = { a = 0.3 }"] = "more", ["params = shared"] = "no",
    ["params = { a = x0.3 }"] = "no" } do
    luaunit.assertEquals(message(replaced, text, { a = 0.3 }, { a = 1 }), ("r.lua: found %s, expected it once, each param as "
      .. "NAME = NUMBER or NAME = { NUMBER, low = NUMBER, high = NUMBER }, to write numbers into"):format(found == "no"
      and "no params = { ... } of plain numbers" or "params = { ... } more than once"), text)
  end
end

function Params.test_read_refuses()
  for _, case in ipairs {
    { { a = "0.3" }, "r.lua: param 'a': found '0.3', expected a number, or { number, low = number, high = number }" },
    { { a = {} }, "r.lua: param 'a': found nil, expected a number, or { number, low = number, high = number }" },
    { { a = 0 / 0 }, "r.lua: param 'a': found NaN, expected a number, or { number, low = number, high = number }" },
    { { a = { 1, 2 } }, "r.lua: param 'a': found the field 2, expected a number, or { number, low = number, high = number }" },
    { { a = { 1, from = 0 } },
      "r.lua: param 'a': found the field 'from', expected a number, or { number, low = number, high = number }" },
    { { a = { 1, low = "0" } }, "r.lua: param 'a': bounds: found '0', expected numbers" },
    { { a = { 1, low = 2, high = 0 } }, "r.lua: param 'a': bounds: found low = 2 and high = 0, expected low below high" },
    { { a = { 1, low = 2, high = 3 } }, "r.lua: param 'a': found 1, expected a number from 2 to 3, its bounds" },
    { { a = { 1, high = 0.5 } }, "r.lua: param 'a': found 1, expected a number from -Inf to 0.5, its bounds" },
    { { [1] = 4 }, "r.lua: params: found the name 1, expected letters, digits and _" },
    { { ["a b"] = 4 }, "r.lua: params: found the name 'a b', expected letters, digits and _" },
    { {}, "r.lua: params: found none, expected at least one: NAME = NUMBER" },
  } do luaunit.assertEquals(message(params.read, case[1], "r.lua"), case[2]) end
end

return { Tune = Tune, TunePrimitive = Primitive, TuneParams = Params }
