--- The task rate: ratings of levels by a rule.
local arguments = require "crux.option.arguments"
local content = require "crux.task.shared.content"
local convert = require "crux.option.convert"
local csv = require "libcrux.csv"
local expectation = require "crux.task.shared.expectation"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.option.options"
local plays = require "crux.rule.plays"
local ranges = require "crux.data.ranges"
local examination = require "crux.task.shared.examination"

--- The columns of the result: level, or with --append all columns of the input, with --levels the level's text and measures,
--- then rating and the ends of the interval, in JSON the missing measures; with --explain level, part and value.
local function columns_of(data, args)
  local columns = {}
  if args.explain then return { { key = "level" }, { key = "part" }, { key = "value" } } end
  local added = args.interval and { "rating", "low", "high" } or { "rating" }
  local is_added = lists.set(added)
  local first = args.levels and { "level", "file", "notes", "rows", "measures" } or { "level" }
  for _, column in ipairs(args.append and data.columns or first) do
    if is_added[column] then fault.at(data.name .. ":1", ("a column '%s'"):format(column), "none, as --append adds it") end
    table.insert(columns, { key = column })
  end
  for _, column in ipairs(added) do table.insert(columns, { key = column }) end
  table.insert(columns, { key = "missing", only = "json" })
  return columns
end

local function same_columns(a, b)
  if #a ~= #b then return false end
  for i, column in ipairs(a) do
    if b[i].key ~= column.key then return false end
  end
  return true
end

local max_named = 10 -- levels outside the training range, and levels without a rating

--- Reports the levels of a block outside of the ranges that the rule was fitted to.
---@param count integer   of earlier blocks
---@return integer        with those of this block
local function report_strays(rule, block, count, say)
  if not rule.ranges then return count end
  local strays = ranges.strays(rule.ranges, block, rule.formula:numbers())
  for _, line in ipairs(ranges.lines(strays, block.levels)) do
    count = count + 1
    if count <= max_named then say(("%s: %s"):format(block.name, line)) end
  end
  return count
end

--- The cells of a row by column: numbers as such unless the text is wanted.
---@param is_verbatim boolean
local function cells(block, i, columns, is_verbatim)
  local row = {}
  for _, column in ipairs(columns) do
    local text = block.texts[column][i]
    row[column] = is_verbatim and text or column ~= "level" and csv.number(text) or text
  end
  return row
end

--- The fields of --levels.
local function level_fields(block, i)
  local entry = block.sources[i].entry
  local measures = lists.select(block.data.columns, function(column) return column ~= "level" end)
  local rows = {}
  for line in entry.text:gmatch "([^\n]*)\n" do table.insert(rows, line) end
  return { file = entry.path, notes = json.by_name(entry.notes), rows = rows,
    measures = json.by_name(cells(block, i, measures, false), measures) }
end

--- The missing measures of a row, and why its level has none, for JSON.
local function missing_of(rule, block, i)
  local unsolved = block.sources and block.sources[i].unsolved
  return table.concat(rule:missing(block, i), ", ") .. (unsolved and (" (%s)"):format(unsolved) or "")
end

--- Rates one dataset.
---@param add fun(row: table)
local function rate(rule, data, args, add)
  local is_verbatim, append = formats.is_data(args.form), args.append
  local measures, texts = rule:measures(data), (append or args.levels) and data.columns or rule:texts(data)
  data:expect(args.expected.measures, "--expect needs the measure")
  local numbers = lists.union(measures, args.expected.measures)
  local missing, outside = 0, 0
  for block in data:blocks { numbers = numbers, measures = measures, texts = texts, levels = true } do
    local ratings, parts, low, high = rule:rate(block, args.interval)
    outside = report_strays(rule, block, outside, args.say)
    for i = 1, block.rows do
      for _, part in ipairs(args.explain and parts(i) or {}) do
        add { level = block.levels[i], part = part[1], value = part[2] }
      end
      local row = { level = block.levels[i], part = "rating", value = ratings[i], rating = ratings[i],
        low = low and low[i], high = high and high[i] }
      if append then row = lists.merge(row, cells(block, i, data.columns, is_verbatim)) end
      if args.levels then row = lists.merge(row, level_fields(block, i)) end
      row.case = args.expected:check(block, i, ratings[i])
      if ratings[i] ~= ratings[i] then
        missing = missing + 1
        if missing <= max_named then args.say(("%s: %s"):format(block:place(i), rule:unrated(block, i))) end
        row.missing = missing_of(rule, block, i)
      end
      add(row)
    end
  end
  if outside > max_named then
    args.say(("%s: %d more levels are outside the training range"):format(data.name, outside - max_named))
  end
  if missing > max_named then
    args.say(("%s: %s have no rating"):format(data.name, number.count(missing - max_named, "more level")))
  end
end

--- The dataset of an input, a CSV file or level files, a function to call when all is written, and the game of level files.
---@param loaded table<string, Game>   loads a game when it is first used
local function open(path, rule, args, loaded)
  local name = args.game or rule.game or games.has_levels(path) and path
  local measures = rule.formula and rule.formula.variables or {}
  local function reads() return name and loaded[name]:reads(path) end
  -- The message about a missing file without an ending names the datasets of crux.
  local is_word = path ~= "-" and file_system.is_regular(path) == nil and not path:find "%.[^./]*$"
  if is_word or content.is_dataset(path, args.delimiter, measures, reads) then
    return inputs.data(path, args), function() end
  end
  if not name then
    fault.raise(("%s: found no field 'game', expected one, or --game, to measure the levels of %s"):format(rule:who(), path))
  end
  local game = loaded[name]
  measures = lists.union(args.measures or game:needed_by(rule), args.expected.measures)
  local data, finish = examination.dataset(game, args, { path }, measures, function(...) args.expected:lose(...) end)
  return inputs.join(data, args), finish, game
