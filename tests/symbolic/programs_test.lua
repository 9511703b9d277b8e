-- Random games in plain Lua: C does what Lua does, or refuses at the place in the script. CRUX_PROGRAMS says how many, CRUX_SEED
-- which.
local long = require "long"
local luaunit = require "luaunit"

local wanted, seed = tonumber(os.getenv "CRUX_PROGRAMS") or long.choose(20, 1000), tonumber(os.getenv "CRUX_SEED") or 1

--- Bytes at random, fewer or more: what is not chosen by a byte is the simplest.
local function bytes()
  local list = {}
  for i = 1, math.random(20, 1500) do list[i] = string.char(math.random(0, 255)) end
  return table.concat(list)
end

local Programs = {}

function Programs.test_random_programs()
  long.leave_out()
  local try, count = dofile "tests/fuzz/plain_fuzz.lua", { native = 0, raised = 0, refused = 0 }
  math.randomseed(seed)
  for _ = 1, wanted do
    local verdict = try(bytes())
    count[verdict] = count[verdict] + 1
  end
  if os.getenv "CRUX_PROGRAMS" then print(("%d native, %d raised, %d refused"):format(count.native, count.raised, count.refused)) end
  luaunit.assertTrue(count.native > wanted / 2, count.native)
end

return { Programs = Programs }
