--- crux.grid: games of tiles on a grid, declared by a table (docs/lua-api.md describes its fields). The functions of
--- crux.game that read, search, draw, measure, make and vary levels follow from the table.
---
--- A level has a board for each thing, `width` and `height`, `notes`, and `floor`, the squares without walls. If the checks say
--- that it is closed, `floor` has the squares within reach, and all boards are cropped to the smallest rectangle around it;
--- `drawn` has the boards as they are drawn, and `left` and `top` say where among these the rectangle begins.
local boards = require "libcrux.board"
local checks = require "crux.kits.checks"
local coloured = require "crux.kits.coloured"
local declaration = require "crux.kits.declaration"
local fault = require "crux.base.fault"
local fields = require "crux.kits.fields"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"
local nearest = require "crux.base.nearest"
local notes = require "crux.kits.notes"
local places = require "crux.kits.places"
local Problem = require "crux.search.problem"
local pushing = require "crux.search.pushing"
local sizes = require "libcrux.sizes"
local squares = require "crux.kits.squares"
local states = require "crux.search.state"
local tiles = require "crux.kits.tiles"
local variation = require "crux.kits.variation"

local grid = {}

local numbered = fields.words

--- The fields of a declaration, and their types.
grid.fields = lists.merge(declaration.fields, {
  tiles = "table", look = "table", check = "table", board = "function", moves = "table", state = "table", step = "function",
  won = "function", lost = "function", heuristic = "function", informed = "boolean", shown = "function", status = "function",
  capitals = "string", generate = "table", notes = "table", pick = "function", paths = "table", coloured = "table",
  pushing = "table",
})
local needed = { "name", "tiles", "moves", "state", "step" }

--- The fields of `generate`.
local generator_fields = { options = "table", level = "function", solved = "function", back = "function", moves = "number",
  fixed = "table" }

---@class Grid
---@field private spec table
---@field private tiles Tiles
---@field private coloured Coloured
---@field private layers string[] the things, those of look first, from the bottom to the top
---@field private values table<string, any>   the fields of a state that are no boards
---@field private states table<integer, table>  the fields of states by size
---@field private rules table    of checks, by name
local Grid = {}
Grid.__index = Grid

--- A level of boards as they are drawn, or nil and what is wrong with them.
---@param drawn table<string, userdata>
---@param values table<string, integer>   its notes
---@return table?
---@return LevelProblem?
function Grid:level(drawn, values)
  local colours = self.coloured:unite(drawn)
  local problem = checks.problem(drawn, self.rules, self.tiles.characters)
  if problem then return nil, problem end
  local level = { drawn = drawn, notes = values, left = 1, top = 1, width = drawn.width, height = drawn.height }
  if drawn.wall then level.floor = self.rules.closed and squares.reach(drawn, self.rules.closed) or ~drawn.wall end
  if self.rules.closed then
    local right, bottom
    level.left, level.top, right, bottom = level.floor:bounds()
    level.width, level.height = right - level.left + 1, bottom - level.top + 1
    level.floor = squares.window(level.floor, level.left, level.top, level.width, level.height)
  end
  level.shift = level.width < 32 and 5 or level.width < 64 and 6 or 7
  local is_cropped = level.width ~= drawn.width or level.height ~= drawn.height
  for _, kind in ipairs(self.tiles.kinds) do
    level[kind] = is_cropped and squares.window(drawn[kind], level.left, level.top, level.width, level.height) or drawn[kind]
  end
  self.coloured:add(level, colours)
  fields.add(level, self.spec.state)
  if self.spec.board then self.spec.board(level) end
  for _, check in ipairs(self.rules) do
    local found, expected, x, y = check(level)
    if found then
      return nil, { found = found, expected = expected, x = x and x + level.left - 1, y = y and y + level.top - 1 }
    end
  end
  return level
end

--- The boards of a state with fields that are numbers of squares. A thing hides those below it that no tile has beside it.
function Grid:numbered(level, now)
  if not next(level.squares) then return {} end
  local planes, nothing = {}, boards.new(level.width, level.height)
  for _, kind in ipairs(self.tiles.kinds) do planes[kind] = level.squares[kind] and nothing or level[kind] end
  for _, thing in ipairs(self.layers) do
    if level.squares[thing] then
      planes[thing] = numbered[self.spec.state[thing]].board(level, thing, now[thing])
      local hiding = planes[thing] - self.tiles:places_for(planes, thing)
      for kind, board in pairs(planes) do planes[kind] = kind == thing and board or board - hiding end
    end
  end
  return planes
