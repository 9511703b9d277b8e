-- NAME: slide over the ice until you stop on the exit.
--
-- A small game that works as it stands; change it bit by bit into yours, and run `sh NAME-test.sh` after each change.
-- docs/writing-a-game.md of crux tells the rest.
local grid = crux.grid

-- Where a slide ends: before a rock or the edge.
local function slide(player, move, rocks)
  while true do
    local ahead = player:shift(move) - rocks
    if ahead:none() then return player end
    player = ahead
  end
end

return grid {
  name = "NAME",
  doc = "Slide over the ice until you stop on the exit.", -- one line for people who list games

  -- What each character of a level file stands for: nothing, or things. A level has a board for each thing, the set of the
  -- squares where it is. Boards know `&` (in both), `|` (in one of them), `-` (in the first only), `~` (not in it) and `#` (how
  -- many).
  tiles = { { "." }, { "#", "rock" }, { "@", "player" }, { "O", "exit" }, { "*", "player", "exit" } },

  -- How things look, in pictures and on a terminal, from the bottom to the top.
  look = { { "rock", "wall" }, { "exit", "green square" }, { "player", "bright yellow disc" }, path = "player" },

  -- What every level must have; the message about one that has it not names its file and line.
  check = { player = 1, exit = 1 },

  -- What is to be solved: the names of the moves (U, L, D and R are on the arrow keys), the things that move, and what a move
  -- makes of them. crux makes programs for C of `step`, `won` and `lost`: they change nothing but the state that they get.
  moves = { "U", "L", "D", "R" },
  state = { "player" },
  step = function(now, move, level) now.player = slide(now.player, move, level.rock) end,
  won = function(now, level) return grid.within(now.player, level.exit) end,

  -- Numbers that may tell how hard a level is. A measure of the kind `solution` is about one solution: solution.moves are its
  -- moves, solution.way the states on its way.
  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "rocks", count = "rock", doc = "rocks on the board" },
    { "moves", moves = true, doc = "slides of a shortest solution" },
    { "distance", kind = "solution", doc = "squares that the player slides over", function(_, solution)
      local sum, x, y = 0, solution.way[1].player:first()
      for _, now in ipairs(solution.way) do
        local to_x, to_y = now.player:first()
        sum, x, y = sum + math.abs(to_x - x) + math.abs(to_y - y), to_x, to_y
      end
      return sum
    end },
  },

  -- How `crux generate NAME.lua` makes levels; of an option's range, `level` gets a number between, and an empty board with
  -- that side. It returns the boards of its things, or nil and why there is no level. The exit is where some slides from the
  -- start lead, so it can be reached.
  generate = {
    options = {
      { "side", { 5, 8 }, doc = "squares along a side" },
      { "rocks", 0.2, doc = "probability of a rock on a square" },
    },
    level = function(random, options, nothing)
      local player = grid.some(random, ~nothing, 1)
      local rock = (~player):sample(random, options.rocks)
      local exit = player
      for _ = 1, 20 do exit = slide(exit, random:pick { "U", "L", "D", "R" }, rock) end
      if exit == player then return nil, "the slides led back to the start" end
      return { rock = rock, player = player, exit = exit }
    end,
  },
}
