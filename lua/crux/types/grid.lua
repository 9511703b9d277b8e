---@meta
--- `crux.grid`, by which scripts declare games of tiles on a grid, and its functions on squares.

--- Makes a game of tiles from its declaration; a game script returns it. The fields of crux.grid are functions for such games.
---@type crux.GridMaker
crux.grid = {}

---@class crux.GridMaker
---@overload fun(declaration: crux.Grid): crux.Game
local GridMaker = {}

--- A game of tiles. Things are named by the rows of `tiles`; a level has a board for each thing, `width`, `height`, `notes`, and
--- `floor`, the squares without a `wall`. The functions of crux.game, but for `parse` and `search`, may be given instead of what
--- follows from the other fields.
---@class crux.Grid
---@field name string
---@field doc string?              one line about it
---@field files table?             endings of level files, and of crux.game `rows`, `starts`, `comment`; `runs = true`: "3#" is "###"
---                                and "|" ends a row
---@field tiles string[][]         { character, thing, ... }; a blank as a tile fills short rows; `colour` in terminals
---@field look table[]?            bottom to top { thing, "colour shape", sign = text }, shape square, dot, disc, ring or none;
---                                `path = thing`: an arrow along its way in a solution
---@field check table?             what a level must have: `man = 1`, `key = { 0, 3 }`, `box = "goal"`: as many, and some;
---                                `closed = "man"`: walls around all that it can reach; and functions (level), which return
---                                nothing or found, expected, x and y
---@field notes table<string, integer[]>?   numbers of a level by comments such as "; stamina: 30": { without a note, least, greatest }
---@field board nil|fun(level: table)       computes, once, what the other functions need of a level
---@field moves string[]           names, the same for all levels; their order ranks shortest solutions
---@field state table              names of the boards that change; and other values by kind, `turns = crux.integer(0, 9)`, or by a
---                                function that returns the kind for a level. They start as the level's fields of these names
---@field step fun(now: table, move: string, level: table): boolean?, boolean?   changes the state; won and lost without `won`
---@field won nil|fun(now: table, level: table): boolean
---@field lost nil|fun(now: table, level: table): boolean
---@field heuristic nil|fun(now: table, level: table): integer   at most the number of remaining moves
---@field informed boolean?        false: search without the heuristic
---@field shown nil|fun(now: table, level: table): table<string, crux.Board>   the boards of a state whose fields are no boards
---@field status nil|fun(now: table, level: table): string   a line under the drawing of a state
---@field capitals string?         solutions have the moves that change this field in capitals, the others in small letters
---@field measures table[]         { name, count = thing }, { name, changes = field }, { name, moves = true }, { name, size = true },
---                                or rows of crux.game's `measure`; each with `doc`
---@field generate crux.GridGenerator?
---@field notation nil|fun(level: table, solution: crux.Solution): string
---@field draw nil|fun(level: table, solution: crux.Solution?, state: table?): string
---@field paint nil|fun(level: table, solution: crux.Solution?, canvas: crux.Canvas)
---@field vary nil|fun(level: table, random: crux.Random, options: table): table?
---@field options_for nil|fun(wanted: table<string, number>, meets: crux.Meets): table?, string?
---@field colours table<string, string>?
---@field variants table<string, fun(level: table): table>?
---@field requires table<string, number>?

--- How levels are made: a level at random, or one that is solved, from which moves back lead to a start.
---@class crux.GridGenerator
---@field options crux.Option[]    one that is named as a measure is set by what `--like` wants of that measure
---@field level nil|fun(random: crux.Random, options: table): table<string, crux.Board>?, string?   the boards of its things; or
---                                nil and the reason
---@field solved nil|fun(random: crux.Random, options: table): table<string, crux.Board>?, string?   those of a solved level
---@field back nil|fun(now: table, move: string, level: table, coin: crux.Coin): boolean   as crux.Walk's
---@field moves integer?           of the walk back
