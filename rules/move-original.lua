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
  ranges = {
    balls = { 3, 5 },
    colours = { 1, 4 },
    moves = { 3, 10 },
    rocks = { 0, 11 },
    size = { 9, 25 },
  },
  intervals = {
    df = 74,
    inverse = {
      0.04512936824065242, -0.12672646464391982, 0.019885808290241173, -0.13025755981098516, -0.004343035163290446,
      0.008114882680319123, -0.2626591915637352, -0.0040119504226177535, 0.0030204839787447983, 0.06346778086156599,
      0.04721264331817224, 0.00245380184601055, -5.266397910861768e-06, -0.0521495689773881, 0.06986024523519287,
      -0.033616373582379566, 0.0023413008532826188, -0.005230983211352416, 0.009391778155098618, -0.010499894561394735,
      0.022610692224316,
    },
    sigma = 2.965486743667783,
    weight = 6.1375,
  },
}
