--- Games: scripts that say how to read, solve, measure, draw and make levels.
local canvas = require "crux.show.canvas"
local verification = require "crux.search.verification"
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"
local nearest = require "crux.base.nearest"
local plain = require "crux.base.plain"
local puzzlescript = require "crux.puzzlescript.game"
local script = require "crux.script.script"
local search = require "crux.search.search"
local sizes = require "libcrux.sizes"
local system = require "libcrux.system"
local walk = require "crux.game.walk"

local game = {}

---@alias Meets fun(measure: string, value: number): boolean   whether a value would do

---@class Game
---@field name string
---@field path string                               of the script
---@field sources string[]                          files that the script is in
---@field own table?                                 of a game of PuzzleScript: the levels in its file, and how they are played
---@field doc string?
---@field files LevelFormat
---@field measures Measure[]
---@field parse fun(text: string, notes: table<string, string>): table   raises "line 3, column 5: found ..., expected ..." on
---                                                 bad input. `notes` are what comments such as `; stamina: 30` say
---@field format nil|fun(level: table): string      what parse reads
---@field search SearchSpec?                        or
---@field solve nil|fun(level: table, options: SolveOptions): Solution
---@field variants table<string, fun(level: table): table>   other levels made of a level, whose solutions its measures need
---@field notation nil|fun(level: table, solution: Solution): string   what `search` found in one line: the names of the
---                                                 moves, unless given
---@field draw fun(level: table, solution: Solution?, state: table?): string   format unless given
---@field paint nil|fun(level: table, solution: Solution?, canvas: Canvas)   a picture of what draw draws, which it is made
---                                                 of unless given; solutions of `search` have their way
---@field generate nil|fun(random: userdata, options: table): table?, string?   nil, and why, when the attempt failed
---@field walk WalkSpec?                             from the start of what generate made to another; see crux.walk
---@field options GeneratorOption[]                 of generate
---@field options_for nil|fun(wanted: table<string, number>, meets: Meets): table?, string?
---                                                 those that bring levels near to measures; or nil and why no level has
---                                                 these
---@field vary nil|fun(level: table, random: userdata, options: table): table?   a level that differs in a detail; nil when
---                                                 the attempt failed
---@field requires table<string, number>            measures that every generated level has
---@field play table?                               see crux.play
---@field colours table<string, string>?            colours of characters on a terminal
local Game = {}
Game.__index = Game

---@class Measure
---@field name string
---@field kind "initial"|"solution"|"dynamic"
---@field doc string
---@field optional boolean?    computed only when it is asked for
---@field count boolean?       needs the number of solutions
---@field of fun(level: table, solution: Solution?, options: SolveOptions): number?

---@class SolveOptions         what to find, and when to give up
---@field count boolean?
---@field way boolean?         the states on the way, too
---@field searches SearchRecord[]?   gets what each search took
---@field seconds number?
---@field states integer?
---@field bytes integer?

---@class Solution
---@field status "solved"|"unsolvable"|"unknown"
---@field limit string?        which limit made it unknown
---@field length integer?      moves
---@field way table[]?         of `search`, for measures of the kind 'solution' and for notation: the states on its way, the
---                            start and what each move makes of the one before
---@field text string?         the solution in one line
---@field solutions integer?   when asked for and known
---@field level table          that it solves
---@field variants table<string, Solution>   of the game's variants of the level, each solved when it is first asked for,
---                                 within the same limits

---@class GeneratorOption
---@field [1] string           name
---@field [2] number|integer[]  default; of a list of two, the least and the greatest, generate gets a number between them
---@field doc string

--- The fields that a game script may set, and their types.
---@type table<string, string>
game.fields = {
  name = "string", doc = "string", extensions = "table", starts = "string", comment = "string", parse = "function",
  format = "function", search = "table", solve = "function", variants = "table", measures = "table", measure = "function",
  generate = "function", walk = "table", options = "table", options_for = "function", vary = "function", requires = "table",
  draw = "function", paint = "function", play = "table", colours = "table", rows = "string", notation = "function",
}

local fields = game.fields
local kinds = { initial = true, solution = true, dynamic = true }
local statuses = { solved = true, unsolvable = true, unknown = true }

--- The fields of a solution that results are made of.
local kinds_of_facts = { status = "string", limit = "string", text = "string", length = "integer", solutions = "integer",
  expanded = "integer", generated = "integer", untraced = "string" }

--- Refuses a row of a list in a script unless it is as it should be.
local function check_row(is_right, where, expected)
  if not is_right then fault.at(where, "something else", expected) end
