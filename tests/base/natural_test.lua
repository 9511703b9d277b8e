-- Tests of lua/crux/base/natural.lua and nearest.lua: the order of names, and the name that was probably meant.
local luaunit = require "luaunit"
local natural = require "crux.base.natural"
local nearest = require "crux.base.nearest"

local Natural = {}

function Natural.test_order()
  for _, sorted in ipairs {
    { "1", "2", "9", "10", "11", "100" },
    { "level 2", "level 10", "level 10a", "level 10b", "levels" },
    { "a1b2", "a1b10", "a2b1", "a10" },
    { "", "0", "a", "a0", "a1" },
    { "3", "3.5", "x" },
    { "1.9", "1.10" },
    { "007", "07", "7", "8" }, -- the same number: by the text
    { "A", "B", "a", "b", "é" },
    { "v9223372036854775807", "v9223372036854775808", "v99999999999999999999" },
    { "one:1", "one:2", "one:10", "two" },
  } do
    for first = 1, #sorted do -- from each rotation, forwards and backwards
      local names, reversed = {}, {}
      for i = 1, #sorted do
        names[i] = sorted[(first + i - 2) % #sorted + 1]
        reversed[#sorted + 1 - i] = names[i]
      end
      natural.sort(names)
      natural.sort(reversed)
      luaunit.assertEquals(names, sorted)
      luaunit.assertEquals(reversed, sorted)
    end
  end
end

-- Whatever the names are, the order is one: sorting a shuffled copy gives the same list.
function Natural.test_order_is_total()
  math.randomseed(12)
  local letters = { "0", "1", "9", "a", ".", " ", "10" }
  for _ = 1, 200 do
    local names, copy, seen = {}, {}, {}
    for _ = 1, 30 do
      local name = ""
      for _ = 1, math.random(0, 5) do name = name .. letters[math.random(#letters)] end
      if not seen[name] then
        table.insert(names, name)
        table.insert(copy, math.random(#names), name)
      end
      seen[name] = true
    end
    natural.sort(names)
    natural.sort(copy)
    luaunit.assertEquals(copy, names)
  end
end

function Natural.test_names_that_occur_twice()
  local names = { "10", "2", "10", "1", "2" }
  natural.sort(names)
  luaunit.assertEquals(names, { "1", "2", "2", "10", "10" })
end

local Nearest = {}

local words = { "size", "colours", "distance", "corners", "solved", "x" }

-- Up to half of the letters may be wrong: dropped, added, replaced, or swapped with the next.
function Nearest.test_of()
  for name, expected in pairs {
    size = "size", sise = "size", szie = "size", sizes = "size", siz = "size", SIZE = "size", ["size "] = "size",
    colors = "colours", coulors = "colours", dist = "none", distence = "distance", corner = "corners", y = "none", xy = "x",
    enjoyment = "none", zzzz = "none", solve = "solved", saved = "solved",
  } do
    luaunit.assertEquals(nearest.of(name, words) or "none", expected, name)
  end
  luaunit.assertNil(nearest.of("size", {}))
  luaunit.assertEquals(nearest.of("bat", { "cat", "bad", "bat" }), "bat")
  luaunit.assertEquals(nearest.of("bats", { "cat", "boat", "bat" }), "bat")
  luaunit.assertEquals(nearest.of("cab", { "abc", "cba" }), "cba") -- one swap against two edits
  for name, far in pairs { ba = "xy", abcde = "abxyz", abcdef = "abwxyz" } do luaunit.assertNil(nearest.of(name, { far })) end
  for name, near in pairs { ba = "ab", abcde = "abcxy", abcdef = "abcxyz" } do
    luaunit.assertEquals(nearest.of(name, { near }), near)
  end
end

function Nearest.test_hint()
  luaunit.assertEquals(nearest.hint("sise", words), "did you mean 'size'?")
  luaunit.assertEquals(nearest.hint("enjoyment", words), "there are: size, colours, distance, corners, solved, x")
  local many = {}
  for i = 1, 12 do many[i] = "measure" .. i end
  local twelve = table.concat(many, ", ")
  luaunit.assertEquals(nearest.hint("zz", many), "there are: " .. twelve)
  many[13] = "measure13"
  luaunit.assertEquals(nearest.hint("zz", many), "there are: " .. twelve .. ", ...")
end

return { Natural = Natural, Nearest = Nearest }
