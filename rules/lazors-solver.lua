-- Fitted by crux 0.1.0 to 65 rows of datasets/lazors.csv.
return crux.rule {
  name = "lazors-solver",
  doc = "Difficulty of Lazors levels by the courses that the beams can take; predicts better than 'lazors'.",
  game = "lazors",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ log(courses) + intersections + emitters + reflections",
  coefficients = {
    ["(intercept)"] = 0.23704374847482254,
    ["log(courses)"] = 0.8427061983792423,
    intersections = 0.3197700374570938,
    emitters = -0.6475120330195893,
    reflections = 0.21937171766003377,
  },
  ranges = {
    courses = { 3, 1290 },
    emitters = { 1, 4 },
    intersections = { 0, 6 },
    reflections = { 0, 12 },
  },
  intervals = {
    df = 60,
    inverse = {
      0.043314808182421, -0.147927469606521, 0.03670535759646711, 0.03554485510927815, -0.02068119343146963,
      0.04136210061324762, -0.05497260935892508, -0.014088594890012986, 0.0018678865091930742, 0.07716372745532062,
      -0.014925698765389905, -0.027540727416501074, 0.0023976762500482847, 0.010361005550167689, 0.021108219781149334,
    },
    sigma = 3.0536928770771725,
    weight = 8.2,
  },
}
