-- Fitted by crux 0.1.0 to 70 rows of datasets/rushhour.csv.
return crux.rule {
  name = "rushhour",
  doc = "Natural logarithm of the seconds that players need for a level of Rush Hour.",
  game = "rushhour",
  predicts = "log_seconds",
  formula = "log_seconds ~ log(slides) + log(depth) + pieces_moved",
  coefficients = {
    ["(intercept)"] = -0.6553078055654364,
    ["log(slides)"] = 0.9035766861894996,
    ["log(depth)"] = 0.6175996498646271,
    pieces_moved = 0.07941617716262259,
  },
  ranges = {
    depth = { 6, 35 },
    pieces_moved = { 5, 9 },
    slides = { 6, 15 },
  },
  intervals = {
    df = 66,
    inverse = {
      0.11952286093343936, -0.7958988935100019, 0.3410872857357991, -0.5446617148095451, -0.5061905772354203,
      0.661829640921556, -0.2401395866608515, -0.48142254175038035, 0.10005769853379827, 0.15045011332110184,
    },
    sigma = 0.24331930920661146,
    weight = 1,
  },
}
