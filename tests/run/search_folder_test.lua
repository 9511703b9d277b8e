--- `crux solve --disk`: searches that are killed and go on, folders that are damaged, full, in use or of something else.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local process = require "libcrux.process"

local Folder = {}

--- Levels of ten tiles: 10!/2 = 1,814,400 positions each; the first has no solution, the second one of 26 moves.
local levels = { ["no.txt"] = "2 1 3 4 5\n6 7 8 9 0\n", ["yes.txt"] = "6 1 2 4 5\n8 0 7 3 9\n", ["eight.txt"] = "2 1 3\n4 5 6\n7 8 0\n" }

function Folder.setUp() shell.folder("disk", levels) end

--- Runs crux solve with a level and options, in a process of its own.
local function solve(words, before)
  return shell.run(("%s %s solve tests/bench/tiles.lua %s"):format(before or "", shell.quote(shell.program),
    (words:gsub("DIR", shell.path "disk"))))
end

local function path(name) return shell.path("disk/" .. name) end

--- The last line that was said.
local function said(result) return result.err:match "([^\n]*)\n$" end

local line = "DIR/%s --disk DIR/states --memory 1 --format csv"

--- Killed several times, a search ends with the bytes of one that was not. Each run is given a little more time, so that one ends.
function Folder.test_killed_and_resumed()
  math.randomseed(9)
  local kills = 0
  for _, name in ipairs(long.choose({ "no.txt" }, { "no.txt", "yes.txt" })) do
    for _ = 1, long.choose(1, 5) do
      shell.folder "disk/states"
      local start = process.seconds()
      local expected = solve(line:format(name))
      local seconds, result = process.seconds() - start, nil
      shell.folder "disk/states"
      for try = 1, 100 do
        result = solve(line:format(name), ("timeout -s KILL %.3f"):format(seconds * (0.05 * try + 0.2 * math.random())))
        if result.status ~= 137 then break end
        kills = kills + 1
      end
      luaunit.assertEquals(result, expected)
      luaunit.assertStrMatches(result.out, "[%l,]+\n" .. name:match "%l+" .. ",[^\n]*\n")
    end
  end
  luaunit.assertTrue(kills > 0)
end

--- The counts of the text, and of a second run, which reads them from the journal.
function Folder.test_text()
  for _ = 1, 2 do
    local result = solve "DIR/eight.txt --disk DIR/new"
    luaunit.assertEquals(result.out, "eight\n2 1 3\n4 5 6\n7 8 0\nno solution; 181,440 states by moves to them: 1 2 4 8 16 20 39 62 "
      .. "116 152 286 396 748 1024 1893 2512 4485 5638 9529 10878 16993 17110 23952 20224 24047 15578 14560 6274 3910 760 221 2\n")
    luaunit.assertEquals(result.err, path "eight.txt" .. ":1: level 'eight': no solution exists\n")
  end
  luaunit.assertEquals(shell.list(path "new"), { "journal", "states" })
  shell.file("disk/done.txt", "1 2 3\n4 5 6\n7 8 0\n")
  luaunit.assertEquals(solve("DIR/done.txt --disk DIR/done").out, "done\n1 2 3\n4 5 6\n7 8 0\n0 moves: ; 1 state by moves to them: 1\n")
end

