--- Drawing, painting and playing puzzles of cells and candidates: methods of the class Deduce of crux.kits.deduce.
local boards = require "libcrux.board"
local deduction = require "crux.kits.deduction"
local hand = require "crux.puzzle.hand"
local lines = require "crux.puzzle.lines"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"

---@class Deduce
local Deduce = {}

--- The rows of a level's tiles, with values in further cells, and their boards.
---@param filled table<string, userdata>   by value
---@return string[] rows
---@return table<string, userdata> planes
function Deduce:rows(level, filled)
  local planes, list = lists.merge(level.drawn), {}
  for value, board in pairs(filled) do planes[value] = planes[value] | board end
  for row in self.tiles:write(planes):gmatch "[^\n]+" do table.insert(list, row) end
  return list, planes
end

--- Tells whether a line is drawn after a column, or after a row: the units of the group `frame` end there.
local function ends(level, frame, column, row)
  for _, board in ipairs(frame and level.sets[frame] or {}) do
    local _, _, right, bottom = board:bounds()
    if right == column and column < level.width or bottom == row and row < level.height then return true end
  end
  return false
end

--- The drawing of a level, with lines between the units of the group `frame`; and the place of each column and row in it.
---@param filled table<string, userdata>   by value
function Deduce:drawing(level, filled)
  local frame, drawn, columns, rows = self.spec.frame, {}, {}, {}
  for y, row in ipairs(self:rows(level, filled)) do
    local line, x = "", 0
    for sign in row:gmatch(utf8.charpattern) do
      x = x + 1
      columns[x] = utf8.len(line) + 1
      line = line .. sign .. (x == level.width and "" or ends(level, frame, x) and " │ " or " ")
    end
    table.insert(drawn, line)
    rows[y] = #drawn
    if ends(level, frame, nil, y) then
      table.insert(drawn, (line:gsub(utf8.charpattern, function(sign) return sign == "│" and "┼" or "─" end)))
    end
  end
  return table.concat(drawn, "\n") .. "\n", columns, rows
end

--- The boards of the values of a solution; none without one.
function Deduce:filled(solution)
  local filled = {}
  for _, value in ipairs(solution and solution.answer and self.values or {}) do filled[value] = solution.answer[value] end
  return filled
end

