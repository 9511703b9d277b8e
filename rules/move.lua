-- Fitted by crux 0.1.0 to 80 rows of datasets/move.csv.
return crux.rule {
  name = "move",
  doc = "Difficulty of Move levels (Mutser 2014, section 6.3).",
  game = "move",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ moves + size + balls + colours + rocks + counterintuitive",
  coefficients = {
    ["(intercept)"] = 0.6411427924492787,
    moves = 0.12977399408414497,
    size = 0.0493276402057628,
    balls = 0.165176947957337,
    colours = 0.026175109683087255,
    rocks = -0.11324508184397113,
    counterintuitive = 0.6857677822822277,
  },
}
