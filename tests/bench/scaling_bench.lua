-- Times `crux help`, and `crux measure` with one worker and with two, threads and processes of MPI, interleaved: seconds of the
-- clock, and how many times as fast two are. Arguments: GAME LEVELS; without them it makes levels of DungeonGrams.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local crux, name, path = os.getenv "CRUX", ...
local made = not path and os.tmpname()
if made then
  name, path = "dungeongrams", made
  assert(os.execute(("%s generate dungeongrams --count 300 -o %s"):format(crux, made)))
end

local measure = ("measure %s %s"):format(name, path)
local mpi = os.execute(("command -v mpirun > /dev/null && test -x %s-mpi"):format(crux))

--- A command of that number of processes; root and few processors are no hindrance.
local function mpirun(count, line)
  return ("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n %d %s-mpi %s"):format(count, crux, line)
end

local rows = { { crux .. " help" }, { crux .. " " .. measure .. " --jobs 1" }, { crux .. " " .. measure .. " --jobs 2" } }
if mpi then
  for _, row in ipairs { { mpirun(2, "help") }, { mpirun(1, measure) }, { mpirun(2, measure) } } do table.insert(rows, row) end
end
for round = 1, timing.rounds do
  for _, row in ipairs(rows) do
    row.times = row.times or {}
    row.times[round] = timing.wait(row[1] .. " > /dev/null 2>&1; true")
  end
end

--- A line with the median and the least of a row, and of how much faster than another row it is, both without a third's time.
local function report(title, row, other, start)
  local middle, least = timing.median(row.times), row.times[1]
  local faster = other and ("   times as fast %.2f, the least times %.2f"):format(
    (timing.median(other.times) - timing.median(start.times)) / (middle - timing.median(start.times)),
    (other.times[1] - start.times[1]) / (least - start.times[1])) or ""
  print(("%-36s median %7.3f s   least %7.3f s%s"):format(title, middle, least, faster))
end

local nothing = { times = { 0, 0, 0 } }
report("crux help", rows[1])
report("one thread", rows[2])
report("two threads", rows[3], rows[2], nothing)
if mpi then
  report("mpirun -n 2 crux-mpi help", rows[4])
  report("one process of MPI", rows[5])
  report("two processes, but for mpirun's start", rows[6], rows[5], rows[4])
end
if made then os.remove(made) end
