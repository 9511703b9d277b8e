-- Star Battle: each row, column and region has the same number of stars, and no two touch, not even at corners.

-- Sets of cells that have all stars.
local function counted(level, lists)
  local list = {}
  for _, sets in ipairs(lists) do
    for _, set in ipairs(sets) do table.insert(list, { cells = set, counts = { level.stars } }) end
  end
  return list
end

-- Cells that lose a star: those of lines outside the regions, or of regions outside the lines, that as many have all stars of.
local function outside(now, level, most)
  local found = {}
  local function look(inner, outer)
    for from = 1, #outer do
      local cover = level.nothing
      for length = 1, math.min(most, #outer - from + 1) do
        cover = cover | outer[from + length - 1]
        local within, within_count = level.nothing, 0
        for _, set in ipairs(inner) do
          if crux.none((set & now.star) - cover) then within, within_count = within | set, within_count + 1 end
        end
        if within_count == length then table.insert(found, { star = now.star & now.open & cover - within }) end
      end
    end
  end
  for _, lines in ipairs(level.lines) do look(level.regions, lines) end
  for _, lines in ipairs(level.lines) do
    for _, region in ipairs(level.regions) do
      for _, line in ipairs(lines) do
        local is_within = crux.none((line & now.star) - region)
        table.insert(found, is_within and { star = now.star & now.open & region - line } or nil)
      end
    end
  end
  return found
end

return crux.kits.deduce {
  name = "starbattle",
  doc = "Put as many stars as the number says into each row, column and region; no two touch, not even at corners.",
  translations = {
    de = { "Setzen Sie in jede Zeile, jede Spalte und jedes Gebiet so viele Sterne, wie die Zahl sagt; keine berühren sich." },
    es = { "Ponga en cada fila, columna y región las estrellas que dice el número; ninguna toca a otra, ni en diagonal." },
    fr = { "Placez dans chaque ligne, colonne et région les étoiles que dit le nombre ; aucune n'en touche une autre." },
    ja = { "各行・各列・各領域に数字の数だけ星を置きます。星同士は角でも接しません。" },
    zh = { "在每行、每列和每个区域放入数字所示数量的星；星之间不得相邻，对角也不行。" },
  },
  tiles = { { "." }, { "?", "number" }, { "*", "star" }, { "+", "empty" },
    expected = "the letter of a region, in one cell with the number of stars" },
  numbers = { "number", least = 1, most = 9 }, regions = true, check = { number = { 0, 1 } },
  values = { "star", "empty" }, rest = "empty",
  look = { { "star", "yellow disc" }, { "empty", "white dot" } },
  board = function(level)
    level.lines, level.stars = { {}, {} }, level.clues[1] and level.clues[1].number or 1 -- lines: rows and columns
    for x, y in (~level.nothing):cells() do
      for i, at in ipairs { y, x } do level.lines[i][at] = (level.lines[i][at] or level.nothing):with(x, y) end
    end
  end,
  rules = {
    { "touching", windows = { { 2, 2 } }, count = "star", most = 1, grade = 1 },
    { "too_many", count = "star", of = function(level)
      local list = {}
      for i, region in ipairs(level.regions) do list[i] = { cells = region, most = level.stars } end
      return list
    end },
    { "region", count = "star", grade = 2, of = function(level) return counted(level, { level.regions }) end },
    { "line", count = "star", grade = 2, of = function(level) return counted(level, level.lines) end },
  },
  techniques = {
    { "one_line", grade = 5, find = function(now, level) return outside(now, level, 1) end },
    { "several_lines", grade = 10, late = true, find = function(now, level) return outside(now, level, 4) end },
    { "contradiction", grade = 20, trial = 3 }, { "long_contradiction", grade = 60, trial = 99, further = true },
  },
  guess = 200,
  generate = {
    options = { { "side", 6, doc = "rows and columns, with a star in each" } },
    level = function(random, options) -- regions grow at random from the stars
      local side, regions, columns = options.side, {}, {}
      for x = 1, side do columns[x], regions[x] = x, {} end
      random:shuffle(columns)
      local free = ~crux.cells(side, side)
      for y, x in ipairs(columns) do
        if y > 1 and math.abs(x - columns[y - 1]) < 2 then return nil end
        regions[y][x], free = string.char(96 + y), free:without(x, y)
      end
      while crux.any(free) do
        local x, y = (free & (~free):neighbours()):pick(random)
        local beside = crux.cells(side, side):with(x, y):neighbours() - free
        local from_x, from_y = beside:pick(random)
        regions[y][x], free = regions[from_y][from_x], free:without(x, y)
      end
      local nothing = free - free
      return { number = nothing:with(1, 1), clues = { { x = 1, y = 1, number = 1 } }, regions = regions }
    end,
  },
}
