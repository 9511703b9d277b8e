-- Flow: join the two endpoints of each colour by paths that cover the whole board.

return crux.kits.path_cover {
  name = "flow", doc = "Join the two endpoints of each colour by paths that cover the whole board.",
  translations = {
    de = { "Verbinden Sie die zwei Enden jeder Farbe durch Wege, die das ganze Feld bedecken." },
    es = { "Una los dos extremos de cada color con caminos que cubran todo el tablero." },
    fr = { "Reliez les deux extrémités de chaque couleur par des chemins qui couvrent tout le plateau." },
    ja = { "各色の二つの端を道でつなぎ、盤面全体を道で埋めてください。" },
    zh = { "用路径连接每种颜色的两端，并铺满整个棋盘。" },
  },

  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "colours", kind = "initial", doc = "pairs of endpoints", function(level) return #level.letters end },
    { "distance", kind = "initial", doc = "mean city-block distance between the endpoints of a colour", function(level)
      local sum = 0
      for _, ends in ipairs(level.endpoints) do
        local a, b = ends[1] - 1, ends[2] - 1
        sum = sum + math.abs(a % level.width - b % level.width) + b // level.width - a // level.width
      end
      return sum / #level.endpoints
    end },
    { "corners", kind = "solution", doc = "turns of the paths; the fewest if there are several solutions",
      function(_, solution) return solution.turns end },
    { "solutions", kind = "dynamic", optional = true, doc = "number of solutions",
      function(_, solution) return solution.solutions end },
  },

  requires = { solutions = 1 },
  -- A path of n squares joins endpoints at a distance that is n - 1, or less by an even number.
  options_for = function(wanted, meets, options)
    local size, colours = wanted.size, options.colours
    if not (size and colours and wanted.distance) then return options end
    for sum = colours + size % 2, size - colours, 2 do
      if meets("distance", sum / colours) then return options end
    end
    return nil, ("on %d squares the distances of %d colours add up to an %s number, at most %d"):format(size, colours,
      (size - colours) % 2 == 0 and "even" or "odd", size - colours)
  end,
}
