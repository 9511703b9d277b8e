--- The measures of levels of PuzzleScript.
local fault = require "crux.base.fault"
local grid = require "crux.puzzlescript.grid"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"

local measures = {}

---@class LevelSearch            how the levels of a game are searched and played
---@field spec SearchSpec
---@field layers table[]         see grid.layers_of
---@field expander_of fun(level: table): Expander
---@field begin fun(level: table): userdata   the start of a level that takes inputs
---@field inputs table<string, integer>       by the names of moves

--- Calls visit(move, is_other) for each object that a move puts on another place; is_other: it is not the player.
local function each_change(puzzle, layers, solution, visit)
  local player = puzzle.sets.player
  for i = 2, #solution.way do
    local before, after = solution.way[i - 1], solution.way[i]
    for _, layer in ipairs(layers) do
      for k, value in ipairs(after[layer.name]) do
        local old = before[layer.name][k]
        if old ~= value then visit(i - 1, value ~= 0 and not grid.has(player, layer.objects[value])) end
      end
    end
  end
end

--- Limits of a sweep over all states of a level, in states and in bytes.
local max_swept <const>, max_swept_bytes <const> = 100000, 1 << 28

--- Returns counts over all states of a level: { states =, dead =, changing =, losing = }; nil when they exceed the limits.
local function space_of(search, level)
  if level.space == nil then
    local fields = state.fields(search.spec.state(level), "state")
    local set = fault.check(state_set.new(fields, 2, max_swept_bytes))
    set:find((search.spec.start(level)))
    set:add()
    local states, dead, changing, losing = search.expander_of(level):sweep(set, max_swept)
    level.space = states and { states = states, dead = dead, changing = changing, losing = losing } or false
    set:close()
  end
  return level.space or nil
end

local function holds(set, all, cell)
  local meets, within = false, true
  for i, word in ipairs(set) do
    meets, within = meets or word & cell[i] ~= 0, within and word & ~cell[i] == 0
  end
  if all then return within end
  return meets
end

--- Returns the fewest steps from a cell, given by its number, to one of the cells in a list.
local function nearest(level, from, list)
  local least = level.width + level.height
  for _, to in ipairs(list) do
    local columns = math.abs((from - 1) // level.height - (to - 1) // level.height)
    least = math.min(least, columns + math.abs((from - 1) % level.height - (to - 1) % level.height))
  end
  return least
end

--- How far cells are from meeting a win condition, by its quantifier: 0 no, 1 some, 2 all.
local distances = {
  [0] = function(level, first, second)
    local count = 0
    for _, from in ipairs(first) do count = count + (nearest(level, from, second) == 0 and 1 or 0) end
    return count
  end,
  function(level, first, second)
    local least = level.width + level.height
    for _, from in ipairs(first) do least = math.min(least, nearest(level, from, second)) end
    return least
  end,
  function(level, first, second)
    local sum = 0
    for _, from in ipairs(first) do sum = sum + nearest(level, from, second) end
    return sum
  end,
}

local function distances_of(puzzle, level, cells)
  local result = {}
  for i, condition in ipairs(puzzle.conditions) do
    local quantifier, all_of_first, all_of_second, first, second = table.unpack(condition)
    local on_first, on_second = {}, {}
    for number, cell in ipairs(cells) do
      if holds(first, all_of_first == 1, cell) then table.insert(on_first, number) end
      if holds(second, all_of_second == 1, cell) then table.insert(on_second, number) end
    end
    result[i] = distances[quantifier](level, on_first, on_second)
  end
  return result
end

--- Returns the number of moves that increase the distance of the win condition that is nearest of those not met.
local function counterintuitive(puzzle, search, level, solution)
  local count, before = 0, nil
  for _, fields in ipairs(solution.way) do
    local after, target = distances_of(puzzle, level, grid.cells_of(search.layers, level, fields)), nil
    for i, distance in ipairs(before or {}) do
      if distance > 0 and (not target or distance < before[target]) then target = i end
    end
    if target and after[target] > before[target] then count = count + 1 end
    before = after
  end
  return count
end

--- Returns the number of lines of rules that change or command something in a solution.
local function rules_used(search, level, solution)
  local play = search.begin(level)
  for _, move in ipairs(solution.moves) do fault.check(play:input(search.inputs[move])) end
  return play:used()
end

--- Returns the number of kinds of objects in a level.
local function kinds_of_objects(puzzle, level)
  local all, count = {}, 0
  for _, cell in ipairs(level.cells) do
    for word = 1, #cell do all[word] = (all[word] or 0) | cell[word] end
  end
  for number = 0, puzzle.object_count - 1 do count = count + (grid.has(all, number) and 1 or 0) end
  return count
end

--- Returns the number of changes of other objects than the player in a solution, and of moves with such changes.
local function pushes(puzzle, search, solution)
  local count, moves, last = 0, 0, nil
  each_change(puzzle, search.layers, solution, function(move, is_other)
    if not is_other then return end
    count, moves, last = count + 1, moves + (move ~= last and 1 or 0), move
  end)
  return count, moves
end

--- Returns the measures of a game, in the form of a script's.
---@param puzzle PuzzleScript
---@param search LevelSearch
function measures.of(puzzle, search)
  local function row(name, kind, doc, f, optional) return { name, kind = kind, doc = doc, optional = optional, f } end
  local function of_space(f)
    return function(level)
      local space = space_of(search, level)
      return space and f(space)
    end
  end
  return {
    row("width", "initial", "columns of the level", function(level) return level.width end),
    row("height", "initial", "rows of the level", function(level) return level.height end),
    row("objects", "initial", "kinds of objects that the level begins with", function(level)
      return kinds_of_objects(puzzle, level)
    end),
    row("layers", "initial", "collision layers of the game", function() return #puzzle.source.layers end),
    row("rules", "initial", "rules of the game, as compiled: one for each direction and object", function()
      return puzzle.rule_count
    end),
    row("moves", "dynamic", "moves of a solution with the fewest", function(_, solution) return solution.length end),
    row("states", "dynamic", "states found up to the solution", function(_, solution) return solution.states end),
    row("branching", "dynamic", "new states for each that was expanded", function(_, solution) return solution.branching end),
    row("dead_ends", "dynamic", "states from which no win is left, if there are at most 100,000 states",
      of_space(function(space) return space.dead end), true),
    row("reachable", "dynamic", "all states that moves lead to, if these are at most 100,000",
      of_space(function(space) return space.states end), true),
    row("losing", "dynamic", "share of the moves that lead to a dead end, of those that change anything where a win is left; "
      .. "if there are at most 100,000 states", of_space(function(space) return space.losing / space.changing end), true),
    row("pushes", "solution", "objects other than the player that moves of that solution put on another place",
      function(_, solution) return (pushes(puzzle, search, solution)) end),
    row("push_moves", "solution", "moves of that solution that put such an object on another place",
      function(_, solution) return (select(2, pushes(puzzle, search, solution))) end),
    row("counterintuitive", "solution", "moves of that solution away from the nearest win condition that is not met",
      function(level, solution) return counterintuitive(puzzle, search, level, solution) end),
    row("rules_used", "solution", "lines of rules that change or command something in that solution",
      function(level, solution) return rules_used(search, level, solution) end),
  }
end

return measures
