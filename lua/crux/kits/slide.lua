--- crux.kits.slide: games in which pieces slide on a board until one of them is out, such as Rush Hour and Klotski. In a level
--- each square of a piece has the piece's letter. docs/lua-api.md describes the fields of a declaration.
---
--- A level has `width`, `height`, `wall`, `nothing` (no square), `target` (the number of that piece) and
---
---     pieces    in the order of letters: `letter`, `width` and `height` in squares, `columns` and `rows` of its positions, and
---               by position, numbered from 0 row by row, `covers`, the board of its squares
---     moves     the names of all slides: letter, direction and number of squares, "AR2"
---     slides    by these names: `piece` (its number), `shift` (of its position), and `enters`, by position the board of the
---               squares that it enters; all squares where it would leave the board or meet a wall
---     at        the position of each piece at the start
---     distances a function that returns how many states are at each distance from the exit, in slides, from 0 on, all pieces
---               being told apart; nil if there is no way out, or more than 2^18 states or 64 squares
---
--- A state has the positions of all pieces in `at`, too. The variant `space` has no exit: its search finds all states.
local board = require "libcrux.board"
local declaration = require "crux.kits.declaration"
local directions = require "crux.base.directions"
local hand = require "crux.puzzle.hand"
local legend = require "libcrux.legend"
local letters = require "crux.kits.letters"
local lists = require "crux.base.lists"
local kinds = require("crux.search.state").kinds
local search = require "crux.search.search"
local slide_states = require "crux.kits.slide_states"
local squares_of = require "libcrux.sliding"

local kit = {}

kit.fields = lists.merge(declaration.fields, { target = "string", exit = "string", place = "table", along = "boolean",
  single = "boolean", twins = "boolean", explores = "boolean", empty = "string", walls = "string", generate = "table" })
local generator_fields = { line = "number", walks = "number", moves = "number", options = "table" }

local MOST_STATES <const> = 100000 -- of a generated level, up to its solution

--- By edge: the number of the value of board:bounds() that is there.
local sides = { L = 1, U = 2, R = 3, D = 4 }

---@class Piece
---@field letter string
---@field width integer
---@field height integer
---@field columns integer              of its positions
---@field rows integer
---@field covers table<integer, userdata>   by position

local MOST_SHARED <const> = 1000

---@class Shared   what levels of one size have in common that have a piece on the same squares
---@field piece Piece                     without its letter
---@field at integer                      its position on these squares
---@field lane userdata                   all squares that it can cover
---@field slides table<string, Slide[]>   by the walls of its lane

---@class Slide
---@field name string       direction and number of squares
---@field shift integer
---@field enters table<integer, userdata>

--- A piece on some squares of a level.
---@return Shared
local function shared_of(spec, level, squares)
  local left, top, right, bottom = squares:bounds()
  local piece = { width = right - left + 1, height = bottom - top + 1, columns = 1, rows = 1 }
  local first_column, first_row = left, top
  if not spec.along or piece.width > 1 then first_column, piece.columns = 1, level.width - piece.width + 1 end
  if not spec.along or piece.height > 1 then first_row, piece.rows = 1, level.height - piece.height + 1 end
  piece.covers = squares_of.covers(squares, first_column - left, first_row - top, piece.columns, piece.rows)
  local lane = squares
  for _, covered in pairs(piece.covers) do lane = lane | covered end
  return { piece = piece, at = left - first_column + (top - first_row) * piece.columns, lane = lane, slides = {} }
end

--- By piece, the numbers of the pieces with which it is interchangeable, itself included, in the order of their positions.
---@return integer[][]
local function alike_of(spec, level)
  local by_shape, alike = {}, {}
  for number, piece in ipairs(level.pieces) do
    local shape = spec.twins and number ~= level.target and piece.covers[0]:key() or number
    by_shape[shape] = by_shape[shape] or {}
    table.insert(by_shape[shape], number)
    alike[number] = by_shape[shape]
  end
  for _, numbers in pairs(by_shape) do
    table.sort(numbers, function(a, b) return level.at[a] < level.at[b] end)
  end
  return alike
end

--- The slides of a piece of a level.
---@param shared Shared
---@return Slide[]
local function slides_of(spec, level, shared)
  local piece, all, slides = shared.piece, ~level.nothing, {}
  for _, direction in ipairs(directions.names) do
    local step = directions.steps[direction]
    local furthest = (step[1] ~= 0 and piece.columns or piece.rows) - 1
    for count = 1, math.min(furthest, spec.single and 1 or furthest) do
      table.insert(slides, { name = direction .. count, shift = count * (step[1] + step[2] * piece.columns),
        enters = squares_of.enters(piece.covers, piece.columns, piece.rows, step[1], step[2], count, level.wall, all) })
    end
  end
  return slides
end

