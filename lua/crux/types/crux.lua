---@meta
--- Declares the fields of `crux` in game and rule scripts, for editors with a Lua language server; nothing runs this.

crux = {}

--- A value of `step`: an integer, a truth value or a board; while `step` is recorded, a symbol for one.
---@alias crux.Value integer|boolean|crux.Board

--- Makes a rule, which a rule script returns.
---@param fields crux.RuleFields
---@return table
function crux.rule(fields) end

--- Makes a study in browsers, which a study script returns; see docs/serve.md.
---@param fields crux.StudyFields
---@return table
function crux.study(fields) end

--- Makes a game: a table. The script sets its fields and returns it.
---@param name string
---@return crux.Game
function crux.game(name) end

--- Refuses a level: says what was found in its text, at column x of line y if given, and what was expected.
---@param found string
---@param expected string
---@param x integer?
---@param y integer?
function crux.refuse(found, expected, x, y) end

--- Makes a legend: rows { character, plane, ... } name the planes of each character of a level's text, or of each word with
--- `separated = true`. Short rows are filled with `pad`; lines that begin with `comment` are ignored; `expected` describes the
--- allowed characters in messages.
---@param tokens { [integer]: string[], separated: boolean?, pad: string?, comment: string?, expected: string? }
---@return crux.Legend
function crux.legend(tokens) end

--- A board with the cells of a list { { x, y }, ... }; empty without a list.
---@param width integer
---@param height integer
---@param cells integer[][]?
---@return crux.Board
function crux.cells(width, height, cells) end

--- Returns a price for each column of a square matrix of costs. Let S be the sum of all prices and, for each row, of the least
--- difference of a cost and its column's price: the cheapest assignment of rows to columns costs S. With the same prices and
--- other rows, S is a lower bound of the cost of their cheapest assignment.
---@param costs integer[][]
---@return integer[]
function crux.prices(costs) end

--- The search for the fewest pushes by which a man pushes a box onto each goal, as `search` of a measure. `names` gives the
--- level's boards of man, boxes and goals. The level also needs the boards `floor`, the squares that the man could reach
--- without boxes, and `dead`, the squares from which no box can be pushed to a goal.
---@param names { man: string, boxes: string, goals: string }
---@return crux.Search
function crux.pushes(names) end

--- A field of a state that is true or false.
---@type crux.Kind
crux.flag = {}

--- A field of a state that is an integer.
---@param low integer
---@param high integer
---@return crux.Kind
function crux.integer(low, high) end

--- A field of a state that is a set of cells.
---@param width integer   from 1 to 64
---@param height integer  from 1 to 64
---@return crux.Kind
function crux.board(width, height) end

--- A field of a state that is a list of n values of a kind.
---@param n integer   from 0 to 10000
---@param kind crux.Kind
---@return crux.Kind
function crux.array(n, kind) end

--- Returns a if the condition holds, else b. Use it in place of `if` in step and heuristic.
---@generic T
---@param condition boolean|integer
---@param a T
---@param b T
---@return T
function crux.where(condition, a, b) end

--- Tells whether a board has cells, or an integer is not 0.
---@param x crux.Value
---@return boolean
function crux.any(x) end

--- Tells whether a board has no cell, or an integer is 0.
---@param x crux.Value
---@return boolean
function crux.none(x) end

--- Tells whether two integers, truth values or boards are equal.
---@param a crux.Value
---@param b crux.Value
---@return boolean
function crux.eq(a, b) end

--- Tells whether two integers, truth values or boards differ.
---@param a crux.Value
---@param b crux.Value
---@return boolean
function crux.ne(a, b) end

--- a < b
---@param a integer
---@param b integer
---@return boolean
function crux.lt(a, b) end

--- a <= b
---@param a integer
---@param b integer
---@return boolean
function crux.le(a, b) end

--- a > b
---@param a integer
---@param b integer
---@return boolean
function crux.gt(a, b) end

--- a >= b
---@param a integer
---@param b integer
---@return boolean
function crux.ge(a, b) end

--- The least of integers.
---@param x integer
---@param ... integer
---@return integer
function crux.min(x, ...) end

--- The greatest of integers.
---@param x integer
---@param ... integer
---@return integer
function crux.max(x, ...) end

--- Absolute value.
---@param x integer
---@return integer
function crux.abs(x) end

--- Sign: -1, 0 or 1.
---@param x integer
---@return integer
function crux.sgn(x) end

--- Number of cells of a board, or of set bits of an integer.
---@param x integer|crux.Board
---@return integer
function crux.count(x) end

--- Returns the element of a table of the level at an index, which may depend on the state. step cannot branch on the element
--- if it is a number, as that may differ from level to level.
---@param list crux.Value[]
---@param index integer
---@return crux.Value
function crux.lookup(list, index) end
