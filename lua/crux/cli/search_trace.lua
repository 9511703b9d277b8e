--- The steps of the search of one level: the states by depth, what each move makes of the start, and the way of the solution.
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local output = require "crux.out.output"
local search = require "crux.search.search"
local states = require "crux.search.state"

local search_trace = {}

--- The level of a name.
---@return LevelText
local function find(self, inputs, name)
  local names = {}
  for entry in self:entries(inputs) do
    if entry.name == name then return entry end
    table.insert(names, entry.name)
  end
  fault.raise(("found no level '%s'; %s"):format(name, nearest.hint(name, names)))
end

--- The estimate of a state, in words; empty without a heuristic.
local function estimate(self, level, state)
  if not self.search.heuristic then return "" end
  return (", estimate %s"):format(fault.show(fault.guard(self.path, self.search.heuristic, states.copy(state), level)))
end

--- What each move makes of a state.
local function write_moves(self, sink, level, state)
  for _, move in ipairs(self.search.moves) do
    local after = states.copy(state)
    local won, lost = fault.guard(self.path, self.search.step, after, move, level)
    local is_same = states.same(after, state)
    sink:write(("\n%s%s\n"):format(move, won and ": wins" or lost and ": loses" or is_same and ": nothing changes"
      or estimate(self, level, after)))
    if not (won or lost or is_same) then sink:write(self:drawing(level, nil, after)) end
  end
end

--- What the search did.
local function write_search(self, sink, level, limits)
  local solution = search.solve(self.search, level, { way = true, count = true, states = limits.states, bytes = limits.bytes,
    seconds = limits.seconds })
  sink:write(("%s%s: %s found; of %s tried %d led to known ones, %d lost, %d were too far off\n"):format(solution.status,
    solution.limit and (" (limit on %s)"):format(solution.limit) or "", number.count(solution.states, "state"),
    number.count(solution.generated, "move"), solution.duplicates, solution.lost, solution.beyond))
  if solution.untraced then sink:write("searched in Lua: ", solution.untraced, "\n") end
  sink:write "\nStates by depth\n\n"
  local rows = {}
  for i, count in ipairs(solution.frontiers) do rows[i] = { depth = i - 1, states = count } end
  output.write(sink, "table", { { key = "depth" }, { key = "states" } }, rows)
  local start = fault.guard(self.path, self.search.start, level)
  sink:write("\nWhat each move makes of the start", estimate(self, level, start), "\n")
  write_moves(self, sink, level, start)
  if not solution.way then return end
  sink:write(("\nThe solution: %s\n"):format(number.count(solution.length, "move")))
  for i, state in ipairs(solution.way) do
    sink:write(("\n%s%s\n%s"):format(i == 1 and "start" or ("%d. %s"):format(i - 1, solution.moves[i - 1]),
      estimate(self, level, state) .. (", %d to go"):format(#solution.moves - i + 1), self:drawing(level, nil, state)))
  end
end

--- Prints how a level is searched; of a game with a solver of its own, what that says.
---@param args table
---@param limits SolveOptions
function search_trace.print(args, limits)
  local self = game.load(args.game)
  local sink <close> = output.open(args.output)
  local level = self:level(find(self, args.levels, args.trace))
  sink:write(args.trace, "\n", self:drawing(level), "\n")
  if self.search then
    write_search(self, sink, level, limits)
  else
    local solution, rows = self:solution(level, limits), {}
    for name, value in pairs(solution) do
      if type(value) ~= "table" then table.insert(rows, { field = name, value = tostring(value) }) end
    end
    table.sort(rows, function(a, b) return a.field < b.field end)
    output.write(sink, "table", { { key = "field" }, { key = "value" } }, rows)
    sink:write("\n", self:drawing(level, solution))
  end
  sink:commit()
end

return search_trace
