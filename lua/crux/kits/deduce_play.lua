--- Drawing, painting and playing puzzles of cells and candidates: methods of the class Deduce of crux.kits.deduce.
local boards = require "libcrux.board"
local clues = require "crux.kits.clues"
local deduction = require "crux.kits.deduction"
local edges = require "crux.kits.edges"
local hand = require "crux.puzzle.hand"
local lines = require "crux.puzzle.lines"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"

---@class Deduce
local Deduce = {}

--- The edges of the line, which has the first of the values, and the edges that are marked as others.
function Deduce:edges(level, filled)
  local nothing, others = level.start.open - level.start.open, nil
  for i = 2, #self.values do others = (others or nothing) | (filled[self.values[i] ] or nothing) end
  return filled[self.values[1] ] or nothing, others
end

--- The words of a level, with values in further cells, in lists of rows; and their boards. Values are written over numbers,
--- but for `rest`.
---@param filled table<string, userdata>   by value
---@return string[][] rows
---@return table<string, userdata> planes
function Deduce:rows(level, filled)
  local planes = lists.merge(level.drawn)
  if not self.spec.lines then
    local thing = self.spec.numbers and self.spec.numbers[1]
    for value, board in pairs(filled) do
      local covered = thing and planes[thing] - planes[value] or board - board
      planes[value] = planes[value] | (value == self.spec.rest and board - covered or board)
      if thing and value ~= self.spec.rest then planes[thing] = planes[thing] - (board & covered) end
    end
    return self.tiles:words(planes), planes
  end
  return edges.rows(self.tiles:words(level.drawn), level, self:edges(level, filled)), planes
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
  local frame, drawn, columns, rows, words = self.spec.frame, {}, {}, {}, self:rows(level, filled)
  local width, separator, gaps = clues.width(words), self.spec.lines and "" or " ", {}
  for x = 1, level.width do gaps[x] = x == level.width and "" or ends(level, frame, x) and " │ " or separator end
  for y, row in ipairs(words) do
    local line = ""
    for x, word in ipairs(row) do
      line = line .. clues.padded(word, width)
      columns[x] = utf8.len(line)
      line = line .. gaps[x]
    end
    table.insert(drawn, line)
    rows[y] = #drawn
    if ends(level, frame, nil, y) then
      table.insert(drawn, (line:gsub(utf8.charpattern, function(sign) return sign == "│" and "┼" or "─" end)))
    end
  end
  return table.concat(drawn, "\n") .. "\n", columns, rows
end

--- The boards of the values of a solution, of edges those of the line alone; none without one.
function Deduce:filled(solution)
  local filled = {}
  for i, value in ipairs(solution and solution.answer and self.values or {}) do
    filled[value] = (i == 1 or not self.spec.lines) and solution.answer[value] or nil
  end
  return filled
end

--- By value the cells of a position that have it.
local function known_of(position, level)
  local known = {}
  for value, board in pairs(position.filled) do known[value] = level.start[value] - level.start.open | board end
  return known
end

--- Words for each square of a position, by row and column: its thing or place, its number, its value, and its region.
---@return string[][]
function Deduce:told(position, level)
  local known, rows, numbers, places = known_of(position, level), {}, {}, nil
  for _, clue in ipairs(level.clues or {}) do
    local pair = type(clue.number) == "table" and clue.number
    numbers[clue.y << 10 | clue.x] = not pair and ("number: %d"):format(clue.number)
      or (pair[1] > 0 and ("below: %d"):format(pair[1]) or "") .. (pair[1] > 0 and pair[2] > 0 and ", " or "")
        .. (pair[2] > 0 and ("right: %d"):format(pair[2]) or "")
  end
  if self.spec.lines then places = self.spec.lines == "around" and { "corner", "cell" } or { "cell", "corner" } end
  local number = self.spec.numbers and self.spec.numbers[1]
  local things = lists.select(self.tiles.kinds, function(thing) return thing ~= number and not known[thing] end)
  for y = 1, level.height do
    rows[y] = {}
    for x = 1, level.width do
      local place = places and (x % 2 ~= y % 2 and "edge" or places[2 - x % 2])
      rows[y][x] = place and { place, numbers[y << 10 | x] } or { numbers[y << 10 | x] }
    end
  end
  for _, thing in ipairs(lists.concat(things, level.values)) do
    for x, y in (known[thing] or level.drawn[thing]):cells() do table.insert(rows[y][x], thing) end
  end
  for y, row in ipairs(rows) do
    for x, parts in ipairs(row) do
      if level.regions then table.insert(parts, "region: " .. level.drawn.regions[y][x]) end
      row[x] = table.concat(parts, ", ")
    end
  end
  return rows
end

