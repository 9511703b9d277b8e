--- Prints, for some laws, the mean absolute errors in five folds of `crux discover`, and of plain genetic search (J. R. Koza, Genetic
--- programming, 1992) that scores as many formulas as `discover` tries expressions: trees of up to 15 nodes, each brought to the target
--- by a line (M. Keijzer, Improving symbolic regression, 2003), tournaments of 5 in a population of 500.
package.path = "tests/support/?.lua;" .. package.path
local crossval = require "crux.judge.crossval"
local json = require "json_reader"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local rows, measures, most_nodes, population, tournament = 120, 8, 15, 500, 5

local binary = {
  function(a, b) return a + b end, function(a, b) return a - b end, function(a, b) return a * b end,
  function(a, b) return a / b end,
}
local unary = { vector.log, vector.sqrt, function(a) return a * a end }

--- A tree with its values in all rows.
local function node(f, left, right)
  return { f = f, left = left, right = right, nodes = 1 + left.nodes + (right and right.nodes or 0),
    values = f(left.values, right and right.values) }
end

local function grow(search, depth)
  local draw = search.draw
  if depth == 0 or draw:real() < 0.2 then
    if draw:real() < 0.1 then return { nodes = 1, values = vector.fill(rows, draw:integer(1, 10)) } end
    return { nodes = 1, values = search.columns[draw:integer(1, measures)] }
  end
  if draw:real() < 0.3 then return node(unary[draw:integer(1, #unary)], grow(search, depth - 1)) end
  return node(binary[draw:integer(1, #binary)], grow(search, depth - 1), grow(search, depth - 1))
end

--- The part of a tree at a place, counted from its root.
local function part(tree, place)
  if place == 1 then return tree end
  if place <= tree.left.nodes + 1 then return part(tree.left, place - 1) end
  return part(tree.right, place - 1 - tree.left.nodes)
end

local function replaced(tree, place, by)
  if place == 1 then return by end
  if place <= tree.left.nodes + 1 then return node(tree.f, replaced(tree.left, place - 1, by), tree.right) end
  return node(tree.f, tree.left, replaced(tree.right, place - 1 - tree.left.nodes, by))
end

--- Sets the squared error of a tree in the rows of the training, and its line.
local function score(search, tree)
  local x, y = tree.values:gather(search.train), search.response
  local x_mean, y_mean = x:sum() / #x, y:sum() / #y
  local x_rest, y_rest = x - x_mean, y - y_mean
  tree.slope = (x_rest * y_rest):sum() / (x_rest * x_rest):sum()
  tree.intercept = y_mean - tree.slope * x_mean
  local rest = y_rest - x_rest * tree.slope
  tree.error = (rest * rest):sum()
  if tree.values:first_nonfinite() or tree.error ~= tree.error then tree.error = math.huge end
  search.scored = search.scored + 1
  if not search.best or tree.error < search.best.error then search.best = tree end
  return tree
end

local function parent(search, trees)
  local best
  for _ = 1, tournament do
    local tree = trees[search.draw:integer(1, #trees)]
    if not best or tree.error < best.error then best = tree end
  end
  return best
end

--- The absolute errors of the best of so many formulas in the other rows.
local function genetic(search, budget)
  local trees, draw = {}, search.draw
  for i = 1, population do trees[i] = score(search, grow(search, 3)) end
  while search.scored < budget do
    local children = { search.best }
    while #children < population do
      local tree = parent(search, trees)
      local other = draw:real() < 0.1 and grow(search, 2) or parent(search, trees)
      local child = replaced(tree, draw:integer(1, tree.nodes), part(other, draw:integer(1, other.nodes)))
      if child.nodes <= most_nodes then table.insert(children, score(search, child)) end
    end
    trees = children
  end
  return vector.abs(search.best.values * search.best.slope + search.best.intercept - search.target):gather(search.test):sum()
end

--- Columns of reals from 1 to 10, and the law's values with 2 % of noise.
local function drawn(law, seed)
  local draw, columns, target = random.new(seed), {}, {}
  for i = 1, measures do columns[i] = {} end
  for row = 1, rows do
    local values = {}
    for i = 1, measures do
      values[i] = 1 + 9 * draw:real()
      columns[i][row] = values[i]
    end
    target[row] = law(table.unpack(values)) * (1 + 0.02 * normal(draw))
  end
  return columns, target
end

--- The errors of `crux discover` and how many expressions it tried.
local function discovered(columns, target)
  local path, lines = os.tmpname(), { "a,b,c,d,e,f,g,h,difficulty" }
  for row = 1, rows do
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = ("%.17g"):format(column[row]) end
    lines[row + 1] = ("%s,%.17g"):format(table.concat(cells, ","), target[row])
  end
  local file <close> = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n"), "\n"):flush()
  local pipe <close> = assert(io.popen(("$CRUX discover %s --repeats 1 --format json"):format(path)))
  local found = json.decode(pipe:read "a")
  os.remove(path)
  return found.sentences[2]:match "nested: ([%d.e-]+)", found.tried, found.formula
end

for _, case in ipairs {
  { "4a/(bc)", function(a, b, c) return 4 * a / (b * c) end },
  { "sqrt(a + bc)", function(a, b, c) return math.sqrt(a + b * c) end },
  { "10 + 3log(a) - b/2", function(a, b) return 10 + 3 * math.log(a) - b / 2 end },
  { "4a/(bcd)", function(a, b, c, d) return 4 * a / (b * c * d) end },
  { "12 + 3log(a/(b + c))", function(a, b, c) return 12 + 3 * math.log(a / (b + c)) end },
} do
  local columns, target = drawn(case[2], 1)
  local error, tried, formula = discovered(columns, target)
  local folds, sum = crossval.assignments(rows, { folds = 5, repeats = 1, seed = 1 }, case[1])[1], 0
  for i = 1, measures do columns[i] = vector.of(columns[i]) end
  target = vector.of(target)
  for fold = 1, 5 do
    local train = folds:others(fold)
    sum = sum + genetic({ draw = random.new(fold), columns = columns, target = target, train = train, scored = 0,
      response = target:gather(train), test = folds:rows(fold) }, tried)
  end
  print(("%s: %.4f, genetic %.4f (%d tried, %s)"):format(case[1], error, sum / rows, tried, formula))
end
