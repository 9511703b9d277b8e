-- Tests of crux.levels: how files are split into levels, named, found in folders and written.
local level_writer = require "crux.game.level_writer"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"
local sizes = require "libcrux.sizes"

local plain = { extensions = { "txt" }, comment = ";" }
local started = { extensions = { "bff" }, comment = "#", starts = "^%s*GRID START%s*$" }

--- Names, texts and lines of the levels in a text.
local function split(text, format)
  local names, texts, lines = {}, {}, {}
  for i, entry in ipairs(levels.split(text, "folder/stem.txt", format)) do
    names[i], texts[i], lines[i] = entry.name, entry.text, entry.lines
  end
  return names, texts, lines
end

local function problem(...)
  local ok, result = pcall(...)
  luaunit.assertFalse(ok)
  return result.message
end

local Levels = {}

function Levels.test_blank_lines_separate()
  local names, texts, lines = split("\nAB\nBA\n\n  \nCC\n", plain)
  luaunit.assertEquals(names, { "stem:1", "stem:2" })
  luaunit.assertEquals(texts, { "AB\nBA\n", "CC\n" })
  luaunit.assertEquals(lines, { { 2, 3 }, { 6 } })
end

function Levels.test_names()
  luaunit.assertEquals(split("AA", plain), { "stem" })
  luaunit.assertEquals(split("; first\n; again\nAA\n\n; author: me\n; name: second \nBB\n\nCC", plain), { "first", "second", "stem:3" })
  luaunit.assertEquals(split(";\n;  \nAA", plain), { "stem" })
end

function Levels.test_notes()
  local entry = levels.split("; one\n; Stamina: 30 \n; a-key:\n; stamina: 20\nAA\n; name: two", "stem.txt", plain)[1]
  luaunit.assertEquals({ entry.name, entry.notes }, { "two", { stamina = "30", ["a-key"] = "", name = "two" } })
end

function Levels.test_titles()
  luaunit.assertEquals(split("; first\nAA\n; Title: keyed\n\n; 'quoted'\nBB\n\n; title:\n; it's\nCC", plain), { "keyed", "quoted", "it's" })
  luaunit.assertEquals(split("# TITLE: one\nGRID START\n# Name: two\nGRID START\n", started), { "one", "two" })
end

--- Lines that are no rows are remarks: before a level or after it, where blank lines do not part them from it.
function Levels.test_remarks()
  local walled = { extensions = { "xsb" }, comment = ";", rows = "^%s*#" }
  local names, texts, lines = split("A book\n\none\n##\n #\nby: me\n\n##\n##\ntwo\n\ntext\n; three\n##\n\nthe end\n", walled)
  luaunit.assertEquals(names, { "A book", "two", "three" })
  luaunit.assertEquals(texts, { "##\n #\n", "##\n##\n", "##\n" })
  luaunit.assertEquals(lines, { { 4, 5 }, { 8, 9 }, { 14 } })
  luaunit.assertEquals(levels.split("##\nBy: me\nNote:  a b \n", "f.xsb", walled)[1].notes, { by = "me", note = "a b" })
  luaunit.assertEquals(problem(levels.split, "##\none\n; x\n##\n", "f.xsb", walled),
    "f.xsb:2: found 'one', expected a row of the level, or a blank line before another level")
  luaunit.assertEquals(problem(levels.read, shell.file("text.xsb", "no level\n"), walled),
    shell.path "text.xsb" .. ":1: found no level, expected at least one level")
end

function Levels.test_comments_belong_to_their_level()
  local names, texts, lines = split("; alone\n\nAB\n; inside\nBA\r\n", plain)
  luaunit.assertEquals(names, { "alone" })
  luaunit.assertEquals(texts, { "AB\nBA\n" })
  luaunit.assertEquals(lines, { { 3, 5 } })
end

function Levels.test_started_levels()
  local text = "# a remark\n\n# name: one\nGRID START\no x\n\n# inside\nA 1\n\n# name: two\nGRID START\nP 1 0\n"
  local names, texts, lines = split(text, started)
  luaunit.assertEquals(names, { "one", "two" })
  luaunit.assertEquals(texts, { "GRID START\no x\n\nA 1\n", "GRID START\nP 1 0\n" })
  luaunit.assertEquals(lines, { { 4, 5, 6, 8 }, { 11, 12 } })
  luaunit.assertEquals(split("# no name\nGRID START\n", started), { "stem" })
  luaunit.assertEquals(problem(levels.split, "# x\n o o\nGRID START\n", "f.bff", started),
    "f.bff:2: found ' o o', expected the start of a level")
end

function Levels.test_nothing()
  luaunit.assertEquals(split("", plain), {})
  luaunit.assertEquals(split("\n; only a comment\n\n", plain), {})