end

--- The boards of a level as it is drawn in a state.
function Grid:shown(level, now)
  local changed, drawn = self:numbered(level, now), level.drawn
  for _, kind in ipairs(self.spec.state) do changed[kind] = now[kind] end
  if self.spec.shown then changed = self.spec.shown(now, level) end
  changed = self.coloured:spread(changed, level.colours)
  if not self.rules.closed then return lists.merge(drawn, changed) end
  local function placed(board) return squares.window(board, 2 - level.left, 2 - level.top, drawn.width, drawn.height) end
  local inside, planes = placed(~boards.new(level.width, level.height)), lists.merge(drawn)
  for kind, board in pairs(changed) do planes[kind] = placed(board) | drawn[kind] - inside end
  return planes
end

--- The fields of a state: boards of the named things, numbers of squares by their words, and others by their kinds. A state of
--- boards alone has the same table for levels of the same size and number of colours.
function Grid:state(level)
  local colours = #self.coloured.things > 0 and #level.colours or 0
  local size = (colours << 8 | level.width) << 8 | level.height
  if self.states[size] then return self.states[size] end
  local state, board, is_coloured = {}, states.kinds.board(level.width, level.height), self.coloured.kinds
  for _, thing in ipairs(self.spec.state) do
    state[thing] = is_coloured[thing] and states.kinds.array(colours, board) or board
  end
  for name, kind in next, self.values do
    local word = numbered[kind]
    if type(kind) == "function" then
      kind = kind(level)
      if not states.is_kind(kind) then fault.at(Problem.label(self.values, name), fault.show(kind), states.expected) end
    end
    state[name] = word and word.kind(level, name) or kind
  end
  if not next(self.values) then self.states[size] = state end
  return state
end

--- A field of a level, else of its notes.
local function given(level, name)
  local value = level[name]
  if value == nil then value = level.notes[name] end
  return value
end

--- The first state: squares of things, and the values of the level's fields of the same names, else of its notes; a flag is
--- false, and an integer the least one, unless these tell it.
function Grid:start(level)
  local start, things = {}, self.spec.state
  for i = 1, #things do
    local thing = things[i]
    local value = given(level, thing)
    start[thing] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
  end
  for name, kind in next, self.values do
    local value, word = given(level, name), numbered[kind]
    if word then
      value = word.start(level.squares[name])
    elseif value == nil then
      value = states.first(self:state(level)[name])
    end
    start[name] = type(value) == "table" and lists.copy(value) or value
  end
  if not self.spec.won then return start end
  local won = self.spec.won(start, level)
  if type(won) ~= "boolean" then fault.at(Problem.label(self.spec, "won"), fault.show(won), "true or false") end
  return start, won
end

--- The step of crux.game: one that returns if the state is won or lost. It reaches no more of the declaration than it calls, as
--- what it reaches is compared before a program for C is used again.
local function step_of(step, won, lost)
  if not won then return step end
  local function whole(now, move, level)
    step(now, move, level)
    return won(now, level), lost and lost(now, level)
  end
  Problem.stands_for(whole, step)
  return whole
end

function Grid:search()
  local spec = self.spec
  local search = { moves = spec.moves, step = step_of(spec.step, spec.won, spec.lost), heuristic = spec.heuristic,
    informed = spec.informed, state = function(level) return self:state(level) end,
    start = function(level) return self:start(level) end }
  if spec.pushing then pushing.register(search, lists.merge(spec.pushing, { by_moves = true })) end
  return search
end

--- A solution as the names of its moves, in capitals if they change a field and in small letters if not.
local function capitals(field)
  return function(_, solution)
    local letters, way = {}, solution.way
    for i, move in ipairs(solution.moves) do
      letters[i] = way[i][field] == way[i + 1][field] and move:lower() or move:upper()
    end
    return table.concat(letters)
  end
end

