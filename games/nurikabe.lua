-- Nurikabe: divide the board into islands and one sea. Each island has one number, which says how many cells it has; islands
-- meet at corners only; the sea is connected and fills no square of 2 x 2 cells.

-- The function of a technique: all that another one finds for an island, by what was found for those before. An island has its
-- known cells, how many are missing, the cells that may be its, the open ones beside it, and those beside the islands before.
local function of_islands(find)
  return function(now, level)
    local found, before, known = level.nothing, level.nothing, now.island - now.open
    local all = level.number:flood(known)
    for _, clue in ipairs(level.clues) do
      local cells = level.nothing:with(clue.x, clue.y):flood(known)
      local others, beside = all - cells, cells:neighbours() & now.open
      found = found | find({ cells = cells, missing = clue.number - #cells, free = now.island - others - others:neighbours(),
        beside = beside, before = before }, level, found, now.open)
      before = before | beside
    end
    return found
  end
end

return crux.kits.deduce {
  name = "nurikabe", doc = "Divide the board into islands, each with its number of cells, and one sea without 2 x 2 cells.",
  translations = {
    de = { "Teilen Sie das Feld in Inseln, jede mit ihrer Zahl von Feldern, und ein Meer ohne # x # Felder." },
    es = { "Divida el tablero en islas, cada una con su número de casillas, y un solo mar sin bloques de # x # casillas." },
    fr = { "Divisez le plateau en îles, chacune avec son nombre de cases, et une seule mer sans bloc de # x # cases." },
    ja = { "盤面を、それぞれの数字のマス数の島と、# x # のかたまりのない一つの海に分けてください。" },
    zh = { "把棋盘分成岛屿（每个岛的格数等于其数字）和一片不含 # x # 方块的海。" },
  },
  tiles = { { "." }, { "#", "sea" }, { "o", "island" }, { "?", "island", "number" },
    expected = "a number from 1 to 999 or '.'" },
  numbers = { "number", least = 1, most = 999 }, values = { "sea", "island" }, rest = "island",
  look = { { "sea", "wall" } },
  board = function(level)
    level.sea_size = level.width * level.height
    for _, clue in ipairs(level.clues) do level.sea_size = level.sea_size - clue.number end
  end,
  rules = {
    { "pool", windows = { { 2, 2 } }, count = "sea", most = 3, grade = 2 },
    { "no_number", parts = "island", breaks = function(part, level) return crux.none(part & level.number) end },
    { "divided", connected = "sea" },
    { "two_numbers", parts = "island", breaks = function(part, level) return #(part & level.number) > 1 end },
    { "size", parts = "island", breaks = function(part, level)
      return level.number_at((part & level.number):first()) ~= #part
    end },
  },
  techniques = {
    { "complete", grade = 1, removes = "island",
      find = of_islands(function(island, level) return island.missing == 0 and island.beside or level.nothing end) },
    { "between", grade = 1, removes = "island", find = of_islands(function(island) return island.beside & island.before end) },
    { "island_exit", grade = 4, removes = "sea", find = of_islands(function(island, _, found, open) -- else it is too small
      for x, y in (open & crux.grid.grown(island.cells, island.missing, island.free - found)):cells() do
        local most = #crux.grid.grown(island.cells, island.missing, island.free:without(x, y))
        found = most < #island.cells + island.missing and found:with(x, y) or found
      end
      return found
    end) },
    { "sea_exit", grade = 4, removes = "island", find = function(now, level) -- without it the sea is too small, or in parts
      local known, sea = now.sea - now.open, level.nothing
      for x, y in (crux.any(known) and now.open or level.nothing):cells() do
        local part = level.nothing:with(known:first()):flood(now.sea:without(x, y))
        sea = (crux.any(known - part) or #part < level.sea_size) and sea:with(x, y) or sea
      end
      return sea
    end },
    { "out_of_reach", grade = 6, removes = "island", find = function(now, level)
      return now.open - of_islands(function(island)
        return crux.grid.grown(island.cells, island.missing, island.free)
      end)(now, level)
    end },
  }, guess = 40,
  measures = { { "size", size = true }, { "unique", deduced = true }, { "hardest", deduced = true },
    { "effort", deduced = true }, { "open", deduced = true }, { "guesses", deduced = true } },
  generate = {
    options = { { "width", 5, doc = "columns" }, { "height", 5, doc = "rows" }, { "largest", 4, doc = "cells of an island" } },
    level = function(random, options) -- puts islands into squares of sea until there is none
      local nothing = crux.cells(options.width, options.height)
      local land, numbers, clues = nothing, nothing, {}
      while true do
        local sea = ~land
        local pools = sea & sea:shift "L" & sea:shift "U" & sea:shift "L":shift "U" -- upper left cells of squares of sea
        pools = pools | pools:shift "R" | pools:shift "D" | pools:shift "R":shift "D"
        if crux.none(pools) then return { island = numbers, number = numbers, clues = clues } end
        local x, y = (pools - land:neighbours()):pick(random)
        if not x then return nil end
        local island = nothing:with(x, y)
        for _ = 2, random:integer(1, math.max(1, options.largest)) do
          local to_x, to_y = (island:neighbours() - island - land - land:neighbours()):pick(random)
          island = to_x and island:with(to_x, to_y) or island
        end
        land = land | island
        if #(~land):components() ~= 1 then return nil end
        x, y = island:pick(random)
        numbers = numbers:with(x, y)
        table.insert(clues, { x = x, y = y, number = #island })
      end
    end,
  },
}
