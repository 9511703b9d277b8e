-- NAME: join the two endpoints of each colour by paths that cover the whole board.
--
-- A game that works as it stands: crux.kits.path_cover reads, solves, draws, makes and plays such levels. Its measures are
-- yours to change; run `sh NAME-test.sh` after each change. docs/writing-a-game.md of crux tells the rest.
return crux.kits.path_cover {
  name = "NAME",
  doc = "Join the two endpoints of each colour by paths that cover the whole board.", -- one line for people who list games

  -- Numbers that may tell how hard a level is. Those of the kind `initial` need the level alone; `solution` ones are about one
  -- solution, whose `paths` are the squares of each colour, numbered in reading order.
  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "colours", kind = "initial", doc = "pairs of endpoints", function(level) return #level.letters end },
    { "turns", kind = "solution", doc = "turns of all paths", function(_, solution) return solution.turns end },
    { "longest", kind = "solution", doc = "squares of the longest path", function(_, solution)
      local longest = 0
      for _, path in ipairs(solution.paths) do longest = math.max(longest, #path) end
      return longest
    end },
    { "solutions", kind = "dynamic", optional = true, doc = "number of solutions",
      function(_, solution) return solution.solutions end },
  },

  -- What every level has that `crux generate NAME.lua` makes.
  requires = { solutions = 1 },
}
