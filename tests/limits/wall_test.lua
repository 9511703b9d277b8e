--- Tests of the walls around scripts, and of outputs that are open before scripts run: they fail at once, in one line, and leave
--- nothing behind.
local csv_rows = require "crux.data.dataset"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local wall = require "libcrux.wall"

local Wall = {}

function Wall.test_report()
  local path = shell.path "walls.csv"
  luaunit.assertEquals(shell.printed("check --sandbox -o " .. path), "")
  local rows = csv_rows.open(path):blocks { texts = { "wall", "tried", "result" } }()
  local counts = {}
  for i = 1, rows.rows do
    local name, result = rows.texts.wall[i], rows.texts.result[i]
    counts[name] = (counts[name] or 0) + 1
    luaunit.assertEquals(result:match "^%a+", name == "system calls" and wall.missing and "none" or "refused", rows.texts.tried[i])
  end
  luaunit.assertEquals(counts, { environment = 10, ["system calls"] = wall.missing and 1 or 6 })
end

--- A script that has every right can do nothing behind the wall: crux's own Lua stands for one that broke out.
function Wall.test_whoever_breaks_out_meets_the_wall()
  luaunit.skipIf(wall.missing, wall.missing)
  local home = shell.folder "broken"
  shell.run(("cp -r lua games rules %s"):format(home))
  local there = shell.file("broken/there", "text")
  shell.file("broken/lua/crux/script/sandbox.lua", ([[
    local path = %q
    return { run = function()
      local said = { io.open(path):read() }
      for i, mode in ipairs { "w", "a", "r+" } do said[i + 1] = (select(2, io.open(path, mode))) end
      table.insert(said, tostring((io.popen "true")))
      table.insert(said, tostring((os.execute "true")))
      error(table.concat(said, "\n"), 0)
    end }
  ]]):format(there))
  local result = shell.run(("CRUX_HOME=%s %s measure move %s"):format(home, shell.quote(shell.program), there))
  local refused = there .. ": Operation not permitted\n"
  luaunit.assertEquals(result.err, "crux: internal error: text\n" .. refused:rep(3) .. "nil\nnil\n")
  luaunit.assertEquals(shell.read(there), "text")
end

local Outputs = {}

--- A named pipe that nobody writes to: who opens it waits for ever.
local function silent()
  local path = shell.path "silent"
  shell.run(("rm -f %s; mkfifo %s"):format(path, path))
  return path
end

--- Each command that writes, with % for its input.
local lines = { "rate flow %", "fit flow %", "evaluate flow %", "compare flow flow-solver --data %", "diagnose flow %",
  "correlate %", "ablate %", "select %", "aggregate %", "agreement %", "measure move %", "solve move %", "check --game move %",
  "generate move --count 1000000", "generate move --like-dataset datasets/flow.csv", "generate move --histogram",
  "check --sandbox", "measure move --list", "study plan --game move % --players 2 --per-player 1" }

--- Runs a command, but not for long; its arguments replace the input.
local function run(line, input, more)
  return shell.run(("timeout 20 %s %s%s"):format(shell.quote(shell.program), line:gsub("%%", function() return input end), more))
end

--- No command waits for its input, or calculates, before it says so.
function Outputs.test_what_cannot_be_written_is_told_before_anything_is_read()
  long.only()
  local pipe, folder = silent(), shell.folder "taken"
  local file = shell.file("taken/file", "")
  for _, line in ipairs(long.some(6, lines)) do
    for path, problem in pairs { [folder .. "/none/out.csv"] = "No such file or directory", [file .. "/out"] = "Not a directory",
      [file .. "/"] = "Not a directory" } do
      local result = run(line, pipe, " -o " .. path)
      luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", ("%s: %s\n"):format(path, problem) }, line)
    end
    luaunit.assertEquals(shell.run("ls -A " .. folder).out, "file\n", line)
  end
end

function Outputs.test_closed_standard_output_is_told_before_anything_is_read()
  local pipe = silent()
  for _, line in ipairs(long.some(6, lines)) do
    local result = run(line, pipe, " >&-")
    luaunit.assertEquals({ result.status, result.err }, { 1, "<stdout>: found it closed, expected it open for writing\n" }, line)
  end
end

