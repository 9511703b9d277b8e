-- NAME: a study that people play in their browsers.
--
-- It works as it stands: `crux serve NAME.lua` prints a link. Run `crux check NAME.lua` after each change. docs/serve.md tells
-- more.
return crux.study {
  -- The top of the page.
  title = "How hard are these levels?",
  -- The game: the name of one of crux's games, or the path of a script; files and folders of levels; and
  -- easy ones for everybody to begin with, which are not rated.
  game = "GAME",
  levels = { "NAME-levels.txt" },
  tutorial = { "NAME-tutorial.txt" },
  -- The number of levels that a player gets; without it, all. The next one has the "fewest" ratings, or is a "random" one, the
  -- next in the "given" order of the files, or one of "rising" rating by a rule, such as rule = "RULE.lua".
  per_player = 4,
  order = "fewest",
  -- The lowest and the highest rating. Add "enjoyment", "skipped" or "tutorial" to the questions to ask how enjoyable levels
  -- were, and about levels that were skipped or of the tutorial.
  scale = { 1, 10 },
  questions = {},
  -- Questions to players about themselves before they begin, and about each level behind the rating, which need no answer; and
  -- words for them in place of their names.
  ask = { "age: 1..120", "experience: none, some, much" },
  ask_after = {},
  labels = { age = "How old are you?", experience = "Have you played such games?" },
  -- The seconds, or the losses, after which a level may be skipped.
  skip_seconds = 60,
  skip_losses = 2,
  -- The days in which a player may play. Add public_players = 100 to let no more begin without a personal link.
  link_days = 30,
  -- The text that players agree to before they begin, and a person whom they can ask.
  consent = "You will play some levels of a puzzle and say how hard they were. We keep your moves, times and ratings, and no "
    .. "name or address. You may stop at any time, and delete what is kept.",
  contact = "",
}
