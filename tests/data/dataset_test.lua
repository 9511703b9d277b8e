-- Tests of lua/crux/data/dataset.lua: blocks of CSV files, vectors and joins, as often as wanted.
local dataset = require "crux.data.dataset"
local luaunit = require "luaunit"
local shell = require "shell"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local small = shell.file("small.csv", [[
level,size,name,mixed,gap
a,1,one,1,
b,2,two,x,2
c,3,"three, or
so",3,NA
]])

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

--- The elements as a list; NaN as the text "NaN".
local function list(v)
  local values = {}
  for i = 1, #v do values[i] = v[i] == v[i] and v[i] or "NaN" end
  return values
end

local function whole(data, wanted)
  local blocks = {}
  for block in data:blocks(wanted) do table.insert(blocks, block) end
  luaunit.assertEquals(#blocks, 1)
  return blocks[1]
end

local function run_through(data, wanted)
  for _ in data:blocks(wanted) do end
end

local Dataset = {}

function Dataset.test_a_block()
  local data = dataset.open(small)
  luaunit.assertEquals({ data.name, data.columns }, { small, { "level", "size", "name", "mixed", "gap" } })
  luaunit.assertTrue(data.has.gap)
  luaunit.assertNil(data.has.other)
  local block = whole(data, { numbers = { "size", "gap" }, texts = { "name", "size" }, guesses = { "mixed" }, levels = true })
  luaunit.assertEquals({ block.rows, block.first }, { 3, 0 })
  luaunit.assertEquals(list(block.levels), { "a", "b", "c" })
  luaunit.assertEquals(list(block.texts.name), { "one", "two", "three, or\nso" })
  luaunit.assertEquals(list(block.texts.size), { "1", "2", "3" }) -- as text and as numbers
  luaunit.assertEquals(list(block.numbers.size), { 1, 2, 3 })
  luaunit.assertEquals(list(block.numbers.gap), { "NaN", 2, "NaN" })
  luaunit.assertNil(block.numbers.mixed)
  luaunit.assertEquals({ block:place(1), block:place(2) }, { small .. ":2", small .. ":3" })
  luaunit.assertEquals(block:place(3), small .. ":4")
  local nothing = whole(data, {})
  luaunit.assertEquals({ nothing.rows, next(nothing.numbers), next(nothing.texts), nothing.levels }, { 3 })
end

function Dataset.test_a_pass_changes_nothing_for_the_next()
  local data = dataset.open(small)
  for _, kind in ipairs { "numbers", "texts", "guesses", "numbers" } do
    local block, as_text = whole(data, { [kind] = { "size" } }), kind == "texts"
    luaunit.assertEquals(block.texts.size and list(block.texts.size), as_text and { "1", "2", "3" } or nil)
    luaunit.assertEquals(block.numbers.size and list(block.numbers.size), not as_text and { 1, 2, 3 } or nil)
    luaunit.assertNil(block.levels)
  end
  data:blocks { numbers = { "size" } }() -- a pass that is not finished
  luaunit.assertEquals(list(whole(data, { numbers = { "gap" } }).numbers.gap), { "NaN", 2, "NaN" })
end

function Dataset.test_a_guess_of_what_is_also_text()
  local block = whole(dataset.open(small), { guesses = { "mixed", "size" }, texts = { "mixed", "size" } })
  luaunit.assertNil(block.numbers.mixed)
  luaunit.assertEquals(list(block.numbers.size), { 1, 2, 3 })
  luaunit.assertEquals(list(block.texts.mixed), { "1", "x", "3" })
end

function Dataset.test_levels_without_a_column_are_numbers_of_rows()
  local path = shell.file("unnamed.csv", "size\n\n5\n6\n")
  local block = whole(dataset.open(path), { numbers = { "size" }, levels = true })
  luaunit.assertEquals(list(block.levels), { "1", "2" })
  luaunit.assertEquals(block:place(2), path .. ":4")
end

function Dataset.test_rows_at_most()
  local most = sizes.csv_rows
  sizes.csv_rows = 3
  local read_all = pcall(run_through, dataset.open(small), {})
  sizes.csv_rows = 2
  local refused = message(run_through, dataset.open(small), {})
  sizes.csv_rows = most
  luaunit.assertTrue(read_all)
  luaunit.assertEquals(refused, small .. ":4: found a file of more than 2 rows, expected at most 2 rows")
end

function Dataset.test_delimiter()
  local path = shell.file("semicolons.csv", "level;size\na;1.5\n")
  luaunit.assertEquals(list(whole(dataset.open(path, { delimiter = ";" }), { numbers = { "size" } }).numbers.size), { 1.5 })
  luaunit.assertEquals(message(function() dataset.open(path):expect({ "size" }, "rule 'r' needs the measure") end), path
    .. ":1: rule 'r' needs the measure 'size', which is not among the columns; the header is the single column "
    .. "'level;size'; is --delimiter ';' meant?")
end

function Dataset.test_text_where_numbers_are_wanted()
  for _, wanted in ipairs { { numbers = { "mixed" } }, { numbers = { "mixed" }, texts = { "mixed" } } } do
    luaunit.assertEquals(message(run_through, dataset.open(small), wanted),
      small .. ":3: column 'mixed': found 'x', expected a number")
  end
end

function Dataset.test_expect()
  local data = dataset.open(small)
  data:expect({ "size", "gap" }, "nobody needs")
  for column, hint in pairs {
    sise = "did you mean 'size'?", zzzzzzzz = "there are: level, size, name, mixed, gap",
  } do
    luaunit.assertEquals(message(data.expect, data, { "gap", column }, "rule 'r' needs the measure"), ("%s:1: rule 'r' "
      .. "needs the measure '%s', which is not among the columns; %s"):format(small, column, hint))
  end
end

function Dataset.test_select()
  local block = whole(dataset.open(small), { numbers = { "size" }, texts = { "name" }, levels = true })
  local some = block:select(vector.of { 3, 1 })
  luaunit.assertEquals({ some.rows, some.first, list(some.levels), some.texts.name[2] }, { 2, 0, { "c", "a" }, "one" })
  luaunit.assertEquals(list(some.numbers.size), { 3, 1 })
  luaunit.assertEquals({ some:place(1), some:place(2) }, { small .. ":4", small .. ":2" })
  luaunit.assertEquals(some:select(vector.of { 2 }):place(1), small .. ":2")
end

function Dataset.test_vectors()
  local data = dataset.of_vectors("table", { "a", "b" }, { a = vector.of { 1, 2.5 }, b = vector.of { 0 / 0, 4 } }, 2)
  for _ = 1, 2 do
    local block = whole(data, { numbers = { "a" }, guesses = { "b" }, texts = { "a", "b" }, levels = true })
    luaunit.assertEquals({ list(block.numbers.a), list(block.numbers.b) }, { { 1, 2.5 }, { "NaN", 4 } })
    luaunit.assertEquals(block.texts.b[1], "")
    luaunit.assertEquals(tonumber(block.texts.a[2]), 2.5)
    luaunit.assertEquals({ list(block.levels), block.first, block:place(2) }, { { "1", "2" }, 0, "table: row 2" })
  end
end

-- 20,000 rows of 16 bytes or more: several blocks, whose size is the reader's own business.
function Dataset.test_many_blocks()
  local rows, lines = 20000, { "n,text" }
  for i = 1, rows do lines[i + 1] = ("%d,%s%d"):format(i, i % 1000 == 0 and "\n" or "row number ", i) end
  for i = 1000, rows, 1000 do lines[i + 1] = ('%d,"\n%d"'):format(i, i) end
  local path = shell.file("long.csv", table.concat(lines, "\n") .. "\n")
  local data = dataset.open(path)
  for _ = 1, 2 do
    local blocks, seen = 0, 0
    for block in data:blocks { numbers = { "n" }, texts = { "text" }, levels = true } do
      luaunit.assertEquals(block.first, seen)
      luaunit.assertEquals({ #block.numbers.n, #block.texts.text, #block.levels }, { block.rows, block.rows, block.rows })
      for i = 1, block.rows do
        local n = seen + i
        local text = (n % 1000 == 0 and "\n" or "row number ") .. n
        local line = 1 + n + (n - 1) // 1000 -- every 1000th row takes two lines
        if block.numbers.n[i] ~= n or block.texts.text[i] ~= text or block:place(i) ~= ("%s:%d"):format(path, line)
          or block.levels[i] ~= tostring(n) then
          luaunit.fail(("row %d: %s, %s, line %s, level %s"):format(n, block.numbers.n[i], block.texts.text[i], block:place(i),
            block.levels[i]))
        end
      end
      blocks, seen = blocks + 1, seen + block.rows
    end
    luaunit.assertEquals(seen, rows)
    luaunit.assertTrue(blocks > 1)
  end
end

function Dataset.test_a_guess_that_fails_in_a_later_block()
  local lines = { "x" }
  for i = 1, 60000 do lines[i + 1] = tostring(i) end
  lines[60001] = "text"
  local data = dataset.open(shell.file("late.csv", table.concat(lines, "\n")))
  for _ = 1, 2 do
    local first, last
    for block in data:blocks { guesses = { "x" } } do
      first = first or block
      last = block
    end
    luaunit.assertEquals(first.numbers.x[2], 2)
    luaunit.assertNil(last.numbers.x)
  end
end

local Join = {}

local function join(left, right)
  return dataset.join(dataset.open(shell.file("left.csv", left)), dataset.open(shell.file("right.csv", right)))
end

local left, right = shell.path "left.csv", shell.path "right.csv"

function Join.test_columns_by_level()
  local data = join("size,level\n1,a\n2,b\n3,c\n4,b\n", "time,level,note\n30,c,third\n20,b,NA\n,a,\n5,unused,x\n")
  luaunit.assertEquals({ data.name, data.columns }, { left, { "size", "level", "time", "note" } })
  for _ = 1, 2 do
    local block = whole(data, { numbers = { "size", "time" }, texts = { "note", "time", "level" }, levels = true })
    luaunit.assertEquals(list(block.levels), { "a", "b", "c", "b" })
    luaunit.assertEquals(list(block.numbers.size), { 1, 2, 3, 4 })
    luaunit.assertEquals(list(block.numbers.time), { "NaN", 20, 30, 20 })
    luaunit.assertEquals(list(block.texts.note), { "", "NA", "third", "NA" })
    luaunit.assertEquals(list(block.texts.time), { "", "20", "30", "20" })
    luaunit.assertEquals(list(block.texts.level), list(block.levels))
    luaunit.assertEquals(data.unmatched, 0)
  end
end

function Join.test_rows_without_a_partner_are_left_out()
  local data = join("level,size\na,1\nb,2\nc,3\n", "level,time\nc,30\na,10\n")
  for _ = 1, 2 do
    local block = whole(data, { numbers = { "size", "time" }, levels = true })
    luaunit.assertEquals({ block.rows, list(block.levels), data.unmatched }, { 2, { "a", "c" }, 1 })
    luaunit.assertEquals({ list(block.numbers.size), list(block.numbers.time) }, { { 1, 3 }, { 10, 30 } })
    luaunit.assertEquals(block:place(2), left .. ":4")
  end
  luaunit.assertEquals(message(run_through, join("level,size\na,1\n", "level,time\nb,30\n"), {}),
    left .. ": found no row with a partner, expected levels that are in " .. right)
end

-- Blocks without any partner are passed over, those behind keep their places.
function Join.test_one_partner_far_down()
  local lines = { "level,size" }
  for i = 1, 30000 do lines[i + 1] = ("%d,%d"):format(i, 2 * i) end
  local data = join(table.concat(lines, "\n"), "level,time\n29999,7\n")
  local block = whole(data, { numbers = { "size", "time" }, levels = true })
  luaunit.assertEquals({ list(block.levels), list(block.numbers.size), list(block.numbers.time) }, { { "29999" }, { 59998 }, { 7 } })
  luaunit.assertEquals({ block:place(1), data.unmatched }, { left .. ":30000", 29999 })
end

function Join.test_guesses()
  local block = whole(join("level,size\na,1\nb,2\n", "level,x,y\na,1,1\nb,2,two\n"), { guesses = { "x", "y", "size" } })
  luaunit.assertEquals({ list(block.numbers.x), list(block.numbers.size), block.numbers.y }, { { 1, 2 }, { 1, 2 } })
end

function Join.test_what_is_refused()
  for _, case in ipairs {
    { "level,size\na,1\n", "level,time\na,1\nb,2\na,3\n", ":4: found the level 'a' again, expected each level once" },
    { "level,size\na,1\n", "level,size\na,1\n", (":1: column 'size': found a column that %s has too, expected new ones")
      :format(left) },
    { "level,size\na,1\n", "levels,time\na,1\n",
      ":1: joining needs the column 'level', which is not among the columns; did you mean 'levels'?" },
    { "level,size\nb,1\na,2\n", "level,place,time\na,x,1\nb,y,slow\n", ":3: column 'time': found 'slow', expected a number" },
  } do
    luaunit.assertEquals(message(function() run_through(join(case[1], case[2]), { numbers = { "time" } }) end),
      right .. case[3])
  end
  luaunit.assertStrContains(message(join, "size\n1\n", "level,time\na,1\n"), left .. ":1: joining needs the column 'level'")
end

return { Dataset = Dataset, Join = Join }
