-- Times crux making Move levels against a generator in C, interleaved; prints medians and their ratio. The argument says how
-- many levels.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local count, crux, path = tonumber((...)) or 5000, os.getenv "CRUX", os.tmpname()
local in_c, in_crux = {}, {}
for round = 1, timing.rounds do
  in_c[round] = plain_generator(count, path)
  in_crux[round] = timing.command(("%s generate move --count %d --jobs 1 > %s"):format(crux, count, path))
end
timing.report(("crux generate: %d levels, 10,000 moves back each"):format(count), in_c, in_crux)
os.remove(path)
