--- The task discover: searches whole formulas of the measures, and estimates the error of the procedure.
local arguments = require "crux.option.arguments"
local comparison = require "crux.judge.comparison"
local column_kinds = require "crux.formula.column_kinds"
local convert = require "crux.option.convert"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local discovery = require "crux.judge.discovery"
local expressions = require "libcrux.expressions"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local formula_text = require "crux.task.shared.formula_text"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.option.options"
local plot = require "crux.show.plot"
local process = require "libcrux.process"
local selection = require "crux.judge.selection"
local sinks = require "crux.out.sinks"
local validation = require "crux.task.shared.validation"
local budget = require "libcrux.budget"
local vector = require "libcrux.vector"
local workers = require "libcrux.workers"

local least_rows = 12
local most_rows = 600       -- the search uses at most so many rows; it draws them from a larger dataset
local most_values = 1.6e7   -- of expressions, in all searched rows: 64 MB
local repeated_values = 5e6 -- of the searches of all repeats, unless --repeats is given

--- Reads `size=squares,moves=steps` as units by column.
local function units(text, flag)
  local found = {}
  for _, part in ipairs(convert.names(text)) do
    local name, unit = part:match "^(.-)%s*=%s*(.+)$"
    if not name then return convert.refuse(part, flag, "COLUMN=UNIT, separated by commas") end
    found[name] = unit
  end
  return found
end

--- Takes the name of a picture.
local function picture(text, flag)
  if text:find "%.svg$" then return text end
  return convert.refuse(text, flag, "a name that ends in .svg")
end

--- The dataset with the measures of --measures-of that it lacks; those without a value for some level are left out.
---@return Dataset
---@return function?   see crux.task.shared.examination
---@return string[]    lines about those left out
local function with_measures(data, args)
  if not args.measures_of and #args.levels > 0 then
    fault.raise(("found '%s' behind the dataset, expected nothing, or --measures-of GAME"):format(args.levels[1]), 2)
  end
  if not args.measures_of then return data, nil, {} end
  local game = require "crux.game.game".load(args.measures_of) -- only here: the game room takes a millisecond to load
  local examination = require "crux.task.shared.examination"
  local names = lists.select(lists.field(game.measures, "name"), function(name) return not data.has[name] end)
  local measured, finish = examination.dataset(game, setmetatable({ memory = 1024 }, { __index = args }), args.levels, names)
  local lines = {}
  local kept = lists.select(names, function(name)
    local has_all = not vector.complete { measured.vectors[name] }
    if not has_all then table.insert(lines, ("%s, which some levels lack"):format(name)) end
    return has_all
  end)
  return dataset.join(data, dataset.of_columns(measured.name, lists.concat({ "level" }, kept), measured.vectors, measured.texts,
    measured.rows)), finish, lines
end

