-- Fitted by crux 0.1.0 to 80 rows of datasets/move.csv.
return crux.rule {
  name = "move-original",
  doc = "Difficulty of Move levels, first set of measures (Mutser 2014, Table 19).",
  game = "move",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ moves + size + balls + colours + rocks",
  coefficients = {
    ["(intercept)"] = -0.8229509106443738,
    moves = 0.2858523083549812,
    size = 0.05525864637425511,
    balls = 0.4728035973802389,
    colours = 0.008421694947677626,
    rocks = -0.08386277910585228,
  },
}
