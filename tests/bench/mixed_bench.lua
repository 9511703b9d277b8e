-- Times mixed models beside R's lme4, interleaved: seconds of the processor, of the fit alone for R, of the whole command for crux.
-- Then, once, a million plays of 2,000 levels by 20,000 players, which are drawn here: seconds of one processor.
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

local path, stream = folder .. "/million.csv", random.new(1)
local file, able, hard = assert(io.open(path, "w")), {}, {}
for level = 1, 2000 do hard[level] = stream:real() end
file:write "player,level,size,rating\n"
for player = 1, 20000 do
  able[player] = stream:real()
  for play = 1, 50 do
    local level = (player * 37 + play * 40 + stream:integer(1, 40)) % 2000 + 1
    file:write(("p%d,l%d,%d,%.4f\n"):format(player, level, level % 17, level % 17 / 10 + hard[level] - able[player] + stream:real()))
  end
end
file:close()
local seconds = timing.command(("%s fit --formula 'rating ~ size + (1|player) + (1|level)' %s"):format(crux, path))
print(("%-26s crux %7.3f s"):format("1,000,000 plays", seconds))
assert(os.execute("rm -r " .. folder))
