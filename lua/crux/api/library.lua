--- crux as a library for Lua programs: what `require "crux"` returns in stock Lua 5.4.
---
--- Every function returns what it makes and changes none of its arguments. What goes wrong through bad data, a bad script or a
--- wrong argument is raised as a fault: a table with `message`, one line, which tostring gives, too. Nothing is printed, no
--- thread is started, no signal is touched. docs/lua.md has an example of each, and what differs from the command line.
local budget = require "libcrux.budget"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local nearest = require "crux.base.nearest"
local rule = require "crux.rule.rule"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"
local search = require "crux.search.search"
local system = require "libcrux.system"
local vector = require "libcrux.vector"
local vocabulary = require "libcrux.vocabulary"

--- With the words that scripts see as fields of `crux`: legend, cells, none, where, lt, integer, board, beams, ...
local library = script.words()

--- The version of crux, such as "0.1.0".
---@type string
library.version = system.version

--- What arguments may be: a method by which each is known, and what makes one.
local kinds = {
  rule = { method = "fittable", expected = "a rule: crux.load_rule or crux.formula" },
  game = { method = "solution", expected = "a game: crux.load_game" },
  data = { method = "blocks", expected = "a dataset: crux.open or crux.dataset" },
  level = { expected = "a level: crux.level or crux.levels" },
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
  local names, vectors = {}, {}
  for name in pairs(columns) do
    if type(name) ~= "string" then fault.at("crux.dataset", "a column without a name", "{ size = { ... }, ... }") end
    table.insert(names, name)
  end
  if #names == 0 then fault.at("crux.dataset", "no column", "at least one") end
  table.sort(names)
  local first = columns[names[1]]
  local rows = type(first) == "table" and #first or 0
  for _, name in ipairs(names) do vectors[name] = vector_of(name, columns[name], rows) end
  return dataset.of_vectors("dataset", names, vectors, rows, columns.level and table.move(columns.level, 1, rows, 1, {}))
end

--- Rates the levels of a dataset.
---@param self Rule   fitted, or a Lua function
---@param data Dataset
---@return number[]   a rating for each row, NaN where a measure is missing
function library.rate(self, data)
  expect("rate", "rule", self, "data", data)
  self = self:settled(data)
  local ratings = {}
  for block in data:blocks { numbers = self:measures(data), texts = self:texts(data) } do
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

--- Refuses options that are not integers of at least so much, by name.
local function check_options(name, options, least)
  for key, value in pairs(options) do
    local names = {}
    for known in pairs(least) do table.insert(names, known) end
    table.sort(names)
    if not least[key] then
      fault.raise(("crux.%s: found the option %s; %s"):format(name, fault.show(key), nearest.hint(tostring(key), names)))
    elseif math.type(value) ~= "integer" or value < least[key] then
      fault.at(("crux.%s: option '%s'"):format(name, key), fault.show(value), ("an integer of at least %d"):format(least[key]))
    end
  end
end

--- Cross-validates a rule, refitted in every fold (a Lua function without params is judged as it stands), as `crux evaluate`.
---@param self Rule
---@param data Dataset
---@param options { folds: integer?, repeats: integer?, seed: integer? }?   5 folds, once, in the order of the rows unless there
---                            is a seed or more than one repeat; 0 folds leave out every row alone
---@return Evaluation          errors and baseline (the mean's), each with mae, rmse, ... in points of the target; folds, n
function library.evaluate(self, data, options)
  expect("evaluate", "rule", self, "data", data, "table", options or {})
  options = options or {}
  check_options("evaluate", options, { folds = 0, repeats = 1, seed = 0 })
  if options.folds == 1 then fault.at("crux.evaluate: option 'folds'", "1", "0 or at least 2") end
  local refitted = self.formula and self:settled(data).formula or self.tunable
  local frame = design.new(data, { response = self.predicts, weights = self.weights, formula = refitted,
    as_is = not self.formula and self or nil, who = self:who() }):keep()
  local rated = not refitted and vector.complete { frame.ratings }
  if rated then frame = frame:select(rated) end
  frame:expect_variety(self.predicts, data.name)
  local repeats = options.repeats or 1
  local assigned = crossval.assignments(frame.rows, { folds = options.folds ~= 0 and (options.folds or 5) or nil,
    repeats = repeats, seed = options.seed or repeats > 1 and 1 or nil }, data.name)
  return crossval.repeated(frame.formula or nil, frame, assigned, { method = self.method, where = data.name,
    scale = self.scale })
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
