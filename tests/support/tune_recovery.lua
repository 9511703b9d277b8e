--- How often tune finds the constants of Sprinkfield's second formula again in ratings made with them, and noise.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"
local rule = require "crux.rule.rule"
local vector = require "libcrux.vector"

local recovery = {}

--- The constants of their makers' post.
recovery.constants = { length = 0.3, scarecrows = 0.25, move_size = 0.125, area = 0.175, backtracks = 0.15, pace = 0.032 }

--- Ranges of whole numbers in which each score varies, mostly between the corners that the formula cuts it off at.
local ranges = { solution_length = { 1, 11 }, scarecrows = { 1, 8 }, isolated_areas = { 0, 1 }, pig_moves = { 0, 2 },
  corner_scarecrows = { 0, 2 }, largest_move_difference = { 0, 4 }, rocks = { 0, 4 }, ground_area = { 8, 20 },
  dry_area = { 0, 4 }, pig_free_water = { 0, 4 }, backtracks = { 0, 300 }, solutions = { 1, 10 } }

--- Normal noise.
---@param rng userdata   of libcrux.random
function recovery.noise(rng, count, deviation)
  local noise = {}
  for i = 1, count do noise[i] = normal(rng, deviation) end
  return noise
end

--- A dataset of random levels with their ratings and normal noise.
---@param deviation number   of the noise, in points of the scale from 0 to 100
---@param measures Rule      rates them
function recovery.data(seed, levels, deviation, measures)
  local rng, names, vectors = random.new(seed), {}, {}
  for name in pairs(ranges) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    local values = {}
    for i = 1, levels do values[i] = rng:integer(table.unpack(ranges[name])) end
    vectors[name] = vector.of(values)
  end
  table.insert(names, "nodes")
  vectors.nodes = vectors.solution_length + vectors.backtracks
  local data = dataset.of_vectors("levels", names, vectors, levels)
  local block = data:blocks { texts = names } ()
  local ratings = measures:rate(block)
  table.insert(names, "difficulty")
  vectors.difficulty = ratings + vector.of(recovery.noise(rng, levels, deviation))
  return dataset.of_vectors("levels", names, vectors, levels)
end

--- Tunes the rule from twice its constants.
---@return Fitted
function recovery.tune(seed, levels, deviation)
  local published = rule.load("rules/sprinkfield-v2.lua"):for_target "difficulty"
  local data = recovery.data(seed, levels, deviation, published)
  local start = {}
  for i, param in ipairs(published.params) do
    start[i] = setmetatable({ value = 2 * param.value }, { __index = param })
  end
  local far = published:with({ params = start, predicts = "elsewhere" }):for_target "difficulty"
  local frames = design.new(data, { response = "difficulty", formula = far:fittable(), who = "test" })
  return far.method:solve { formula = frames.formula, frames = frames, where = "levels" }
end

--- In how many of the seeds from 1 to `seeds` each constant lies in its 95 % interval.
---@return table<string, integer>
function recovery.count(seeds, levels, deviation)
  local counts = {}
  for name in pairs(recovery.constants) do counts[name] = 0 end
  for seed = 1, seeds do
    for _, term in ipairs(recovery.tune(seed, levels, deviation).terms) do
      local truth = recovery.constants[term.term]
      if term.low and term.low <= truth and truth <= term.high then counts[term.term] = counts[term.term] + 1 end
    end
  end
  return counts
end

return recovery
