-- Made by hand, and fitted to nothing: a first order for levels until players have rated yours.
return crux.rule {
  name = "nurikabe",
  doc = "A guess by hand: levels whose steps take longer to be found are harder, and guesses most of all.",
  game = "nurikabe",
  predicts = "difficulty",
  scale = { 1, 10 },
  formula = function(level) return math.min(10, 1 + math.log(1 + level.effort, 2) + level.guesses) end,
}
