--- Tests of crux-mpi: the same bytes for every number of processes and threads, and a worker that dies costs its level only.
--- They run where Open MPI is.
local hostile_folder = require "hostile_folder"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local mpi = shell.quote(shell.program .. "-mpi")
local is_there = shell.run("command -v mpirun && test -x " .. mpi).status == 0

--- What Open MPI needs in containers, as root, and with fewer processors than processes; its own leaks are not crux's.
local environment = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none "
  .. "OMPI_MCA_rmaps_base_oversubscribe=1 ASAN_OPTIONS=detect_leaks=0 "

--- A shell command that runs crux-mpi.
local function command(processes, line, program)
  return ("%s timeout 120 mpirun -n %d %s %s"):format(environment, processes, program or mpi, line)
end

--- Writes a game whose levels are a number each: how much work it is, without an end if it is negative.
local function write_game()
  return shell.file("toil.lua", [[
local game = crux.game "toil"
game.doc = "Levels that are numbers: how long they take."
function game.parse(text)
  local number = tonumber(text)
  if not number then error("line 1: found no number") end
  while number < 0 do end
  local sum = 0
  for i = 1, number do sum = sum + i end
  return { sum = sum, note = ("x"):rep(number % 50000) }
end
function game.solve(level) return { status = "solved", length = #level.note } end
game.measure { "sum", kind = "initial", doc = "sum", function(level) return level.sum end }
game.measure { "size", kind = "initial", doc = "size", function(level) return #level.note end }
return game
]])
end

--- Levels in one file, each as a text.
local function write_levels(name, list)
  for i, text in ipairs(list) do list[i] = ("; level %d\n%s\n"):format(i, text) end
  return shell.file(name, table.concat(list, "\n"))
end

--- Costs that differ ten-thousandfold, and some levels that are none.
local function many_levels()
  local list = {}
  for i = 1, 150 do list[i] = i % 37 == 0 and "bad" or ("%d"):format(10 ^ (i * 7 % 5 + 1)) end
  return write_levels("toil.txt", list)
end

local Mpi = {}

function Mpi.setUp() luaunit.skipIf(not is_there, "no Open MPI") end

--- Expects that a command line prints the same with threads and with processes, as many as the list says.
local function expect_same(line, status, counts)
  local first = shell.crux(line .. " --jobs 1")
  luaunit.assertEquals(first.status, status, first.err)
  luaunit.assertTrue(#first.out > 0)
  for count = 2, 3 do luaunit.assertEquals(shell.crux(("%s --jobs %d"):format(line, count)), first) end
  for _, count in ipairs(counts) do
    local result = shell.run(command(count, line))
    luaunit.assertEquals(result.out, first.out)
    luaunit.assertStrContains(result.err, first.err)
    luaunit.assertEquals(result.status, status)
  end
end

function Mpi.test_same_bytes_for_threads_and_processes()
  long.only()
  expect_same(("measure %s %s"):format(write_game(), many_levels()), 1, { 1, 2, 3 })
  expect_same("solve --all move " .. shell.file("mpi-move.txt", "a . A\n. # .\n\n. a A\n\na A\n"), 0, { 2 })
  expect_same("rate flow " .. shell.file("mpi-flow.txt", "AB\n..\nAB\n\nA.A\n\nAA\n"), 0, { 2 })
end

--- Neither rank 0 nor the workers run anything of the current folder.
function Mpi.test_in_a_hostile_folder()
  long.leave_out()
  if shell.is_instrumented then luaunit.skip "the program is not beside its home" end
  local levels = "measure move $ROOT/datasets/levels/move"
  luaunit.assertEquals(hostile_folder.output(command(2, levels, "crux-mpi"), shell.program:match "^(.*)/"),
    shell.printed "measure move datasets/levels/move")
end

--- Commands without workers, and faults, are rank 0's alone.
function Mpi.test_other_commands()
  long.only()
  luaunit.assertEquals(shell.output(command(2, "help")), shell.printed "help")
  luaunit.assertEquals(shell.output(command(2, "ablate datasets/move.csv")), shell.printed "ablate datasets/move.csv")
  local result = shell.run(command(2, "measure flow none.txt"))
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "none.txt")
end

--- Two workers meet a level that never ends, and are killed after a second of it.
function Mpi.test_a_worker_that_is_killed_costs_its_level()
  long.only()
  local levels = write_levels("killed.txt", { "10", "-1", "100", "20", "-1", "30", "40" })
  local result = shell.run("ulimit -S -t 1; " .. command(2, ("measure %s %s"):format(write_game(), levels)))
  luaunit.assertEquals(result.out, "level,sum,size\nlevel 1,55,10\nlevel 3,5050,100\nlevel 4,210,20\nlevel 6,465,30\nlevel 7,820,40\n")
  luaunit.assertStrContains(result.err, levels .. ":5: level 'level 2': its worker was killed by signal 24 (CPU time limit exceeded)\n"
    .. levels .. ":14: level 'level 5': its worker was killed by signal 24 (CPU time limit exceeded)\n2 of 7 levels failed\n")
  luaunit.assertEquals(result.status, 1)
end

--- Leaving a loop early ends the workers of all processes; the folder is where the levels are written.
function Mpi.test_stopping_early()
  long.only()
  local line = "generate move --select '2..3 x 2' --side 3 --seed 4"
  luaunit.assertEquals(shell.output(command(3, line)), shell.printed(line))
end

return { Mpi = Mpi }
