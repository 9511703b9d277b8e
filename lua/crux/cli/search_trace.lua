--- The report of `crux measure --trace`: the search of one level by depth, the moves from the start, and the solution.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local loss = require "crux.search.loss"
local moves = require "crux.search.moves"
local number = require "crux.base.number"
local search = require "crux.search.search"
local sinks = require "crux.out.sinks"
local states = require "crux.search.state"
local tables = require "crux.out.tables"

local search_trace = {}

--- Finds the level of a name.
---@return LevelText
local function find(game, inputs, name)
  local names = {}
  for entry in game:entries(inputs) do
    if entry.name == name then return entry end
    table.insert(names, entry.name)
  end
  fault.unknown(nil, "level", name, names)
end

--- The estimate of a state, in words; empty without a heuristic.
local function estimate(game, level, state)
  if not game.search.heuristic then return "" end
  return (", estimate %s"):format(fault.show(fault.guard(game.path, game.search.heuristic, states.copy(state), level)))
end

--- The end of a line about a move that loses: ": loses (stamina)".
local function losing(cause) return ": loses" .. (cause ~= true and (" (%s)"):format(cause) or "") end

--- Writes the states after each move.
local function write_moves(game, sink, level, state)
  for _, move in ipairs(moves.of(game.search, level)) do
    local after = states.copy(state)
    local won, lost = fault.guard(game.path, game.search.step, after, move, level)
    local cause = loss.cause(lost)
    local is_same = states.same(after, state)
    sink:write(("\n%s%s\n"):format(move, won and ": wins" or cause and losing(cause) or is_same and ": nothing changes"
      or estimate(game, level, after)))
    if not (won or cause or is_same) then sink:write(game:drawing(level, nil, after)) end
  end
end

--- Writes the statistics and the solution of the search.
local function write_search(game, sink, level, limits)
  local solution = search.solve(game.search, level, { way = true, count = true, states = limits.states, bytes = limits.bytes,
    seconds = limits.seconds })
  sink:write(("%s%s: %s found; of %s tried %d led to known ones, %d lost, %d were too far off\n"):format(solution.status,
    solution.limit and (" (limit on %s)"):format(solution.limit) or "", number.count(solution.states, "state"),
    number.count(solution.generated, "move"), solution.duplicates, solution.lost, solution.beyond))
  if solution.untraced then sink:write("searched in Lua: ", solution.untraced, "\n") end
  sink:write "\nStates by depth\n\n"
  local rows = {}
  for i, count in ipairs(solution.frontiers) do rows[i] = { depth = i - 1, states = count } end
  tables.write(sink, "table", { { key = "depth" }, { key = "states" } }, rows)
  local start = fault.guard(game.path, game.search.start, level)
  sink:write("\nThe state after each move from the start", estimate(game, level, start), "\n")
  write_moves(game, sink, level, start)
  if not solution.way then return end
  sink:write(("\nThe solution: %s\n"):format(number.count(solution.length, "move")))
  for i, state in ipairs(solution.way) do
    sink:write(("\n%s%s\n%s"):format(i == 1 and "start" or ("%d. %s"):format(i - 1, solution.moves[i - 1]),
      estimate(game, level, state) .. (", %d to go"):format(#solution.moves - i + 1), game:drawing(level, nil, state)))
  end
end

--- Prints the search of a level, or for a game with its own solver the fields of its solution.
---@param limits SolveOptions
function search_trace.print(args, limits)
  local game = games.load(args.game)
  local sink <close> = sinks.open(args.output)
  local level = game:level(find(game, args.levels, args.trace))
  sink:write(args.trace, "\n", game:drawing(level), "\n")
  if game.search then
    write_search(game, sink, level, limits)
  else
    local solution, rows = game:solution(level, limits), {}
    for _, name in ipairs(lists.keys(solution)) do
      if type(solution[name]) ~= "table" then table.insert(rows, { field = name, value = tostring(solution[name]) }) end
    end
    tables.write(sink, "table", { { key = "field" }, { key = "value" } }, rows)
    sink:write("\n", game:drawing(level, solution))
  end
  sink:commit()
end

return search_trace
