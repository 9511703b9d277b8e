-- A hand-made formula: any Lua function of the measures.
return crux.rule {
  game = "flow",
  predicts = "difficulty",
  formula = function(level)
    local winding = level.corners / level.colours
    return math.max(1, 0.06 * level.size + 0.5 * winding - 1)
  end,
}
