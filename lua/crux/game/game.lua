--- Games: reading, solving and measuring levels by the functions of a game script.
local bots = require "crux.bots.bots"
local derived = require "crux.game.derived"
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local mean = require "crux.game.mean"
local pictures = require "crux.game.pictures"
local puzzlescript = require "crux.puzzlescript.game"
local script = require "crux.script.script"
local search = require "crux.search.search"
local validation = require "crux.game.validation"
local verification = require "crux.search.verification"
local budget = require "libcrux.budget"
local file_system = require "libcrux.files"

local game = {}

---@class Game: crux.Game                           docs/lua-api.md describes the fields that scripts set
---@field path string                               of the script
---@field sources string[]                          files of the script
---@field own table?                                 of a game of PuzzleScript: the levels in its file, and how they are played
---@field files LevelFormat
---@field measures Measure[]
---@field draw nil|fun(level: table, solution: Solution?, state: table?): string   format unless given
---@field texts table<table, string>                 of levels, for drawings without `draw`
---@field paths table<string, crux.Path>            none unless given, as variants, options and requires
---@field variants table<string, fun(level: table): table>
---@field options crux.Option[]
---@field requires table<string, number>
local Game = { text = pictures.text, drawing = pictures.drawing, picture = pictures.picture, painting = pictures.painting,
  paints_positions = pictures.paints_positions }
Game.__index = Game

---@class Measure: crux.Measure
---@field name string
---@field is_added boolean?    by crux, not by the script; see crux.game.derived
---@field of fun(level: table, solution: Solution?, options: SolveOptions, sum: number?): number?   `sum`: of `each`

---@class Solution: crux.Solution
---@field limit string?        that made it unknown

--- Tells whether a file is a game with levels in it.
function game.has_levels(path) return puzzlescript.is_game(path) end

--- Loads a game script, by its path or, for crux's own, its name; or a game of PuzzleScript, by its path.
function game.load(path)
  local spec, sources, own
  if puzzlescript.is_one(path) then
    spec, path, sources, own = puzzlescript.load(path)
  else
    spec, path, sources = script.load("game", path)
  end
  validation.check(spec, path)
  for _, texts in pairs(spec.translations or {}) do -- # stands for numbers in what is translated
    local doc = (spec.doc or ""):gsub("%d+", "#")
    texts[doc], texts[1] = texts[1] or texts[doc], nil
  end
  local self = { path = path, sources = sources, own = own }
  for name in pairs(validation.fields) do self[name] = spec[name] end
  self.measures, self.measure = {}, nil -- in place of the script's
  self.draw = spec.draw or spec.format
  self.options, self.requires, self.variants = spec.options or {}, spec.requires or {}, spec.variants or {}
  self.paths, self.texts = spec.paths or {}, setmetatable({}, { __mode = "k" })
  self.files = { name = spec.name, extensions = spec.extensions or { "txt" }, starts = spec.starts,
    comment = spec.comment or ";", rows = spec.rows, tiled = spec.tiled, tiles = spec.tiles, words = spec.words }
  for i, row in ipairs(spec.measures) do
    self.measures[i] = validation.measure(row, path)
    self.measures[row[1]] = self.measures[i]
  end
  derived.add(setmetatable(self, Game))
  return self
end

--- Raises a fault if the script lacks functions that a command needs.
function Game:expect(names, command)
  for _, name in ipairs(names) do
    if not self[name] then fault.at(self.path, "no " .. name, ("a function game.%s for crux %s"):format(name, command)) end
  end
end

