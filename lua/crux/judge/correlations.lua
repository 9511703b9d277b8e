--- Correlations of the measures of a dataset with its targets.
local lists = require "crux.base.lists"
local correlation = require "crux.stats.correlation"
local fault = require "crux.base.fault"
local column_kinds = require "crux.formula.column_kinds"
local vector = require "libcrux.vector"

local correlations = {}

--- Vectors of the columns in memory, by name.
local function read(data, numbers, weights)
  local columns, parts = {}, {}
  for _, name in ipairs(numbers) do parts[name] = {} end
  for block in data:blocks { numbers = numbers } do
    if weights then block:check_weights(weights) end
    for name, list in pairs(parts) do table.insert(list, block.numbers[name]) end
  end
  for name, list in pairs(parts) do columns[name] = vector.concat(list) end
  return columns
end

--- The rows in which all the vectors have a number.
local function complete(...)
  local vectors = { ... }
  local rows = vector.complete(vectors)
  for i, values in ipairs(rows and vectors or {}) do vectors[i] = values:gather(rows) end
  return table.unpack(vectors)
end

local function pair(columns, x, y, weights)
  local chosen_x, chosen_y = complete(columns[x], columns[y])
  local row = { x = x, y = y, n = #chosen_x, pearson = correlation.pearson(chosen_x, chosen_y) }
  row.pearson_p = correlation.pearson_p(row.pearson, row.n)
  row.kendall, row.kendall_p = correlation.kendall(chosen_x, chosen_y)
  row.spearman, row.spearman_p = correlation.spearman(chosen_x, chosen_y)
  if weights then row.weighted_pearson = correlation.pearson(complete(columns[x], columns[y], columns[weights])) end
  return row
end

--- Correlates each measure with each target.
---@param data Dataset
---@param options { x: string[]?, y: string[]?, weights: string? }   measures, targets and the column of weights; guessed from
---                            the names of the columns unless given
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
  local columns = read(data, numbers, weights)
  if #xs == 0 or #ys == 0 then
    local hint = data:delimiter_hint()
    fault.raise(("%s: found no column that is a %s, expected --%s COLUMN,...%s"):format(data.name,
      #xs == 0 and "measure" or "target", #xs == 0 and "x" or "y", hint and "; " .. hint or ""))
  end
  local rows = {}
  for _, y in ipairs(ys) do
    for _, x in ipairs(xs) do table.insert(rows, pair(columns, x, y, weights)) end
  end
  return rows, xs, ys
end

return correlations