--- Lua programs have the option, too.
function Folder.test_in_lua()
  local report = require("crux.task.shared.call").task("solve", { game = "tests/newcomers/eight.lua", levels = { path "eight.txt" },
    disk = path "lua" })
  local row = report.tables[1].rows[1]
  luaunit.assertEquals({ #report.tables[1].rows, row.solved, row.states, row.layers:sub(1, 17) }, { 1, false, 181440, "1 2 4 8 16 20 39 " })
end

--- Changes the file of states of a search that met its limit, by a function of its bytes; returns what the next run says.
local function damaged(change)
  shell.folder "disk/states"
  luaunit.assertEquals(solve("DIR/eight.txt --disk DIR/states --states 150000").status, 0)
  local bytes = shell.read(path "states/states")
  shell.file("disk/states/states", change(bytes))
  return solve "DIR/eight.txt --disk DIR/states --states 150000", bytes
end

--- Nothing of a damaged or cut file is changed: it may be repaired.
function Folder.test_damage()
  local place = path "states/states"
  local result = damaged(function(bytes) return bytes:sub(1, 5000) .. "x" .. bytes:sub(5002) end)
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrMatches(result.err, path "eight.txt" .. ":1: " .. place
    .. ": damaged between byte %d+ and byte %d+; to begin anew, remove the folder\n.*")
  local whole
  result, whole = damaged(function(bytes) return bytes:sub(1, -9) end)
  luaunit.assertStrContains(result.err, ("%s: cut at byte %d; to begin anew, remove the folder"):format(place, #whole - 8))
  luaunit.assertEquals(#shell.read(place), #whole - 8)
  result = damaged(function(bytes) return bytes .. "a layer that was not complete" end)
  luaunit.assertEquals({ result.status, #shell.read(place) }, { 0, #whole })
end

--- A limit on the size of files stops writing as a full disk does; with room, the search goes on.
function Folder.test_no_room()
  local expected = solve "DIR/eight.txt --disk DIR/whole --format csv"
  local result = solve("DIR/eight.txt --disk DIR/states --format csv", "ulimit -f 200; exec") -- 1,024 or 512 bytes each
  luaunit.assertEquals({ result.status, result.out }, { 1, "level,solved,length,solution,solutions,expanded,generated,states,layers\n" })
  luaunit.assertStrContains(result.err, path "states/states" .. ": File too large\n")
  luaunit.assertStrMatches(result.err, ".*crux: %d+ layers are in .*/states/journal; the same command goes on with them\n.*")
  luaunit.assertTrue(#shell.read(path "states/states") < 204800)
  luaunit.assertEquals(solve "DIR/eight.txt --disk DIR/states --format csv", expected)
end

--- A search that is refused leaves no file.
function Folder.test_what_is_refused()
  local one = path "eight.txt"
  for words, message in pairs {
    ["DIR/eight.txt --disk /proc/states"] = "/proc/states: No such file or directory",
    ["DIR/eight.txt --disk DIR/no.txt"] = path "no.txt" .. ": File exists",
    ["DIR/eight.txt DIR/no.txt --disk DIR/states"] = "--disk: found 2 levels, expected one",
    ["DIR/eight.txt --disk DIR/states --all"] = "found --disk and --all, expected one of them",
    ["DIR/eight.txt --disk DIR/states --path mean"] = "found --disk and --path, expected one of them",
    ["DIR/eight.txt --disk DIR/states --resume DIR/journal"] = "found --disk and --resume, expected one of them",
    ["DIR/none.txt --disk DIR/states"] = path "none.txt" .. ": No such file or directory; did you mean '" .. path "no.txt" .. "'?",
  } do
    local result = solve(words)
    luaunit.assertEquals({ result.out, said(result) }, { "", message }, words)
    luaunit.assertTrue(result.status > 0)
    luaunit.assertFalse(shell.exists(path "states/journal"))
    luaunit.assertNil(io.open(path "states"), words)
  end
  local flow = shell.run(("%s solve flow datasets/levels/flow/7.txt --disk %s"):format(shell.quote(shell.program), path "states"))
  luaunit.assertEquals(said(flow), "--disk needs a step that is compiled (docs/search.md): found a game without search")
  luaunit.assertNil(io.open(path "states"))
  shell.folder("disk/states", { states = "mine" })
  luaunit.assertEquals(said(solve "DIR/eight.txt --disk DIR/states"),
    path "states/states" .. ": found a file of something else, expected none yet")
  luaunit.assertEquals({ shell.list(path "states"), shell.read(path "states/states") }, { { "states" }, "mine" })
  shell.folder "disk/states"
  luaunit.assertEquals(solve("DIR/eight.txt --disk DIR/states --states 1000").status, 0)
  shell.file("disk/eight.txt", "1 2 3\n4 5 6\n7 0 8\n")
  luaunit.assertEquals(said(solve "DIR/eight.txt --disk DIR/states"), path "states/journal" .. ": " .. one .. " has changed since")
end

return { Folder = Folder }
