-- Fitted by crux 0.1.0 to 65 rows of datasets/lazors.csv.
return crux.rule {
  name = "lazors-original",
  doc = "Difficulty of Lazors levels, first set of measures (Mutser 2014, Table 17).",
  game = "lazors",
  predicts = "difficulty",
  scale = { 1, 10 },
  weights = "solved",
  formula = "difficulty ~ size + usable_tiles + emitters + receivers + mirrors",
  coefficients = {
    ["(intercept)"] = -1.5244612598157132,
    size = 0.05096300346796404,
    usable_tiles = 0.05407213845124668,
    emitters = 0.7393020445618835,
    receivers = 0.185966545025978,
    mirrors = 0.4965009745686651,
  },
  ranges = {
    emitters = { 1, 4 },
    mirrors = { 1, 10 },
    receivers = { 1, 7 },
    size = { 8, 49 },
    usable_tiles = { 8, 34 },
  },
  intervals = {
    df = 59,
    inverse = {
      0.043314808182421, -0.09797102983912609, 0.004674474881770138, -0.05669758049001158, -0.014452844930898441,
      0.020741536751892938, -0.14086978364942948, 0.0005627011921503705, 0.001223374214060368, 0.07594776559511528,
      -0.049123607368703734, 0.003293529696907454, -0.004728860322055892, -0.01251679975808799, 0.030666770991611688,
      -0.10130649473918142, -0.002825418759690195, 0.0006725934007935463, 0.010937539426429985, -0.00197113299172934,
      0.03132423356980583,
    },
    sigma = 3.7267513863021566,
    weight = 8.2,
  },
}
