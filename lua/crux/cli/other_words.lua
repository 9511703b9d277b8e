--- Words that people type as commands, and the commands that they look for.
return {
  import = "'crux aggregate' reads ratings of other programs, 'crux study import' records of terminals",
  list = "'crux games' and 'crux rules' list what there is, 'crux measure' lists levels",
  rank = "'crux sort' prints levels in the order of their ratings",
  train = "'crux fit' estimates a formula's coefficients",
  init = "'crux new' begins a game, a rule or a study",
  test = "'crux check' finds mistakes, 'crux evaluate' tells how well a rule predicts",
  validate = "'crux evaluate' cross-validates a rule, 'crux check' finds mistakes in files",
  score = "'crux rate' rates levels by a rule",
  predict = "'crux rate' rates levels by a rule",
  draw = "'crux solve' draws levels with solutions, 'crux plot' datasets",
}
