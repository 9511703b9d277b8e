-- Happy Cube: put six pieces with teeth together to a cube.
--
-- A level has five lines of six words: the pieces side by side, five squares a side, "#" where a piece is and "." where it is
-- cut away. The nine squares in the middle of each are there. A piece may be turned and turned over.
--
-- The cube is an exact cover: one laid piece has each face, each piece and each of the 44 cells along edges and at corners. The
-- first piece lies on the first face as it is drawn, so solutions that are one cube, turned or mirrored, count once.
local faces = { { "U", 2, 1 }, { "L", 1, 2 }, { "F", 2, 2 }, { "R", 3, 2 }, { "B", 4, 2 }, { "D", 2, 3 } } -- in the net
local spare = { { 1, 1 }, { 3, 1 }, { 4, 1 }, { 1, 3 }, { 3, 3 }, { 4, 3 } } -- where the net has room for pieces in hand
local steps = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }

-- The cell of the cube under column u and row v of a face, both from 0 on.
local places = {
  U = function(u, v) return u, 0, v end,
  L = function(u, v) return 0, v, u end,
  F = function(u, v) return u, v, 4 end,
  R = function(u, v) return 4, v, 4 - u end,
  B = function(u, v) return 4 - u, v, 0 end,
  D = function(u, v) return u, 4, 4 - v end,
}

-- Numbers of the cells along edges, from 13 on, by face and square; items 1 to 6 are faces, 7 to 12 pieces.
local numbers, known, last = {}, {}, 12
for i, face in ipairs(faces) do
  numbers[i] = {}
  for at = 0, 24 do
    local u, v = at % 5, at // 5
    if u % 4 == 0 or v % 4 == 0 then
      local x, y, z = places[face[1]](u, v)
      local key = 25 * x + 5 * y + z
      if not known[key] then
        last = last + 1
        known[key] = last
      end
      numbers[i][at] = known[key]
    end
  end
end

-- True if a piece fills square `at` when it lies in one of 8 ways: turned by 0 to 3 quarters, and the same turned over.
local function fills(piece, way, at)
  local u, v = at % 5, at // 5
  if way > 4 then u = 4 - u end
  for _ = 2, (way - 1) % 4 + 1 do u, v = v, 4 - u end
  return piece[5 * v + u]
end

-- The items that a piece covers on a face.
local function items_of(level, face, number, way)
  local items = { face, 6 + number }
  for at = 0, 24 do
    if numbers[face][at] and fills(level.pieces[number], way, at) then table.insert(items, numbers[face][at]) end
  end
  return items
end

-- The exact cover, and face, piece and way of each of its options; ways that look the same are one.
local function problem_of(level)
  local problem, laid, seen = { items = last, options = {} }, {}, {}
  for face = 1, 6 do
    for number = 1, 6 do
      for way = 1, 8 do
        local items = items_of(level, face, number, way)
        table.sort(items)
        local key = table.concat(items, " ")
        if not seen[key] and (number == 1) == (face == 1) and (number > 1 or way == 1) then
          table.insert(problem.options, items)
          table.insert(laid, { face, number, way })
        end
        seen[key] = true
      end
    end
  end
  return problem, laid
end

local function solve(level, options)
  local problem, laid = problem_of(level)
  local solution = crux.exact_cover.solve(problem, { count = options.count, nodes = options.states, seconds = options.seconds,
    bytes = options.bytes })
  if solution.limit == "nodes" then solution.limit = "states" end
  if not solution.pieces then return solution end
  solution.length, solution.problem, solution.laid, solution.text = 6, problem, {}, ""
  for _, option in ipairs(solution.pieces) do
    local face, number, way = table.unpack(laid[option])
    solution.laid[face] = { number, way }
  end
  for face = 1, 6 do
    local number, way = table.unpack(solution.laid[face])
    solution.text = ("%s%s%d%s "):format(solution.text, faces[face][1], number, (" abcdefgh"):sub(way + 1, way + 1))
  end
  solution.text = solution.text:sub(1, -2)
  return solution
end

