--- What a worker does to make levels.
local generator = require "crux.game.generator"

--- Has the collector wait for longer until the value is closed: levels that are made together live long, and to look for
--- garbage among them as often as usual takes a tenth of the time.
local function slow_collector()
  local pause = collectgarbage("setpause", 1000)
  return setmetatable({}, { __close = function() collectgarbage("setpause", pause) end })
end

---@param production Production
---@return fun(tasks: Task[]): Product[]   of tasks that are worked on together
return function(production)
  local make = generator.new(production)
  return function(tasks)
    local collector <close> = slow_collector() -- luacheck: no unused
    return make(tasks)
  end
end