end

function Levels.test_files_and_faults()
  local folder = shell.folder "levels"
  for name, text in pairs { ["10.txt"] = "AA", ["9.txt"] = "AA", ["a.csv"] = "x", [".txt"] = "AA", ["nul.lvl"] = "A\nB\0",
    ["empty.lvl"] = "", ["remark.lvl"] = "; x\n", ["mark.lvl"] = "\239\187\191AA\n" } do
    shell.file("levels/" .. name, text)
  end
  luaunit.assertEquals(levels.files(folder .. "//", plain), { folder .. "/9.txt", folder .. "/10.txt" })
  luaunit.assertEquals(levels.files(folder .. "/a.csv", plain), { folder .. "/a.csv" })
  luaunit.assertEquals(problem(levels.files, folder, started), folder .. ": found no level files, expected files that end in .bff")
  luaunit.assertEquals(problem(levels.read, "g.lua", started), "found the script g.lua, expected a level file; the game comes "
    .. "before the levels")
  local function path(name) return ("%s/%s.lvl"):format(folder, name) end
  luaunit.assertEquals(problem(levels.read, path "nul", plain), path "nul" .. ":2: found a NUL byte, expected text")
  luaunit.assertEquals(problem(levels.read, path "empty", plain), path "empty" .. ":1: found an empty file, expected at least one level")
  luaunit.assertEquals(problem(levels.read, path "remark", plain), path "remark" .. ":1: found no level, expected at least one level")
  luaunit.assertEquals(levels.read(path "mark", plain)[1].text, "AA\n")
  luaunit.assertEquals(problem(levels.read, path "none", plain), path "none" .. ": No such file or directory")
end

function Levels.test_saved_levels_read_back()
  local folder = shell.folder "saved"
  local list = { { name = "one", text = "AA\n" }, { name = "two/2", text = "BB\nBB\n" } }
  level_writer.save(folder .. "/all.txt", list, plain)
  luaunit.assertEquals(shell.read(folder .. "/all.txt"), "; one\nAA\n\n; two/2\nBB\nBB\n")
  level_writer.save(folder .. "/new/", list, plain)
  luaunit.assertEquals(shell.read(folder .. "/new/one.txt"), "; one\nAA\n")
  luaunit.assertEquals(levels.read(folder .. "/new/two_2.txt", plain)[1].name, "two/2")
  level_writer.save(folder .. "/new", list, started)
  luaunit.assertEquals(levels.read(folder .. "/new/one.bff", { extensions = {}, comment = "#" })[1].name, "one")
end

--- Calls a function with other sizes.
---@param changes table<string, integer>
local function with_sizes(changes, f)
  local former = {}
  for name, most in pairs(changes) do former[name], sizes[name] = sizes[name], most end
  local results = table.pack(pcall(f))
  for name, most in pairs(former) do sizes[name] = most end
  return table.unpack(results, 1, results.n)
end

--- At each limit a text is read, and with one more refused.
function Levels.test_sizes()
  for _, case in ipairs {
    { "line_bytes", 4, "A\nAAAA\n", "A\nAAAAA\n", "f.txt:2: column 5: found a line of more than 4 bytes, expected at most 4 bytes" },
    { "level_bytes", 5, "AA\nA\n", "A\nAA\nA\n", "f.txt:3: found a level of more than 5 bytes, expected at most 5 bytes" },
    { "name_bytes", 3, "; abc\nA\n", "A\n\n; abcd\nA\n", "f.txt:4: found a name of more than 3 bytes, expected at most 3 bytes" },
    { "levels", 2, "A\n\nA\n", "A\n\nA\n\nA\n", "f.txt:5: found a file of more than 2 levels, expected at most 2 levels" },
  } do
    local changes = { [case[1]] = case[2] }
    luaunit.assertTrue(with_sizes(changes, function() return levels.split(case[3], "f.txt", plain) end))
    local _, result = with_sizes(changes, function() return levels.split(case[4], "f.txt", plain) end)
    luaunit.assertEquals(result.message, case[5])
  end
  local folder = shell.folder("many", { ["1.txt"] = "", ["2.txt"] = "" })
  luaunit.assertTrue(with_sizes({ files = 2 }, function() return levels.files(folder, plain) end))
  local _, result = with_sizes({ files = 1 }, function() return levels.files(folder, plain) end)
  luaunit.assertEquals(result.message, folder .. ": found a folder of more than 1 level file, expected at most 1 level file")
  _, result = with_sizes({ level_file_bytes = 1 }, function() return levels.read(shell.file("two.txt", "AA"), plain) end)
  luaunit.assertEquals(result.message, shell.path "two.txt" .. ": found a level file of more than 1 byte, expected at most 1 byte")
