--- Tests of src/files/files_lua.c: what killed runs have left is removed, and nothing else is.
local file_system = require "libcrux.files"
local long = require "long"
local luaunit = require "luaunit"
local process = require "libcrux.process"
local shell = require "shell"

local Temporary = {}

--- A game whose level `x` is measured for ever, and any other at once.
local game = [[
local game = crux.game "slow"
function game.parse(text) return { text = text:match "%w+" } end
function game.solve() return { status = "solved" } end
game.measure { "n", kind = "initial", doc = "n", function(level)
  while level.text == "x" do end
  return 1
end }
return game
]]

--- A folder with the game, a level that takes no time and one that takes for ever.
local function prepare(name) return shell.folder(name, { ["slow.lua"] = game, ["a.txt"] = "a\n", ["x.txt"] = "x\n" }) end

--- Measures a level in that folder, in a process that goes on; returns its number.
local function start(folder, level, output)
  return shell.output(("cd %s && { %s measure slow.lua %s.txt --limit-time 1000 -o %s > said 2>&1 & } && echo $!"):format(folder,
    shell.quote(shell.program), level, output)):match "%d+"
end

--- Kills a process, and waits until it has closed its files: it is gone, or a zombie whose other threads are gone.
local function kill(pid)
  shell.run("kill -9 " .. pid)
  local file, text
  repeat
    process.sleep(0.001)
    file = io.open(("/proc/%s/stat"):format(pid))
    text = file and file:read "a"
    if file then file:close() end
  until not text or text:find("%) Z " .. ("%S+ "):rep(16) .. "1 ")
end

--- The names of the temporary files in a folder.
local function temporaries(folder)
  local found = {}
  for _, name in ipairs(shell.list(folder)) do
    if name:find "%.crux%-%d+%-%d+$" then table.insert(found, name) end
  end
  return found
end

--- Starts a run that does not end, and waits until its file is locked and the run is at work.
local function start_endless(folder, output)
  local pid = start(folder, "x", output)
  shell.wait(pid, function() return #temporaries(folder) > 0 and shell.ticks(pid) > 10 end)
  return pid
end

--- Two runs at the same time leave each other's file alone; when one was killed, a third removes what it left.
function Temporary.test_runs_at_the_same_time()
  local folder = prepare "together"
  local pid = start_endless(folder, "endless.csv")
  local name = ("endless.csv.crux-%s-1"):format(pid)
  local line = ("cd %s && %s measure slow.lua a.txt -o "):format(folder, shell.quote(shell.program))
  shell.output(line .. "second.csv")
  luaunit.assertEquals(temporaries(folder), { name })
  kill(pid)
  luaunit.assertEquals(temporaries(folder), { name })
  shell.output(line .. "third.csv")
  luaunit.assertEquals(shell.list(folder), { "a.txt", "said", "second.csv", "slow.lua", "third.csv", "x.txt" })
end

--- Whenever a run is killed, its output is whole or not there, and the next run in the folder leaves nothing else.
function Temporary.test_kills_at_any_time()
  local folder = prepare "killed"
  math.randomseed(34)
  for i = 1, long.choose(8, 200) do
    local output = folder .. "/out.csv"
    os.remove(output)
    local pid = start(folder, i % 2 == 0 and "x" or "a", "out.csv")
    process.sleep(0.03 * math.random())
    kill(pid)
    if shell.exists(output) then luaunit.assertEquals(shell.read(output), "level,n\na,1\n") end
    shell.output(("cd %s && %s measure slow.lua a.txt -o out.csv"):format(folder, shell.quote(shell.program)))
    luaunit.assertEquals(shell.list(folder), { "a.txt", "out.csv", "said", "slow.lua", "x.txt" })
  end
end

--- Files for levels in a folder are such files, too.
function Temporary.test_a_folder_of_levels()
  local folder = shell.folder("levels", { ["level-1.crux-1-1"] = "", ["level-1.crux-1-2"] = "half" })
  shell.printed("generate move --count 1 -o " .. folder .. "/")
  luaunit.assertEquals(#shell.list(folder), 1)
  luaunit.assertEquals(temporaries(folder), {})
end

--- Other names stay, and so do links, pipes, folders and files of other users; what cannot be read is left alone.
function Temporary.test_what_stays()
  local names = { "a.crux-1", "a.crux-1-", "a.crux--1", "a.crux-1-1x", "a.crux-x-1", "acrux-1-1", "b.crux-1-1.txt", "c.crux-2-1.crux-x" }
  local files = { ["a.crux-1-1"] = "", ["b.crux-2-2.crux-1-30"] = "" }
  for _, name in ipairs(names) do files[name] = "" end
  local folder = shell.folder("others", files)
  shell.output(("cd %s && ln -s a.crux-1 l.crux-1-1 && mkfifo p.crux-1-1 && mkdir d.crux-1-1"):format(folder))
  table.move({ "d.crux-1-1", "l.crux-1-1", "p.crux-1-1" }, 1, 3, #names + 1, names)
  if shell.run(("touch %s/u.crux-1-1 && chown 65534 %s/u.crux-1-1"):format(folder, folder)).status == 0 then
    table.insert(names, "u.crux-1-1")
  else
    os.remove(folder .. "/u.crux-1-1")
  end
  table.sort(names)
  file_system.clean(folder .. "/out.csv")
  luaunit.assertEquals(shell.list(folder), names)
  file_system.clean(folder .. "/none/out.csv")
  file_system.clean(folder .. "/a.crux-1/out.csv")
  file_system.clean "/proc/self/out.csv"
end

--- A path without a folder is in the current one.
function Temporary.test_the_current_folder()
  local folder = shell.folder("current", { ["m.csv.crux-7-1"] = "", ["a.txt"] = "A a\n" })
  shell.printed("measure move a.txt -o m.csv", { folder = folder })
  luaunit.assertEquals(shell.list(folder), { "a.txt", "m.csv" })
end

return { Temporary = Temporary }
