-- Nurikabe: divide the board into islands and one sea. Each island has one number, which says how many cells it has; islands
-- meet at corners only; the sea is connected and fills no square of 2 x 2 cells.
local any = crux.any

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
    local cells = level.nothing:with(clue.x, clue.y):flood(now.island - now.open)
    list[i], all = { cells = cells, missing = clue.number - #cells, beside = cells:neighbours() & now.open }, all | cells
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

-- The islands of an answer that have some number of clues, or with `is_wrong` not their clue's size.
local function islands_with(known, level, is_wrong)
  local found = level.nothing
  for _, part in ipairs(known.island:components()) do
    local clues = {}
    for _, clue in ipairs(level.clues) do
      if part:has(clue.x, clue.y) then table.insert(clues, clue.number) end
    end
    if is_wrong(clues, #part) then found = found | part end
  end
  return found
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
  tiles = { { "." }, { "#", "sea" }, { "o", "island" }, { "?", "island", "number" },
    expected = "a number from 1 to 999 or '.'" },
  numbers = { "number", least = 1, most = 999 }, values = { "sea", "island" }, rest = "island",
  look = { { "sea", "wall" } },
  board = function(level)
    level.nothing, level.sea_size = level.sea - level.sea, level.width * level.height
    for _, clue in ipairs(level.clues) do level.sea_size = level.sea_size - clue.number end
  end,
  rules = {
    { "pool", windows = { { 2, 2 } }, count = "sea", most = 3, grade = 2 },
    { "no_number", breaks = function(known, level)
      return islands_with(known, level, function(clues) return #clues == 0 end)
    end },
    { "divided", connected = "sea" },
    { "two_numbers", breaks = function(known, level)
      return islands_with(known, level, function(clues) return #clues > 1 end)
    end },
    { "size", breaks = function(known, level)
      return islands_with(known, level, function(clues, size) return clues[1] ~= size end)
    end },
  },
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
  measures = { { "size", size = true }, { "unique", deduced = true }, { "hardest", deduced = true },
    { "effort", deduced = true }, { "open", deduced = true }, { "guesses", deduced = true } },
  generate = {
    options = { { "width", 5, doc = "columns" }, { "height", 5, doc = "rows" }, { "largest", 4, doc = "cells of an island" } },
    level = function(random, options) -- puts islands into squares of sea until there is none
      local nothing = crux.cells(options.width, options.height)
      local land, planes = nothing, { island = nothing, number = nothing, clues = {} }
      while any(corners(~land) - land) do
        local x, y = (corners(~land) - land - land:neighbours()):pick(random)
        local island = x and nothing:with(x, y)
        for _ = 2, island and random:integer(1, math.max(1, options.largest)) or 0 do
          local to_x, to_y = (island:neighbours() - island - land - land:neighbours()):pick(random)
          island = to_x and island:with(to_x, to_y) or island
        end
        land = island and land | island
        if not land or #(~land):components() ~= 1 then return nil end
        x, y = island:pick(random)
        planes.island, planes.number = planes.island:with(x, y), planes.number:with(x, y)
        table.insert(planes.clues, { x = x, y = y, number = #island })
      end
      return planes
    end,
  },
}