end

--- Refuses fields that are lists or tables of other things than they should be.
local function check_tables(spec, path)
  for _, row in ipairs(spec.options or {}) do
    local default = type(row) == "table" and row[2]
    local range = type(default) == "table" and default or { default, default }
    check_row(type(row) == "table" and type(row[1]) == "string" and row[1]:find "^[%w_]+$" and math.type(range[1])
      and math.type(range[2]) and range[1] <= range[2] and type(row.doc or "") == "string", path .. ": field 'options'",
      "rows { \"name\", a number or { least, greatest }, doc = ... }")
  end
  for _, ending in ipairs(spec.extensions or {}) do
    check_row(type(ending) == "string", path .. ": field 'extensions'", "endings of files")
  end
  for measure, value in pairs(spec.requires or {}) do
    check_row(type(measure) == "string" and math.type(value), path .. ": field 'requires'", "numbers by measure")
  end
end

local function check_fields(spec, path)
  local names = {}
  for name in pairs(fields) do table.insert(names, name) end
  table.sort(names)
  for key, value in pairs(spec) do
    if not fields[key] then
      fault.raise(("%s: found the unknown field '%s'; %s"):format(path, tostring(key), nearest.hint(tostring(key), names)))
    end
    if type(value) ~= fields[key] then
      fault.at(("%s: field '%s'"):format(path, key), "a " .. type(value), "a " .. fields[key])
    end
  end
  if not spec.parse then fault.at(path, "no parse", "a function game.parse(text, notes)") end
  if not spec.search and not spec.solve then fault.at(path, "neither search nor solve", "one of them") end
  check_tables(spec, path)
  for name, make in pairs(spec.variants or {}) do
    if type(make) ~= "function" then fault.at(("%s: variant '%s'"):format(path, name), fault.show(make), "a function") end
  end
  if spec.walk then walk.check(spec.walk, spec.search, path) end
  if not spec.search then return end
  local ok, problem = pcall(search.check, spec.search)
  if not ok then fault.raise(("%s: %s"):format(path, problem.message:match "^.-: (search%..*)$" or problem.message)) end
end

local function measure_of(row, path)
  check_row(type(row) == "table" and type(row[1]) == "string" and type(row[2]) == "function", path .. ": field 'measures'",
    "what game.measure adds")
  if #row[1] > sizes.name_bytes then fault.too_large(path .. ": field 'measures'", "a name", sizes.name_bytes, "byte") end
  local where = ("%s: measure '%s'"):format(path, row[1])
  if not kinds[row.kind] then
    fault.at(where, ("kind = %s"):format(fault.show(row.kind)), "kind = 'initial', 'solution' or 'dynamic'")
  end
  if type(row.doc) ~= "string" then fault.at(where, "no doc", "a line that says what it measures") end
  return { name = row[1], kind = row.kind, doc = row.doc, optional = row.optional, count = row.count, of = row[2] }
end

--- Whether a file is a game with levels in it.
---@param path string
---@return boolean
function game.has_levels(path) return puzzlescript.is_game(path) end

--- Loads a game script, by its path or, for crux's own, its name; or a game of PuzzleScript, by its path.
---@param path string
---@return Game
function game.load(path)
  local spec, sources, own
  if puzzlescript.is_one(path) then
    spec, path, sources, own = puzzlescript.load(path)
  else
    spec, path, sources = script.load("game", path)
  end
  check_fields(spec, path)
  local self = { path = path, sources = sources, own = own }
  for name in pairs(fields) do self[name] = spec[name] end
  self.measures, self.measure = {}, nil -- the script's list, and what adds to it
  self.draw = spec.draw or spec.format
  self.options, self.requires, self.variants = spec.options or {}, spec.requires or {}, spec.variants or {}
  self.files = { extensions = spec.extensions or { "txt" }, starts = spec.starts, comment = spec.comment or ";",
    rows = spec.rows }
  for i, row in ipairs(spec.measures) do
    self.measures[i] = measure_of(row, path)
    self.measures[row[1]] = self.measures[i]
  end
  return setmetatable(self, Game)
end

--- Refuses a game whose script lacks functions that a command needs.
---@param names string[]
function Game:expect(names, command)
  for _, name in ipairs(names) do
    if not self[name] then fault.at(self.path, "no " .. name, ("a function game.%s for crux %s"):format(name, command)) end
  end
end

