---@meta
--- `crux.kits`, by which scripts declare games of the families that C solves.

--- The fields of all declarations. A function of crux.game that is given here replaces that of the kit.
---@class crux.Declaration
---@field name string
---@field doc string?              one line about it
---@field files table?             endings of level files, and `rows`, `starts`, `comment` of crux.game
---@field measures table[]         rows of crux.game's `measure`, or { name, count = thing }, { name, share = thing },
---                                { name, moves = true }, { name, size = true }; each with `doc`; of variants as
---                                crux.GridDeclaration's
---@field requires table<string, number>?
---@field alike string[]?
---@field variants table<string, fun(level: table): table>?
---@field notation nil|fun(level: table, solution: crux.Solution): string
---@field draw nil|fun(level: table, solution: crux.Solution?, state: table?): string
---@field paint nil|fun(level: table, solution: crux.Solution?, canvas: crux.Canvas, now: table?)
---@field options_for nil|fun(wanted: table<string, number>, meets: crux.Meets, options: table): table?, string?   `options`
---                                has the values that follow from the rows of the generator's options
---@field vary nil|fun(level: table, random: crux.Random, options: table): table?
---@field colours table<string, string>?
---@field keys table<string, string>?
---@field translations table<string, table<string, string>>?

--- Games in which the fewest rectangles cover each square of a board once: `lua/crux/kits/exact_cover.lua`.
---@class crux.ExactCover: crux.Declaration
---@field tiles string[][]         { character, thing, ... }
---@field blocked string           the thing on squares that cannot be covered
---@field look table[]?            as crux.GridDeclaration's
---@field generate { options: table[] }?   a row "side", and rows of numbers of tiles with `tile = character`

--- Games in which pieces slide until one of them, the target, is out: `lua/crux/kits/slide.lua`.
---@class crux.Slide: crux.Declaration
---@field target string?           its letter; "A" unless given
---@field exit "U"|"L"|"D"|"R"|nil   the edge that it has to reach; "R" unless given
---@field place integer[]?         instead of an exit, the column and the row where its upper left corner has to be
---@field along boolean?           pieces are one square wide and slide along their length only
---@field single boolean?          a move is a slide by one square, not by any number of squares
---@field twins boolean?           pieces of one shape are interchangeable
---@field empty string?            the characters of free squares; ".o" unless given
---@field walls string?            the characters of squares where no piece can be; "#x" unless given
---@field generate { line: integer, walks: integer, moves: integer, options: table[] }?   `options`: a row "side", and rows
---                                with `length = squares`, each the number of pieces of a length, the target's first. `walks`
---                                random walks of `moves` slides follow each other, the first from the exit in row (or
---                                column) `line`. The level starts at the end of a walk that is farthest from the exit

--- Games by their families. `crux.kits.NAME { ... }` makes a game, which a script returns.
---@class crux.kits
crux.kits = {}

--- Games in which blocks are placed so that the beams of lasers pass all targets. A level has `width`, `height`, `tiles`,
--- `planes`, `emitters`, `targets` and `blocks`; a solution `tiles` and `trace`. `lua/crux/kits/beams.lua`
---@param declaration crux.Declaration
---@return crux.Game
function crux.kits.beams(declaration) end

--- Games in which rectangles cover a board. A level has `planes`, `usable`, `rows` and `pieces`; a solution `cover`.
---@param declaration crux.ExactCover
---@return crux.Game
function crux.kits.exact_cover(declaration) end

--- Games in which paths join pairs of endpoints and cover a board. A level has `width`, `height`, `letters`, `endpoints` and
--- `cells`; a solution `paths` and `turns`. `lua/crux/kits/path_cover.lua`
---@param declaration crux.Declaration
---@return crux.Game
function crux.kits.path_cover(declaration) end

--- Games in which pieces slide, such as Rush Hour. A level has `width`, `height`, `wall`, `nothing`, `target`, `pieces`,
--- `moves`, `slides`, `at` and `distances`; a state `at`; and there is the variant `space`, a level without an exit.
---@param declaration crux.Slide
---@return crux.Game
function crux.kits.slide(declaration) end

--- Makes a puzzle of cells and candidates from its declaration; a game script returns it. `lua/crux/kits/deduce.lua`
---@param declaration crux.Deduce
---@return crux.Game
function crux.kits.deduce(declaration) end

--- A puzzle in which each cell gets one of some values. A level has a board for each thing of its tiles, `drawn` with these
--- alone, `width`, `height`, and `start`, its candidates: by value the board of the cells that may have it, and `open`, the
--- cells whose value is not known. `draw`, `paint`, `notation`, `vary` and `options_for` of crux.game may be given, too.
---@class crux.Deduce
---@field name string
---@field doc string?
---@field files table?             as crux.GridDeclaration's
---@field tiles string[][]         { character, thing, ... }; a tile with values allows its cell no others
---@field values string[]          the things of which each cell has one
---@field columns integer?         a level with this number of columns and of rows may be written in one line
---@field units table<string, integer[]|fun(level: table): crux.Board[]>?   by group, sets of cells that have each value
---                                once: boards, or the width and height of rectangles, as { 3, 3 }
---@field look table[]?            as crux.GridDeclaration's; all other tiles are drawn as their characters
---@field frame string?            the group between whose units lines are drawn
---@field board nil|fun(level: table)      computes, once, what the other functions need of a level
---@field check table?             as crux.GridDeclaration's, without `closed`
---@field techniques crux.Technique[]   in order of grade
---@field guess number?            the grade of a guess; 1000 unless given
---@field won nil|fun(now: table, level: table): boolean   tells whether candidates of which each cell has one are a solution.
---                                With it solutions are found by the techniques and by trying candidates, not by units
---@field measures table[]         { "hardest", deduced = true }, also steps, grades, effort, open, fewest, narrow, guesses,
---                                unique;
---                                { name, uses = technique, doc = ... }; or rows as crux.GridDeclaration's
---@field generate crux.DeduceGenerator?

--- A technique: one of the common ones on units, `last`, `naked`, `hidden`, `fish` or `colours`
--- (`src/puzzle/deductions.h`), or a function.
---@class crux.Technique
---@field [1] string               its name
---@field grade number             how long a deduction takes to be found, beside the other techniques
---@field late boolean?            it is tried only if those before it find nothing
---@field last true?               finds the last open cell of a unit
---@field naked integer?           n: finds n cells of a unit that have n candidates in total
---@field hidden integer?          n: finds n values that have n cells of a unit in total
---@field fish integer?            n: finds n units in which the cells of a value are in n units of another group; 1 is pointing
---@field colours true?            follows chains of the cells of a value
---@field units string?            the groups that a common technique looks at, separated by blanks; all unless given
---@field removes string?          the value that each cell of find's board loses
---@field find nil|fun(now: table, level: table): table   deductions: by value the boards of the cells that lose it

--- How levels with one solution are made.
---@class crux.DeduceGenerator
---@field options crux.Option[]    with `solved` also `hardest`, the grade that a level needs, and `givens`, the fewest cells
---                                that stay given
---@field level nil|fun(random: crux.Random, options: table): table<string, crux.Board>?, string?   a level; refused
---                                if it has several solutions
---@field solved nil|fun(random: crux.Random, options: table): table<string, crux.Board>?, string?   a solved level, whose given
---                                cells are taken away one by one
