--- The names of moves: a list, or a function of the level that returns one.
local fault = require "crux.base.fault"

local moves = {}

--- Raises a fault unless these are names of moves.
---@param place fun(): string   the beginning of messages
function moves.check(place, list)
  local known = {}
  if type(list) ~= "table" or #list == 0 then
    fault.at(place(), type(list) == "table" and "an empty list" or fault.show(list), "a list of names")
  end
  local count = 0 -- more than #list where a move is nil
  for _ in pairs(list) do count = count + 1 end
  for i = 1, count do
    local move = list[i]
    if type(move) ~= "string" or move == "" then fault.at(("%s[%d]"):format(place(), i), fault.show(move), "a name") end
    if known[move] then fault.at(place(), ("'%s' twice"):format(move), "different names") end
    known[move] = true
  end
end

--- The moves of a level.
---@param spec SearchSpec
function moves.of(spec, level)
  if type(spec.moves) ~= "function" then return spec.moves end
  local place = debug.getinfo(spec.moves, "S").short_src .. ": search.moves"
  local list = fault.guard(place, spec.moves, level)
  moves.check(function() return place end, list)
  return list
end

return moves
