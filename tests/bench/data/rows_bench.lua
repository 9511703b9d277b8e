-- Times commands on datasets of 10^4 rows and more beside pandas, interleaved: seconds of the processor and of the clock, and the
-- most memory, medians, and the exponents of time from one size to the next. Arguments: the largest power of ten, 6 unless given;
-- rounds, 3.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local crux, largest, rounds = os.getenv "CRUX", tonumber((...)) or 6, tonumber((select(2, ...))) or 3
local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))

local formula = "difficulty ~ size + colours + distance + corners"
local function save(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
end
local coefficients = '["(intercept)"] = 2, size = 0.01, colours = -0.3, distance = -0.2, corners = 0.04'
save("narrow.lua", ('return crux.rule { formula = "%s", coefficients = { %s }, ranges = { size = { 9, 40 } } }'):format(formula,
  coefficients))
save("function.lua", [[return crux.rule { predicts = "difficulty", formula = function(m)
  local crowded = m.colours > 8 and m.corners / 2 or 0
  return 2 + m.size / 100 - m.colours ^ 0.5 + crowded / 25
end }]])

--- The rows: their command lines, with the dataset at %s; the pandas beside them has the same name.
local rows = {
  { "rate", "rate fitted.lua levels%s.csv -o out.csv" }, { "rate, most outside the ranges", "rate narrow.lua levels%s.csv -o out.csv" },
  { "rate, JSON", "rate fitted.lua levels%s.csv -o out.json" },
  { "rate --interval", "rate --interval 0.9 fitted.lua levels%s.csv -o out.csv" },
  { "rate, a Lua function", "rate function.lua levels%s.csv -o out.csv" }, { "aggregate", "aggregate plays%s.csv -o out.csv" },
  { "fit", "fit --formula '" .. formula .. "' levels%s.csv" },
  { "evaluate, a Lua function", "evaluate function.lua levels%s.csv" },
  { "correlate", "correlate --x size,colours,distance,corners --y difficulty,enjoyment levels%s.csv -o out.csv" },
  { "diagnose", "diagnose fitted.lua levels%s.csv -o out.txt" }, { "report", "report fitted.lua levels%s.csv -o out.html" },
}
local has_pandas = os.execute "/usr/bin/python3 -c 'import pandas' 2> /dev/null"

--- Seconds of the processor, seconds of the clock and MB that a command takes.
local function measure(command)
  local path = folder .. "/measured"
  assert(os.execute(("cd %s && /usr/bin/time -f '%%U %%S %%e %%M' -o measured %s > /dev/null 2>&1"):format(folder, command)), command)
  local file <close> = assert(io.open(path))
  local user, kernel, clock, kilobytes = file:read("a"):match "([%d.]+) ([%d.]+) ([%d.]+) (%d+)"
  return user + kernel, tonumber(clock), kilobytes / 1024
end

--- The medians of what some rounds of a command take.
local function medians(command)
  local lists = { {}, {}, {} }
  for round = 1, rounds do
    for i, value in ipairs { measure(command) } do lists[i][round] = value end
  end
  return timing.median(lists[1]), timing.median(lists[2]), timing.median(lists[3])
end

local function draw(power)
  assert(os.execute(("build/bench tests/bench/data/draw_rows.lua %d %s"):format(10 ^ power // 1 | 0, folder)))
  for _, name in ipairs { "levels", "plays" } do
    assert(os.rename(("%s/%s.csv"):format(folder, name), ("%s/%s%d.csv"):format(folder, name, power)))
  end
  assert(os.execute(("cd %s && %s fit --formula '%s' levels%d.csv -o fitted.lua > /dev/null"):format(folder, crux, formula, power)))
end

crux = crux:match "^/" and crux or assert(io.popen("pwd")):read() .. "/" .. crux
local peers = assert(io.popen("pwd")):read() .. "/tests/bench/data/rows_peers.py"
local before = {}
print "row                                 rows   processor s   clock s    MB   exponent   pandas: processor s   clock s    MB"
for power = 4, largest do
  draw(power)
  for _, row in ipairs(rows) do
    local processor, clock, megabytes = medians(("%s %s"):format(crux, row[2]:format(power)))
    local exponent = before[row] and ("%8.2f"):format(math.log(processor / before[row], 10)) or ""
    before[row] = processor
    local data = row[2]:match("%a+%%s%.csv"):format(power)
    local has_peer = has_pandas and (row[1] == "rate" or row[1] == "aggregate" or row[1] == "correlate" and power < 6)
    local peer = has_peer and ("%18.2f %9.2f %5.0f"):format(medians(("/usr/bin/python3 %s %s %s peer.csv"):format(peers, row[1],
      data))) or ""
    print(("%-32s 10^%d %13.2f %9.2f %5.0f %10s %s"):format(row[1], power, processor, clock, megabytes, exponent, peer))
  end
end
assert(os.execute("rm -r " .. folder))
