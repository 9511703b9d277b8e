-- Each closing opens another variable to be closed.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  local function again()
    local guard <close> = setmetatable({}, { __close = again })
    pcall(spin)
  end
  again()
  return { size = #text }
end
return game
