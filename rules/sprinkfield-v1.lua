-- The first formula of the makers of Sprinkfield: the smaller, the harder. Their histogram says for each field how many moves
-- water it; the formula takes it as one number, which we read as the mean.
return crux.rule {
  name = "sprinkfield-v1",
  doc = "Difficulty of Sprinkfield levels, first formula of their makers' post \"Sprinkfield level difficulty\".",
  game = "sprinkfield",
  scale = { math.huge, 0 }, -- easiest, hardest: a smaller number is a harder level
  formula = function(level)
    local moves = 4 * level.starting_moves
    local length = level.solution_length
    local not_largest = 1 + level.largest_possible_move - level.largest_made_move
    local histogram = level.histogram
    return moves / (length * not_largest * histogram), {
      { "4 times the starting moves", moves },
      { "solution length", length },
      { "1 + largest possible move - largest made move", not_largest },
      { "histogram", histogram },
    }
  end,
}
