--- The task imitate: the parameters with which a bot's plays predict a column of a dataset best.
local arguments = require "crux.option.arguments"
local bots = require "crux.bots.bots"
local convert = require "crux.option.convert"
local crossval = require "crux.judge.crossval"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local minimise = require "libcrux.minimise"
local number = require "crux.base.number"
local options = require "crux.option.options"
local vector = require "libcrux.vector"

--- The values of a column by level.
local function targets(data, column)
  data:expect({ "level", column }, "imitate")
  local found = {}
  for block in data:blocks { numbers = { column }, levels = true } do
    for i = 1, block.rows do
      local value = block.numbers[column][i]
      if value == value then found[block.levels[i]] = value end
    end
  end
  return found
end

local quiet = setmetatable({ advance = function() end, say = function() end }, { __close = function() end })

---@class Imitation
---@field args table
---@field game Game
---@field params BotParam[]        those that are fitted
---@field wanted table<string, number>     targets by level
---@field y number[]               targets of the levels, in order
---@field known table<string, number[]>    the bot's figure of each level, by the text of the parameters
---@field bar Progress
local Imitation = {}
Imitation.__index = Imitation

--- The parameters of a search's values: integers, and fractions of two digits, so that equal plays are not made twice.
function Imitation:rounded(values)
  local params = {}
  for i, param in ipairs(self.params) do
    local value = values[i]
    params[param.name] = param.integer and math.floor(value + 0.5) or math.floor(100 * value + 0.5) / 100
  end
  return params
end

--- The bot's figure of each level that has a target.
---@return number[]
function Imitation:figures(params)
  local text = table.concat(lists.map(self.params, function(param) return number.exact(params[param.name]) end), " ")
  if self.known[text] then return self.known[text] end
  local args, measure = self.args, ("%s_%s"):format(self.args.bot, self.args.figure)
  local asked = setmetatable({ progress = function() return quiet end,
    played = { runs = args.runs, seed = args.seed, params = { [args.bot] = params } } }, { __index = args })
  local data, finish = examination.dataset(self.game, asked, args.levels, { measure })
  finish()
  local x, y = {}, {}
  for block in data:blocks { numbers = { measure }, levels = true } do
    for i = 1, block.rows do
      local target = self.wanted[block.levels[i]]
      if target then
        table.insert(y, target)
        table.insert(x, block.numbers[measure][i])
      end
    end
  end
  self.known[text], self.y = x, y
  self.bar:advance()
  return x
end

--- The least-squares line through some points: its value at 0 and its slope, which is 0 if all x are equal.
local function line(x, y, rows)
  local n, sx, sy, sxx, sxy = #rows, 0, 0, 0, 0
  for _, i in ipairs(rows) do sx, sy = sx + x[i], sy + y[i] end
  for _, i in ipairs(rows) do sxx, sxy = sxx + (x[i] - sx / n) ^ 2, sxy + (x[i] - sx / n) * (y[i] - sy / n) end
  local slope = sxx > 0 and sxy / sxx or 0
  return sy / n - slope * sx / n, slope
end

--- What a line through the figures leaves of the targets.
---@param rows integer[]
---@return number[]
function Imitation:residuals(params, rows)
  local x = self:figures(params)
  local constant, slope = line(x, self.y, rows)
  return lists.map(rows, function(i) return self.y[i] - constant - slope * x[i] end)
end

--- The default values, and all combinations of values at one, three and five sixths of the parameters' ranges: the search
--- begins at the best of them, as the squares have many valleys.
---@return number[][]
function Imitation:starts()
  local list = { {} }
  for _, param in ipairs(self.params) do
    local longer = {}
    for _, values in ipairs(list) do
      for sixth = 1, 5, 2 do
        table.insert(longer, lists.concat(values, { param.low + sixth / 6 * (param.high - param.low) }))
      end
    end
    list = longer
  end
  return lists.concat({ lists.field(self.params, "default") }, list)
end

--- The parameters with the least squares on some levels.
---@param rows integer[]
function Imitation:fit(rows)
  local function squares(values)
    local sum = 0
    for _, residual in ipairs(self:residuals(self:rounded(values), rows)) do sum = sum + residual ^ 2 end
    return sum
  end
  local best, least = nil, math.huge
  for _, values in ipairs(self:starts()) do
    local sum = squares(values)
    if sum < least then best, least = values, sum end
  end
  local _, found = fault.check(minimise.squares { by = "simplex", start = vector.of(best),
    low = vector.of(lists.field(self.params, "low")), high = vector.of(lists.field(self.params, "high")), residuals = #rows,
    most_evaluations = self.args.evaluations,
    evaluate = function(values) return vector.of(self:residuals(self:rounded(values), rows)) end })
  return self:rounded(found)
