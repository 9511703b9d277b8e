-- Crates: push crates, which slide over the ice until something stops them, into the holes.
local grid = crux.grid

return grid {
  name = "crates",
  tiles = { { "." }, { "#", "rock" }, { "@", "man" }, { "$", "crate" }, { "o", "hole" }, { "*", "crate", "hole" }, { "+", "man", "hole" } },
  check = { man = 1, crate = "hole" },

  moves = { "U", "L", "D", "R" },
  state = { "man", "crate" },

  step = function(now, move, level)
    local ahead = now.man:shift(move) - level.rock
    if ahead:none() then return end
    local crate = ahead & now.crate
    if crate:none() then
      now.man = ahead
      return
    end
    local others = now.crate - crate
    while true do
      local next = crate:shift(move) - level.rock - others
      if next:none() then break end
      crate = next
    end
    now.crate = others | crate
  end,

  won = function(now, level) return now.crate == level.hole end,

  measures = { { "moves", moves = true, doc = "steps and pushes of a shortest solution" } },
}
