--- crux as a library for Lua programs: what `require "crux"` returns in stock Lua 5.4.
---
--- Functions change none of their arguments, print nothing, start no thread and handle no signal. Bad data, a bad script or a
--- wrong argument raises a fault: a table with `message`, one line, which tostring also returns. docs/lua.md has an example of
--- each function, and the differences to the command line.
local lists = require "crux.base.lists"
local tables = require "crux.out.tables"
local formats = require "crux.out.formats"
local ablation = require "crux.judge.ablation"
local budget = require "libcrux.budget"
local call = require "crux.task.shared.call"
local chooser = require "crux.play.chooser"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local home = require "libcrux.home"
local plot = require "crux.show.plot"
local report = require "crux.show.report"
local rules = require "crux.rule.rule"
local sandbox = require "crux.script.sandbox"
local search = require "crux.search.search"
local process = require "libcrux.process"
local vector = require "libcrux.vector"
local vocabulary = require "crux.symbolic.vocabulary"
local words = require "crux.script.words"

--- The library begins with the fields of `crux` in scripts: legend, cells, none, where, lt, integer, board, beams, ...
local library = words.shared()

--- The version of crux, such as "0.2.0".
---@type string
library.version = process.version

--- The folder of crux's own games/, rules/ and datasets/.
---@type string
library.home = home

--- Plots, a function each from plain data to a figure: bars, correlations, errors, histogram, predicted, scatter, ...; and
--- svg and text, which draw figures (lua/crux/show/plot.lua).
---@type table<string, function>
library.plot = plot

--- HTML: page, a whole page, and its parts, table, figure, level and gallery (lua/crux/show/report.lua).
---@type table<string, function>
library.report = report

--- The kinds of arguments: a method that identifies each, and the functions that make one.
local kinds = {
  rule = { method = "fittable", expected = "a rule: crux.load_rule or crux.formula" },
  game = { method = "solution", expected = "a game: crux.load_game" },
  data = { method = "blocks", expected = "a dataset: crux.open or crux.dataset" },
  level = { expected = "a level: crux.level or crux.levels" },
  study = { method = "subsets", expected = "a study: crux.ablate" },
}

