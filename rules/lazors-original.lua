-- Fitted by crux 0.1.0 to 65 rows of datasets/lazors.csv.
return crux.rule {
  name = "lazors-original",
  doc = "Difficulty of Lazors levels, first set of measures (Mutser 2014, Table 17).",
  game = "lazors",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ size + usable_tiles + emitters + receivers + mirrors",
  coefficients = {
    ["(intercept)"] = -1.5244612598157132,
    size = 0.05096300346796404,
    usable_tiles = 0.05407213845124668,
    emitters = 0.7393020445618835,
    receivers = 0.185966545025978,
    mirrors = 0.4965009745686651,
  },
}
