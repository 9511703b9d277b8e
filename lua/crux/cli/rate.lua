--- crux rate: ratings of levels by a rule.
local arguments = require "crux.cli.arguments"
local csv = require "libcrux.csv"
local fault = require "crux.fault"
local game = require "crux.game"
local inputs = require "crux.cli.inputs"
local number = require "crux.number"
local output = require "crux.output"
local survey = require "crux.cli.survey"
local system = require "libcrux.system"

--- The columns of the result: level and rating, or with --append all of the input's before the rating; with --explain a
--- row has one of the parts.
local function columns_of(data, args)
  local columns = {}
  if args.explain then return { { key = "level" }, { key = "part" }, { key = "value" } } end
  for _, column in ipairs(args.append and data.columns or { "level" }) do
    if column == "rating" then fault.at(data.name .. ":1", "a column 'rating'", "none, as --append adds it") end
    table.insert(columns, { key = column })
  end
  table.insert(columns, { key = "rating" })
  return columns
end

local function same_columns(a, b)
  if #a ~= #b then return false end
  for i, column in ipairs(a) do
    if b[i].key ~= column.key then return false end
  end
  return true
end

--- Rates one dataset; returns how many ratings are missing.
local function rate(rule, data, args, writer)
  local verbatim, append = writer.format == "csv", args.append
  local measures, texts = rule:measures(data), append and data.columns or rule:texts(data)
  local missing = 0
  for block in data:blocks { numbers = measures, texts = texts, levels = true } do
    local ratings, parts = rule:rate(block)
    for i = 1, block.rows do
      for _, part in ipairs(args.explain and parts(i) or {}) do
        writer:add { level = block.levels[i], part = part[1], value = part[2] }
      end
      local row = { level = block.levels[i], part = "rating", value = ratings[i], rating = ratings[i] }
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
  local rule = inputs.rule(args.rule, args)
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
    .. "rule's game, and prints level and rating. A level of which a measure is missing gets an empty rating. The "
    .. "result is a table on a terminal and CSV elsewhere.",
  arguments = {
    arguments.rule,
    { name = "input", args = "+", doc = "CSV files, or - for one on standard input; level files and folders of them." },
  },
  options = survey.options {
    { flags = "--append", doc = "Keep the input's columns and add the rating." },
    { flags = "--explain",
      doc = "Print what each rating is made of: the shares of terms, or the parts that a Lua formula names." },
    { flags = "--game", value = "GAME", doc = "The game of the level files, instead of the rule's." },
    "measures", "with", "delimiter",
  },
  examples = {
    "crux rate flow new-levels.csv",
    "crux rate my-rule.lua --append levels.csv -o rated.csv",
    "crux rate lazors lazors-levels/ one.bff",
    "crux rate sprinkfield-v2 --explain field.txt",
  },
  run = run,
}
