--- crux generate: new levels, at random or with given measures.
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local frequencies = require "crux.stats.frequencies"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local maker = require "crux.game.maker"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local output = require "crux.out.output"
local progress = require "crux.out.progress"
local survey = require "crux.cli.survey"
local workers = require "libcrux.workers"

--- Refuses a measure that the game does not have.
local function check_measure(self, name, where)
  if self.measures[name] then return end
  local all = {}
  for i, measure in ipairs(self.measures) do all[i] = measure.name end
  fault.raise(("%s: game '%s' has no measure '%s'; %s"):format(where, self.name, name, nearest.hint(name, all)))
end

--- 'size=25,colours=5' as wishes.
local function wanted_of(self, text)
  local wanted = {}
  for _, item in ipairs(convert.names(text)) do
    local name, value = item:match "^([%w_]+)%s*=%s*(%S+)$"
    if not name or not tonumber(value) then
      fault.raise(("--like: found '%s', expected MEASURE=NUMBER,..."):format(item), 2)
    end
    check_measure(self, name, "--like")
    wanted[name] = maker.wish(value)
  end
  return wanted
end

--- Opens what the levels go to; returns the dataset of --like-dataset, which may be a pipe.
local function prepare(args)
  local data, count = args.like_dataset and dataset.open(args.like_dataset), args.count
  if args.histogram then
    output.reserve(args.output)
    return data
  end
  if args.select then
    count = (args.select.greatest - args.select.least + 1) * args.select.count
  elseif data then
    count = 0
    for block in data:blocks {} do count = count + block.rows end
  end
  levels.reserve(args.output, count)
  return data
end

