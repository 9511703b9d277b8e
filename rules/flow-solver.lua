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
  ranges = {
    colours = { 4, 9 },
    corners = { 5, 25 },
    distance = { 2.4, 7.375 },
    size = { 25, 81 },
  },
  intervals = {
    df = 36,
    inverse = {
      0.02790727860929738, -0.13856054761502035, 0.019922927563010763, 0.09352476017147382, -0.023199115686950496,
      0.005262767327754284, -0.05077787821743854, -0.043431932742917734, 0.0012314823294055364, 0.1380641138513011,
    },
    sigma = 2.5400934151719543,
    weight = 32.1,
  },
}
