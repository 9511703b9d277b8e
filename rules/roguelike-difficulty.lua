-- Fitted by crux 0.1.0 to 115 rows of datasets/dungeongrams.csv.
return crux.rule {
  name = "roguelike-difficulty",
  doc = "Difficulty of DungeonGrams levels: the measures that Biemer and Cooper found to predict it best (2024, section 4).",
  game = "dungeongrams",
  predicts = "difficulty",
  scale = { 1, 7 },
  formula = "difficulty ~ jaccard_nothing + proximity_to_enemies + stamina_percent_enemies + density",
  coefficients = {
    ["(intercept)"] = 3.7837425663543365,
    jaccard_nothing = -0.33013541100522065,
    proximity_to_enemies = 2.0684760945358516,
    stamina_percent_enemies = 0.40514885319153293,
    density = 0.5129030322753488,
  },
}
