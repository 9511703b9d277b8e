--- Measures that games have without a word of their scripts, all optional: the effort of a search, and the mean, least and most
--- of the measures of one solution over all solutions that the game lists.
local fault = require "crux.base.fault"

local derived = {}

--- Fields of a solution of `search` that are measures, with their lines of help.
local effort = {
  { "states", "states that the search finds" },
  { "expanded", "states whose moves the search tries" },
  { "generated", "moves that the search tries" },
  { "branching", "states that the search finds for each state whose moves it tries" },
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
local function add(game, name, doc, of)
  if game.measures[name] then return end
  game.measures[name] = { name = name, kind = "dynamic", optional = true, is_added = true, doc = doc, of = of }
  table.insert(game.measures, game.measures[name])
end

--- The solutions of a level that the game lists; none where there are too many to list.
---@param game Game
---@return Solution[]
local function list_of(game, level, options)
  local list = fault.guard(game.path, game.list, level, options) or {}
  if type(list) ~= "table" then fault.at(game.path .. ": list", fault.show(list), "a list of solutions or nil") end
  return list
end

--- Adds the measures of a game to those of its script.
---@param game Game
function derived.add(game)
  for _, row in ipairs(game.search and effort or {}) do
    local field, doc = table.unpack(row)
    add(game, field, doc, function(_, solution) return solution[field] end)
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