--- Adds a piece to a level, and its slides.
---@param shared Shared
local function add_piece(spec, level, letter, shared)
  local number, walls, slides, moves = #level.pieces + 1, (level.wall & shared.lane):key(), level.slides, level.moves
  level.pieces[number], level.at[number] = lists.merge(shared.piece, { letter = letter }), shared.at
  shared.slides[walls] = shared.slides[walls] or slides_of(spec, level, shared)
  for _, slide in ipairs(shared.slides[walls]) do
    local name = letter .. slide.name
    moves[#moves + 1], slides.piece[name], slides.shift[name], slides.enters[name] = name, number, slide.shift, slide.enters
  end
end

--- By position of the target, whether it is out; and whether it can be.
local function goal_of(spec, covers)
  local goal, can_be, side = {}, false, sides[spec.exit]
  for position, squares in pairs(covers) do
    local bounds, edges = { squares:bounds() }, { 1, 1, squares:size() }
    goal[position] = spec.place and bounds[1] == spec.place[1] and bounds[2] == spec.place[2]
      or not spec.place and bounds[side] == edges[side]
    can_be = can_be or goal[position]
  end
  return goal, can_be
end

--- The problem of the squares of a letter: found, expected, column, row; nil if there is none.
local function misshapen(spec, letter, squares)
  local x, y = squares:first()
  local apart = squares - (squares - squares):with(x, y):flood(squares)
  if apart:any() then return ("'%s' apart from the others"):format(letter), "connected squares of a piece", apart:first() end
  local left, top, right, bottom = squares:bounds()
  local width, height = right - left + 1, bottom - top + 1
  if spec.along and (width == 1) == (height == 1) then
    return ("a piece '%s' of %d x %d squares"):format(letter, width, height), "one square wide, and longer", x, y
  end
end

--- The level of the boards of its letters and walls; or nil and what is wrong: found, expected, column, row.
---@param planes table<string, userdata>
---@return table?
local function level_of(spec, planes, width, height)
  local nothing = board.new(width, height)
  local level = { width = width, height = height, wall = planes.wall or nothing, nothing = nothing, single = spec.single,
    explores = spec.explores, pieces = {}, at = {}, moves = {}, slides = { piece = {}, shift = {}, enters = {} } }
  local size = width .. "x" .. height
  for letter in letters.all:gmatch "." do
    local squares = planes[letter]
    if squares and squares:any() then
      local key = size .. squares:key()
      if not spec.shared[key] then
        local found, expected, x, y = misshapen(spec, letter, squares)
        if found then return nil, found, expected, x, y end
        if #lists.keys(spec.shared) >= MOST_SHARED then spec.shared = {} end
        spec.shared[key] = shared_of(spec, level, squares)
      end
      add_piece(spec, level, letter, spec.shared[key])
      if letter == spec.target then level.target = #level.pieces end
    end
  end
  if not level.target then return nil, ("no piece '%s'"):format(spec.target), "it, to get out" end
  local can_be
  level.goal, can_be = goal_of(spec, level.pieces[level.target].covers)
  if not can_be then return nil, ("'%s' that cannot slide to the exit"):format(spec.target), "a way out" end
  level.alike = alike_of(spec, level)
  if #level.moves == 0 then return nil, "pieces that have no room to slide", "room for one" end
  local found
  function level.distances()
    if found == nil then found = width * height <= 64 and slide_states.of(level):distances() or false end
    return found or nil
  end
  return level
end

local ipairs = ipairs -- a step that reaches all globals could not be compared with that of another level

--- Sorts the positions of interchangeable pieces, all but one of which are in order.
local function sort(at, alike)
  local function order(i)
    local a, b = alike[i], alike[i + 1]
    at[a], at[b] = math.min(at[a], at[b]), math.max(at[a], at[b])
  end
  for i = 1, #alike - 1 do order(i) end
  for i = #alike - 1, 1, -1 do order(i) end
end

--- The step of crux.search.
local function step(now, move, level)
  local slides, at, taken = level.slides, now.at, level.nothing
  local sliding = slides.piece[move]
  for number, piece in ipairs(level.pieces) do taken = taken | piece.covers[at[number]] end
  if (slides.enters[move][at[sliding]] & taken):any() then return false end
  at[sliding] = at[sliding] + slides.shift[move]
  sort(at, level.alike[sliding])
  return sliding == level.target and level.goal[at[sliding]]
end

slide_states.register(step)

local function start(level) return { at = lists.copy(level.at) }, level.goal[level.at[level.target]] end

local function state(level)
  local most = 0
  for _, piece in ipairs(level.pieces) do most = math.max(most, piece.columns * piece.rows - 1) end
  return { at = kinds.array(#level.pieces, kinds.integer(0, most)) }
end

--- The boards of a level in a state, by letter, and its walls.
local function planes_of(level, now)
  local planes, at = { wall = level.wall }, (now or level).at
  for number, piece in ipairs(level.pieces) do planes[piece.letter] = piece.covers[at[number]] end
  return planes
end

--- The colours of pieces: the target alone is red.
local function inks_of(target)
  local inks = {}
  for letter, ink in pairs(letters.colours()) do inks[letter] = ink:gsub("red", "white") end
  inks[target] = "red"
  return inks
end

local border = 0.35 -- squares around the board, for the arrow at the exit

--- An arrow out of the board, beside the squares of the target that leave it first.
local function paint_exit(spec, level, at, canvas)
  local left, top, right, bottom = level.pieces[level.target].covers[at]:bounds()
  local x, y = (left + right) / 2, (top + bottom) / 2
  if spec.exit == "R" or spec.exit == "L" then
    x = spec.exit == "R" and level.width + 0.55 or 0.45
  else
    y = spec.exit == "D" and level.height + 0.55 or 0.45
  end
  local right_by, down_by = table.unpack(directions.steps[spec.exit])
  canvas:arrow({ { x, y }, { x + right_by * border * 0.6, y + down_by * border * 0.6 } }, "red", 0.08)
end

--- Pieces with a gap between them, their letters, walls, and the exit.
local function painter(spec, inks)
  return function(level, _, canvas, now)
    local at = (now or level).at
    canvas:size(level.width, level.height, spec.place and 0 or border)
    canvas:grid()
    if not spec.place then paint_exit(spec, level, at[level.target], canvas) end
    for x, y in level.wall:cells() do canvas:cell(x, y, "wall") end
    for number, piece in ipairs(level.pieces) do
      if now then canvas:thing(piece.letter) end
      local squares, ink = piece.covers[at[number]], inks[piece.letter]
      for x, y in squares:cells() do
        canvas:cell(x, y, ink, 0.8)
        if squares:shift "L":has(x, y) then canvas:line({ { x, y }, { x + 1, y } }, ink, 0.8) end
        if squares:shift "U":has(x, y) then canvas:line({ { x, y }, { x, y + 1 } }, ink, 0.8) end
      end
      local x, y = squares:first()
      canvas:label(x, y, piece.letter, "ground", 0.5)
    end
  end
end

--- A piece of a length somewhere on free squares, across or down; nil if there is no room.
local function placed(random, free, length)
  local firsts, direction = free, random:pick { "L", "U" }
  for _ = 2, length do firsts = firsts:shift(direction) & free end
  local x, y = firsts:pick(random)
  local piece = x and (free - free):with(x, y)
  for _ = 2, x and length or 1 do piece = piece | piece:shift(directions.opposites[direction]) end
  return piece
end

--- The lengths of generated pieces, the target's first.
local function lengths_of(make)
  local lengths = {}
  for _, option in ipairs(make.options) do
    if option.length then table.insert(lengths, option.length) end
  end
  return lengths
end

--- A generator, small changes, and options for measures of the same names.
---@param names string[]   the letters of pieces
local function add_generator(game, spec, names)
  local make, lengths, others = spec.generate, lengths_of(spec.generate), {}
  for _, name in ipairs(names) do
    if name ~= spec.target then table.insert(others, name) end
  end
  game.options = make.options

  --- The target at the exit.
  local function solved(side)
    local ends = { L = { 1, make.line }, U = { make.line, 1 }, R = { side, make.line }, D = { make.line, side } }
    local squares = board.new(side, side, { ends[spec.exit] })
    for _ = 2, lengths[1] do squares = squares | squares:shift(directions.opposites[spec.exit]) end
    return squares
  end

  function game.generate(random, options)
    local side, count = options.side, 0
    if side < math.max(lengths[1], make.line) then return nil, ("a side of %d has no room"):format(side) end
    local planes = { [spec.target] = solved(side) }
    local free = ~planes[spec.target]
    for _, option in ipairs(make.options) do
      for _ = 1, option.length and options[option[1]] - (option.length == lengths[1] and 1 or 0) or 0 do
        local squares = placed(random, free, option.length)
        count = count + 1
        if not squares or not others[count] then return nil, "no room for the pieces" end
        planes[others[count]], free = squares, free - squares
      end
    end
    local level = level_of(spec, planes, side, side)
    local farthest, most, now = nil, 0, start(level)
    for _ = 1, make.walks do
      for _ = 1, make.moves do step(now, random:pick(level.moves), level) end
      local length = search.solve(game.search, lists.merge(level, { at = now.at }), { states = MOST_STATES }).length or 0
      if length > most then farthest, most = planes_of(level, now), length end
    end
    if not farthest then return nil, ("the piece '%s' cannot leave the exit"):format(spec.target) end
    return level_of(spec, farthest, side, side)
  end

  --- A piece is put elsewhere, goes or comes.
  function game.vary(level, random)
    local planes, free, how = planes_of(level), ~level.wall, random:pick { "move", "remove", "add" }
    local piece = random:pick(level.pieces)
    if how ~= "add" then planes[piece.letter] = nil end
    for _, other in ipairs(level.pieces) do free = free - (planes[other.letter] or level.nothing) end
    if how == "move" then
      local squares = piece.covers[random:integer(0, piece.columns * piece.rows - 1)]
      if (squares - free):any() then return nil end
      planes[piece.letter] = squares
    elseif how == "add" then
      local letter = 1
      while planes[others[letter]] do letter = letter + 1 end
      if not others[letter] then return nil end
      planes[others[letter]] = placed(random, free, random:pick(lengths))
    end
    return (level_of(spec, planes, level.width, level.height))
  end
end

--- Adds a row of a legend for each character.
local function add_tiles(rows, characters, thing)
  for character in characters:gmatch(utf8.charpattern) do table.insert(rows, { character, thing }) end
end

--- Raises an error if a declaration has wrong values.
---@param names string[]   the letters of pieces
local function check(spec, names)
  local function expect(is_right, field, found, expected)
    if not is_right then error(("crux.kits.slide: field '%s': found %s, expected %s"):format(field, found, expected), 0) end
  end
  expect(sides[spec.exit], "exit", ("'%s'"):format(spec.exit), "U, L, D or R")
  expect(lists.contains(names, spec.target), "target", ("'%s'"):format(spec.target), "a letter that is neither free nor a wall")
  if not spec.generate then return end
  declaration.check_generator("crux.kits.slide", spec.generate, generator_fields, lists.keys(generator_fields))
  expect(spec.generate.moves >= 1, "generate", "moves = " .. spec.generate.moves, "at least 1")
  expect(not spec.place, "generate", "it beside 'place'", "an exit")
  expect(lengths_of(spec.generate)[1], "generate", "no option with a length", "one, for the target")
end

--- The slides of the piece on a square by direction.
local function pick(level, now, x, y)
  for number, piece in ipairs(level.pieces) do
    if piece.covers[now.at[number]]:has(x, y) then
      local slides = {}
      for _, direction in ipairs(directions.names) do
        local name = ("%s%s1"):format(piece.letter, direction)
        slides[direction] = level.slides.piece[name] and name
      end
      return slides
    end
  end
end

--- The table for pages in a browser, in which a player can drag each piece.
local function hand_of(level, now)
  local things = lists.map(lists.keys(level.pieces), function(number)
    local piece = level.pieces[number]
    return { name = piece.letter, squares = hand.squares(piece.covers[now.at[number]]), across = piece.columns > 1,
      down = piece.rows > 1 }
  end)
  return { kind = "slide", key = "enter", width = level.width, height = level.height, things = things,
    solid = hand.squares(level.wall) }
end

--- Slides of a piece in one direction, with nothing else between, are one slide.
local function join(level, before, move)
  local way, first = before:match "^(.%u)(%d+)$"
  local name = way .. math.tointeger(first + move:match "%d+$")
  return way == move:match "^.%u" and level.slides.piece[name] and name or nil
end

function kit.new(given, new, refuse)
  declaration.check("crux.kits.slide", given, kit.fields, { "name" })
  local spec = lists.merge({ target = "A", exit = "R", empty = ".o", walls = "#x" }, given)
  spec.shared = {}
  local tiles = { expected = "a letter, a digit or one of " .. spec.empty .. spec.walls }
  add_tiles(tiles, spec.empty)
  add_tiles(tiles, spec.walls, "wall")
  local rows, names = letters.added(tiles)
  check(spec, names)
  local reader, game = legend.new(rows), declaration.game(spec, new)

  function game.parse(text)
    local planes, width, height = reader:parse(text)
    if not planes then error(width, 0) end
    local level, found, expected, x, y = level_of(spec, planes, width, height)
    return level or refuse(found, expected, x, y)
  end

  function game.format(level, _, now)
    local planes = planes_of(level, now)
    for _, name in ipairs(names) do planes[name] = planes[name] or level.nothing end
    return reader:format(planes)
  end

  game.search = { moves = function(level) return level.moves end, state = state, start = start, step = step }
  game.pick, game.hand, game.join = pick, hand_of, join
  function game.notation(_, solution) return table.concat(solution.moves, " ") end

  local function space(level)
    local goal = {}
    for position in pairs(level.goal) do goal[position] = false end
    return lists.merge(level, { goal = goal, explores = false })
  end
  game.variants = lists.merge({ space = space }, spec.variants or {})
  game.colours = inks_of(spec.target)
  game.paint = painter(spec, game.colours)
  if spec.generate then add_generator(game, spec, names) end
  return declaration.override(game, spec)
end

return kit
