--- Fractions that depend on the state: expressions that C computes for each state, where a run allows them.
---
--- An expression is a table { operation, a, b, c }: a and b are expressions, numbers or integers of the state; c, of "where",
--- is a truth value. The operators of its metatable make larger ones. It cannot be compared, as C computes it last.
local paths = require "crux.symbolic.paths"

local run = paths.run

local fractions = {}

--- True by expression.
---@type table<any, boolean>
local all = setmetatable({}, { __mode = "k" })
fractions.all = all

local metatable = {}

--- An expression.
function fractions.new(operation, a, b, c)
  local made = { operation, a, b, c }
  all[made], run.born[made], run.born[metatable], run.metatables[made] = true, paths.ALL, paths.ALL, metatable
  return made
end

local signs = { ["+"] = "__add", ["-"] = "__sub", ["*"] = "__mul", ["/"] = "__div", ["^"] = "__pow" }
for sign, event in pairs(signs) do
  metatable[event] = function(given) return fractions.new(sign, given[1], given[2]) end
end
function metatable.__unm(given) return fractions.new("*", -1, given[1]) end

function fractions.refuse()
  paths.refuse("a fraction of the state that is compared or rounded", "+, -, *, /, ^, math.sqrt, abs, min and max")
end
for _, event in ipairs { "__eq", "__lt", "__le", "__idiv", "__mod", "__concat", "__len", "__index", "__call", "__band", "__bor",
  "__bxor", "__bnot", "__shl", "__shr" } do
  metatable[event] = fractions.refuse
end

--- The result of an operator, if the run allows fractions of the state and it is one.
---@return table?
function fractions.binary(sign, a, b) return run.has_fractions and signs[sign] and fractions.new(sign, a, b) or nil end

--- Allows fractions until the run ends.
function fractions.allow()
  run.has_fractions = true
  for _, f in pairs(metatable) do run.functions[f] = { native = function(given) return { n = 1, f(given) } end } end
end

return fractions