--- The line below a position: how many cells are not filled, and what the last hint was.
local function note_of(position, level)
  local left = level.start.open
  for _, board in pairs(position.filled) do left = left - board end
  return ("%d left%s%s"):format(#left, position.pencils and ", pencil marks" or "", position.note)
end

--- The characters of cells in which nothing is written: empty ones, and values that `look` paints.
function Deduce:plain()
  local seen, plain = lists.set(lists.field(self.spec.look, 1)), { ["."] = true, [" "] = true }
  for _, tile in ipairs(self.spec.tiles) do plain[tile[1]] = plain[tile[1]] or #tile == 2 and seen[tile[2]] end
  return plain
end

--- The picture of a value on a button.
function Deduce:button(sign, value)
  return { key = sign, doc = sign, paint = function(canvas)
    local nothing, planes = boards.new(1, 1), { width = 1, height = 1 }
    for _, row in ipairs(self.spec.look) do planes[row[1]] = row[1] == value and ~nothing or nothing end
    look.paint(self.spec.look, planes, canvas)
    if not self:plain()[sign] then canvas:label(1, 1, sign, "bright blue", 0.6) end
  end }
end

local most_in_cycle <const> = 2 -- values that a tap goes through; more have buttons and pencil marks

local function with(position, more) return lists.merge(position, { note = "" }, more) end

function Deduce:now_of(position, level) return deduction.given(level.start, position.filled, self.values, level) end

--- The position after a key; `values` has the values by their characters.
local function step(values, position, key, level)
  local x, y = position.x, position.y
  if lines.steps[key] then
    x, y = x + lines.steps[key][1], y + lines.steps[key][2]
    if x < 1 or y < 1 or x > level.width or y > level.height then return nil end
    return with(position, { x = x, y = y }), false
  end
  if key == "m" then return with(position, { pencils = not position.pencils }), false end
  if not level.start.open:has(x, y) then return nil end
  if position.pencils then
    local marks, value = lists.merge(position.marks), values[key]
    for other, board in pairs(marks) do
      marks[other] = other == value and not board:has(x, y) and board:with(x, y)
        or (other == value or not value) and board:without(x, y) or board
    end
    return with(position, { marks = marks }), "mark"
  end
  local filled, changes = {}, false
  for value, board in pairs(position.filled) do
    filled[value] = values[key] == value and board:with(x, y) or board:without(x, y)
    changes = changes or filled[value] ~= board
  end
  return changes and with(position, { filled = filled }) or nil
end

--- Takes wrong values away; else fills the cells that the next deductions make known.
function Deduce:hint(position, level, solution)
  local filled, wrong = {}, 0
  for value, board in pairs(position.filled) do
    filled[value] = board & solution.answer[value]
    wrong = wrong + #(board - filled[value])
  end
  if wrong > 0 then return with(position, { filled = filled, note = (", %d wrong taken away"):format(wrong) }) end
  local before = self:now_of(position, level)
  local now, found = deduction.step(before, level, self.techniques, self.values, solution.answer)
  while now.open == before.open do
    now, found = deduction.step(now, level, self.techniques, self.values, solution.answer)
  end
  for value, board in pairs(filled) do filled[value] = board | now[value] & before.open - now.open end
  local x, y = (before.open - now.open):first()
  return with(position, { filled = filled, x = x, y = y,
    note = ", " .. (found[1] and found[1].technique[1]:gsub("_", " ") or "guessed") })
end

--- The rules of play: arrows move a cursor, a value's character puts it into the cell, space takes it away. A position has the
--- cursor's column and row, `filled`, by value the cells that the player filled, and a note. With more values than a tap goes
--- through, the key m switches to pencil marks: `pencils` tells whether values are marks now, `marks` are their cells by value.
function Deduce:play()
  local signs, values, play = {}, {}, {}
  for _, tile in ipairs(self.spec.tiles) do
    if #tile == 2 and lists.contains(self.values, tile[2]) then
      values[tile[1]] = tile[2]
      table.insert(signs, tile[1])
    end
  end
  local cycles = #signs <= most_in_cycle
  play.keys = { { "up left down right", "move the cursor" }, { table.concat(signs, " "), "fill the cell" },
    { "space", "clear it" }, not cycles and { "m", "pencil marks, or values" } or nil }

  function play.pad() return lists.map(signs, function(sign) return self:button(sign, values[sign]) end) end

  function play.hand(position, level)
    local cells = {}
    for sign, value in pairs(values) do
      for _, square in ipairs(hand.squares(position.filled[value])) do cells[square] = sign end
    end
    return { kind = "cells", keys = signs, cells = cells, open = hand.squares(level.start.open), cycles = cycles,
      pencils = position.pencils }
  end

  function play.start(level)
    local filled = {}
    for _, value in ipairs(self.values) do filled[value] = boards.new(level.width, level.height) end
    return { x = 1, y = 1, filled = filled, marks = filled, pencils = false, note = "" }
  end

  function play.step(position, key, level) return step(values, position, key, level) end
  function play.hint(position, level, solution) return self:hint(position, level, solution) end

  function play.done(position, level)
    local now = self:now_of(position, level)
    return now.open:none() and self:won(now, level)
  end

  function play.draw(position, level) return self:drawing(level, position.filled) .. note_of(position, level) end

  function play.cursor(position, level)
    local _, columns, rows = self:drawing(level, position.filled)
    return columns[position.x], rows[position.y]
  end

  function play.square(position) return position.x, position.y end

  return play
end

--- Draws pencil marks in cells without a value, and a ring around each cell that breaks a rule.
function Deduce:paint_marks(level, canvas, position)
  local known, empty = {}, level.start.open
  for value, board in pairs(position.filled) do
    known[value], empty = level.start[value] - level.start.open | board, empty - board
  end
  local in_row = math.ceil(math.sqrt(#self.values))
  for i, value in ipairs(self.values) do
    local column, row = (i - 1) % in_row + 0.5, (i - 1) // in_row + 0.5
    for x, y in (position.marks[value] & empty):cells() do
      canvas:label(x - 0.5 + column / in_row, y - 0.5 + row / in_row, value, "white", 0.85 / in_row)
    end
  end
  for x, y in self:broken(known, level):cells() do canvas:ring(x, y, "bright red", 0.9) end
end

--- Draws a level on a canvas: what `look` says, the characters of all other tiles, and frames.
function Deduce:paint(level, solution, canvas, position)
  local rows, planes = self:rows(level, position and position.filled or self:filled(solution))
  local plain = self:plain()
  look.paint(self.spec.look, planes, canvas)
  if position then
    canvas:note(note_of(position, level))
    self:paint_marks(level, canvas, position)
  end
  canvas:grid(level.width, level.height)
  for y, row in ipairs(rows) do
    local x = 0
    for sign in row:gmatch(utf8.charpattern) do
      x = x + 1
      if not plain[sign] then
        canvas:label(x, y, sign, level.start.open:has(x, y) and "bright blue" or "bright white", 0.6)
      end
    end
  end
  for _, board in ipairs(self.spec.frame and level.sets[self.spec.frame] or {}) do
    local left, top, right, bottom = board:bounds()
    left, top, right, bottom = left - 0.5, top - 0.5, right + 0.5, bottom + 0.5
    canvas:line({ { left, top }, { right, top }, { right, bottom }, { left, bottom }, { left, top } }, "white", 0.06)
  end
end

return Deduce
