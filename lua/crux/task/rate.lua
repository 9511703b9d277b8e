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
local level_formats = require "crux.format.level_formats"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.option.options"
local plays = require "crux.rule.plays"
local property = require "crux.format.property"
local ranges = require "crux.data.ranges"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"
local examination = require "crux.task.shared.examination"
local vector = require "libcrux.vector"

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

local max_named = 10 -- levels outside the training range, and levels without a rating

--- Reports the levels of a block outside of the ranges that the rule was fitted to.
---@param count integer   of earlier blocks
---@return integer        with those of this block
local function report_strays(rule, block, count, say)
  if not rule.ranges then return count end
  local rows, strays_in = ranges.outside(rule.ranges, block, rule.formula:numbers())
  for i = 1, math.min(#rows, max_named - count) do
    local row = rows[i] // 1 | 0
    say(("%s: %s"):format(block.name, ranges.line(block.levels[row], strays_in(row))))
  end
  return count + #rows
end

--- Checks the levels of a block, and reports those without a rating.
---@param count integer       of those in earlier blocks
---@return integer[] lacking  rows without a rating
---@return TestCase[] cases   none without --expect
local function check(rule, block, ratings, args, count)
  local lacking, cases, expected = {}, {}, args.expected
  if #expected.wanted == 0 and not vector.complete { ratings } then return lacking, cases end
  for i = 1, block.rows do
    if #expected.wanted > 0 then cases[i] = expected:check(block, i, ratings[i]) end
    if ratings[i] ~= ratings[i] then
      table.insert(lacking, i)
      if count + #lacking <= max_named then args.say(("%s: %s"):format(block:place(i), rule:unrated(block, i))) end
    end
  end
  return lacking, cases
end

--- A column of the input with numbers as such, but for the names of levels.
local function values_of(block, column)
  return lists.map(block.texts[column], function(text) return column ~= "level" and csv.number(text) or text end)
end

--- The columns of --levels: lists.
local function level_columns(block)
  local names = lists.select(block.data.columns, function(column) return column ~= "level" end)
  local columns = lists.map(names, function(name) return values_of(block, name) end)
  local files, notes, lines, measures = {}, {}, {}, {}
  for i, source in ipairs(block.sources) do
    local entry, row = source.entry, {}
    files[i], notes[i], lines[i] = entry.path, json.by_name(entry.notes), {}
    for line in entry.text:gmatch "([^\n]*)\n" do table.insert(lines[i], line) end
    for j, name in ipairs(names) do row[name] = columns[j][i] end
    measures[i] = json.by_name(row, names)
  end
  return { file = files, notes = notes, rows = lines, measures = measures }
end

--- The missing measures of some rows, and why their levels have none, for JSON.
local function missing_of(rule, block, lacking)
  local missing = {}
  for _, i in ipairs(lacking) do
    local unsolved = block.sources and block.sources[i].unsolved
    missing[i] = table.concat(rule:missing(block, i), ", ") .. (unsolved and (" (%s)"):format(unsolved) or "")
  end
  return missing
end

--- Writes the parts of each rating, and the rating below.
local function explain(writer, block, ratings, parts)
  for i = 1, block.rows do
    for _, part in ipairs(parts(i)) do writer:add { level = block.levels[i], part = part[1], value = part[2] } end
    writer:add { level = block.levels[i], part = "rating", value = ratings[i] }
  end
end

--- The columns of a block of a dataset by key.
---@param lacking integer[]   rows without a rating
local function values_by_key(rule, data, block, args, lacking)
  local values = { level = block.levels }
  for _, column in ipairs(args.append and data.columns or {}) do
    values[column] = formats.is_data(args.form) and block.texts[column] or values_of(block, column)
  end
  if args.form == "json" then values.missing = missing_of(rule, block, lacking) end
  return lists.merge(values, args.levels and level_columns(block) or {})
end

---@return table<integer, number>   with --write-property the ratings by the numbers of the maps of a file
local function rate(rule, data, args, writer)
  local measures, texts = rule:measures(data), (args.append or args.levels) and data.columns or rule:texts(data)
  data:expect(args.expected.measures, "--expect needs the measure")
  local numbers = lists.union(measures, args.expected.measures)
  local missing, outside, by_map = 0, 0, {}
  for block in data:blocks { numbers = numbers, measures = measures, texts = texts, levels = true } do
    local ratings, parts, low, high = rule:rate(block, args.interval)
    outside = report_strays(rule, block, outside, args.say)
    local lacking, cases = check(rule, block, ratings, args, missing)
    missing = missing + #lacking
    for i, source in ipairs(args.write_property and block.sources or {}) do
      if number.is_finite(ratings[i]) then by_map[source.entry.map_number] = ratings[i] end
    end
    if args.explain then
      explain(writer, block, ratings, parts)
    else
      writer:block(lists.merge(values_by_key(rule, data, block, args, lacking),
        { rating = ratings, low = low, high = high, case = cases }), block.rows)
    end
  end
  if outside > max_named then
    args.say(("%s: %d more levels are outside the training range"):format(data.name, outside - max_named))
  end
  if missing > max_named then
    args.say(("%s: %s have no rating"):format(data.name, number.count(missing - max_named, "more level")))
  end
  return by_map
end

--- The dataset of an input, a CSV file or level files, a function to call when all is written, and the game of level files.
---@param loaded table<string, Game>   loads a game when it is first used
local function open(path, rule, args, loaded)
  local name = args.game or rule.game or games.has_levels(path) and path
  local measures = rule.formula and rule.formula.variables or {}
  local function reads() return name and loaded[name]:reads(path) end
  -- The message about a missing file without an ending names the datasets of crux.
  local is_word = path ~= "-" and file_system.is_regular(path) == nil and not path:find "%.[^./]*$"
  if is_word and not level_formats.is_address(path) or content.is_dataset(path, args.delimiter, measures, reads) then
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

local function read_map(path) return text_file.read(path, sizes.map_file_bytes, "a map of Tiled or LDtk") end

--- The files that --write-property replaces, with their texts.
local function maps_of(args)
  local texts = {}
  for _, path in ipairs(args.write_property and args.input or {}) do
    if file_system.is_regular(path) == false or path == "-" then fault.at(path, "no regular file", "a map of Tiled or LDtk") end
    texts[path] = read_map(path)
    if not property.takes(texts[path]) then fault.at(path, "another file", "a map of Tiled or LDtk") end
  end
  return texts
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
  local shown, files = {}, {}
  local function open_next(path)
    local data, finish, game = open(path, rule, args, loaded)
    if args.levels and not game then fault.at(path, "a dataset", "level files, as --levels prints their text") end
    table.insert(finishes, finish)
    local wanted = columns_of(data, args)
    local keys = table.concat(lists.field(wanted, "key"), "\n")
    if shown.keys and shown.keys ~= keys then
      fault.at(data.name .. ":1", "other columns than in " .. args.input[1], "the same, as --append keeps them")
    end
    shown.columns, shown.keys = shown.columns or wanted, keys
    return data
  end
  local first = open_next(args.input[1]) -- its columns are those of the result
  function shown.rows(writer)
    for i, path in ipairs(args.input) do
      local data = i == 1 and first or open_next(path)
      local by_map = rate(rule, data, args, writer)
      local text = args.write_property and args.prepared[path]
      if text and read_map(path) ~= text then fault.at(path, "a file that changed while it was rated", "it as it was") end
      files[path] = text and property.set(text, path, args.write_property, by_map)
      inputs.report_unmatched(data, args)
    end
    for _, case in ipairs(args.form == "junit" and args.expected.broken or {}) do writer:add { case = case } end
  end
  return { tables = { shown }, files = files, finish = function()
    args.expected:finish()
    for _, finish in ipairs(finishes) do finish() end
  end }
end

return {
  summary = "Rate levels by a rule.",
  details = "Rates the levels of datasets (CSV files with a column for each measure of the rule), or of level files of the "
    .. "rule's game, and prints level and rating. A level of which a measure is missing gets an empty rating; levels outside "
    .. "the range of the levels that the rule was fitted to are named on standard error. The result is a table on a terminal "
    .. "and CSV elsewhere.\n\nWith --expect, a line on standard error names each level that is not as expected, and the exit "
    .. "status is then 1: a level with a rating or measure outside its range or without one, one that was not solved, and one "
    .. "that cannot be read (docs/levels-in-ci.md).",
  arguments = {
    arguments.rule,
    { name = "input", args = "+", doc = "CSV files, or - for one on standard input; level files and folders of them; for a "
      .. "rule without a game, games of PuzzleScript, whose levels are rated." },
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
    { flags = "--write-property", value = "NAME", in_journal = false, doc = "Write the rating of each map of Tiled or LDtk "
      .. "into its file, too, as this property, of the type float.", convert = function(text, flag)
        if utf8.len(text) and text:find "^%C+$" then return text end
        return convert.refuse(text, flag, "a name of one line")
      end },
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
    "crux rate sokoban level.tmx --write-property difficulty",
  },
  writes = maps_of,
  run = run,
}
