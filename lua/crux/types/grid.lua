---@meta
--- `crux.grid`, by which scripts declare games of tiles on a grid, and its functions on squares.

--- Makes a game of tiles from its declaration, `crux.grid { ... }`, which a game script returns. The functions of crux.grid are
--- for such games; push, pull, union, within, number, place, ahead and has may be used in a `step` that C runs.
--- `lua/crux/kits/squares.lua`, `lua/crux/kits/places.lua`
---@class crux.grid
---@overload fun(declaration: crux.GridDeclaration): crux.Game
crux.grid = {}

--- The same as `crux.grid { ... }`.
---@param declaration crux.GridDeclaration
---@return crux.Game
function crux.grid.game(declaration) end

--- The opposite of each direction.
---@type table<string, string>
crux.grid.back = {}

--- All squares of a list of boards.
---@param list crux.Board[]   with a board at least
---@return crux.Board
function crux.grid.union(list) end

--- Tells whether all squares of a board are in another one; of two lists, those of each board in the other's one.
---@param a crux.Board|crux.Board[]
---@param b crux.Board|crux.Board[]
---@return boolean
function crux.grid.within(a, b) end

--- Moves a man: to the next square in a direction if that is free, or pushing the thing on it if the square beyond is free and
--- has no other thing. Returns the man and the things after the move.
---@param man crux.Board
---@param things crux.Board
---@param direction "U"|"L"|"D"|"R"
---@param free crux.Board   the squares on which man and things may be
---@return crux.Board, crux.Board
function crux.grid.push(man, things, direction, free) end

--- Takes a push or a step in a direction back: the man goes back by a square, and the thing ahead of him comes along. Returns
--- the man, on no square if the one behind him is not free, and the things.
---@param man crux.Board
---@param things crux.Board
---@param direction "U"|"L"|"D"|"R"
---@param free crux.Board
---@return crux.Board, crux.Board
function crux.grid.pull(man, things, direction, free) end

--- The squares to which a man who pulls can bring a thing from some squares, these included.
---@param from crux.Board
---@param free crux.Board
---@return crux.Board
function crux.grid.pullable(from, free) end

--- The things that no push can move any more, whatever else moves; `dead` has squares from which none can come to a goal.
---@param things crux.Board
---@param walls crux.Board
---@param dead crux.Board?
---@return crux.Board
function crux.grid.frozen(things, walls, dead) end

--- The squares at the edge of a board's size.
---@param of crux.Board
---@return crux.Board
function crux.grid.edge(of) end

--- The squares around some squares, corners included.
---@param some crux.Board
---@return crux.Board
function crux.grid.around(some) end

--- The squares that a thing could reach if only the squares of the level's board `wall` were blocked.
---@param level table<string, crux.Board>
---@param thing string
---@return crux.Board
function crux.grid.reach(level, thing) end

--- The part of a board within a rectangle, which may go beyond it, as a board of the rectangle's size.
---@param of crux.Board
---@param left integer
---@param top integer
---@param width integer
---@param height integer
---@return crux.Board
function crux.grid.window(of, left, top, width, height) end

--- The number of a square, for tables that a `step` looks up. No square beyond the edge has the number of one on the board.
---@param level table
---@param x integer
---@param y integer
---@return integer
function crux.grid.number(level, x, y) end

--- The column and row of a number.
---@param level table
---@param number integer
---@return integer x, integer y
function crux.grid.place(level, number) end

--- The number of the square beside another one; for a move that is no direction, the same number.
---@param level table
---@param number integer
---@param move string
---@return integer
function crux.grid.ahead(level, number, move) end

--- Tells whether a number is one of a list.
---@param numbers integer[]
---@param number integer
---@return boolean
function crux.grid.has(numbers, number) end

--- The numbers of the squares of a board, in reading order; of those alone whose bits are set, if given.
---@param level table
---@param of crux.Board
---@param bits integer?
---@return integer[]
function crux.grid.list(level, of, bits) end

--- The board of numbered squares.
---@param level table
---@param numbers integer[]
---@return crux.Board
function crux.grid.board(level, numbers) end

--- A table of the moves from each square to the nearest square of a board within some free ones, and of `onward` moves more;
--- 2,000 where no way leads, and in place of larger numbers.
---@param level table
---@param to crux.Board
---@param free crux.Board
---@param onward integer?
---@return table<integer, integer>
function crux.grid.distances(level, to, free, onward) end

--- A table of bits that say what is on each square: one for each thing, and for a thing whose field of the state is "bits" one
--- for each of its squares, behind each other in the order of the names. Around the board is the first thing.
---@param level table
---@param names string[]
---@return table<integer, integer>
function crux.grid.things(level, names) end

--- The columns and rows of a thing in the states of a solution.
---@param solution crux.Solution
---@param thing string   whose field of the state is a board or "square"
---@return integer[][]
function crux.grid.way(solution, thing) end

--- The share of the squares that a thing is on in one of two solutions on which it is in both.
---@param solution crux.Solution
---@param other crux.Solution
---@param thing string
---@return number
function crux.grid.overlap(solution, other, thing) end

--- A table of an integer for the number of each square, and for those around the board, which a `step` looks up.
---@param level table
---@param outside integer   the value around the board, and of squares for which `of` returns nil
---@param of fun(x: integer, y: integer): integer?
---@param most integer      a bound on the values for all levels, so that levels share a program
---@return table<integer, integer>
function crux.grid.numbers(level, outside, of, most) end

--- A random connected room and the walls around it. Each square inside a margin of one square is a wall with a probability;
--- the room has the other squares that are connected to a random one of them.
---@param random crux.Random
---@param width integer
---@param height integer
---@param walls number   the probability
---@return crux.Board room, crux.Board wall
function crux.grid.room(random, width, height, walls) end

