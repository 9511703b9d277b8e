--- crux.kits.deduce: puzzles of cells and candidates, which people solve step by step, declared by a table
--- (docs/lua-api.md describes its fields). The functions of crux.game that read, solve, measure, draw, play and make
--- levels follow from the table.
---
--- A level has a board for each thing that its tiles name, `drawn` with these alone, `width`, `height`, and `start`, its
--- candidates (lua/crux/kits/deduction.lua). Values are things, too: a tile that names some allows no others in its cell. If
--- the game has units, a level has `sets`, their boards by group, `units` and `groups` for libcrux.deductions, and as many of
--- the `values` as a unit has cells. `given` are
--- the boards as written; `drawn` differ from them where values are on edges (lua/crux/kits/edges.lua).
local boards = require "libcrux.board"
local cell_sets = require "crux.kits.cell_sets"
local clues = require "crux.kits.clues"
local checks = require "crux.kits.checks"
local declaration = require "crux.kits.declaration"
local deduce_play = require "crux.kits.deduce_play"
local deduction = require "crux.kits.deduction"
local edges = require "crux.kits.edges"
local exact_cover = require "crux.puzzle.exact_cover"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"
local nearest = require "crux.base.nearest"
local process = require "libcrux.process"
local rules = require "crux.kits.rules"
local squares = require "crux.kits.squares"

local deduce = {}

--- The fields of a declaration, and their types.
deduce.fields = lists.merge(declaration.fields, {
  tiles = "table", values = "table", units = "table", techniques = "table", guess = "number", check = "table",
  look = "table", lit = "function", board = "function", won = "function", columns = "number", frame = "string",
  generate = "table", rules = "table", rest = "string", numbers = "table", regions = "boolean", outside = "table",
  lines = "string", thick = "number",
})
local needed = { "name", "tiles", "values" }

--- The fields of `generate`.
local generator_fields = { options = "table", level = "function", solved = "function", dig = "table" }

---@class Deduce
---@field private spec table
---@field private tiles Clues
---@field private rules Rules
---@field private values string[]
---@field private techniques Technique[]
---@field private quick Technique[]   those with which solutions are searched
---@field private hardest number   the greatest grade of a technique
local Deduce = lists.merge(deduce_play)
Deduce.__index = Deduce

--- The candidates that the tiles leave.
function Deduce:start(level)
  local given, now, named = {}, { outside = level.nothing }, level.nothing
  for _, thing in ipairs(self.spec.outside or {}) do now.outside = now.outside | level.drawn[thing] end
  now.open = ~now.outside
  for _, value in ipairs(level.values) do named = named | level.drawn[value] end
  for _, value in ipairs(level.values) do
    now[value], given[value] = (level.drawn[value] | ~named) - now.outside, level.drawn[value]
  end
  return level.units and deduction.given(now, given, level.values, level) or deduction.after(now, {}, level.values, level)
end

