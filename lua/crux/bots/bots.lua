--- Programs that play levels, and what their plays tell of a level.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local Graph = require "crux.search.graph"
local lists = require "crux.base.lists"
local random = require "libcrux.random"
local Walk = require "crux.bots.walk"

local bots = { names = { "random", "greedy", "limited", "mcts" } }

---@class Bot
---@field doc string
---@field params BotParam[]   with default, low, high
---@field choose fun(walk: Walk, params: table<string, number>): integer|"undo"|nil   number of a move; nil: back to the start

--- Parameters of all bots.
local shared = {
  { name = "patience", default = 50, low = 1, high = 1e6, integer = true,
    doc = "moves without a new state after which it begins again" },
  { name = "most", default = 500, low = 1, high = 1e6, integer = true,
    doc = "moves, undos and restarts after which it gives up" },
}

--- Loads a bot.
---@return Bot
function bots.load(name)
  if not lists.contains(bots.names, name) then fault.unknown("bots", "bot", name, bots.names) end
  return require("crux.bots." .. name)
end

--- The parameters of a bot.
---@return BotParam[]
function bots.params(name) return lists.concat(bots.load(name).params, shared) end

--- The values of a bot's parameters.
---@param given table<string, number>?   those that are not the defaults
function bots.values(name, given)
  local values = {}
  for _, param in ipairs(bots.params(name)) do values[param.name] = (given or {})[param.name] or param.default end
  return values
end

--- Reads bots with some of their parameters: 'random,limited:depth=4:errors=0.2'.
---@return string[]? names    nil and a message for a text that is none
---@return table<string, table<string, number>>|string params   by bot
function bots.read(text)
  local names, params = {}, {}
  for part in text:gmatch "[^,]+" do
    local name = part:match "^%s*([^:%s]*)"
    local known = lists.contains(bots.names, name) and bots.params(name)
    if not known then return nil, ("found '%s', expected one of %s"):format(name, table.concat(bots.names, ", ")) end
    table.insert(names, name)
    params[name] = {}
    for key, value in part:gmatch ":([^:=%s]*)=?([^:%s]*)" do
      local param, number = nil, tonumber(value)
      for _, one in ipairs(known) do param = one.name == key and one or param end
      if not param then
        return nil, ("found '%s:%s', expected one of %s"):format(name, key, table.concat(lists.field(known), ", "))
      end
      local is_right = number and number >= param.low and number <= param.high and (not param.integer or math.tointeger(number))
      if not is_right then
        return nil, ("found '%s=%s', expected %s from %g to %g"):format(key, value,
          param.integer and "an integer" or "a number", param.low, param.high)
      end
      params[name][key] = param.integer and math.tointeger(number) or number
    end
  end
  if #names == 0 then return nil, "found nothing, expected names of bots" end
  return names, params
end

--- Plays once; nil if the limits allow no more states.
---@return Walk?
local function play(bot, graph, generator, values, distance)
  local walk = Walk.new(graph, generator, distance)
  while not walk.solved and walk.moves + walk.undos + walk.restarts < values.most do
    if not graph:after(walk.at) then return nil end
    local choice = walk.stale < values.patience and bot.choose(walk, values) or nil
    if not choice then walk:restart() elseif choice == "undo" then walk:undo() else walk:move(choice) end
  end
  return walk
end

---@class BotSettings
---@field runs integer
---@field seed integer
---@field params table<string, table<string, number>>?   by bot

--- Plays a level many times; play i of a seed is the same on every machine.
---@param spec SearchSpec
---@param limits { states: integer, bytes: integer, seconds: number }
---@param settings BotSettings
---@return Walk[]?   nil if the limits allow no more states
function bots.plays(name, spec, level, limits, settings)
  local bot, values = bots.load(name), bots.values(name, (settings.params or {})[name])
  local graph <close>, walks = Graph.of(spec, level, limits), {}
  local distance = graph:explore(math.min(Graph.most_whole, limits.states)) and graph:distances() or nil
  for i = 1, settings.runs do
    budget.beat()
    walks[i] = play(bot, graph, random.new(settings.seed, i), values, distance)
    if not walks[i] then return nil end
  end
  return walks, distance ~= nil
end

local function is_solved(walk) return walk.solved end

--- The plays that look for a solution of a level, and the states that they may come to.
local SEEKING <const>, SEEN <const> = { runs = 20, seed = 1 }, 1000000

