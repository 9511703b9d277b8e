-- Kakuro: fill the cells with digits so that each run has the sum beside or above it, and no digit twice.

-- The language of `length` different digits, with their sum if it is given. A state is the set of digits, by bits.
local languages = {}
local function language_of(length, sum)
  local key = length * 100 + (sum or 0)
  languages[key] = languages[key] or { first = 0, accept = function() return true end, next = function(state, digit, i)
    local bit, left, missing = 1 << tonumber(digit), length - i, sum or 0
    for other = 1, 9 do missing = missing - ((state | bit) >> other & 1) * other end
    local is_possible = not sum or missing >= left * (left + 1) // 2 and missing <= left * (19 - left) // 2
    return state & bit == 0 and is_possible and state | bit or nil
  end }
  return languages[key]
end

-- The sum of a run; nil if it has none.
local function sum_of(run, level)
  local x, y, across = run[1][1], run[1][2], run.across and 1 or 0
  local sums = level.number_at(x - across, y - 1 + across)
  return sums and sums[1 + across] > 0 and sums[1 + across] or nil
end

-- The runs of a level with their sums, or without.
local function runs(has_sums)
  return function(level)
    local list = crux.grid.runs(~level.wall)
    for i, run in ipairs(list) do list[i] = { cells = run, language = language_of(#run, has_sums and sum_of(run, level)) } end
    return list
  end
end

local function check_sums(level)
  for _, run in ipairs(crux.grid.runs(~level.wall)) do
    if not sum_of(run, level) then return "no sum", "one before each run", run[1][1], run[1][2] end
    if #run > 9 then return ("a run of %d cells"):format(#run), "at most 9", run[1][1], run[1][2] end
  end
end

return crux.kits.deduce {
  name = "kakuro", doc = "Fill the cells with digits so that each run has the sum beside or above it, and no digit twice.",
  translations = {
    de = { "Füllen Sie die Felder so mit Ziffern, dass jede Folge die Summe davor oder darüber hat und keine Ziffer zweimal." },
    es = { "Rellene con cifras para que cada tramo tenga la suma de al lado o de arriba, y ninguna cifra dos veces." },
    fr = { "Remplissez de chiffres : chaque suite a la somme à côté ou au-dessus, et aucun chiffre deux fois." },
    ja = { "各列の合計が左または上の数になるように数字を入れます。同じ数字は一つの列に二度使えません。" },
    zh = { "填入数字，使每段之和等于其左或上的数，且同段数字不重复。" },
  },
  tiles = { { "." }, { "#", "wall" }, { "?", "wall", "sums" }, { "1", "1" }, { "2", "2" }, { "3", "3" }, { "4", "4" },
    { "5", "5" }, { "6", "6" }, { "7", "7" }, { "8", "8" }, { "9", "9" },
    expected = "'.', '#' or the sums of the runs below and on the right, as 17\\9" },
  numbers = { "sums", least = 0, most = 45, pair = true }, outside = { "wall" },
  values = { "1", "2", "3", "4", "5", "6", "7", "8", "9" }, look = { { "wall", "wall" } }, check = { check_sums },
  rules = {
    { "twice", of = runs(false), grade = 1 },
    { "sum", of = runs(true), grade = 8 },
  },
  techniques = { { "last_cell", rule = "sum", open = 1, grade = 1 }, { "two_cells", rule = "sum", open = 2, grade = 3 },
    { "three_cells", rule = "sum", open = 3, grade = 5 }, { "contradiction", grade = 40, trial = 3, further = true } },
  guess = 200,
  generate = {
    options = { { "width", 5, doc = "columns, with that of the sums" }, { "height", 5, doc = "rows, with that of the sums" },
      { "walls", { 3, 4 }, doc = "walls among the cells, and more where runs have one cell" } },
    level = function(random, options) -- random digits near both ends, whose sums have fewer ways
      local nothing = crux.cells(options.width, options.height)
      local inner = (~nothing):shift "R":shift "D"
      local wall = (~inner) | (crux.grid.some(random, inner, options.walls) or nothing)
      local lonely = wall
      while crux.any(lonely) do
        lonely = nothing
        for _, run in ipairs(crux.grid.runs(~wall)) do
          lonely = #run == 1 and lonely:with(run[1][1], run[1][2]) or lonely
        end
        wall = wall | lonely
      end
      if #(~wall):components() ~= 1 or 2 * #(~wall) < #inner then return nil end
      local clues, with_sums, columns, row = {}, nothing, {}, nil
      for y = 1, options.height do
        for x = 1, options.width do
          if wall:has(x, y) then -- runs begin behind it, whose sums its clue has
            table.insert(clues, { x = x, y = y, number = { 0, 0 } })
            columns[x], row = { clue = clues[#clues], used = "" }, { clue = clues[#clues], used = "" }
          else
            local free = {}
            for digit in ("192837465"):gmatch "." do
              if #free < 4 and not (columns[x].used .. row.used):find(digit) then table.insert(free, digit) end
            end
            if not free[1] then return nil end
            local digit = random:pick(free)
            for i, run in ipairs { columns[x], row } do
              run.used, run.clue.number[i] = run.used .. digit, run.clue.number[i] + tonumber(digit)
              with_sums = with_sums:with(run.clue.x, run.clue.y)
            end
          end
        end
      end
      return { wall = wall, sums = with_sums, clues = clues }
    end,
  },
}
