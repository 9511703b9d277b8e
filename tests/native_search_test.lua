-- Tests of lua/crux/search/native.lua: native searches against interpreted ones, and scripts that cannot be traced.
local board = require "libcrux.board"
local fault = require "crux.fault"
local kinds = require("crux.state").kinds
local luaunit = require "luaunit"
local reference = require "search_reference"
local search = require "crux.search"
local vocabulary = require "libcrux.vocabulary"

vocabulary.enable()
local words = vocabulary.words
local any, none, eq, lookup, where = words.any, words.none, words.eq, words.lookup, words.where

--- Solves with one engine; what differs by design is taken out and returned.
local function solve(spec, level, options, engine)
  local with_engine = { engine = engine }
  for name, value in pairs(options) do with_engine[name] = value end
  local solution = search.solve(spec, level, with_engine)
  local program, untraced = solution.program, solution.untraced
  solution.program, solution.untraced = nil, nil
  return solution, program, untraced
end

--- Checks that both engines say the same; returns whether the search was native.
local function check_same(spec, level, options)
  local expected = solve(spec, level, options, "interpreted")
  local found, program, untraced = solve(spec, level, options, "native")
  luaunit.assertNil(untraced)
  luaunit.assertEquals(found, expected)
  return program ~= nil
end

local Native = {}

local function check_random(make, count, seed)
  math.randomseed(seed)
  local native = 0
  for i = 1, count do
    local puzzle = make()
    local limit = math.random(3) == 1 and math.random(60) or nil
    if check_same(puzzle.spec, puzzle.level, { count = i % 2 == 0, states = limit }) then native = native + 1 end
  end
  luaunit.assertTrue(native > count // 3, native)
end

function Native.test_random_graphs() check_random(reference.graph, 300, 1) end
function Native.test_random_sliding() check_random(reference.sliding, 200, 2) end
function Native.test_random_balls() check_random(reference.balls, 200, 3) end

return { NativeSearch = Native }
