---@meta
--- The values of scripts: boards, legends, random numbers, solutions, and the libraries of solvers.

--- A kind of field of a state.
---@class crux.Kind

--- A set of cells. Operators: `&` intersection, `|` union, `-` difference, `~` complement, `#` number of cells, `==`. x counts
--- from 1 at the left, y from 1 at the top, and numbers of cells from 1 in reading order. Boards of different sizes,
--- and places outside of a board (but for `has`), raise errors. `src/boards/board.h`
---@class crux.Board
---@operator band(crux.Board): crux.Board
---@operator bor(crux.Board): crux.Board
---@operator sub(crux.Board): crux.Board
---@operator bnot: crux.Board
---@operator len: integer
local Board = {}

--- Tells whether it has cells.
---@return boolean
function Board:any() end

--- Tells whether it has no cells.
---@return boolean
function Board:none() end

--- Its numbers of columns and rows.
---@return integer width
---@return integer height
function Board:size() end

--- A string, the same for equal boards alone, as a key of tables.
---@return string
function Board:key() end

--- Tells whether the cell is in it; false outside.
---@return boolean
function Board:has(x, y) end

--- The board with the cell added.
---@return crux.Board
function Board:with(x, y) end

--- The board with the cell removed.
---@return crux.Board
function Board:without(x, y) end

--- for x, y, i in board:cells() do: its cells in reading order, with their numbers i.
---@return fun(): integer, integer, integer
function Board:cells() end

--- Its first cell; nothing if it is empty.
---@return integer? x
---@return integer? y
---@return integer? i
function Board:first() end

--- Its n-th cell, n from 1 to #board.
---@param n integer
---@return integer x
---@return integer y
---@return integer i
function Board:nth(n) end

--- A random cell, each with the same probability; nothing if it is empty.
---@param random crux.Random
---@return integer? x
---@return integer? y
---@return integer? i
function Board:pick(random) end

--- A random subset of its cells, each with probability p.
---@param random crux.Random
---@param p number
---@return crux.Board
function Board:sample(random, p) end

--- The smallest rectangle around its cells; nothing if it is empty.
---@return integer? left
---@return integer? top
---@return integer? right
---@return integer? bottom
function Board:bounds() end

--- All cells moved by n steps, 1 unless given. Cells that leave the board are lost; with `wrap` they enter at the other side.
---@param direction "U"|"L"|"D"|"R"
---@param n integer?
---@param wrap boolean?
---@return crux.Board
function Board:shift(direction, n, wrap) end

--- The cells next to its cells.
---@return crux.Board
function Board:neighbours() end

--- The cells that are connected to its cells within the mask.
---@param mask crux.Board
---@return crux.Board
function Board:flood(mask) end

--- The boxes (the cells of this board) that can never be pushed to a goal, as each is blocked across and down: beside it is a
--- wall, the edge of the board or another such box, or both cells beside it are dead.
---@param walls crux.Board
---@param dead crux.Board?   cells from which no box comes to a goal
---@return crux.Board
function Board:frozen(walls, dead) end

--- The boxes (cells of this board) of which one is pushed next in a solution with the fewest pushes, if there is a solution:
--- those around a corral, an area that the man cannot reach, if he can push them only into it; else all boxes.
---@param reach crux.Board   cells that the man can walk to
---@param walls crux.Board
---@param dead crux.Board    cells from which no box comes to a goal
---@param goals crux.Board
---@return crux.Board
function Board:corral(reach, walls, dead, goals) end

--- Its connected parts, in reading order of their first cells.
---@return crux.Board[]
function Board:components() end

--- The distances of all cells from its cells, in reading order: steps within the mask, -1 without a path.
---@param mask crux.Board?
---@return integer[]
function Board:distances(mask) end

--- The cells at a city-block distance of at most 0, 1, 2, ... from its cells.
---@param count integer?
---@return crux.Board[]
function Board:rings(count) end