--- The line below a position: how many cells are not filled, unless they need not be, what the last hint was, and which rule a
--- full board breaks.
function Deduce:note(position, level)
  local left, parts = level.start.open, {}
  for _, board in pairs(position.filled) do left = left - board end
  local broken = left:none() and self.rules:verdict(known_of(position, level), level)
  for _, part in ipairs { not self.spec.rest and #left .. " left" or "", position.pencils and "pencil marks" or "",
    position.note, broken and "broken: " .. broken:gsub("_", " ") or "" } do
    table.insert(parts, part ~= "" and part or nil)
  end
  return table.concat(parts, ", ")
end

--- The characters of cells in which nothing is written: empty ones, and values that `look` paints.
function Deduce:plain()
  local seen, plain = lists.set(lists.field(self.spec.look, 1)), { ["."] = true, [" "] = true }
  for _, tile in ipairs(self.spec.tiles) do plain[tile[1]] = plain[tile[1]] or #tile == 2 and seen[tile[2]] end
  return plain
end

--- The picture of a value on a button.
function Deduce:button(sign, value)
  return { key = sign, doc = value, paint = function(canvas)
    if self.spec.lines then
      canvas:size(1, 1)
      if value ~= self.values[1] then return canvas:label(1, 1, "×", "bright blue", 0.8) end
      return canvas:line({ { 0.5, 1 }, { 1.5, 1 } }, "bright blue", 0.2)
    end
    local nothing, planes = boards.new(1, 1), { width = 1, height = 1 }
    for _, row in ipairs(self.spec.look) do planes[row[1]] = row[1] == value and ~nothing or nothing end
    look.paint(self.spec.look, planes, canvas)
    if not self:plain()[sign] then canvas:label(1, 1, sign, "bright blue", 0.6) end
  end }
end

local most_in_cycle <const> = 2 -- values that a tap goes through; more have buttons and pencil marks

local function with(position, more) return lists.merge(position, { note = "" }, more) end

