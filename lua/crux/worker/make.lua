--- What a worker does to make levels.
local generator = require "crux.generator"

--- Levels that are made together live long: to look for garbage among them as often as usual takes a tenth of the time.
collectgarbage("setpause", 1000)

return generator.new
