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
}