--- A number of squares of a board at random; nil if it has fewer.
---@param random crux.Random
---@param from crux.Board
---@param count integer
---@return crux.Board?
function crux.grid.some(random, from, count) end

--- A game of tiles. Things are named by the rows of `tiles`; a level has a board for each thing, `width`, `height`, `notes`,
--- and `floor`, the squares without a `wall`. A function of crux.game that is given here, but for `parse` and `search`,
--- replaces the one that follows from the other fields.
---@class crux.GridDeclaration
---@field name string
---@field doc string?              one line about it
---@field files table?             endings of level files, and `rows`, `starts`, `comment` of crux.game; `runs = true`: "3#" is
---                                "###" and "|" ends a row
---@field tiles string[][]         { character, thing, ... }; a blank as a tile fills short rows; `colour` in terminals
---@field coloured string[]?       things in 26 colours: in tiles of one or two of them a letter for each thing stands for all
---                                letters, as { "aA", "ball", "goal" }. A level has `colours`, the numbers of its colours,
---                                and for such a thing the list of its boards, as states have
---@field look table[]?            bottom to top { thing, "colour shape", sign = text }, the shape being square, dot, disc, ring
---                                or none; of coloured things the word "colour" stands for theirs, and `sign = true` is their
---                                letter; `path = thing`: an arrow along its way in a solution; `moves = true`: its moves are
---                                arrows below the board; `lines = true`: between squares
---@field check table?             conditions of levels: `man = 1`, exactly one; `key = { 0, 3 }`, from 0 to 3; `box = "goal"`,
---                                equal numbers of both, and at least one; `closed = "man"`, walls around all squares that
---                                the man can reach; and functions (level), which return nothing, or found, expected, x, y
---@field notes table<string, integer[]>?   numbers of a level by comments such as "; stamina: 30": { the value without a note,
---                                the least, the greatest or the name of the note that has it }
---@field board nil|fun(level: table)       computes, once, what the other functions need of a level
---@field moves string[]           names, the same for all levels; their order ranks shortest solutions
---@field state table              names of the boards that change; and other values by kind, `turns = crux.integer(0, 9)`, or
---                                by a function that returns the kind for a level. Each starts as the level's field or note of
---                                its name, a flag as false. `man = "square"` is the number of the man's square,
---                                `dog = "squares"` the list of those of the dogs, and `key = "bits"` an integer with a bit
---                                for each key that is still there. A level has `squares`, lists of these things' numbers,
---                                and `bits`, the number of bits of a field
---@field step fun(now: table, move: string, level: table): boolean?, boolean?   changes the state; returns won and lost if
---                                there is no `won`
---@field won nil|fun(now: table, level: table): boolean
---@field lost nil|fun(now: table, level: table): boolean|table<string, boolean>   conditions by name tell players why
---@field paths table<string, crux.Path>?   as crux.Game's, but `level` returns boards and notes as variants do
---@field heuristic nil|fun(now: table, level: table): integer   at most the number of remaining moves
---@field informed boolean?        false: search without the heuristic
---@field shown nil|fun(now: table, level: table): table<string, crux.Board>   the boards of a state whose fields are others
---@field status nil|fun(now: table, level: table): string   a line under the drawing of a state
---@field capitals string?         solutions have the moves that change this field in capitals, the others in small letters
---@field measures table[]         { name, count = thing }, { name, share = thing }, { name, size = true },
---                                { name, changes = field }, { name, moves = true }, { name, mean = function }, the mean over
---                                the states of a solution of what the function (level, state, before) returns; or rows of
---                                crux.game's `measure`; each with `doc`. `count` and `share` may be a list of things. With
---                                `variant = name` a row in short is about the solution of a variant, and a function gets that
---                                as third argument; `variants = true` makes a measure NAME_VARIANT for each variant, %s in
---                                `doc` being what this leaves out
---@field generate crux.GridGenerator?
---@field notation nil|fun(level: table, solution: crux.Solution): string
---@field draw nil|fun(level: table, solution: crux.Solution?, state: table?): string
---@field paint nil|fun(level: table, solution: crux.Solution?, canvas: crux.Canvas, now: table?)
---@field vary nil|fun(level: table, random: crux.Random, options: table): table?
---@field options_for nil|fun(wanted: table<string, number>, meets: crux.Meets, options: table): table?, string?   `options`
---                                has the values that follow from the rows of the generator's options
---@field colours table<string, string>?
---@field keys table<string, string>?   of moves
---@field translations table<string, table<string, string>>?
---@field pick nil|fun(level: table, now: table, x: integer, y: integer): string|table<string, string>|nil   as crux.Game's
---@field variants table<string, string[]|fun(level: table): table<string, crux.Board>, table<string, integer>?>?   things that
---                                are left out, or the boards and notes that differ, in a changed level, whose solutions
---                                measures compare
---@field requires table<string, number>?
---@field alike string[]?

--- Makes levels: `level` makes one at random, or `solved` makes a solved one, from which a walk of moves back leads to a start.
---@class crux.GridGenerator
---@field options crux.Option[]    their rows tell which measures of `--like` set them, and which tiles are put on squares
---                                without a thing
---@field level nil|fun(random: crux.Random, options: table, nothing: crux.Board?): table<string, crux.Board>?, string?   the
---                                boards of its things; or nil and the reason. `nothing` is an empty board as large as the
---                                options `columns` and `rows`, or `side`, say
---@field solved nil|fun(random: crux.Random, options: table, nothing: crux.Board?): table<string, crux.Board>?, string?   the
---                                boards of a solved level
---@field back nil|fun(now: table, move: string, level: table, coin: crux.Coin): boolean   as crux.Walk's
---@field moves integer?           of the walk back
---@field fixed string[]?          things that variations leave where they are
