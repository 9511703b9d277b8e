--- Bindings: the bytes choose which functions are called with which values, by scripts, within a step or by the engine; at their
--- end a generator goes on.
package.path = "tests/support/?.lua;" .. package.path
local hostile = require "hostile"

local path, CALLS <const> = (os.getenv "CRUX_TEST_FOLDER" or "build/fuzz") .. "/bindings_fuzz.input", 300
local random = math.random

--- What chooses as math.random does, by bytes as long as there are some.
local function chooser(bytes)
  local at = 0
  return function(low, high)
    local first, last = high and low or 1, high or low or 256
    local span = last - first
    if at < #bytes and span >= 0 and span < 256 then
      at = at + 1
      return low and first + bytes:byte(at) % (span + 1) or bytes:byte(at) / 256
    end
    if high then return random(low, high) end
    return low and random(low) or random()
  end
end

return function(bytes)
  local side = (bytes:byte() or 0) % 4
  math.randomseed(#bytes, bytes:byte(-1) or 0)
  math.random = chooser(bytes:sub(2))
  if side == 0 then
    hostile.scripts(path, CALLS)
  elseif side == 1 then
    hostile.steps(path, CALLS)
  else
    hostile.engine(CALLS)
  end
end