end

--- The rule of the command line, for the player that it names, or the one of its plays.
local function rule_of(args)
  local rule = inputs.rule(args.rule, args)
  if not args.player and not args.plays then return rule end
  return plays.rule_for(rule, args.player, args.plays and inputs.data(args.plays, args), { pass = inputs.pass(args) })
end

--- Pairs of options that exclude each other.
local exclusive = { { "append", "explain" }, { "interval", "explain" }, { "interval", "plays" }, { "interval", "player" },
  { "levels", "append" }, { "levels", "explain" } }

--- Refuses options that do not go together.
local function check_options(args)
  for _, pair in ipairs(exclusive) do
    if args[pair[1]] and args[pair[2]] then
      fault.raise(("found --%s and --%s, expected one of them"):format(table.unpack(pair)), 2)
    end
  end
  if args.levels and args.form ~= "json" then
    fault.raise(("found --levels and the format %s, expected json"):format(args.form), 2)
  end
  if args.form == "junit" and (args.explain or #args.expect == 0) then
    fault.raise("found --format junit, expected it with --expect and without --explain", 2)
  end
end

local function run(args)
  check_options(args)
  args.expected = expectation.read(args.expect, args.say)
  local rule = rule_of(args)
  if args.interval and rule.rating then
    fault.at(rule:who(), "a Lua function as its formula", "a fitted formula, which has intervals")
  end
  args.path = args.path or rule.path
  local finishes, loaded = {}, setmetatable({}, { __index = function(known, name)
    known[name] = games.load(name)
    return known[name]
  end })
  local shown = {}
  local function open_next(path)
    local data, finish, game = open(path, rule, args, loaded)
    if args.levels and not game then fault.at(path, "a dataset", "level files, as --levels prints their text") end
    table.insert(finishes, finish)
    local wanted = columns_of(data, args)
    if shown.columns and not same_columns(shown.columns, wanted) then
      fault.at(data.name .. ":1", "other columns than in " .. args.input[1], "the same, as --append keeps them")
    end
    shown.columns = shown.columns or wanted
    return data
  end
  local first = open_next(args.input[1]) -- its columns are those of the result
  function shown.rows(add)
    for i, path in ipairs(args.input) do
      local data = i == 1 and first or open_next(path)
      rate(rule, data, args, add)
      inputs.report_unmatched(data, args)
    end
    for _, case in ipairs(args.form == "junit" and args.expected.broken or {}) do add { case = case } end
  end
  return { tables = { shown }, finish = function()
    args.expected:finish()
    for _, finish in ipairs(finishes) do finish() end
  end }
end

return {
  summary = "Rate levels by a rule.",
  details = "Rates the levels of datasets (CSV files with a column for each measure of the rule), or of level files of the "
    .. "rule's game, and prints level and rating. A level of which a measure is missing gets an empty rating; "
    .. "levels outside the range of the levels that the rule was fitted to are named on standard error. The "
    .. "result is a table on a terminal and CSV elsewhere.\n\n"
    .. "With --expect, a line on standard error names each level that is not as expected, and the exit status is then 1: a "
    .. "level with a rating or measure outside its range or without one, one that was not solved, and one that cannot be read "
    .. "(docs/levels-in-ci.md).",
  arguments = {
    arguments.rule,
    { name = "input", args = "+", doc = "CSV files, or - for one on standard input; level files and folders of them; for a "
      .. "rule "
      .. "without a game, games of PuzzleScript, whose levels are rated." },
  },
  options = examination.options({
    { flags = "--append", doc = "Keep the input's columns and add the rating." },
    { flags = "--explain",
      doc = "Print the parts of each rating: the shares of terms, or the parts that a Lua formula returns." },
    { flags = "--interval", value = "LEVEL", convert = convert.share,
      doc = "Add columns low and high: between them a new level's rating lies with this probability, such as 0.9." },
    { flags = "--player", value = "NAME",
      doc = "Rate for this player: add their effect, known from the plays that the rule was fitted to." },
    { flags = "--plays", value = "FILE.csv",
      doc = "Estimate that effect from these plays instead, of one player or of the one that --player names." },
    { flags = "--expect", value = "NAME=RANGE,...", repeated = true,
      doc = "Check that ratings and measures of all levels are in these ranges, 'rating=3..7,moves>=8'; may be given again." },
    { flags = "--levels", doc = "Print each level's text and measures, too, as JSON for game engines." },
    "game", "path", "measures", "with", "delimiter",
  }, options.format_with "junit"),
  format = "csv",
  examples = {
    "crux rate flow new-levels.csv",
    "crux rate my-rule.lua --append levels.csv -o rated.csv",
    "crux rate lazors lazors-levels/ one.bff",
    "crux rate flow --interval 0.9 new-levels.csv",
    "crux rate fitted.lua --player ann new-levels.csv",
    "crux rate puzzlescript examples/magnet.txt",
    "crux rate sprinkfield-v2 --explain field.txt",
    "crux rate move datasets/levels/move --expect rating=1..7",
    "crux rate move datasets/levels/move --levels -o levels.json",
  },
  run = run,
}
