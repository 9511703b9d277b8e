-- Times commands on datasets of 10^4 rows and more beside pandas, lme4 and ordinal, interleaved: seconds of the processor and of the
-- clock, and the most memory, medians, and the exponents of time from the smallest size on. Peers run up to the sizes that they end
-- in; then the table of docs/comparisons.md, of 10^6 rows. Arguments: the largest power of ten, 6 unless given; rounds, 3, of commands
-- that take more than 20 s one; files for plots of time and memory by size.
package.path = "tests/bench/?.lua;" .. package.path
local figure = require "crux.show.plot.figure"
local lists = require "crux.base.lists"
local plot = require "crux.show.plot"
local timing = require "timing"

local largest, rounds, time_picture, memory_picture = ...
local crux = os.getenv "CRUX"
largest, rounds = tonumber(largest) or 6, tonumber(rounds) or 3
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

local here = assert(io.popen("pwd")):read()
local peers = here .. "/tests/bench/data"
crux = crux:match "^/" and crux or here .. "/" .. crux
local model = "1 + (1|player) + (1|level)"

--- A program that does the same on a dataset, up to a power of ten.
local function pandas(row, largest_power)
  return { name = "pandas", needs = "python3", largest = largest_power, line = function(data)
    return ("/usr/bin/python3 %s/rows_peers.py %s %s peer.csv"):format(peers, row, data)
  end }
end

local function r(call, largest_power)
  return { name = ("R's `%s`"):format(call:match "^%w+"), needs = "Rscript", largest = largest_power, line = function(data)
    return ("Rscript -e 'suppressMessages({library(lme4); library(ordinal)}); d <- read.csv(\"%s\"); f <- %s'"):format(data, call)
  end }
end

--- Command lines, with the dataset at %s; a name for the plots; the largest power of ten, where larger ones take minutes; the peer.
local rows = {
  { "`crux rate`, a linear rule, CSV to CSV", "rate fitted.lua levels%s.csv -o out.csv", plot = "rate", peer = pandas("rate", 7) },
  { "the same, most rows outside of the ranges that it was fitted to", "rate narrow.lua levels%s.csv -o out.csv" },
  { "the same as JSON", "rate fitted.lua levels%s.csv -o out.json" },
  { "the same with `--interval`", "rate --interval 0.9 fitted.lua levels%s.csv -o out.csv" },
  { "`crux rate`, a Lua function of three measures", "rate function.lua levels%s.csv -o out.csv" },
  { "`crux sort --rule`", "sort --rule fitted.lua levels%s.csv -o out.csv" },
  { "`crux aggregate`", "aggregate plays%s.csv -o out.csv", plot = "aggregate", peer = pandas("aggregate", 7) },
  { "`crux fit`, four measures", "fit --formula '" .. formula .. "' levels%s.csv", plot = "fit", peer = r("lm(" .. formula .. ", d)", 6) },
  { "`crux evaluate`, a formula", "evaluate --folds-by order --formula '" .. formula .. "' levels%s.csv", plot = "evaluate" },
  { "`crux evaluate`, a Lua function", "evaluate function.lua levels%s.csv" },
  { "`crux correlate`, four measures, two targets",
    "correlate --x size,colours,distance,corners --y difficulty,enjoyment levels%s.csv -o out.csv", peer = pandas("correlate", 5) },
  { "`crux diagnose`", "diagnose fitted.lua levels%s.csv -o out.txt",
    peer = r("lm(" .. formula .. ", d); cooks.distance(f); rstandard(f)", 6) },
  { "`crux report`", "report fitted.lua levels%s.csv -o out.html", plot = "report" },
  { "`crux fit`, `rating ~ 1 + (1\\|player) + (1\\|level)`", "fit --formula 'rating ~ " .. model .. "' plays%s.csv",
    plot = "fit, mixed", largest = 6, peer = r("lmer(rating ~ " .. model .. ", d)", 6) },
  { "`crux players`", "players --formula 'rating ~ " .. model .. "' plays%s.csv -o out.csv", largest = 6 },
  { "`crux levels`", "levels --formula 'rating ~ " .. model .. "' plays%s.csv -o out.csv", largest = 6 },
  { "`crux agreement`", "agreement plays%s.csv -o out.txt", largest = 6 },
  { "fit, mixed logistic", "fit --fit 'mixed(family = logistic)' --formula 'skipped ~ " .. model .. "' plays%s.csv",
    largest = 5, peer = r("glmer(skipped ~ " .. model .. ", d, family = binomial)", 4) },
  { "the same, glmer with nAGQ = 0", "fit --fit 'mixed(family = logistic)' --formula 'skipped ~ " .. model .. "' plays%s.csv",
    largest = 5, peer = r("glmer(skipped ~ " .. model .. ", d, family = binomial, nAGQ = 0)", 4) },
  { "fit, mixed ordinal", "fit --fit 'mixed(family = ordinal)' --formula 'rating ~ " .. model .. "' plays%s.csv",
    largest = 5, peer = r("clmm(factor(rating) ~ " .. model .. ", data = d)", 4) },
}
local has = { python3 = os.execute "/usr/bin/python3 -c 'import pandas' 2> /dev/null",
  Rscript = os.execute "Rscript -e 'library(lme4); library(ordinal)' > /dev/null 2>&1" }