end

--- The mean absolute errors of levels left out: by the parameters fitted without them, by the defaults, and by the mean.
function Imitation:left_out(defaults, chosen)
  local n, sums = #self.y, { fitted = 0, default = 0, baseline = 0 }
  local folds = crossval.folds(n, self.args.folds, self.args.seed, self.args.data)
  for fold = 1, self.args.folds do
    local train, test = {}, {}
    for i = 1, n do table.insert(folds[i] == fold and test or train, i) end
    chosen[fold] = self:fit(train)
    for name, params in pairs { fitted = chosen[fold], default = defaults } do
      local x = self:figures(params)
      local constant, slope = line(x, self.y, train)
      for _, i in ipairs(test) do sums[name] = sums[name] + math.abs(self.y[i] - constant - slope * x[i]) / n end
    end
    local mean = 0
    for _, i in ipairs(train) do mean = mean + self.y[i] / #train end
    for _, i in ipairs(test) do sums.baseline = sums.baseline + math.abs(self.y[i] - mean) / n end
  end
  return sums
end

local function run(args)
  local game, chosen = games.load(args.game), {}
  if not game.search then fault.raise(("%s: bots make the moves of the game's 'search', and it has none"):format(game.path)) end
  local self <close> = setmetatable({ args = args, game = game, params = bots.load(args.bot).params, known = {},
    wanted = targets(inputs.data(args.data, args), args.target), bar = args.progress(nil, "parameters") },
    { __index = Imitation, __close = function(self) local bar <close> = self.bar end }) -- luacheck: no unused
  if #self.params == 0 then fault.raise(("--bot: '%s' has no parameters"):format(args.bot), 2) end
  local defaults = {}
  for _, param in ipairs(self.params) do defaults[param.name] = param.default end
  self:figures(defaults)
  if #self.y < 2 * args.folds then
    fault.at(args.data, number.count(#self.y, "level") .. " with a number in column '" .. args.target .. "'",
      ("at least %d of the levels"):format(2 * args.folds))
  end
  local errors = self:left_out(defaults, chosen)
  local all = {}
  for i = 1, #self.y do all[i] = i end
  local fitted = self:fit(all)
  local rows = lists.map(self.params, function(param)
    local of_folds = lists.map(chosen, function(params) return params[param.name] end)
    return { param = param.name, value = fitted[param.name], default = param.default, least = math.min(table.unpack(of_folds)),
      most = math.max(table.unpack(of_folds)) }
  end)
  local words = lists.map(self.params, function(param)
    return (":%s=%s"):format(param.name, number.exact(fitted[param.name]))
  end)
  return { tables = { { columns = formats.columns { "param", "value", "default", "least", "most" }, rows = rows },
    { title = "Mean absolute errors of levels left out", columns = formats.columns { "fitted", "default", "baseline" },
      rows = { errors } } },
    notes = { ("%s; a line through %s_%s predicts %s; %d folds"):format(number.count(#self.y, "level"), args.bot, args.figure,
      args.target, args.folds), ("--bots %s%s"):format(args.bot, table.concat(words)) } }
end

return {
  summary = "Fit the parameters of a bot to players.",
  details = "Lets a bot play the levels, and finds the parameters with which a line through one of the bot's figures predicts "
    .. "the column best, by least squares: NLopt's SBPLX from the best of some starts, with the same seeds for all. Then the "
    .. "parameters are fitted anew without each fold, whose levels they predict; beside these errors stand those of the "
    .. "default parameters, and of the mean (baseline). `least` and `most` are the parameters of the folds. The last line is "
    .. "what 'crux measure' takes. docs/bots.md tells about the bots.",
  arguments = { arguments.game, arguments.data, arguments.levels },
  options = {
    options.like("target", { default = "difficulty", doc = "The column to predict" }),
    { flags = "--bot", value = "NAME", choices = bots.names, default = "limited", doc = "The bot" },
    { flags = "--figure", value = "NAME", choices = lists.field(bots.figures, 1), default = "states",
      doc = "The figure of the bot's plays" },
    { flags = "--evaluations", value = "N", convert = convert.integer(1), default = "40",
      doc = "How many parameters to try, for all levels and for each fold" },
    { flags = "--runs", value = "N", convert = convert.integer(1), default = "20", doc = "Plays of each level" },
    "folds", options.like("seed", { doc = "Seed of folds and plays" }), "delimiter", "output", "format", "jobs", "seconds",
    "states", "memory",
  },
  examples = { "crux imitate move datasets/move.csv datasets/levels/move --bot greedy --runs 2 --folds 2" },
  run = run,
}
