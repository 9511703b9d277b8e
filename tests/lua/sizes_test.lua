-- Tests of libcrux.sizes: it says what docs/sizes.md says, and nothing else is hostile by its size alone.
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local number = require "crux.base.number"
local shell = require "shell"
local sizes = require "libcrux.sizes"
local file_system = require "libcrux.files"

local Sizes = {}

function Sizes.test_page_has_every_row()
  local page, lines = shell.read "docs/sizes.md", {}
  for name, of in shell.read("src/base/sizes.h"):gmatch '\n\tROW%(([%u_]+), [^"]*, "(.-)"%)' do
    table.insert(lines, ("| %s | %s |"):format(number.count(sizes[name:lower()]), of))
  end
  luaunit.assertTrue(#lines >= 39)
  luaunit.assertStrContains(page, "\n" .. table.concat(lines, "\n") .. "\n\n")
end

--- Files, what is done with them, and the one line that comes out.
function Sizes.test_no_hostile_file_hangs_or_fills_memory()
  long.leave_out()
  local open = { ["levels.txt"] = ("A"):rep(2000000), ["quote.csv"] = 'a,y\n"' .. ("1,2\n"):rep(500000),
    ["wide.csv"] = ("a,"):rep(500000) .. "\n", ["row.csv"] = "a,y\n" .. ("1,"):rep(500000) .. "\n",
    ["bytes.csv"] = "a,y\n\255\254\128,2\n", ["long.csv"] = ("x"):rep(1001) .. ",y\n1,2\n" }
  local folder = shell.folder("hostile", open)
  shell.run(("cd %s; ln -s loop.csv loop.csv; mkdir folder.csv"):format(folder))
  local fit = "fit --formula 'y ~ a' %s"
  for _, case in ipairs {
    { "measure move levels.txt", "levels.txt:1: column 1000001: found a line of more than 1,000,000 bytes, expected at most 1,000,000 bytes\n1 of 1 level failed" },
    { "measure move /dev/zero", "/dev/zero: found a level file of more than 250,000,000 bytes, expected at most 250,000,000 bytes\n1 of 1 level failed" },
    { fit:format "/dev/zero", "/dev/zero:1: found a NUL byte, expected text" },
    { fit:format "quote.csv", "quote.csv:2: found a row of more than 1048576 bytes, expected a shorter one; is a quote left open?" },
    { fit:format "wide.csv", "wide.csv:1: found 500001 columns, expected at most 100000" },
    { fit:format "row.csv", "row.csv:2: found 500001 fields, expected 2 as in the header" },
    { fit:format "long.csv", "long.csv:1: column 1: found a name of 1001 bytes, expected at most 1000" },
    { fit:format "bytes.csv", "bytes.csv:2: column 'a': found '\\xff\\xfe\\x80', expected a number, or factor(a) in the formula" },
    { fit:format "folder.csv", "folder.csv: found a directory, expected a CSV file" },
    { fit:format "loop.csv", "loop.csv: cannot be opened: Too many levels of symbolic links" },
    { "measure move loop.csv", "loop.csv: Too many levels of symbolic links\n1 of 1 level failed" },
    { "rate /dev/zero x.csv", "/dev/zero: found a Lua script of more than 10,000,000 bytes, expected at most 10,000,000 bytes" },
  } do
    local result = shell.crux(case[1], { folder = folder })
    luaunit.assertEquals({ result.status, result.err }, { 1, case[2] .. "\n" }, case[1])
  end
end

--- Texts as long as a level may be are refused by every game as soon as they are read: what takes the square of their length
--- would take an hour. Also what fuzzing found.
function Sizes.test_games_refuse_hostile_levels()
  long.leave_out()
  local n = long.choose(20000, 900000)
  local texts = { ("#"):rep(n) .. "\n", ("# "):rep(n // 2) .. "\n", ("9"):rep(n) .. "#\n", (" "):rep(n) .. "~\n", ("."):rep(n) .. "\n",
    "GRID START\n" .. ("\n"):rep(n) .. "x\n", "GRID START\n" .. (" "):rep(n) .. "x\n", "GRID START\no\nGRID STOP\nL 0 0 1 1\nP 1 0\n",
    "GRID START\no\nGRID STOP\nL 1 0 1 1\nP 1 1\n" }
  for _, name in ipairs(file_system.list "games") do
    local self = name:find "%.lua$" and game.load("games/" .. name)
    for _, text in ipairs(self and texts or {}) do
      local lines = {}
      for i = 1, select(2, text:gsub("\n", "")) do lines[i] = i end
      local ok, problem = pcall(self.level, self, { text = text, path = "f", lines = lines })
      luaunit.assertFalse(ok, self.name)
      luaunit.assertNotNil(problem.message:find "^f:%d+: .*found .*, expected ", self.name)
    end
  end
end

return { Sizes = Sizes }