--- A level of boards, or nil and what is wrong with them.
---@param given table<string, userdata>
---@return table?
---@return LevelProblem?
function Deduce:level(given)
  local wanted = lists.merge(self.spec.check or {})
  for _, value in ipairs(self.spec.lines and self.values or {}) do wanted[value] = { 0, 0 } end
  local problem = checks.problem(given, wanted, self.tiles.characters)
  if problem then return nil, problem end
  local drawn = self.spec.lines and edges.expand(given, self.spec.lines) or given
  local level = lists.merge(drawn, { drawn = drawn, given = given, notes = given.notes or {},
    nothing = boards.new(drawn.width, drawn.height) })
  if self.spec.numbers then
    local thing, numbers = drawn[self.spec.numbers[1] ], {}
    level.clues = lists.select(drawn.clues, function(clue) return thing:has(clue.x, clue.y) end)
    for _, clue in ipairs(level.clues) do numbers[clue.y << 10 | clue.x] = clue.number end
    function level.number_at(x, y) return numbers[y << 10 | x] end
  end
  if self.spec.regions then level.regions = cell_sets.regions(drawn.regions, level.width, level.height) end
  if self.spec.board then self.spec.board(level) end
  for _, check in ipairs(wanted) do
    local found, expected, x, y = check(level)
    if found then return nil, { found = found, expected = expected, x = x, y = y } end
  end
  level.values = self.values
  if self.spec.units then
    cell_sets.add_units(level, self.spec.units)
    level.values = table.move(self.values, 1, #level.sets[next(level.sets)][1], 1, {})
    for i = #level.values + 1, #self.values do
      local x, y = given[self.values[i] ]:first()
      if x then return nil, { found = self.tiles.characters[self.values[i] ], expected = "a smaller one", x = x, y = y } end
    end
  end
  level.start = self:start(level)
  return level
end

--- Tells whether candidates of which each cell has one are a solution.
function Deduce:won(now, level)
  return not (self.spec.won and not self.spec.won(now, level) or self.rules:verdict(now, level))
end

--- The solutions of a level with units as an exact cover: a value in each open cell, and a cell for each value of each unit.
local function cover(level, limits)
  local now, items, problem, cells = level.start, {}, { items = 0, options = {} }, {}
  local function item(key)
    if not items[key] then problem.items, items[key] = problem.items + 1, problem.items + 1 end
    return items[key]
  end
  local holders = {} -- by cell, the names of its units
  for group, sets in pairs(level.sets) do
    for i, set in ipairs(sets) do
      for _, _, cell in (set & now.open):cells() do
        holders[cell] = holders[cell] or {}
        table.insert(holders[cell], group .. i)
      end
      for _, value in ipairs(level.values) do
        if (now[value] & set - now.open):none() then item(group .. i .. "=" .. value) end
      end
    end
  end
  for _, value in ipairs(level.values) do
    for x, y, cell in (now[value] & now.open):cells() do
      local option = { item(cell) }
      for i, holder in ipairs(holders[cell]) do option[i + 1] = item(holder .. "=" .. value) end
      table.insert(problem.options, option)
      table.insert(cells, { value, x, y })
    end
  end
  for _, _, cell in now.open:cells() do item(cell) end
  local result = fault.check(exact_cover.solve(problem, limits))
  if result.limit == "nodes" then result.limit = "states" end
  if not result.pieces then return result end
  result.answer = { open = now.open - now.open }
  for _, value in ipairs(level.values) do result.answer[value] = now[value] - now.open end
  for _, number in ipairs(result.pieces) do
    local value, x, y = table.unpack(cells[number])
    result.answer[value] = result.answer[value]:with(x, y)
  end
  return result
end

--- The solutions of a level by its techniques, and by trying all candidates of a cell where these find nothing.
function Deduce:branch(level, limits)
  local result = { status = "unsolvable", solutions = 0, expanded = 0, generated = 0 }
  local deadline, wanted = process.seconds() + (limits.seconds or math.huge), limits.count == true and math.huge or limits.count
  local function explore(now)
    local failed
    now, failed = deduction.settle(now, level, self.quick, level.values, self.hardest, self.rules)
    if failed or deduction.is_contradiction(now, level.values) then return end
    if now.open:none() then
      if not self:won(now, level) then return end
      result.solutions, result.answer = result.solutions + 1, result.answer or now
      return
    end
    local x, y, candidates = deduction.scarcest(now, level.values)
    local cell = (now.open - now.open):with(x, y)
    result.expanded = result.expanded + 1
    for _, value in ipairs(candidates) do
      if result.solutions >= wanted or result.limit then return end
      if limits.nodes and result.generated >= limits.nodes then result.limit = "states" end
      if process.seconds() > deadline then result.limit = "seconds" end
      result.generated = result.generated + 1
      explore(deduction.given(now, { [value] = cell }, level.values, level))
    end
  end
  explore(level.start)
  result.status = result.answer and "solved" or result.limit and "unknown" or "unsolvable"
  if result.limit then result.solutions = nil end
  return result
end

--- The solution of crux.game: `answer`, the candidates when all cells are known, and `unique`, nil if a limit was met.
--- Solutions are counted up to 2, and further only if it is asked for.
function Deduce:solve(level, options)
  local limits = { count = 2, nodes = options.states, seconds = options.seconds, bytes = options.bytes }
  local is_cover = level.units and not self.spec.won and not self.spec.rules
  local function find() return is_cover and cover(level, limits) or self:branch(level, limits) end
  if deduction.is_contradiction(level.start, level.values) then return { status = "unsolvable", solutions = 0 } end
  local solution = find()
  if solution.status ~= "solved" then return solution end
  if solution.solutions then solution.unique = solution.solutions == 1 end
  if solution.unique == false then
    limits.count = true
    local all = options.count and find() or {}
    solution.solutions, solution.solutions_overflow = all.solutions, all.solutions_overflow
  end
  local separator = self.tiles:is_wide(level.given) and " " or ""
  local rows = self:rows(level, self:filled(solution))
  rows = lists.map(rows, function(row) return table.concat(row, separator) end)
  solution.text = table.concat(rows, separator == "" and " " or " / ")
  return solution
end

--- Measures of a level by the steps of its solution.
---@return DeductionRecord
function Deduce:record(level, solution)
  if not solution.record then
    solution.record = deduction.follow(level.start, level, self.techniques, level.values, solution.answer, self.spec.guess)
    if solution.unique ~= nil then solution.record.unique = solution.unique and 1 or 0 end
  end
  return solution.record
end

--- The descriptions of what the steps of a solution say: measures by these names need no own.
local docs = {
  unique = "1 if the level has one solution, else 0",
  steps = "deductions and guesses of a solution",
  hardest = "greatest grade of a technique that is needed",
  grades = "sum of the grades of all steps",
  effort = "time to find a deduction, summed over the steps",
  open = "deductions that are open at a step, in the mean",
  fewest = "the fewest deductions that are open at a step",
  narrow = "steps in a row with the fewest",
  guesses = "steps at which no technique finds anything",
}

--- The row of crux.game's measures for { "hardest", deduced = true }, a field of the record, or for
--- { "NAME", uses = "technique" }. Other rows are left as they are.
function Deduce:measure(row)
  local name, of = row[1], nil
  if row.deduced and not docs[name] then
    error("crux.kits.deduce: " .. nearest.unknown("measure", name, lists.keys(docs)), 0)
  end
  if row.deduced then of = function(level, solution) return self:record(level, solution)[name] end end
  if row.uses then of = function(level, solution) return self:record(level, solution).uses[row.uses] or 0 end end
  return of and { name, of, kind = "dynamic", doc = row.doc or docs[name], optional = row.optional } or row
end

--- The rows of measures of a game that declares none: the size, all of the record, and the steps by technique.
function Deduce:all_measures()
  local rows = { { "size", kind = "initial", doc = "cells", function(level)
    return self.spec.lines and level.given.width * level.given.height or #~level.start.outside
  end } }
  for _, name in ipairs { "unique", "hardest", "grades", "effort", "steps", "open", "fewest", "narrow", "guesses" } do
    table.insert(rows, { name, deduced = true })
  end
  for _, technique in ipairs(self.techniques) do
    local name = technique[1]
    table.insert(rows, { "uses_" .. name, uses = name, optional = true, doc = "steps by " .. name:gsub("_", " ") })
  end
  return rows
end

--- A level if techniques of at most a grade solve it, without those that go on `further`; and its answer.
function Deduce:settled(given, most)
  local level = self:level(given)
  local now, failed = deduction.settle(level.start, level, self.quick, level.values, most, self.rules)
  return not failed and now.open:none() and self:won(now, level) and level, now
end

--- Takes given values, or with `dig` cells with these things, away from a level in random order, while techniques of at most a
--- grade still solve it, and until some are left. Nil if easier techniques solve what is left, or harder ones are needed.
---@param options { hardest: number?, givens: integer? }   the grade, all techniques without it; cells that are left
---@return table?
---@return string? problem   why there is no such level
function Deduce:dig(level, random, options)
  local hardest, cells = options.hardest or self.quick[#self.quick].grade, {}
  if not lists.contains(lists.field(self.techniques, "grade"), hardest) then
    return nil, ("no technique has the grade %g"):format(hardest)
  end
  local things = self.spec.generate.dig or level.values
  for x, y in squares.union(lists.pick(level.given, things)):cells() do table.insert(cells, { x, y }) end
  local left, solved, answer = #cells, self:settled(level.given, hardest)
  if not solved then return nil end
  for _, cell in ipairs(random:shuffle(cells)) do
    if left <= (options.givens or 0) then break end
    local fewer = lists.merge(solved.given)
    for _, thing in ipairs(things) do fewer[thing] = fewer[thing]:without(cell[1], cell[2]) end
    local smaller = self:settled(fewer, hardest)
    if smaller then solved, left = smaller, left - 1 end
  end
  local record = self:record(solved, { answer = answer })
  return (not options.hardest or record.hardest == hardest) and solved or nil
end

--- The generator of crux.game: levels with one solution, by `level` or by `solved`, which are dug. A variation of a dug level
--- has the same solution.
function Deduce:add_generator(game)
  local make = self.spec.generate
  declaration.check_generator("crux.kits.deduce", make, generator_fields, {})
  game.options = make.options

  function game.generate(random, options)
    local planes, reason = (make.solved or make.level)(random, options)
    if not planes then return nil, reason end
    local whole = lists.merge(planes)
    for _, board in pairs(planes) do
      if type(board) == "userdata" then whole.width, whole.height = board:size() end
    end
    for _, kind in ipairs(self.tiles.kinds) do whole[kind] = whole[kind] or boards.new(whole.width, whole.height) end
    local level, problem = self:level(whole)
    if problem then return nil, ("found %s, expected %s"):format(problem.found, problem.expected) end
    if make.solved or make.dig then return self:dig(level, random, options) end
    return self:settled(level.given, math.huge) or nil
  end

  if make.solved then
    function game.vary(level, random, options)
      local solution = self:solve(level, {})
      return solution.answer and self:dig(self:level(lists.merge(level.given, self:filled(solution))), random, options)
    end
  end
end

--- The rows of a square level in one line, and the function that says where in the text a line and column of these are.
---@param columns integer?
---@return string
---@return fun(line: integer?, column: integer?): integer?, integer?
local function unfold(text, columns)
  local whole = columns and text:match "^(%S+)%s*$"
  if not whole or #whole ~= columns * columns then return text, function(line, column) return line, column end end
  local rows = whole:gsub(("."):rep(columns), "%0\n")
  return rows, function(line, column) return 1, column and (line - 1) * columns + column end
end

--- The game that a declaration describes.
---@param new fun(name: string): table                crux.game
---@param refuse fun(found: string, expected: string, x: integer?, y: integer?)   crux.refuse
function deduce.new(spec, new, refuse)
  declaration.check("crux.kits.deduce", spec, deduce.fields, needed)
  local self = setmetatable({ spec = lists.merge({ guess = 1000, look = {} }, spec),
    tiles = clues.new(spec.tiles, spec.numbers, spec.regions), values = spec.values, hardest = 0 }, Deduce)
  local units = lists.map(lists.keys(spec.units or {}), function(group) return { group, unit = group } end)
  self.rules = rules.new(lists.concat(units, spec.rules or {}), spec.values, spec.rest)
  self.techniques = deduction.techniques(self.rules:techniques(spec.techniques or {}), spec.values, spec.units or {})
  self.rules.direct = lists.select(self.techniques, function(technique) return not technique.trial end)
  self.quick = lists.select(self.techniques, function(technique) return not technique.further end)
  declaration.check_things("crux.kits.deduce", "values", spec.values, self.tiles.kinds)
  declaration.check_things("crux.kits.deduce", "look", lists.field(self.spec.look, 1), self.tiles.kinds)
  if spec.frame and not (spec.units or {})[spec.frame] then
    error("crux.kits.deduce: frame: " .. nearest.unknown("group", spec.frame, lists.keys(spec.units or {})), 0)
  end
  for _, technique in ipairs(self.techniques) do self.hardest = math.max(self.hardest, technique.grade) end
  local measures = lists.map(spec.measures or self:all_measures(), function(row) return self:measure(row) end)
  local game = declaration.game(lists.merge(spec, { measures = measures }), new)
  game.words = (spec.numbers or spec.regions) ~= nil or nil
  game.tiles = lists.select(spec.tiles, function(row) return row[1] ~= self.tiles.sign end) -- no one writes a number's sign

  function game.parse(text, notes)
    local unfolded, place = unfold(text, spec.columns)
    local ok, planes = pcall(self.tiles.read, self.tiles, unfolded)
    if not ok then
      error(planes:gsub("^line (%d+), column (%d+)", function(line, column)
        return ("line %d, column %d"):format(place(tonumber(line), tonumber(column)))
      end), 0)
    end
    local level, problem = self:level(lists.merge(planes, { notes = notes }))
    if level then return level end
    local line, column = place(problem.y, problem.x)
    refuse(problem.found, problem.expected, column, line)
  end

  function game.format(level) return self.tiles:write(level.given) end
  function game.solve(level, options) return self:solve(level, options) end
  function game.draw(level, solution)
    return (self:drawing(level, self:filled(solution)))
  end
  function game.paint(level, solution, canvas, position) self:paint(level, solution, canvas, position) end
  game.colours = look.colours(self.spec.look, spec.tiles)
  game.play = self:play()
  function game.verdict(level, known) return self.rules:verdict(known, level) end
  if spec.generate then self:add_generator(game) end
  return declaration.override(game, spec)
end

return deduce
