--- The search in C for the fewest moves or pushes, in games in which a man pushes boxes onto goals (src/puzzle/pushing.h).
---
--- It finds the solution that a breadth-first search finds, by moves the same one of the shortest, in fewer states. It does not
--- count solutions.
local budget = require "libcrux.budget"
local forecast = require "crux.search.forecast"
local number = require "crux.base.number"
local primitive = require "libcrux.pushing"
local Problem = require "crux.search.problem"
local process = require "libcrux.process"

local pushing = {}

local STRETCH <const> = 1024 -- states that are expanded between two looks at the time
local FEW <const> = 1 << 13 -- states; most levels have fewer, and are found sooner by a search from the start alone

---@class Pushing            where levels and states have their boards
---@field man string         of a state: his square, or all squares that he can walk to
---@field boxes string       of a state
---@field goals string       of a level, as `floor`, where the man could go without boxes
---@field by_moves boolean   the fewest moves, which are U, L, D and R; else the fewest pushes: "3 2 R" pushes the box in column
---                          3 of row 2 to the right

--- The searches that can be made in C, by their steps. The table is local so that no script can set one.
---@type table<function, Pushing>
local registered = setmetatable({}, { __mode = "k" })

---@param spec SearchSpec
---@param names Pushing
function pushing.register(spec, names) registered[spec.step] = names end

--- Returns the search in C of a level; nil if none is registered, or the level is of another kind.
local function search_of(problem)
  local names, level, start = registered[Problem.original(problem.spec.step)], problem.level, problem.set:state(1)
  if not names then return nil end
  local man, boxes, goals, floor = start[names.man], start[names.boxes], level[names.goals], level.floor
  local is_fit = boxes - floor == goals - floor and (man - floor):none() -- boxes out of reach are on goals
  boxes, goals = boxes & floor, goals & floor
  is_fit = is_fit and man:any() and (man & boxes):none() and boxes:any() and #boxes == #goals
  if not is_fit or names.by_moves and #man > 1 then return nil end
  return primitive.new(floor, man, boxes, goals, names.by_moves, problem.bytes, FEW)
end

--- Tells once how far a search has come that takes long.
local function tell(problem, search, began)
  local seconds = process.seconds() - began
  if not problem.tell or seconds < forecast.seconds then return end
  local found = search:statistics()
  problem.tell(("%s in %.0f s, %s a second; a solution has at least %s"):format(number.count(found.states, "state"), seconds,
    number.count(math.floor(found.states / seconds)), number.count(found.least, "move")))
  problem.tell = nil
end

--- Expands states until the search ends; returns how.
local function run(problem, search)
  local began = process.seconds()
  local ending
  repeat
    budget.beat()
    tell(problem, search, began)
    local is_late = process.seconds() - began >= problem.seconds
    ending = is_late and "seconds" or search:expand(STRETCH, problem.states)
  until ending ~= "paused"
  return ending
end

--- The states of a solution, by the script's own step; nil if it does not win.
local function way_of(problem, moves)
  local index, set, way = {}, problem.set, { problem.set:state(1) }
  for i, move in ipairs(problem.moves) do index[move] = i end
  for i, move in ipairs(moves) do
    local successor, after = problem:successor(way[i], index[move])
    if successor == Problem.WON ~= (i == #moves) or successor == Problem.LOST then return nil end
    way[i + 1] = set:copy(after)
  end
  return way
end

local limits = { states = true, bytes = true, seconds = true }

--- Searches in C.
---@param options SolveOptions
---@return Outcome?   nil if this search cannot find what is asked for, in this level
function pushing.run(problem, options)
  if options.count or options.shortest or options.best_first or options.disk or options.effort or options.engine
    or options.check_heuristic then
    return nil
  end
  local search <close> = search_of(problem)
  if not search then return nil end
  local ending = run(problem, search)
  local found = search:statistics()
  local outcome = { frontiers = {}, program = { is_shared = true }, states = math.max(found.states, 1), bits = found.bits,
    bytes = found.bytes, limit = limits[ending] and ending, least = found.least }
  if ending == "won" then
    outcome.moves = search:solution()
    outcome.way = way_of(problem, outcome.moves)
    if not outcome.way then outcome.wrong = Problem.label(problem.spec, "step") .. " differs from the search in C" end
  end
  local statistics = problem:take_statistics()
  for name in pairs(statistics) do statistics[name] = found[name] or 0 end
  problem.statistics = statistics
  return outcome
end

return pushing
