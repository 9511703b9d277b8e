-- Fitted by crux 0.1.0 to 40 rows of datasets/flow.csv.
return crux.rule {
  name = "flow",
  doc = "Difficulty of Flow levels (Mutser 2014, section 6.1).",
  game = "flow",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ size + colours + distance + corners",
  coefficients = {
    ["(intercept)"] = 2.069707414903897,
    size = 0.0874423311504239,
    colours = -0.2953964705971283,
    distance = -0.4007508898296414,
    corners = 0.038814302063108215,
  },
  ranges = {
    colours = { 4, 9 },
    corners = { 5, 25 },
    distance = { 2.4, 7.375 },
    size = { 25, 81 },
  },
  intervals = {
    df = 35,
    inverse = {
      0.02790727860929738, -0.07158123983395147, 0.0014221878492679987, -0.10182321282438729, -0.002211784623188336,
      0.033750129279156826, -0.1571456160191483, -0.0031877801868453793, 0.014737859676616371, 0.04702656568453051,
      0.035813029770523405, -0.001846620084022331, -0.008539143298494142, -0.006536603266069105, 0.011289160512824014,
    },
    sigma = 2.8702464688307847,
    weight = 32.1,
  },
}
