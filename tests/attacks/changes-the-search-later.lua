-- A search that changes once it was looked at.
-- measure: as honest
local game = require "honest"
local function spin() while true do end end
local search = game.search
function game.parse(text)
  search.moves, search.step, game.measures[1] = setmetatable({}, { __len = spin, __index = spin }), spin, spin
  setmetatable(search, { __index = spin })
  return { size = #text:gsub("%s", "") }
end
return game
