--- crux rate: ratings of levels by a rule.
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local output = require "crux.out.output"
local ranges = require "crux.data.ranges"
local survey = require "crux.cli.survey"
local system = require "libcrux.system"

--- The columns of the result: level and rating, or with --append all of the input's before the rating, and the ends of the
--- interval; with --explain a row has one of the parts.
local function columns_of(data, args)
  local columns = {}
  if args.explain then return { { key = "level" }, { key = "part" }, { key = "value" } } end
  local own, is_own = args.interval and { "rating", "low", "high" } or { "rating" }, {}
  for _, column in ipairs(own) do is_own[column] = true end
  for _, column in ipairs(args.append and data.columns or { "level" }) do
    if is_own[column] then fault.at(data.name .. ":1", ("a column '%s'"):format(column), "none, as --append adds it") end
    table.insert(columns, { key = column })
  end
  for _, column in ipairs(own) do table.insert(columns, { key = column }) end
  return columns
end

local function same_columns(a, b)
  if #a ~= #b then return false end
  for i, column in ipairs(a) do
    if b[i].key ~= column.key then return false end
  end
  return true
end

local most_told = 10 -- levels outside the training range that are named

--- Says which levels of a block are outside the ranges that the rule was fitted to.
---@param told integer   how many others were before
---@return integer       how many there are now
local function tell_strays(rule, block, told)
  if not rule.ranges then return told end
  local strays = ranges.strays(rule.ranges, block, rule.formula:numbers())
  for _, line in ipairs(ranges.lines(strays, block.levels)) do
    told = told + 1
    if told <= most_told then output.say(("%s: %s"):format(block.name, line)) end
  end
  return told
end

--- Rates one dataset; returns how many ratings are missing.
local function rate(rule, data, args, writer)
  local verbatim, append = output.is_data(writer.format), args.append
  local measures, texts = rule:measures(data), append and data.columns or rule:texts(data)
  local missing, told = 0, 0
  for block in data:blocks { numbers = measures, texts = texts, levels = true } do
    local ratings, parts, low, high = rule:rate(block, args.interval)
    told = tell_strays(rule, block, told)
    for i = 1, block.rows do
      for _, part in ipairs(args.explain and parts(i) or {}) do
        writer:add { level = block.levels[i], part = part[1], value = part[2] }
      end
      local row = { level = block.levels[i], part = "rating", value = ratings[i], rating = ratings[i],
        low = low and low[i], high = high and high[i] }
      if append then
        for _, column in ipairs(data.columns) do
          local text = block.texts[column][i]
          row[column] = verbatim and text or column ~= "level" and csv.number(text) or text
        end
      end
      if ratings[i] ~= ratings[i] then missing = missing + 1 end
      writer:add(row)
    end
  end
  if told > most_told then
    output.say(("%s: %d more levels are outside the training range"):format(data.name, told - most_told))
  end
  return missing
end

--- Whether a file has one of the game's extensions.
local function has_extension(path, self)
  for _, extension in ipairs(self.files.extensions) do
    if path:sub(-#extension - 1) == "." .. extension then return true end
  end
  return false
end

--- The names of the game's measures that a rule needs; a Lua function does not say which.
local function needed(rule, self)
  local names = {}
  if rule.rating then
    for i, measure in ipairs(self:choose()) do names[i] = measure.name end
  else
    for _, name in ipairs(rule.formula.variables) do
      if self.measures[name] then table.insert(names, name) end
    end
  end
  return names
end

--- The dataset that an input stands for, a CSV file or level files, and what to call when all is written.
---@param games table<string, Game>   loads each when it is first asked for
local function open(path, rule, args, games)
  local name = args.game or rule.game
  local is_folder = system.is_regular(path) == false and system.list(path) ~= nil
  local own = not is_folder and not name and game.has_levels(path)
  if own then
    local data, finish = survey.dataset(games[path], args, path, args.measures or needed(rule, games[path]))
    return inputs.join(data, args), finish
  end
  if is_folder and not name then
    fault.raise(("%s: found no field 'game', expected one, or --game, to measure the levels of %s"):format(rule:who(), path))
  end
  local self = name and path ~= "-" and not path:find "%.csv$" and games[name]
  if not self or not is_folder and not has_extension(path, self) then return inputs.data(path, args), function() end end
  local data, finish = survey.dataset(self, args, path, args.measures or needed(rule, self))
  return inputs.join(data, args), finish
end

local function run(args)
  if args.append and args.explain then fault.raise("found --append and --explain, expected one of them", 2) end
  if args.interval and args.explain then fault.raise("found --interval and --explain, expected one of them", 2) end
  local rule = inputs.rule(args.rule, args)
  if args.interval and rule.rating then
    fault.at(rule:who(), "a Lua function as its formula", "a fitted formula, which has intervals")
  end
  local finishes, games = {}, setmetatable({}, { __index = function(loaded, name)
    loaded[name] = game.load(name)
    return loaded[name]
  end })
  local sink <close> = output.open(args.output)
  local format = output.format(args.format, args.output, "csv")
  local writer, columns
  for _, path in ipairs(args.input) do
    local data
    data, finishes[#finishes + 1] = open(path, rule, args, games)
    local own = columns_of(data, args)
    if columns and not same_columns(columns, own) then
      fault.at(data.name .. ":1", "other columns than in " .. args.input[1], "the same, as --append keeps them")
    end
    columns = columns or own
    writer = writer or output.writer(sink, format, columns)
    local missing = rate(rule, data, args, writer)
    inputs.tell_unmatched(data, args)
    if missing > 0 then
      output.say(("%s: %s without a rating: a measure is missing"):format(data.name, number.count(missing, "row")))
    end
  end
  writer:finish()
  sink:commit()
  for _, finish in ipairs(finishes) do finish() end
end

return {
  details = "Rates the levels of datasets (CSV files with a column for each measure of the rule), or of level files of the "
    .. "rule's game, and prints level and rating. A level of which a measure is missing gets an empty rating; "
    .. "levels outside the range of the levels that the rule was fitted to are named on standard error. The "
    .. "result is a table on a terminal and CSV elsewhere.",
  arguments = {
    arguments.rule,
    { name = "input", args = "+", doc = "CSV files, or - for one on standard input; level files and folders of them; for a "
      .. "rule "
      .. "without a game, games of PuzzleScript, whose levels are rated." },
  },
  options = survey.options {
    { flags = "--append", doc = "Keep the input's columns and add the rating." },
    { flags = "--explain",
      doc = "Print what each rating is made of: the shares of terms, or the parts that a Lua formula names." },
    { flags = "--interval", value = "LEVEL", convert = convert.share "--interval",
      doc = "Add columns low and high: between them a new level's rating lies with this probability, such as 0.9." },
    { flags = "--game", value = "GAME", doc = "The game of the level files, instead of the rule's." },
    "measures", "with", "delimiter",
  },
  examples = {
    "crux rate flow new-levels.csv",
    "crux rate my-rule.lua --append levels.csv -o rated.csv",
    "crux rate lazors lazors-levels/ one.bff",
    "crux rate flow --interval 0.9 new-levels.csv",
    "crux rate puzzlescript examples/magnet.txt",
    "crux rate sprinkfield-v2 --explain field.txt",
  },
  run = run,
}
