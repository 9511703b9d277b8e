--- The search problem of a level: its states, numbered in the order of discovery, and the successor of each by each move.
---
--- It runs the script's hooks on plain values, one state at a time; their wrong results become faults that name the script and
--- the line.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local forecast = require "crux.search.forecast"
local loss = require "crux.search.loss"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local process = require "libcrux.process"

---@class SearchProblem
---@field set userdata             the states; 1 is the start
---@field moves string[]
---@field key string               the same for the same moves
---@field fields StateField[]      the same list for the same fields
---@field starts_won boolean       the start is a win
---@field statistics Statistics
---@field prepared Prepared
---@field spec SearchSpec          that was prepared
---@field level table
---@field states integer           limit
---@field bytes integer            limit
---@field is_timed boolean?        measure times
---@field is_done boolean?         the search has ended: a problem of another level may reuse the table and the set
---@field seconds number           limit
---@field private began number?
---@field private notes integer
---@field private tell nil|fun(line: string)   is told the forecast
local Problem = {}
Problem.__index = Problem

--- Problems whose search has ended, by their fields, for reuse: allocating tables and sets takes much of the time of a short
--- search. While a problem is in use, false is in its place.
---@type table<StateField[], SearchProblem|false>
local pool, pool_size, POOL_SIZE <const> = {}, 0, 16

function Problem:__close()
  local fields = self.fields
  local kept = pool[fields]
  if not self.is_done or self.notes ~= Problem.NOTES or kept or kept == nil and pool_size == POOL_SIZE then
    self.set:close()
    return
  end
  if kept == nil then pool_size = pool_size + 1 end
  pool[fields] = self
  self.prepared, self.level, self.tell = nil, nil, nil
end

---@class Statistics
---@field expanded integer     states whose moves were tried
---@field generated integer    moves tried
---@field duplicates integer   moves tried that led to a known state
---@field lost integer         moves tried that lost
---@field beyond integer       moves tried that led to a state whose depth plus estimate is above the bound

--- The notes of a state that was not the start: its parent, and the move from there. A search may have more notes behind them.
Problem.PARENT, Problem.MOVE, Problem.NOTES = 1, 2, 2

--- Successors that are no states. They fit into a note of the set and are above the numbers of states.
Problem.WON = 2 ^ 32 - 1 | 0
Problem.LOST = 2 ^ 32 - 2 | 0

--- The greatest estimate of a heuristic.
Problem.MOST_MOVES = 2 ^ 31 - 1 | 0

--- The greatest number of moves to a state that a priority in C can tell.
Problem.MOST_LENGTH = (1 << 30) - 1

--- Limits unless others are given. The greatest index that a note of the set holds is a limit on states, too.
local default <const> = { states = 10 * 1000 * 1000, bytes = 1 << 30, seconds = math.huge }

--- The functions of scripts that functions of crux wrap, by the wrapper.
---@type table<function, function>
local wrapped = setmetatable({}, { __mode = "k" })

--- The function that a function stands for; itself if it stands for none.
function Problem.original(hook) return wrapped[hook] or hook end

--- "script:line: " of hooks whose label was asked for.
---@type table<function, string>
local places = setmetatable({}, { __mode = "k" })

--- The script in which a hook is defined, and the line.
local function place_of(hook)
  local info = debug.getinfo(Problem.original(hook), "S")
  return info.short_src, info.linedefined
end

--- "script:line: name", with the line on which a hook is defined.
function Problem.label(spec, name)
  local hook = spec[name]
  places[hook] = places[hook] or ("%s:%d: "):format(place_of(hook))
  return places[hook] .. name
end

--- Lets messages about a function name the place of another function, which it wraps.
function Problem.stands_for(hook, original)
  wrapped[hook], places[hook] = Problem.original(original), nil
end

local function new_statistics() return { expanded = 0, generated = 0, duplicates = 0, lost = 0, beyond = 0 } end

--- A problem that has no level yet, whose set may have states.
local function new_problem(fields, notes, label)
  local old = notes == Problem.NOTES and pool[fields]
  if old then
    local s = old.statistics
    s.expanded, s.generated, s.duplicates, s.lost, s.beyond = 0, 0, 0, 0, 0
    pool[fields] = false
    return old
  end
  local set, message = state_set.new(fields, notes, 0)
  if not set then fault.raise(("%s: %s"):format(label, message)) end
  return setmetatable({ fields = fields, notes = notes, set = set, statistics = new_statistics(), prepared = nil, spec = nil,
    level = nil, moves = nil, key = nil, states = nil, bytes = nil, seconds = nil, tell = nil, starts_won = nil }, Problem)
