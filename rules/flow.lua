-- Fitted by crux 0.1.0 to 40 rows of datasets/flow.csv.
return crux.rule {
  name = "flow",
  doc = "Difficulty of Flow levels (Mutser 2014, section 6.1).",
  game = "flow",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ size + colours + distance + corners",
  coefficients = {
    ["(intercept)"] = 2.069707414903897,
    size = 0.0874423311504239,
    colours = -0.2953964705971283,
    distance = -0.4007508898296414,
    corners = 0.038814302063108215,
  },
}
