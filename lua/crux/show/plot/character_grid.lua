--- A grid of characters to draw on. Lines are dots of Braille, eight per character.
local character_grid = {}

---@class CharacterGrid
---@field columns integer
---@field rows integer
local CharacterGrid = {}
CharacterGrid.__index = CharacterGrid

function character_grid.new(columns, rows)
  local self = setmetatable({ columns = columns, rows = rows, cells = {}, styles = {}, dots = {} }, CharacterGrid)
  for row = 1, rows do self.cells[row], self.styles[row], self.dots[row] = {}, {}, {} end
  return self
end

--- The column and row of the cell at a place: x from 0 to the number of columns, y from 0 to the number of rows; a place on the
--- edge of the grid belongs to the cell inside.
function CharacterGrid:cell(x, y)
  return math.max(1, math.min(self.columns, (x // 1 | 0) + 1)), math.max(1, math.min(self.rows, (y // 1 | 0) + 1))
end

--- Puts a character into a cell; does nothing outside of the grid.
function CharacterGrid:put(column, row, character, style)
  if row < 1 or row > self.rows or column < 1 or column > self.columns then return end
  self.cells[row][column], self.styles[row][column], self.dots[row][column] = character, style, nil
end

--- Puts a text into cells of a row, the first character into the given cell.
function CharacterGrid:write(column, row, text, style)
  for character in text:gmatch(utf8.charpattern) do
    self:put(column, row, character, style)
    column = column + 1
  end
end

--- The bit of a dot of Braille, by its column and row in the character.
local bits = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } }

--- Sets the dot at a place, unless there is a character.
function CharacterGrid:dot(x, y, style)
  local column, row = self:cell(x, y)
  if self.cells[row][column] then return end
  local across = math.max(0, math.min(1, ((x - column + 1) * 2) // 1 | 0)) + 1
  local down = math.max(0, math.min(3, ((y - row + 1) * 4) // 1 | 0)) + 1
  self.dots[row][column] = (self.dots[row][column] or 0) | bits[across][down]
  self.styles[row][column] = style
end

function CharacterGrid:line(x1, y1, x2, y2, style)
  local steps = math.max(1, math.ceil(math.max(math.abs(x2 - x1) * 2, math.abs(y2 - y1) * 4)))
  for i = 0, steps do self:dot(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps, style) end
end

--- A row as runs of characters of one style, without blanks at the end.
---@return { text: string, style: string? }[]
function CharacterGrid:runs(row)
  local runs, last = {}, 0
  for column = 1, self.columns do
    if self.cells[row][column] or self.dots[row][column] then last = column end
  end
  for column = 1, last do
    local dots, style = self.dots[row][column], self.styles[row][column]
    local character = self.cells[row][column] or dots and utf8.char(0x2800 + dots) or " "
    local run = runs[#runs]
    if not run or run.style ~= style then
      run = { text = "", style = style }
      table.insert(runs, run)
    end
    run.text = run.text .. character
  end
  return runs
end

return character_grid
