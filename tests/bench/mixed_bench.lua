-- Times mixed models beside R's lme4 where that is installed, interleaved: seconds of the processor, of the fit alone for R, of the
-- whole command for crux. First two datasets, linear and logistic; then, in three rounds, fit, players and levels of plays that are
-- drawn here, 50 by each player, of 2,000 levels, with the most memory of each. Arguments: their numbers of plays.
package.path = "tests/bench/?.lua;" .. package.path
local random = require "libcrux.random"
local timing = require "timing"

local crux, folder = os.getenv "CRUX", os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local has_r = os.execute(("Rscript tests/r/mixed.R %s > /dev/null 2>&1"):format(folder))

--- The seconds of a fit in R.
local function in_r(call, path)
  local pipe <close> = assert(io.popen(("Rscript -e 'library(lme4); d <- read.csv(\"%s\"); cat(system.time(%s)[1])' 2> /dev/null")
    :format(path, call)))
  return tonumber(pipe:read "a")
end

for _, case in ipairs {
  { "Rush Hour, log(seconds)", "datasets/rushhour-plays.csv", "log(seconds) ~ shortest + (1|player) + (1|level)", "--weights solved",
    "lmer(%s, d[d$solved == 1, ])" },
  { "VerbAgg, logistic", folder .. "/verbagg.csv", "yes ~ Anger + factor(Gender) + factor(btype) + factor(situ) + (1|id) + (1|item)",
    "--fit \"mixed(family = logistic)\"", "glmer(%s, d, family = binomial)" },
} do
  local title, path, formula, options, call = table.unpack(case)
  local r, ours = {}, {}
  for round = 1, timing.rounds do
    ours[round] = timing.command(("%s fit --formula '%s' %s %s"):format(crux, formula, options, path))
    r[round] = has_r and in_r(call:format(formula), path) or 0 / 0
  end
  local a, b = timing.median(ours), has_r and timing.median(r)
  print(("%-26s crux %7.3f s%s"):format(title, a, b and ("   lme4 %7.3f s   ratio %.3f"):format(b, a / b) or "   lme4 is not installed"))
end

--- Draws plays.
local function draw(path, players)
  local stream <const> = random.new(1)
  local file <close>, hard = assert(io.open(path, "w")), {}
  for level = 1, 2000 do hard[level] = stream:real() end
  file:write "player,level,rating\n"
  for player = 1, players do
    local able = stream:real()
    for play = 1, 50 do
      local level = (player * 37 + play * 40 + stream:integer(1, 40)) % 2000 + 1
      file:write(("p%d,l%d,%.4f\n"):format(player, level, hard[level] - able + stream:real()))
    end
  end
end

local model, path = "rating ~ 1 + (1|player) + (1|level)", folder .. "/plays.csv"

--- Megabytes, if GNU time is installed.
local function memory_of(command)
  local pipe <close> = assert(io.popen(("command time -f %%M %s 2>&1 > /dev/null"):format(command)))
  return (tonumber(pipe:read "a") or 0 / 0) / 1024
end

for _, rows in ipairs(... and { ... } or { "10000", "100000", "1000000" }) do
  draw(path, tonumber(rows) // 50)
  local times, r = { fit = {}, players = {}, levels = {} }, {}
  for round = 1, 3 do
    for command, list in pairs(times) do
      list[round] = timing.command(("%s %s --formula '%s' %s > /dev/null"):format(crux, command, model, path))
    end
    r[round] = has_r and in_r(("lmer(%s, d)"):format(model), path) or 0 / 0
  end
  local peer <const> = timing.median(r)
  for _, command in ipairs { "fit", "players", "levels" } do
    local ours <const> = timing.median(times[command])
    print(("%-9s %-8s crux %7.3f s %4.0f MB   lme4 %7.3f s   ratio %.3f"):format(rows, command, ours,
      memory_of(("%s %s --formula '%s' %s"):format(crux, command, model, path)), peer, ours / peer))
  end
end
assert(os.execute("rm -r " .. folder))
