-- Made by hand, and fitted to nothing: a first order for levels of Sokoban, until players have rated yours.
return crux.rule {
  name = "sokoban",
  doc = "A guess by hand: longer solutions, with more pushes and more changes between boxes, are harder.",
  game = "sokoban",
  predicts = "difficulty",
  formula = function(level)
    return math.log(1 + level.moves) + 0.5 * math.log(1 + level.pushes) + 0.25 * level.box_changes
  end,
}