function Outputs.test_a_folder_is_no_output_but_of_levels()
  local folder = shell.folder "whole"
  for _, line in ipairs(long.some(6, lines)) do
    if not line:find "generate" then
      local result = run(line, silent(), " -o " .. folder)
      luaunit.assertEquals({ result.status, result.err }, { 1, folder .. ": Is a directory\n" }, line)
    end
  end
  luaunit.assertEquals(shell.printed("generate move --count 12 -o " .. folder .. "/new/"), "")
  luaunit.assertEquals(select(2, shell.run(("ls -A %s/new"):format(folder)).out:gsub("move%-1%-%d+%.txt\n", "")), 12)
end

--- What is new goes away with the failure: also a folder, of which others keep what they had.
function Outputs.test_nothing_is_left_of_levels_that_fail()
  local folder = shell.folder("kept", { ["mine.txt"] = "mine" })
  local script = shell.file("failing.lua", (shell.read("tests/support/plain_game.lua")
    :gsub("\nfunction game.generate%b()\n", "%0  if random:integer(1, 4) == 1 then return nil + 1 end\n")))
  for _, place in ipairs { folder, folder .. "/new/" } do
    local result = shell.crux(("generate %s --count 40 -o %s"):format(script, place))
    luaunit.assertEquals(result.status, 1)
    luaunit.assertStrMatches(result.err, ".*failing%.lua:%d+: attempt to perform arithmetic on a nil value\n.*")
    luaunit.assertEquals(shell.run("ls -A " .. folder).out, "mine.txt\n")
  end
end

function Outputs.test_devices()
  luaunit.assertEquals(shell.printed "correlate datasets/flow.csv -o /dev/null", "")
  local full = shell.crux "correlate datasets/flow.csv -o /dev/full"
  luaunit.assertEquals({ full.status, full.err }, { 1, "/dev/full: No space left on device\n" })
end

--- An output that fills up while it is written: the file is as before.
function Outputs.test_a_full_disk()
  local disk = shell.folder "disk"
  luaunit.skipIf(shell.run("mount -t tmpfs -o size=16k none " .. disk).status ~= 0, "no file system can be mounted")
  shell.file("disk/out.html", "before")
  local kept = shell.run(("%s report flow datasets/flow.csv -o %s/out.html"):format(shell.quote(shell.program), disk))
  local levels = shell.crux(("generate move --count 40 -o %s/levels/"):format(disk))
  local text, listing = shell.read(disk .. "/out.html"), shell.run("ls -A " .. disk).out
  shell.run("umount " .. disk)
  luaunit.assertEquals(kept, { status = 1, out = "", err = disk .. "/out.html: No space left on device\n" })
  luaunit.assertEquals(text, "before")
  luaunit.assertEquals(levels.status, 1)
  luaunit.assertEquals(levels.err:gsub("move%-1%-%d+", "move"), disk .. "/levels/move.txt: No space left on device\n")
  luaunit.assertEquals(listing, "out.html\n")
end

function Outputs.test_a_read_only_file_system()
  local disk = shell.folder "disk"
  luaunit.skipIf(shell.run("mount -t tmpfs -o ro none " .. disk).status ~= 0, "no file system can be mounted")
  local result = run("fit flow %", silent(), (" -o %s/rule.lua"):format(disk))
  shell.run("umount " .. disk)
  luaunit.assertEquals({ result.status, result.err }, { 1, disk .. "/rule.lua: Read-only file system\n" })
end

--- An input that is gone when its turn comes: the first one waits until it is removed.
function Outputs.test_an_input_that_vanishes()
  local pipe, gone, out = silent(), shell.file("gone.csv", "level,size\n1,2\n"), shell.path "vanished.csv"
  os.remove(out)
  local function rate(line)
    return shell.run(("{ rm %s; cat datasets/flow.csv > %s; } & timeout 20 %s %s -o %s; s=$?; wait; exit $s"):format(gone, pipe,
      shell.quote(shell.program), line, out))
  end
  local result = rate(("rate flow %s %s"):format(pipe, gone))
  luaunit.assertEquals({ result.status, result.err }, { 1, gone .. ": cannot be opened: No such file or directory\n" })
  luaunit.assertFalse(shell.exists(out))
end

return { Wall = Wall, Outputs = Outputs }
