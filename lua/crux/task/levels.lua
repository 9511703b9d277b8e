--- The task levels: how hard the levels of a study are, adjusted for who played them.
return require "crux.task.shared.study_side" ("levels", {
  summary = "Estimate how hard the levels of a study are.",
  details = "Prints for each level of a study the plain mean of the target, and 'adjusted', what the player in the middle "
    .. "would rate, need or reach: levels that only able players played become harder, and levels that few played come "
    .. "nearer to what the rule's terms say. 'difficulty' is the same on the scale of the rule's formula, larger for harder "
    .. "levels, with its standard error. A rule without coefficients is fitted to the study; of a fitted rule the error is "
    .. "that of the level's own part. Levels of few plays come near to the others (empirical Bayes), which predicts best. As "
    .. "data of a further fit, take --fit 'mixed(fixed = level)': it takes the effects of levels as fixed, as crux aggregate "
    .. "--adjust does. Rows of levels that the player left (column abandoned is 1) count where the target is solved or "
    .. "skipped, or as lower bounds where the fit has completed or censored; else they are left out.",
  examples = {
    "crux levels study.csv",
    "crux levels study.csv --formula 'log(time) ~ 1 + (1 | player) + (1 | level)' -o levels.csv",
    "crux levels study.csv --fit 'mixed(fixed = level)'",
  },
})
