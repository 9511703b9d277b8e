-- A hand-made formula with numbers to tune: time grows by a share with each square, and a bit with each turn.
return crux.rule {
  game = "flow",
  predicts = "time",
  weights = "solved",
  params = {
    start = { 5, low = 0 }, -- seconds
    growth = { 0.03, low = 0, high = 1 },
    turn = 1,
  },
  formula = function(level, p) return p.start * math.exp(p.growth * level.size) + p.turn * level.corners end,
}
