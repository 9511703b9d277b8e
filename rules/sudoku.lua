-- Fitted by crux 0.1.0 to 1,022 rows of datasets/sudoku.csv.
return crux.rule {
  name = "sudoku",
  doc = "Seconds that players take for a Sudoku, by how long each step takes to be found.",
  game = "sudoku",
  predicts = "seconds",
  weights = "players",
  formula = "log(seconds) ~ log(effort)",
  coefficients = {
    ["(intercept)"] = 4.6318462721757525,
    ["log(effort)"] = 0.425984826800965,
  },
  ranges = {
    effort = { 6.410721519452712, 483.3364748473693 },
  },
  intervals = {
    df = 1020,
    inverse = { 0.008244216392217148, -0.03968278601385422, 0.012766416982252666 },
    sigma = 1.1814012895575463,
    weight = 14.396281800391389,
  },
}
