--- crux as a library for Lua programs: what `require "crux"` returns in stock Lua 5.4.
---
--- Every function returns what it makes and changes none of its arguments. What goes wrong through bad data, a bad script or a
--- wrong argument is raised as a fault: a table with `message`, one line, which tostring gives, too. Nothing is printed, no
--- thread is started, no signal is touched. docs/lua.md has an example of each, and what differs from the command line.
local ablation = require "crux.judge.ablation"
local budget = require "libcrux.budget"
local correlations = require "crux.judge.correlations"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local game = require "crux.game.game"
local generator = require "crux.game.generator"
local home = require "libcrux.home"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local plot = require "crux.show.plot"
local report = require "crux.show.report"
local rule = require "crux.rule.rule"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"
local search = require "crux.search.search"
local system = require "libcrux.system"
local tables = require "crux.out.tables"
local vector = require "libcrux.vector"
local vocabulary = require "libcrux.vocabulary"

--- With the words that scripts see as fields of `crux`: legend, cells, none, where, lt, integer, board, beams, ...
local library = script.words()

--- The version of crux, such as "0.1.0".
---@type string
library.version = system.version

--- The folder of crux's own games/, rules/ and datasets/.
---@type string
library.home = home

--- Plots, a function each from plain data to a figure: bars, correlations, errors, histogram, predicted, scatter, ...; and
--- svg and text, which draw figures (lua/crux/show/plot.lua).
---@type table<string, function>
library.plot = plot

--- HTML: page, a whole page, and what may stand in it, table, figure, level and gallery (lua/crux/show/report.lua).
---@type table<string, function>
library.report = report

--- What arguments may be: a method by which each is known, and what makes one.
local kinds = {
  rule = { method = "fittable", expected = "a rule: crux.load_rule or crux.formula" },
  game = { method = "solution", expected = "a game: crux.load_game" },
  data = { method = "blocks", expected = "a dataset: crux.open or crux.dataset" },
  level = { expected = "a level: crux.level or crux.levels" },
  study = { method = "subsets", expected = "a study: crux.ablate" },
}

--- Refuses arguments that are not of those kinds: pairs of a kind and a value.
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
  return rule.load(path)
end

--- Makes a rule, not yet fitted, from a formula as in R: "difficulty ~ size + log(colours)".
---@param text string
---@param weights string?   the column of case weights; without it every row counts the same
---@return Rule
function library.formula(text, weights)
  expect("formula", "string", text)
  return rule.from_formula(text, weights)
end

--- Loads a game script, in the sandbox, by its path or, for crux's own, its name: "move". Gives truth values the operators
--- that scripts use, as crux.operators does.
---@param path string
---@return Game
function library.load_game(path)
  expect("load_game", "string", path)
  return game.load(path)
end

--- Opens a CSV file of one row a level: its header is read now, its rows block by block whenever they are used. Empty cells and
--- NA are missing values.
---@param path string
---@param delimiter string?   one character, "," unless given
---@return Dataset
function library.open(path, delimiter)
  expect("open", "string", path)
  return dataset.open(path, { delimiter = delimiter })
end

--- The vector of a column, of as many rows as the others; a fault unless it is a list of numbers.
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

--- Makes a dataset of columns: { size = { 25, 81 }, difficulty = { 2.5, 0/0 } }. All are lists of numbers of the same length,
--- with NaN for a missing value, but `level`, which holds names.
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

--- The same rule for another target.
---@param self Rule
---@param column string
---@return Rule
function library.for_target(self, column)
  expect("for_target", "rule", self, "string", column)
  return self:for_target(column)
end

--- Rates the levels of a dataset.
---@param self Rule   fitted, or a Lua function
---@param data Dataset
---@return number[]   a rating for each row, NaN where a measure is missing
function library.rate(self, data)
  expect("rate", "rule", self, "data", data)
  self = self:settled(data)
  local ratings, measures = {}, self:measures(data)
  for block in data:blocks { numbers = measures, measures = measures, texts = self:texts(data) } do
    local part = self:rate(block)
    for row = 1, block.rows do table.insert(ratings, part[row]) end
  end
  return ratings
