--- poly(x, k) and scale(x) in formulas: polynomials of degree 1 to k that are orthogonal over the training rows, as R's poly,
--- and, as R's scale, the one of degree 1 in another unit: x less its mean there, divided by its standard deviation.
---
--- A basis keeps the numbers that R calls alpha and norm2: p[0] = 1, p[1] = x - alpha[1],
--- p[j] = (x - alpha[j]) p[j-1] - norm2[j+1] / norm2[j] p[j-2], each column divided by the square root of its norm2.
--- They are learned in k + 1 passes over the data (Stieltjes), in constant memory, and without powers of x, whose sums would
--- lose digits.
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local poly = {}
poly.__index = poly

---@class Poly
---@field degree integer
---@field alpha number[]?   learned: of degree 1 to k
---@field norm2 number[]?   learned: 1, the number of rows, sums of squares of degree 1 to k

--- The basis of a call, not yet learned; nil and what was expected for a wrong degree.
function poly.new(arguments)
  local degree = arguments[2] and arguments[2].number or not arguments[2] and 1
  degree = degree and degree >= 1 and degree <= sizes.poly_degree and math.tointeger(degree)
  if not degree then return nil, ("a whole number from 1 to %d as its degree"):format(sizes.poly_degree) end
  return setmetatable({ degree = degree }, poly)
end

--- Tells whether the names of its columns are known.
function poly:has_names() return self.degree ~= nil end

--- The endings of the names of its columns.
function poly:names()
  if self.degree == 1 then return { "" } end
  local names = {}
  for i = 1, self.degree do names[i] = tostring(i) end
  return names
end

--- The polynomials of degree 0 to `degree` of some numbers.
local function polynomials(basis, x, degree)
  local p = { [0] = vector.fill(#x, 1) }
  for j = 1, degree do
    p[j] = (x - basis.alpha[j]) * p[j - 1]
    if j > 1 then p[j] = p[j] - p[j - 2] * (basis.norm2[j + 1] / basis.norm2[j]) end
  end
  return p
end

function poly:columns(x)
  local columns = {}
  for j, p in ipairs(polynomials(self, x, self.degree)) do columns[j] = p * (1 / math.sqrt(self.norm2[j + 2])) end
  return columns
end

--- Starts to learn: bases.lua describes learners.
function poly:learner()
  local learned = setmetatable({ degree = self.degree, alpha = {}, norm2 = { 1 } }, getmetatable(self))
  local pass, rows, sum, sum_x, distinct, count, mean = 0, 0, 0, 0, {}, 0, nil
  local learner = {}
  function learner.take(x)
    rows = rows + #x
    if pass > 0 then
      local square = polynomials(learned, x, pass)[pass] ^ 2
      sum, sum_x = sum + square:sum(), sum_x + (square * (x - mean)):sum()
      return
    end
    sum = sum + x:sum()
    for row = 1, #x do
      if count > self.degree then break end
      if not distinct[x[row]] then distinct[x[row]], count = true, count + 1 end
    end
  end
  --- Returns the basis; nil and true if it needs another pass; nil, false, and what was found and expected for wrong data.
  function learner.finish()
    if pass == 0 then
      if count <= self.degree then
        return nil, false, number.count(count, "different value"), ("at least %d"):format(self.degree + 1)
      end
      mean = sum / rows
      learned.alpha[1], learned.norm2[2] = mean, rows
    else
      if not (sum > 0 and sum < math.huge) then return nil, false, "numbers too close or too large for it", "others" end
      learned.norm2[pass + 2] = sum
      if pass == self.degree then return learned end
      learned.alpha[pass + 1] = mean + sum_x / sum
    end
    pass, rows, sum, sum_x = pass + 1, 0, 0, 0
    return nil, true
  end
  return learner
end

--- Its fields in a rule script.
function poly:fields() return { { "alpha", self.alpha }, { "norm2", self.norm2 } } end

--- Reads the basis from the fields of a rule script; returns nil and what was expected for wrong fields.
function poly:read(fields)
  local expected = ("alpha of %d numbers and norm2 of %d numbers above 0"):format(self.degree, self.degree + 2)
  for _, list in ipairs { { fields.alpha, self.degree, -math.huge }, { fields.norm2, self.degree + 2, 0 } } do
    local values, count, least = table.unpack(list, 1, 3)
    if type(values) ~= "table" or #values ~= count then return nil, expected end
    for _, value in ipairs(values) do
      if not (number.is_finite(value) and value > least) then return nil, expected end
    end
  end
  return setmetatable({ degree = self.degree, alpha = fields.alpha, norm2 = fields.norm2 }, getmetatable(self))
end

poly.scale = setmetatable({}, { __index = poly })
poly.scale.__index = poly.scale

function poly.scale.new() return setmetatable({ degree = 1 }, poly.scale) end

function poly.scale:columns(x) return { poly.columns(self, x)[1] * math.sqrt(self.norm2[2] - 1) } end

return poly
