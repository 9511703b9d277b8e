--- The levels of a command line with their measures and, by --rule, their ratings.
local dataset = require "crux.data.dataset"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local vector = require "libcrux.vector"

local rated_levels = {}

---@class RatedLevel
---@field name string
---@field entry LevelText
---@field row table<string, number>   measures
---@field rating number?

--- Loads the game and the rule of a command line.
---@return Game
---@return Rule?
function rated_levels.load(args)
  local rule = args.rule and inputs.rule(args.rule, args)
  local name = args.game or rule and rule.game
  if not name then fault.raise("expected --game GAME, or --rule with a rule that names its game", 2) end
  return games.load(name), rule
end

--- The values of measures in a dataset, as vectors, and the row of each level by its name.
---@return table<string, userdata>
---@return table<string, integer>
local function read(path, measures)
  local data, parts, row_of, count = dataset.open(path), {}, {}, 0
  data:expect(lists.concat({ "level" }, measures), "sample needs the column")
  for _, measure in ipairs(measures) do parts[measure] = {} end
  for block in data:blocks { numbers = measures, measures = measures, levels = true } do
    for row = 1, block.rows do
      local name = block.levels[row]
      if row_of[name] then fault.at(block:place(row), ("the level '%s' again"):format(name), "each level once") end
      row_of[name] = count + row
    end
    for measure, list in pairs(parts) do table.insert(list, block.numbers[measure]) end
    count = count + block.rows
  end
  local values = {}
  for measure, list in pairs(parts) do values[measure] = vector.concat(list) end
  return values, row_of
end

--- The measures of levels from a dataset, by the levels' names, as examination.dataset measures them.
---@param path string   of the dataset
---@return Dataset
local function from_dataset(game, path, paths, measures)
  local values, row_of = read(path, measures)
  local rows, names, sources = {}, {}, {}
  for i, entry in ipairs(game:expect_entries(paths)) do
    local place, row = ("%s:%d"):format(entry.path, entry.lines[1]), {}
    rows[i], names[i], sources[i] = row_of[entry.name], entry.name, { place = place, entry = entry, row = row }
    if not rows[i] then
      fault.at(place, ("the level '%s', which has no row in %s"):format(entry.name, path), "one for each level")
    end
    for measure, list in pairs(values) do
      local value = list[rows[i]]
      row[measure] = value == value and value or nil
    end
  end
  local chosen = {}
  for measure, list in pairs(values) do chosen[measure] = list:gather(vector.of(rows)) end
  return dataset.of_vectors(path, lists.concat({ "level" }, measures), chosen, #names, names, sources)
end

--- Reads, measures and rates levels.
---@param rule Rule?
---@param args table          with `levels`, examination.options, and perhaps `measured`, a dataset that has their measures
---@param further string[]?   measures besides those of the rule
---@return RatedLevel[]
---@return fun()              to call when all output is written, as examination.run returns it
function rated_levels.of(game, rule, args, further)
  local measures = lists.union(rule and game:needed_by(rule) or {}, further or {})
  local data, finish
  if args.measured then
    data, finish = from_dataset(game, args.measured, args.levels, measures), function() end
  else
    data, finish = examination.dataset(game, args, args.levels, measures)
  end
  local list = lists.map(data.sources, function(source)
    return { name = source.entry.name, entry = source.entry, row = source.row }
  end)
  if not rule or not list[1] then return list, finish end
  local block = rule:blocks(data, true)()
  local ratings = rule:rate(block)
  for i, level in ipairs(list) do
    level.rating = ratings[i] == ratings[i] and ratings[i] or nil
    if not level.rating then args.say(levels.at(level.entry, rule:unrated(block, i))) end
  end
  return lists.select(list, function(level) return level.rating end), finish
end

return rated_levels
