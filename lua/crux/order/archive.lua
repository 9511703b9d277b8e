--- The archive of an order: a level in each cell of ratings and standardised measures (MAP-Elites: Mouret and Clune 2015). The
--- level to vary for a wanted rating is one that is near to it and has seldom been varied, itself and others of its origin. The
--- origin of a level is the level at random from which variations led to it.
local range = require "crux.base.range"

local archive = {}

local rating_step <const> = 0.25 -- the height of a cell, in standard deviations of the ratings of levels at random

--- The cost of one variation in the choice, in standard deviations of ratings: for the level and for its origin.
local level_cost <const>, origin_cost <const> = 0.1, 0.1

---@class Cell
---@field level Found
---@field visits integer   times that it was varied

---@class Origin
---@field visits integer   times that levels of this origin were varied

---@class Archive
---@field scales Scales
---@field cells Cell[]                 in the order in which they were filled
---@field by_key table<string, Cell>
---@field side number                  of a cell, in standard deviations of a measure
local Archive = {}
Archive.__index = Archive

---@return Archive
function archive.new(scales)
  return setmetatable({ scales = scales, cells = {}, by_key = {}, side = math.max(1, math.sqrt(#scales.names) / 2) }, Archive)
end

--- Puts a level into its cell, unless the level there is as near to what is wanted.
---@param level Found
---@param beyond fun(rating: number): number   the distance from what is wanted
function Archive:add(level, beyond)
  local places = { level.rating / (rating_step * self.scales.rating) // 1 }
  for i, value in ipairs(self.scales:point(level)) do places[i + 1] = value / self.side // 1 end
  local key = table.concat(places, " ")
  local cell = self.by_key[key]
  if not cell then
    cell = { level = level, visits = 0 }
    self.by_key[key] = cell
    table.insert(self.cells, cell)
  elseif beyond(level.rating) < beyond(cell.level.rating) then
    cell.level, cell.visits = level, 0
  end
end

--- The level to vary next for a wanted rating.
---@param slot Range
---@return Found
function Archive:pick(slot)
  local best, least
  for _, cell in ipairs(self.cells) do
    local cost = range.beyond(cell.level.rating, slot) / self.scales.rating + level_cost * cell.visits
      + origin_cost * cell.level.origin.visits
    if not least or cost < least then best, least = cell, cost end
  end
  best.visits, best.level.origin.visits = best.visits + 1, best.level.origin.visits + 1
  return best.level
end

return archive