--- The meaning of the characters of a level's text.
---@class crux.Legend
local Legend = {}

--- The boards of a text by plane; or nil and a message, for assert(legend:parse(text)). `line` is the number of its first line.
---@param text string
---@param line integer?
---@return table<string, crux.Board>?
---@return integer|string width
---@return integer height
function Legend:parse(text, line) end

--- The text of boards by plane; absent planes are empty.
---@param planes table
---@return string
function Legend:format(planes) end

--- Random numbers, the same on every machine: xoshiro256**, `src/stats/random.h`. Bounds in the wrong order, an empty list and
--- a probability outside of 0 to 1 are errors.
---@class crux.Random
local Random = {}

--- An integer from low to high, both included.
---@param low integer
---@param high integer
---@return integer
function Random:integer(low, high) end

--- A number from 0 to below 1.
---@return number
function Random:real() end

--- True with probability p.
---@param p number
---@return boolean
function Random:chance(p) end

--- The list in random order.
---@generic T
---@param list T[]
---@return T[]
function Random:shuffle(list) end

--- A random element.
---@generic T
---@param list T[]
---@return T
function Random:pick(list) end

--- The random choices of `back` of a walk.
---@class crux.Coin
local Coin = {}

--- A random subset of a board's cells, each with probability p.
---@param board crux.Board
---@param p number
---@return crux.Board
function Coin:sample(board, p) end

--- True with probability p.
---@param p number
---@return boolean
function Coin:chance(p) end

--- The solution of a level, an argument of measures and draw, with the fields that a game's `solve` adds.
---@class crux.Solution
---@field status "solved"|"unsolvable"|"unknown"
---@field length integer?       moves
---@field moves string[]?       of a search: their names
---@field way table[]?          for measures of the kind "solution": its states, the start first
---@field text string?          the solution in one line
---@field solutions integer?    their number, if requested and known
---@field expanded integer      number of states whose moves were tried
---@field generated integer     number of moves tried
---@field states integer        number of states found
---@field level table
---@field variants table<string, crux.Solution>   of the game's variants of the level

--- The options of a solver.
---@class crux.SolveOptions
---@field count boolean?     counts the solutions
---@field seconds number?    limit on the time
---@field states integer?    limit on the states or nodes
---@field bytes integer?     limit on the memory

--- A grid to cover by paths.
---@class crux.Grid
---@field width integer      in cells, as height
---@field height integer
---@field cells integer[]    in reading order: 0 empty, -1 blocked, from 1 the colour of an endpoint; two of each
---@field letters string[]?  of the colours, to draw them

--- Covers of a grid by paths between neighbouring cells that join the two endpoints of each colour, found by a sweep over the
--- grid: `src/puzzle/path_cover.h`. A grid of a wrong shape gives nil and a message.
---@class crux.path_cover
crux.path_cover = {}

--- A `game.play` for it.
---@type crux.Play
crux.path_cover.play = {}

--- The cover with the fewest turns: `turns`, `solutions` (the number of covers), and with the option `paths` the cells of each
--- colour's path.
---@param grid crux.Grid
---@param options { paths: boolean?, bytes: integer?, seconds: number? }?
---@return crux.Solution?
---@return string? problem
function crux.path_cover.solve(grid, options) end

--- All covers, each with its `paths` and `turns`; nil if there are too many, or a limit is met.
---@param level table
---@param options crux.SolveOptions
---@return crux.Solution[]?
function crux.path_cover.list(level, options) end

--- Lines of text, a character or more for each cell.
---@param grid crux.Grid
---@param cell_text fun(cell: integer): string
---@return string
function crux.path_cover.rows(grid, cell_text) end

--- The grid with paths on it.
---@param grid crux.Grid
---@param paths table<integer, integer[]>   cells of the path, by colour
---@return string
function crux.path_cover.draw(grid, paths) end

