--- Breadth-first search whose states are in the files of a folder, for more states than memory holds, one layer after the
--- other: see src/search/disk_search.h. It finds the same layers and the same solution as a search in memory.
---
--- Each layer that is complete is a step of the folder's journal, so that a search that was killed goes on from there. The
--- solution is found from its end: of each layer, the states from which a move leads to one of those found of the next layer,
--- or wins. The first shortest solution goes through them, by the first move that leads on.
local expander = require "crux.search.expander"
local fault = require "crux.base.fault"
local forecast = require "crux.search.forecast"
local native = require "crux.search.native"
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local sampling = require "crux.search.sampling"
local state_set = require "libcrux.state_set"
local process = require "libcrux.process"

local on_disk = {}

local STRETCH <const> = 1 << 16 -- states between two looks at the time
local LEAST_BYTES <const> = 1 << 16 -- of a set of states on solutions

---@class SearchFolder
---@field path string
---@field disk userdata   of libcrux.disk_search
---@field sizes integer[]?  after a search: the number of states by layer, and of all
---@field states integer?
---@field result fun(self: SearchFolder, make: fun(): table?): table?   the next step of the journal, or what `make` returns,
---                       which becomes this step unless it is nil

---@class Layer
---@field offset integer?   its first byte
---@field count integer     states; 0: there is none, as no state is new, or a move wins
---@field has_win boolean   a move that leads here wins
---@field lost integer      moves that led here and lost
---@field seconds number    that it took

---@class DiskSearch
---@field problem SearchProblem
---@field program Program
---@field folder SearchFolder
---@field disk userdata
---@field layers Layer[]
---@field sizes integer[]   the number of states of each
---@field states integer
---@field seconds number
---@field limit string?     that was met
---@field is_restored boolean   all layers can be read
---@field statistics Statistics
---@field sampled userdata  a set for one state and its successors
local Search = {}
Search.__index = Search

--- Cuts off the file what is not complete.
function Search:cut()
  if self.is_restored then self.disk:keep() end
end

--- Raises the fault of a function of libcrux.disk_search that failed.
function Search:check(result, message)
  if result ~= nil then return result end
  self:cut()
  fault.raise(("%s/states: %s"):format(self.folder.path, message))
end

--- Calls a function until it returns true or a limit is met.
---@param step fun(): boolean?, any   nil and a message if it failed
---@return boolean is_done
function Search:repeat_until_done(step)
  repeat
    if self.problem:is_late() then self.limit = "seconds" end
    if self.limit then return false end
  until self:check(step())
  return true
end

--- Reads layers that earlier runs have written, once; what lies behind them is cut off.
function Search:restore()
  local disk = self.disk
  if self.is_restored then return true end
  local is_done = #self.layers == 0 or self:repeat_until_done(function()
    local layer = self.layers[#disk + 1]
    self:check(disk:restore(layer.offset, layer.count))
    return #disk == #self.layers
  end)
  if not is_done then return false end
  self.is_restored = true
  return self:check(disk:keep())
end

--- Tries the moves of the first state of the last layer in Lua, too.
local function sample(problem, self)
  local set = self.sampled
  set:clear(problem.bytes)
  self:check(self.disk:sample(set))
  local successors = self.program.search:visit(set, 1, 1 << 31)
  local origin = set:state(1)
  for move, expected in ipairs(successors or {}) do
    local successor, after = problem:successor(origin, move)
    if successor ~= Problem.WON and successor ~= Problem.LOST then successor = set:find(after) end
    if expected ~= 0 and successor ~= expected then fault.raise(sampling.describe(problem, move)) end
  end
end

--- Tries all moves from the last layer.
---@return boolean is_done
---@return integer lost
---@return boolean has_win
function Search:expand()
  local program, problem, lost, has_win = self.program, self.problem, 0, false
  if program.trace and self.states >= native.warm then native.specialise(program) end
  local is_done = self:repeat_until_done(function()
    local all, number, move_or_win = self.disk:expand(program.search, STRETCH)
    if all == nil and not number then
      fault.raise(("%s with move '%s': --disk needs it compiled for all states: %s"):format(problem.prepared.labels.step,
        problem.moves[move_or_win], program.about.reason or "a loop of more than 64 rounds"))
    end
    lost, has_win = number, move_or_win
    return all, number
  end)
  return is_done, lost, has_win
end

--- Finds the next layer; nil if a limit is met.
---@return Layer?
function Search:layer()
  local disk, problem, began, lost, has_win = self.disk, self.problem, process.seconds(), 0, false
  local function made(count, offset)
    return { count = count, offset = offset, lost = lost, has_win = has_win, seconds = process.seconds() - began }
  end
  if not self:restore() then return nil end
  if #disk == 0 then
    self:check(disk:begin(problem.set))
  else
    problem:guarded(sample, self)
    local is_done
    is_done, lost, has_win = self:expand()
    if not is_done then return nil end
    if has_win then return made(0) end
    local count
    is_done = self:repeat_until_done(function()
      local all, found = disk:merge()
      if all ~= nil and self.states + found > problem.states then self.limit = "states" end
      count = found
      return all, found
    end)
    if self.limit or not is_done then return nil end
    if count == 0 then return made(0) end
  end
  self:check(disk:keep())
  local offset, count = disk:last()
  return made(count, offset)
