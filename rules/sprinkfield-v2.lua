-- The second formula of the makers of Sprinkfield: from 0 to 100, the greater, the harder. We read the words of their post so:
-- * "scarecrows on non-isolated fields" is `scarecrows - isolatedAreas` in the formula: an isolated area is a scarecrow's
--   field without a usable field beside it.
-- * "how many scarecrows have a maximum of 1 adjacent square that cannot be used" is taken literally.
-- * "in how many moves we deployed all of the pigs": the moves of the solution that water a pig's field.
-- * "how large each good move is compared to the largest possible move", in fields: that at the start, as in the first
--   formula.
-- * "the number of fields other than the basic field type" is the sum of rocks, ground, dry fields and water without pigs,
--   less the greatest of them; so `groundArea` includes the basic type, crop fields, and the fertilised ones with them.
-- * "step-backs": the nodes of the search less the moves of the solution.
local max, min = math.max, math.min

return crux.rule {
  name = "sprinkfield-v2",
  doc = "Difficulty of Sprinkfield levels, second formula of their makers' post \"Sprinkfield level difficulty\".",
  game = "sprinkfield",
  scale = { 0, 100 },
  params = { -- the first five are shares of the scale
    length = { 0.3, low = 0, high = 1 },
    scarecrows = { 0.25, low = 0, high = 1 },
    move_size = { 0.125, low = 0, high = 1 },
    area = { 0.175, low = 0, high = 1 },
    backtracks = { 0.15, low = 0, high = 1 },
    pace = { 0.032, low = 0, high = 1 }, -- how soon more backtracks hardly count
  },
  formula = function(level, p)
    local length = (max(2, min(10, level.solution_length)) - 2) / 8
    local scarecrows = min(11, level.scarecrows - level.isolated_areas + level.pig_moves + level.corner_scarecrows) / 11
    local move_size = min(3, level.largest_move_difference) / 3

    local rocks, ground, dry, water = level.rocks, level.ground_area, level.dry_area, level.pig_free_water
    local other_fields = rocks + ground + dry + water - max(rocks, ground, dry, water)
    local area = (max(3, min(10, other_fields)) - 3) / 7

    local backtracks = -1 / (p.pace * (level.nodes - level.solution_length) + 1) + 1
    local solutions = 9 / (level.solutions + 8)

    local sum = p.length * length + p.scarecrows * scarecrows + p.move_size * move_size + p.area * area
      + p.backtracks * backtracks
    return sum * solutions ^ 0.25 * 100, {
      { "solution length score", length },
      { "free scarecrow score", scarecrows },
      { "move size difference score", move_size },
      { "area score", area },
      { "backtrack score", backtracks },
      { "solution count score", solutions },
    }
  end,
}