--- Boards of a level with the tiles that options count put on squares without a thing, at random; or nil and why they are not.
---@param counted string[][]   { option, thing, ... }
---@return table<string, userdata>?, string?
local function scattered(planes, counted, random, options)
  local width, height = select(2, next(planes)):size()
  local nothing = boards.new(width, height)
  local free = ~nothing
  for _, board in pairs(planes) do free = free - board end
  for _, row in ipairs(counted) do
    local some = squares.some(random, free, options[row[1]])
    if not some then return nil, ("%d x %d tiles are too few"):format(width, height) end
    for i = 2, #row do planes[row[i]] = (planes[row[i]] or nothing) | some end
    free = free - some
  end
  return planes
end

--- An empty board as large as options say, nil if they do not; or nil and the reason.
local function empty(options)
  local width, height = options.columns or options.side, options.rows or options.side
  if not (width and height) then return nil end
  if math.min(width, height) < 1 or math.max(width, height) > sizes.board_side then
    return nil, ("%d x %d is no size of a level"):format(width, height)
  end
  return boards.new(width, height)
end

--- The generator of crux.game, and the walk back to a start if the declaration has one.
function Grid:add_generator(game)
  local make = self.spec.generate
  declaration.check_generator("crux.grid", make, generator_fields, { "options", make.back and "solved" or nil })
  game.options = make.options

  local counted, by_character = {}, {}
  for _, tile in ipairs(self.spec.tiles) do by_character[tile[1]] = tile end
  for _, option in ipairs(make.options) do
    local tile = by_character[option.tile]
    if tile then table.insert(counted, { option[1], table.unpack(tile, 2) }) end
  end

  local function completed(planes)
    local drawn = {}
    drawn.width, drawn.height = select(2, next(planes)):size()
    local nothing = boards.new(drawn.width, drawn.height)
    for _, kind in ipairs(self.tiles.kinds) do drawn[kind] = planes[kind] or nothing end
    return drawn
  end

  function game.generate(random, options)
    local nothing, reason = empty(options)
    if reason then return nil, reason end
    local planes
    planes, reason = (make.solved or make.level)(random, options, nothing)
    if planes then planes, reason = scattered(self.coloured:spread(planes), counted, random, options) end
    if not planes then return nil, reason end
    local level, problem = self:level(completed(planes), notes.defaults(self.spec.notes))
    return level, problem and ("found %s, expected %s"):format(problem.found, problem.expected)
  end

  if make.back then
    game.walk = { moves = make.moves, back = make.back,
      finish = function(level, now) return self:level(self:shown(level, now), level.notes) end }
  end
end

--- A function that makes another level of a level, by one that returns the boards and the notes that differ.
---@param differs string[]|fun(level: table): table<string, userdata>, table<string, integer>?   or things that are left out
function Grid:changing(differs)
  return function(level)
    local planes, values = {}, nil
    if type(differs) == "function" then
      planes, values = differs(level)
    else
      for _, thing in ipairs(differs) do planes[thing] = level.drawn[thing] - level.drawn[thing] end
    end
    local changed, problem = self:level(lists.merge(level.drawn, planes), lists.merge(level.notes, values or {}))
    if not changed then error(("found %s, expected %s"):format(problem.found, problem.expected), 0) end
    return changed
  end
end

--- The levels on which variants and paths of the declaration are searched.
function Grid:add_other_levels(game)
  local variants, paths = self.spec.variants, self.spec.paths
  game.variants, game.paths = variants and {}, paths and {}
  for name, differs in pairs(variants or {}) do game.variants[name] = self:changing(differs) end
  for name, path in pairs(paths or {}) do
    game.paths[name] = lists.merge(path, { level = path.level and self:changing(path.level) })
  end
end

--- Raises an error if a field of a state is declared by what is no kind, or a measure counts the changes of no field.
local function check_state(spec)
  local names = {}
  for name, kind in pairs(spec.state) do
    table.insert(names, math.type(name) and kind or name)
    if not (math.type(name) or numbered[kind] or type(kind) == "function" or states.is_kind(kind)) then
      error(("crux.grid: state: field '%s': found %s, expected %s; \"square\", \"squares\" or \"bits\" of a thing; "
        .. "or a function that returns a kind"):format(name, fault.show(kind), states.expected), 0)
    end
  end
  table.sort(names)
  for _, row in ipairs(spec.measures or {}) do
    if type(row) == "table" and row.changes and not lists.contains(names, row.changes) then
      error(("crux.grid: measure '%s': changes: %s"):format(row[1], nearest.unknown("field", row.changes, names)), 0)
    end
  end
