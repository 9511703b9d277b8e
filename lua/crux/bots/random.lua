--- The bot that makes any move that changes something, all equally likely, but does not go back at once.
return {
  doc = "any move that changes something, all equally likely, but not back at once",
  params = {},
  choose = function(walk) return walk:random_move() end,
}
