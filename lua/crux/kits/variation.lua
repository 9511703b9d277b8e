--- Varying levels of tiles: one thing on another square; or one more or less, of the things that no check counts.
local variation = {}

--- True if the checks count a thing, or as many of another one.
local function is_counted(rules, kind)
  for name, rule in pairs(rules) do
    if name ~= "closed" and (name == kind or rule == kind) then return true end
  end
  return false
end

--- Other boards of a level; nil if the thing that was drawn cannot be changed. Things are where the tiles allow it; whether
--- the level is right, its checks tell.
---@param tiles Tiles
---@param rules table      of checks
---@param planes table<string, userdata>
---@param random userdata
---@return table<string, userdata>?
function variation.of(tiles, rules, planes, random)
  local kind, changed = random:pick(tiles.kinds), {}
  for name, value in pairs(planes) do changed[name] = value end
  local how = is_counted(rules, kind) and "move" or random:pick { "add", "remove", "move" }
  if how ~= "add" then
    local x, y = planes[kind]:pick(random)
    if not x then return nil end
    changed[kind] = planes[kind]:without(x, y)
  end
  if how ~= "remove" then
    local x, y = (tiles:places_for(planes, kind) - planes[kind]):pick(random)
    if not x then return nil end
    changed[kind] = changed[kind]:with(x, y)
  end
  return changed
end

return variation