end

--- Raises an error if a declaration names things that no tile has.
local function check_things(spec, things)
  local checked, drawn = {}, lists.field(spec.look or {}, 1)
  for name, other in pairs(spec.check or {}) do
    if name ~= "closed" and type(name) == "string" then table.insert(checked, name) end
    if type(other) == "string" then table.insert(checked, other) end
  end
  declaration.check_things("crux.grid", "state", spec.state, things, "; a number is declared as %s = crux.integer(LEAST, MOST)")
  declaration.check_things("crux.grid", "check", checked, things)
  declaration.check_things("crux.grid", "look", drawn, things)
end

local pushing_fields = { man = "string", boxes = "string", goals = "string" }

--- Raises an error unless a declaration's `pushing` names things, those that move among the boards of a state.
local function check_pushing(spec, things)
  local names = spec.pushing
  if not names then return end
  declaration.check("crux.grid: pushing", names, pushing_fields, { "man", "boxes", "goals" })
  declaration.check_things("crux.grid", "pushing", { names.goals }, things)
  declaration.check_things("crux.grid", "pushing", { names.man, names.boxes }, spec.state)
  if table.concat(spec.moves, " ") ~= "U L D R" then
    error(("crux.grid: pushing: found the moves %s, expected U L D R"):format(table.concat(spec.moves, " ")), 0)
  end
end

function grid.new(spec, new, refuse)
  declaration.check("crux.grid", spec, grid.fields, needed)
  local rows, colours = coloured.new(spec.tiles, spec.coloured or {})
  local reader = tiles.new(rows, spec.files and spec.files.runs)
  local look_rows = spec.look and colours:look(spec.look)
  local self = setmetatable({ spec = spec, rules = spec.check or {}, tiles = reader, coloured = colours, values = {},
    states = {}, layers = lists.union(lists.field(look_rows or {}, 1), reader.kinds) }, Grid)
  check_things(spec, lists.union(reader.kinds, colours.things))
  for name, kind in pairs(spec.state) do
    if not math.type(name) then self.values[name] = kind end
  end
  check_state(spec)
  check_pushing(spec, lists.union(reader.kinds, colours.things))
  local game = declaration.game(spec, new)
  game.tiles = rows -- on maps, each colour has its own
  game.alike = game.alike or spec.coloured and colours:alike()
  game.search = self:search()
  self:add_other_levels(game)

  function game.parse(text, values)
    local planes, read_at = self.tiles:read(text)
    local level, problem = self:level(planes, notes.values(spec.notes, values))
    if level then return level end
    local x, y = problem.x, problem.y
    local place = y and (read_at and (read_at[y][x] or read_at[y].behind) or { x, y }) or {}
    refuse(problem.found, problem.expected, place[1], place[2])
  end

  function game.format(level, _, now)
    return notes.text(spec.notes, level.notes) .. self.tiles:write(now and self:shown(level, now) or level.drawn)
  end

  if spec.status then
    function game.draw(level, _, now)
      if not now then return game.format(level) end
      return self.tiles:write(self:shown(level, now)) .. "\n" .. spec.status(now, level)
    end
  end

  if spec.pick then
    function game.pick(level, now, x, y) return spec.pick(level, now, x - level.left + 1, y - level.top + 1) end
  end
  if spec.capitals then game.notation = capitals(spec.capitals) end
  if spec.look then
    game.colours = look.colours(look_rows, rows)
    function game.paint(level, solution, canvas, now)
      local way = spec.look.path and solution and solution.way and lists.map(places.way(solution, spec.look.path),
        function(point) return { point[1] + level.left - 1, point[2] + level.top - 1 } end)
      look.paint(look_rows, now and self:shown(level, now) or level.drawn, canvas, way, solution and solution.moves)
      if now and spec.status then canvas:note(spec.status(now, level)) end
    end
  end

  if spec.generate then self:add_generator(game) end
  local fixed = spec.generate and spec.generate.fixed or {}
  function game.vary(level, random)
    local planes = variation.of(self.tiles, self.rules, fixed, level.drawn, random)
    return planes and (self:level(planes, level.notes)) or nil
  end
  return declaration.override(game, spec)
end

return grid
