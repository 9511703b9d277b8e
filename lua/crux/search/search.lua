--- Finds shortest solutions by searching the states that a game script describes.
---
--- A script's `search` table names the moves and has these functions:
---
---     moves = { "U", "L", "D", "R" }            their order decides between shortest solutions: the first is taken; or a
---                                               function of the level that returns them
---     state(level) -> fields                    the fields of a state; see crux.search.state
---     start(level) -> state, won                won: the start is a win; the solution has no moves
---     step(state, move, level) -> won, lost     changes the fields of state, a copy; `lost` may be a table of conditions by
---                                               name: the first true one in order of names is the cause
---     heuristic(state, level) -> moves left     optional: never more than are needed (admissible); the search then
---                                               leaves out states that are too far from a win
---
---     informed = false                          optional: search without the heuristic, if it costs more than it saves
---
--- Every move costs 1. A move that both wins and loses wins. A state that is won or lost is not searched further, and its
--- fields are not read. A search in C and one in Lua have the same result: the lexicographically first shortest solution, the
--- number of shortest solutions (different sequences of moves), and the statistics.
local admissibility = require "crux.search.admissibility"
local best_first = require "crux.search.best_first"
local breadth_first = require "crux.search.breadth_first"
local expander = require "crux.search.expander"
local fault = require "crux.base.fault"
local on_disk = require "crux.search.on_disk"
local Prepared = require "crux.search.prepared"
local Problem = require "crux.search.problem"
local state = require "crux.search.state"
local process = require "libcrux.process"
local pushing = require "crux.search.pushing"
local Shortest = require "crux.search.shortest"
local ways = require "crux.search.ways"

local search = {}

---@alias SearchSpec crux.Search

---@class SolveOptions              what to find, and limits
---@field count boolean?            count the shortest solutions
---@field way boolean?              return the states on the solution
---@field states integer?           limit; 10 million unless given
---@field bytes integer?            limit on the set of states; 1 GiB unless given
---@field seconds number?           limit; none unless given. A single call of a function is not interrupted
---@field path string?              of a game: "shortest" unless given, "mean", or one of its paths
---@field shortest boolean?         return all shortest solutions
---@field best_first crux.Path?      search by its priority instead of for a shortest solution
---@field disk SearchFolder?        keep states in its files; there is then no limit on states unless given
---@field searches SearchRecord[]?  gets a record of each search
---@field effort boolean?           true: search breadth-first, as the numbers of states and layers of the solution are needed;
---                                 false: they are not
---@field tell nil|fun(line: string)   is told after 2 s how fast a breadth-first search is, and how it will end

---@class SearchOptions: SolveOptions
---@field check_heuristic boolean?  refuse a heuristic that is not admissible on some state within the limits
---@field engine nil|"native"|"interpreted"   whether step is traced and run by C ("native", and unless given) or run by Lua

---@class SearchRecord              time and memory of a search
---@field fields string             of its states
---@field states integer
---@field bits integer              of a state
---@field bytes integer             of all states
---@field untraced string?
---@field program table?
---@field seconds number            in all
---@field step_seconds number?      in step, of a native search
---@field set_seconds number?       in the set of states, of a native search

---@class SearchSolution: Statistics   up to the solution
---@field status "solved"|"unsolvable"|"unknown"
---@field limit "states"|"bytes"|"seconds"|nil   that was met; with status "solved" it stopped the counting
---@field unchecked "states"|"bytes"|"seconds"|nil   the limit that kept check_heuristic from seeing all states
---@field moves string[]?           the solution
---@field way table[]?              if asked for: the states on the solution, from the start to the win
---@field length integer?
---@field least integer?            if a limit was met: the least moves of a solution, 2 or more
---@field solutions integer?        number of shortest solutions, if asked for and known
---@field shortest Shortest?        if asked for
---@field solutions_overflow boolean?   there are more than 2^63 - 1
---@field states integer            states found, with the start
---@field branching number?         states found per expanded state
---@field depth integer             greatest known number of moves to a state
---@field frontiers integer[]       the number of states at each depth, from 0
---@field bits integer              of one state
---@field bytes integer             of the set of states
---@field untraced string?          why the search was not native: the operation of the script that cannot be traced
---@field alone string?             why its program can serve no other level
---@field program table?            of a native search: operations, registers, lane_bits, is_shared (it serves other levels,
---                                 too), is_guarded (moves are tried only where they can change the state), widest (the
---                                 value that made lanes wider than 16 bits, if searches are recorded)

local no_options <const> = {}

local engines = { native = true, interpreted = true }

--- Checks what can be checked without a level.
---@param spec SearchSpec
function search.check(spec) Prepared.of(spec) end

---@param options SearchOptions
---@param name "states"|"bytes"|"seconds"
local function check_limit(options, name)
  local limit = options[name]
  local is_right = (math.type(limit) == "integer" or name == "seconds" and math.type(limit)) and limit > 0
  if is_right then return end
  fault.at("limit on " .. name, fault.show(limit), name == "seconds" and "a number above 0" or "an integer from 1")
