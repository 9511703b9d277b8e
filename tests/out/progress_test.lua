-- Tests of crux.progress: what the line says, when it is written, and that it is only on terminals.
local luaunit = require "luaunit"
local progress = require "crux.out.progress"
local system = require "libcrux.system"

local Progress = {}

local seconds, stderr = system.seconds, io.stderr

--- A clock that stands until it is set, and a stderr that a test can look at.
local now

function Progress.setUp()
  now = 1000
  system.seconds = function() return now end
end

function Progress.tearDown()
  system.seconds, io.stderr = seconds, stderr
end

--- Progress as on a terminal, and the list of what it writes.
local function watched(total)
  local written = {}
  local shown = progress.new(total, "levels")
  shown.file = { write = function(_, text) table.insert(written, text) end }
  return shown, written
end

function Progress.test_durations()
  for _, case in ipairs {
    { 0, "0 s" }, { 0.2, "1 s" }, { 9, "9 s" }, { 59, "59 s" }, { 59.5, "1 min 00 s" }, { 65, "1 min 05 s" },
    { 3599, "59 min 59 s" }, { 3600, "1 h 00 min" }, { 3601, "1 h 01 min" }, { 7199, "2 h 00 min" }, { 360000, "100 h 00 min" },
  } do
    luaunit.assertEquals(progress.duration(case[1]), case[2])
  end
end

function Progress.test_lines()
  for _, case in ipairs {
    { 0, 10, 5, "0 of 10 levels" },
    { 3, 10, 0, "3 of 10 levels" },
    { 3, 10, 2, "3 of 10 levels, 1.5 per second, 5 s left" },
    { 10, 10, 4, "10 of 10 levels, 2.5 per second, 0 s left" },
    { 12, 10, 4, "12 of 10 levels, 3 per second, 0 s left" },
    { 1, 1000, 100, "1 of 1,000 levels, 0.01 per second, 27 h 45 min left" },
    { 123456, 1000000, 10, "123,456 of 1,000,000 levels, 12,346 per second, 1 min 12 s left" },
    { 7, nil, 3, "7 levels, 2.33 per second" },
    { 0, nil, 3, "0 levels" },
  } do
    luaunit.assertEquals(progress.line(case[1], case[2], "levels", case[3]), case[4])
  end
end

function Progress.test_at_most_ten_lines_a_second()
  local shown, written = watched(200)
  for _ = 1, 100 do
    now = now + 0.03125
    shown:advance()
  end
  luaunit.assertEquals(#written, 25) -- every 4th: 0.125 seconds
  luaunit.assertEquals(written[1], "\r\27[K4 of 200 levels, 32 per second, 7 s left")
  luaunit.assertEquals(written[25], "\r\27[K100 of 200 levels, 32 per second, 4 s left")
end

function Progress.test_advancing_by_more()
  local shown, written = watched(nil)
  now = now + 2
  shown:advance(50)
  luaunit.assertEquals(written, { "\r\27[K50 levels, 25 per second" })
end

function Progress.test_clearing()
  local written
  do
    local shown <close>, lines = watched(10)
    written = lines
    shown:clear()
    luaunit.assertEquals(written, {}) -- there is nothing to clear yet
    now = now + 1
    shown:advance()
    shown:clear()
    shown:clear()
    luaunit.assertEquals({ #written, written[2] }, { 2, "\r\27[K" })
    now = now + 1
    shown:advance()
    luaunit.assertEquals(#written, 3)
  end
  luaunit.assertEquals({ #written, written[4] }, { 4, "\r\27[K" })
end

function Progress.test_a_fault_finds_the_line_cleared()
  local written
  pcall(function()
    local shown <close>, lines = watched(10)
    written = lines
    now = now + 1
    shown:advance()
    error "x"
  end)
  luaunit.assertEquals({ #written, written[2] }, { 2, "\r\27[K" })
end

function Progress.test_nothing_is_written_where_there_is_no_terminal()
  local file = assert(io.tmpfile())
  io.stderr = file
  do
    local shown <close> = progress.new(10, "levels")
    for _ = 1, 10 do
      now = now + 1
      shown:advance()
    end
    shown:clear()
  end
  luaunit.assertEquals(file:seek "end", 0)
  file:close()
end

return { Progress = Progress }
