--- The keys of moves: those that the game's field `keys` gives, { wait = "space" }; for other moves an arrow if they are named
--- U, L, D or R, else the first free character of their name, else a digit.
local directions = require "crux.base.directions"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local keys = {}

--- Keys that games cannot use: undo, restart, hint, next, previous, skip, quit.
keys.reserved = { u = true, r = true, ["?"] = true, n = true, p = true, x = true, q = true }

--- Arrow keys by the names of moves.
keys.arrows = {}
for key, name in pairs(directions.of_key) do keys.arrows[name], keys.arrows[key] = key, key end

local function key_of(move, taken)
  local candidates = (keys.arrows[move] or "") .. " " .. move:lower():gsub(".", " %0") .. " 1 2 3 4 5 6 7 8 9"
  for key in candidates:gmatch "%S+" do
    if not taken[key] and not keys.reserved[key] and (#key > 1 or key:find "[!-~]") then return key end
  end
end

--- The moves by the keys in the game's field `keys`; raises a fault if one is wrong.
local function given(game)
  local by_key = {}
  for _, move in ipairs(lists.keys(game.keys or {})) do
    local key, where = game.keys[move], ("%s: keys['%s']"):format(game.path, move)
    if not lists.contains(game.search.moves, move) then fault.at(where, "no such move", "a move of search") end
    if type(key) ~= "string" then fault.at(where, fault.show(key), "the name of a key") end
    if keys.reserved[key] then fault.at(where, ("'%s'"):format(key), "a key that is not crux's own") end
    if by_key[key] then fault.at(where, ("'%s', the key of '%s', too"):format(key, by_key[key]), "a key for each move") end
    by_key[key] = move
  end
  return by_key
end

--- The moves by key.
---@return table<string, string> moves
---@return string? missing   the first move for which no key is left
function keys.moves(game)
  local by_key, missing = given(game), nil
  local has_key = lists.set(lists.keys(game.keys or {}))
  for _, move in ipairs(game.search.moves) do
    local key = not has_key[move] and key_of(move, by_key)
    if key then
      by_key[key] = move
    elseif not has_key[move] then
      missing = missing or move
    end
  end
  return by_key, missing
end

--- The rows that describe the keys of moves.
---@param by_key table<string, string>
---@param moves string[]
function keys.rows(by_key, moves)
  local rows, of_move, arrows = {}, {}, {}
  for key, move in pairs(by_key) do of_move[move] = key end
  for _, move in ipairs(moves) do
    local key = of_move[move]
    if keys.arrows[move] ~= key then table.insert(rows, { key, #move > 1 and move or "move " .. move }) end
  end
  for _, name in ipairs(directions.names) do
    local key = keys.arrows[name]
    local move = by_key[key]
    if move and keys.arrows[move] == key then table.insert(arrows, key) end
  end
  if arrows[1] then table.insert(rows, 1, { table.concat(arrows, " "), "move" }) end
  return rows
end

return keys