local function now_of(position, level) return deduction.given(level.start, position.filled, level.values, level) end

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
  if wrong > 0 then return with(position, { filled = filled, note = wrong .. " wrong taken away" }) end
  local before = now_of(position, level)
  local now, found = deduction.step(before, level, self.techniques, level.values, solution.answer)
  while now.open == before.open do
    now, found = deduction.step(now, level, self.techniques, level.values, solution.answer)
  end
  for value, board in pairs(filled) do filled[value] = board | now[value] & before.open - now.open end
  local x, y = (before.open - now.open):first()
  return with(position, { filled = filled, x = x, y = y,
    note = found[1] and found[1].technique[1]:gsub("_", " ") or "guessed" })
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
  play.keys = { { "up left down right", "move the cursor" },
    { table.concat(signs, " ", 1, math.min(9, #signs)), "fill the cell" },
    { "space", "clear it" }, not cycles and { "m", "pencil marks, or values" } or nil }
  if #signs > 9 then table.insert(play.keys, { table.concat(signs, " ", 10), "fill the cell, too" }) end

  local function signs_of(level)
    return lists.select(signs, function(sign) return lists.contains(level.values, values[sign]) end)
  end

  function play.pad(level)
    return lists.map(signs_of(level), function(sign) return self:button(sign, values[sign]) end)
  end

  function play.hand(position, level)
    local cells = {}
    for sign, value in pairs(values) do
      for _, square in ipairs(position.filled[value] and hand.squares(position.filled[value]) or {}) do cells[square] = sign end
    end
    return { kind = "cells", keys = signs_of(level), cells = cells, open = hand.squares(level.start.open), cycles = cycles,
      near = self.spec.lines ~= nil, pencils = position.pencils }
  end

  function play.start(level)
    local filled = {}
    for _, value in ipairs(level.values) do filled[value] = boards.new(level.width, level.height) end
    return { x = 1, y = 1, filled = filled, marks = filled, pencils = false, note = "" }
  end

  function play.step(position, key, level) return step(values, position, key, level) end
  function play.hint(position, level, solution) return self:hint(position, level, solution) end

  function play.done(position, level)
    if self.spec.rest then return not self.rules:verdict(known_of(position, level), level) end
    local now = now_of(position, level)
    return now.open:none() and self:won(now, level)
  end

  function play.draw(position, level) return self:drawing(level, position.filled) .. self:note(position, level) end

  function play.cursor(position, level)
    local _, columns, rows = self:drawing(level, position.filled)
    return columns[position.x], rows[position.y]
  end

  function play.square(position) return position.x, position.y end
  function play.told(position, level) return self:told(position, level) end

  return play
end

--- Draws pencil marks in cells without a value, and a ring around each cell whose value breaks a rule.
function Deduce:paint_marks(level, canvas, position)
  local known, empty = known_of(position, level), level.start.open
  for _, board in pairs(position.filled) do empty = empty - board end
  local in_row = math.ceil(math.sqrt(#level.values))
  for i, value in ipairs(level.values) do
    local column, row = (i - 1) % in_row + 0.5, (i - 1) // in_row + 0.5
    for x, y in (position.marks[value] & empty):cells() do
      canvas:label(x - 0.5 + column / in_row, y - 0.5 + row / in_row, value, "white", 0.85 / in_row)
    end
  end
  for x, y in (self.rules:marks(known, level) - empty):cells() do canvas:ring(x, y, "bright red", 0.9) end
end

--- Draws lines between regions, around the units of the group `frame`, and after each of some columns and rows of cells.
function Deduce:paint_frames(level, canvas)
  local function line(points) canvas:line(points, "white", 0.06) end
  if self.spec.thick then
    local left, top, right, bottom = (~level.start.outside):bounds()
    for x = left, right + 1, self.spec.thick do line { { x - 0.5, 0.5 }, { x - 0.5, bottom + 0.5 } } end
    for y = top, bottom + 1, self.spec.thick do line { { 0.5, y - 0.5 }, { right + 0.5, y - 0.5 } } end
  end
  local function around(left, top, right, bottom)
    left, top, right, bottom = left - 0.5, top - 0.5, right + 0.5, bottom + 0.5
    line { { left, top }, { right, top }, { right, bottom }, { left, bottom }, { left, top } }
  end
  if level.regions then around(1, 1, level.width, level.height) end
  for _, region in ipairs(level.regions or {}) do
    for x, y in (region - region:shift "L"):cells() do line { { x + 0.5, y - 0.5 }, { x + 0.5, y + 0.5 } } end
    for x, y in (region - region:shift "U"):cells() do line { { x - 0.5, y + 0.5 }, { x + 0.5, y + 0.5 } } end
  end
  for _, board in ipairs(self.spec.frame and level.sets[self.spec.frame] or {}) do
    around(board:bounds())
  end
end

--- Draws the numbers of a level: two of a cell below and above a line through its corners; in grey those whose rule is met.
---@param met userdata   their cells
function Deduce:paint_numbers(level, planes, canvas, met)
  local walls = level.start.open - level.start.open
  for _, row in ipairs(self.spec.look) do walls = row[2] == "wall" and walls | planes[row[1]] or walls end
  for _, clue in ipairs(level.clues) do
    local x, y, number = clue.x, clue.y, clue.number
    local colour = walls:has(x, y) and "ground" or met:has(x, y) and "white" or "bright white"
    if type(number) == "table" then
      canvas:line({ { x - 0.5, y - 0.5 }, { x + 0.5, y + 0.5 } }, colour, 0.03)
      if number[1] > 0 then canvas:label(x - 0.2, y + 0.25, tostring(number[1]), colour, 0.36) end
      if number[2] > 0 then canvas:label(x + 0.2, y - 0.25, tostring(number[2]), colour, 0.36) end
    else
      canvas:label(x, y, tostring(number), colour, self.spec.lines and 1 or 0.6)
    end
  end
end

--- Draws a level on a canvas: what `look` says, the characters of all other tiles, and frames.
function Deduce:paint(level, solution, canvas, position)
  local filled = position and position.filled or self:filled(solution)
  local rows, planes = self:rows(level, filled)
  local plain, numbered = self:plain(), self.spec.numbers and level.drawn[self.spec.numbers[1] ]
  for value, board in pairs(self.spec.lines and {} or filled) do planes[value] = planes[value] | board end
  planes.border = self.spec.lines == "through" and 0.5 or nil
  if self.spec.lit then
    canvas:size(level.width, level.height)
    for x, y in self.spec.lit(level, planes, position):cells() do canvas:cell(x, y, "light") end
  end
  look.paint(self.spec.look, planes, canvas)
  if position then
    canvas:note(self:note(position, level))
    self:paint_marks(level, canvas, position)
  end
  if self.spec.lines then
    edges.paint(level, self.spec.lines, (self:edges(level, filled)), canvas)
    rows = edges.labels(rows)
  else
    canvas:grid(level.width, level.height)
  end
  for y, row in ipairs(rows) do
    for x, word in ipairs(row) do
      local label = self.spec.regions and word:sub(2) or word
      if label ~= "" and not plain[label] and not (numbered and numbered:has(x, y)) then
        canvas:label(x, y, label, level.start.open:has(x, y) and "bright blue" or "bright white", 0.6)
      end
    end
  end
  if numbered then
    self:paint_numbers(level, planes, canvas, self.rules:met(position and known_of(position, level), level))
  end
  self:paint_frames(level, canvas)
end

return Deduce
