--- Levels with wanted ratings, for the task generate.
local convert = require "crux.option.convert"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local jobs = require "crux.run.jobs"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local orders = require "crux.order.order"
local pool = require "crux.order.pool"
local request = require "crux.order.request"
local ranges = require "crux.option.ranges"

local order = {}

--- Options of levels with wanted ratings.
order.options = {
  { flags = "--rule", value = "RULE", doc = "Make levels that this rule rates as --rating or --curve says." },
  { flags = "--rating", value = "RANGE", convert = ranges.one,
    doc = "The ratings of the levels: 4..5, 4.5 (from 4.45 to 4.55), >=8 or <=2." },
  { flags = "--curve", value = "LEAST..GREATEST", convert = ranges.several,
    doc = "Make --count levels of ratings evenly spaced from LEAST to GREATEST, the easiest first; or, of several ranges with "
      .. "commas between them, such as 2,3..4,2.5, a level for each, in their order." },
  { flags = "--pack", doc = "Make levels that are as unlike each other as can be: choose among four times as many." },
  { flags = "--unique", doc = "Make levels with one solution, where the game counts solutions." },
  { flags = "--distinct", value = "D", convert = convert.positive,
    doc = "The least distance of any two levels, in standard deviations of measures among levels at random." },
  { flags = "--spread", value = "D", convert = convert.positive, doc = "The least distance of neighbours on a curve." },
  { flags = "--tries", value = "N", convert = convert.integer(1), default = "50000",
    doc = "The number of levels to try for all ratings before giving up" },
  { flags = "--budget", value = "SECONDS", unit = "s", convert = convert.positive,
    doc = "Give up after this time, too; the levels then depend on the machine." },
}

--- The number of levels that are asked for.
function order.count(args)
  local listed = args.curve and #args.curve > 1 and #args.curve
  if listed and args.count ~= 1 and args.count ~= listed then
    fault.raise(("found --count %d and %d ranges, expected one of them"):format(args.count, listed), 2)
  end
  return listed or args.count
end

function order.refuse_without_rule(args)
  for _, name in ipairs { "rating", "curve", "pack", "unique", "distinct", "spread", "budget" } do
    if args[name] then fault.raise(("found --%s without --rule, expected both"):format(name), 2) end
  end
end

--- Shows the numbers of found and wanted levels and the nearest miss; reports trials that were lost with their worker, and why
--- levels were searched slowly.
local function watcher(bar)
  local told = {}
  return function(filled, miss, lost, result)
    bar.remark = miss and ("the nearest miss is rated %.4g"):format(miss)
    bar:advance(filled - bar.done)
    if lost then bar:say("a trial was lost: " .. lost) end
    for _, remark in ipairs(examination.remarks(result or {}, told)) do bar:say("a level that was tried: " .. remark) end
  end
end

--- The options of the command line as crux.order takes them.
local function asked_of(game, args)
  local like = ranges.of_measures(game, args.like, "--like")
  return { rating = args.rating, curve = args.curve, count = order.count(args), pack = args.pack, unique = args.unique,
    distinct = args.distinct, spread = args.spread, tries = args.tries, budget = args.budget, like = like, seed = args.seed,
    own = args.own, vary = args.vary and { args.vary }, limits = examination.limits(args) }
end

--- The table of the levels with their ratings and measures.
---@param measures string[]
---@param done OrderedLevel[]
local function table_of(measures, done)
  return { columns = formats.columns(lists.concat({ "level", "rating" }, measures, { "nearest" })),
    rows = lists.map(done, function(level)
      return lists.merge(level.row, { level = level.name, rating = level.rating, nearest = level.nearest })
    end) }
end

--- Makes and lists the levels of an order; with `args.is_pool` the value is a pool, which makes them when it is filled.
---@return Report
function order.run(game, args)
  local rule = inputs.rule(args.rule, args)
  if args.is_pool then return { value = pool.new(game, rule, asked_of(game, args)), tables = {} } end
  local wanted, setup = request.read(game, rule, asked_of(game, args))
  setup.rule = args.rule
  if args.journal then
    examination.note_files(game, args.journal, { args.vary })
    args.journal.noun = "trial"
  end
  local filled
  do
    local staff <close> = jobs.open(args.jobs, "crux.order.worker", setup)
    local bar <close> = args.progress(wanted.count, "levels")
    filled = orders.fill(game, wanted, setup.production.measures, function(trials) return staff:map(trials, args.journal) end,
      watcher(bar))
  end
  local done = request.levels(game, rule, filled, args.seed)
  return { value = { levels = done, filled = filled }, levels = done, level_format = game.files,
    tables = { table_of(game:needed_by(rule), done) },
    notes = { request.summary(filled, done) }, finish = function()
      if filled.missing == 0 then return end
      for _, line in ipairs(request.shortfall(filled)) do args.say(line) end
      fault.raise(("%s of %s not found"):format(number.count(filled.missing), number.count(wanted.count, "level")))
    end }
end

return order
