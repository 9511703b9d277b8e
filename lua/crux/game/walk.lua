--- Random walks backwards from the goal of a generated level to its start.
---
--- docs/lua-api.md describes the table `walk` of a script, as crux.Walk. `back` is traced into a program that C runs over many
--- levels at a time, as docs/search.md says of `step`; if it cannot be traced, it runs in Lua. A level depends on the seed of
--- its walk alone, not on the levels that are walked together or on where `back` runs.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local interpreter = require "crux.symbolic.interpreter"
local level_shape = require "libcrux.level_shape"
local native = require "libcrux.walk"
local paths = require "crux.symbolic.paths"
local Problem = require "crux.search.problem"
local random = require "libcrux.random"
local recording = require "crux.search.recording"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local tracing = require "libcrux.trace"
local unions = require "crux.symbolic.unions"
local vocabulary = require "crux.symbolic.vocabulary"

local walk = {}

--- The most moves of a walk, each of which has the limit on time of a call.
local MOST_MOVES <const> = native.most_steps

--- The most programs that are kept for states of the same fields, and bytes of states.
local MOST_PROGRAMS <const>, MOST_BYTES <const> = 8, 1 << 28

--- Before a program is trusted, the first 64 moves are tried in Lua, too: of 8 walks for the first program of a game, of 1 for
--- each further one.
local MOVES_TRIED <const>, FIRST_WALKS <const>, NEXT_WALKS <const> = 64, 8, 1

--- Checks what can be checked without a level.
---@param spec crux.Walk
---@param search SearchSpec?
function walk.check(spec, search, path)
  if not search then fault.at(path .. ": walk", "no search", "a table game.search") end
  if math.type(spec.moves) ~= "integer" or spec.moves < 1 or spec.moves > MOST_MOVES then
    fault.at(path .. ": walk.moves", fault.show(spec.moves), ("an integer from 1 to %d"):format(MOST_MOVES))
  end
  for _, name in ipairs { "back", "finish" } do
    if type(spec[name]) ~= "function" then fault.at(path .. ": walk." .. name, fault.show(spec[name]), "a function") end
  end
end

---@class Coin: crux.Coin   the random choices of `back`
---@field private throw fun(probability: number, width: integer, height: integer): any   a board
local Coin = {}

--- The metatable of coins: scripts reach the methods, but not the table.
local Thrown = { __index = Coin, __metatable = false }

local function check_probability(p)
  if not math.type(p) or not (p >= 0 and p <= 1) then
    error(("coin: found %s, expected a probability from 0 to 1"):format(fault.show(p)), 3)
  end
end

--- Some of a board's cells, each with probability p.
function Coin:sample(board, p)
  check_probability(p)
  return board & self.throw(p, board:size())
end

--- A truth value that holds with probability p.
function Coin:chance(p)
  check_probability(p)
  return vocabulary.words.any(self.throw(p, 1, 1))
end

local function new_coin(throw) return setmetatable({ throw = throw }, Thrown) end

---@class Steps              a program for levels of one shape, and the walks that wait for it
---@field shape userdata
---@field walk userdata
---@field drafts Draft[]     by lane
---@field is_trusted boolean?

---@class Walks: Steps[]     of states of the same fields
---@field fields StateField[]
---@field set userdata
---@field reason string?     why their walks are made in Lua

---@class Draft              a level that is being made
---@field level table?
---@field random userdata
---@field seed integer?      of its walk
---@field untraced string?   why the walk was made in Lua

---@class Walker
---@field private spec crux.Walk
---@field private search SearchSpec
---@field private alike table<StateField[], Walks>   by the fields of states
---@field private labels table<string, string>
---@field private is_trusted boolean?           a program was tried
local Walker = {}
Walker.__index = Walker

function walk.new(game)
  local labels = { back = Problem.label(game.walk, "back"), finish = Problem.label(game.walk, "finish"),
    state = Problem.label(game.search, "state"), start = Problem.label(game.search, "start") }
  return setmetatable({ spec = game.walk, search = game.search, alike = {}, labels = labels }, Walker)
end

