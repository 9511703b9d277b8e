--- The task generate: new levels, at random or with given measures.
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local frequencies = require "crux.stats.frequencies"
local jobs = require "crux.run.jobs"
local lists = require "crux.base.lists"
local level_writer = require "crux.game.level_writer"
local number = require "crux.base.number"
local order = require "crux.task.shared.order"
local range = require "crux.base.range"
local ranges = require "crux.option.ranges"
local examination = require "crux.task.shared.examination"
local vector = require "libcrux.vector"
local workers = require "libcrux.workers"

--- The most levels that are written, nil for a histogram; and the dataset of --like-dataset, which may be a pipe.
local function writes_levels(args)
  local data, count = args.like_dataset and dataset.open(args.like_dataset), order.count(args)
  if args.histogram then return nil, data end
  if args.select then
    count = (args.select.greatest - args.select.least + 1) * args.select.count
  elseif data then
    count = 0
    for block in data:blocks {} do count = count + block.rows end
  end
  return count, data
end

--- A task for each row of a dataset, from its columns that are measures of the game. All numbers of a column get as many
--- decimals as its longest, as CSV files leave out zeros at the end.
local function rows_as_tasks(game, data)
  local tasks, measured, decimals = {}, {}, {}
  for _, column in ipairs(data.columns) do
    if game.measures[column] then table.insert(measured, column) end
  end
  if #measured == 0 then
    fault.at(data.name .. ":1", ("no measure of the game '%s'"):format(game.name), "one among the columns")
  end
  for block in data:blocks { texts = measured, numbers = measured, levels = true } do
    for row = 1, block.rows do
      local wanted = {}
      for _, measure in ipairs(measured) do
        local value, text = block.numbers[measure][row], block.texts[measure][row]
        if value == value then
          wanted[measure] = text
          decimals[measure] = math.max(decimals[measure] or 0, range.decimals(text))
        end
      end
      level_writer.check_name(block:place(row), block.levels[row])
      table.insert(tasks, { name = block.levels[row], stream = #tasks, wanted = wanted })
    end
  end
  for _, task in ipairs(tasks) do
    for measure, text in pairs(task.wanted) do task.wanted[measure] = range.read(text, decimals[measure]) end
  end
  return tasks
end

local function each_of(list)
  local i = 0
  return function()
    i = i + 1
    return list[i]
  end
end

--- The number of tasks that a worker gets at a time if the total number is not known.
local SOME_TOGETHER <const> = 64

--- The number of tasks that a worker gets at a time: 1, or more if levels are made by random walks alone, which is quick.
--- With a journal it does not depend on the number of workers.
local function together(game, args, count, total)
  if not game.walk or args.vary or #args.like > 0 or args.like_dataset then return 1 end
  if not total then return SOME_TOGETHER end
  if args.journal then return math.max(SOME_TOGETHER, math.min(generator.most_together, total // 8)) end
  return math.min(generator.most_together, (total + count - 1) // count)
end

--- Makes the products of tasks in order, and reports failures. Ends early when `take` returns true.
---@param take fun(product: Product): boolean?
---@param all Product[]?   gets each product, also those without a text
---@return integer missing
local function produce(game, args, tasks, total, measures, take, all)
  local production = { game = args.game, options = args.own, seed = args.seed, changes = args.attempts, measures = measures,
    limits = examination.limits(args), vary = args.vary and { args.vary } }
  if args.journal then
    args.journal.total = total
    examination.note_files(game, args.journal, { args.vary })
    if args.like_dataset then args.journal:files { args.like_dataset } end
  end
  local bar <close> = args.progress(total, "levels")
  local missing, told = 0, {}
  local batches = generator.lists(tasks, together(game, args, workers.count(args.jobs), total))
  for list, products, lost in jobs.map(args.jobs, "crux.run.worker.make", production, batches, args.journal) do
    for i, task in ipairs(list) do
      local product = lost and { name = task.name, reason = lost } or products[i]
      if all then table.insert(all, product) end
      bar:advance(1)
      for _, remark in ipairs(examination.remarks(product, told)) do
        bar:say(("level '%s': %s"):format(product.name, remark))
      end
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

--- Reads 'size=3..10 x 10', or '3..10 x 10' of moves, as measure, least, greatest, and count of each.
local function selection_of(text, flag)
  local measure, rest = text:match "^%s*([%w_]+)%s*=(.*)$"
  local least, greatest, count = (rest or text):match "^%s*(%d+)%s*%.%.%s*(%d+)%s*x%s*(%d+)%s*$"
  least, greatest, count = math.tointeger(least), math.tointeger(greatest), math.tointeger(count)
  if not least or least > greatest or count < 1 then
    return convert.refuse(text, flag, "LEAST..GREATEST x COUNT in quotes, such as '3..10 x 10' or 'size=9..16 x 10'")
  end
  return { measure = measure or "moves", least = least, greatest = greatest, count = count }
end

--- Makes random levels until there are enough for each number, to which the measure rounds. Returns them by that number.
local function select_levels(game, args)
  local wanted = args.select
  local kept, open = {}, wanted.greatest - wanted.least + 1
  for value = wanted.least, wanted.greatest do kept[value] = {} end
  produce(game, args, generator.tasks(game, args.seed), nil, { wanted.measure }, function(product)
    local value = product.row[wanted.measure]
    local list = value and kept[math.tointeger((value + 0.5) // 1)]
    if not list or #list == wanted.count then return false end
    table.insert(list, product)
    if #list == wanted.count then open = open - 1 end
    return open == 0
  end)
  local chosen = {}
  for value = wanted.least, wanted.greatest do table.move(kept[value], 1, wanted.count, #chosen + 1, chosen) end
  return chosen
end

--- The numbers of moves of random levels. Reports and leaves out unsolved ones.
local function moves_of(game, args)
  local moves = {}
  produce(game, args, generator.tasks(game, args.seed, args.count), args.count, { "moves" }, function(product)
    table.insert(moves, product.row.moves)
  end)
  if #moves < args.count then args.say(("%s without a solution"):format(number.count(args.count - #moves, "level"))) end
  return moves
end

--- The histogram of numbers of moves.
---@return Report
local function histogram(game, args)
  local moves = moves_of(game, args)
  local columns = formats.columns { "moves", "count", "share" }
  table.insert(columns, { key = "bar", label = "", only = "table" })
  local rows = #moves > 0 and frequencies.rows(vector.of(moves), "moves") or {}
  return { value = moves, tables = { { columns = columns, rows = rows } } }
end

--- The report of levels that were made.
---@param missing integer   how many were not
local function report_of(game, products, missing)
  local rows = lists.map(products, function(product) return { level = product.name, text = product.text } end)
  return { value = products, levels = products, level_format = game.files,
    data = { columns = formats.columns { "level", "text" }, rows = rows }, finish = function()
      if missing > 0 then
        fault.raise(("%s of %s not made"):format(number.count(missing), number.count(missing + #products, "level")))
      end
    end }
end

local function run(args)
  local game = games.load(args.game)
  examination.warn(game, args.say)
  if game.own then args.vary = args.vary or game.path end
  game:expect(args.vary and { "vary", "format" } or { "generate", "format" }, "generate")
  level_writer.check_name(game.path .. ": field 'name'", game.name)
  args.own = args.own or generator.options(game, args)
  if args.rule then return order.run(game, args) end
  order.refuse_without_rule(args)
  if args.histogram then ranges.check_measure(game, "moves", "--histogram") end
  if args.select then ranges.check_measure(game, args.select.measure, "--select") end
  if args.histogram then return histogram(game, args) end
  if args.select then return report_of(game, select_levels(game, args), 0) end
  local rows = args.like_dataset and rows_as_tasks(game, args.prepared or dataset.open(args.like_dataset))
  local wanted = #args.like > 0 and ranges.of_measures(game, args.like, "--like") or nil
  local tasks = rows and each_of(rows) or generator.tasks(game, args.seed, args.count, wanted)
  local products, all = {}, {}
  local missing = produce(game, args, tasks, rows and #rows or args.count, args.measures or {}, function(product)
    table.insert(products, product)
  end, all)
  return lists.merge(report_of(game, products, missing), { value = all })
end

--- A conversion of a number, or LEAST..GREATEST; of integers when `whole`.
local function number_or_range(whole)
  local convert_one = whole and math.tointeger or function(value) return value + 0.0 end
  return function(text, flag)
    local least, greatest = text:match "^(.-)%.%.(.*)$"
    least, greatest = tonumber(least or text), tonumber(greatest or text)
    least, greatest = least and convert_one(least), greatest and convert_one(greatest)
    if least and greatest and least <= greatest then return text:find("..", 1, true) and { least, greatest } or least end
    return convert.refuse(text, flag, (whole and "an integer" or "a number") .. " or LEAST..GREATEST")
  end
end

--- The options of the generator of a game.
---@param name string?   of the game, the first argument
local function options_of_game(name)
  local ok, game = pcall(games.load, name or "")
  return lists.map(ok and game.options or {}, function(option)
    local default = option[2]
    local shown = type(default) == "table" and table.concat(default, "..") or tostring(default)
    local whole = math.type(type(default) == "table" and default[1] or default) == "integer"
    return { flags = "--" .. option[1]:gsub("_", "-"), value = "N", convert = number_or_range(whole),
      doc = ("%s (%s)"):format(option.doc or "an option of the game", shown) }
  end)
end

return {
  summary = "Make new levels.",
  details = "Makes levels of a game at random, by a seed that gives the same levels on every machine. With --like, levels "
    .. "that have the given measures when these are rounded to the given decimals. A game has options of its own: "
    .. "'crux generate GAME --help' lists them.",
  arguments = { arguments.game },
  options = examination.options(lists.concat({
    { flags = "--count", value = "N", convert = convert.integer(1), default = "1", doc = "The number of levels" },
    { flags = "--seed", value = "N", convert = convert.integer(0), default = "1",
      doc = "Seed of the random numbers" },
    { flags = "--vary", value = "LEVELS",
      doc = "Make variations of the levels of this file or folder, which differ in some details. A game of PuzzleScript varies "
        .. "its own levels without it." },
    { flags = "--like", value = "MEASURE=RANGE,...", repeated = true,
      doc = "Make levels with these measures: a number, 8..12, >=8 or <=12; may be given again." },
    { flags = "--like-dataset", value = "FILE.csv", doc = "Make a level for each row, with the measures of the row." },
    { flags = "--select", value = "MEASURE=A..B x N", convert = selection_of,
      doc = "Make levels until N of them have the measure A, N have A + 1, ... N have B; of moves without MEASURE=." },
    { flags = "--histogram", doc = "Print a histogram of the moves that --count levels need instead." },
    { flags = "--changes", alias = "--attempts", value = "N", convert = convert.integer(1), default = "50000",
      doc = "Changes to try for a level before giving up" },
  }, order.options)),
  options_of_script = options_of_game,
  examples = {
    "crux generate move --count 3 --seed 7 -o new.txt",
    "crux generate move --select '3..5 x 2' -o move-levels/",
    "crux generate flow --like 'size=25,colours=5,distance=3.6,corners=7'",
    "crux generate sokoban --vary datasets/levels/sokoban/ --count 2",
    "crux generate move --rule move --rating 4..5 --count 3 -o move-levels/",
    "crux generate flow --rule flow --curve 2..4 --count 3 --like 'size=25..36' -o flow-levels/",
    "crux generate flow --like-dataset new-levels.csv --seed 6 -o flow-levels/",
  },
  writes_levels = writes_levels,
  run = run,
}
