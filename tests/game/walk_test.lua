-- Tests of random walks backwards: what C makes of many at a time is what Lua makes of each; coins; wrong hooks.
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local native = require "libcrux.walk"
local random = require "libcrux.random"
local shell = require "shell"
local walk = require "crux.game.walk"

local move = game.load "games/move.lua"

local Walk = {}

--- Levels of a game as a walk of that number of moves leaves them; `reason`: all in Lua.
local function walked(self, drafts, moves, reason)
  local spec = { moves = moves, back = self.walk.back, finish = self.walk.finish }
  local walker = walk.new { walk = spec, search = self.search }
  if reason then
    for _, draft in ipairs(drafts) do walker:walks_of(draft.level).reason = reason end
  end
  for _, draft in ipairs(drafts) do walker:enter(draft) end
  walker:run()
  local reasons = {}
  for _, walks in pairs(walker.alike) do table.insert(reasons, walks.reason) end
  return drafts, reasons
end

local function drafts_of_move(count)
  local drafts = {}
  for stream = 1, count do
    local rng = random.new(7, stream)
    local options = { side = rng:integer(2, 6), balls = rng:integer(1, 5), colours = 0, rocks = 0.3 }
    drafts[stream] = { random = rng, level = move.generate(rng, options) }
  end
  return drafts
end

--- In Lua each move back is tried forwards, so that this also tries some 100,000 of them.
function Walk.test_native_walks_are_those_in_lua()
  local drafts, steps = long.choose(40, 150), long.choose(300, 700)
  local in_c, reasons = walked(move, drafts_of_move(drafts), steps)
  luaunit.assertEquals(reasons, {})
  local in_lua = walked(move, drafts_of_move(drafts), steps, "as the test wants it")
  local changed = 0
  for i, draft in ipairs(in_c) do
    luaunit.assertEquals(move:text(draft.level), move:text(in_lua[i].level))
    changed = changed + (move:text(draft.level):find "%l%f[%A]" and 1 or 0) -- a ball off a goal
  end
  luaunit.assertTrue(changed > drafts / 3)
end

--- A level's walk is its own: alone it is as among others.
function Walk.test_walks_do_not_depend_on_company()
  local together = walked(move, drafts_of_move(40), 200)
  for i, draft in ipairs(drafts_of_move(40)) do
    if i % 8 == 0 then
      luaunit.assertEquals(move:text(walked(move, { draft }, 200)[1].level), move:text(together[i].level))
    end
  end
end

