---@meta
--- `crux.kits`, by which scripts declare games of the families that C solves.

--- What all declarations have; the functions of crux.game that are given here take the place of the kit's.
---@class crux.Declaration
---@field name string
---@field doc string?              one line about it
---@field files table?             endings of level files, and `rows`, `starts`, `comment` of crux.game
---@field measures table[]         rows of crux.game's `measure`, or { name, count = thing }, { name, moves = true },
---                                { name, size = true }; each with `doc`
---@field requires table<string, number>?
---@field alike string[]?
---@field variants table<string, fun(level: table): table>?
---@field notation nil|fun(level: table, solution: crux.Solution): string
---@field draw nil|fun(level: table, solution: crux.Solution?, state: table?): string
---@field paint nil|fun(level: table, solution: crux.Solution?, canvas: crux.Canvas)
---@field options_for nil|fun(wanted: table<string, number>, meets: crux.Meets): table?, string?
---@field vary nil|fun(level: table, random: crux.Random, options: table): table?
---@field colours table<string, string>?
---@field keys table<string, string>?

--- Games in which rectangles cover the squares of a board, each once, in as few as possible: `lua/crux/kits/exact_cover.lua`.
---@class crux.ExactCover: crux.Declaration
---@field tiles string[][]         { character, thing, ... }
---@field blocked string           the thing on squares that cannot be covered
---@field look table[]?            as crux.GridDeclaration's
---@field generate { options: table[] }?   a row "side", and rows of numbers of tiles with `tile = character`

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
