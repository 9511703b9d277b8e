-- NAME: cover the lawn with as few rectangular covers as possible; no two overlap, and stones stay free.
--
-- A game that works as it stands: crux.kits.exact_cover reads, solves, draws, makes and plays such levels. Change the things
-- and the measures; run `sh NAME-test.sh` after each change. docs/writing-a-game.md of crux tells the rest.
return crux.kits.exact_cover {
  name = "NAME",
  doc = "Cover the lawn with as few rectangles as possible; no two overlap, and stones stay free.", -- for people who list games

  -- What each character of a level file stands for; the thing on squares that cannot be covered; and how things look.
  tiles = { { ".", "lawn" }, { "#", "stone" }, { "f", "lawn", "flower" } },
  blocked = "stone",
  look = { { "stone", "wall" }, { "flower", "red disc" } },

  -- Numbers that may tell how hard a level is. A level has `planes`, the boards of its things, `usable` and `pieces`, all
  -- rectangles that fit; a solution has `cover`, those that it lays.
  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "stones", count = "stone", doc = "stones" },
    { "flowers", count = "flower", doc = "flowers" },
    { "fits", kind = "initial", doc = "rectangles that fit", function(level) return #level.pieces end },
    { "pieces", moves = true, doc = "rectangles of a solution" },
    { "single", kind = "solution", doc = "rectangles of the solution that cover one square", function(_, solution)
      local count = 0
      for _, piece in ipairs(solution.cover) do count = count + (#piece.cells == 1 and 1 or 0) end
      return count
    end },
  },

  -- How many tiles of each kind `crux generate NAME.lua` puts on a board; of a range, a number between.
  generate = {
    options = {
      { "side", { 4, 6 }, doc = "squares along a side" },
      { "stones", { 2, 6 }, tile = "#", doc = "stones" },
      { "flowers", { 0, 3 }, tile = "f", doc = "flowers" },
    },
  },
}