end

--- Levels one by one may be more than a list holds; a wrong one is told before the first, also of a text that is split twice.
function Levels.test_each()
  local path, names = shell.file("three.txt", "A\n\n; b\nA\n\nA\n"), {}
  local function one_by_one() levels.each(path, plain)(function(entry) table.insert(names, entry.name) end) end
  luaunit.assertTrue(with_sizes({ levels = 2 }, one_by_one))
  luaunit.assertEquals(names, { "three:1", "b", "three:3" })
  local _, result = with_sizes({ levels = 2 }, function() return levels.read(path, plain) end)
  luaunit.assertEquals(result.message, path .. ":6: found a file of more than 2 levels, expected at most 2 levels")
  _, result = with_sizes({ name_bytes = 0 }, one_by_one)
  luaunit.assertEquals(result.message, path .. ":4: found a name of more than 0 bytes, expected at most 0 bytes")
  luaunit.assertEquals(#names, 3)
  path, names = shell.file("large.txt", ("A\n\n"):rep(30000) .. "; bb\nA\n"), {}
  one_by_one()
  luaunit.assertEquals({ #names, names[1], names[30000], names[30001] }, { 30001, "large:1", "large:30000", "bb" })
  _, result = with_sizes({ name_bytes = 1 }, one_by_one)
  luaunit.assertEquals(result.message, path .. ":60002: found a name of more than 1 byte, expected at most 1 byte")
  luaunit.assertEquals(#names, 30001)
end

--- What took the square of its length once: these end at once, or never.
function Levels.test_no_work_grows_with_a_square()
  local many = long.choose(20000, 200000)
  luaunit.assertEquals(#split("; x\n\n" .. ("; x\n\n"):rep(many) .. "A\n", plain), 1)
  luaunit.assertEquals(#split(("GRID START\n" .. ("#\n"):rep(many)):rep(2), started), 2)
  luaunit.assertEquals(levels.split(("; a:%sb\n;%sb\nA"):format((" "):rep(many), (" "):rep(many)), "f", plain)[1].notes.a, "b")
  luaunit.assertEquals(#split(("A\n\n"):rep(many), plain), many)
end

--- What is written is read: names that look like notes, comments, titles and paths, put together at random (seed 1).
function Levels.test_names_are_read_as_written()
  local pieces = { ":", ": ", "a", "name", "Title:", "'", "\"", ";", "#", " ", "\t", "\r", "/", ".", "-", "é", "\255", "GRID START", "3", "=" }
  local rng, names = random.new(1, 0), { "stamina: 3", "World: 3", "name: x", "name:", "'x'", ".", "..", "x", "x", "a/b", "a_b", "a_b-2" }
  while #names < 300 do
    local parts = {}
    for i = 1, rng:integer(1, 5) do parts[i] = pieces[rng:integer(1, #pieces)] end
    local name = table.concat(parts)
    if pcall(level_writer.check_name, "test", name) then table.insert(names, name) end
  end
  for format, text in pairs { [plain] = "AB\nBA\n", [started] = "GRID START\nGRID STOP\n" } do
    local list, expected = {}, {}
    for i, name in ipairs(names) do
      list[i] = { name = name, text = ("%s stamina: %d\n%s"):format(format.comment, i, text) }
      expected[i] = ("%s|%d|%s"):format(name, i, text)
    end
    local function check(paths)
      local found = {}
      for _, path in ipairs(paths) do
        for _, entry in ipairs(levels.read(path, format)) do
          entry.notes.name = nil
          table.insert(found, ("%s|%s|%s"):format(entry.name, table.concat({ entry.notes.stamina, next(entry.notes, "stamina") }, "|"), entry.text))
        end
      end
      luaunit.assertItemsEquals(found, expected)
    end
    local path = shell.path "nasty.txt"
    level_writer.save(path, list, format)
    check { path }
    local folder = shell.folder "nasty" .. "/"
    level_writer.save(folder, list, format)
    check(levels.files(folder, format))
  end
end

--- Names that a level file cannot hold.
function Levels.test_names_that_are_refused()
  for name, shown in pairs { ["a\nb"] = "a\\x0ab", [" a"] = " a", ["a "] = "a ", [""] = "", ["\0"] = "\\x00" } do
    luaunit.assertEquals(problem(level_writer.check_name, "f.csv:2", name),
      ("f.csv:2: found the name '%s', expected one line of at most 1000 bytes without blanks around it"):format(shown))
  end
  luaunit.assertNotNil(problem(level_writer.check_name, "f.csv:2", ("a"):rep(1001)))
end

return { Levels = Levels }
