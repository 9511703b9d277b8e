--- What the benches share: medians, and the time of whole commands.
local timing = {}

timing.rounds = 5

function timing.median(list)
  table.sort(list)
  return list[#list // 2 + 1]
end

--- A line with the medians of two lists of seconds, and their ratio.
function timing.report(title, in_c, in_crux)
  local c, crux = timing.median(in_c), timing.median(in_crux)
  print(("%-54s C %9.5f s   crux %9.5f s   ratio %.3f"):format(title, c, crux, crux / c))
end

--- The seconds that a command keeps a processor busy.
function timing.command(command)
  local times <close> = assert(io.popen(("bash -c %q 2>&1"):format(("TIMEFORMAT='%%U %%S'; time %s"):format(command))))
  local user, kernel = times:read("a"):match "([%d.]+) ([%d.]+)%s*$"
  return assert(user, command) + kernel
end

--- The seconds until a command is through.
function timing.wait(command)
  local time <close> = assert(io.popen(("bash -c %q 2>&1"):format(("TIMEFORMAT=%%R; time %s"):format(command))))
  return assert(tonumber(time:read("a"):match "([%d.]+)%s*$"), command)
end

return timing
