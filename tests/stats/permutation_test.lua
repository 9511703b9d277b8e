-- Tests of libcrux.permutation beside all permutations of few groups, each statistic by its definition over all pairs of rows.
local luaunit = require "luaunit"
local permutation = require "libcrux.permutation"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local Permutation = {}

local groups, rows, draws <const> = 5, 17, 20000

local function sign(a) return a > 0 and 1 or a < 0 and -1 or 0 end

local function product(a, b)
  local ab, aa, bb, mean_a, mean_b = 0, 0, 0, 0, 0
  for i = 1, rows do mean_a, mean_b = mean_a + a[i] / rows, mean_b + b[i] / rows end
  for i = 1, rows do
    local of_a, of_b = a[i] - mean_a, b[i] - mean_b
    ab, aa, bb = ab + of_a * of_b, aa + of_a * of_a, bb + of_b * of_b
  end
  return ab / math.sqrt(aa * bb)
end

--- The absolute values of Pearson's r, Kendall's tau and Spearman's rho when group g has x[order[g]].
local function statistics(x, group, y, order)
  local a, rank_a, rank_y, score, free_a, free_y = {}, {}, {}, 0, 0, 0
  for i = 1, rows do a[i], rank_a[i], rank_y[i] = x[order[group[i]]], 0, 0 end
  for i = 1, rows do
    for j = 1, rows do
      local of_a, of_y = sign(a[i] - a[j]), sign(y[i] - y[j])
      score, free_a, free_y = score + of_a * of_y, free_a + math.abs(of_a), free_y + math.abs(of_y)
      rank_a[i], rank_y[i] = rank_a[i] + of_a / 2, rank_y[i] + of_y / 2
    end
  end
  return { math.abs(product(a, y)), math.abs(score) / math.sqrt(free_a * free_y), math.abs(product(rank_a, rank_y)) }
end

--- Calls visit with each order of the groups.
local function each_order(order, last, visit)
  if last == 1 then return visit(order) end
  for k = 1, last do
    order[k], order[last] = order[last], order[k]
    each_order(order, last - 1, visit)
    order[k], order[last] = order[last], order[k]
  end
end

function Permutation.test_all_permutations()
  for seed = 1, 8 do
    local numbers, x, group, y = random.new(seed), { 200 }, {}, {}
    for g = 2, groups do x[g] = numbers:integer(0, seed % 2 == 1 and 3 or 100) end -- with and without ties
    for i = 1, rows do
      group[i] = i <= groups and i or numbers:integer(1, groups)
      y[i] = numbers:integer(0, 9) + x[group[i]] / 50
    end
    local shares, all, observed = { 0, 0, 0 }, 0, statistics(x, group, y, { 1, 2, 3, 4, 5 })
    each_order({ 1, 2, 3, 4, 5 }, groups, function(order)
      all = all + 1
      for s, found in ipairs(statistics(x, group, y, order)) do
        shares[s] = shares[s] + (found >= observed[s] * (1 - 1e-10) and 1 or 0)
      end
    end)
    luaunit.assertEquals(all, 120)
    local found = { permutation.test(vector.of(x), vector.of(group), vector.of(y), draws, 1) }
    for s, share in ipairs(shares) do -- 5 standard errors
      luaunit.assertAlmostEquals(found[s], share / all, 5 * math.sqrt(0.25 / draws))
    end
  end
end

function Permutation.test_too_large()
  local most = require "libcrux.sizes".permuted_levels
  local many = vector.fill(most + 1, 1)
  luaunit.assertEquals({ permutation.test(many, many, many, 1, 1) }, { nil, "too large" })
end

return { Permutation = Permutation }
