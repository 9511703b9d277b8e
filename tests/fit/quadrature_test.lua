-- Tests of libcrux.quadrature: the rules of 2 and 3 nodes by hand, and the moments of the normal distribution, which n nodes give exactly
-- up to the degree 2 n - 1. High moments need the tails: of 100 nodes, the least weight is below 1e-76.
local luaunit = require "luaunit"
local quadrature = require "libcrux.quadrature"
local sizes = require "libcrux.sizes"
require "libcrux.vector" -- the type of nodes and weights

local Quadrature = {}

function Quadrature.test_by_hand()
  for _, rule in ipairs { { { 0 }, { 1 } }, { { -1, 1 }, { 1 / 2, 1 / 2 } }, { { -math.sqrt(3), 0, math.sqrt(3) }, { 1 / 6, 2 / 3, 1 / 6 } } } do
    local nodes, weights = quadrature.normal(#rule[1])
    for i, node in ipairs(rule[1]) do
      luaunit.assertAlmostEquals(nodes[i], node, 1e-15)
      luaunit.assertAlmostEquals(weights[i], rule[2][i], 2e-16)
    end
  end
end

--- The mean of x^(2 k) is (2 k - 1) (2 k - 3) ... 1.
function Quadrature.test_moments()
  for n = 1, sizes.quadrature_nodes do
    local nodes, weights = quadrature.normal(n)
    local expected = 1.0
    for k = 0, n - 1 do
      luaunit.assertAlmostEquals((weights * nodes ^ (2 * k)):sum() / expected, 1, 1e-12)
      expected = expected * (2 * k + 1)
    end
  end
end

return { Quadrature = Quadrature }