--- A message of parse with the level's file and line in front; the message counts lines from the level's first.
local function place_in_file(entry, message)
  local line, rest = message:match "line (%d+)(.*)$"
  if line and entry.map_number then return ("%s: row %d%s"):format(entry.path, line, rest) end
  local place = ("%s:%d"):format(entry.path, entry.lines[tonumber(line or 1)] or entry.lines[#entry.lines])
  return place .. (line and rest:gsub("^, ", ": ") or ": " .. message)
end

--- The level of a text.
---@param entry LevelText
function Game:level(entry)
  local ok, result = pcall(fault.guard, self.path, self.parse, entry.text, entry.notes or {})
  if not ok then fault.raise(place_in_file(entry, result.message)) end
  if type(result) ~= "table" then
    fault.at(levels.at(entry, self.path .. ": parse"), fault.show(result), "a table that describes the level")
  end
  if not self.draw then self.texts[result] = entry.text end
  return result
end

--- The level of a text without others; messages name the text "level".
function Game:only_level(text)
  local entries = levels.split(text, "level", self.files)
  if #entries ~= 1 then fault.at("level", ("%d levels"):format(#entries), "one") end
  return self:level(entries[1])
end

--- A copy of the options for the script, without the fields of the engine.
local function script_options(options)
  return { count = options.count, way = options.way, seconds = options.seconds, states = options.states, bytes = options.bytes }
end

--- Sets the text of a solution of `search`: by the game's notation, else the names of the moves.
function Game:set_text(level, solution)
  solution.text = solution.moves and table.concat(solution.moves)
  if solution.moves and self.notation then solution.text = validation.text(self, "notation", level, solution) end
end

--- Refuses a name that is none of the game's paths.
---@param path string?   "shortest" unless given
function Game:expect_path(path)
  local names = { "shortest", self.search and "mean" or nil, table.unpack(lists.keys(self.paths)) }
  if path and not lists.contains(names, path) then fault.unknown(("game '%s'"):format(self.name), "path", path, names) end
end

--- Solves a level, without the variants.
---@return Solution
function Game:solve_alone(level, options)
  if self.search then
    local solution = search.solve(self.search, level, setmetatable({ way = options.way or self.notation ~= nil,
      shortest = options.path == "mean", best_first = self.paths[options.path] }, { __index = options }))
    self:set_text(level, solution)
    return solution
  end
  budget.limit_bytes(options.bytes)
  local solution = fault.guard(self.path, self.solve, level, script_options(options))
  if type(solution) == "table" then debug.setmetatable(solution, nil) end
  validation.facts(self.path, solution)
  return solution
end

--- The solved variants of a solution, by name.
---@type table<Solution, table<string, Solution>>
local solved_variants = setmetatable({}, { __mode = "k" })

function game.variants(solution) return solved_variants[solution] end

--- The most solutions of variants, and of variants of these, of a level: each search has its own limit on time.
local variant_limit = 1000

--- Solutions of variants by name, each solved at its first use. Scripts can neither remove nor add one.
---@param asked { count: integer }   solved variants of the level and of its variants
function Game:variants_of(level, options, found, asked)
  local function solved(_, name)
    if not found[name] then
      asked.count = asked.count + 1
      if asked.count > variant_limit then
        fault.at(self.path, "more solutions of variants", ("at most %d for a level"):format(variant_limit))
      end
      if not self.variants[name] then fault.at(self.path, ("no variant '%s'"):format(name), "a function in game.variants") end
      found[name] = self:solution(fault.guard(self.path, self.variants[name], level), options, asked)
    end
    return found[name]
  end
  return setmetatable({}, { __metatable = false, __index = solved,
    __newindex = function() error("found an assignment to a variant, expected none", 2) end })
end

--- Solves a level.
---@param options SolveOptions
---@param asked { count: integer }?   of the level of which this is a variant
---@return Solution
function Game:solution(level, options, asked)
  self:expect_path(options.path)
  local path = self.paths[options.path]
  if path and path.level then
    level = fault.guard(self.path, path.level, level)
    if type(level) ~= "table" then
      fault.at(("%s: path '%s': level"):format(self.path, options.path), fault.show(level), "a table that describes the level")
    end
  end
  local solution = self:solve_alone(level, options)
  solution.level = level
  mean.keep(solution)
  solved_variants[solution] = {}
  solution.variants = self:variants_of(level, options, solved_variants[solution], asked or { count = 0 })
  return solution
end

--- Solves a level and checks its search, if the game has one.
---@param options SolveOptions
---@return Verification
function Game:check(level, options)
  if self.search then return verification.run(self.search, level, options) end
  return { status = self:solution(level, options).status }
end

--- The moves of the shortest solution that a bot finds; nil if it finds none.
---@param options SolveOptions
function Game:shortest_of_bots(level, options) return bots.shortest(self.search, level, options) end

--- The measures of some names, or all but the optional ones for nil.
---@param names string[]?
function Game:choose(names)
  local chosen = lists.select(names and {} or self.measures, function(measure) return not measure.optional end)
  for i, name in ipairs(names or {}) do
    chosen[i] = self.measures[name]
    if not chosen[i] then fault.unknown(("game '%s'"):format(self.name), "measure", name, lists.field(self.measures)) end
  end
  return chosen
end

--- The names of the measures that a rule needs; for a Lua function all that are not optional.
function Game:needed_by(rule)
  if rule.rating then return lists.field(self:choose()) end
  return lists.select(rule.formula.variables, function(name) return self.measures[name] end)
end

--- The options of the solution that measures need; nil if they need none.
---@param own SearchSpec?   the measures with that search of their own; those with the game's unless given
---@param options SolveOptions
---@return SolveOptions?
local function needed(measures, own, options)
  local needs
  for _, measure in ipairs(measures) do
    if measure.kind ~= "initial" and measure.search == own then
      needs = needs or { count = options.count, seconds = options.seconds, states = options.states, bytes = options.bytes,
        searches = options.searches, tell = options.tell, path = options.path }
      needs.effort = needs.effort or measure.effort or false
      needs.count, needs.way = needs.count or measure.count, needs.way or options.way or measure.kind == "solution"
    end
  end
  return needs
end

--- The value of one measure.
---@param solution Solution?   nil for those of the kind 'initial'
---@param options table        for the script
---@param sum number?          of its `each`
---@return number?
function Game:value(measure, level, solution, options, sum)
  local value = fault.guard(self.path, measure.of, level, solution, options, sum)
  if value ~= nil and (math.type(value) == nil or value ~= value) then
    fault.at(("%s: measure '%s'"):format(self.path, measure.name), fault.show(value), "a number or nil")
  end
  return value
end

--- The sum of a measure's `each` over the states on a solution, or its mean over all shortest ones.
function Game:sum(measure, level, solution)
  local function each(state, before)
    local number = fault.guard(self.path, measure.each, level, state, before)
    if math.type(number) == nil then
      fault.at(("%s: measure '%s': each"):format(self.path, measure.name), fault.show(number), "a number")
    end
    return number
  end
  local graph = mean.graph(solution)
  if graph then return graph:mean(each) end
  local sum = 0
  for i, state in ipairs(solution.way) do sum = sum + each(state, solution.way[i - 1]) end
  return sum
end

--- The solutions that measures need, by their searches of their own, or self for the game's search.
---@return table<SearchSpec|Game, Solution>
---@return Solution? other   the last of searches of their own
local function solutions_for(self, level, measures, options)
  local found, other = {}, nil
  local needs = needed(measures, nil, options)
  if needs then found[self] = self:solution(level, needs) end
  for _, measure in ipairs(measures) do
    local own = measure.search
    if own and not found[own] then
      other = search.solve(own, level, needed(measures, own, options))
      other.level, solved_variants[other], found[own] = level, {}, other
    end
  end
  return found, other
end

--- Measures a level. The row has no value for a measure of a solution if there is none.
---@param options SolveOptions
---@return table<string, number>
---@return Solution?         by the game's search, if one is needed
---@return Solution? other   by a search of a measure's own
---@return table<SearchSpec|Game, Solution> found   all of them
function Game:measure(level, measures, options)
  local row, drawn, for_script = {}, {}, script_options(options)
  local found, other = solutions_for(self, level, measures, options)
  for _, measure in ipairs(measures) do
    local solution = found[measure.search or self]
    local is_solved = solution and solution.status == "solved"
    if is_solved and mean.graph(solution) and measure.kind == "solution" and not measure.each then
      table.insert(drawn, measure)
    elseif measure.kind == "initial" or is_solved then
      local sum = measure.each and self:sum(measure, level, solution)
      row[measure.name] = self:value(measure, level, solution, for_script, sum)
    end
  end
  if #drawn == 0 then return row, found[self], other, found end
  return lists.merge(row, mean.of(self, drawn, found[self], function(measure, one)
    return self:value(measure, level, one, for_script)
  end)), found[self], other, found
end

--- The inputs of a command line: the game's own file where there are none and it has levels.
function Game:inputs(inputs) return #inputs == 0 and self.own and { self.path } or inputs end

--- The levels of the game's own file; nil for another file.
---@return LevelText[]?
function Game:own_levels(path)
  local own = path == self.path and self.own
  if own and #own.levels == 0 then
    fault.raise(not own.comment and path .. ": No levels found."
      or ("%s:%d: No levels found: the comment that begins here is not closed."):format(path, own.comment))
  end
  return own and own.levels or nil
end

--- The levels of one file.
---@return LevelText[]
function Game:read(path) return self:own_levels(path) or levels.read(path, self.files) end

--- A function that calls another with each level of one file.
---@return fun(take: fun(entry: LevelText))
local function each_of(self, path, keeps)
  local own = self:own_levels(path)
  if not own then return levels.each(path, self.files, keeps) end
  return function(take)
    for _, entry in ipairs(own) do take(entry) end
  end
end

--- The level files of an input of a command line, which may be a folder.
function Game:level_files(input)
  return levels.files(input, self.files, function(path) return file_system.is_regular(path) and self:reads(path) end)
end

--- Iterates over the levels of the inputs of a command line. For a file that cannot be read, the entry is
--- { path =, problem = { message =, traceback = } }.
---@param keeps boolean?   the caller keeps all of them
---@return fun(): LevelText|table|nil
function Game:entries(inputs, keeps)
  return coroutine.wrap(function()
    for _, input in ipairs(inputs) do
      for _, path in ipairs(self:level_files(input)) do
        local ok, each = pcall(each_of, self, path, keeps)
        if ok then
          each(coroutine.yield)
        else
          coroutine.yield { path = path, problem = { message = each.message, traceback = each.traceback } }
        end
      end
    end
  end)
end

--- Tells whether the game reads every level of an input.
function Game:reads(input)
  return (pcall(function()
    for entry in self:entries { input } do
      if entry.problem then error(entry.problem, 0) end
      self:level(entry)
    end
  end))
end

--- The levels of the inputs of a command line; raises a fault at the first file that cannot be read.
---@return LevelText[]
function Game:expect_entries(inputs)
  local list = {}
  for entry in self:entries(inputs, true) do
    if entry.problem then fault.raise(entry.problem.message) end
    table.insert(list, entry)
    levels.expect_few(#list, entry.path, entry)
  end
  return list
end

return game
