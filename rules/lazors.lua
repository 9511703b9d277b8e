-- Fitted by crux 0.1.0 to 65 rows of datasets/lazors.csv.
return crux.rule {
  name = "lazors",
  doc = "Difficulty of Lazors levels (Mutser 2014, section 6.2).",
  game = "lazors",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ size + usable_tiles + emitters + receivers + mirrors + reflections + intersections",
  coefficients = {
    ["(intercept)"] = 0.01033462937479414,
    size = 0.025658171519979938,
    usable_tiles = 0.059162175982506414,
    emitters = 0.20437402400834243,
    receivers = 0.03804772133256965,
    mirrors = 0.0682872624685111,
    reflections = 0.27928276446639694,
    intersections = 0.44163014183517557,
  },
}
