--- Formulas: parses a text, and, for one text in four, as it takes long, fits a small dataset by it and
--- writes the rule. Raises an error for whatever is no fault of one line.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local rule = require "crux.rule.rule"
local vector = require "libcrux.vector"
local went_well = dofile "tests/fuzz/went_well.lua"

local columns = { "level", "a", "b", "c", "y" }
local vectors = { a = vector.of { 1, 2, 3, 4, 5, 6, 7, 8 }, b = vector.of { 2, 1, 2, 1, 2, 1, 3, 3 },
  c = vector.of { 0.5, -1, 0, 1e300, 3, 0 / 0, 2, 1 }, y = vector.of { 1, 3, 2, 5, 4, 6, 8, 7 } }
local method = fits.default()
local names = { "one", "two", "one", "two", "three", "one", "two", "one" }
local data = dataset.of_vectors("data", columns, vectors, #names, names)

--- What was written and read again is what it was.
local function check_written(fitted)
  local script = rule.new({ name = "fuzz", formula = fitted.formula.text }):fitted(fitted):script "Fuzzed."
  local spec
  assert(load(script, "=fuzz", "t", { crux = { rule = function(fields) spec = fields end } }))()
  assert(rule.new(spec, "fuzz"):script "Fuzzed." == script, script)
end

return function(text)
  local parsed = went_well(formula.parse, text)
  if not parsed then return end
  parsed = went_well(parsed.with_response, parsed, "y")
  if not parsed or #text % 4 > 0 then return end
  assert(parsed:with_response("y").text == parsed.text)
  local frames = went_well(design.new, data, { response = "y", formula = parsed, who = "fuzz" })
  if not frames or #frames.formula.terms > 50 then return end
  local fitted = went_well(method.solve, method, { formula = frames.formula, frames = frames, where = "fuzz" })
  if fitted then check_written(fitted) end
end
