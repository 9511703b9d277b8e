--- The arguments that several commands share: rows of a name and a line of help.
local rule = "A rule script, or the name of one of crux's own rules"
local data = "The dataset, a CSV file with one row a level, or - for standard input."

return {
  plays = { name = "data", doc = "The plays, a CSV file with a row a player and level, or - for standard input." },
  study_rule = { name = "rule", args = "?", doc = rule .. ", with grouping terms; unless it or --formula is given, the formula "
    .. "rating ~ 1 + (1 | player) + (1 | level)." },
  game = { name = "game", doc = "A game script, or the name of one of crux's own games." },
  levels = { name = "levels", args = "*", doc = "Level files, folders of them, or - for standard input." },
  study = { name = "study", args = "+",
    doc = "The player study, CSV files of the same columns, a row an attempt or a row a play, or - for standard input." },
  rule = { name = "rule", doc = rule .. "." },
  data = { name = "data", doc = data },
  --- A rule, absent with --formula, and a dataset.
  rule_and_data = { { name = "rule", args = "?", doc = rule .. ", or a formula such as 'y ~ a'; not with --formula." },
    { name = "data", args = "?", doc = data } },
}
