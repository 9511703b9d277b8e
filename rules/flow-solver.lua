-- Fitted by crux 0.1.0 to 40 rows of datasets/flow.csv.
return crux.rule {
  name = "flow-solver",
  doc = "Difficulty of Flow levels by the squares that paths take beyond the shortest; predicts better than 'flow'.",
  game = "flow",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ sqrt(size) + I(size - colours * (1 + distance)) + log(corners)",
  coefficients = {
    ["(intercept)"] = -1.7623379372524273,
    ["sqrt(size)"] = 0.3505869318372632,
    ["I(size - colours * (1 + distance))"] = 0.06361443240097829,
    ["log(corners)"] = 0.6905494123958481,
  },
}