local function parse(text)
  local level, y = { pieces = { {}, {}, {}, {}, {}, {} } }, 0
  for line in text:gmatch "[^\n]+" do
    y = y + 1
    local words = 0
    for at, word in line:gmatch "()(%S+)" do
      words = words + 1
      if #word ~= 5 or word:find "[^#.]" or y % 4 ~= 1 and word:sub(2, 4) ~= "###" and y > 1 and y < 5 then
        crux.refuse(("%q"):format(word), "five of # and ., with ### in the middle of rows 2 to 4", at, y)
      end
      for u = 0, words <= 6 and 4 or -1 do level.pieces[words][5 * (y - 1) + u] = word:sub(u + 1, u + 1) == "#" end
    end
    if words ~= 6 then crux.refuse(words .. " pieces", "six", 1, y) end
  end
  if y ~= 5 then crux.refuse(y .. " rows", "five") end
  return level
end

local function format(level)
  local rows = {}
  for v = 0, 4 do
    local words = {}
    for number, piece in ipairs(level.pieces) do
      words[number] = ""
      for u = 0, 4 do words[number] = words[number] .. (piece[5 * v + u] and "#" or ".") end
    end
    rows[v + 1] = table.concat(words, " ")
  end
  return table.concat(rows, "\n")
end

-- Calls a function for each piece with its place in the net and its way: those laid on faces, and those in hand.
local function each_piece(laid, call)
  local used = {}
  for face, pair in pairs(laid) do
    used[pair[1]] = true
    call(pair[1], faces[face][2], faces[face][3], pair[2])
  end
  for number = 1, 6 do
    if not used[number] then call(number, spare[number][1], spare[number][2], 1) end
  end
end

-- The number of cells that are filled once, and of those that are filled more often.
local function filled(level, laid)
  local count, once, twice = {}, 0, 0
  for face, pair in pairs(laid) do
    for _, item in ipairs(items_of(level, face, pair[1], pair[2])) do
      count[item] = (count[item] or 0) + 1
      once, twice = once + (count[item] == 1 and item > 12 and 1 or 0), twice + (count[item] == 2 and 1 or 0)
    end
  end
  return once, twice
end

local function told(level, laid)
  local once, twice = filled(level, laid)
  return ("%d of 44 cells filled, %d twice"):format(once, twice)
end

local function draw(level, laid)
  local lines = {}
  for y = 1, 18 do lines[y] = (" "):rep(24) end
  each_piece(laid, function(number, x, y, way)
    for v = 0, 4 do
      local text = ""
      for u = 0, 4 do
        text = text .. (fills(level.pieces[number], way, 5 * v + u) and (u == 2 and v == 2 and number or "#") or ".")
      end
      local row = 6 * (y - 1) + v + 1
      lines[row] = lines[row]:sub(1, 6 * (x - 1)) .. text .. lines[row]:sub(6 * x)
    end
  end)
  return table.concat(lines, "\n"):gsub(" +\n", "\n"):gsub("%s+$", "")
end

local colours = { "red", "blue", "green", "yellow", "magenta", "cyan" }

