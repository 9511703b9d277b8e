-- Random edits of the steps of crux's own games: natively, every mutant does what it does in Lua, or is searched in Lua.
-- CRUX_MUTANTS says how many of each game, CRUX_SEED which.
local engines = require "engines"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local wanted, seed = tonumber(os.getenv "CRUX_MUTANTS") or long.choose(25, 70), tonumber(os.getenv "CRUX_SEED") or 1

--- A text of that number of columns and rows; each cell is drawn from the string, and then each of `once` put somewhere.
local function grid(columns, rows, cells, once)
  local list = {}
  for i = 1, columns * rows do
    local k = math.random(#cells)
    list[i] = cells:sub(k, k)
  end
  for i = 1, #once do list[math.random(#list)] = once:sub(i, i) end
  local lines = {}
  for row = 1, rows do lines[row] = table.concat(list, "", (row - 1) * columns + 1, row * columns) end
  return lines
end

--- How levels of a game are drawn at random; not all are right. And what a trap in its step may ask of.
local games = {
  move = {
    text = function() return table.concat(grid(math.random(2, 4), math.random(2, 4), "....#", "aAbB"), "\n"):gsub("[^\n]", "%0 ") end,
    state = "now", integers = { "level.count", "#level.colours" }, truths = { "any(balls[1])", "any(balls[1] & level.goal[1])" },
  },
  dungeongrams = {
    text = function() return table.concat(grid(math.random(2, 5), math.random(2, 4), "------X#^*&", "@O"), "\n") .. "\n" end,
    state = "now", integers = { "now.player", "now.stamina", "now.switch", "level.shift" },
    truths = { "won", "met", "now.enemies_move", "stays" },
  },
  sokoban = {
    text = function()
      local lines, width = grid(math.random(2, 4), math.random(2, 3), "     #", "$.@$."), nil
      for i, line in ipairs(lines) do lines[i], width = "#" .. line .. "#", #line + 2 end
      local wall = ("#"):rep(width)
      return wall .. "\n" .. table.concat(lines, "\n") .. "\n" .. wall .. "\n"
    end,
    state = "now", integers = { "crux.count(boxes)", "level.width" },
    truths = { "any(ahead & boxes)", "none(boxes - level.goal)", "any(pushed)" },
    -- The step with the push spelled out.
    change = function(source)
      return source:gsub("  step = function.- end,\n", function() return [[
  step = function(now, move, level)
    local ahead, boxes = now.man:shift(move) & level.floor, now.box
    local box = ahead & boxes
    local pushed = box:shift(move) & level.floor - boxes
    now.man = where(any(ahead - box | pushed), ahead, now.man)
    now.box = where(any(pushed), boxes - box | pushed, boxes)
  end,
]] end, 1):gsub("local any, grid = ", "local none, where = crux.none, crux.where\n%0")
    end,
  },
}

local function pick(list) return list[math.random(#list)] end

--- Replaces one match of a pattern.
local function replace(text, pattern, with)
  local _, count = text:gsub(pattern, "")
  if count == 0 then return text end
  local place = math.random(count)
  return (text:gsub(pattern, function(...)
    place = place - 1
    if place == 0 then return type(with) == "function" and with(...) or with end
  end))
end

local function operator(text)
  return replace(text, " [&|+-] ", (" %s "):format(pick { "&", "|", "+", "-", "~", "*", "and", "or", "==", "<", "//" }))
end

local function number(text) return replace(text, "%d+", tostring(math.random(0, 4))) end

local function word(text)
  return replace(text, "%f[%w_](%w+)%f[%W]%(", function(name)
    local others = { any = { "none", "not any", "crux.count" }, none = { "any", "not none" }, eq = { "crux.ne", "rawequal", "crux.le" },
      ge = { "crux.lt", "eq" }, where = { "select", "crux.where" }, abs = { "crux.sgn", "math.abs" }, sgn = { "crux.abs" } }
    return (others[name] and pick(others[name]) or name) .. "("
  end)
end

local function choice(text)
  return replace(text, "where%(([^(),]+), ([^(),]+), ([^(),]+)%)", pick { "(%1 and %2 or %3)", "where(%1, %3, %2)", "where(%1, %2, %2)" }
    :gsub("%%", "\0"):gsub("\0", "%%"))
end

--- Puts a statement behind one that ends a line.
local function trap(text, of)
  local integer, truth = pick(of.integers), pick(of.truths)
  local state = of.state
  local field = text:match(state .. "%.(%w+)")
  local statements = {
    ("if %s == %d then return true end"):format(integer, math.random(0, 3)), ("if %s then return false, true end"):format(truth),
    ("if not (%s) then return true end"):format(truth), ("if %s > 2 then return true end"):format(integer),
    ("for _ = 1, %s do return false end"):format(integer), ("if ({ true, true })[%s] then return false, true end"):format(integer),
    ("memory = (memory or 0) + 1 if memory %% 50 > 48 then return true end"), ("%s.%s = nil"):format(state, field),
    ("if %s and %s == 1 then return false end"):format(truth, integer), ("%s.more = %s"):format(state, integer),
    ("%s.%s = %s.%s + %s"):format(state, field, state, field, integer), ("coroutine.yield(%s)"):format(integer),
    ("if rawequal(%s, %s) then return false, false end"):format(integer, integer), ("if tostring(%s) == '1' then return true end"):format(integer),
    ("if type(%s) == 'number' then return true end"):format(integer), ("level.%s = %s"):format(field, integer),
  }
  return replace(text, "\n *[%w_., %[%]]+ = [^\n]*[%w)%]]\n", function(line) return line .. "    " .. pick(statements) .. "\n" end)
end

local edits = { operator, operator, number, word, word, choice, trap, trap }

--- A script that is the game's but for some edits of its step; nil when it cannot be loaded.
local function mutant(name, source, of)
  local first = source:find("\n  step = function", 1, true)
  local last = select(2, source:find("\n  end,\n", first, true))
  local step = source:sub(first, last)
  for _ = 1, math.random(3) do step = pick(edits)(step, of) end
  local text = source:sub(1, first - 1) .. step .. source:sub(last + 1)
  local ok, self = pcall(game.load, shell.file("mutant-" .. name .. ".lua", text))
  return ok and self or nil, step
end

local function level_of(self, of)
  for _ = 1, 1000 do
    local ok, level = pcall(self.parse, of.text(), {})
    if ok and level then return level end
  end
  error "no level could be drawn"
end

--- Everything that a search says, or why it failed.
local function result_of(spec, level, engine)
  local blind = { moves = spec.moves, state = spec.state, start = spec.start, step = spec.step }
  local ok, solution, program = pcall(engines.solve, blind, level, { count = true, states = 150 }, engine)
  if ok then return solution, program end
  luaunit.assertTrue(fault.is(solution), tostring(solution))
  return { message = solution.message }
end

local Mutants = {}

local function check(name)
  math.randomseed(seed)
  local of, source = games[name], shell.read("games/" .. name .. ".lua")
  if of.change then source = of.change(source) end
  local count = { native = 0, interpreted = 0, failed = 0 }
  while count.native + count.interpreted + count.failed < wanted do
    local drawn = math.random(1 << 40)
    local self, step = mutant(name, source, of)
    if self then
      math.randomseed(drawn)
      local expected = result_of(self.search, level_of(self, of), "interpreted")
      self = game.load(self.path) -- with its memory fresh
      math.randomseed(drawn)
      local found, program = result_of(self.search, level_of(self, of), "native")
      local is_impure = step:find "memory"
      if not is_impure or program then luaunit.assertEquals({ step, found }, { step, expected }) end
      local kind = found.message and "failed" or program and "native" or "interpreted"
      count[kind] = count[kind] + 1
    end
    math.randomseed(drawn + 1)
  end
  if os.getenv "CRUX_MUTANTS" then print(name, count.native, count.interpreted, count.failed) end
  count.interpreted = nil
  for kind, number_of in pairs(count) do luaunit.assertTrue(number_of > wanted // 40, ("%s: %d %s"):format(name, number_of, kind)) end
end

function Mutants.test_move()
  long.only()
  check "move"
end
function Mutants.test_dungeongrams()
  long.leave_out()
  check "dungeongrams"
end
function Mutants.test_sokoban()
  long.only()
  check "sokoban"
end

return { Mutants = Mutants }