---@return Walks
function Walker:walks_of(level)
  local description = fault.guard(self.labels.state, self.search.state, level)
  local fields = state.fields(description, self.labels.state)
  if not self.alike[fields] then
    local set, message = state_set.new(fields, 0, MOST_BYTES)
    if not set then fault.raise(("%s: %s"):format(self.labels.state, message)) end
    self.alike[fields] = { fields = fields, set = set }
  end
  return self.alike[fields]
end

--- The index of a state in the set, false if it is not there; raises a fault if it is no state.
local function find(set, sought, label)
  local index, message, name, element = set:find(sought)
  if index ~= nil then return index end
  fault.raise(("%s: field '%s%s': %s"):format(label, name, element and ("[%d]"):format(element) or "", message))
end

--- The index of a state in the set, which is emptied when it is full.
local function enter(set, entered, label)
  local index = find(set, entered, label) or set:add()
  if index then return index end
  set:clear(MOST_BYTES)
  set:find(entered)
  return set:add() or fault.raise(label .. ": found states that take too much memory")
end

--- The index of the start of a level in the set.
function Walker:start_of(walks, level)
  local start = fault.guard(self.labels.start, self.search.start, level)
  if type(start) ~= "table" then fault.at(self.labels.start, fault.show(start), "a table of the state's fields") end
  return enter(walks.set, start, self.labels.start)
end

function Walker:refuse(move, found, expected)
  fault.at(("%s with move '%s'"):format(self.labels.back, move), found, expected)
end