end

--- Rates one level.
---@param self Rule
---@param measures table<string, number>   such as { size = 25, colours = 5 }
---@return number?                         nil where a measure that its formula names is missing
function library.rating(self, measures)
  expect("rating", "rule", self, "table", measures)
  local columns = {}
  for name, value in pairs(measures) do columns[name] = { value } end
  for _, name in ipairs(self.formula and self.formula.variables or {}) do columns[name] = columns[name] or { 0 / 0 } end
  local rating = library.rate(self, library.dataset(columns))[1]
  return rating == rating and rating or nil
end

--- Fits a rule, by (weighted) least squares unless it says otherwise; rows in which a value is missing are left out.
---@param self Rule
---@param data Dataset
---@return Rule                the same with the coefficients
---@return Fitted              terms (a list of rows: term, estimate, std_error, t, p), n, aliased, and by least squares sigma,
---                            df, r_squared, adj_r_squared, f, f_p, log_likelihood, aic, bic, as R's summary(lm) has them
function library.fit(self, data)
  expect("fit", "rule", self, "data", data)
  return self:fit_to(data)
end

--- Whether a value is a list of strings.
local function is_names(value)
  for _, name in ipairs(type(value) == "table" and value or { false }) do
    if type(name) ~= "string" then return false end
  end
  return true
end

--- Refuses unknown options and wrong values. `known` has for each option its type, "names" for a list of strings, or the least
--- integer that it may be.
local function check_options(name, options, known)
  for key, value in pairs(options) do
    local wanted = known[key]
    local where = ("crux.%s: option '%s'"):format(name, key)
    if not wanted then
      fault.unknown("crux." .. name, "option", key, lists.keys(known))
    elseif wanted == "names" then
      if not is_names(value) then fault.at(where, fault.show(value), "a list of names") end
    elseif type(wanted) == "string" then
      if type(value) ~= wanted then fault.at(where, fault.show(value), "a " .. wanted) end
    elseif math.type(value) ~= "integer" or value < wanted then
      fault.at(where, fault.show(value), ("an integer of at least %d"):format(wanted))
    end
  end
end

--- The options, and defaults for those that are absent.
local function with_defaults(options, defaults)
  for key, value in pairs(options or {}) do defaults[key] = value end
  return defaults
end