--- Seconds of the processor, at least the hundredth that GNU time counts in; seconds of the clock and MB that a command takes.
local function measure(command)
  local path = folder .. "/measured"
  assert(os.execute(("cd %s && /usr/bin/time -f '%%U %%S %%e %%M' -o measured %s > /dev/null 2>&1"):format(folder, command)), command)
  local file <close> = assert(io.open(path))
  local user, kernel, clock, kilobytes = file:read("a"):match "([%d.]+) ([%d.]+) ([%d.]+) (%d+)"
  return math.max(0.01, user + kernel), tonumber(clock), kilobytes / 1024
end

--- The medians of what some rounds of a command take; of long ones there is one.
local function medians(command)
  local of_measures = { {}, {}, {} }
  for round = 1, rounds do
    for i, value in ipairs { measure(command) } do of_measures[i][round] = value end
    if of_measures[1][1] > 20 then break end
  end
  return timing.median(of_measures[1]), timing.median(of_measures[2]), timing.median(of_measures[3])
end

local function draw(power)
  assert(os.execute(("build/bench tests/bench/data/draw_rows.lua %d %s"):format(10 ^ power // 1 | 0, folder)))
  for _, name in ipairs { "levels", "plays" } do
    assert(os.rename(("%s/%s.csv"):format(folder, name), ("%s/%s%d.csv"):format(folder, name, power)))
  end
  assert(os.execute(("cd %s && %s fit --formula '%s' levels%d.csv -o fitted.lua > /dev/null"):format(folder, crux, formula, power)))
end


--- Saves a plot of what the rows took by size, both on logarithmic scales: value 2 is seconds, 4 megabytes.
local function draw_plot(path, title, label, value)
  local marks, names, x, y = {}, {}, {}, {}
  for _, row in ipairs(rows) do
    local own = { x = {}, y = {} }
    for _, seen in ipairs(row.plot and row.seen or {}) do
      table.insert(own.x, seen[1])
      table.insert(own.y, math.log(seen[value], 10))
    end
    if row.plot then
      table.insert(names, row.plot)
      for _, kind in ipairs { "line", "points" } do table.insert(marks, { kind = kind, x = own.x, y = own.y, series = #names }) end
      table.move(own.x, 1, #own.x, #x + 1, x)
      table.move(own.y, 1, #own.y, #y + 1, y)
    end
  end
  local file <close> = assert(io.open(path, "w"))
  file:write(plot.svg { title = title, description = title, x = figure.axis("rows, as a power of ten", { x }, { is_whole = true }),
    y = figure.axis(label, { y }), marks = marks, series = names })
end

--- Seconds and megabytes as the table of a page has them.
local function cell(seconds, megabytes, separator)
  return (seconds < 100 and "%.2g s%s%.0f MB" or "%.0f s%s%.0f MB"):format(seconds, separator, megabytes)
end

local table_power = math.min(6, largest)
local lines = { "", "| | time | memory | beside |", "|---|---|---|---|" }
print "row                                 rows   processor s   clock s    MB   exponent   peer:   processor s   clock s    MB"
for power = 4, largest do
  draw(power)
  for _, row in ipairs(lists.select(rows, function(row) return power <= (row.largest or largest) end)) do
    local processor, clock, megabytes = medians(("%s %s"):format(crux, row[2]:format(power)))
    row.seen = row.seen or {}
    table.insert(row.seen, { power, processor, clock, megabytes })
    local before = row.seen[#row.seen - 1]
    local exponent = before and ("%8.2f"):format(math.log(processor / before[2], 10)) or ""
    local data, by, peer, beside = row[2]:match("%a+%%s%.csv"):format(power), row.peer, "", ""
    if by and power <= by.largest and has[by.needs] then
      local seconds, elapsed, memory = medians(by.line(data))
      peer = ("%18.2f %9.2f %5.0f"):format(seconds, elapsed, memory)
      beside = (" %s %s"):format(by.name, cell(seconds, memory, ", "))
    end
    print(("%s\n%32s 10^%d %13.2f %9.2f %5.0f %10s %s"):format(row[1], "", power, processor, clock, megabytes, exponent, peer))
    io.stdout:flush()
    if power == table_power then
      table.insert(lines, ("| %s | %s |%s |"):format(row[1], cell(processor, megabytes, " | "), beside))
    end
  end
end
print(table.concat(lines, "\n"))
if time_picture then draw_plot(time_picture, "Time by size", "seconds, as a power of ten", 2) end
if memory_picture then draw_plot(memory_picture, "Memory by size", "MB, as a power of ten", 4) end
assert(os.execute("rm -r " .. folder))
