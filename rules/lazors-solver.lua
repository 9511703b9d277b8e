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
}