end

--- The start of a level, and true if it is a win.
local function start_of(label, start_hook, level)
  local start, won = fault.guard(label, start_hook, level)
  if type(start) ~= "table" then fault.at(label, fault.show(start), "a table of the state's fields") end
  if won ~= nil and type(won) ~= "boolean" then
    fault.at(label .. ": second result (won)", fault.show(won), "true, false or nothing")
  end
  return start, won == true
end

--- "field 'ball[2]'"
local function field(name, element) return ("field '%s%s'"):format(name, element and ("[%d]"):format(element) or "") end

---@param limits { states: integer?, bytes: integer?, seconds: number?, tell: nil|fun(line: string) }
---@param notes integer   numbers that the search keeps with each state
---@return SearchProblem         with its start, or without a state if the limits allow none
function Problem.new(prepared, level, limits, notes)
  local labels, spec, tell, seconds = prepared.labels, prepared.spec, limits.tell, limits.seconds or default.seconds
  local began = (tell or seconds < default.seconds) and process.seconds() or nil
  local names, key = prepared:moves_of(level)
  local fields = state.fields(fault.guard(labels.state, spec.state, level), labels.state)
  local start, starts_won = start_of(labels.start, spec.start, level)
  local self, states, bytes = new_problem(fields, notes, labels.state), limits.states or default.states, limits.bytes
  bytes = bytes or default.bytes
  local is_state, wrong, name, element = self.set:begin(start, bytes)
  if not is_state then
    self.set:close()
    fault.raise(("%s: %s: %s"):format(labels.start, field(name, element), wrong))
  end
  self.prepared, self.spec, self.level, self.moves, self.key, self.starts_won = prepared, spec, level, names, key, starts_won
  self.states, self.bytes, self.seconds, self.tell = states < Problem.LOST and states or Problem.LOST - 1, bytes, seconds, tell
  self.began, self.is_timed, self.is_done = began, false, false
  return self
end

--- Calls a function that calls step: errors of step become faults that name the script.
function Problem:guarded(f, ...) return fault.guard(self.prepared.labels.step, f, self, ...) end

--- Adds the state that successor() has just found to be new.
---@return integer? index
---@return string? limit    that is met, if there is no index
function Problem:add(parent, move)
  local set = self.set
  if #set >= self.states then return nil, "states" end
  local index = set:add(parent, move) -- PARENT and MOVE
  if not index then return nil, "bytes" end
  return index
end

--- Drops the heuristic; the search may have a priority instead.
---@param priority function?
function Problem:drop_heuristic(priority)
  self.prepared = self.prepared:without_heuristic(priority)
  self.spec = self.prepared.spec
end

--- Removes all states but the start; the limit on bytes applies afresh.
function Problem:restart()
  self.set:begin(self.set:state(1), self.bytes)
end

--- Returns the statistics and sets them to 0.
function Problem:take_statistics()
  local taken = self.statistics
  self.statistics = new_statistics()
  return taken
end

function Problem:add_statistics(expanded, generated, duplicates, lost, beyond)
  local s = self.statistics
  s.expanded, s.generated, s.duplicates = s.expanded + expanded, s.generated + generated, s.duplicates + duplicates
  s.lost, s.beyond = s.lost + lost, s.beyond + beyond
end

--- The number of states at each depth of a breadth-first search: numbers of parents rise with those of states.
---@return integer[]
function Problem:layers()
  local set, sizes, first, last = self.set, {}, 1, 1
  while first <= last do
    table.insert(sizes, last - first + 1)
    local low, high = last, #set -- the last state whose parent is in this layer is sought
    while low < high do
      local middle = (low + high + 1) // 2
      if set:note(middle, Problem.PARENT) <= last then low = middle else high = middle - 1 end
    end
    first, last = last + 1, low
  end
  return sizes
end

--- Tells once, after some seconds, how the search will end.
---@param seconds number   since it began
function Problem:tell_early(seconds)
  local tell, count, _, bytes = self.tell, self.set:size()
  self.tell = nil
  tell(forecast.line { sizes = self:layers(), states = count, seconds = seconds, most = { states = self.states,
    bytes = count * (self.bytes / bytes), seconds = count * (self.seconds / seconds) } })
