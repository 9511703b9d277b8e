-- Fitted by crux 0.1.0 to 80 rows of datasets/move.csv.
return crux.rule {
  name = "move-solver",
  doc = "Difficulty of Move levels by the directions that the solution needs; predicts better than 'move'.",
  game = "move",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ directions + counterintuitive",
  coefficients = {
    ["(intercept)"] = 0.1260769428367182,
    directions = 0.795368688483871,
    counterintuitive = 0.5555316045693867,
  },
}
