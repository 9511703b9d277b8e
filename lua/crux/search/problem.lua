--- The states of a level as a search sees them: numbers in the order of discovery, and what each move makes of each.
---
--- It runs the script's hooks on plain values, one state at a time, and turns whatever is wrong with what they do into a
--- fault that names the script and the line.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local system = require "libcrux.system"

---@class Problem
---@field set userdata             the states; 1 is the start
---@field moves string[]
---@field fields StateField[]
---@field key string               the same for the same fields
---@field private pool string      of sets like this one
---@field starts_won boolean       the level is solved as it stands
---@field statistics Statistics
---@field spec SearchSpec
---@field level table
---@field private labels table<string, string>   "script:line: name of the hook"
---@field states integer           limit
---@field bytes integer            limit
---@field is_timed boolean?        look at what takes time
---@field is_done boolean?         the search came to its end: its set may serve another one
---@field private deadline number
local Problem = {}
Problem.__index = Problem

--- Sets that are no longer needed, one of each kind: most searches are short, and memory that is new costs much of their time.
---@type table<string, userdata>
local pool, pool_size, POOL_SIZE <const> = {}, 0, 16

function Problem:__close()
  if not self.is_done or pool[self.pool] or pool_size == POOL_SIZE then
    self.set:close()
  else
    pool[self.pool], pool_size = self.set, pool_size + 1
  end
end

--- An empty set; nil and a message when its states take too much.
local function new_set(fields, notes, byte_limit, kind)
  local set = pool[kind]
  if not set then return state_set.new(fields, notes, byte_limit) end
  pool[kind], pool_size = nil, pool_size - 1
  set:clear(byte_limit)
  return set
end

---@class Statistics
---@field expanded integer     states whose moves were tried
---@field generated integer    moves tried
---@field duplicates integer   of them, those that led to a state already known
---@field lost integer         those that lost
---@field beyond integer       those left out, as their depth and estimate are above the bound

--- What a move leads to, beside the numbers of states: both fit into a note of the set, which holds fewer states.
Problem.WON = 2 ^ 32 - 1 | 0
Problem.LOST = 2 ^ 32 - 2 | 0

--- The most that a heuristic may say.
Problem.MOST_MOVES = 2 ^ 31 - 1 | 0

--- Where hooks are defined.
---@type table<function, string>
local places = setmetatable({}, { __mode = "k" })

--- "script:line: name", where the line is that on which a hook is defined.
function Problem.label(spec, name)
  local hook = spec[name]
  if not places[hook] then Problem.stands_for(hook, hook) end
  return places[hook] .. name
end

--- Messages about a function name the place of another one, for which it stands.
function Problem.stands_for(hook, original)
  local info = debug.getinfo(original, "S")
  places[hook] = ("%s:%d: "):format(info.short_src, info.linedefined)
end

local hooks = { "state", "start", "step", "heuristic" }

---@param spec SearchSpec
---@param level table
---@param limits { states: integer, bytes: integer, seconds: number }
---@param notes integer   how many numbers the search keeps with each state
---@return Problem          without any state; see enter_start
function Problem.new(spec, level, limits, notes)
  local self = setmetatable({ spec = spec, level = level, moves = spec.moves, labels = {}, states = limits.states,
    bytes = limits.bytes, deadline = system.seconds() + limits.seconds }, Problem)
  self:take_statistics()
  for _, name in ipairs(hooks) do
    if spec[name] then self.labels[name] = Problem.label(spec, name) end
  end
  self.fields, self.key = state.fields(self:call("state", level), self.labels.state)
  self.pool = notes .. " " .. self.key
  local set, message = new_set(self.fields, notes, limits.bytes, self.pool)
  if not set then fault.raise(("%s: %s"):format(self.labels.state, message)) end
  self.set = set
  return self
end

--- Calls one of the functions that are called once.
function Problem:call(name, ...) return fault.guard(self.labels[name], self.spec[name], ...) end

--- Calls a function that calls step: what step raises becomes a fault that names the script.
function Problem:guarded(f, ...) return fault.guard(self.labels.step, f, self, ...) end

--- "field 'ball[2]'"
local function field(name, element) return ("field '%s%s'"):format(name, element and ("[%d]"):format(element) or "") end

--- Adds the start; the set stays empty when not even one state fits into the limits.
function Problem:enter_start()
  local label = self.labels.start
  local start, won = self:call("start", self.level)
  if type(start) ~= "table" then fault.at(label, fault.show(start), "a table of the state's fields") end
  if won ~= nil and type(won) ~= "boolean" then
    fault.at(label .. ": second result (won)", fault.show(won), "true, false or nothing")
  end
  local index, message, name, element = self.set:find(start)
  if index == nil then fault.raise(("%s: %s: %s"):format(label, field(name, element), message)) end
  self.starts_won = won == true
  self:add()
end

--- Adds the state that a move was found to lead to and that is not yet known.
---@return integer? index
---@return string? limit   the one that is met when there is no index
function Problem:add()
  if #self.set >= self.states then return nil, "states" end
  local index = self.set:add()
  return index, not index and "bytes" or nil
end