--- Refuses arguments of wrong kinds, given as pairs of a kind and a value.
local function expect(name, ...)
  local pairs_of = table.pack(...)
  for i = 1, pairs_of.n, 2 do
    local kind, value = pairs_of[i], pairs_of[i + 1]
    local row = kinds[kind] or { expected = "a " .. kind }
    local fits = type(value) == (kinds[kind] and "table" or kind)
    if not fits or row.method and not value[row.method] then
      fault.at(("crux.%s: argument %d"):format(name, (i + 1) // 2), fault.show(value), row.expected)
    end
  end
end

--- Loads a rule script, in the sandbox, by its path or, for crux's own, its name: "flow".
---@param path string
---@return Rule
function library.load_rule(path)
  expect("load_rule", "string", path)
  return rules.load(path)
end

--- Makes a rule, not yet fitted, from a formula as in R: "difficulty ~ size + log(colours)".
---@param text string
---@param weights string?   the column of case weights; without it every row counts the same
---@return Rule
function library.formula(text, weights)
  expect("formula", "string", text)
  return rules.from_formula(text, weights)
end

--- Loads a game script, in the sandbox, by its path or, for crux's own, its name: "move". Gives truth values the operators
--- of scripts, as crux.operators does.
---@param path string
---@return Game
function library.load_game(path)
  expect("load_game", "string", path)
  return games.load(path)
end

--- Opens a CSV file of one row per level and reads its header; rows are read in blocks when they are used. Empty cells and NA
--- are missing values.
---@param path string
---@param delimiter string?   one character, "," unless given
---@return Dataset
function library.open(path, delimiter)
  expect("open", "string", path)
  local pause <close> = call.pause_kept() -- luacheck: no unused
  return dataset.open(path, { delimiter = delimiter })
end

--- The vector of a column; a fault unless the column is a list of numbers of the length of the others.
local function vector_of(name, list, rows)
  if type(list) ~= "table" or #list ~= rows then
    fault.at(("crux.dataset: column '%s'"):format(name), type(list) == "table" and #list .. " values" or fault.show(list),
      ("a list of %d, as the others"):format(rows))
  end
  for row, value in ipairs(list) do
    local expected = name == "level" and "string" or "number"
    if type(value) ~= expected then
      fault.at(("crux.dataset: column '%s'[%d]"):format(name, row), fault.show(value), "a " .. expected)
    end
  end
  return name ~= "level" and vector.of(list) or nil
end

--- Makes a dataset of columns: { size = { 25, 81 }, difficulty = { 2.5, 0/0 } }. They are lists of numbers of the same length,
--- with NaN for a missing value; the list `level` has names.
---@param columns table<string, number[]|string[]>
---@return Dataset
function library.dataset(columns)
  expect("dataset", "table", columns)
  local vectors = {}
  for name in pairs(columns) do
    if type(name) ~= "string" then fault.at("crux.dataset", "a column without a name", "{ size = { ... }, ... }") end
  end
  local names = lists.keys(columns)
  if #names == 0 then fault.at("crux.dataset", "no column", "at least one") end
  local first = columns[names[1]]
  local rows = type(first) == "table" and #first or 0
  for _, name in ipairs(names) do vectors[name] = vector_of(name, columns[name], rows) end
  return dataset.of_vectors("dataset", names, vectors, rows, columns.level and table.move(columns.level, 1, rows, 1, {}))
end

--- The rows of a dataset.
---@param data Dataset
---@return table<string, string>[]   the text of each cell by column
function library.rows(data)
  expect("rows", "data", data)
  local rows = {}
  for block in data:blocks { texts = data.columns } do
    for i = 1, block.rows do
      local row = {}
      for _, column in ipairs(data.columns) do row[column] = block.texts[column][i] end
      table.insert(rows, row)
    end
  end
  return rows
end

--- A copy of a rule for another target.
---@param rule Rule
---@param column string
---@param falls boolean?   true: smaller values are the harder levels
---@return Rule
function library.for_target(rule, column, falls)
  expect("for_target", "rule", rule, "string", column)
  local copy = rule:for_target(column)
  return falls and copy:for_falling_target() or copy
end

--- Rates the levels of a dataset.
---@param rule Rule   fitted, or a Lua function
---@param data Dataset
---@return number[]   a rating for each row, NaN where a measure is missing
function library.rate(rule, data)
  expect("rate", "rule", rule, "data", data)
  rule = rule:settled(data)
  local ratings = {}
  for block in rule:blocks(data) do
    local part = rule:rate(block)
    for row = 1, block.rows do table.insert(ratings, part[row]) end
  end
  return ratings
end

--- Rates one level.
---@param rule Rule
---@param measures table<string, number>   such as { size = 25, colours = 5 }
---@return number?                         nil if a measure of its formula is missing
function library.rating(rule, measures)
  expect("rating", "rule", rule, "table", measures)
  local columns = {}
  for name, value in pairs(measures) do columns[name] = { value } end
  for _, name in ipairs(rule.formula and rule.formula.variables or {}) do columns[name] = columns[name] or { 0 / 0 } end
  local rating = library.rate(rule, library.dataset(columns))[1]
  return rating == rating and rating or nil
end

--- Fits a rule, by (weighted) least squares unless it names another fit; rows with a missing value are left out.
---@param rule Rule
---@param data Dataset
---@return Rule                a copy with the coefficients
---@return Fitted              terms (a list of rows: term, estimate, std_error, t, p), n, aliased, and by least squares sigma,
---                            df, r_squared, adj_r_squared, f, f_p, log_likelihood, aic, bic, as R's summary(lm) has them
function library.fit(rule, data)
  expect("fit", "rule", rule, "data", data)
  return rule:fit_to(data)
end

--- The value of a task, whose options are those of its command: --folds-by is `folds_by`.
---@param fields table?   further fields of the task's arguments
local function value_of(name, values, given, fields)
  return call.task(name, lists.merge(values, given or {}), fields).value
end

--- Calls a task by its name, or the path of its script: "levels", "my-task.lua".
---@param name string
---@param values table<string, any>   by the names of its arguments and options (docs/commands.md): { data = "study.csv" }
---@return Report   tables, each with columns and rows; notes, sentences about them; remarks, lines about the data; value
function library.task(name, values)
  expect("task", "string", name, "table", values)
  return call.task(name, values)
end

--- Cross-validates a rule as `crux evaluate`: refits it in every fold; judges a Lua function without params as it is.
---@param rule Rule
---@param data Dataset
---@param options table?       of the command: folds, repeats, folds_by, seed, loo, group, calibrate, as_is, ...
---@return Evaluation          errors, and baseline, those of the mean, each with mae, rmse, ... in points of the target; n;
---                            levels, their names; folds, each with its coefficients and errors; predictions, a
---                            vector for all levels: the means of the fits that have not seen the level
function library.evaluate(rule, data, options)
  expect("evaluate", "rule", rule, "data", data, "table", options or {})
  return value_of("evaluate", { rule = rule, data = data }, options, { predictions = true })
end

--- Compares rules on the same folds, as `crux compare`.
---@param list Rule[]
---@param data Dataset
---@param options table?       of the command: folds, repeats, folds_by, seed, loo, group, by, reference, draws, ...
---@return Ranking             entries, the best first: rule, its name, evaluation, std_errors, may_be_best, difference
---                            (estimate, std_error, low, high, differs); unranked, the rules that could not be fitted in every
---                            fold; by, n
function library.compare(list, data, options)
  expect("compare", "table", list, "data", data, "table", options or {})
  return value_of("compare", { inputs = list, data = data }, options)
end

--- Chooses the terms of a formula, as `crux select`.
---@param data Dataset
---@param options table?       of the command: target, by, method, measures, transforms, interactions, max_terms, ...
---@return Selected            fitted, the chosen formula on all rows; chosen and rows, the best choices with their values;
---                            errors: nested, naive, baseline, shares by term
function library.select(data, options)
  expect("select", "data", data, "table", options or {})
  return value_of("select", { data = data }, options)
end

--- Correlates measures with targets, as `crux correlate`.
---@param data Dataset
---@param options table?       of the command: x and y, measures and targets, guessed from the names of the columns unless
---                            given; weights, a column
---@return table[]             a row a pair: x, y, n, pearson, pearson_p, kendall, kendall_p, spearman, spearman_p,
---                            weighted_pearson
function library.correlate(data, options)
  expect("correlate", "data", data, "table", options or {})
  return value_of("correlate", { data = data }, options)
end

--- Fits every subset of the measures and tests the best on levels set aside, as `crux ablate`.
---@param data Dataset
---@param options table?       of the command: target, measures, folds, repeats, folds_by, top, test_share, seed
---@return AblationStudy       measures; subsets, the best first (measures, mse); shares by measure; baseline; verdict; the
---                            parts train and test, with columns (that of the intercept first) and response
function library.ablate(data, options)
  expect("ablate", "data", data, "table", options or {})
  return value_of("ablate", { data = data }, options)
end

--- Tests a subset of the measures of a study: fits it to the training part and predicts the test part.
---@param study AblationStudy
---@param measures string[]
---@return Verdict             weights by measure; with a test part its errors, test and baseline, and differences, true minus
---                            predicted values
function library.judge(study, measures)
  expect("judge", "study", study, "table", measures)
  return ablation.judge(ablation.subset(study, measures), study.train, study.test,
    { target = study.target, where = study.data.name })
end

--- The text of a rule script with the coefficients or params, for crux.load_rule and the command line.
---@param rule Rule   with a formula, or loaded with params
---@return string
function library.script(rule)
  expect("script", "rule", rule)
  local values = {}
  for _, param in ipairs(rule.params or {}) do values[param.name] = param.value end
  if rule.params then return rule:tuned_script { coefficients = values } end
  return rule:script(("Written by crux %s."):format(process.version))
end

--- The level in a text.
---@param game Game
---@param text string
---@return table   the result of the game's parse
function library.level(game, text)
  expect("level", "game", game, "string", text)
  return game:only_level(text)
end

--- The levels of a file or folder, in order.
---@param game Game
---@param path string
---@return table[]    levels
---@return string[]   their names
function library.levels(game, path)
  expect("levels", "game", game, "string", path)
  local list, names = {}, {}
  for i, entry in ipairs(game:expect_entries { path }) do list[i], names[i] = game:level(entry), entry.name end
  return list, names
end

--- Solves a level.
---@param game Game
---@param level table
---@param options SolveOptions?   count = true counts the solutions; path: "shortest" unless given; limits: seconds, states,
---                               bytes
---@return Solution               status "solved", "unsolvable" or "unknown" (a limit was met); text, the solution in a line;
---                               length; of a search its statistics, such as expanded
function library.solve(game, level, options)
  expect("solve", "game", game, "level", level, "table", options or {})
  return game:solution(level, options or {})
end

--- Measures a level.
---@param game Game
---@param level table
---@param names string[]?         all that are not optional unless given
---@param options SolveOptions?   path: "shortest" unless given; limits on solving it
---@return table<string, number>  by name, without measures that need a solution if there is none
function library.measure(game, level, names, options)
  expect("measure", "game", game, "level", level, "table", names or {}, "table", options or {})
  return (game:measure(level, game:choose(names), options or {}))
end

--- Draws a level, or its solution, as text.
---@param game Game
---@param level table
---@param solution Solution?
---@return string
function library.draw(game, level, solution)
  expect("draw", "game", game, "level", level)
  return game:drawing(level, solution and solution.status == "solved" and solution or nil)
end

--- Paints a level, or its solution.
---@param game Game
---@param level table
---@param name string             heads the picture
---@param solution Solution?      solved with the option way = true
---@return LevelPicture           for crux.report.level
function library.paint(game, level, name, solution)
  expect("paint", "game", game, "level", level, "string", name)
  local picture, content = game:picture(name, level, solution and solution.status == "solved" and solution or nil)
  return { picture = picture, content = content }
end

--- The values of generate for a game, and the fields that no command line has.
local function generated(game, options)
  local given = lists.merge(options or {}, { game = game.path })
  local fields = { own = generator.options(game, given.own or {}, "crux.generate: option 'own'"), bytes = given.bytes,
    measures = given.measures }
  given.own, given.bytes, given.measures = nil, nil, nil
  return given, fields
end

--- Makes levels at random, as `crux generate`.
---@param game Game
---@param options table?          of the command: count, seed, changes, ...; measures, a list of names; own, options of the
---                               game's generator; limits on solving: seconds, states, bytes
---@return Product[]              one per level: name, text, row (its measures); or name and reason of a failure
function library.generate(game, options)
  expect("generate", "game", game, "table", options or {})
  local given, fields = generated(game, options)
  return value_of("generate", given, nil, fields)
end

--- The value of generate with a rule.
---@param is_pool boolean
local function ordered(game, rule, wanted, is_pool)
  local given, fields = generated(game, wanted)
  given.rule, fields.is_pool = rule, is_pool
  given.like = lists.map(lists.keys(wanted.like or {}), function(name) return ("`%s`=%s"):format(name, wanted.like[name]) end)
  return value_of("generate", given, nil, fields)
end

--- Makes levels with wanted ratings, as `crux generate --rule`.
---@param game Game
---@param rule Rule               fitted, or a Lua function
---@param wanted table            of the command: rating or curve, texts such as "4..5"; count, seed, pack, unique, distinct,
---                               spread, tries, ...; like, texts by measure, { moves = "8..12" }; own, options of the game's
---                               generator; limits on solving: seconds, states, bytes
---@return OrderedLevel[]         each with name, text, rating, row (its measures) and nearest, its distance from the others
---@return Filled                 missing, the number of levels that were not found; tried; refused, numbers of levels by reason
function library.order(game, rule, wanted)
  expect("order", "game", game, "rule", rule, "table", wanted)
  local found = ordered(game, rule, wanted, false)
  return found.levels, found.filled
end

--- A pool of levels with ratings, which is empty at first. pool:fill(seconds) makes levels for that time and returns how many
--- are missing. pool:take(rating, seconds) takes out the level nearest to a rating: within 0.05, or the nearest that can be
--- made in the seconds, 0.2 unless given. It gives no level twice; one that is turned, mirrored or renamed is the same one.
---@param game Game
---@param rule Rule               fitted, or a Lua function
---@param wanted table            as of crux.order: curve = "1..6" and count, the number of ratings, evenly spaced
---@return LevelPool              take returns text, rating and row, the measures; nil if there is no level
function library.pool(game, rule, wanted)
  expect("pool", "game", game, "rule", rule, "table", wanted)
  return ordered(game, rule, wanted, true)
end

--- Chooses the level that a player solves with a chance nearest to the wanted one, and no level twice.
---@param difficulties number[]   of the levels, in logits: an average player solves a level of 0 every other time, and one of
---                               -1 with a chance of 1 / (1 + exp(-1))
---@param plays table[]           of the player, in order: { level = 3, solved = true }, the level by its number in the list;
---                               of several plays of a level the first counts
---@param options table?          success, the wanted chance, 0.7 unless given; spread, the standard deviation of the
---                               abilities of players, in logits, 1 unless given
---@return NextLevel              level, its number, nil if the player has played all; chance, that the player solves it;
---                               difficulty, of a level that the player would solve with the wanted chance
function library.next_level(difficulties, plays, options)
  options = options or {}
  expect("next_level", "table", difficulties, "table", plays, "table", options)
  return chooser.next("crux.next_level", difficulties, plays, options.success, options.spread)
end

--- Writes rows as a table.
---@param columns Column[]        { key = field of the rows, label = head, right = aligned right }
---@param rows table[]
---@param format string?          "table", aligned, unless given; "csv", "json" or "md"
---@return string
function library.table(columns, rows, format)
  expect("table", "table", columns, "table", rows, "string", format or "table")
  if format and not lists.contains(formats.names, format) then
    fault.at("crux.table: argument 3", fault.show(format), table.concat(formats.names, ", "))
  end
  return tables.text(format or "table", columns, rows)
end

--- Searches the states of a table like `search` of a game script (docs/search.md) for the lexicographically first shortest
--- solution. `level` is an argument of its functions, which run outside of the sandbox. Functions that C cannot trace are
--- called for each state, with the same result, and `untraced` says why.
---@param spec SearchSpec
---@param level table
---@param options SearchOptions?
---@return SearchSolution         status, moves, length, expanded, generated, ...
function library.search(spec, level, options)
  expect("search", "table", spec, "level", level, "table", options or {})
  return search.solve(spec, level, options)
end

--- Runs a Lua file with pure functions alone, without the system or this state's globals, and returns its result. It may
--- require modules in its folder, and reads no other file.
---@param path string
---@param fields table?   its global `crux`; the words of scripts unless given
---@return any
function library.sandbox(path, fields)
  expect("sandbox", "string", path, "table", fields or {})
  return (sandbox.run(path, fields or words.shared()))
end

--- Sets limits on each call of a script's function; 0 or nil is no limit, as at first. A script that exceeds one is stopped,
--- and a fault is raised. Limits almost double the time of scripts: a hook counts their instructions, and replaces the
--- program's own hook. A single call in C, such as a pattern of a thousand '.-', is not stopped.
---@param limits { time: number?, memory: number?, instructions: number? }   seconds, megabytes of the whole state, millions
function library.limit(limits)
  expect("limit", "table", limits)
  local known = { "time", "memory", "instructions" }
  for name, value in pairs(limits) do
    if not lists.contains(known, name) then fault.unknown("crux.limit", "limit", name, known) end
    if type(value) ~= "number" or value < 0 then
      fault.at(("crux.limit: field '%s'"):format(name), fault.show(value), "a number that is not negative")
    end
  end
  budget.set { time = limits.time, memory = limits.memory, instructions = limits.instructions }
end

--- Gives truth values the operators &, |, ~ (both) of scripts, in the whole Lua state, whose truth values share one metatable.
library.operators = vocabulary.enable

return library