--- Cross-validates a rule, refitted in every fold (a Lua function without params is judged as it stands), as `crux evaluate`.
---@param self Rule
---@param data Dataset
---@param options { folds: integer?, repeats: integer?, seed: integer? }?   5 folds, once, in the order of the rows unless there
---                            is a seed or more than one repeat; 0 folds leave out every row alone
---@return Evaluation          errors and baseline (the mean's), each with mae, rmse, ... in points of the target; n; levels,
---                            their names; folds, each with its coefficients and errors; and unless there are repeats,
---                            predictions(), a list: for each level the one by the fit that has not seen it
function library.evaluate(self, data, options)
  expect("evaluate", "rule", self, "data", data, "table", options or {})
  options = options or {}
  check_options("evaluate", options, { folds = 0, repeats = 1, seed = 0 })
  if options.folds == 1 then fault.at("crux.evaluate: option 'folds'", "1", "0 or at least 2") end
  local refitted = self.formula and self:settled(data).formula or self.tunable
  local frame = design.new(data, { response = self.predicts, weights = self.weights, formula = refitted,
    as_is = not self.formula and self or nil, who = self:who() }):keep(true)
  local rated = not refitted and vector.complete { frame.ratings }
  if rated then frame = frame:select(rated) end
  frame:expect_variety(self.predicts, data.name)
  local repeats = options.repeats or 1
  local assigned = crossval.assignments(frame.rows, { folds = options.folds ~= 0 and (options.folds or 5) or nil,
    repeats = repeats, seed = options.seed or repeats > 1 and 1 or nil }, data.name)
  local evaluation = crossval.repeated(frame.formula or nil, frame, assigned, { method = self.method, where = data.name,
    scale = self.scale })
  evaluation.levels = frame.levels
  return evaluation
end

--- Correlates measures with targets, as `crux correlate`.
---@param data Dataset
---@param options { x: string[]?, y: string[]?, weights: string? }?   measures, targets and the column of weights; found by
---                            the names of the columns unless given
---@return table[]             a row a pair: x, y, n, pearson, pearson_p, kendall, kendall_p, spearman, spearman_p,
---                            weighted_pearson
function library.correlate(data, options)
  expect("correlate", "data", data, "table", options or {})
  check_options("correlate", options or {}, { x = "names", y = "names", weights = "string" })
  return (correlations.of(data, options or {}))
end

--- Fits every subset of the measures and judges the best on levels set aside, as `crux ablate`, with the same options and
--- defaults.
---@param data Dataset
---@param options table?       target, measures, folds, top, test_share, seed, shuffle
---@return Study               measures, subsets (the best first: measures, mse), shares by measure, baseline, verdict; the
---                            parts train and test, with columns (the intercept's first) and response
function library.ablate(data, options)
  expect("ablate", "data", data, "table", options or {})
  check_options("ablate", options or {}, { target = "string", measures = "names", folds = 2, top = 1, test_share = "number",
    seed = 0, shuffle = "boolean" })
  local all = with_defaults(options, { target = "difficulty", folds = 5, top = 10, test_share = 0.2, seed = 1 })
  if not (all.test_share >= 0 and all.test_share < 1) then
    fault.at("crux.ablate: option 'test_share'", fault.show(all.test_share), "a number from 0 to below 1")
  end
  return ablation.study(data, all)
end

--- Judges a subset of the measures of a study: fits it to the training part and predicts the test part.
---@param self Study
---@param measures string[]
---@return Verdict             weights by measure; with a test part, test and baseline (errors there) and differences, true
---                            minus predicted values
function library.judge(self, measures)
  expect("judge", "study", self, "table", measures)
  return ablation.judge(ablation.subset(self, measures), self.train, self.test,
    { target = self.target, where = self.data.name })
end

--- The text of a rule script with the coefficients or params in it, which crux.load_rule and the command line read.
---@param self Rule   with a formula, or loaded with params
---@return string
function library.script(self)
  expect("script", "rule", self)
  local values = {}
  for _, param in ipairs(self.params or {}) do values[param.name] = param.value end
  if self.params then return self:tuned_script { coefficients = values } end
  return self:script(("Written by crux %s."):format(system.version))
end

--- The level in a text.
---@param self Game
---@param text string
---@return table   what the game's parse makes of it
function library.level(self, text)
  expect("level", "game", self, "string", text)
  local entries = levels.split(text, "level", self.files)
  if #entries ~= 1 then fault.at("crux.level", ("%d levels"):format(#entries), "one") end
  return self:level(entries[1])
end

--- The levels of a file or folder, in order.
---@param self Game
---@param path string
---@return table[]    levels
---@return string[]   their names
function library.levels(self, path)
  expect("levels", "game", self, "string", path)
  local list, names = {}, {}
  for i, entry in ipairs(self:expect_entries { path }) do list[i], names[i] = self:level(entry), entry.name end
  return list, names
end

--- Solves a level.
---@param self Game
---@param level table
---@param options SolveOptions?   count = true: the number of solutions, too; limits: seconds, states, bytes
---@return Solution               status "solved", "unsolvable" or "unknown" (a limit was met); text, the solution in a line;
---                               length; of a search its statistics, such as expanded
function library.solve(self, level, options)
  expect("solve", "game", self, "level", level, "table", options or {})
  return self:solution(level, options or {})
end

--- Measures a level.
---@param self Game
---@param level table
---@param names string[]?         all that are not optional unless given
---@param options SolveOptions?   limits on solving it, where a measure needs that
---@return table<string, number>  by name; nothing for one that could not be had, as there is no solution
function library.measure(self, level, names, options)
  expect("measure", "game", self, "level", level, "table", names or {}, "table", options or {})
  return (self:measure(level, self:choose(names), options or {}))
end

--- Draws a level, or its solution, as text.
---@param self Game
---@param level table
---@param solution Solution?
---@return string
function library.draw(self, level, solution)
  expect("draw", "game", self, "level", level)
  return self:drawing(level, solution and solution.status == "solved" and solution or nil)
end

--- Paints a level, or its solution.
---@param self Game
---@param level table
---@param name string             heads the picture
---@param solution Solution?      solved with the option way = true
---@return LevelPicture           which crux.report.level shows
function library.paint(self, level, name, solution)
  expect("paint", "game", self, "level", level, "string", name)
  local picture, content = self:picture(name, level, solution and solution.status == "solved" and solution or nil)
  return { picture = picture, content = content }
end

--- Makes levels at random, as `crux generate`.
---@param self Game
---@param options table?          count, seed, both 1 unless given, and attempts; measures, the names of those that are
---                               measured; own, options of the game's generator; limits on solving: seconds, states, bytes
---@return Product[]              a row a level: name, text, row (its measures); or name and reason, why it was not made
function library.generate(self, options)
  expect("generate", "game", self, "table", options or {})
  check_options("generate", options or {}, { count = 1, seed = 0, attempts = 1, measures = "names", own = "table",
    seconds = "number", states = 1, bytes = 1 })
  self:expect({ "generate", "format", next(self.requires) and "vary" }, "generate")
  local all = with_defaults(options, { count = 1, seed = 1, attempts = 50000, measures = {}, own = {} })
  local make = generator.new { game = self.path, options = generator.options(self, all.own), seed = all.seed,
    attempts = all.attempts, measures = all.measures,
    limits = { seconds = all.seconds, states = all.states, bytes = all.bytes } }
  local products = {}
  for list in generator.lists(generator.tasks(self, all.seed, all.count), generator.most_together) do
    table.move(make(list), 1, #list, #products + 1, products)
  end
  return products
end

--- Writes rows as a table.
---@param columns Column[]        { key = field of the rows, label = head, right = aligned right }
---@param rows table[]
---@param format string?          "table", which is aligned, unless given; "csv", "json" or "md"
---@return string
function library.table(columns, rows, format)
  expect("table", "table", columns, "table", rows, "string", format or "table")
  if format and not lists.contains(formats.names, format) then
    fault.at("crux.table: argument 3", fault.show(format), table.concat(formats.names, ", "))
  end
  return tables.text(format or "table", columns, rows)
end

--- Searches the states that a table describes as `search` of a game script does (docs/search.md): the lexicographically first
--- shortest solution. `level` is passed on to its functions. The functions are those of the program, outside of the sandbox:
--- where C cannot follow them they are called state by state, with the same result, and `untraced` says why.
---@param spec SearchSpec
---@param level table
---@param options SearchOptions?
---@return SearchSolution         status, moves, length, expanded, generated, ...
function library.search(spec, level, options)
  expect("search", "table", spec, "level", level, "table", options or {})
  return search.solve(spec, level, options)
end

--- Runs a Lua file with pure functions alone, without the system or this state's globals, and returns what it returns. It reads
--- no file but modules beside itself, which it may require.
---@param path string
---@param fields table?   what it sees as `crux`; the words unless given
---@return any
function library.sandbox(path, fields)
  expect("sandbox", "string", path, "table", fields or {})
  return (sandbox.run(path, fields or script.words()))
end

--- Sets limits, none at first, on what each call of a script's function may take; 0 or nil is none. A script that goes beyond
--- one is stopped, whatever it does to go on, and a fault is raised. With a limit scripts take almost twice the time, as their
--- instructions are counted by a hook, which takes the place of the program's own; what runs in C at a stretch, such as a
--- pattern of a thousand '.-', is not stopped.
---@param most { time: number?, memory: number?, instructions: number? }   seconds, megabytes of the whole state, millions
function library.limit(most)
  expect("limit", "table", most)
  budget.set { time = most.time, memory = most.memory, instructions = most.instructions }
end

--- Gives truth values the operators &, |, ~ (both) of scripts, in the whole Lua state, whose truth values share one metatable.
library.operators = vocabulary.enable

return library
