-- Fillomino: give each cell a number. Connected cells with the same number are as many as it says.

local numbers, tiles = {}, { { "." }, expected = "a number from 1 to 9 or '.'" }
for number in ("123456789"):gmatch "." do
  table.insert(numbers, number)
  table.insert(tiles, { number, number })
end

-- The areas of a number of which some cells are known.
local function areas(now, number)
  return (now[number] - now.open):components()
end

local doc = "Give each cell a number so that connected cells with the same number are as many as it says."

return crux.kits.deduce {
  name = "fillomino", doc = doc,
  translations = {
    de = { [doc] =
      "Geben Sie jedem Feld eine Zahl, so dass zusammenhängende Felder mit gleicher Zahl so viele sind, wie sie sagt." },
    es = { [doc] = "Dé a cada casilla un número de modo que las casillas conectadas con el mismo sean tantas como él dice." },
    fr = { [doc] =
      "Donnez à chaque case un nombre, de sorte que les cases contiguës de même nombre soient aussi nombreuses qu'il le dit." },
    ja = { [doc] = "各マスに数字を入れます。同じ数字でつながるマスの数は、その数字と同じです。" },
    zh = { [doc] = "给每格填数，使相同数字相连的格数等于该数字。" },
  },
  tiles = tiles, values = numbers,
  rules = {
    { "too_small", blocks = function(block) return block.number and #block.cells < block.number end },
    { "same_beside", blocks = function(block) return block.beside[block.number] end },
    { "too_large", blocks = function(block, level) -- a note "largest" bounds all areas
      return #block.cells > math.min(block.number or math.huge, tonumber(level.notes.largest) or math.huge)
    end },
    { "several_numbers", blocks = function(block) return not block.number end },
  },
  techniques = {
    { "complete", grade = 1, find = function(now) -- cells beside an area that has all its cells
      local found = {}
      for _, number in ipairs(numbers) do
        for _, area in ipairs(areas(now, number)) do
          if #area == tonumber(number) then table.insert(found, { [number] = area:neighbours() & now.open }) end
        end
      end
      return found
    end },
    { "joins_too_many", grade = 3, find = function(now) -- with a cell, areas beside it are too large together
      local found, nothing = {}, now.open - now.open
      for _, number in ipairs(numbers) do
        local known = now[number] - now.open
        for x, y in (known:neighbours() & now.open & now[number]):cells() do
          local cell = nothing:with(x, y)
          if #cell:flood(known | cell) > tonumber(number) then table.insert(found, { [number] = cell }) end
        end
      end
      return found
    end },
    { "too_little_room", grade = 4, find = function(now)
      local found = {}
      for _, number in ipairs(numbers) do
        for _, room in ipairs(now[number]:components()) do
          if #room < tonumber(number) then table.insert(found, { [number] = room }) end
        end
      end
      return found
    end },
    { "only_way", grade = 6, find = function(now) -- without the cell, an area has too little room
      local found, nothing = {}, now.open - now.open
      for _, number in ipairs(numbers) do
        for _, area in ipairs(areas(now, number)) do
          local room = area
          for _ = #area + 1, tonumber(number) do room = room | room:neighbours() & now[number] end
          for x, y in (#area < tonumber(number) and room & now.open or nothing):cells() do
            if #area:flood(now[number]:without(x, y)) < tonumber(number) then
              local taken, cell = {}, nothing:with(x, y)
              for _, other in ipairs(numbers) do taken[other] = other ~= number and cell or nil end
              table.insert(found, taken)
            end
          end
        end
      end
      return found
    end },
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
      for _, number in ipairs(numbers) do planes[number] = nothing end
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
