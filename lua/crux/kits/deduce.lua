--- crux.kits.deduce: puzzles of cells and candidates, which people solve step by step, declared by a table
--- (docs/lua-api.md describes its fields). The functions of crux.game that read, solve, measure, draw, play and make
--- levels follow from the table.
---
--- A level has a board for each thing that its tiles name, `drawn` with these alone, `width`, `height`, and `start`, its
--- candidates (lua/crux/kits/deduction.lua). Values are things, too: a tile that names some allows no others in its cell. If
--- the game has units, a level has `sets`, their boards by group, and `units` and `groups` for libcrux.deductions.
local boards = require "libcrux.board"
local checks = require "crux.kits.checks"
local declaration = require "crux.kits.declaration"
local deduce_play = require "crux.kits.deduce_play"
local deduction = require "crux.kits.deduction"
local deductions = require "libcrux.deductions"
local exact_cover = require "crux.puzzle.exact_cover"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"
local nearest = require "crux.base.nearest"
local process = require "libcrux.process"
local tiles = require "crux.kits.tiles"

local deduce = {}

--- The fields of a declaration, and their types.
deduce.fields = lists.merge(declaration.fields, {
  tiles = "table", values = "table", units = "table", techniques = "table", guess = "number", check = "table",
  look = "table", board = "function", won = "function", columns = "number", frame = "string", generate = "table",
  breaks = "function",
})
local needed = { "name", "tiles", "values", "techniques" }

---@class Deduce
---@field private spec table
---@field private tiles Tiles
---@field private values string[]
---@field private techniques Technique[]
---@field private hardest number   the greatest grade of a technique
local Deduce = lists.merge(deduce_play)
Deduce.__index = Deduce

