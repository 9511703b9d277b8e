-- Tests that no command leaves a half-written file: on a full disk, and when it is interrupted.
local luaunit = require "luaunit"
local long = require "long"
local shell = require "shell"
local writing = require "writing"

local HalfWritten = {}

--- Runs a command line that writes into an empty folder; returns the result, the names of the files there, and what the result's
--- file holds.
local function run(one, prefix)
  local folder = shell.folder "written"
  local result = shell.run(("%s %s %s -o %s/result.%s"):format(prefix, shell.program, one.line:format(one.path), folder, one.ending))
  local left = shell.list(folder)
  return result, left, left[1] == "result." .. one.ending and shell.read(folder .. "/" .. left[1]) or nil
end

--- A limit on the size of files stops writing as a full disk does.
function HalfWritten.test_no_room()
  long.leave_out()
  for _, one in ipairs(long.some(6, writing.commands())) do
    local result, left = run(one, "ulimit -f 0; exec") -- its message finds no room, either
    luaunit.assertEquals({ result.status, left }, { 1, {} }, one.line)
  end
end

--- Interrupted at some moment, a command leaves its whole result or nothing.
function HalfWritten.test_interrupted()
  long.leave_out()
  local rounds = long.choose(1, 8)
  for i, one in ipairs(long.some(6, writing.commands())) do
    local _, _, whole = run(one, "exec")
    for round = 1, rounds do
      local prefix = ("timeout --preserve-status -s INT 0.%03d env --default-signal=INT"):format((i * 7 + round * 13) % 60 + 1)
      local result, left, content = run(one, prefix)
      luaunit.assertTrue(result.status == 130 or result.status == 0 and content ~= nil, one.line)
      if content and one.line:find "^discover" then whole = content:match "^%-%- Found by .*\n}\n$" end -- what it has found by then
      luaunit.assertEquals({ #left, content }, { content and 1 or 0, content and whole }, one.line)
    end
  end
end

return { HalfWritten = HalfWritten }
