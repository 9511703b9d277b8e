-- Fillomino: give each cell a number. Connected cells with the same number are as many as it says.

-- The function of a technique: what another one finds for each number, by the cells that may have it and those known to.
local function for_each_number(find)
  return function(now, level)
    local found = {}
    for _, number in ipairs(level.values) do find(found, number, now[number], now[number] - now.open, now.open, level) end
    return found
  end
end

return crux.kits.deduce {
  name = "fillomino", doc = "Give each cell a number so that connected cells with the same number are as many as it says.",
  translations = {
    de = { "Geben Sie jedem Feld eine Zahl, so dass zusammenhängende Felder mit gleicher Zahl so viele sind, wie sie sagt." },
    es = { "Dé a cada casilla un número de modo que las casillas conectadas con el mismo sean tantas como él dice." },
    fr = { "Donnez un nombre à chaque case : les cases contiguës de même nombre sont aussi nombreuses qu'il le dit." },
    ja = { "各マスに数字を入れます。同じ数字でつながるマスの数は、その数字と同じです。" },
    zh = { "给每格填数，使相同数字相连的格数等于该数字。" },
  },
  tiles = { { "." }, { "1", "1" }, { "2", "2" }, { "3", "3" }, { "4", "4" }, { "5", "5" }, { "6", "6" }, { "7", "7" },
    { "8", "8" }, { "9", "9" },
    expected = "a number from 1 to 9 or '.'" },
  values = { "1", "2", "3", "4", "5", "6", "7", "8", "9" },
  rules = {
    { "too_small", blocks = function(block) return block.number and #block.cells < block.number end },
    { "same_beside", blocks = function(block) return block.beside[block.number] end },
    { "too_large", blocks = function(block, level) -- a note "largest" bounds all areas
      return #block.cells > math.min(block.number or math.huge, tonumber(level.notes.largest) or math.huge)
    end },
    { "several_numbers", blocks = function(block) return not block.number end },
  },
  techniques = {
    -- Cells beside an area that has all its cells.
    { "complete", grade = 1, find = for_each_number(function(found, number, _, known, open)
      for _, area in ipairs(known:components()) do
        if #area == tonumber(number) then table.insert(found, { [number] = area:neighbours() & open }) end
      end
    end) },
    -- A cell with which the areas beside it are too large together.
    { "joins_too_many", grade = 3, find = for_each_number(function(found, number, able, known, open, level)
      for x, y in (known:neighbours() & open & able):cells() do
        local cell = level.nothing:with(x, y)
        if #cell:flood(known | cell) > tonumber(number) then table.insert(found, { [number] = cell }) end
      end
    end) },
    { "too_little_room", grade = 4, find = for_each_number(function(found, number, able)
      for _, room in ipairs(able:components()) do
        if #room < tonumber(number) then table.insert(found, { [number] = room }) end
      end
    end) },
    -- A cell without which an area has too little room.
    { "only_way", grade = 6, find = for_each_number(function(found, number, able, known, open, level)
      for _, area in ipairs(known:components()) do
        for x, y in (crux.grid.grown(area, tonumber(number) - #area, able) & open):cells() do
          if #area:flood(able:without(x, y)) < tonumber(number) then
            local taken, cell = {}, level.nothing:with(x, y)
            for _, other in ipairs(level.values) do taken[other] = other ~= number and cell or nil end
            table.insert(found, taken)
          end
        end
      end
    end) },
    { "contradiction", grade = 30, trial = 1, further = true },
  },
  guess = 100,
  generate = {
    options = { { "width", 6, doc = "columns" }, { "height", 6, doc = "rows" },
      { "largest", 6, doc = "cells of an area, at most 9" },
      { "givens", 0, doc = "the fewest givens" } },
    solved = function(random, options) -- areas grow at random; one beside another of its size grows on or is given up
      local nothing = crux.cells(options.width, options.height)
      local free, planes = ~nothing, {}
      for number = 1, 9 do planes[tostring(number)] = nothing end
      while crux.any(free) do
        local wanted = random:integer(1, math.min(9, options.largest))
        local x, y = free:first()
        local area = nothing:with(x, y)
        while x and (#area < wanted or crux.any(area:neighbours() & planes[tostring(#area)])) do
          x, y = (area:neighbours() & free - area):pick(random)
          area = x and area:with(x, y) or area
          if #area > 9 then return nil end
        end
        local same = planes[tostring(#area)]
        if crux.any(area:neighbours() & same) then return nil end
        planes[tostring(#area)], free = same | area, free - area
      end
      return planes
    end,
  },
}