--- The rectangles of a width and height into which a level is divided.
local function rectangles(level, width, height)
  local list = {}
  for y = 1, level.height, height do
    for x = 1, level.width, width do
      local cells = {}
      for i = 0, width * height - 1 do cells[i + 1] = { x + i % width, y + i // width } end
      table.insert(list, boards.new(level.width, level.height, cells))
    end
  end
  return list
end

--- Adds the units of a level: by group, a function of the level, or the width and height of rectangles.
local function add_units(level, units)
  local groups = {}
  level.sets, level.groups = {}, {}
  for i, name in ipairs(lists.keys(units)) do
    local of = units[name]
    level.sets[name], level.groups[name] = type(of) == "table" and rectangles(level, of[1], of[2]) or of(level), i
    groups[i] = level.sets[name]
  end
  level.units = deductions.new(groups)
end

--- The candidates that the tiles leave.
function Deduce:start(level)
  local given, now = {}, { open = ~boards.new(level.width, level.height) }
  local named = now.open - now.open
  for _, value in ipairs(self.values) do named = named | level.drawn[value] end
  for _, value in ipairs(self.values) do
    now[value], given[value] = level.drawn[value] | ~named, level.drawn[value]
  end
  return level.units and deduction.given(now, given, self.values, level) or deduction.after(now, {}, self.values, level)
end

--- A level of boards, or nil and what is wrong with them.
---@param drawn table<string, userdata>
---@return table?
---@return LevelProblem?
function Deduce:level(drawn)
  local rules = self.spec.check or {}
  local problem = checks.problem(drawn, rules, self.tiles.characters)
  if problem then return nil, problem end
  local level = lists.merge(drawn, { drawn = drawn })
  if self.spec.board then self.spec.board(level) end
  for _, check in ipairs(rules) do
    local found, expected, x, y = check(level)
    if found then return nil, { found = found, expected = expected, x = x, y = y } end
  end
  if self.spec.units then add_units(level, self.spec.units) end
  level.start = self:start(level)
  return level
end

--- Tells whether candidates of which each cell has one are a solution.
function Deduce:won(now, level)
  if self.spec.won and not self.spec.won(now, level) then return false end
  for _, sets in pairs(level.sets or {}) do
    for _, set in ipairs(sets) do
      for _, value in ipairs(self.values) do
        if #(now[value] & set) ~= 1 then return false end
      end
    end
  end
  return true
end

--- The cells that break a rule: with a value that another cell of a unit has, or as `breaks` of the declaration says.
---@param known table<string, userdata>   by value, the cells that have it
function Deduce:broken(known, level)
  if self.spec.breaks then return self.spec.breaks(known, level) end
  local broken = level.start.open - level.start.open
  for _, sets in pairs(level.sets or {}) do
    for _, set in ipairs(sets) do
      for _, value in ipairs(self.values) do
        if #(known[value] & set) > 1 then broken = broken | known[value] & set end
      end
    end
  end
  return broken
end

--- The solutions of a level with units as an exact cover: a value in each open cell, and a cell for each value of each unit.
function Deduce:cover(level, limits)
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
      for _, value in ipairs(self.values) do
        if (now[value] & set - now.open):none() then item(group .. i .. "=" .. value) end
      end
    end
  end
  for _, value in ipairs(self.values) do
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
  for _, value in ipairs(self.values) do result.answer[value] = now[value] - now.open end
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
    now = deduction.settle(now, level, self.techniques, self.values, self.hardest)
    if deduction.is_contradiction(now, self.values) then return end
    if now.open:none() then
      if not self:won(now, level) then return end
      result.solutions, result.answer = result.solutions + 1, result.answer or now
      return
    end
    local x, y, candidates = deduction.scarcest(now, self.values)
    local cell = (now.open - now.open):with(x, y)
    result.expanded = result.expanded + 1
    for _, value in ipairs(candidates) do
      if result.solutions >= wanted or result.limit then return end
      if limits.nodes and result.generated >= limits.nodes then result.limit = "states" end
      if process.seconds() > deadline then result.limit = "seconds" end
      result.generated = result.generated + 1
      explore(deduction.given(now, { [value] = cell }, self.values, level))
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
  local find = level.units and not self.spec.won and self.cover or self.branch
  if deduction.is_contradiction(level.start, self.values) then return { status = "unsolvable", solutions = 0 } end
  local solution = find(self, level, limits)
  if solution.status ~= "solved" then return solution end
  if solution.solutions then solution.unique = solution.solutions == 1 end
  if solution.unique == false then
    limits.count = true
    local all = options.count and find(self, level, limits) or {}
    solution.solutions, solution.solutions_overflow = all.solutions, all.solutions_overflow
  end
  solution.text = table.concat(self:rows(level, self:filled(solution)), " ")
  return solution
end

--- Measures of a level by the steps of its solution.
---@return DeductionRecord
function Deduce:record(level, solution)
  if not solution.record then
    solution.record = deduction.follow(level.start, level, self.techniques, self.values, solution.answer, self.spec.guess)
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

--- Takes given values away from a solved level, in random order, while techniques of at most a grade still solve it, and until
--- some are left. Nil if easier techniques solve what is left, or harder ones are needed.
---@param options { hardest: number?, givens: integer? }   the grade, all techniques without it; given values that are left
---@return table?
---@return string? problem   why there is no such level
function Deduce:dig(solved, random, options)
  local hardest, cells, is_grade = options.hardest or self.hardest, {}, false
  for _, technique in ipairs(self.techniques) do is_grade = is_grade or technique.grade == hardest end
  if not is_grade then return nil, ("no technique has the grade %g"):format(hardest) end
  for x, y in (~solved.start.open):cells() do table.insert(cells, { x, y }) end
  local left, level = #cells, solved
  for _, cell in ipairs(random:shuffle(cells)) do
    if left <= (options.givens or 0) then break end
    local fewer = lists.merge(level.drawn)
    for _, value in ipairs(self.values) do fewer[value] = fewer[value]:without(cell[1], cell[2]) end
    local smaller = self:level(fewer)
    local now = smaller and deduction.settle(smaller.start, smaller, self.techniques, self.values, hardest)
    if now and now.open:none() then level, left = smaller, left - 1 end
  end
  local record = self:record(level, { answer = solved.start })
  return (not options.hardest or record.hardest == hardest) and level or nil
end

local patience <const> = 10000 -- candidates that are tried for a generated level

--- The generator of crux.game: levels with one solution, by `level` or by `solved`, which are dug. A variation of a dug level
--- has the same solution.
function Deduce:add_generator(game)
  local make = self.spec.generate
  game.options = make.options

  function game.generate(random, options)
    local planes, reason = (make.solved or make.level)(random, options)
    if not planes then return nil, reason end
    local whole = lists.merge(planes)
    whole.width, whole.height = select(2, next(planes)):size()
    for _, kind in ipairs(self.tiles.kinds) do whole[kind] = whole[kind] or boards.new(whole.width, whole.height) end
    local level, problem = self:level(whole)
    if problem then return nil, ("found %s, expected %s"):format(problem.found, problem.expected) end
    if make.solved then return self:dig(level, random, options) end
    return self:solve(level, { states = patience }).unique and level or nil
  end

  if make.solved then
    function game.vary(level, random, options)
      local solution = self:solve(level, {})
      return solution.answer and self:dig(self:level(lists.merge(level.drawn, self:filled(solution))), random, options)
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
  local self = setmetatable({ spec = lists.merge({ guess = 1000, look = {} }, spec), tiles = tiles.new(spec.tiles),
    values = spec.values, techniques = deduction.techniques(spec.techniques, spec.values, spec.units or {}), hardest = 0 },
    Deduce)
  declaration.check_things("crux.kits.deduce", "values", spec.values, self.tiles.kinds)
  declaration.check_things("crux.kits.deduce", "look", lists.map(self.spec.look, function(row) return row[1] end),
    self.tiles.kinds)
  if spec.frame and not (spec.units or {})[spec.frame] then
    error("crux.kits.deduce: frame: " .. nearest.unknown("group", spec.frame, lists.keys(spec.units or {})), 0)
  end
  for _, technique in ipairs(self.techniques) do self.hardest = math.max(self.hardest, technique.grade) end
  local rows = lists.map(spec.measures or {}, function(row) return self:measure(row) end)
  local game = declaration.game(lists.merge(spec, { measures = rows }), new)

  function game.parse(text)
    local unfolded, place = unfold(text, spec.columns)
    local ok, planes = pcall(self.tiles.read, self.tiles, unfolded)
    if not ok then
      error(planes:gsub("^line (%d+), column (%d+)", function(line, column)
        return ("line %d, column %d"):format(place(tonumber(line), tonumber(column)))
      end), 0)
    end
    local level, problem = self:level(planes)
    if level then return level end
    local line, column = place(problem.y, problem.x)
    refuse(problem.found, problem.expected, column, line)
  end

  function game.format(level) return self.tiles:write(level.drawn) end
  function game.solve(level, options) return self:solve(level, options) end
  function game.draw(level, solution)
    return (self:drawing(level, self:filled(solution)))
  end
  function game.paint(level, solution, canvas, position) self:paint(level, solution, canvas, position) end
  game.colours = look.colours(self.spec.look, spec.tiles)
  game.play = self:play()
  if spec.generate then self:add_generator(game) end
  return declaration.override(game, spec)
end

return deduce