--- The moves of the shortest solution in some plays of the bot that looks ahead; nil if none solves the level.
---@param limits { bytes: integer? }
---@return integer?
function bots.shortest(spec, level, limits)
  local own = { states = SEEN, bytes = limits.bytes or 1 << 30, seconds = math.huge }
  local walks = bots.plays("limited", spec, level, own, SEEKING)
  local lengths = lists.field(lists.select(walks or {}, is_solved), "length")
  return #lengths > 0 and math.min(table.unpack(lengths)) or nil
end

--- The ends of Wilson's interval of a share at 95 % (Wilson 1927).
local function wilson(successes, count)
  local z <const> = 1.959963984540054
  local share = successes / count
  local middle, reach = share + z ^ 2 / (2 * count), z * math.sqrt(share * (1 - share) / count + z ^ 2 / (4 * count ^ 2))
  return math.max(0, (middle - reach) / (1 + z ^ 2 / count)), math.min(1, (middle + reach) / (1 + z ^ 2 / count))
end

--- The mean of a field over some walks; nil without walks.
local function mean(walks, field)
  local sum = 0
  for _, walk in ipairs(walks) do sum = sum + walk[field] end
  return #walks > 0 and sum / #walks or nil
end

--- The mean of the moves of the best twentieth of the plays; those that do not solve the level count as `most`.
local function best(walks, most)
  local moves, sum = lists.map(walks, function(walk) return walk.solved and walk.moves or most end), 0
  table.sort(moves)
  local count = math.max(1, #moves // 20)
  for i = 1, count do sum = sum + moves[i] / count end
  return sum
end

--- The figures of a bot's plays: the name, which stands behind the bot's in measures (random_pass), a line of help, and the
--- function that computes it.
bots.figures = {
  { "pass", "share of the plays that solve the level", function(walks) return #lists.select(walks, is_solved) / #walks end },
  { "low", "lower end of that share's 95 % interval (Wilson)",
    function(walks) return (wilson(#lists.select(walks, is_solved), #walks)) end },
  { "high", "upper end of it", function(walks) return select(2, wilson(#lists.select(walks, is_solved), #walks)) end },
  { "moves", "mean moves of the plays that solve the level", function(walks)
    return mean(lists.select(walks, is_solved), "moves")
  end },
  { "best", "mean moves of the best 5 % of the plays; a play that does not solve the level counts as the most moves",
    function(walks, values) return best(walks, values.most) end },
  { "states", "mean of the different states that a play comes to", function(walks) return mean(walks, "states") end },
  { "dead", ("mean moves from states without a win left, if all states are at most %d"):format(Graph.most_whole),
    function(walks, _, is_known) return is_known and mean(walks, "dead") or nil end },
  { "undos", "mean moves taken back", function(walks) return mean(walks, "undos") end },
  { "restarts", "mean of how often a play begins again", function(walks) return mean(walks, "restarts") end },
}

--- Optional measures of a game that let a bot play a level: 'random_pass'. Each is made when a formula or an option names it.
---@param game Game   with a search
---@return fun(name: string): Measure?
function bots.measures(game)
  local played = setmetatable({}, { __mode = "k" }) -- by level and bot
  local function figures(bot, level, options)
    local settings = game.bots or bots.defaults
    local of_level = played[level] or {}
    played[level] = of_level
    if not of_level[bot] then
      local limits = { states = options.states or 10000000, bytes = options.bytes or 1 << 30, seconds = math.huge }
      local walks, is_known = bots.plays(bot, game.search, level, limits, settings)
      local values = {}
      for _, figure in ipairs(walks and bots.figures or {}) do
        values[figure[1]] = figure[3](walks, bots.values(bot, (settings.params or {})[bot]), is_known)
      end
      of_level[bot] = values
    end
    return of_level[bot]
  end
  return function(name)
    local bot, key = tostring(name):match "^(%l+)_(%l+)$"
    if not lists.contains(bots.names, bot) then return nil end
    for _, figure in ipairs(bots.figures) do
      if figure[1] == key then
        return { name = name, kind = "initial", optional = true, is_added = true, doc = figure[2],
          of = function(level, _, options) return figures(bot, level, options)[key] end }
      end
    end
  end
end

---@type BotSettings
bots.defaults = { runs = 100, seed = 1 }

return bots
