--- Runs that are killed at random moments, and runs without room on the disk, come to the same bytes with --resume. A few
--- rounds; CRUX_ROUNDS=10 makes 60 killed runs and 20 full disks.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local process = require "libcrux.process"

local rounds = math.tointeger(tonumber(os.getenv "CRUX_ROUNDS")) or 1

--- A game whose levels take some milliseconds each to be measured or made.
local script = [[
local game = crux.game "toil"
local function toil(n)
  local sum = 0
  for i = 1, 3000 * (n % 20) do sum = (sum * 31 + i) % 65521 end
  return sum
end
function game.parse(text)
  local n = tonumber(text)
  if not n then crux.refuse("a word", "a number", 1, 1) end
  return { n = n }
end
function game.format(level) return ("%d\n"):format(level.n) end
function game.solve(level) return { status = level.n % 9 > 0 and "solved" or "unsolvable", length = toil(level.n) } end
function game.generate(random)
  local n = random:integer(1, 1000)
  return { n = 1000 * toil(n) + n }
end
game.measure { "sum", kind = "solution", doc = "sum", function(_, solution) return solution.length / 3 end }
return game
]]

--- A rule with params, which takes some milliseconds to be fitted.
local rule = [[
return crux.rule {
  predicts = "m1",
  params = { { "a", 1 }, { "b", 1 } },
  formula = function(v, p) return p.a * v.m2 + v.m3 ^ p.b end,
}
]]

--- The rows of a dataset of measures m1 to m15.
local function data()
  local lines = { "level" }
  for j = 1, 15 do lines[1] = ("%s,m%d"):format(lines[1], j) end
  for i = 1, 500 do
    lines[i + 1] = ("%d"):format(i)
    for _ = 1, 15 do lines[i + 1] = ("%s,%.4f"):format(lines[i + 1], math.random()) end
  end
  return table.concat(lines, "\n") .. "\n"
end

local function levels(count)
  local list = {}
  for i = 1, count do list[i] = ("; level %d\n%s\n"):format(i, i % 17 == 0 and "odd" or i * 7) end
  return table.concat(list, "\n")
end

local function folder()
  math.randomseed(os.getenv "CRUX_ROUNDS" and os.time() or 3)
  return shell.folder("killed", { ["toil.lua"] = script, ["rule.lua"] = rule, ["data.csv"] = data(), ["levels.txt"] = levels(200) })
end

local function crux(line, before)
  return shell.run(("cd %s && %s %s %s"):format(shell.path "killed", before or "", shell.quote(shell.program), line))
end

local Kill = {}

function Kill.setUp() long.only() end

--- Runs a line with a journal, kills it within those seconds, once or up to `times` times; returns its last result, and the number
--- of kills.
local function killed(line, seconds, times)
  local kills = 0
  os.remove(shell.path "killed/run.journal")
  while kills < times do
    local result = crux(line .. " --resume run.journal", ("timeout -s KILL %.3f"):format(0.001 + math.random() * seconds))
    if result.status == 137 then
      kills = kills + 1
    elseif kills > 0 then
      return result, kills
    else -- done before: it begins anew, and is killed earlier
      os.remove(shell.path "killed/run.journal")
      seconds = seconds / 2
    end
  end
  return crux(line .. " --resume run.journal"), kills
end

function Kill.test_killed_at_random_moments()
  folder()
  local lines, total = { "measure ./toil.lua levels.txt --jobs 1", "measure ./toil.lua levels.txt --jobs 2",
    "generate ./toil.lua --count 200 --jobs 1", "generate ./toil.lua --count 200 --jobs 2",
    "compare ./rule.lua 'm1 ~ m2' data.csv --repeats 15 --draws 100", "ablate data.csv --target m1" }, 0
  for _, line in ipairs(lines) do
    local start = process.seconds()
    local expected, seconds = crux(line), process.seconds() - start
    for _ = 1, rounds do
      local result, kills = killed(line, seconds, math.random(3))
      luaunit.assertEquals(result, expected)
      total = total + kills
    end
  end
  if os.getenv "CRUX_ROUNDS" then print(("%d kills in %d runs"):format(total, rounds * #lines)) end
  luaunit.assertTrue(total > 0)
end

--- Runs a line with its journal on a disk without room for all of it.
local function check_disk(disk, line, expected)
  local journal = disk .. "/run.journal"
  shell.run(("rm -f %s; head -c %d /dev/zero > %s/filler"):format(journal, math.random(2, 13) * 4096, disk))
  local full = crux(("%s --resume %s"):format(line, journal))
  luaunit.assertEquals({ full.status, full.out, full.err:match "[^\n]*\n$" },
    { 1, "", journal .. ": No space left on device\n" })
  os.remove(disk .. "/filler")
  shell.run("mount -o remount,size=1m " .. disk)
  luaunit.assertEquals(crux(("%s --resume %s"):format(line, journal)), expected)
  shell.run(("rm %s; mount -o remount,size=64k %s"):format(journal, disk))
end

function Kill.test_disk_full()
  folder()
  local disk = shell.folder "killed/disk"
  luaunit.skipIf(shell.run("mount -t tmpfs -o size=64k crux " .. disk).status > 0, "may not mount a file system")
  local ok, problem = pcall(function()
    for _, line in ipairs { "measure ./toil.lua levels.txt levels.txt levels.txt --jobs 2",
        "compare 'm1 ~ m2' data.csv --repeats 20 --draws 10" } do
      local expected = crux(line)
      for _ = 1, rounds do check_disk(disk, line, expected) end
    end
  end)
  shell.run("umount " .. disk)
  if not ok then error(problem, 0) end
end

return { Kill = Kill }
