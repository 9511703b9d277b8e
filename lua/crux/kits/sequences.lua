--- Sequences of cells whose values are a word of a language, as in a line of a nonogram: those of a rule, and which values no
--- such word has.
---
--- A language is an automaton: `first`, its state before the first cell; `next(state, value, i)`, the state behind a value of
--- the i-th cell, nil for none; `accept(state)` at the end. Source: G. Pesant, A Regular Language Membership Constraint for
--- Finite Sequences of Variables, CP 2004.
local lists = require "crux.base.lists"

local sequences = {}

---@class Sequence
---@field cells integer[][]   columns and rows
---@field places integer[]    of the cells, counted from 1 in reading order
---@field language { first: any, next: function, accept: function }
---@field numbers integer[][]?   columns and rows of the numbers that say it
---@field memo table<string, integer[]|false>   what `kept` has found, shared by the sequences of a language

local counters = setmetatable({}, { __mode = "v" }) -- languages in which a value has a count, by their names
local memos = setmetatable({}, { __mode = "k" }) -- of languages

local function counter(value, counts)
  local name, most, wanted = value .. " " .. table.concat(counts, " "), math.max(table.unpack(counts)), {}
  for _, count in ipairs(counts) do wanted[count] = true end
  counters[name] = counters[name] or { first = 0,
    next = function(count, other) return other ~= value and count or count < most and count + 1 or nil end,
    accept = function(count) return wanted[count] end }
  return counters[name]
end

--- A sequence as scripts declare it: `cells`, a board or a list of columns and rows, and either `count`, a value, with the
--- counts that it may have, `least` to `most` or `counts`, or a `language`.
---@param width integer   of the board
---@return Sequence
function sequences.new(row, width)
  local cells, places, language, counts = row.cells, {}, row.language, row.counts or {}
  if type(cells) ~= "table" then
    cells = {}
    for x, y in row.cells:cells() do table.insert(cells, { x, y }) end
  end
  if row.count then
    for count = row.least or 0, row.counts and -1 or row.most or #cells do table.insert(counts, count) end
    language = counter(row.count, counts[1] and counts or { -1 })
  end
  memos[language] = memos[language] or {}
  for i, cell in ipairs(cells) do places[i] = (cell[2] - 1) * width + cell[1] end
  return { cells = cells, places = places, language = language, numbers = row.numbers, memo = memos[language] }
end

--- By the field of a row that has them: what makes its sequences.
local makers = {}

function makers.of(row, level) return row.of(level) end

--- The cells of rectangles of some widths and heights.
function makers.windows(row, level)
  local list = {}
  for _, size in ipairs(row.windows) do
    for y = 0, level.height - size[2] do
      for x = 0, level.width - size[1] do
        local cells = {}
        for i = 0, size[1] * size[2] - 1 do cells[i + 1] = { x + i % size[1] + 1, y + i // size[1] + 1 } end
        table.insert(list, cells)
      end
    end
  end
  return list
end

--- The edges at each vertex.
function makers.joints(row, level)
  local list = {}
  for x, y in level.vertex:cells() do
    table.insert(list, { cells = level.nothing:with(x, y):neighbours(), counts = row.joints })
  end
  return list
end

--- The cells beside each number.
function makers.beside(_, level)
  return lists.map(level.clues, function(clue)
    return { cells = level.nothing:with(clue.x, clue.y):neighbours() - level.start.outside, counts = { clue.number } }
  end)
end

--- The function that makes the sequences of a rule; nil if it has none.
function sequences.maker(row)
  for field, make in pairs(makers) do
    if row[field] then return make end
  end
end

--- The sequences of a rule, which are made once for a level.
---@return Sequence[]
function sequences.of(row, level)
  level.sequences = level.sequences or {}
  level.sequences[row] = level.sequences[row] or lists.map(sequences.maker(row)(row, level), function(one)
    local is_whole = type(one) == "table" and one.cells
    return sequences.new(lists.merge(row, is_whole and one or { cells = one }), level.width)
  end)
  return level.sequences[row]
end

--- The candidates of cells that some word has. Bit k of a cell's number is set if it may have value k.
local function supported(language, values, masks)
  local layers, kept = { { [language.first] = true } }, {}
  for i, mask in ipairs(masks) do
    local after = {}
    for state in pairs(layers[i]) do
      for k, value in ipairs(values) do
        local to
        if mask >> k & 1 == 1 then to = language.next(state, value, i) end
        if to ~= nil then after[to] = true end
      end
    end
    layers[i + 1] = after
  end
  local alive = {}
  for state in pairs(layers[#layers]) do alive[state] = language.accept(state) or nil end
  for i = #masks, 1, -1 do
    local before, mask = {}, 0
    for state in pairs(layers[i]) do
      for k, value in ipairs(values) do
        local to
        if masks[i] >> k & 1 == 1 then to = language.next(state, value, i) end
        if to ~= nil and alive[to] then before[state], mask = true, mask | 1 << k end
      end
    end
    kept[i], alive = mask, before
  end
  return kept
end

--- The candidates that are left in the cells of a sequence, or false if none goes. Candidates are bits of numbers.
---@param masks table<integer, integer>   by the sequence's places
function sequences.kept(sequence, values, masks)
  local places, width = sequence.places, #values + 1
  local key
  if width * #places < 63 then
    key = 0
    for i = 1, #places do key = key << width | masks[places[i]] end
  else
    local own = {}
    for i = 1, #places do own[i] = masks[places[i]] end
    key = table.concat(own, ",")
  end
  local kept = sequence.memo[key]
  if kept == nil then
    local own, changes = {}, false
    for i, place in ipairs(places) do own[i] = masks[place] end
    kept = supported(sequence.language, values, own)
    for i, mask in ipairs(own) do changes = changes or mask ~= kept[i] end
    kept = changes and kept
    sequence.memo[key] = kept
  end
  return kept
end

return sequences
