-- Tests of deductions by common techniques: examples by hand, and against all solutions of small puzzles.
local board = require "libcrux.board"
local deductions = require "libcrux.deductions"
local luaunit = require "luaunit"
local random = require "libcrux.random"

local Deductions = {}

--- The rows, columns and boxes of a Latin square of a side, with boxes of `across` x `down` cells.
local function units(side, across, down)
  local groups = { {}, {}, {} }
  for i = 0, side - 1 do
    local row, column, box = {}, {}, {}
    for k = 0, side - 1 do
      row[k + 1], column[k + 1] = { k + 1, i + 1 }, { i + 1, k + 1 }
      box[k + 1] = { i % (side // across) * across + k % across + 1, i // (side // across) * down + k // across + 1 }
    end
    for g, cells in ipairs { row, column, box } do groups[g][i + 1] = board.new(side, side, cells) end
  end
  return deductions.new(groups)
end

--- Candidates from rows of cells such as "12 3 14", by value.
local function candidates(rows, values)
  local cells, side = {}, #rows
  for _, value in ipairs(values) do cells[value] = {} end
  for y, row in ipairs(rows) do
    local x = 0
    for cell in row:gmatch "%S+" do
      x = x + 1
      for value in cell:gmatch "." do table.insert(cells[value], { x, y }) end
    end
  end
  local now = { open = ~board.new(side, side) }
  for _, value in ipairs(values) do now[value] = board.new(side, side, cells[value]) end
  return now
end

--- What deductions take away, a line each: "2: 1,1 3,1" for each value, in the order of `names`.
local function lines_of(list, names)
  local lines = {}
  for i, found in ipairs(list) do
    local parts = {}
    for _, name in ipairs(names) do
      local cells = {}
      for x, y in (found[name] or board.new(1, 1)):cells() do table.insert(cells, x .. "," .. y) end
      if cells[1] then table.insert(parts, name .. ": " .. table.concat(cells, " ")) end
    end
    lines[i] = table.concat(parts, "; ")
  end
  return lines
end

local four = { "1", "2", "3", "4" }
local names = { "1", "2", "3", "4", "open" }

local function expect(rows, technique, size, expected, groups)
  luaunit.assertEquals(lines_of(units(4, 2, 2):find(candidates(rows, four), four, technique, size, groups), names), expected)
end

local all = "1234 1234 1234 1234"

--- The cell 1,1 has one candidate, which its row, column and box lose.
function Deductions.test_naked_single()
  expect({ "1 1234 1234 1234", all, all, all }, "naked", 1, { "1: 2,1 3,1 4,1 1,2 2,2 1,3 1,4; open: 1,1" })
end

--- The value 4 has one cell of row 1; the same cell in its box and column is not found again.
function Deductions.test_hidden_single()
  expect({ "123 123 123 1234", all, all, all }, "hidden", 1,
    { "1: 4,1; 2: 4,1; 3: 4,1; 4: 3,2 4,2 4,3 4,4; open: 4,1" })
  expect({ "123 123 123 1234", all, all, all }, "hidden", 1, {}, { 2, 3 })
end

function Deductions.test_last_cell()
  local now = candidates({ "1 2 3 4", all, all, all }, four)
  now.open = now.open - board.new(4, 4, { { 1, 1 }, { 2, 1 }, { 3, 1 } })
  luaunit.assertEquals(lines_of(units(4, 2, 2):find(now, four, "last"), names), { "4: 3,2 4,2 4,3 4,4; open: 4,1" })
end

--- 1 and 2 fill two cells of row 1, and so of a box; hidden in the other two cells of both are 3 and 4.
function Deductions.test_pairs()
  local rows = { "12 12 1234 1234", all, all, all }
  expect(rows, "naked", 2, { "1: 3,1 4,1; 2: 3,1 4,1", "1: 1,2 2,2; 2: 1,2 2,2" })
  expect(rows, "hidden", 2, { "1: 3,1 4,1; 2: 3,1 4,1", "1: 1,2 2,2; 2: 1,2 2,2" })
end

--- The places of 1 in row 1 are in the first box, whose other cells lose it; and those in the second box are in row 2.
function Deductions.test_locked()
  expect({ "1234 1234 234 234", all, all, all }, "fish", 1, { "1: 1,2 2,2", "1: 1,2 2,2" })
end

--- The places of 1 in rows 1 and 3 are in columns 1 and 3; and those in columns 2 and 4 are in rows 2 and 4.
function Deductions.test_x_wing()
  expect({ "1234 234 1234 234", all, "1234 234 1234 234", all }, "fish", 2,
    { "1: 1,2 3,2 1,4 3,4", "1: 1,2 3,2 1,4 3,4" }, { 1, 2 })
end

--- Rows 1 and 3, column 4 and the second box link 1,1 4,3 3,2 of one colour to 4,1 2,3 3,4 of the other. The cell 2,2 shares its
--- box with 1,1 and its column with 2,3; 1,4 shares its column with 1,1 and its row with 3,4.
function Deductions.test_colours()
  expect({ "1234 234 234 1234", "1234 1234 1234 234", "234 1234 234 1234", "1234 1234 1234 234" }, "colours", 1,
    { "1: 2,2 1,4" })
end

--- On 9 x 9 cells, whose sets take two words: the last cell has only the value 9, and its 20 peers lose it, also when it is placed.
--- The value 1 is only in columns 2 and 9 of rows 1 and 9: the 14 other cells of these columns lose it, by rows and columns.
function Deductions.test_sets_of_two_words()
  local values, nine = { "1", "2", "3", "4", "5", "6", "7", "8", "9" }, units(9, 3, 3)
  local every = ("123456789 "):rep(9)
  local rows = { every, every, every, every, every, every, every, every, (every:gsub("123456789 $", "9")) }
  local now = candidates(rows, values)
  local found = nine:find(now, values, "naked", 1)
  luaunit.assertEquals({ #found, #found[1]["9"], tostring(found[1].open) }, { 1, 20, tostring(board.new(9, 9, { { 9, 9 } })) })
  luaunit.assertTrue(nine:place(now, values, found[1].open)["9"] == found[1]["9"])
  local few = "23456789 123456789 " .. ("23456789 "):rep(6) .. "123456789"
  now = candidates({ few, every, every, every, every, every, every, every, few }, values)
  local lost = board.new(9, 9)
  for _, taken in ipairs(nine:find(now, values, "fish", 2, { 1, 2 })) do lost = lost | taken["1"] end
  luaunit.assertEquals({ #lost, #(lost & board.new(9, 9, { { 2, 2 }, { 9, 8 } })) }, { 14, 2 })
  luaunit.assertEquals(nine:find(now, values, "fish", 2, { 1 }), {})
end

--- All solutions of candidates on 4 x 4 cells, as the boards of the candidates that some solution has.
local function possible(now)
  local result, grid = { open = now.open }, {}
  for _, value in ipairs(four) do result[value] = board.new(4, 4) end
  local count = 0
  local function place(cell)
    if cell == 16 then
      count = count + 1
      for i = 0, 15 do result[grid[i]] = result[grid[i]]:with(i % 4 + 1, i // 4 + 1) end
      return
    end
    for _, value in ipairs(four) do
      local fits = now[value]:has(cell % 4 + 1, cell // 4 + 1)
      for other = 0, cell - 1 do
        local same = other // 4 == cell // 4 or other % 4 == cell % 4
          or other // 8 == cell // 8 and other % 4 // 2 == cell % 4 // 2
        fits = fits and not (same and grid[other] == value)
      end
      if fits then
        grid[cell] = value
        place(cell + 1)
      end
    end
  end
  place(0)
  return result, count
end

--- No deduction takes a candidate away that some solution has; each technique finds some.
function Deductions.test_sound()
  local rng, together, found = random.new(3), units(4, 2, 2), {}
  for _ = 1, 300 do
    local now = { open = ~board.new(4, 4) }
    for _, value in ipairs(four) do now[value] = now.open:sample(rng, 0.6) end
    local some, count = possible(now)
    for _, case in ipairs { { "last", 1 }, { "naked", 1 }, { "naked", 2 }, { "naked", 3 }, { "hidden", 1 }, { "hidden", 2 },
      { "hidden", 3 }, { "fish", 1 }, { "fish", 2 }, { "colours", 1 } } do
      for _, taken in ipairs(count > 0 and together:find(now, four, case[1], case[2]) or {}) do
        found[case[1] .. case[2]] = true
        for _, value in ipairs(four) do
          luaunit.assertTrue(not taken[value] or (taken[value] & some[value]):none(), case[1] .. case[2])
        end
      end
    end
  end
  for _, name in ipairs { "naked1", "naked2", "naked3", "hidden1", "hidden2", "hidden3", "fish1", "fish2", "colours1" } do
    luaunit.assertTrue(found[name], name)
  end
end

--- Two equal values in a row take each other away; a cell with two candidates is not placed.
function Deductions.test_place()
  local now = candidates({ "1 1 1234 12", all, all, all }, four)
  local placed = units(4, 2, 2):place(now, four, board.new(4, 4, { { 1, 1 }, { 2, 1 }, { 4, 1 } }))
  luaunit.assertEquals(lines_of({ placed }, names),
    { "1: 1,1 2,1 3,1 4,1 1,2 2,2 1,3 2,3 1,4 2,4; open: 1,1 2,1" })
  luaunit.assertNil(units(4, 2, 2):place(now, four, board.new(4, 4)))
end

function Deductions.test_refused()
  local some, now = units(4, 2, 2), candidates({ all, all, all, all }, four)
  local function refused(message, f, ...)
    local ok, problem = pcall(f, ...)
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem, message)
  end
  refused("units: expected boards of one size", deductions.new, { { ~board.new(2, 2), ~board.new(3, 3) } })
  refused("units: found 0 cells, expected 1 to 64", deductions.new, { { board.new(2, 2) } })
  refused("groups: expected a list of 1 to 64", deductions.new, {})
  refused("candidates: field '5': expected a board of 4 x 4", some.find, some, now, { "5" }, "naked", 1)
  refused("no such group", some.find, some, now, four, "naked", 1, { 4 })
  refused("expected 1 to 8", some.find, some, now, four, "naked", 9)
  refused("invalid option 'guess'", some.find, some, now, four, "guess")
end

return { Deductions = Deductions }