--- Goes on as if the script had no heuristic.
function Problem:drop_heuristic()
  local spec = self.spec
  self.spec = { moves = spec.moves, state = spec.state, start = spec.start, step = spec.step }
end

--- Takes all states but the start out of the set, which may then take as many bytes as at first.
function Problem:restart()
  local start = self.set:state(1)
  self.set:clear(self.bytes)
  self.set:find(start)
  self.set:add()
end

--- The statistics so far; they begin anew.
---@return Statistics
function Problem:take_statistics()
  local taken = self.statistics
  self.statistics = { expanded = 0, generated = 0, duplicates = 0, lost = 0, beyond = 0 }
  return taken
end

function Problem:add_statistics(expanded, generated, duplicates, lost, beyond)
  local s = self.statistics
  s.expanded, s.generated, s.duplicates = s.expanded + expanded, s.generated + generated, s.duplicates + duplicates
  s.lost, s.beyond = s.lost + lost, s.beyond + beyond
end

--- Whether the time is up.
function Problem:is_late()
  budget.beat()
  return system.seconds() >= self.deadline
end

--- What a move makes of a state.
---@param origin table   the state, as set:state gives it; it stays as it is
---@param move integer
---@param quietly boolean?           do not say what is wrong with a state that is none: that takes ten times as long
---@return integer|false|nil successor   WON, LOST, the index of a known state, or false for one that add would add
---@return table state               the table that the move left
function Problem:successor(origin, move, quietly)
  local set, statistics = self.set, self.statistics
  local after = set:copy(origin)
  budget.beat() -- the limit on time is that of a step
  local won, lost = self.spec.step(after, self.moves[move], self.level)
  statistics.generated = statistics.generated + 1
  if won == true then return Problem.WON, after end
  if won ~= false or lost and lost ~= true then self:refuse_outcome(move, won, lost) end
  if lost then
    statistics.lost = statistics.lost + 1
    return Problem.LOST, after
  end
  local index, message, name, element = set:find(after)
  if index then
    statistics.duplicates = statistics.duplicates + 1
  elseif index == nil and not quietly then
    self:refuse_state(origin, move, message, name, element)
  end
  return index, after
end

function Problem:refuse_outcome(move, won, lost)
  local which, value = "second result (lost)", lost
  if type(won) ~= "boolean" then which, value = "first result (won)", won end
  fault.at(("%s with move '%s': %s"):format(self.labels.step, self.moves[move], which), fault.show(value), "true or false")
end

--- The line of the script that last changed a value of the state: the step is taken again, watched line by line.
local function line_of_change(step, after, move, level, name, element)
  local script = debug.getinfo(step, "S").short_src
  local function value()
    local whole = rawget(after, name)
    return element and type(whole) == "table" and rawget(whole, element) or whole
  end
  local before, line, changed_at = value(), nil, nil
  local function compare()
    if not rawequal(value(), before) then before, changed_at = value(), line end
  end
  local function watch(_, current)
    if debug.getinfo(2, "S").short_src ~= script then return end
    compare()
    line = current
  end
  debug.sethook(watch, "l")
  pcall(step, after, move, level)
  debug.sethook()
  budget.rearm()
  compare()
  return changed_at and ("%s:%d: step"):format(script, changed_at)
end

function Problem:refuse_state(origin, move, message, name, element)
  local name_of_move = self.moves[move]
  local label = line_of_change(self.spec.step, self.set:copy(origin), name_of_move, self.level, name, element)
    or self.labels.step
  fault.raise(("%s with move '%s': %s: %s"):format(label, name_of_move, field(name, element), message))
end

--- The script's estimate of the moves that are left, 0 or more; the table may be changed by it.
---@param after table   a state
---@return integer
function Problem:estimate(after)
  local ok, estimate = pcall(self.spec.heuristic, after, self.level) -- fault.guard costs as much as many a heuristic
  if not ok then fault.guard(self.labels.heuristic, error, estimate, 0) end
  if math.type(estimate) ~= "integer" or estimate < 0 or estimate > Problem.MOST_MOVES then
    fault.at(self.labels.heuristic, fault.show(estimate), ("an integer from 0 to %d"):format(Problem.MOST_MOVES))
  end
  return estimate
end

--- Raises that the heuristic is not admissible.
---@param violation Violation
function Problem:refuse_heuristic(violation)
  local where = #violation.moves == 0 and "at the start" or ("after '%s'"):format(table.concat(violation.moves, " "))
  fault.at(self.labels.heuristic, ("%d %s"):format(violation.estimate, where),
    ("at most %d, the number of moves to a win"):format(violation.distance))
end

--- The names of the moves that led to a state, by the parent and move that a search noted with each.
---@param index integer
---@param parent integer   which note
---@param move integer     which note
---@param way table[]?     gets the states, from the start to that one
---@return string[]
function Problem:path(index, parent, move, way)
  local names = {}
  while index ~= 1 do
    table.insert(names, 1, self.moves[self.set:note(index, move)])
    if way then table.insert(way, 1, self.set:state(index)) end
    index = self.set:note(index, parent)
  end
  if way then table.insert(way, 1, self.set:state(1)) end
  return names
end

return Problem