--- Makes a number of moves back in Lua; each is checked by making it forwards.
---@return table state
local function interpret(walker, walks, draft, moves)
  local set, names, level, generator = walks.set, walker.search.moves, draft.level, random.new(draft.seed)
  local coin = new_coin(function(...) return native.throw(generator, ...) end)
  local index = walker:start_of(walks, level)
  local now = set:state(index)
  for _ = 1, moves do
    local move, earlier = names[native.draw(generator, #names)], set:copy(now)
    budget.beat()
    local possible = walker.spec.back(earlier, move, level, coin)
    if type(possible) ~= "boolean" then walker:refuse(move, fault.show(possible), "true or false") end
    if possible then
      find(set, earlier, walker.labels.back)
      local after = set:successor(earlier)
      walker.search.step(after, move, level)
      if set:find(after) ~= index then
        walker:refuse(move, "a state from which it leads elsewhere", "one from which it leads back, or false")
      end
      now, index = earlier, enter(set, earlier, walker.labels.back)
    end
  end
  return now
end

--- Calls interpret(); errors of the script become faults that name it.
function Walker:interpret(...) return fault.guard(self.labels.back, interpret, self, ...) end

--- Records `back` of a state by a move, and its coins.
---@param values table        of the state
---@param thrown table[]      the coins of moves recorded before, and their boards; gets the new ones
---@return table values       of the state before the move
local function record(walker, walks, trace, values, move, level, thrown)
  local count = 0
  local function throw(probability, width, height)
    count = count + 1
    local coins = thrown[count] or { probability, width * height, width = width, board = trace:board(width, height) }
    if coins[1] ~= probability or coins[2] ~= width * height or coins.width ~= width then
      fault.at(walker.labels.back, "other coins than with another move", "the same with every move")
    end
    thrown[count] = coins
    return coins.board
  end
  local after = recording.state_of(walks, values)
  interpreter.restart(after)
  interpreter.allow(throw)
  local result = interpreter.call(paths.ALL, walker.spec.back, after, move, level, new_coin(throw))
  local possible = interpreter.of_kind(result, "truth", paths.ALL, false)
  local open, followers = unions.truth(possible), recording.values_of(walks, after)
  for i, value in ipairs(followers) do
    followers[i] = unions.where(possible, interpreter.of_kind(value, unions.kind_of(values[i]), open, values[i]), values[i])
  end
  return followers
end

--- A program for levels like this one; raises if there is none.
---@return Steps
local function trace_back(walker, walks, level)
  local trace <close> = tracing.new(false, true)
  local moves, shape = walker.search.moves, level_shape.new(trace, level)
  local values, thrown, choices = recording.symbols(walks.fields, trace), {}, {}
  local drawn = trace:integer(0, #moves - 1)
  interpreter.run(trace, level, shape, function()
    for i = 1, #values do choices[i] = {} end
    for number, move in ipairs(moves) do
      for i, value in ipairs(record(walker, walks, trace, values, move, level, thrown)) do choices[i][number] = value end
    end
    for i, choice in ipairs(choices) do choices[i] = trace:choose(drawn, 0, choice) end
    recording.put(walks, trace, values, choices, walker.labels.back, paths.ALL)
  end)
  trace:finish(false)
  shape:finish()
  return { shape = shape, walk = native.new(trace, walks.set, #moves, thrown), drafts = {} }
end

--- A program whose shape fits a level; nil if the walk is made in Lua. The set must have a state.
---@return Steps?
function Walker:steps_of(walks, level)
  for _, steps in ipairs(walks) do
    if steps.shape:fits(level) then return steps end
  end
  if walks.reason or #walks == MOST_PROGRAMS then return nil end
  local ok, steps = pcall(fault.guard, self.labels.back, trace_back, self, walks, level)
  if ok and steps.shape:fits(level) then
    table.insert(walks, steps)
    return steps
  end
  walks.reason = ok and self.labels.back .. ": found a level that does not fit itself" or fault.is(steps) and steps.message
    or tostring(steps)
end

--- Sets the start of a draft's level to the last state of its walk.
---@param index integer|table   the state, or its index in the set
function Walker:finish(walks, draft, index)
  local after = type(index) == "table" and index or walks.set:state(index)
  draft.level = fault.guard(self.labels.finish, self.spec.finish, draft.level, after)
  if type(draft.level) ~= "table" then fault.at(self.labels.finish, fault.show(draft.level), "a level") end
end

--- True if the first moves of some walks lead to the same states in Lua.
function Walker:is_right(walks, steps)
  local moves = math.min(self.spec.moves, MOVES_TRIED)
  if not steps.walk:run(moves) then return false end
  local tried = steps.is_trusted and 0 or self.is_trusted and NEXT_WALKS or FIRST_WALKS
  for lane = 1, math.min(#steps.drafts, tried) do
    local now = self:interpret(walks, steps.drafts[lane], moves)
    if steps.walk:state(walks.set, lane) ~= enter(walks.set, now, self.labels.back) then return false end
  end
  steps.is_trusted, self.is_trusted = true, true
  return true
end

--- Makes the walks of all drafts that wait for a program.
function Walker:flush(walks, steps)
  local drafts, left = steps.drafts, self.spec.moves - math.min(self.spec.moves, MOVES_TRIED)
  local is_right = #drafts > 0 and self:is_right(walks, steps) and steps.walk:run(left)
  walks.set:clear(MOST_BYTES)
  if #drafts > 0 and not is_right then walks.reason = self.labels.back .. " does something else when it is compiled" end
  for lane, draft in ipairs(drafts) do
    draft.untraced = not is_right and walks.reason or nil
    self:finish(walks, draft, is_right and steps.walk:state(walks.set, lane) or self:interpret(walks, draft, self.spec.moves))
  end
  steps.walk:clear()
  steps.drafts = {}
end

--- Adds a draft; its walk is made by run() at the latest. A draft without a level is left unchanged.
function Walker:enter(draft)
  if not draft.level then return end
  draft.seed = draft.random:integer(math.mininteger, math.maxinteger)
  local walks = self:walks_of(draft.level)
  local start = self:start_of(walks, draft.level)
  local steps = not walks.reason and self:steps_of(walks, draft.level)
  if not steps then
    draft.untraced = walks.reason or self.labels.back .. ": found levels that take too many programs"
    return self:finish(walks, draft, self:interpret(walks, draft, self.spec.moves))
  end
  steps.walk:enter(walks.set, start, steps.shape, random.new(draft.seed))
  table.insert(steps.drafts, draft)
  if #steps.drafts == native.most then self:flush(walks, steps) end
end

--- Makes all walks that are left.
function Walker:run()
  for _, walks in pairs(self.alike) do
    for _, steps in ipairs(walks) do self:flush(walks, steps) end
  end
end

return walk