--- A random cover by `count` paths of at least `least` cells each.
---@param random crux.Random
---@return integer[][]?
---@return string? problem
function crux.path_cover.random(width, height, count, least, random) end

--- A cover that differs in one or two paths.
---@param paths integer[][]
---@param random crux.Random
---@return integer[][]?
function crux.path_cover.vary(paths, width, height, least, random) end

---@class crux.Rectangle
---@field x integer          of its first cell
---@field y integer
---@field width integer
---@field height integer
---@field cells integer[]    in reading order

--- Covers of cells by pieces, each cell once, with the fewest pieces: `src/puzzle/exact_cover.h`. A level has `usable`, the
--- board of the cells; `rows`, its text, a character per cell; and `pieces`, the list of pieces.
---@class crux.exact_cover
crux.exact_cover = {}

--- A `game.play` for it.
---@type crux.Play
crux.exact_cover.play = {}

--- The first cover with the fewest options: `pieces`, the numbers of the options; with `count`, also `solutions`, counted up to
--- `count` if that is a number. An option is a list of the items that it covers, numbered from 1.
---@param problem { items: integer, options: integer[][] }
---@param options { count: boolean|integer|nil, nodes: integer?, seconds: number?, bytes: integer? }?
---@return crux.Solution?
---@return string? problem
function crux.exact_cover.solve(problem, options) end

--- The first cover of a level with the fewest pieces.
---@param level table
---@param options crux.SolveOptions
---@return crux.Solution
function crux.exact_cover.cover(level, options) end

--- All covers of a level with the fewest pieces, each with its `cover` and `length`; nil if there are too many, or a limit is
--- met.
---@param level table
---@param options crux.SolveOptions
---@return crux.Solution[]?
function crux.exact_cover.list(level, options) end

--- All rectangles within a board, larger ones first.
---@param board crux.Board
---@return crux.Rectangle[]
function crux.exact_cover.rectangles(board) end

--- The piece on each cell.
---@param pieces crux.Rectangle[]
---@return table<integer, crux.Rectangle>
function crux.exact_cover.owners(pieces) end

--- The level with pieces framed.
---@param level table
---@param pieces crux.Rectangle[]
---@return string
function crux.exact_cover.draw(level, pieces) end

--- The visible pieces of a position of `play`, the chosen one included, and a line about them.
---@param position table
---@param level table
---@return crux.Rectangle[]
---@return string
function crux.exact_cover.shown(position, level) end

--- Tiles, lasers and targets. Places of lasers and targets are in half tiles, from 0.
---@class crux.BeamProblem
---@field width integer          in tiles, as height
---@field height integer
---@field tiles string           in reading order: o usable, x not usable, or a block: A reflects, B absorbs, C passes and
---                              reflects, D refracts
---@field emitters integer[][]   { x, y, dx, dy }
---@field targets integer[][]    { x, y }
---@field blocks table<string, integer>   to place, by kind: { A =, B =, C =, D = }

--- The paths of beams.
---@class crux.Trace
---@field solved boolean         all targets are hit
---@field hit boolean[]          by target
---@field reflections integer    a split counts as one
---@field intersections integer  points that beams pass in both diagonals without turning
---@field points table[]         on the beams: { x =, y =, mark = "\\", "/" or "X", turns = true or nil }

--- Tiles, blocks and lasers of a solution.
---@class crux.Arrangement
---@field usable crux.Board
---@field blocks crux.Board
---@field emitters integer[][]

--- Diagonal beams through blocks on tiles, and placements of the blocks: `src/puzzle/beams.h`, `src/puzzle/placement.h`. A
--- problem of a wrong shape gives nil and a message.
---@class crux.beams
crux.beams = {}

--- A `game.play` for it.
---@type crux.Play
crux.beams.play = {}

--- The first placement of the blocks whose beams pass all targets.
---@param level crux.BeamProblem
---@param options crux.SolveOptions
---@return crux.Solution
function crux.beams.solve(level, options) end

