--- What examples/ holds runs and gives the numbers that crux gives.
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

local function assert_near(actual, expected)
  luaunit.assertEquals(#actual, #expected)
  for i, value in ipairs(expected) do luaunit.assertAlmostEquals(actual[i], value, 1e-11) end
end

local Examples = {}

--- R: predict(lm(difficulty ~ log(size) + corners + corners:colours, flow, weights = solved), new)
function Examples.test_new_rule()
  shell.printed("fit examples/my-rule.lua datasets/flow.csv -o " .. shell.path "my-rule.lua")
  assert_near(rate(shell.path "my-rule.lua"), { 1.3012829997218840, 3.5082704821445252, 4.9101784459978042 })
  luaunit.assertTrue(select(2, shell.read "examples/my-rule.lua":gsub("\n", "")) <= 5) -- issue 3: a new rule in five lines
end

--- max(1, 0.06 size + 0.5 corners / colours - 1) by hand
function Examples.test_by_hand()
  assert_near(rate "examples/by-hand.lua", { 1, 0.06 * 49 + 0.5 * 14 / 6 - 1, 0.06 * 81 + 0.5 * 24 / 8 - 1 })
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

--- Compiles examples/embed.c with the flags of the Makefile and what else is given, and returns what it prints.
local function embed(flags)
  local binary, compiler = shell.path "embed", os.getenv "CC" or "cc"
  shell.output(("%s -std=c11 -Wall -Wextra -Wpedantic -Werror -Isrc examples/embed.c %s -o %s"):format(compiler, flags, binary))
  return shell.output(("cd / && CRUX_HOME=%s %s"):format(here, binary)) -- which is not beside what is installed
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
  luaunit.assertEquals(embed(library "libcrux.so" .. " -Wl,-rpath,\"$PWD\""), expected_output())
  luaunit.assertEquals(embed "-L. -lcrux -Wl,-rpath,\"$PWD\"", expected_output()) -- as README.md has it
end

function Examples.test_embed_static()
  local libraries = shell.run("make -pn all").out:match "\nlibraries := ([^\n]*)\n" -- as the Makefile links
  luaunit.assertEquals(embed(library "libcrux.a" .. " " .. libraries), expected_output())
end

function Examples.test_embed_is_short()
  luaunit.assertTrue(select(2, shell.read "examples/embed.c":gsub("\n", "")) < 60) -- issue 3
end

return { Examples = Examples }
