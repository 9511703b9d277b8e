-- Chooses the grades of Sudoku's singles by players' times, anew without each of five folds, and prints Spearman's correlation of
-- the times with the predictions of log(seconds) ~ log(effort): of each fold's own choice, and of the grades of games/sudoku.lua.
local correlation = require "crux.stats.correlation"
local game = require "crux.game.game"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local repeats <const>, folds <const> = 20, 5
local levels <const> = "datasets/levels/sudoku/puzzles.txt"

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local times, weights = {}, {}
for players, seconds in read "datasets/sudoku.csv":gmatch "\n%d+,(%d+),(%d+)" do
  table.insert(times, math.log(tonumber(seconds)))
  table.insert(weights, tonumber(players))
end

--- The logarithms of `effort` with some grades of techniques, by name.
local function efforts(grades)
  local text, path, list = read "games/sudoku.lua", os.tmpname(), {}
  for name, grade in pairs(grades) do text = text:gsub(('("%s", grade = )%%d+'):format(name), "%1" .. grade) end
  local file <close> = assert(io.open(path, "w"))
  file:write(text):close()
  local self = game.load(path)
  os.remove(path)
  for _, entry in ipairs(self:read(levels)) do
    table.insert(list, math.log((self:measure(self:level(entry), self:choose { "effort" }, {})).effort))
  end
  return list
end

--- The intercept and slope of the times by x, in rows that are kept, weighted by players.
local function line(x, kept)
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for i, w in ipairs(weights) do
    w = kept(i) and w or 0
    n, sx, sy, sxx, sxy = n + w, sx + w * x[i], sy + w * times[i], sxx + w * x[i] ^ 2, sxy + w * x[i] * times[i]
  end
  local slope = (n * sxy - sx * sy) / (n * sxx - sx ^ 2)
  return (sy - slope * sx) / n, slope
end

local function spearman(x, y) return correlation.spearman(vector.of(x), vector.of(y)) end

local function rows(list, kept)
  local some = {}
  for i, value in ipairs(list) do
    if kept(i) then table.insert(some, value) end
  end
  return some
end

--- The mean over the repeats of the correlation with predictions by the best of some scales.
local function nested(scales)
  local sum, rng = 0, random.new(1)
  for _ = 1, repeats do
    local fold, predictions = {}, {}
    for i = 1, #times do fold[i] = i % folds end
    rng:shuffle(fold)
    for k = 0, folds - 1 do
      local function kept(i) return fold[i] ~= k end
      local best, most
      for _, scale in ipairs(scales) do
        local found = #scales > 1 and spearman(rows(scale, kept), rows(times, kept)) or 0
        if not most or found > most then best, most = scale, found end
      end
      local intercept, slope = line(best, kept)
      for i, value in ipairs(best) do
        if fold[i] == k then predictions[i] = intercept + slope * value end
      end
    end
    sum = sum + spearman(predictions, times)
  end
  return sum / repeats
end

local scales = {}
for _, last in ipairs { 1, 2, 4 } do
  for _, by_line in ipairs { 8, 12, 20 } do
    for _, naked in ipairs { 24, 40, 60 } do
      table.insert(scales, efforts { last_cell = last, hidden_single_in_box = 4, hidden_single_in_line = by_line, naked_single = naked })
    end
  end
end
print(("grades of games/sudoku.lua %.3f, chosen anew without each fold %.3f"):format(nested { efforts {} }, nested(scales)))