--- A task for each row of a dataset: its columns that are measures of the game. All numbers of a column have as many
--- decimals as the one with the most: CSV leaves zeros at the end out.
local function rows_as_tasks(self, data)
  local tasks, measured, decimals = {}, {}, {}
  for _, column in ipairs(data.columns) do
    if self.measures[column] then table.insert(measured, column) end
  end
  if #measured == 0 then
    fault.at(data.name .. ":1", ("no measure of the game '%s'"):format(self.name), "one among the columns")
  end
  for block in data:blocks { texts = measured, numbers = measured, levels = true } do
    for row = 1, block.rows do
      local wanted = {}
      for _, measure in ipairs(measured) do
        local value, text = block.numbers[measure][row], block.texts[measure][row]
        if value == value then
          wanted[measure] = text
          decimals[measure] = math.max(decimals[measure] or 0, maker.decimals(text))
        end
      end
      table.insert(tasks, { name = block.levels[row], stream = #tasks, wanted = wanted })
    end
  end
  for _, task in ipairs(tasks) do
    for measure, text in pairs(task.wanted) do task.wanted[measure] = maker.wish(text, decimals[measure]) end
  end
  return tasks
end

--- Tasks without an end, or up to a number of them; names are a prefix and their number.
local function tasks_at_random(self, args, count, wanted)
  local i = 0
  return function()
    i = i + 1
    if not count or i <= count then
      return { name = ("%s-%d-%d"):format(self.name, args.seed, i), stream = i - 1, wanted = wanted }
    end
  end
end

local function each_of(list)
  local i = 0
  return function()
    i = i + 1
    return list[i]
  end
end

--- Levels that are walked together at most, and when nobody knows how many there will be.
local MOST_TOGETHER <const>, SOME_TOGETHER <const> = 8192, 64

--- How many tasks a worker gets at a time. What they ask for takes longer than any walk. In a journal they are as many for
--- any number of workers.
local function together(self, args, count, total)
  if not self.walk or args.vary or args.like or args.like_dataset then return 1 end
  if not total then return SOME_TOGETHER end
  if args.journal then return math.max(SOME_TOGETHER, math.min(MOST_TOGETHER, total // 8)) end
  return math.min(MOST_TOGETHER, (total + count - 1) // count)
end

--- Tasks in lists of so many.
local function in_lists(tasks, count)
  return function()
    local list = {}
    for task in tasks do
      table.insert(list, task)
      if #list == count then break end
    end
    return #list > 0 and list or nil
  end
end

--- The products of tasks in order; what could not be made is said. Ends early when `take` returns true.
---@param take fun(product: Product): boolean?
---@return integer missing
local function produce(self, args, tasks, total, measures, take)
  local production = { game = args.game, options = args.own, seed = args.seed, attempts = args.attempts, measures = measures,
    limits = survey.limits(args), vary = args.vary and { args.vary } }
  if args.journal then
    args.journal.total = total
    args.journal:files(self.sources)
    if args.like_dataset then args.journal:files { args.like_dataset } end
  end
  local bar <close> = progress.new(total, "levels")
  local missing, told = 0, {}
  local lists = in_lists(tasks, together(self, args, workers.count(args.jobs), total))
  for list, products, lost in jobs.map(args.jobs, "crux.run.worker.make", production, lists, args.journal) do
    for i, task in ipairs(list) do
      local product = lost and { name = task.name, reason = lost } or products[i]
      bar:advance(1)
      local remark = survey.untraced("walked", product.untraced, told)
      if remark then bar:say(("level '%s': %s"):format(product.name, remark)) end
      if product.text then
        if take(product) then return missing end
      else
        missing = missing + 1
        bar:say(("level '%s' was not made: %s"):format(product.name, product.reason))
      end
    end
  end
  return missing
end

--- '3..10 x 10' as least, greatest and how many of each.
local function selection_of(text)
  local least, greatest, count = text:match "^%s*(%d+)%s*%.%.%s*(%d+)%s*x%s*(%d+)%s*$"
  least, greatest, count = math.tointeger(least), math.tointeger(greatest), math.tointeger(count)
  if not least or least > greatest or count < 1 then
    return nil, ("--select: found '%s', expected LEAST..GREATEST x COUNT, such as '3..10 x 10'"):format(text)
  end
  return { least = least, greatest = greatest, count = count }
end

--- Levels at random until there are enough for each number of moves; those with fewer moves come first.
local function select_levels(self, args)
  local wanted = args.select
  local kept, open = {}, wanted.greatest - wanted.least + 1
  for moves = wanted.least, wanted.greatest do kept[moves] = {} end
  produce(self, args, tasks_at_random(self, args), nil, { "moves" }, function(product)
    local list = kept[product.row.moves]
    if not list or #list == wanted.count then return false end
    table.insert(list, product)
    if #list == wanted.count then open = open - 1 end
    return open == 0
  end)
  local chosen = {}
  for moves = wanted.least, wanted.greatest do table.move(kept[moves], 1, wanted.count, #chosen + 1, chosen) end
  return chosen
end

--- The options of the game, as the command line or else the game has them.
local function own_of(self, args)
  local own = {}
  for _, option in ipairs(self.options) do own[option[1]] = args[option[1]] or option[2] end
  return own
end

--- How many moves levels at random need; those that were not solved are told and left out.
---@return integer[]
local function moves_of(self, args)
  local moves = {}
  produce(self, args, tasks_at_random(self, args, args.count), args.count, { "moves" }, function(product)
    table.insert(moves, product.row.moves)
  end)
  if #moves < args.count then output.say(("%s without a solution"):format(number.count(args.count - #moves, "level"))) end
  return moves
end

--- Prints how many levels need how many moves.
local function print_histogram(self, args)
  local moves = moves_of(self, args)
  local columns = { { key = "moves" }, { key = "count" }, { key = "share" } }
  local format = output.format(args.format, args.output, "table")
  if format == "table" then table.insert(columns, { key = "bar", label = "" }) end
  output.table(args.output, format, columns, #moves > 0 and frequencies.rows(moves, "moves") or {})
end

local function run(args)
  local self = game.load(args.game)
  if self.own then args.vary = args.vary or self.path end
  self:expect(args.vary and { "vary", "format" } or { "generate", "format" }, "generate")
  args.own = own_of(self, args)
  if args.histogram or args.select then check_measure(self, "moves", args.histogram and "--histogram" or "--select") end
  if args.histogram then return print_histogram(self, args) end
  local products, missing = {}, 0
  if args.select then
    products = select_levels(self, args)
  else
    local rows = args.like_dataset and rows_as_tasks(self, args.prepared)
    local wanted = args.like and wanted_of(self, args.like)
    if (rows or wanted or next(self.requires)) then self:expect({ "vary" }, "generate --like") end
    local tasks = rows and each_of(rows) or tasks_at_random(self, args, args.count, wanted)
    missing = produce(self, args, tasks, rows and #rows or args.count, {}, function(product)
      table.insert(products, product)
    end)
  end
  levels.save(args.output, products, self.files)
  if missing > 0 then
    fault.raise(("%s of %s not made"):format(number.count(missing), number.count(missing + #products, "level")))
  end
end

--- A number, or LEAST..GREATEST; integers when `whole`.
local function range(option, whole)
  local convert_one = whole and math.tointeger or function(value) return value + 0.0 end
  return function(text)
    local least, greatest = text:match "^(.-)%.%.(.*)$"
    least, greatest = tonumber(least or text), tonumber(greatest or text)
    least, greatest = least and convert_one(least), greatest and convert_one(greatest)
    if least and greatest and least <= greatest then return text:find("..", 1, true) and { least, greatest } or least end
    return nil, ("%s: found '%s', expected %s or LEAST..GREATEST"):format(option, text, whole and "an integer" or "a number")
  end
end

--- The options of the game that a command line names.
local function own_options(words)
  local name
  for i = 2, #words do
    if words[1] == "generate" and not name and words[i]:sub(1, 1) ~= "-" then name = words[i] end
  end
  local ok, self = pcall(game.load, name or "")
  local rows = {}
  for _, option in ipairs(ok and self.options or {}) do
    local flag, default = "--" .. option[1]:gsub("_", "-"), option[2]
    local shown = type(default) == "table" and table.concat(default, "..") or tostring(default)
    local whole = math.type(type(default) == "table" and default[1] or default) == "integer"
    table.insert(rows, { flags = flag, value = "N", convert = range(flag, whole),
      doc = ("%s (%s)"):format(option.doc or "an option of the game", shown) })
  end
  return rows
end

return {
  details = "Makes levels of a game at random, by a seed that gives the same levels on every machine. With --like, levels "
    .. "that have the given measures when these are rounded to the given decimals. A game has options of its own: "
    .. "'crux generate GAME --help' tells them.",
  arguments = { arguments.game },
  asks_script = true, -- for the generator's options
  options = function(words, may_run_scripts)
    local rows = {
      { flags = "--count", value = "N", convert = convert.integer("--count", 1), default = "1", doc = "How many levels" },
      { flags = "--seed", value = "N", convert = convert.integer("--seed", 0), default = "1",
        doc = "Seed of the random numbers" },
      { flags = "--vary", value = "LEVELS",
        doc = "Make variations of the levels of this file or folder, which differ in some details. A game of PuzzleScript "
          .. "varies "
          .. "its own levels without it." },
      { flags = "--like", value = "MEASURE=NUMBER,...", doc = "Make levels with these measures." },
      { flags = "--like-dataset", value = "FILE.csv", doc = "Make a level for each row, with the measures of the row." },
      { flags = "--select", value = "A..B x N", convert = selection_of,
        doc = "Make levels until there are N that need A moves, N that need A + 1, ... N that need B." },
      { flags = "--histogram", doc = "Print how many of --count levels need how many moves instead." },
      { flags = "--attempts", value = "N", convert = convert.integer("--attempts", 1), default = "50000",
        doc = "Changes to try for a level before giving it up" },
    }
    if may_run_scripts then table.move(own_options(words), 1, 100, #rows + 1, rows) end
    return survey.options(rows)
  end,
  examples = {
    "crux generate move --count 3 --seed 7 -o new.txt",
    "crux generate move --select '3..5 x 2' -o move-levels/",
    "crux generate flow --like 'size=25,colours=5,distance=3.6,corners=7'",
    "crux generate sokoban --vary datasets/levels/sokoban/ --count 2",
    "crux generate flow --like-dataset new-levels.csv --seed 6 -o flow-levels/",
  },
  prepare = prepare,
  own_of = own_of,
  moves_of = moves_of,
  run = run,
}
