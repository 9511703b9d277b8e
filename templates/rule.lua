-- NAME: how hard levels are, from their measures.
--
-- It rates as it stands: `crux rate NAME.lua NAME-ratings.csv`. Its numbers let each measure count as much as the others.
-- Put in your own, or have them fitted to ratings of players: `crux fit NAME.lua NAME-ratings.csv -o fitted.lua`. Run
-- `sh NAME-test.sh` after each change.
return crux.rule {
  -- Whose levels it rates: the name of one of crux's games, or the path of a script.
  game = "GAME",
  -- The column of a dataset that it predicts, and what it says of the easiest and of the hardest level.
  predicts = "difficulty",
  scale = { 1, 10 },
  -- The numbers of the formula that a fit may change; { 0.1, low = 0, high = 1 } gives one bounds.
  params = {
    CONSTANT = LEAST, -- where all measures are 0
    MEASURE = WEIGHT, -- DOC
  },
  -- The rating of a level by its measures. Where a sum is enough, a text will do, for `crux fit` to find the numbers, without
  -- params: formula = "difficulty ~ MEASURES"
  formula = function(level, p)
    local rating = p.CONSTANT
    rating = rating + p.MEASURE * level.MEASURE
    return rating
  end,
}