--- The columns of some names in memory, of the rows in which all are numbers.
---@return Dataset
local function complete(data, names, args)
  local columns = {}
  for _, name in ipairs(names) do columns[name] = {} end
  for block in data:blocks { numbers = names } do
    for name, parts in pairs(columns) do table.insert(parts, block.numbers[name]) end
  end
  for name, parts in pairs(columns) do columns[name] = vector.concat(parts) end
  local all = lists.pick(columns, names)
  local rows, kept = #all[1], vector.complete(all)
  inputs.report_unmatched(data, setmetatable({ with = args.with or args.levels[1] }, { __index = args }))
  if kept then
    args.say(("%s: %s left out: a value is missing"):format(data.name, number.count(rows - #kept, "row")))
    for name, column in pairs(columns) do columns[name] = column:gather(kept) end
    rows = #kept
  end
  if rows < least_rows then
    fault.at(data.name, number.count(rows, "complete row"), ("at least %d to search a formula"):format(least_rows))
  end
  return dataset.of_vectors(data.name, names, columns, rows), columns, rows
end

--- A part of the rows, drawn at random, if there are more than are searched.
local function sampled(data, names, columns, rows, args)
  if rows <= most_rows then return data end
  args.say(("%s: formulas are searched and judged in %s of %s, drawn at random"):format(data.name, number.count(most_rows),
    number.count(rows, "row")))
  local drawn = vector.of(lists.copy(crossval.shuffled(rows, args.seed), most_rows))
  local parts = {}
  for name, column in pairs(columns) do parts[name] = column:gather(drawn) end
  return dataset.of_vectors(data.name, names, parts, most_rows)
end

--- The measures, and lines about columns that are none.
local function measures_of(data, args)
  local measures = args.measures or column_kinds.measures(data, { args.target }, args.weights)
  local taken, lines = lists.set(measures), {}
  for _, column in ipairs(data.columns) do
    local may_be = column_kinds.may_be_measure(column) and column ~= args.target and column ~= args.weights
    if not args.measures and may_be and not taken[column] then
      table.insert(lines, ("%s, which is not all numbers"):format(column))
    end
  end
  return measures, lines
end

--- The units of measures as numbers, of which products get the sum: logarithms of numbers without a common factor.
local function numbered(space, given)
  local known, list, next_number = {}, {}, 1
  for name in pairs(given or {}) do
    if not lists.contains(space.names, name) then fault.unknown("--units", "measure", name, space.names, 2) end
  end
  for i, name in ipairs(space.names) do
    local unit = (given or {})[name]
    if unit and not known[unit] then
      next_number = next_number + 2
      known[unit] = math.log(next_number) + math.sqrt(next_number)
    end
    list[i] = unit and known[unit] or 0 / 0
  end
  return vector.of(list)
end

--- The expressions of the measures.
local function expressions_of(space, frame, args)
  local columns, low, high = {}, {}, {}
  for i in ipairs(space.names) do
    columns[i] = frame.columns[i + 1]
    low[i], high[i] = columns[i]:range()
  end
  local list = fault.check(expressions.new(columns, vector.of(low), vector.of(high), numbered(space, args.units), args.nodes,
    math.max(#columns, most_values // frame.rows | 0)))
  local _, _, nodes = list:size()
  if nodes <= args.nodes then
    args.say(("formulas are sums of expressions of up to %s: %s are too many for %s"):format(number.count(nodes, "node"),
      nodes < args.nodes and ("those of %d"):format(nodes + 1) or "functions of these", number.count(#columns, "measure")))
  end
  return list
end

--- The results of a function, whose interruption is told with what was being done.
local function interruptible(doing, f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local status = budget.interrupted()
  if not status then error(results[2], 0) end
  fault.raise("crux: interrupted while " .. doing, status)
end

---@class Discovered
---@field target string
---@field search Discovery
---@field whole table<string, FormulaCandidate>   fitted to all searched rows
---@field key string         of the chosen one
---@field inner table<string, number>      errors that chose it
---@field nested Nested
---@field assigned userdata[]
---@field rules Rule[]       of --against
---@field by string
---@field space Space

--- Searches, and evaluates the search and the rules of --against on the same folds.
---@return Discovered
local function discover(args)
  local given, finish, lacking = with_measures(inputs.data(args.data, args), args)
  given:expect({ args.target }, "discover needs the target")
  given:expect({ args.weights }, "discover needs the weights")
  local measures, lines = measures_of(given, args)
  local rules = lists.map(args.against, function(text)
    local plain = { target = args.target, weights = args.weights }
    return inputs.is_formula(text) and inputs.formula(text, plain) or inputs.rule(text, plain)
  end)
  local names = lists.union({ args.target, args.weights }, measures)
  for _, rule in ipairs(rules) do names = lists.union(names, rule:measures(given)) end
  local data, columns, rows = complete(given, names, args)
  local part = sampled(data, names, columns, rows, args)
  local space, frame = selection.space(part, measures, { target = args.target, left = ("`%s`"):format(args.target),
    weights = args.weights, transforms = {} }, function(design) return design:keep() end)
  local list = interruptible("expressions were made", expressions_of, space, frame, args)
  local repeats = args.repeats or math.max(1, math.min(10, repeated_values // (list:size() * frame.rows) | 0))
  local assigned = crossval.assignments(frame.rows, { folds = args.folds, repeats = repeats, seed = args.seed }, data.name)
  local bar <close> = args.progress(repeats * args.folds + 1, "choices")
  local search = discovery.new { frame = frame, space = space, list = list, threads = workers.count(args.jobs),
    seed = args.seed, where = data.name, tolerance = args.tolerance, advance = function() bar:advance() end }
  local every = {}
  for row = 1, frame.rows do every[row] = row end
  local whole, key, inner = interruptible(("the first of %s was made, before any formula was known"):format(
    number.count(repeats * args.folds + 1, "choice")), search.choose, search, vector.of(every), 0)
  local status
  local nested = search:nested(assigned, function()
    status = budget.interrupted()
    return status ~= nil
  end)
  local found = { target = args.target, data = data, search = search, whole = whole, key = key, inner = inner, nested = nested,
    assigned = assigned, rules = rules, by = args.weights and "weighted_mae" or "mae", space = space, finish = function()
      if finish then finish() end
      if status then
        sinks.finish() -- a fault would leave out what is found
        fault.raise("crux: interrupted", status)
      end
    end,
    dropped = lists.concat(lists.concat(lines, lacking), space.dropped), repeats = repeats }
  if #rules > 0 and nested.is_whole then
    local evaluations = validation.evaluate(rules, part, setmetatable({ repeats = repeats, progress = args.progress },
      { __index = args }), args.weights, { details = true, alone = true, quiet = true })
    for i, evaluation in ipairs(evaluations) do nested.evaluations["rule " .. i] = evaluation end
  end
  return found
end

--- The text of a candidate's formula.
local function text_of(found, candidate)
  return formula_text.of(found.target, found.space.names, found.search.list, candidate)
end

--- The keys of the front: the mean, those of formulas whose error in the choice is smaller than that of every smaller one, the
--- competitors, the chosen one.
local function front_of(found)
  local keys, least, shown = lists.keys(found.inner), math.huge, {}
  lists.sort(keys, function(key) return found.whole[key].rank == 1 and math.huge or found.whole[key].rank end,
    function(key) return found.inner[key] end)
  for _, key in ipairs(keys) do
    local is_linear = found.whole[key].rank == 1
    if found.nested.evaluations[key] and (is_linear or key == found.key or found.inner[key] < least) then
      table.insert(shown, key)
      least = is_linear and least or math.min(least, found.inner[key])
    end
  end
  return shown
end

--- In how many outer folds a candidate or an equal one was chosen, and how many there are.
local function folds_of(found, candidate)
  local choices = found.nested.choices
  return #lists.select(choices, function(choice) return found.search:is_same(choice.whole[choice.key], candidate) end), #choices
end

--- The rows of the front, each with its error in the outer folds and the interval of its difference to the mean.
local function front(found, args)
  local keys, evaluations, rows = front_of(found), {}, {}
  for i in ipairs(found.rules) do keys[#keys + 1] = found.nested.evaluations["rule " .. i] and "rule " .. i or nil end
  if #keys == 0 then return rows end
  for i, key in ipairs(keys) do evaluations[i] = found.nested.evaluations[key] end
  local compared = comparison.new(evaluations, { by = found.by, weights = found.search.frame.weights, seed = args.seed,
    draws = found.nested.is_whole and args.draws or 0 })
  local differences = compared:differences_to(1)
  for i, key in ipairs(keys) do
    local candidate, rule = found.whole[key], found.rules[tonumber(key:match "^rule (%d+)$")]
    local difference = differences[i] or {}
    rows[i] = { key = key, size = candidate and candidate.nodes,
      is_linear = candidate and candidate.rank == 1, [found.by] = evaluations[i].errors[found.by],
      difference = difference.estimate, low = difference.low, high = difference.high,
      folds = candidate and ("%d of %d"):format(folds_of(found, candidate)),
      formula = rule and rule.name or text_of(found, candidate) .. (candidate.rank == 1 and (" (%s)"):format(key) or ""),
      chosen = key == found.key and "chosen" or nil }
  end
  return rows
end

--- The chosen formula, fitted to all rows, and its rule, with the front: by formula its size, error, and the interval of the
--- difference to the mean.
---@param rows table[]   of the front
---@return Fitted
---@return Rule
local function fitted_rule(found, rows, args)
  local chosen = found.whole[found.key]
  local plain = inputs.formula(text_of(found, chosen), { weights = args.weights, target_falls = args.target_falls })
  local rule = found.key == "lasso" and plain:fitted_by(fits.parse("lasso", "lasso")[1]) or plain
  local fitted, problem = rule:estimate(found.data, { tolerance = args.tolerance, unconverged = true })
  if args.tunable then
    local text, params = formula_text.tunable(found.space.names, found.search.list, chosen, fitted.terms)
    return fitted, plain:with { in_lua = text, params = params }
  end
  local numbers = {}
  for _, row in ipairs(rows) do numbers[row.formula] = row.size and { row.size, row[found.by], row.low, row.high } end
  return fitted, rule:fitted(fitted):with { ranges = problem.frames.ranges, front = numbers }
end

--- Sentences about the choice.
local function sentences(found, args)
  local nested, chosen = found.nested, found.whole[found.key]
  local times, folds = folds_of(found, chosen)
  local lines = { ("Chosen: %s, in %d of %s."):format(text_of(found, chosen), times, number.count(folds, "outer fold")) }
  if not nested.evaluations.chosen then
    return lists.concat(lines, { "Interrupted before two outer folds were done: its error is not known." })
  end
  local function compare(key, called)
    local difference = comparison.new({ nested.evaluations.chosen, nested.evaluations[key] }, { by = found.by,
      weights = found.search.frame.weights, draws = nested.is_whole and args.draws or 0, seed = args.seed })
      :differences_to(2)[1]
    if not difference then return end
    local error = nested.evaluations.chosen.errors[found.by]
    table.insert(lines, ("%s of the procedure, nested: %s; minus that of %s: %s"):format(found.by,
      number.rounder { error } (error), called, comparison.difference_text(called, "the procedure", difference)))
    return difference
  end
  local difference = compare("mean", "the mean")
  local shows = found.key ~= "mean" and difference and difference.differs and difference.is_better
  if not shows then table.insert(lines, "Nothing better than the mean is shown.") end
  for i, rule in ipairs(found.rules) do
    if nested.evaluations["rule " .. i] then compare("rule " .. i, rule.name) end
  end
  if not nested.is_whole then table.insert(lines, "Interrupted: errors are of the folds that were done.") end
  return lines, shows or false
end

local function run(args)
  local found = discover(args)
  local rows, lines, shows = front(found, args), sentences(found, args)
  local fitted, rule = fitted_rule(found, rows, args)
  local count, tried = found.search.list:size()
  local script
  if args.output then
    script = inputs.for_game(rule:with { name = inputs.output_name(args) }, args):script(("Found by crux %s discover in %s, "
      .. "and fitted to %s."):format(process.version, found.data.name, number.count(fitted.n, "row")))
  end
  if args.plot and rows[1] then
    sinks.save(args.plot, plot.svg(plot.front { rows = lists.map(rows, function(row)
      return setmetatable({ error = row[found.by] }, { __index = row })
    end), target = found.target, by = found.by }))
  end
  local notes = lists.concat(lines, { ("Of %s tried, %s differ; sums of up to three of them were searched for %s%s, errors of "
    .. "%s in %s."):format(number.count(tried, "expression"), number.count(count), found.target,
    found.search.logs and " and its logarithm" or "", number.count(found.search.frame.rows, "level"),
    crossval.folds_text(found.assigned)) }, lists.map(found.dropped, function(line) return "Left out: " .. line end))
  local columns = { { key = "size" }, { key = found.by }, { key = "difference" }, { key = "low" }, { key = "high" },
    { key = "folds" }, { key = "chosen" }, { key = "formula" } }
  return { value = found, script = script, notes = notes, finish = found.finish,
    json = json.object { { "formula", text_of(found, found.whole[found.key]) }, { "target", found.target },
      { "weights", args.weights }, { "n", found.search.frame.rows }, { "by", found.by }, { "better_than_mean", shows },
      { "folds", args.folds }, { "repeats", found.repeats }, { "expressions", count }, { "tried", tried },
      { "left_out", found.dropped }, { "coefficients", json.by_name(fitted.coefficients, lists.field(fitted.terms, "term")) },
      { "front", lists.map(rows, function(row)
        return json.object { { "formula", row.formula }, { "size", row.size }, { found.by, row[found.by] },
          { "difference", row.difference }, { "low", row.low }, { "high", row.high }, { "folds", row.folds },
          { "chosen", row.chosen ~= nil } }
      end) }, { "sentences", lines } },
    tables = { { columns = columns, rows = rows }, { title = "The chosen formula, fitted to all rows",
      columns = { { key = "term" }, { key = "estimate" }, { key = "std_error" } }, rows = fitted.terms } } }
end

return {
  summary = "Search whole formulas.",
  details = "Searches formulas of the measures: all expressions of up to --nodes measures and operations (+ - * / log sqrt "
    .. "square, 1 + x of what may be 0), log, sqrt and square of these, and sums of up to three of them by least squares, for "
    .. "the target and for its logarithm. Left out is what measures within their ranges could make infinite. In "
    .. "cross-validation one of them is chosen: the smallest whose error is within a standard error of the least, beside the "
    .. "mean, a lasso of all measures and the terms of 'crux select'. All is repeated without each outer fold, which the "
    .. "choice predicts: the nested error.\n\nThe table is the front: for each size the formula found, its nested error, the "
    .. "difference to the mean with a 95 % interval (all hold together), and in how many outer folds it was chosen. "
    .. "docs/discover.md tells the method, and what it cannot find. CSV has the first table.",
  arguments = { arguments.data, arguments.levels },
  options = {
    options.like("target", { default = "difficulty", doc = "The column to predict" }),
    "target_falls", "weights",
    options.like("measures", { doc = "The measures; all columns of numbers that are no targets unless given." }),
    { flags = "--measures-of", value = "GAME",
      doc = "Also everything that this game counts in LEVELS: see 'crux measure GAME --all --list'." },
    { flags = "--nodes", value = "N", convert = convert.integer(1), default = "5",
      doc = "The greatest size of an expression: its measures and operations" },
    { flags = "--units", value = "COLUMN=UNIT,...", convert = units,
      doc = "Leave out sums of measures of unlike units." },
    { flags = "--against", value = "RULE", repeated = true,
      doc = "A rule or formula to compare with on the same folds; may be given again." },
    "folds", options.like("repeats", { doc = "How many times rows are assigned to folds: up to 10, fewer where the search "
      .. "is long, unless given." }), "seed",
    options.like("draws", { default = "1000", doc = "Draws of the levels; with 0, Bonferroni's bound" }),
    options.like("rule_output", { doc = "Write the chosen rule, fitted, with the ranges of its measures, to this file." }),
    { flags = "--tunable", doc = "Write the rule of -o as a Lua function with params: constants that 'crux fit' tunes." },
    "game_of_output",
    { flags = "--plot", value = "FILE.svg", convert = picture,
      doc = "Draw the front, size against nested error with intervals, into this file." },
    "tolerance", "with", "delimiter", "format", "jobs", "seconds", "states",
  },
  examples = {
    "crux discover datasets/flow.csv --weights solved --repeats 1",
    "crux discover datasets/flow.csv --weights solved --against flow --nodes 3 -o found.lua",
  },
  writes_rule = true,
  run = run,
}
