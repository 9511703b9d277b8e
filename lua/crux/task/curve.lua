--- The task curve: the difficulty of a series of levels, by the chances of its attempts (Aponte, Levieux and Natkin 2011).
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local normal = require "crux.stats.normal"
local number = require "crux.base.number"
local options = require "crux.option.options"
local random = require "libcrux.random"

--- The numbers that are taken: what is outside is hardly a logit, and e to the power of draws could be too large for a double.
local ranges = { logit = { -50, 50 }, error = { 0, 20 }, time = { 0, math.maxinteger } }
local most_attempts <const> = 1000

local function is_outside(value, range) return not value or not (value >= range[1] and value <= range[2]) end

--- Raises a fault if a number of an option is outside its range.
local function check_option(flag, value, low, high)
  if value and is_outside(value, { low, high }) then
    fault.raise(("%s: found %s, expected a number from %d to %d"):format(flag, number.exact(value), low, high), 2)
  end
end

local function check_column(block, column, range)
  for row, value in ipairs(column and block.numbers[column] or {}) do
    if is_outside(value, range) then
      local found = value ~= value and "no number" or number.exact(value)
      fault.at(("%s: column '%s'"):format(block:who(row), column), found, range == ranges.time and "a time of at least 0"
        or ("a number from %d to %d, in logits"):format(range[1], range[2]))
    end
  end
end

---@class SeriesLevel
---@field name string
---@field difficulty number   logit of the chance of ability 0 to lose an attempt
---@field error number
---@field time number?        mean of an attempt

---@return SeriesLevel[]
local function levels_of(data, args)
  data:expect({ "difficulty", args.time }, "curve needs the column")
  local columns, list = lists.concat({ "difficulty" }, { data.has.error and "error" or nil }, { args.time }), {}
  for block in data:blocks { numbers = columns, levels = true } do
    local errors, times = block.numbers.error, args.time and block.numbers[args.time]
    check_column(block, "difficulty", ranges.logit)
    check_column(block, "error", ranges.error)
    check_column(block, args.time, ranges.time)
    for row, difficulty in ipairs(block.numbers.difficulty) do
      table.insert(list, { name = block.levels[row], difficulty = difficulty, error = errors and errors[row] or 0,
        time = times and times[row] })
    end
  end
  return list
end

--- A draw from the normal distribution.
local function draw(generator, mean, deviation)
  return deviation == 0 and mean or mean + normal(generator, deviation)
end

---@class Run
---@field ability number
---@field at number[]?    the chance to come to the next level, by how many losses came before; nil if losses end nothing
---@field finish number   the chance to have solved all levels so far
---@field losses number   expected so far
---@field time number     expected so far

--- Goes on to the end of a level, and returns the chance of an attempt.
---@param run Run
---@param is_refilled boolean?   each level begins with all attempts
local function play(run, difficulty, time, is_refilled)
  local success, loss = 1 / (1 + math.exp(difficulty - run.ability)), 1 / (1 + math.exp(run.ability - difficulty))
  local attempts = 1 / success
  if run.at then
    local here = 0
    attempts, run.finish = 0, 0
    for k, before in ipairs(run.at) do
      here = before + loss * here
      attempts = attempts + here
      run.at[k] = success * here
      run.finish = run.finish + success * here
    end
    for k = 1, is_refilled and #run.at or 0 do run.at[k] = k == 1 and run.finish or 0 end
  end
  run.losses = run.losses + loss * attempts
  run.time = run.time + (time or 0) * attempts
  return success
end