--- A game whose moves do different things to a flag, an integer and boards of one and of two words.
local function puzzle(name, take_back)
  return game.load(shell.file(name, ([[
local game, any, where, ge, lt = crux.game "puzzle", crux.any, crux.where, crux.ge, crux.lt
function game.parse() return {} end
function game.generate() return { full = ~crux.cells(9, 9) } end
function game.format(level) return ("%%d %%s %%d %%d"):format(level.at, level.on, #level.small, #level.wide) end
game.search = {
  moves = { "add", "flip", "draw", "take", "stay" },
  state = function()
    return { at = crux.integer(0, 99), on = crux.flag, small = crux.board(3, 3), wide = crux.board(9, 9) }
  end,
  start = function() return { at = 5, on = false, small = crux.cells(3, 3):with(1, 1), wide = crux.cells(9, 9) } end,
  step = function(state, move)
    if move == "add" then state.at = state.at - 1 end
    if move == "flip" then state.on, state.wide = ~state.on, ~state.wide end
    if move == "take" then state.at = state.at + 7 end
    if move == "draw" then state.small = ~state.small end
    return false
  end,
}
game.walk = {
  moves = 100,
  back = function(state, move, level, coin)
    local heads, cells, at = coin:chance(0.75), coin:sample(level.full, 0.01), state.at
    if move == "add" then
      state.at = where(lt(at, 99), at + 1, at)
      return lt(at, 99) & heads
    elseif move == "flip" then
      state.on, state.wide = ~state.on, ~state.wide
    elseif move == "take" then
      %s
    elseif move == "draw" then
      state.small = ~state.small
      return any(cells)
    end
    return true
  end,
  finish = function(level, state)
    level.at, level.on, level.small, level.wide = state.at, state.on, state.small, state.wide
    return level
  end,
}
return game
]]):format(take_back)))
end

local function drafts_of(self, count)
  local drafts = {}
  for stream = 1, count do drafts[stream] = { random = random.new(3, stream), level = self.generate() } end
  return drafts
end

local function texts(self, drafts)
  local list = {}
  for i, draft in ipairs(drafts) do list[i] = self:text(draft.level) end
  return table.concat(list)
end

function Walk.test_all_kinds_of_fields_and_moves_that_differ()
  local self = puzzle("right.lua", "state.at = where(ge(at, 7), at - 7, at); return ge(at, 7)")
  local in_c, reasons = walked(self, drafts_of(self, 200), 100)
  luaunit.assertEquals(reasons, {})
  luaunit.assertEquals(texts(self, in_c), texts(self, walked(self, drafts_of(self, 200), 100, "as the test wants it")))
end

--- What tracing does not see is walked in Lua.
function Walk.test_hooks_that_cannot_be_traced()
  local self = puzzle("branch.lua", "local text = tostring(at * 3) state.at = where(ge(at, 7), at - 7, at); "
    .. "return ge(at, 7)")
  local drafts, reasons = walked(self, drafts_of(self, 20), 100)
  luaunit.assertStrMatches(reasons[1], ".*branch.lua:%d+: column %d+: found a value from %-?%d+ to %-?%d+ where .*")
  luaunit.assertEquals(drafts[20].untraced, reasons[1])
  luaunit.assertEquals(texts(self, drafts), texts(self, walked(self, drafts_of(self, 20), 100, "as the test wants it")))
  self = puzzle("unknown.lua", "if at >= 7 then state.at = at - 7 return true end return false")
  luaunit.assertEquals(select(2, walked(self, drafts_of(self, 5), 100)), {})
  self = puzzle("fraction.lua", "if at * 3 / 2 >= 10.5 then state.at = at - 7 return true end return false")
  drafts, reasons = walked(self, drafts_of(self, 5), 100)
  luaunit.assertStrContains(reasons[1], "where each value needs a path of its own, expected at most 256 values")
  local result = shell.crux(("generate %s --count 3"):format(self.path))
  luaunit.assertEquals(result.err, ("level 'puzzle-1-1': walked in Lua: %s\n"):format(reasons[1]))
  luaunit.assertNotEquals(self:text(drafts[1].level), self:text(drafts[2].level))
end

local function message_of(name, take_back)
  local self = puzzle(name, take_back)
  local ok, problem = pcall(walked, self, drafts_of(self, 5), 100)
  luaunit.assertFalse(ok)
  return (problem.message:gsub("^.*" .. name .. ":%d+: ", ""))
end

function Walk.test_wrong_hooks()
  luaunit.assertEquals(message_of("wrong.lua", "state.at = where(ge(at, 6), at - 6, at); return ge(at, 6)"),
    "back with move 'take': found a state from which it leads elsewhere, expected one from which it leads back, or false")
  luaunit.assertEquals(message_of("number.lua", "return 1"), "back with move 'take': found 1, expected true or false")
  luaunit.assertEquals(message_of("range.lua", "state.at = 100"), "back: field 'at': found 100, expected an integer from 0 to 99")
  luaunit.assertEquals(message_of("coin.lua", "coin:chance(2)"), "coin: found 2, expected a probability from 0 to 1")
end

--- The share of cells that hold; four standard deviations of 30,000 throws or more, and the 2^-13 that a coin may be off.
function Walk.test_coins()
  local rng = random.new(5)
  for _, side in ipairs { 1, 3, 4, 5, 8, 9 } do
    for _, p in ipairs { 0, 0.3, 0.5, 0.999, 1 } do
      local throws, held = long.choose(5000, 30000), 0
      for _ = 1, throws do held = held + #native.throw(rng, p, side, side) end
      local cells = throws * side ^ 2
      luaunit.assertAlmostEquals(held / cells, p, 4 * math.sqrt(p * (1 - p) / cells) + (p % 1 == 0 and 0 or 2 ^ -13))
    end
  end
end

--- Where a ball may have moved and may have stayed, it stayed three times in ten: one ball before the edge, and a free
--- square behind it.
function Walk.test_stays()
  local level, stayed, throws = move.parse "A a\n", 0, 20000
  local rng = random.new(11)
  local coin = { sample = function(_, board, p) return board & native.throw(rng, p, 2, 1) end }
  for _ = 1, throws do
    local state = { ball = { level.ball[1] } }
    luaunit.assertTrue(move.walk.back(state, "R", level, coin))
    stayed = stayed + (state.ball[1] == level.ball[1] and 1 or 0)
  end
  luaunit.assertAlmostEquals(stayed / throws, 0.3, 4 * math.sqrt(0.21 / throws) + 2 ^ -13)
end

return { Walk = Walk }
