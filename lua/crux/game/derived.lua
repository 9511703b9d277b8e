--- Measures that games have without a word of their scripts, all optional: the effort of a search, counts over all states, the
--- moves of a solution, and the mean, least and most of the measures of one solution over all solutions that the game lists.
local bots = require "crux.bots.bots"
local fault = require "crux.base.fault"
local space = require "crux.game.space"

local derived = {}

--- Fields of a solution of `search` that are measures, with their lines of help.
local effort = {
  { "states", "states that the search finds" },
  { "expanded", "states whose moves the search tries" },
  { "generated", "moves that the search tries" },
  { "branching", "states that the search finds for each state whose moves it tries" },
}

local few = (", if these are at most %d"):format(space.most)

--- Counts over all states of a level, of crux.game.space, with their lines of help.
local of_space = {
  { "reachable", "all states that moves lead to" .. few, function(found) return found.states end },
  { "dead_ends", "states from which no win is left, of all states" .. few, function(found) return found.dead end },
  { "losing", "share of the moves that lose or lead to a dead end, of those that change anything where a win is left" .. few,
    function(found) return found.changing > 0 and found.losing / found.changing or nil end },
  { "farthest", "moves to the state that is farthest from the start, of all states" .. few,
    function(found) return found.farthest end },
}

--- The lengths of the runs of the same move in a solution.
local function runs(moves)
  local lengths = {}
  for i, move in ipairs(moves) do
    if move == moves[i - 1] then lengths[#lengths] = lengths[#lengths] + 1 else table.insert(lengths, 1) end
  end
  return lengths
end

--- Numbers made of the moves of a solution, with their lines of help.
local of_moves = {
  { "runs", "runs of the same move in the solution", function(moves) return #runs(moves) end },
  { "longest_run", "moves of the longest run of the same move in the solution",
    function(moves) return math.max(0, table.unpack(runs(moves))) end },
}

--- The states at each depth of a search, where it was breadth-first.
local of_frontiers = {
  { "widest", "states at the depth with the most, if the search is breadth-first",
    function(frontiers) return math.max(table.unpack(frontiers)) end },
}

--- Numbers made of the characters of a level's text, with their lines of help.
local of_text = {
  { "tiles", "characters of the level's text, without blanks", function(text) return select(2, text:gsub("[^%s]", "")) end },
  { "tile_kinds", "different characters of the level's text, without blanks", function(text)
    local known, count = {}, 0
    for character in text:gmatch(utf8.charpattern) do
      if not known[character] and character:find "%S" then known[character], count = true, count + 1 end
    end
    return count
  end },
}

--- Numbers made of one for each solution, of which there is at least one.
local ways = {
  { "mean", function(values)
    local sum = 0
    for _, value in ipairs(values) do sum = sum + value end
    return sum / #values
  end },
  { "least", function(values) return math.min(table.unpack(values)) end },
  { "most", function(values) return math.max(table.unpack(values)) end },
}

--- Adds a measure unless the script has one of that name.
---@param kind string?   "dynamic" unless given
---@param is_effort boolean?   it is one of a breadth-first search
local function add(game, name, doc, of, kind, is_effort)
  if game.measures[name] then return end
  game.measures[name] = { name = name, kind = kind or "dynamic", optional = true, is_added = true, doc = doc, of = of,
    effort = is_effort }
  table.insert(game.measures, game.measures[name])
end

--- The solutions of a level that the game lists; none where there are too many to list.
local function list_of(game, level, options)
  local list = fault.guard(game.path, game.list, level, options) or {}
  if type(list) ~= "table" then fault.at(game.path .. ": list", fault.show(list), "a list of solutions or nil") end
  return list
end

--- The shared measures of all games with a search.
local function add_of_search(game)
  local spaces = setmetatable({}, { __mode = "k" }) -- by level
  for _, row in ipairs(of_space) do
    add(game, row[1], row[2], function(level)
      if spaces[level] == nil then spaces[level] = space.of(game.search, level) or false end
      return spaces[level] and row[3](spaces[level]) or nil
    end)
  end
  for _, row in ipairs(of_moves) do
    add(game, row[1], row[2], function(_, solution) return row[3](solution.moves) end, "solution")
  end
  for _, move in ipairs(type(game.search.moves) == "table" and game.search.moves or {}) do
    add(game, "moves_" .. move, ("moves %s of the solution"):format(move), function(_, solution)
      local count = 0
      for _, one in ipairs(solution.moves) do count = count + (one == move and 1 or 0) end
      return count
    end, "solution")
  end
  for _, row in ipairs(of_frontiers) do
    add(game, row[1], row[2], function(_, solution)
      return solution.frontiers and #solution.frontiers > 0 and row[3](solution.frontiers) or nil
    end, "dynamic", true)
  end
end

--- Adds the measures of a game to those of its script.
function derived.add(game)
  for _, row in ipairs(game.search and effort or {}) do
    local field, doc = table.unpack(row)
    add(game, field, doc, function(_, solution) return solution[field] end, "dynamic", true)
  end
  if game.search then
    add_of_search(game)
    local named = bots.measures(game)
    setmetatable(game.measures, { __index = function(_, name) return named(name) end })
  end
  for _, row in ipairs(game.format and of_text or {}) do
    add(game, row[1], row[2], function(level) return row[3](fault.guard(game.path, game.format, level)) end, "initial")
  end
  local listed = setmetatable({}, { __mode = "k" }) -- by the solution that is measured
  for i = 1, game.list and #game.measures or 0 do
    local measure = game.measures[i]
    for _, way in ipairs(measure.kind == "solution" and ways or {}) do
      local word, combine = table.unpack(way)
      add(game, measure.name .. "_" .. word, ("the %s of '%s' over all solutions"):format(word, measure.name),
        function(level, solution, options)
          listed[solution] = listed[solution] or list_of(game, level, options)
          local values = {}
          for _, one in ipairs(listed[solution]) do table.insert(values, game:value(measure, level, one, options)) end
          return #values > 0 and combine(values) or nil
        end)
    end
  end
end

return derived
