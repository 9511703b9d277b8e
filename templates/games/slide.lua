-- NAME: slide boats out of the way, so that the boat B gets out of the harbour at the bottom.
--
-- A game that works as it stands: crux.kits.slide reads, solves, draws, makes and plays such levels. Change the fields and the
-- measures; run `sh NAME-test.sh` after each change. docs/writing-a-game.md of crux tells the rest.
return crux.kits.slide {
  name = "NAME",
  doc = "Slide boats out of the way, so that the boat B gets out at the bottom.", -- one line for people who list games

  -- The piece that has to get out, and the edge that it has to reach: U, L, D or R. In a level file each square of a piece has
  -- the piece's letter; '.' is free, '#' a wall.
  target = "B",
  exit = "D",
  along = true, -- pieces slide along their length only; leave this out, and they slide in all directions and have any shape

  -- Numbers that may tell how hard a level is. A level has `pieces`, each with its `letter`, `width` and `height`; a solution
  -- has `moves`, such as "BD2": B slides down by two squares.
  measures = {
    { "pieces", count = "pieces", doc = "boats" },
    { "slides", moves = true, doc = "slides of a shortest solution" },
    { "space", kind = "dynamic", doc = "states that can be reached",
      function(_, solution) return solution.variants.space.states end },
    { "squares", kind = "solution", doc = "squares by which that solution slides its pieces", function(_, solution)
      local count = 0
      for _, move in ipairs(solution.moves) do count = count + move:sub(3) end
      return count
    end },
  },

  -- How many pieces of each length `crux generate NAME.lua` puts on a board; of a range, a number between. B is of the first
  -- length. Ten times all pieces slide at random, first from B at the exit in the third column; the hardest end is the level.
  generate = {
    options = {
      { "side", { 5, 6 }, doc = "squares along a side" },
      { "boats", { 4, 7 }, length = 2, doc = "boats of 2 squares, B included" },
      { "ships", { 1, 2 }, length = 3, doc = "boats of 3 squares" },
    },
    line = 3,
    walks = 10,
    moves = 200,
  },
}
