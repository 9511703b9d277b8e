-- Lazors: place the blocks in hand so that the lasers' beams pass all targets.

return crux.kits.beams {
  name = "lazors", doc = "Place the blocks in hand so that the lasers' beams pass all targets.",
  translations = {
    de = { "Setzen Sie die vorhandenen Blöcke so, dass die Strahlen der Laser durch alle Ziele gehen." },
    es = { "Coloque los bloques disponibles de modo que los rayos de los láseres pasen por todos los blancos." },
    fr = { "Placez les blocs disponibles de sorte que les rayons des lasers passent par toutes les cibles." },
    ja = { "レーザーの光がすべての的を通るように、手持ちのブロックを置いてください。" },
    zh = { "放置手中的方块，使激光光束经过所有目标。" },
  },
  files = { "bff" },

  measures = {
    { "size", kind = "initial", doc = "tiles in the smallest box around the usable tiles", function(level)
      local left, top, right, bottom = level.planes.o:bounds()
      return left and (right - left + 1) * (bottom - top + 1) or 0
    end },
    { "usable_tiles", kind = "initial", doc = "tiles on which a block may be placed",
      function(level) return #level.planes.o end },
    { "emitters", kind = "initial", doc = "lasers", function(level) return #level.emitters end },
    { "receivers", kind = "initial", doc = "targets", function(level) return #level.targets end },
    { "mirrors", kind = "initial", doc = "blocks in hand that reflect: A and C",
      function(level) return (level.blocks.A or 0) + (level.blocks.C or 0) end },
    { "reflections", kind = "solution", doc = "reflections of beams in the solution; a split counts as one",
      function(_, solution) return solution.trace.reflections end },
    { "intersections", kind = "solution",
      doc = "points that beams pass in both diagonals in the solution and where none is reflected or split",
      function(_, solution) return solution.trace.intersections end },
    { "courses", kind = "initial", optional = true,
      doc = "different courses that the beams can take with at most the blocks in hand",
      function(level, _, options)
        return crux.beams.courses(level, { nodes = options.states, seconds = options.seconds })
      end },
    { "solutions", kind = "dynamic", optional = true, count = true,
      doc = "number of solutions; blocks of a kind are interchangeable", function(_, solution) return solution.solutions end },
  },

  requires = { solutions = 1 },
  -- The box of a size that is nearest to a square.
  options_for = function(wanted, _, options)
    local size = wanted.size
    for rows = 1, size and 32 or 0 do
      if rows ^ 2 <= size and size % rows == 0 and size // rows <= 32 then
        options.rows, options.columns = rows, size // rows | 0
      end
    end
    if size and not options.rows then return nil, ("no box of %g tiles has sides of at most 32"):format(size) end
    return options
  end,
}
