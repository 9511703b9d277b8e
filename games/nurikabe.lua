-- Nurikabe: divide the board into islands and one sea. Each island has one number, which says how many cells it has; islands
-- meet at corners only; the sea is connected and fills no square of 2 x 2 cells.
local any, none = crux.any, crux.none

local tiles = { { "." }, { "#", "sea" }, { "o", "island" }, expected = "a number from 1 to 9 or '.'" }
for size = 1, 9 do table.insert(tiles, { tostring(size), "island", tostring(size) }) end

-- The cells whose three neighbours in some square of 2 x 2 cells are in a board.
local function corners(board)
  local found = board - board
  for _, across in ipairs { "L", "R" } do
    for _, down in ipairs { "U", "D" } do
      found = found | board:shift(across) & board:shift(down) & board:shift(across):shift(down)
    end
  end
  return found
end

-- The islands: their known cells, how many are missing, the open cells beside them, and the cells that may be theirs.
local function islands(now, level)
  local list, all = {}, now.open - now.open
  for i, clue in ipairs(level.clues) do
    local cells = clue.cell:flood(now.island - now.open)
    list[i], all = { cells = cells, missing = clue.size - #cells, beside = cells:neighbours() & now.open }, all | cells
  end
  for _, island in ipairs(list) do
    local others = all - island.cells
    island.free = now.island - others - others:neighbours()
  end
  return list
end

-- The cells that an island can reach within its size without some.
local function reach(island, without)
  local cells = island.cells
  for _ = 1, island.missing do cells = cells | cells:neighbours() & island.free - without end
  return cells
end

local doc = "Divide the board into islands, each with its number of cells, and one sea without 2 x 2 cells."
local words = doc:gsub("%d", "#") -- # stands for numbers in translations

return crux.kits.deduce {
  name = "nurikabe", doc = doc,
  translations = {
    de = { [words] = "Teilen Sie das Feld in Inseln, jede mit ihrer Zahl von Feldern, und ein Meer ohne # x # Felder." },
    es = { [words] =
      "Divida el tablero en islas, cada una con su número de casillas, y un solo mar sin bloques de # x # casillas." },
    fr = { [words] =
      "Divisez le plateau en îles, chacune avec son nombre de cases, et une seule mer sans bloc de # x # cases." },
    ja = { [words] =
      "盤面を、それぞれの数字のマス数の島と、# x # のかたまりのない一つの海に分けてください。" },
    zh = { [words] = "把棋盘分成岛屿（每个岛的格数等于其数字）和一片不含 # x # 方块的海。" },
  },
  tiles = tiles, values = { "sea", "island" },
  look = { { "sea", "wall" } },
  board = function(level)
    level.clues, level.sea_size, level.nothing = {}, level.width * level.height, level.sea - level.sea
    for size = 1, 9 do
      for x, y in level[tostring(size)]:cells() do
        table.insert(level.clues, { size = size, cell = level.nothing:with(x, y) })
        level.sea_size = level.sea_size - size
      end
    end
  end,
  techniques = {
    { "complete", grade = 1, removes = "island", find = function(now, level)
      local sea = level.nothing
      for _, island in ipairs(islands(now, level)) do sea = island.missing == 0 and sea | island.beside or sea end
      return sea
    end },
    { "between", grade = 1, removes = "island", find = function(now, level)
      local once, twice = level.nothing, level.nothing
      for _, island in ipairs(islands(now, level)) do once, twice = once | island.beside, twice | once & island.beside end
      return twice
    end },
    { "pool", grade = 2, removes = "sea", find = function(now) return corners(now.sea - now.open) & now.open end },
    { "island_exit", grade = 4, removes = "sea", find = function(now, level) -- without it an island is too small
      local land = level.nothing
      for _, island in ipairs(islands(now, level)) do
        for x, y in (island.missing > 0 and now.open & reach(island, land) or level.nothing):cells() do
          local most = #reach(island, level.nothing:with(x, y))
          land = most < #island.cells + island.missing and land:with(x, y) or land
        end
      end
      return land
    end },
    { "sea_exit", grade = 4, removes = "island", find = function(now, level) -- without it the sea is too small, or in parts
      local known, sea = now.sea - now.open, level.nothing
      for x, y in (any(known) and now.open or level.nothing):cells() do
        local part = level.nothing:with(known:first()):flood(now.sea:without(x, y))
        sea = (any(known - part) or #part < level.sea_size) and sea:with(x, y) or sea
      end
      return sea
    end },
    { "out_of_reach", grade = 6, removes = "island", find = function(now, level)
      local rest = now.open
      for _, island in ipairs(islands(now, level)) do rest = rest - reach(island, level.nothing) end
      return rest
    end },
  },
  guess = 40,
  breaks = function(known) -- squares of 2 x 2 cells of sea
    local corner = known.sea & known.sea:shift "L" & known.sea:shift "U" & known.sea:shift "L":shift "U"
    local wide = corner | corner:shift "R"
    return wide | wide:shift "D"
  end,
  won = function(now, level)
    for _, island in ipairs(islands(now, level)) do
      if island.missing ~= 0 then return false end
    end
    return #now.island:components() == #level.clues and #now.sea:components() <= 1 and none(corners(now.sea) & now.sea)
  end,

  measures = { { "size", size = true }, { "unique", deduced = true }, { "hardest", deduced = true },
    { "effort", deduced = true }, { "open", deduced = true }, { "guesses", deduced = true } },
  generate = {
    options = { { "width", 5, doc = "columns" }, { "height", 5, doc = "rows" }, { "largest", 4, doc = "cells of an island" } },
    level = function(random, options) -- puts islands into squares of sea until there is none
      local nothing = crux.cells(options.width, options.height)
      local land, planes = nothing, { island = nothing }
      for size = 1, 9 do planes[tostring(size)] = nothing end
      while any(corners(~land) - land) do
        local x, y = (corners(~land) - land - land:neighbours()):pick(random)
        local island = x and nothing:with(x, y)
        for _ = 2, island and random:integer(1, math.max(1, math.min(options.largest, 9))) or 0 do
          local to_x, to_y = (island:neighbours() - island - land - land:neighbours()):pick(random)
          island = to_x and island:with(to_x, to_y) or island
        end
        land = island and land | island
        if not land or #(~land):components() ~= 1 then return nil end
        x, y = island:pick(random)
        for _, name in ipairs { tostring(#island), "island" } do planes[name] = planes[name]:with(x, y) end
      end
      return planes
    end,
  },
}
