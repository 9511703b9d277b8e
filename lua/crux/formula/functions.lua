--- The functions of formulas: a row each, which applies to vectors or numbers.
local factor = require "crux.formula.factor"
local poly = require "crux.formula.poly"
local vector = require "libcrux.vector"

---@class Function
---@field name string
---@field usage string
---@field doc string
---@field most integer      largest number of arguments
---@field least integer?     smallest number of arguments; 1 unless given
---@field apply (fun(...: any): any)?   of vectors or numbers, row by row
---@field inverse (fun(x: any): any)?   of functions that the left side may have, as is
---@field log_slope (fun(x: userdata): userdata)?   the logarithm of the absolute derivative
---@field basis table?      of a variable of several columns that is learned: allowed as a term or in an interaction
---@field offset boolean?   a summand without a coefficient: allowed as a summand of the right side

--- A function of any number of arguments from one of two.
local function each(of_numbers, of_vectors)
  return function(first, ...)
    for _, other in ipairs { ... } do
      first = math.type(first) and math.type(other) and of_numbers(first, other) or of_vectors(first, other)
    end
    return first
  end
end

local least, greatest = each(math.min, vector.min), each(math.max, vector.max)

--- Chooses the second argument where the first is not 0, else the third.
local function choose(test, a, b)
  if type(test) == "userdata" then return vector.choose(test, a, b) end
  return test ~= 0 and a or b
end

---@type Function[]
local functions = {
  { name = "I", usage = "I(x)", doc = "arithmetic: + - * / ^ of numbers and measures; < <= > >= == !=, 1 or 0", most = 1,
    apply = function(x) return x end },
  { name = "log", usage = "log(x)", doc = "natural logarithm", most = 1, apply = vector.log, inverse = vector.exp,
    log_slope = function(x) return -vector.log(x) end },
  { name = "log10", usage = "log10(x)", doc = "logarithm of base 10", most = 1, apply = vector.log10,
    inverse = function(x) return 10 ^ x end, log_slope = function(x) return -vector.log(x * math.log(10)) end },
  { name = "log2", usage = "log2(x)", doc = "logarithm of base 2", most = 1, apply = vector.log2,
    inverse = function(x) return 2 ^ x end, log_slope = function(x) return -vector.log(x * math.log(2)) end },
  { name = "log1p", usage = "log1p(x)", doc = "log(1 + x)", most = 1, apply = vector.log1p, inverse = vector.expm1,
    log_slope = function(x) return -vector.log1p(x) end },
  { name = "sqrt", usage = "sqrt(x)", doc = "square root", most = 1, apply = vector.sqrt,
    inverse = function(x) return x * x end, log_slope = function(x) return -vector.log(4 * x) / 2 end },
  { name = "exp", usage = "exp(x)", doc = "exponential function", most = 1, apply = vector.exp, inverse = vector.log,
    log_slope = function(x) return x end },
  { name = "abs", usage = "abs(x)", doc = "absolute value", most = 1, apply = vector.abs },
  { name = "min", usage = "min(x, y, ...)", doc = "the least, row by row: R's pmin", most = math.huge,
    apply = least },
  { name = "pmin", usage = "pmin(x, y, ...)", doc = "the same", most = math.huge, apply = least },
  { name = "max", usage = "max(x, y, ...)", doc = "the greatest, row by row: R's pmax", most = math.huge,
    apply = greatest },
  { name = "pmax", usage = "pmax(x, y, ...)", doc = "the same", most = math.huge, apply = greatest },
  { name = "ifelse", usage = "ifelse(x > 3, y, z)", doc = "y where the comparison holds, else z", least = 3, most = 3,
    apply = choose },
  { name = "poly", usage = "poly(x, k)", doc = "orthogonal polynomials up to degree k", most = 2, basis = poly },
  { name = "scale", usage = "scale(x)", doc = "x less its mean, in standard deviations", most = 1, basis = poly.scale },
  { name = "factor", usage = "factor(x)", doc = "an indicator of each value, numbers or text, but the first", most = 1,
    basis = factor },
  { name = "offset", usage = "offset(x)", doc = "added as it is, without a coefficient", most = 1, offset = true },
}

for _, row in ipairs(functions) do functions[row.name] = row end

return functions
