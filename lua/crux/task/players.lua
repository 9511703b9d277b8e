--- The task players: how able the players of a study are.
return require "crux.task.shared.study_side" ("players", {
  summary = "Estimate how able its players are.",
  details = "Prints for each player of a study how much easier than for the player in the middle levels are, on the scale of "
    .. "the rule's formula (of logistic rules the logit of solving), and its standard error; few plays leave it near 0. A rule "
    .. "without coefficients is fitted to the study; a fitted one takes its numbers as they are, so that new players are "
    .. "estimated from their plays alone (empirical Bayes). Effects of slopes have columns of their own. Rows of "
    .. "levels that the player left count as in 'crux help levels'.",
  examples = {
    "crux players study.csv",
    "crux players study.csv --formula 'log(time) ~ 1 + (1 | player) + (1 | level)' -o players.csv",
  },
})
