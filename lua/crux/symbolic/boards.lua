--- Methods of boards whose cells, or whose arguments, depend on the state.
local board = require "libcrux.board"
local operators = require "crux.symbolic.operators"
local paths = require "crux.symbolic.paths"
local unions = require "crux.symbolic.unions"
local vocabulary = require "crux.symbolic.vocabulary"

local both, refuse, run, words = paths.both, paths.refuse, paths.run, paths.words
local is_symbol, kind_of, truth = unions.is_symbol, unions.kind_of, unions.truth
local pack, unpack = table.pack, table.unpack

local boards = {}

--- All boards of one cell of a size, by the cell's number from 0.
local single_cells = {}

local function cells_of(width, height)
  local key = width * 1000 + height
  if not single_cells[key] then
    local list = {}
    for y = 1, height do
      for x = 1, width do list[x - 1 + (y - 1) * width] = board.new(width, height, { { x, y } }) end
    end
    single_cells[key] = list
  end
  return single_cells[key]
end

--- Whether a board has a cell: a truth value, of the state if the board is.
local function any(object) return (is_symbol(object) and words or vocabulary.words).any(object) end

--- The truth value of two together.
local function conjunction(a, b)
  if type(a) == "boolean" then return a and b end
  if type(b) == "boolean" then return b and a end
  return a & b
end

--- Conditions on a column and a row: the truth value of "on the board", and the board of that cell.
local function cell_at(object, x, y)
  local width, height
  if is_symbol(object) then width, height = words.__index.size(object) else width, height = object:size() end
  local function inside(v, most)
    return unions.each(operators.at_most(1, v), function(a) return conjunction(a, operators.at_most(v, most)) end)
  end
  local is_inside = conjunction(inside(x, width), inside(y, height))
  if is_inside == false then return false end
  local function clamped(v, most)
    if is_symbol(v) then v = words.min(v, most) end
    if is_symbol(v) then return words.max(v, 1) end
    return math.max(math.min(v, most), 1)
  end
  local index = clamped(x, width) - 1 + (clamped(y, height) - 1) * width
  if not is_symbol(index) then return is_inside, cells_of(width, height)[index] end
  return is_inside, (run.trace:lookup(cells_of(width, height), index))
end

--- has, with and without at a cell that depends on the state.
local at_cell = {
  has = function(object, is_inside, cell)
    if not is_inside then return false end
    return conjunction(is_inside, any(object & cell))
  end,
  with = function(object, _, cell) return object | cell end,
  without = function(object, _, cell) return object - cell end,
}

local function call_at_cell(name, object, x, y)
  if kind_of(x) ~= "integer" or kind_of(y) ~= "integer" then refuse("a place of a board that is no integer", "integers") end
  local is_inside, cell = cell_at(object, x, y)
  if name ~= "has" and is_inside ~= true then
    local outside = both(run.mask, truth(is_inside) ~ 1)
    if outside == run.mask then error("found a cell outside of the board", 0) end
    if not paths.is_none(outside) then paths.kill(outside) end
  end
  return at_cell[name](object, is_inside, cell)
end

--- The number of the first of some boards, all but the last of which are tried, that has a cell of an object.
local function first_of(object, list)
  local found = #list
  for i = #list - 1, 1, -1 do found = unions.where(any(object & list[i]), i, found) end
  return found
end

--- The rows and columns of boards of a size.
local function lines_of(width, height)
  local rows, columns, cells = {}, {}, cells_of(width, height)
  for i = 0, width * height - 1 do
    local x, y = i % width + 1, i // width + 1
    rows[y], columns[x] = (rows[y] or cells[i]) | cells[i], (columns[x] or cells[i]) | cells[i]
  end
  return rows, columns
end

--- Methods of boards of the state that need a known board elsewhere: a function of the board, which gives a list of results.
local of_state = {}

--- The first cell, row by row; nothing where there is none.
function of_state.first(object)
  local rows, columns = lines_of(words.__index.size(object))
  local y = first_of(object, rows)
  local row = is_symbol(y) and run.trace:lookup(rows, y) or rows[y]
  local holds, x_list, y_list = truth(any(object)), { n = 0 }, { n = 0 }
  for list, v in pairs { [x_list] = first_of(object & row, columns), [y_list] = y } do
    unions.add(list, both(run.mask, holds), v)
    unions.add(list, both(run.mask, holds ~ 1), nil)
  end
  return { n = 2, unions.of(x_list), unions.of(y_list) }
end

--- The iterator over the cells, for iteration.lua. In a program for one level, the boards of the level are known.
function of_state.cells(object)
  if run.shape then error({ refused = "found 'cells' of a board in a program for several levels" }, 0) end
  local function iterator() end
  run.functions[iterator] = { board = object, native = function() refuse("a call of what cells() gives", "a loop by for") end }
  return { n = 1, iterator }
end

--- The rounds of a loop over the cells of a board: one for each cell that it can have, in which others wait.
---@return fun(round: integer): integer, integer?, integer?   the states that have the next cell, its column and row
function boards.rounds(object)
  local width, height = words.__index.size(object)
  local cells, i = cells_of(width, height), -1
  return function()
    repeat
      i = i + 1
      local holds = cells[i] and truth(any(object & cells[i]))
      if holds and holds ~= paths.NONE then
        run.waiting = both(run.mask, holds ~ 1)
        return holds, i % width + 1, i // width + 1
      end
    until not cells[i]
    return paths.NONE
  end
end

--- A method of a board, with symbols among its arguments.
---@param given table   arguments, a list with n
---@return table results
function boards.method(object, name, given)
  local method = words.__index[name]
  if of_state[name] and is_symbol(object) then return of_state[name](object) end
  if not method then
    refuse(("'%s' of a board of the state"):format(name), "boards as sets: any, has, count, shift, flood, &, |, - and ~")
  end
  if at_cell[name] and (is_symbol(given[1]) or is_symbol(given[2])) then
    return { n = 1, call_at_cell(name, object, given[1], given[2]) }
  end
  for j = 1, given.n do
    if is_symbol(given[j]) and type(kind_of(given[j])) ~= "number" then
      refuse(("a value of the state as an argument of '%s'"):format(name), "if, that chooses among known ones")
    end
  end
  return pack(method(object, unpack(given, 1, given.n)))
end

return boards
