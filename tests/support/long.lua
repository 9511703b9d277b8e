--- What `make test` leaves out, as it takes long: long loops and whole runs that only `make test-long` makes, which sets
--- CRUX_TEST_LONG; and tests that sanitizers run, too, for which CRUX_TEST_MORE is set.
local luaunit = require "luaunit"

local long = {}

local is_on = os.getenv "CRUX_TEST_LONG" ~= nil

--- The first line of a test that only `make test-long` runs.
function long.only() luaunit.skipIf(not is_on, "make test-long runs it") end

--- The first line of a test that `make test-long` and `make test-sanitize` run.
function long.leave_out()
  luaunit.skipIf(not is_on and not os.getenv "CRUX_TEST_MORE", "make test-long and make test-sanitize run it")
end

--- The second value in `make test-long`, else the first: counts, for instance.
function long.choose(short, full) return is_on and full or short end

--- All items of a list in `make test-long`, else so many of them, evenly spread from the first one on.
function long.some(count, list)
  if is_on or count >= #list then return list end
  local some = {}
  for i = 1, count do some[i] = list[1 + (i - 1) * #list // count] end
  return some
end

return long
