-- A hundred thousand variables to be closed, each in a pcall.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  local function deeper(n)
    local guard <close> = setmetatable({}, { __close = function() pcall(spin) end })
    if n > 0 then return (pcall(deeper, n - 1)) end
    spin()
  end
  while true do deeper(150) end
  return { size = #text }
end
return game
