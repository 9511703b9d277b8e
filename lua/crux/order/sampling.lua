--- Choosing levels from a pool: the same number from each stratum of measures, spread in rating.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local random = require "libcrux.random"
local range = require "crux.base.range"
local vector = require "libcrux.vector"

local sampling = {}

---@class Layers    values of a measure that separate strata
---@field measure string
---@field ranges Range[]

---@class Stratum
---@field name string     such as "size=25, moves=3..5"
---@field bounds table<string, Range>   by measure
---@field levels RatedLevel[]

--- The strata: every combination of the ranges of several measures.
---@param by Layers[]
---@return Stratum[]
local function strata_of(by)
  local strata = { { name = "all", bounds = {}, levels = {} } }
  for _, layers in ipairs(by) do
    local finer = {}
    for _, stratum in ipairs(strata) do
      for _, bounds in ipairs(layers.ranges) do
        local name = ("%s=%s"):format(layers.measure, range.text(bounds))
        table.insert(finer, { name = next(stratum.bounds) and stratum.name .. ", " .. name or name, levels = {},
          bounds = lists.merge(stratum.bounds, { [layers.measure] = bounds }) })
      end
    end
    strata = finer
  end
  return strata
end

local function belongs(level, stratum)
  for measure, bounds in pairs(stratum.bounds) do
    local value = level.row[measure]
    if not (value and range.holds(bounds, value)) then return false end
  end
  return true
end

--- Takes the level out of a list that has the least cost.
local function take_least(levels, cost)
  local best, least = 1, math.huge
  for i, level in ipairs(levels) do
    local its = cost(level)
    if its < least then best, least = i, its end
  end
  return table.remove(levels, best)
end

--- Some levels, at random: one from each of as many intervals of ratings, all of one width; for an empty interval the level
--- whose rating is nearest to its middle.
---@param levels RatedLevel[]
---@param count integer          at most as many as there are
---@param ends Range             of ratings
local function spread(levels, count, ends, rng)
  local left, chosen, empty = rng:shuffle(lists.copy(levels)), {}, {}
  local width = (ends.greatest - ends.least) / count
  local function middle(i) return ends.least + (i - 0.5) * width end
  for i = 1, count do
    local inside = lists.select(left, function(level) return math.abs(level.rating - middle(i)) <= width / 2 end)
    if inside[1] then
      table.insert(chosen, take_least(left, function(level) return level == inside[1] and 0 or 1 end))
    else
      table.insert(empty, i)
    end
  end
  for _, i in ipairs(empty) do
    table.insert(chosen, take_least(left, function(level) return math.abs(level.rating - middle(i)) end))
  end
  return lists.sort(chosen, function(level) return level.rating end)
end

--- The ratings of some levels as a range; the wanted range where its ends are finite.
local function ends_of(levels, wanted)
  local ratings = vector.of(lists.field(levels, "rating"))
  local function finite(value, other) return value and math.abs(value) < math.huge and value or other end
  local least, greatest = ratings:range()
  return { least = finite(wanted and wanted.least, least), greatest = finite(wanted and wanted.greatest, greatest) }
end

--- Chooses levels, in the order of the strata, then of the ratings; without ratings in the order of the pool.
---@param pool RatedLevel[]
---@param wanted { count: integer, by: Layers[], rating: Range?, seed: integer }
---@return RatedLevel[]
---@return string[] problems   strata with too few levels, a line each
function sampling.choose(pool, wanted)
  local strata, chosen, problems = strata_of(wanted.by), {}, {}
  if wanted.count < #strata then fault.at("count", wanted.count, ("at least %d, one for each stratum"):format(#strata)) end
  local function is_rated(level) return range.holds(wanted.rating, level.rating) end
  for _, level in ipairs(lists.select(pool, is_rated)) do
    for _, stratum in ipairs(strata) do
      if belongs(level, stratum) then
        table.insert(stratum.levels, level)
        break
      end
    end
  end
  for i, stratum in ipairs(strata) do
    local levels = stratum.levels
    local share = wanted.count // #strata + (i <= wanted.count % #strata and 1 or 0)
    if #levels < share then
      table.insert(problems, ("%s: found %d levels, expected at least %d"):format(stratum.name, #levels, share))
      share = #levels
    end
    local rng, part = random.new(wanted.seed, i - 1), {}
    if share > 0 and levels[1].rating then
      part = spread(levels, share, ends_of(levels, wanted.rating), rng)
    elseif share > 0 then
      local places = rng:shuffle(lists.order(#levels, function(place) return place end))
      local picked = lists.copy(places, share)
      table.sort(picked)
      part = lists.pick(levels, picked)
    end
    chosen = lists.concat(chosen, part)
  end
  return chosen, problems
end

return sampling
