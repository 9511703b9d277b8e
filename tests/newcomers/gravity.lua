-- Gravity: push blocks off the rocks and climb over them; after each move everything falls.
return crux.grid {
  name = "gravity",
  tiles = { { "." }, { "#", "rock" }, { "@", "man" }, { "b", "block" }, { "O", "exit" } },
  check = { man = 1, exit = 1 },
  moves = { "L", "R", "U" },
  state = { "man", "block" },
  step = function(now, move, level)
    local to = now.man:shift(move) - level.rock
    if to:none() then return end
    if (to & now.block):any() then
      local beyond = to:shift(move) - level.rock - now.block
      if move == "U" or beyond:none() then return end
      now.block = now.block - to | beyond
    end
    now.man = to
    local moved
    repeat
      moved = false
      local held = (level.rock | now.man | now.block):shift "U"
      local falling = now.block - held
      if falling:any() and #falling:shift "D" == #falling then
        now.block = now.block - falling | falling:shift "D"
        moved = true
      end
      local below = now.man:shift "D" - level.rock - now.block
      if below:any() and move ~= "U" then
        now.man = below
        moved = true
      end
    until not moved
  end,
  won = function(now, level) return now.man == level.exit end,
  measures = { { "moves", moves = true, doc = "moves of a shortest solution" } },
}