--- Sets the mean of some draws and, of several, the 95 % interval in a row.
local function summarise(row, key, values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  row[key] = sum / #values
  if #values == 1 then return end
  table.sort(values)
  row[key .. "_low"], row[key .. "_high"] = intervals.quantile(values, 0.025), intervals.quantile(values, 0.975)
end

local measures <const> = { "finish", "losses", "time" }

--- A row a level, with chances and expectations from the first level to the end of this one.
---@param levels SeriesLevel[]
local function rows_of(levels, args)
  local is_known, generator, runs, rows = args.ability_error == 0, random.new(args.seed), {}, {}
  for _, level in ipairs(levels) do is_known = is_known and level.error == 0 end
  local attempts = args.attempts or args.lives
  for i = 1, is_known and 1 or args.draws do
    runs[i] = { ability = draw(generator, args.ability, args.ability_error), at = attempts and { 1 }, finish = 1, losses = 0,
      time = 0 }
    for k = 2, attempts or 0 do runs[i].at[k] = 0 end
  end
  for i, level in ipairs(levels) do
    local row, sum = { level = level.name }, 0
    for _, run in ipairs(runs) do
      sum = sum + play(run, draw(generator, level.difficulty, level.error), level.time, args.attempts)
    end
    row.chance = sum / #runs
    for j = 1, level.time and 3 or 2 do
      local values = {}
      for k, run in ipairs(runs) do values[k] = run[measures[j]] end
      summarise(row, measures[j], values)
    end
    rows[i] = row
  end
  return rows
end

local columns = { "level", "chance" }
for _, key in ipairs(measures) do
  for _, ending in ipairs { "", "_low", "_high" } do table.insert(columns, key .. ending) end
end

local function run(args)
  if args.attempts and args.lives then fault.raise("found --attempts and --lives, expected one of them", 2) end
  check_option("--attempts", args.attempts, 1, most_attempts)
  check_option("--lives", args.lives, 1, most_attempts)
  check_option("--ability", args.ability, table.unpack(ranges.logit))
  check_option("--ability-error", args.ability_error, table.unpack(ranges.error))
  local data = inputs.data(args.data, args)
  local rows = rows_of(levels_of(data, args), args)
  inputs.report_unmatched(data, args)
  return { value = rows, tables = { { columns = formats.filled(columns, rows), rows = rows } } }
end

return {
  summary = "Tell how hard a series of levels is.",
  details = "Takes the rows of a dataset as a series of levels, and prints for each 'chance', that of success in an attempt, "
    .. "and from the first level to the end of this one: 'finish', the chance to solve all, the expected 'losses', and with "
    .. "--time the expected time. The last row is that of the whole series.\n\nThe dataset has the column difficulty in "
    .. "logits, as crux levels prints it for outcomes: an attempt succeeds with the chance 1 / (1 + e^(difficulty - "
    .. "ability)). Without --attempts and --lives a player tries until the level is solved.\n\nIf the dataset has the column "
    .. "error, or --ability-error is given, the numbers are means of draws of ability and difficulties, each for itself, and "
    .. "the columns _low and _high 95 % intervals. 'crux plot curve FILE --y finish' draws them.",
  arguments = { arguments.data },
  options = {
    { flags = "--ability", value = "LOGIT", convert = convert.number, default = "0", doc = "The player's ability" },
    { flags = "--ability-error", value = "SD", convert = convert.number, default = "0",
      doc = "The standard error of the ability, or the deviation of players" },
    { flags = "--attempts", value = "N", convert = convert.integer(1),
      doc = "So many losses at one level end the series; at most 1,000." },
    { flags = "--lives", value = "N", convert = convert.integer(1),
      doc = "So many losses in the whole series end it; at most 1,000." },
    { flags = "--time", value = "COLUMN", doc = "The mean time of an attempt at each level, in any unit." },
    options.like("draws", { convert = convert.integer(40), default = "1000", doc = "Draws of ability and difficulties" }),
    options.like("seed", { doc = "Seed of the draws" }),
    "with", "delimiter", "rename", "output", "format",
  },
  format = "csv",
  examples = { "crux curve levels.csv --ability 0.5 --ability-error 0.4 --attempts 3",
    "crux curve levels.csv --lives 5 --time time -o curve.csv" },
  run = run,
}
