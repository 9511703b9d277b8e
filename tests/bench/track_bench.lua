-- Times crux track: seconds of the processor, and most memory, for a million plays, drawn here, of 50,000 players at 500 levels, by
-- Glicko-2, and by the Kalman filter of a rule, with its state.
local random = require "libcrux.random"

local crux, path = os.getenv "CRUX", os.tmpname()

local function write(ending, lines)
  local file <close> = assert(io.open(path .. ending, "w"))
  for line in lines do file:write(line, "\n") end
end

local stream = random.new(1)
write("", coroutine.wrap(function()
  coroutine.yield "player,level,solved"
  for _ = 1, 1000000 do
    coroutine.yield(("p%d,l%d,%d"):format(stream:integer(1, 50000), stream:integer(1, 500), stream:integer(0, 1)))
  end
end))
write(".lua", ([[return crux.rule { name = "bench", predicts = "solved", formula = "solved ~ 1 + (1 | player) + (1 | level)",
fit = "mixed(family = logistic)", coefficients = { ["(intercept)"] = 0 }, parameters = { theta = { 1, 1.5 } } }]]):gmatch "[^\n]+")

for _, case in ipairs { { "glicko2", "" }, { "kalman", ("%s.lua --state %s.csv"):format(path, path) } } do
  local pipe <close> = assert(io.popen(("/usr/bin/time -f '%%U %%S %%M' %s track %s %s -o %s.out 2>&1"):format(crux, path, case[2], path)))
  local user, kernel, memory = pipe:read("a"):match "([%d.]+) ([%d.]+) (%d+)%s*$"
  print(("%-8s %.2f s, %.0f MB"):format(case[1], user + kernel, memory / 1000))
end
for _, ending in ipairs { "", ".lua", ".csv", ".out" } do os.remove(path .. ending) end
