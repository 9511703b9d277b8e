-- Made by hand, and fitted to nothing: a first order for levels of any game of PuzzleScript, until players have rated yours.
return crux.rule {
  name = "puzzlescript",
  doc = "A guess by hand: longer solutions, with more pushes, among more states are harder.",
  predicts = "difficulty",
  formula = function(level)
    return math.log(1 + level.moves) + 0.5 * math.log(1 + level.pushes) + 0.25 * math.log(1 + level.states)
  end,
}
