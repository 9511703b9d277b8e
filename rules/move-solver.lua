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
  ranges = {
    counterintuitive = { 0, 4 },
    directions = { 1, 4 },
  },
  intervals = {
    df = 77,
    inverse = {
      0.04512936824065242, -0.18706513428820012, 0.05762169443883705, 0.06274551615649938, -0.04083500279039062,
      0.0554740226780606,
    },
    sigma = 2.4680535645442574,
    weight = 6.1375,
  },
}
