--- Varying levels of tiles: one thing is put on another square, or there is a wall more or less, unless the checks count walls.
local lists = require "crux.base.lists"

local variation = {}

--- The things of a level that may be elsewhere, and walls.
local function kinds_of(tiles, planes, fixed)
  return lists.select(tiles.kinds, function(kind)
    return (kind == "wall" or planes[kind]:any()) and not lists.contains(fixed, kind)
  end)
end

--- Other boards of a level; nil if the thing that was drawn has no other square. Things are where the tiles allow it; if the
--- level is right, its checks tell.
---@param rules table   of checks
---@param fixed string[] things that stay where they are
---@param planes table<string, userdata>
---@return table<string, userdata>?
function variation.of(tiles, rules, fixed, planes, random)
  local kind, changed = random:pick(kinds_of(tiles, planes, fixed)), {}
  for name, value in pairs(planes) do changed[name] = value end
  local how = kind == "wall" and not rules.wall and random:pick { "add", "remove", "move" } or "move"
  local from_x, from_y = planes[kind]:pick(random)
  local to_x, to_y = (tiles:places_for(planes, kind) - planes[kind]):pick(random)
  if how ~= "add" and not from_x or how ~= "remove" and not to_x then return nil end
  if how ~= "add" then changed[kind] = changed[kind]:without(from_x, from_y) end
  if how ~= "remove" then changed[kind] = changed[kind]:with(to_x, to_y) end
  return changed
end

return variation
