--- A worker's generator of levels.
local generator = require "crux.game.generator"

--- Makes garbage collections rarer until the value is closed: levels that are made together live long, and collections as often
--- as usual take a tenth of the time.
local function slow_collector()
  local pause = collectgarbage("setpause", 1000)
  return setmetatable({}, { __close = function() collectgarbage("setpause", pause) end })
end

---@return fun(tasks: MakingTask[]): Product[]   makes the levels of the tasks together
return function(production)
  local make = generator.new(production)
  return function(tasks)
    local collector <close> = slow_collector() -- luacheck: no unused
    return make(tasks)
  end
end
