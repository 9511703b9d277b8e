--- What examples/ holds runs and gives the numbers that crux gives.
local fitting = require "fitting"
local long = require "long"
local luaunit = require "luaunit"
local plugin = require "plugin"
local shell = require "shell"

local program = shell.quote(shell.program)
local here = shell.run("pwd").out:gsub("\n", "")

--- The ratings of examples/new-levels.csv.
local function rate(rule)
  local ratings = {}
  for rating in shell.printed(("rate %s examples/new-levels.csv"):format(rule)):gmatch ",([-%d.e]+)\n" do
    table.insert(ratings, tonumber(rating))
  end
  return ratings
end

local Examples = {}

--- R: predict(lm(difficulty ~ log(size) + corners + corners:colours, flow, weights = solved), new)
function Examples.test_new_rule()
  shell.printed("fit examples/my-rule.lua datasets/flow.csv -o " .. shell.path "my-rule.lua")
  fitting.all_near(rate(shell.path "my-rule.lua"), { 1.3012829997218840, 3.5082704821445252, 4.9101784459978042 }, 1e-11)
  luaunit.assertTrue(select(2, shell.read "examples/my-rule.lua":gsub("\n", "")) <= 5) -- issue 3: a new rule in five lines
end

--- max(1, 0.06 size + 0.5 corners / colours - 1) by hand
function Examples.test_by_hand()
  fitting.all_near(rate "examples/by-hand.lua", { 1, 0.06 * 49 + 0.5 * 14 / 6 - 1, 0.06 * 81 + 0.5 * 24 / 8 - 1 }, 1e-11)
end

--- Heights 2, 1, 2 lie 1/3, 2/3 and 1/3 from their line, which is level; 1, 2 lie on theirs; 1, 2, 2, 1 lie 1/2
--- from theirs, which is level, too. Boards have two rows.
function Examples.test_platformer()
  local file = shell.file("platformer.txt", "; bump\n#E#\n###\n\n; ramp\n..#\n^##\n\n; gap\n.#.#.\n##.##\n")
  luaunit.assertEquals(shell.printed("measure examples/platformer.lua " .. file .. " --format table"), [[
level  gaps  linearity  leniency
bump      0     0.7778   -0.3333
ramp      1     1.0000   -0.5000
gap       1     0.7500   -0.1000
]])
end

function Examples.test_compare()
  local expected = shell.printed "compare flow examples/my-rule.lua examples/by-hand.lua datasets/flow.csv"
  local out = shell.output(("cd / && CRUX=%s %s/examples/compare.sh"):format(program, here))
  luaunit.assertEquals(out, expected)
  local order = {}
  for rule in out:gmatch "([%w-]+) [^\n]*\n" do table.insert(order, rule) end
  luaunit.assertEquals({ table.unpack(order, 1, 5) }, { "rule", "flow", "my-rule", "by-hand", "baseline" })
end