--- What goes wrong in parse is the level's fault when the message names a line of it.
local function place_in_file(entry, message)
  local line, rest = message:match "line (%d+)(.*)$"
  local place = ("%s:%d"):format(entry.path, entry.lines[tonumber(line or 1)] or entry.lines[#entry.lines])
  return place .. (line and rest:gsub("^, ", ": ") or ": " .. message)
end

--- The level of a text.
---@param entry LevelText
function Game:level(entry)
  local ok, result = pcall(fault.guard, self.path, self.parse, entry.text, entry.notes or {})
  if not ok then fault.raise(place_in_file(entry, result.message)) end
  if type(result) ~= "table" then
    fault.at(("%s: parse"):format(self.path), fault.show(result), "a table that describes the level")
  end
  return result
end

--- What a script gets of the options: a copy, without what is the engine's.
local function given(options)
  return { count = options.count, way = options.way, seconds = options.seconds, states = options.states, bytes = options.bytes }
end

--- What a script returned as text.
local function text_of(self, name, text)
  local where = ("%s: %s"):format(self.path, name)
  if type(text) ~= "string" then fault.at(where, fault.show(text), "text") end
  if #text > sizes.level_bytes then fault.too_large(where, "a text", sizes.level_bytes, "byte") end
  return text
end

---@return Solution
local function solve(self, level, options)
  if self.search then
    if self.notation then options = setmetatable({ way = true }, { __index = options }) end
    local solution = search.solve(self.search, level, options)
    local moves = solution.moves
    solution.text = moves and table.concat(moves)
    if moves and self.notation then
      solution.text = text_of(self, "notation", fault.guard(self.path, self.notation, level, solution))
    end
    return solution
  end
  system.limit_bytes(options.bytes)
  local solution = fault.guard(self.path, self.solve, level, given(options))
  if type(solution) == "table" then debug.setmetatable(solution, nil) end
  game.facts(self.path, solution)
  return solution
end

--- What can be told of a solution: a copy of its fields with plain values, which the script that made it cannot change.
---@param where string       the script, in messages
---@param solution Solution
function game.facts(where, solution)
  if type(solution) ~= "table" or not statuses[rawget(solution, "status")] then
    fault.at(where .. ": solve", "no solution", "a table with status = 'solved', 'unsolvable' or 'unknown'")
  end
  local facts = {}
  for name, kind in pairs(kinds_of_facts) do
    local value = rawget(solution, name)
    local field = ("%s: solve: field '%s'"):format(where, name)
    if value ~= nil and (math.type(value) or type(value)) ~= kind then
      fault.at(field, fault.show(value), kind == "integer" and "an integer" or "text")
    end
    if type(value) == "string" and #value > sizes.level_bytes then
      fault.too_large(field, "a text", sizes.level_bytes, "byte")
    end
    facts[name] = value
  end
  return facts
end

--- What was solved of the variants of a solution, by name.
---@type table<Solution, table<string, Solution>>
local solved_variants = setmetatable({}, { __mode = "k" })

function game.variants(solution) return solved_variants[solution] end

--- Solutions of variants, and of variants of these, that may be asked for of a level: each search has its own time.
local most_variants = 1000

--- Solutions of variants by name, each solved when it is first asked for; scripts can neither forget nor add one.
---@param asked { count: integer }   of the level and its variants
local function variants_of(self, level, options, found, asked)
  local function solved(_, name)
    if not found[name] then
      asked.count = asked.count + 1
      if asked.count > most_variants then
        fault.at(self.path, "more solutions of variants", ("at most %d for a level"):format(most_variants))
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
---@param level table
---@param options SolveOptions
---@param asked { count: integer }?   of a level, of which this is a variant
---@return Solution
function Game:solution(level, options, asked)
  local solution = solve(self, level, options)
  solution.level = level
  solved_variants[solution] = {}
  solution.variants = variants_of(self, level, options, solved_variants[solution], asked or { count = 0 })
  return solution
end

--- Solves a level and checks what can be checked of its search.
---@param level table
---@param options SolveOptions
---@return Comparison
function Game:check(level, options)
  if self.search then return verification.run(self.search, level, options) end
  return { status = self:solution(level, options).status }
end

--- The measures of those names; all that are not optional for nil.
---@param names string[]?
---@return Measure[]
function Game:choose(names)
  local chosen, all = {}, {}
  for i, measure in ipairs(self.measures) do
    all[i] = measure.name
    if not names and not measure.optional then table.insert(chosen, measure) end
  end
  for i, name in ipairs(names or {}) do
    chosen[i] = self.measures[name]
    if not chosen[i] then
      fault.raise(("game '%s' has no measure '%s'; %s"):format(self.name, name, nearest.hint(name, all)))
    end
  end
  return chosen
end

--- What the measures need of a solution: nil when they need none.
---@param measures Measure[]
---@param options SolveOptions
---@return SolveOptions?
local function needed(measures, options)
  local needs
  for _, measure in ipairs(measures) do
    if measure.kind ~= "initial" then
      needs = needs or { count = options.count, seconds = options.seconds, states = options.states, bytes = options.bytes,
        searches = options.searches }
      needs.count, needs.way = needs.count or measure.count, needs.way or options.way or measure.kind == "solution"
    end
  end
  return needs
end

--- Measures a level: its row, with nothing for what could not be had, and the solution if one was needed.
---@param level table
---@param measures Measure[]
---@param options SolveOptions
---@return table<string, number>, Solution?
function Game:measure(level, measures, options)
  local row, needs = {}, needed(measures, options)
  local solution, for_script = needs and self:solution(level, needs), given(options)
  local is_solved = solution and solution.status == "solved"
  for _, measure in ipairs(measures) do
    if measure.kind == "initial" or is_solved then
      local value = fault.guard(self.path, measure.of, level, solution, for_script)
      if value ~= nil and (math.type(value) == nil or value ~= value) then
        fault.at(("%s: measure '%s'"):format(self.path, measure.name), fault.show(value), "a number or nil")
      end
      row[measure.name] = value
    end
  end
  return row, solution
end

--- Text that ends with one line break.
local function lines(text) return text:sub(1, (text:find "[^\n]\n*$") or 0) .. "\n" end

--- The text of a level, as parse reads it.
---@param level table
---@return string
function Game:text(level) return lines(text_of(self, "format", fault.guard(self.path, self.format, level))) end

--- The drawing of a level, of its solution, or of a state on the way.
---@param level table
---@param solution Solution?
---@return string
function Game:drawing(level, solution, state)
  return lines(text_of(self, "draw", fault.guard(self.path, self.draw, level, solution, state)))
end

--- The longest solution that a picture tells to screen readers, in bytes.
local most_said = 200

--- A picture of a level, or of its solution, and its content.
---@param name string
---@param level table
---@param solution Solution?
---@return Picture
---@return string
function Game:picture(name, level, solution)
  local picture, content = { class = "crux-level" }
  if self.paint then
    local pen, finish = canvas.new()
    fault.guard(self.path, self.paint, level, solution, pen)
    picture.width, picture.height, content = finish()
    if not content then fault.at(self.path .. ": paint", "no size", "canvas:size(columns, rows)") end
  else
    picture.width, picture.height, content = canvas.drawing(self:drawing(level, solution), self.colours or {})
  end
  picture.title = plain.line(name) .. (solution and ", solved" or "")
  local text = solution and game.facts(self.path, solution).text
  if text then text = plain.line(text) end
  picture.description = not solution and ("A level of %s."):format(self.name)
    or (text and #text <= most_said) and ("A solution: %s."):format(text) or "A solution."
  return picture, content
end

--- The inputs of a command line: the game's own file where there are none and it has levels.
---@param inputs string[]
---@return string[]
function Game:inputs(inputs) return #inputs == 0 and self.own and { self.path } or inputs end

--- The levels of one file.
---@param path string
---@return LevelText[]
function Game:read(path) return self.own and path == self.path and self.own.levels or levels.read(path, self.files) end

--- The levels of a command line's inputs, one after the other; in place of the levels of a file that cannot be read comes
--- { problem = { message =, traceback = } }.
---@param inputs string[]
---@return fun(): LevelText|table|nil
function Game:entries(inputs)
  return coroutine.wrap(function()
    for _, input in ipairs(inputs) do
      for _, path in ipairs(levels.files(input, self.files)) do
        local ok, list = pcall(self.read, self, path)
        if not ok then list = { { problem = { message = list.message, traceback = list.traceback } } } end
        for _, entry in ipairs(list) do coroutine.yield(entry) end
      end
    end
  end)
end

--- The levels of a command line's inputs; the first that cannot be read is a fault.
---@param inputs string[]
---@return LevelText[]
function Game:expect_entries(inputs)
  local list = {}
  for entry in self:entries(inputs) do
    if entry.problem then fault.raise(entry.problem.message) end
    table.insert(list, entry)
  end
  return list
end

return game
