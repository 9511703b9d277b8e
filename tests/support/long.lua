--- What only `make test-long` runs, which sets CRUX_TEST_LONG: long loops, and whole runs that take long.
local luaunit = require "luaunit"

local long = {}

local is_on = os.getenv "CRUX_TEST_LONG" ~= nil

--- The first line of a test that only `make test-long` runs.
function long.only() luaunit.skipIf(not is_on, "make test-long runs it") end

--- The second value in `make test-long`, else the first: counts, for instance.
function long.choose(short, full) return is_on and full or short end

--- All items of a list in `make test-long`, else so many at its beginning.
function long.first(count, list) return is_on and list or table.move(list, 1, math.min(count, #list), 1, {}) end

return long