function Examples.test_demo()
  plugin.expect()
  local out = shell.output(("cd / && CRUX=%s %s/examples/demo.sh"):format(program, here))
  luaunit.assertTrue(out:find("\n1,631 of 1,631 published cells hold\n", 1, true) ~= nil)
  local rated = shell.printed "rate flow examples/new-levels.csv --append --format table"
  luaunit.assertEquals(out:sub(-#rated), rated)
end

--- Compiles an example in C with the flags of the Makefile and what else is given, runs it, and returns what it prints.
---@param words string?   of its command line
local function built(name, flags, words)
  local binary, compiler = shell.path(name), os.getenv "CC" or "cc"
  shell.output(("%s -std=c11 -Wall -Wextra -Wpedantic -Werror -Isrc examples/%s.c %s -o %s")
    :format(compiler, name, flags, binary))
  return shell.output(("cd / && CRUX_HOME=%s %s %s"):format(here, binary, words or "")) -- which is not beside what is installed
end

--- What the program prints, from the coefficients in rules/flow.lua and the ratings of crux.
local function expected_output()
  local lines = {}
  local fitted = shell.printed "fit flow datasets/flow.csv --format csv"
  for term, estimate in fitted:gmatch "\n([^,\n]+),([^,\n]+)" do
    table.insert(lines, ("%+.4f %s\n"):format(tonumber(estimate), term))
  end
  local levels = shell.file("embedded.csv", "size,colours,distance,corners\n25,5,3.6,5\n81,9,6.2,NA\n")
  local rated = shell.crux("rate flow " .. levels).out
  local first = rated:match "\n1,([-%d.e]+)\n2,\n$"
  table.insert(lines, ("level 1: %.2f\nlevel 2: no rating, a measure is missing\n"):format(tonumber(first)))
  return table.concat(lines)
end

--- The program that embeds crux is built without sanitizers and coverage, and so needs a library without them.
local function library(name)
  local is_special = shell.program:find "/build/%l+/crux$"
  if not shell.exists(name) then
    if is_special then luaunit.skip(name .. " is built with sanitizers or for coverage only") end
    luaunit.assertEquals(shell.run("make " .. name).status, 0)
  end
  return name
end

function Examples.test_embed_shared()
  luaunit.assertEquals(built("embed", library "libcrux.so" .. " -Wl,-rpath,\"$PWD\""), expected_output())
  luaunit.assertEquals(built("embed", "-L. -lcrux -Wl,-rpath,\"$PWD\""), expected_output()) -- as docs/c-api.md has it
end

function Examples.test_embed_static()
  long.only()
  local libraries = shell.run("make -pn all").out:match "\nlibraries := ([^\n]*)\n" -- as the Makefile links
  luaunit.assertEquals(built("embed", library "libcrux.a" .. " " .. libraries), expected_output())
end

--- The lines of the editor for these edits of a level, without the times.
local function edited(game, level, edits)
  local words = ("%s %s < %s"):format(game, shell.file("level.txt", level), shell.file("edits.txt", edits))
  local out = built("editor", library "libcrux.so" .. " -Wl,-rpath,\"$PWD\"", words)
  return (out:gsub(" %([%d.]+ ms%)\n", "\n"))
end

--- The line of the editor for a level, from what crux measures and rates.
local function rated(game, level)
  local path, parts = shell.file("level.txt", level), {}
  local names, values = shell.printed(("measure %s %s --format csv"):format(game, path)):match "^level,(.-)\nlevel,(.-)\n"
  local value = values:gmatch "[^,]+"
  for name in names:gmatch "[^,]+" do table.insert(parts, ("%s %g"):format(name, tonumber(value()))) end
  local rating = shell.crux(("rate %s %s --format csv"):format(game, path)).out:match "\nlevel,(.-)\n"
  return ("rating %.2f: %s\n"):format(tonumber(rating), table.concat(parts, " "))
end

function Examples.test_editor()
  long.leave_out()
  luaunit.assertEquals(edited("move", "a . .\n. # .\n. . A\n", "3 ? . A\nno number\n3 # # A\n2 . . #\n2 . . .\n"),
    rated("move", "a . .\n. # .\n. . A\n")
    .. "wrong: level:3: column 1: found '?', expected '.', '#', a ball such as 'a', a goal such as 'A', or both\n"
    .. rated("move", "a . .\n. # .\n# # A\n") .. "unsolvable: no solution exists\n"
    .. rated("move", "a . .\n. . .\n# # A\n"))
  luaunit.assertEquals(edited("flow", "AB\n..\nAB\n", "1 BA\n1 AA\n3 BB\n"),
    rated("flow", "AB\n..\nAB\n") .. "unsolvable: no solution exists\n"
    .. "wrong: level:3: column 1: found 'A' a third time, expected it exactly twice\n" .. rated("flow", "AA\n..\nBB\n"))
end

function Examples.test_examples_in_c_are_short()
  for name, most in pairs { embed = 60, editor = 100 } do
    luaunit.assertTrue(select(2, shell.read(("examples/%s.c"):format(name)):gsub("\n", "")) < most)
  end
end

return { Examples = Examples }