end

--- Adds a layer to the counts.
---@param layer Layer
function Search:count(layer)
  local before, moves = self.sizes[#self.sizes] or 0, #self.problem.moves
  local tried, known = before * moves, self.statistics
  known.expanded, known.generated, known.lost = known.expanded + before, known.generated + tried, known.lost + layer.lost
  if before > 0 and not layer.has_win then known.duplicates = known.duplicates + tried - layer.lost - layer.count end
  self.seconds = self.seconds + layer.seconds
  if layer.count == 0 then return end
  table.insert(self.layers, layer)
  table.insert(self.sizes, layer.count)
  self.states = self.states + layer.count
end

--- Tells how the search will end, when it has taken some seconds.
function Search:say(tell)
  if not tell or self.seconds < forecast.seconds then return end
  local sizes = table.move(self.sizes, 1, #self.sizes, 1, {})
  table.insert(sizes, 0)
  tell(forecast.line { sizes = sizes, states = self.states, seconds = self.seconds, most = {
    states = self.problem.states, bytes = math.huge, seconds = self.states * (self.problem.seconds / self.seconds) } })
end

--- The first move that wins, without a set, or that leads to a state of the set; and that state.
local function lead(problem, origin, set)
  for move, name in ipairs(problem.moves) do
    local successor, after = problem:successor(origin, move)
    local is_end = successor == Problem.WON or successor == Problem.LOST
    if successor == Problem.WON and not set or not is_end and set and set:find(after) then
      return name, problem.set:copy(after)
    end
  end
  fault.raise(problem.prepared.labels.step .. ": compiled and in Lua, it leads to different states")
end

--- The moves of the first shortest solution; nil if a limit is met. If the states on shortest solutions do not fit into
--- memory, it is another shortest one.
---@return { moves: string[] }?
function Search:trace()
  local problem, on_solutions, last = self.problem, {}, #self.layers - 1
  local bytes = math.max(LEAST_BYTES, problem.bytes // #self.layers)
  if not self:restore() then return nil end
  for depth = last, 0, -1 do
    local found = state_set.new(problem.fields, 0, bytes)
    if not self:repeat_until_done(function()
      return self.disk:trace(self.program.search, depth, on_solutions[depth + 1], found, STRETCH)
    end) then return nil end
    on_solutions[depth] = found
  end
  local origin, moves = problem.set:state(1), {}
  for depth = 0, last do moves[depth + 1], origin = problem:guarded(lead, origin, on_solutions[depth + 1]) end
  return { moves = moves }
end

--- The states on a solution, from the start to the win.
local function way_of(problem, moves)
  local way, numbers = { problem.set:state(1) }, {}
  for number, name in ipairs(problem.moves) do numbers[name] = number end
  for i, move in ipairs(moves) do
    local _, after = problem:successor(way[i], numbers[move])
    way[i + 1] = problem.set:copy(after)
  end
  return way
end

--- The program of the step; raises a fault if there is none.
local function program_of(problem)
  local program, reason
  if not expander.is_only(problem) then program, reason = programs.of(problem) end
  if program then return program end
  fault.raise("--disk needs a step that is compiled (docs/search.md): " .. (reason or "found a game of PuzzleScript"))
end

--- Searches, not as a function of the script, whose time has a limit; the folder of the options has what earlier runs have
--- found.
---@param options SearchOptions
---@return Outcome
function on_disk.run(problem, options)
  local folder, tell = options.disk, problem.tell
  problem.tell = nil
  problem:drop_heuristic()
  local program <close> = problem:guarded(program_of)
  local sampled <close> = state_set.new(problem.fields, Problem.NOTES, problem.bytes)
  local self = setmetatable({ problem = problem, program = program, folder = folder, disk = folder.disk, layers = {},
    sizes = {}, states = 0, seconds = 0, is_restored = false, statistics = problem:take_statistics(), sampled = sampled },
    Search)
  folder.disk:new(problem.set, #problem.moves, problem.bytes)
  local layer
  repeat
    layer = folder:result(function() return self:layer() end)
    if layer then self:count(layer) end
    self:say(tell)
  until not layer or layer.count == 0
  local found = layer and layer.has_win and folder:result(function() return self:trace() end) or nil
  if self.limit then self:cut() end
  folder.sizes, folder.states = self.sizes, self.states
  local way = found and options.way and problem:guarded(way_of, found.moves) or nil
  problem.statistics = self.statistics -- without those of moves in Lua
  return { moves = found and found.moves, way = way, frontiers = self.sizes, limit = self.limit, least = #self.sizes,
    states = self.states, program = program.about }
end

return on_disk