end

--- True if the time is up.
function Problem:is_late()
  budget.beat()
  if not self.began then return false end
  local seconds = process.seconds() - self.began
  if self.tell and seconds >= forecast.seconds then self:tell_early(seconds) end
  return seconds >= self.seconds
end

--- Makes a move from a state.
---@param origin table   the state, as set:state gives it; it is not changed
---@param quietly boolean?   return nil for a result that is no state instead of raising, which takes ten times as long
---@return integer|false|nil successor   WON, LOST, the index of a known state, or false for a new one, which add() adds
---@return table state   after the move; the next call changes it
function Problem:successor(origin, move, quietly)
  local after = self.set:successor(origin)
  budget.beat() -- each step has the limit on time for itself
  return self:judge(origin, move, quietly, after, self.spec.step(after, self.moves[move], self.level))
end

--- Judges the results of a step that was called, and returns what successor() returns.
---@param after table   the state after the move
function Problem:judge(origin, move, quietly, after, won, lost)
  local set, statistics = self.set, self.statistics
  if lost then lost = loss.any(lost) end
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

--- Makes the moves from one on from a state, and adds the states to which they lead; between steps() and its end.
---@param index integer
---@return integer move        the last one that was made
---@return string? limit       that is met
---@return integer|false|nil successor   of the last one, as successor() returns it, if C left it to Lua
function Problem:expand(index, first)
  local set, statistics = self.set, self.statistics
  local move, duplicates, lost, limit, after, won, loses = set:expand(index, first, self.states)
  local made = move - first + (after and 0 or 1)
  statistics.generated, statistics.duplicates = statistics.generated + made, statistics.duplicates + duplicates
  statistics.lost = statistics.lost + lost
  if not after then return move, limit end
  local successor = self:judge(set:state(index), move, false, after, won, loses)
  if not successor then successor, limit = self:add(index, move) end
  return move, limit, successor
end

--- Begins and ends a time in which expand() may be called.
function Problem:steps() self.set:steps(self.spec.step, self.moves, self.level, budget.beat) end
function Problem:end_steps() self.set:steps() end

function Problem:refuse_outcome(move, won, lost)
  local which, value = "second result (lost)", lost
  if type(won) ~= "boolean" then which, value = "first result (won)", won end
  local place = ("%s with move '%s': %s"):format(self.prepared.labels.step, self.moves[move], which)
  fault.at(place, fault.show(value), "true or false")
end

--- The line of the script that last changed a value of the state. Runs the step again with a hook on each line.
local function line_of_change(step, after, move, level, name, element)
  local script = place_of(step)
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
    or self.prepared.labels.step
  fault.raise(("%s with move '%s': %s: %s"):format(label, name_of_move, field(name, element), message))
end

--- The heuristic's estimate of the moves that are left, 0 or more.
---@param after table   a state, which the heuristic may change
function Problem:estimate(after)
  local ok, estimate = pcall(self.spec.heuristic, after, self.level) -- fault.guard takes as long as a short heuristic
  if not ok then fault.guard(self.prepared.labels.heuristic, error, estimate, 0) end
  if math.type(estimate) ~= "integer" or estimate < 0 or estimate > Problem.MOST_MOVES then
    fault.at(self.prepared.labels.heuristic, fault.show(estimate), ("an integer from 0 to %d"):format(Problem.MOST_MOVES))
  end
  return estimate
end

--- Raises the fault of a heuristic that is not admissible.
function Problem:refuse_heuristic(violation)
  local where = #violation.moves == 0 and "at the start" or ("after '%s'"):format(table.concat(violation.moves, " "))
  fault.at(self.prepared.labels.heuristic, ("%d %s"):format(violation.estimate, where),
    ("at most %d, the number of moves to a win"):format(violation.distance))
end

--- The names of the moves that led to a state.
---@param way table[]?   gets the states, from the start to that one
function Problem:path(index, way)
  local taken, states = self.set:path(index, Problem.PARENT, Problem.MOVE, self.moves, way ~= nil)
  for i = 1, way and #states or 0 do table.insert(way, self.set:state(states[i])) end
  return taken
end

return Problem
