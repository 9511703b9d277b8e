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
  ranges = {
    density = { 0.03827751196172249, 0.6363636363636364 },
    jaccard_nothing = { 0.05357142857142857, 1 },
    proximity_to_enemies = { 0, 0.45444444444444443 },
    stamina_percent_enemies = { 0, 1.0476190476190477 },
  },
  intervals = {
    df = 110,
    inverse = {
      0.09325048082403138, -0.1552637501786792, 0.28783256968079096, -0.1545545445425043, 0.007120215242005556,
      0.8023474130186508, -0.09972406349526569, 0.10727766108684952, -0.045265773355764025, 0.4444873409855061,
      -0.14449097291111568, -0.03618959220029629, -0.025892034816417997, -0.0417074767412405, 0.5900041365051967,
    },
    sigma = 1.0537925846095628,
    weight = 1,
  },
}
