-- Fitted by crux 0.1.0 to 115 rows of datasets/dungeongrams.csv.
return crux.rule {
  name = "roguelike-enjoyment",
  doc = "Enjoyment of DungeonGrams levels: the measures that Biemer and Cooper found to predict it best (2024, section 4).",
  game = "dungeongrams",
  predicts = "enjoyment",
  scale = { 1, 7 },
  formula = "enjoyment ~ path_nothing + proximity_to_enemies",
  coefficients = {
    ["(intercept)"] = 5.7465418463482125,
    path_nothing = -0.012276023766041002,
    proximity_to_enemies = -1.9093097695434653,
  },
  ranges = {
    path_nothing = { 0, 23 },
    proximity_to_enemies = { 0, 0.45444444444444443 },
  },
  intervals = {
    df = 112,
    inverse = {
      0.09325048082403138, -0.05463241803133875, 0.01842442250323741, -0.15559592483517565, 0.0014950267528862525,
      0.8047383438859383,
    },
    sigma = 0.7411314282640166,
    weight = 1,
  },
}
