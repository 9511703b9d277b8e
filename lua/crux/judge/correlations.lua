--- Correlations of the measures of a dataset with its targets.
local lists = require "crux.base.lists"
local correlation = require "crux.stats.correlation"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local column_kinds = require "crux.formula.column_kinds"
local grouping = require "crux.stats.grouping"
local number = require "crux.base.number"
local permutation = require "libcrux.permutation"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local correlations = {}

--- Permutations of levels, and their seed: the smallest p-value is 1 / 2000.
local draws <const>, seed <const> = 1999, 1

--- The columns in memory.
---@param texts string[]    columns of text
---@return Block
local function read(data, numbers, weights, texts)
  local blocks = {}
  for block in data:blocks { numbers = numbers, texts = texts } do
    if weights then block:check_not_negative(weights, "a weight") end
    table.insert(blocks, block)
  end
  return dataset.merged(blocks)
end

--- The rows in which all the vectors have a number.
local function complete(...)
  local vectors = { ... }
  local rows = vector.complete(vectors)
  for i, values in ipairs(rows and vectors or {}) do vectors[i] = values:gather(rows) end
  return table.unpack(vectors)
end

--- The p-values of a measure of levels by permuting it among the levels; none where it differs within a level.
---@param x userdata      of rows
---@param level userdata  of rows: a number for each level
local function test_by_level(x, y, level, where)
  local groups, of_levels, count = {}, {}, 0
  local renumbered = {}
  for row = 1, #x do
    if not groups[level[row]] then
      count = count + 1
      groups[level[row]], of_levels[count] = count, x[row]
    end
    renumbered[row] = groups[level[row]]
    if of_levels[renumbered[row]] ~= x[row] then return nil end
  end
  if count < 2 then return nil end
  local pearson, kendall, spearman = permutation.test(vector.of(of_levels), vector.of(renumbered), y, draws, seed)
  if not pearson and kendall == "too large" then
    fault.too_large(where, "a test by levels", sizes.permuted_levels, "level")
  end
  return fault.check(pearson, kendall), kendall, spearman
end

---@param levels userdata?   of each row the number of its level, for tests by level
local function pair(columns, x, y, weights, levels, where)
  local chosen_x, chosen_y = complete(columns[x], columns[y])
  local row = { x = x, y = y, n = #chosen_x, pearson = correlation.pearson(chosen_x, chosen_y) }
  row.pearson_p = correlation.pearson_p(row.pearson, row.n)
  local order = correlation.order(chosen_x, chosen_y)
  row.kendall, row.kendall_p = correlation.kendall(chosen_x, chosen_y, order)
  row.spearman, row.spearman_p = correlation.spearman(chosen_x, chosen_y, order)
  if levels then
    local tested, rated, level = complete(columns[x], columns[y], levels)
    row.pearson_p, row.kendall_p, row.spearman_p = nil, nil, nil
    if row.pearson and number.is_finite(row.pearson) then
      row.pearson_p, row.kendall_p, row.spearman_p = test_by_level(tested, rated, level, where)
    end
  end
  if weights then row.weighted_pearson = correlation.pearson(complete(columns[x], columns[y], columns[weights])) end
  return row
end

--- Correlates each measure with each target.
---@param options { x: string[]?, y: string[]?, weights: string?, by_level: boolean? }   measures, targets, column of weights:
---                            guessed from the names of the columns unless given. by_level: rows are plays, those of a level
---                            are not independent, so tests permute measures among the levels
---@return table[]             a row a pair, those of a target together: x, y, n, pearson, pearson_p, kendall, kendall_p,
---                            spearman, spearman_p, weighted_pearson
---@return string[] measures
---@return string[] targets
function correlations.of(data, options)
  local weights = options.weights or data.has.solved and "solved" or nil
  local numbers, guesses = { weights }, {}
  for _, list in ipairs { options.x or {}, options.y or {} } do table.move(list, 1, #list, #numbers + 1, numbers) end
  data:expect(numbers, "correlate needs the column")
  local asked = lists.set(numbers)
  for _, name in ipairs(data.columns) do
    local wanted = column_kinds.is_target(name) and not options.y or column_kinds.may_be_measure(name) and not options.x
    if wanted and not asked[name] then table.insert(guesses, name) end
  end
  local xs, ys = options.x or {}, options.y or {}
  for _, name in ipairs(data:numeric(guesses)) do
    table.insert(column_kinds.is_target(name) and ys or xs, name)
    table.insert(numbers, name)
  end
  local all = read(data, numbers, weights, options.by_level and { "level" } or {})
  local levels = options.by_level and grouping.number(all.texts.level)
  if #xs == 0 or #ys == 0 then
    local hint = data:delimiter_hint()
    fault.raise(("%s: found no column that is a %s, expected --%s COLUMN,...%s"):format(data.name,
      #xs == 0 and "measure" or "target", #xs == 0 and "x" or "y", hint and "; " .. hint or ""))
  end
  local rows = {}
  for _, y in ipairs(ys) do
    for _, x in ipairs(xs) do table.insert(rows, pair(all.numbers, x, y, weights, levels, data.name)) end
  end
  return rows, xs, ys
end

return correlations
