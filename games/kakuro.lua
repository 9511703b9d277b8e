-- Kakuro: fill the cells with digits so that each run has the sum beside or above it, and no digit twice.

local digits, tiles = {}, { { "." }, { "#", "wall" }, { "?", "wall", "sums" },
  expected = "'.', '#' or the sums of the runs below and on the right, as 17\\9" }
for digit in ("123456789"):gmatch "." do
  table.insert(digits, digit)
  table.insert(tiles, { digit, digit })
end

-- The language of `length` different digits, with their sum if it is given. A state is the set of digits, by bits.
local languages = {}
local function language_of(length, sum)
  local key = length * 100 + (sum or 0)
  local function total(state)
    local found = 0
    for digit = 1, 9 do found = found + (state >> digit & 1) * digit end
    return found
  end
  local function next_state(state, digit, i)
    local bit, left = 1 << tonumber(digit), length - i
    if state & bit ~= 0 then return nil end
    local missing = (sum or 0) - total(state | bit)
    local is_possible = missing >= left * (left + 1) // 2 and missing <= left * (19 - left) // 2
    return (not sum or is_possible) and state | bit or nil
  end
  languages[key] = languages[key] or { first = 0, next = next_state, accept = function() return true end }
  return languages[key]
end

-- The runs of a level with their sums, or without.
local function runs(has_sums)
  return function(level)
    local list = crux.grid.runs(~level.wall)
    for i, run in ipairs(list) do list[i] = { cells = run, language = language_of(#run, has_sums and level.sum_of(run)) } end
    return list
  end
end

local function check_sums(level)
  for _, run in ipairs(crux.grid.runs(~level.wall)) do
    if not level.sum_of(run) then return "no sum", "one before each run", run[1][1], run[1][2] end
    if #run > 9 then return ("a run of %d cells"):format(#run), "at most 9", run[1][1], run[1][2] end
  end
end

local doc = "Fill the cells with digits so that each run has the sum beside or above it, and no digit twice."

return crux.kits.deduce {
  name = "kakuro", doc = doc,
  translations = {
    de = { [doc] =
      "Füllen Sie die Felder so mit Ziffern, dass jede Folge die Summe davor oder darüber hat und keine Ziffer zweimal." },
    es = { [doc] = "Rellene con cifras para que cada tramo tenga la suma de al lado o de arriba, y ninguna cifra dos veces." },
    fr = { [doc] = "Remplissez de chiffres : chaque suite a la somme à côté ou au-dessus, et aucun chiffre deux fois." },
    ja = { [doc] = "各列の合計が左または上の数になるように数字を入れます。同じ数字は一つの列に二度使えません。" },
    zh = { [doc] = "填入数字，使每段之和等于其左或上的数，且同段数字不重复。" },
  },
  tiles = tiles, numbers = { "sums", least = 0, most = 45, pair = true }, outside = { "wall" }, values = digits,
  look = { { "wall", "wall" } }, check = { check_sums },
  board = function(level)
    local sums = {}
    for _, clue in ipairs(level.clues) do sums[clue.y * 1000 + clue.x] = clue.number end
    function level.sum_of(run)
      local x, y = run[1][1], run[1][2]
      local sum = (sums[run.across and y * 1000 + x - 1 or (y - 1) * 1000 + x] or { 0, 0 })[run.across and 2 or 1]
      return sum > 0 and sum or nil
    end
  end,
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
      local at, sums, used, clues = {}, {}, {}, {}
      for i, run in ipairs(crux.grid.runs(~wall)) do
        local key = run.across and run[1][2] * 1000 + run[1][1] - 1 or (run[1][2] - 1) * 1000 + run[1][1]
        sums[key] = sums[key] or { 0, 0 }
        for _, cell in ipairs(run) do
          local place = cell[2] * 1000 + cell[1]
          at[place] = at[place] or {}
          at[place][run.across and 2 or 1], used[i] = { run = i, key = key }, {}
        end
      end
      for x, y in (~wall):cells() do
        local below, right = at[y * 1000 + x][1], at[y * 1000 + x][2]
        local free = {}
        for _, digit in ipairs { 1, 9, 2, 8, 3, 7, 4, 6, 5 } do
          if #free < 4 and not used[below.run][digit] and not used[right.run][digit] then table.insert(free, digit) end
        end
        if not free[1] then return nil end
        local digit = random:pick(free)
        used[below.run][digit], used[right.run][digit] = true, true
        sums[below.key][1], sums[right.key][2] = sums[below.key][1] + digit, sums[right.key][2] + digit
      end
      local with_sums = nothing
      for key, pair in pairs(sums) do
        table.insert(clues, { x = key % 1000, y = key // 1000, number = pair })
        with_sums = with_sums:with(key % 1000, key // 1000)
      end
      return { wall = wall, sums = with_sums, clues = clues }
    end,
  },
}