local function paint(level, solution, canvas, now)
  local laid = now and now.laid or solution and solution.laid or {}
  canvas:size(4, 3)
  for _, face in ipairs(faces) do
    local left, top, right, bottom = face[2] - 0.5, face[3] - 0.5, face[2] + 0.5, face[3] + 0.5
    canvas:line({ { left, top }, { right, top }, { right, bottom }, { left, bottom }, { left, top } }, "white", 0.03)
  end
  each_piece(laid, function(number, x, y, way)
    for at = 0, 24 do
      if fills(level.pieces[number], way, at) then
        canvas:cell(x + (at % 5 - 2) * 0.19, y + (at // 5 - 2) * 0.19, colours[number], 0.19)
      end
    end
  end)
  if now then canvas:note(told(level, laid)) end
end

-- The position with a piece in a way on the face at the cursor.
local function with(position, pair)
  local laid = {}
  for face, other in pairs(position.laid) do laid[face] = other end
  laid[position.face] = pair
  return { face = position.face, laid = laid }
end

local play = {
  keys = { { "up left down right", "choose a face" }, { "space", "next piece" }, { "t", "turn it" }, { "o", "turn it over" } },
  click = "space",
  start = function() return { face = 1, laid = {} } end,
  step = function(position, key)
    local pair, used = position.laid[position.face], {}
    if steps[key] then
      for face, row in ipairs(faces) do
        local here = faces[position.face]
        if row[2] == here[2] + steps[key][1] and row[3] == here[3] + steps[key][2] then
          return { face = face, laid = position.laid }, false
        end
      end
      return nil
    end
    if key == "t" then return pair and with(position, { pair[1], (pair[2] - 1) // 4 * 4 + pair[2] % 4 + 1 }) end
    if key == "o" then return pair and with(position, { pair[1], (pair[2] + 3) % 8 + 1 }) end
    for _, other in pairs(position.laid) do used[other[1]] = true end
    for number = (pair and pair[1] or 0) + 1, 6 do
      if not used[number] then return with(position, { number, 1 }) end
    end
    return pair and with(position, nil)
  end,
  done = function(position, level)
    local once, twice = filled(level, position.laid)
    return once == 44 and twice == 0
  end,
  draw = function(position, level) return draw(level, position.laid) .. "\n" .. told(level, position.laid) end,
  cursor = function(position) return 6 * faces[position.face][2] - 3, 6 * faces[position.face][3] - 3 end,
  square = function(position) return faces[position.face][2], faces[position.face][3] end,
  told = function(position)
    local rows = { {}, {}, {} }
    for face, row in ipairs(faces) do
      local pair = position.laid[face]
      rows[row[3] ][row[2] ] = "face " .. row[1] .. (pair and (": piece %d, way %d"):format(pair[1], pair[2]) or "")
    end
    return rows
  end,
  -- Lays the first face that differs from the solution.
  hint = function(position, _, solution)
    for face, pair in ipairs(solution.laid) do
      local here = position.laid[face]
      if not here or here[1] ~= pair[1] or here[2] ~= pair[2] then
        local changed = with({ face = face, laid = position.laid }, pair)
        for other, laid in pairs(changed.laid) do
          if other ~= face and laid[1] == pair[1] then changed.laid[other] = nil end
        end
        return changed
      end
    end
  end,
}

-- The faces that may have a cell along edges: those beside it; a corner only a face that has a cell beside the corner.
local function owners_of(item, owners)
  local may = {}
  for face = 1, 6 do
    for at, other in pairs(numbers[face]) do
      local u, v = at % 5, at // 5
      if other == item and (u % 4 > 0 or v % 4 > 0 or owners[numbers[face][5 * v + (u == 0 and 1 or 3)]] == face
        or owners[numbers[face][5 * (v == 0 and 1 or 3) + u]] == face) then table.insert(may, face) end
    end
  end
  return may
end

-- The cells along edges that are no corners, then the corners: those that three faces have.
local cells = {}
for _, count in ipairs { 2, 3 } do
  for item = 13, last do
    local found = 0
    for face = 1, 6 do
      for _, other in pairs(numbers[face]) do found = found + (other == item and 1 or 0) end
    end
    if found == count then table.insert(cells, item) end
  end
end

-- The level of a cube whose cells belong to faces, its pieces in random order and ways.
local function cut(owners, random, options)
  local pieces = {}
  for i, face in ipairs(random:shuffle { 1, 2, 3, 4, 5, 6 }) do
    local way, whole = random:integer(1, 8), {}
    pieces[i] = {}
    for at = 0, 24 do whole[at] = not numbers[face][at] or owners[numbers[face][at]] == face end
    for at = 0, 24 do pieces[i][at] = fills(whole, way, at) end
  end
  local level = { pieces = pieces }
  return solve(level, { count = true }).solutions <= options.solutions and level or nil, "more solutions than wanted"
end

-- A cube whose cells along edges belong to faces at random.
local function generate(random, options)
  local owners = {}
  for _, item in ipairs(cells) do
    local may = owners_of(item, owners)
    if #may == 0 then return nil, "a corner belongs to no face" end
    owners[item] = random:pick(may)
  end
  return cut(owners, random, options)
end

-- The cube of a level in which a cell belongs to another face, as do the corners that held on to it.
local function vary(level, random, options)
  local owners, changed = {}, random:pick(cells)
  for face, pair in pairs(solve(level, {}).laid or {}) do
    for _, item in ipairs(items_of(level, face, pair[1], pair[2])) do owners[item] = face end
  end
  for _, item in ipairs(cells) do
    local may, stays = owners_of(item, owners), false
    for _, face in ipairs(may) do stays = stays or face == owners[item] and item ~= changed end
    if #may == 0 then return nil end
    if not stays then owners[item] = random:pick(may) end
  end
  return cut(owners, random, options)
end

local game = crux.game "happycube"
game.doc = "Put the six pieces together to a cube without holes."
game.words = true
game.translations = {
  de = { "Setzen Sie die sechs Teile zu einem Würfel ohne Löcher zusammen.",
    ["choose a face"] = "eine Seite wählen", ["next piece"] = "nächstes Teil",
    ["turn it"] = "drehen", ["turn it over"] = "umdrehen",
    ["# of # cells filled"] = "# von # Feldern gefüllt", ["# twice"] = "# doppelt",
    ["piece #"] = "Teil #", ["way #"] = "Lage #" },
  es = { "Junte las seis piezas para formar un cubo sin huecos.",
    ["choose a face"] = "elegir una cara", ["next piece"] = "pieza siguiente",
    ["turn it"] = "girarla", ["turn it over"] = "darle la vuelta",
    ["# of # cells filled"] = "# de # casillas llenas", ["# twice"] = "# dobles",
    ["piece #"] = "pieza #", ["way #"] = "posición #" },
  fr = { "Assemblez les six pièces en un cube sans trous.",
    ["choose a face"] = "choisir une face", ["next piece"] = "pièce suivante",
    ["turn it"] = "la tourner", ["turn it over"] = "la retourner",
    ["# of # cells filled"] = "# cases sur # remplies", ["# twice"] = "# en double",
    ["piece #"] = "pièce #", ["way #"] = "position #" },
  ja = { "六つのピースを組み合わせて、穴のない立方体を作ってください。",
    ["choose a face"] = "面を選ぶ", ["next piece"] = "次のピース",
    ["turn it"] = "回す", ["turn it over"] = "裏返す",
    ["# of # cells filled"] = "# / # マスが埋まった", ["# twice"] = "# 個が重複",
    ["piece #"] = "ピース #", ["way #"] = "向き #" },
  zh = { "把六块拼片拼成一个没有空洞的立方体。",
    ["choose a face"] = "选择一面", ["next piece"] = "下一块", ["turn it"] = "旋转", ["turn it over"] = "翻面",
    ["# of # cells filled"] = "已填 # / # 格", ["# twice"] = "# 格重复",
    ["piece #"] = "拼片 #", ["way #"] = "朝向 #" },
}
game.parse, game.format, game.solve, game.play, game.paint = parse, format, solve, play, paint
game.generate, game.vary = generate, vary
game.options = { { "solutions", 8, doc = "the most solutions" } }
function game.draw(level, solution) return draw(level, solution and solution.laid or {}) end

for _, row in ipairs {
  { "alike", kind = "initial", doc = "pairs of pieces with the same shape, turned or turned over", function(level)
    local sum = 0
    for a = 2, 6 do
      for b = 1, a - 1 do
        local is_same = false
        for way = 1, 8 do
          local equal = true
          for at = 0, 24 do equal = equal and level.pieces[a][at] == fills(level.pieces[b], way, at) end
          is_same = is_same or equal
        end
        sum = sum + (is_same and 1 or 0)
      end
    end
    return sum
  end },
  { "solutions", kind = "dynamic", count = true, doc = "number of solutions; a cube turned or mirrored is the same",
    function(_, solution) return solution.solutions end },
} do
  game.measure(row)
end
for _, row in ipairs(crux.exact_cover.measures()) do game.measure(row) end

return game
