-- Heyawake: shade as many cells of each room as its number says. Shaded cells do not touch, the others are connected, and no
-- straight line of unshaded cells is in three rooms.

-- The shortest lines of cells that are in three rooms.
local function across_rooms(level)
  local letters, spans = level.drawn.regions, {}
  for _, line in ipairs(crux.grid.runs(~level.nothing)) do
    local from, last
    for i, cell in ipairs(line) do
      local letter = letters[cell[2]][cell[1]]
      if last and letter ~= last then
        if from then table.insert(spans, table.move(line, from, i, 1, {})) end
        from = i - 1
      end
      last = letter
    end
  end
  return spans
end

return crux.kits.deduce {
  name = "heyawake", doc = "Shade rooms' cells by number: none touch, others connect, in no straight line over three rooms.",
  translations = {
    de = {
      "Schwärzen Sie Felder nach Zahl der Räume: keine berühren sich, andere hängen zusammen, nie gerade über drei Räume." },
    es = { "Sombree casillas según el número de cada sala: no se tocan, las demás se conectan, sin rectas por tres salas." },
    fr = {
      "Noircissez selon le nombre des salles : aucune ne se touche, les autres se tiennent, sans droite par trois salles." },
    ja = { "部屋の数字だけマスを塗ります。塗ったマスは隣り合わず、残りはつながり、三部屋を直線で通りません。" },
    zh = { "按房间数字涂黑格子：黑格不相邻，其余相连，且直线不穿过三个房间。" },
  },
  tiles = { { "." }, { "?", "number" }, { "#", "shaded" }, { "o", "unshaded" },
    expected = "the letter of a room, and a number or nothing" },
  numbers = { "number", least = 0, most = 99 }, regions = true,
  values = { "shaded", "unshaded" }, rest = "unshaded",
  look = { { "shaded", "wall" }, { "unshaded", "bright blue ring" } },
  rules = {
    { "nothing", some = "shaded" },
    { "adjacent", windows = { { 1, 2 }, { 2, 1 } }, count = "shaded", most = 1, grade = 1 },
    { "divided", connected = "unshaded", grade = 6 },
    { "room", count = "shaded", grade = 2, of = function(level)
      local list = {}
      for _, clue in ipairs(level.clues) do
        for _, region in ipairs(level.regions) do
          if region:has(clue.x, clue.y) then
            table.insert(list, { cells = region, counts = { clue.number } })
          end
        end
      end
      return list
    end },
    { "three_rooms", of = across_rooms, count = "shaded", least = 1, grade = 4 },
  },
  techniques = { { "contradiction", grade = 20, trial = 3 }, { "long_contradiction", grade = 60, trial = 99, further = true } },
  guess = 200,
  generate = {
    dig = { "number" },
    options = { { "width", 6, doc = "columns" }, { "height", 6, doc = "rows" },
      { "largest", 3, doc = "columns and rows of a room" } },
    level = function(random, options) -- rooms are rectangles, and numbers go while the level stays solvable
      local width, height = options.width, options.height
      local free, regions, clues = ~crux.cells(width, height), {}, {}
      local shaded = crux.grid.scattered(random, width, height, width * height)
      for y = 1, height do regions[y] = {} end
      local number, count = free - free, 0
      while crux.any(free) do
        local left, top = free:first()
        local right, letter = left, string.char(97 + count % 26)
        for _ = 2, random:integer(1, options.largest) do right = free:has(right + 1, top) and right + 1 or right end
        local bottom = math.min(height, top + random:integer(0, options.largest - 1))
        local clue = { x = left, y = top, number = 0 }
        for y = top, bottom do
          for x = left, right do
            regions[y][x], free = letter, free:without(x, y)
            clue.number = clue.number + (shaded:has(x, y) and 1 or 0)
          end
        end
        table.insert(clues, clue)
        number, count = number:with(left, top), count + 1
      end
      return { number = number, clues = clues, regions = regions }
    end,
  },
}