end

---@return Outcome
local function run(problem, options)
  if #problem.set == 0 then return { limit = "bytes", frontiers = {} } end
  if problem.starts_won then
    return { moves = {}, way = options.way and { problem.set:state(1) } or nil, solutions = 1, frontiers = { 1 },
      shortest = options.shortest and Shortest.new(problem, { 1 }, 0) or nil }
  end
  local found = pushing.run(problem, options) or expander.solve(problem, options)
  if found then return found end
  if options.best_first then return best_first.run(problem, options.best_first, options.engine ~= "interpreted") end
  return breadth_first.run(problem, options)
end

---@return SearchSolution
local function solution_of(outcome, problem, options)
  local moves, limit, frontiers, program = outcome.moves, outcome.limit, outcome.frontiers, outcome.program
  local states, bits, bytes = problem.set:size()
  states, bits, bytes = outcome.states or states, outcome.bits or bits, outcome.bytes or bytes
  local statistics, depth = problem.statistics, #frontiers > 0 and #frontiers - 1 or 0
  local expanded = statistics.expanded
  local solution = { status = moves and "solved" or limit and "unknown" or "unsolvable", moves = moves,
    length = moves and #moves, expanded = expanded, generated = statistics.generated, duplicates = statistics.duplicates,
    lost = statistics.lost, beyond = statistics.beyond, branching = expanded > 0 and (states - 1) / expanded or nil,
    states = states, bits = bits, bytes = bytes, frontiers = frontiers, depth = depth, program = program }
  local least = limit and not moves and math.max(outcome.least or 1, depth) or 1 -- all states of less depth were expanded
  if least > 1 then solution.least = least end
  if limit then solution.limit = limit end
  if outcome.way then solution.way = outcome.way end
  if outcome.shortest then solution.shortest = outcome.shortest end
  if options.count and outcome.solutions then
    if outcome.solutions == ways.many then solution.solutions_overflow = true else solution.solutions = outcome.solutions end
  end
  local untraced = options.untraced or outcome.untraced
  if untraced then solution.untraced = untraced end
  if program and program.alone then solution.alone = program.alone end
  return solution
end

---@return SearchRecord
local function record_of(problem, solution, outcome, seconds)
  return { fields = state.describe(problem.fields), states = solution.states, bits = solution.bits, bytes = solution.bytes,
    untraced = solution.untraced, program = outcome.program, seconds = seconds, step_seconds = outcome.step_seconds,
    set_seconds = outcome.set_seconds }
end

--- Raises a fault if the heuristic is not admissible.
---@param solution string[]?   its moves
---@return string? limit    if it left states out
local function check_heuristic(prepared, level, options, solution)
  local problem <close> = Problem.new(prepared, level, options, admissibility.notes(prepared:moves_of(level)))
  local violation, limit = problem:guarded(admissibility.find, solution)
  if violation then problem:refuse_heuristic(violation) end
  return limit
end

---@return SearchSolution? solution   nil if the traced step differs from the script
---@return string? wrong              how it differs
local function solve_once(prepared, level, options)
  local began = options.searches and process.seconds()
  if prepared.spec.informed == false then prepared = prepared:without_heuristic() end
  local problem <close> = Problem.new(prepared, level, options, Problem.NOTES)
  problem.is_timed = began ~= nil
  if options.best_first then problem.tell = nil end
  if options.disk then problem.states = options.states or math.huge end
  local is_on_disk = options.disk and #problem.set > 0 and not problem.starts_won
  local outcome = is_on_disk and on_disk.run(problem, options) or problem:guarded(run, options)
  if outcome.wrong then return nil, outcome.wrong end
  local solution = solution_of(outcome, problem, options)
  problem.is_done = true
  if began then table.insert(options.searches, record_of(problem, solution, outcome, process.seconds() - began)) end
  return solution
end

---@return SearchSolution
local function solve(prepared, level, options)
  local solution, wrong = solve_once(prepared, level, options)
  if wrong then
    local interpreted = { count = options.count, way = options.way, shortest = options.shortest, engine = "interpreted",
      searches = options.searches, untraced = wrong, states = options.states, bytes = options.bytes, seconds = options.seconds,
      tell = options.tell }
    solution = solve_once(prepared, level, interpreted)
  end
  if prepared.spec.heuristic and options.check_heuristic then
    solution.unchecked = check_heuristic(prepared, level, options, solution.moves)
  end
  return solution
end

--- Solves a level. With a heuristic that is not admissible the solution may not be shortest; check_heuristic finds such a
--- heuristic by a search without it.
---@param spec SearchSpec
---@param options SearchOptions?
function search.solve(spec, level, options)
  options = options or no_options
  if options.states then check_limit(options, "states") end
  if options.bytes then check_limit(options, "bytes") end
  if options.seconds then check_limit(options, "seconds") end
  if options.engine ~= nil and not engines[options.engine] then
    fault.at("engine", fault.show(options.engine), "'native' or 'interpreted'")
  end
  return solve(Prepared.of(spec), level, options)
end

return search
