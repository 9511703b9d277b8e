--- Tells early how a breadth-first search that takes long will end: from its speed and the growth of its layers.
local number = require "crux.base.number"

local forecast = {}

--- The seconds after which a search says it.
forecast.seconds = 2

--- The layers over which growth is averaged.
local LAYERS <const> = 3

--- How much larger a layer is than the one before; nil of fewer than two complete layers.
---@param sizes integer[]
local function growth_of(sizes, complete)
  local count = math.min(LAYERS, complete - 1)
  return count > 0 and (sizes[complete] / sizes[complete - count]) ^ (1 / count) or nil
end

--- The states of a search whose layers shrink; infinite if they do not.
local function whole(before, last, growth) return growth < 1 and before + last / (1 - growth) or math.huge end

--- The number of the first layer with which a search has more states than it may.
local function layer_of(before, last, growth, complete, most)
  local states, size, layer = before + last, last, complete
  while states < most do
    size, layer = size * growth, layer + 1
    states = states + size
  end
  return layer
end

---@class Searched
---@field sizes integer[]    states by depth, from 0; the last layer may be incomplete
---@field states integer
---@field seconds number     since the search began
---@field most { states: number, bytes: number, seconds: number }   states at which each limit is met, at this speed; infinite
---                       where there is no limit

--- The line.
---@param searched Searched
function forecast.line(searched)
  local sizes, complete, states = searched.sizes, #searched.sizes - 1, searched.states
  local rate, growth = states / searched.seconds, growth_of(sizes, complete)
  local line = ("%s in %.0f s, %s a second; %s"):format(number.count(states, "state"), searched.seconds,
    number.count(math.floor(rate)), number.count(#sizes, "layer"))
  if not growth then return line end
  local last = sizes[complete]
  local before = states - (sizes[#sizes] or 0) - last
  local limit, most = "states", searched.most.states
  for _, name in ipairs { "bytes", "seconds" } do
    if searched.most[name] < most then limit, most = name, searched.most[name] end
  end
  line = ("%s, each %.3g times the one before"):format(line, growth)
  local all = whole(before, last, growth)
  if all < most then
    return ("%s; expected: %s in all, after %.0f s more"):format(line, number.count(math.ceil(all), "state"),
      math.max(0, all - states) / rate)
  end
  if most == math.huge then return line end
  return ("%s; expected: the limit on %s after %.0f s more, in layer %d"):format(line, limit,
    math.max(0, most - states) / rate, layer_of(before, last, growth, complete, most))
end

return forecast
