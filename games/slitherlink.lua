-- Slitherlink: draw one loop along edges. A number says how many edges of its cell the loop has.

-- The edges of a number and those at one of its corners: as many as the number says, and none or two at the corner.
local function number_corners(level)
  local list = {}
  for _, clue in ipairs(level.clues) do
    local beside = level.nothing:with(clue.x, clue.y):neighbours()
    for i = 0, 3 do
      local corner = level.nothing:with(clue.x + i % 2 * 2 - 1, clue.y + i // 2 * 2 - 1):neighbours()
      local cells, weights = {}, {}
      for x, y in (beside | corner):cells() do
        table.insert(cells, { x, y })
        table.insert(weights, (beside:has(x, y) and 8 or 0) + (corner:has(x, y) and 1 or 0))
      end
      table.insert(list, { cells = cells, language = { first = 0,
        next = function(state, value, k) return value == "line" and state + weights[k] or state end,
        accept = function(state) return state // 8 == clue.number and (state % 8 == 0 or state % 8 == 2) end } })
    end
  end
  return list
end

return crux.kits.deduce {
  name = "slitherlink", doc = "Draw one loop along edges; a number says how many edges of its cell the loop has.",
  translations = {
    de = { "Zeichnen Sie eine Schleife auf Kanten; eine Zahl sagt, wie viele Kanten ihres Feldes die Schleife hat." },
    es = { "Dibuje un solo bucle por los bordes; un número dice cuántos bordes de su casilla tiene el bucle." },
    fr = { "Tracez une seule boucle sur les bords ; un nombre dit combien de bords de sa case la boucle a." },
    ja = { "辺に沿って一つの輪を描きます。数字は、そのマスの辺のうち輪が通る数です。" },
    zh = { "沿边画一个环；数字表示环经过该格的边数。" },
  },
  tiles = { { "." }, { "?", "number" }, { "-", "line" }, { "+", "gap" }, expected = "a number from 0 to 3 or '.'" },
  numbers = { "number", least = 0, most = 3 }, lines = "around", outside = { "vertex", "between" },
  values = { "line", "gap" }, rest = "gap",
  rules = {
    { "nothing", some = "line" },
    { "branch", joints = { 0, 1, 2, 4 }, count = "line" },
    { "cross", joints = { 0, 1, 2, 3 }, count = "line" },
    { "number", beside = true, count = "line", grade = 2 },
    { "several_loops", loop = "line", grade = 6 },
    { "dead_end", joints = { 0, 2, 3, 4 }, count = "line" },
    { "missed", breaks = function(known, level) -- with a note "full", the loop goes through all vertices
      return level.notes.full and level.vertex - known.line:neighbours() or level.nothing
    end },
    { "corner", joints = { 0, 2 }, count = "line", grade = 3 },
    { "number_corner", of = number_corners, grade = 10 },
  },
  techniques = { { "last_edges", rule = "number", open = 2, grade = 1 },
    { "contradiction", grade = 20, trial = 2 }, { "long_contradiction", grade = 60, trial = 99, further = true } },
  guess = 200,
  generate = {
    dig = { "number" },
    options = { { "width", 6, doc = "columns" }, { "height", 6, doc = "rows" } },
    level = function(random, options) -- the loop is around an area; numbers go while the level stays solvable
      local width, height, clues = options.width, options.height, {}
      local wide = crux.grid.blob(random, width, height, 0.55)
      local number = wide | ~wide
      for x, y in number:cells() do
        local beside = #((wide - wide):with(x, y):neighbours() & wide)
        local count = wide:has(x, y) and 4 - beside or beside
        number = count < 4 and number or number:without(x, y)
        table.insert(clues, { x = x, y = y, number = count })
      end
      return { number = number, clues = clues }
    end,
  },
}
