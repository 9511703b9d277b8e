-- Fitted by crux 0.1.0 to 115 rows of datasets/dungeongrams-authors.csv.
return crux.rule {
  name = "roguelike-authors",
  doc = "Difficulty of DungeonGrams levels by Biemer and Cooper's best measures, of the paths of their own search (2024).",
  game = "dungeongrams",
  path = "authors",
  predicts = "difficulty",
  scale = { 1, 7 },
  formula = "difficulty ~ jaccard_distance_nothing + narrow_proximity_to_enemies + stamina_percent_enemies + density",
  coefficients = {
    ["(intercept)"] = 3.244749078386432,
    jaccard_distance_nothing = 0.5484157989057277,
    narrow_proximity_to_enemies = 4.950797679710841,
    stamina_percent_enemies = 0.7883876058894314,
    density = 0.812829700979611,
  },
  ranges = {
    density = { 0.03827751196172249, 0.6363636363636364 },
    jaccard_distance_nothing = { 0, 0.9642857142857143 },
    narrow_proximity_to_enemies = { 0, 0.29666666666666663 },
    stamina_percent_enemies = { 0, 1.2 },
  },
  intervals = {
    df = 110,
    inverse = {
      0.09325048082403138, -0.12149517869576126, 0.27983470103722846, -0.08391200130384607, -0.07452222403112783,
      1.4419889800011965, 0.009049584670279982, -0.08993003106758383, -0.2290137648618876, 0.547189493005034,
      -0.21973279281533115, 0.1287213779360738, -0.23617979915968054, -0.05117020420149355, 0.636971674506067,
    },
    sigma = 0.9792804227137821,
    weight = 1,
  },
}