--- The kinds of blocks, in the order of placements.
---@type string[]
crux.beams.kinds = {}

--- The first placement of the blocks in reading order: `status`, `tiles`; with `count`, `solutions`; at a limit, `limit`.
---@param problem crux.BeamProblem
---@param options { count: boolean?, nodes: integer?, seconds: number? }?
---@return crux.Solution?
---@return string? problem
function crux.beams.place(problem, options) end

--- All placements, each with its `tiles` and `trace`; nil if there are too many, or a limit is met.
---@param problem crux.BeamProblem
---@param options crux.SolveOptions
---@return crux.Solution[]?
function crux.beams.list(problem, options) end

--- The paths of the beams through tiles.
---@param problem crux.BeamProblem
---@param tiles string
---@return crux.Trace?
---@return string? problem
function crux.beams.trace(problem, tiles) end

--- The number of different courses that the beams can take with the level's blocks, whatever targets they pass.
---@param problem crux.BeamProblem
---@param options { nodes: integer?, seconds: number? }?
---@return integer?
---@return string? problem
function crux.beams.courses(problem, options) end

--- The number of placements whose beams pass each point, in reading order.
---@param problem crux.BeamProblem
---@param options { nodes: integer?, seconds: number? }?
---@return integer[]?
---@return string? problem
function crux.beams.passes(problem, options) end

--- A problem with these tiles as text.
---@param level crux.BeamProblem
---@param tiles string
---@return string
function crux.beams.draw(level, tiles) end

--- The number of blocks of a kind that these tiles leave to be placed.
---@param level crux.BeamProblem
---@param tiles string
---@param kind string
---@return integer
function crux.beams.left(level, tiles, kind) end

--- A random arrangement of tiles, blocks and emitters; nil if it failed.
---@param count { usable: integer, blocks: integer, emitters: integer }
---@param random crux.Random
---@return crux.Arrangement?
---@return string? problem
function crux.beams.random(columns, rows, count, random) end

--- The arrangement with one change.
---@param arrangement crux.Arrangement
---@param random crux.Random
---@return crux.Arrangement?
function crux.beams.vary(arrangement, random) end

--- Places the targets of a problem on the beams of a solution; nil if there are too few points.
---@param problem crux.BeamProblem
---@param tiles string
---@param count integer
---@param random crux.Random
---@param limits table
---@return crux.Solution?
function crux.beams.set_targets(problem, tiles, count, random, limits) end

--- The canvas of paint. Square (x, y) has its centre at (x, y), the first at (1, 1); shapes may lie between squares. Colours
--- are those of terminals ("red", "bright red", ...), "ground", "floor" and "wall"; sizes and widths are in squares.
---@class crux.Canvas
---@field size fun(self: crux.Canvas, columns: number, rows: number, border: number?)   of the board; called first. The border,
---                 0 to 1 squares, is left free around it
---@field note fun(self: crux.Canvas, text: string)   a line that the page of a study shows below the picture
---@field grid fun(self: crux.Canvas, columns: number?, rows: number?)   lines between squares
---@field cell fun(self: crux.Canvas, x: number, y: number, colour: string, size: number?)   a square
---@field sprite fun(self: crux.Canvas, x: number, y: number, pixels: string[], colours: string[])   rows of digits, which
---                 count the colours ("#RRGGBB") from 0
---@field disc fun(self: crux.Canvas, x: number, y: number, colour: string, size: number?)
---@field ring fun(self: crux.Canvas, x: number, y: number, colour: string, size: number?)
---@field line fun(self: crux.Canvas, points: number[][], colour: string, width: number?)   through { x, y }, ...
---@field arrow fun(self: crux.Canvas, points: number[][], colour: string, width: number?)   the same with a head at its end
---@field label fun(self: crux.Canvas, x: number, y: number, text: string, colour: string, size: number?)   12 letters at most
