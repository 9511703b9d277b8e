-- Trainyard: draw tracks that lead every train to a station that takes its colour.
--
-- A level has a word for each square: "." is free, "#" a rock, ">RRB" a station that sends two red trains and a blue one to the
-- right, one a tick, "=RB" one that takes a red and a blue train, in any order and from any side, "=RB:ns" from above or below.
-- "ns", "ew", "ne", "nw", "se" and "sw" are drawn tracks, by the sides that they join; "ne+ew" are two of them.
--
-- In a tick a train crosses a square. Where two tracks share a side, the first one holds, then the other: a switch, which turns
-- after each train that crosses it. Trains meet in a square at the same tick, unless on two curves that do not touch, and at a
-- side that they cross against each other: all get the colour that theirs make (red and blue purple, red and yellow orange,
-- blue and yellow green, all others brown). Those that leave a square by one side at the same tick become one train. Trains
-- that still run when there were four ticks for each square of the board run for ever.
local sides = { n = { 0, -1, "s" }, e = { 1, 0, "w" }, s = { 0, 1, "n" }, w = { -1, 0, "e" } }
local ways = { ["^"] = "n", [">"] = "e", ["v"] = "s", ["<"] = "w" }
local side_of = { up = "n", right = "e", down = "s", left = "w" }
local pieces = { "ns", "ew", "ne", "nw", "se", "sw" }
local colours = { R = "red", Y = "yellow", B = "blue", O = "bright red", G = "green", P = "magenta", N = "white" }
local names = { R = "red", Y = "yellow", B = "blue", O = "orange", G = "green", P = "purple", N = "brown" }
local made = { BR = "P", RB = "P", RY = "O", YR = "O", BY = "G", YB = "G" }
local lines = { ns = "│", ew = "─", ne = "└", nw = "┘", se = "┌", sw = "┐" }
local switches = { n = "┬", e = "┤", s = "┴", w = "├" } -- by the side that has no track

local function other(piece, side) return (piece:gsub(side, "")) end

local function is_switch(list) return list[2] ~= nil and list[1]:find("[" .. list[2] .. "]") ~= nil end

local function curves(list)
  return list[2] ~= nil and not is_switch(list) and list[1] ~= "ns" and list[1] ~= "ew"
end

-- The number of the square beside one; there is a border around the board.
local function beside(level, cell, side) return cell + sides[side][1] + sides[side][2] * (level.width + 2) end
local function place(level, cell) return cell % (level.width + 2), cell // (level.width + 2) end

-- The colour of trains that meet.
local function mix(trains)
  local list = ""
  for _, train in ipairs(trains) do list = list .. (list:find(train.colour) and "" or train.colour) end
  return #list == 1 and list or made[list] or "N"
end

-- Trains with the same key meet.
local function meet(trains, key, result)
  local groups = {}
  for _, train in ipairs(trains) do
    local name = key(train)
    groups[name] = groups[name] or {}
    table.insert(groups[name], train)
  end
  for _, group in pairs(groups) do
    local colour = mix(group)
    if #group > 1 then result.met = result.met + 1 end
    for _, train in ipairs(group) do
      if train.colour ~= colour then result.mixed = result.mixed + 1 end
      train.colour = colour
    end
  end
end

-- The track of a square that a train takes, which comes in by a side after a number of others; nil if there is none.
local function track_at(list, side, passes)
  local first = is_switch(list) and passes % 2 == 1 and 2 or 1
  return list[first]:find(side) and list[first] or list[3 - first] and list[3 - first]:find(side) and list[3 - first] or nil
end

-- Takes a train into a station; nil if it does not take it.
local function taken(level, train, wants)
  local goal, left = level.goals[train.cell], wants[train.cell]
  local at = goal and goal.sides:find(train.side) and left:find(train.colour)
  if at then wants[train.cell] = left:sub(1, at - 1) .. left:sub(at + 1) end
  return at
end

-- Runs the trains on tracks, lists of at most two by square: whether it is `solved`, and what is `told`; the `cell` and `side`
-- of a fault; `ticks`, and how often trains `met` and one changed its colour (`mixed`).
local function run(level, tracks, searching)
  local result, trains, passes, wants = { ticks = 0, met = 0, mixed = 0 }, {}, {}, {}
  for cell, goal in pairs(level.goals) do wants[cell] = goal.wants end
  local function fault(train, text)
    result.told, result.cell, result.side = ("tick %d: the %s train %s at column %d, row %d"):format(result.ticks,
      names[train.colour], text, place(level, train.cell)), train.cell, train.side
    return result
  end
  while true do
    result.ticks = result.ticks + 1
    for _, station in ipairs(level.stations) do
      local colour = station.trains:sub(result.ticks, result.ticks)
      if colour ~= "" then
        local side = station.side
        table.insert(trains, { cell = beside(level, station.cell, side), side = sides[side][3], colour = colour })
      end
    end
    if #trains == 0 and result.ticks > level.longest then break end
    meet(trains, function(train)
      return train.cell + beside(level, train.cell, train.side) .. ((train.side == "e" or train.side == "w") and "-" or "|")
    end, result)
    local moved, entered = {}, {}
    for _, train in ipairs(trains) do
      local cell, list, before = train.cell, tracks[train.cell], passes[train.cell] or 0
      -- A search may draw another track where a second train comes.
      local stops = not list or searching and not list.whole and (before > 0 or entered[cell] or not list[1]:find(train.side))
      train.track = not stops and track_at(list, train.side, before)
      if train.track then
        entered[cell] = (entered[cell] or 0) + 1
        table.insert(moved, train)
      elseif not taken(level, train, wants) then
        result.open = stops and level.free[cell]
        return fault(train, level.goals[cell] and "is not taken" or "has no track")
      end
    end
    for cell, count in pairs(entered) do passes[cell] = (passes[cell] or 0) + count end
    meet(moved, function(train) return train.cell .. (curves(tracks[train.cell]) and train.track or "") end, result)
    trains = {}
    local left = {} -- squares and the sides by which trains leave them
    for _, train in ipairs(moved) do
      local out = other(train.track, train.side)
      if not left[train.cell .. out] then
        table.insert(trains, { cell = beside(level, train.cell, out), side = sides[out][3], colour = train.colour })
      end
      left[train.cell .. out] = true
    end
    if trains[1] and result.ticks > level.longest + 4 * #level.order then return fault(trains[1], "runs for ever") end
  end
  result.ticks = result.ticks - 1
  for _, cell in ipairs(level.order) do
    if (wants[cell] or "") ~= "" then
      local x, y = place(level, cell)
      result.told = ("the station at column %d, row %d lacks a %s train"):format(x, y, names[wants[cell]:sub(1, 1)])
    end
  end
  result.solved = not result.told
  result.told = result.told or ("all trains arrive after %d ticks"):format(result.ticks)
  return result
end

-- The tracks that a square may get where a train stops at a side: one more, as the first or the second, or no other.
local function choices(list, side)
  local found = {}
  if list and list[1]:find(side) then table.insert(found, { list[1], whole = true }) end
  for _, piece in ipairs(pieces) do
    if not list and piece:find(side) then table.insert(found, { piece }) end
    if list and piece ~= list[1] and (piece .. list[1]):find(side) then
      local pair = { list[1], piece, whole = true }
      table.insert(found, pair)
      if is_switch(pair) then table.insert(found, { piece, list[1], whole = true }) end
    end
  end
  return found
end

-- Tracks as one line.
local function written(level, tracks)
  local words = {}
  for _, cell in ipairs(level.order) do
    local x, y = place(level, cell)
    if tracks[cell] then table.insert(words, ("%d,%d:%s"):format(x, y, table.concat(tracks[cell], "+"))) end
  end
  return table.concat(words, " ")
end

-- A copy of tracks in which a square has others.
local function with(tracks, cell, list)
  local changed = {}
  for key, value in pairs(tracks) do changed[key] = value end
  changed[cell or 0] = list
  return changed
end

-- The least number of tracks that a level still needs: the most squares between a station that takes trains and the nearest
-- track, or start of trains.
local function missing(level, tracks)
  local most = 0
  for goal in pairs(level.goals) do
    local x, y = place(level, goal)
    local least = math.huge
    local function look(cell)
      local from_x, from_y = place(level, cell)
      least = math.min(least, math.abs(from_x - x) + math.abs(from_y - y) - 1)
    end
    for cell in pairs(tracks) do look(cell) end
    for _, station in ipairs(level.stations) do look(station.cell) end
    most = math.max(most, least)
  end
  return most
end

-- Searches for the fewest tracks, those that are drawn included: trains run until one stops, whose square gets another track.
local function solve(level, options)
  local tracks, most, is_cut, found = with(level.tracks), options.states or 30000
  local solution = { status = "unknown", expanded = 0, generated = 0 }
  local function follow(left)
    local result = run(level, tracks, true)
    solution.expanded = solution.expanded + 1
    if not result.open then return result.solved and result end
    local before = tracks[result.cell]
    for _, list in ipairs(choices(before, result.side)) do
      local rest = left - #list + #(before or {})
      tracks[result.cell] = list
      if rest < 0 or rest < missing(level, tracks) then
        is_cut = true
      elseif solution.generated < most then
        solution.generated = solution.generated + 1
        local reached = follow(rest)
        if reached then return reached end
      end
    end
    tracks[result.cell] = before
  end
  local left = 0
  repeat
    is_cut = false
    found = follow(left)
    left = left + 1
  until found or not is_cut or solution.generated >= most
  if found then
    solution.status, solution.tracks, solution.run, solution.length = "solved", tracks, found, 0
    for _, list in pairs(tracks) do solution.length = solution.length + #list end
    solution.text = written(level, tracks)
  elseif solution.generated >= most then
    solution.limit = "states"
  else
    solution.status = "unsolvable"
  end
  return solution
end

-- Reads a word of a level's text into a square; false if it means nothing.
local function read(level, word, cell)
  local way, sent = word:match "^([%^>v<])([RYBOGPN]+)$"
  local wants, open = word:match "^=([RYBOGPN]+):?([nesw]*)$"
  local first, second = word:match "^(%l%l)%+?(%l?%l?)$"
  if way then
    table.insert(level.stations, { cell = cell, side = ways[way], trains = sent })
    level.trains, level.longest = level.trains + #sent, math.max(level.longest, #sent)
  elseif wants and (open ~= "" or word:sub(-1) ~= ":") then
    level.goals[cell] = { wants = wants, sides = open == "" and "nesw" or open }
  elseif first and lines[first] and second ~= first and (word == first or lines[second] and #word == 5) then
    level.tracks[cell], level.free[cell] = { first, lines[second] and second or nil, whole = true }, true
  elseif word == "." then
    level.free[cell] = true
  elseif word == "#" then
    level.rocks = level.rocks + 1
  else
    return false
  end
  table.insert(level.order, cell)
  return true
end

local function parse(text)
  local width = select(2, text:match "^[^\n]*":gsub("%S+", ""))
  local level = { width = width, height = 0, stations = {}, goals = {}, tracks = {}, free = {}, order = {}, words = {},
    rocks = 0, trains = 0, longest = 0, breadth = 1 }
  for line in text:gmatch "[^\n]+" do
    local y, row = level.height + 1, {}
    level.height, level.words[y] = y, row
    for at, word in line:gmatch "()(%S+)" do
      table.insert(row, word)
      level.breadth = math.max(level.breadth, lines[word:sub(1, 2)] and 1 or #word)
      if not read(level, word, y * (level.width + 2) + #row) then
        crux.refuse(("%q"):format(word), "'.', '#', a station ('>RB' or '=RB:ns') or tracks ('ns' or 'ne+ew')", at, y)
      end
    end
    if #row ~= level.width then crux.refuse(#row .. " squares", level.width .. " as in the first row", 1, y) end
  end
  if math.max(level.width, level.height) > 20 then crux.refuse("more than 20 squares along a side", "at most 20") end
  if #level.stations == 0 then crux.refuse("no station that sends trains", "at least one, such as '>R'") end
  if not next(level.goals) then crux.refuse("no station that takes trains", "at least one, such as '=R'") end
  return level
end

-- The character of a square's tracks.
local function character(list)
  if not list[2] then return lines[list[1]] end
  if not is_switch(list) then return curves(list) and "╳" or "┼" end
  return switches[("nesw"):gsub("[" .. list[1] .. list[2] .. "]", "")]
end

local function draw(level, tracks)
  local rows = {}
  for y, row in ipairs(level.words) do
    local line = {}
    for x, word in ipairs(row) do
      local list = tracks[y * (level.width + 2) + x]
      local text = list and character(list) or lines[word:sub(1, 2)] and "." or word
      line[x] = text .. (list and table.concat(list):find "e" and "─" or " ")
        :rep(level.breadth + 1 - (list and 1 or #text))
    end
    rows[y] = table.concat(line):gsub(" +$", "")
  end
  return table.concat(rows, "\n")
end

local function told(level, tracks) return run(level, tracks).told end

local function paint(level, solution, canvas, now)
  local tracks = now and now.tracks or solution and solution.tracks or level.tracks
  canvas:size(level.width, level.height)
  canvas:grid()
  for _, cell in ipairs(level.order) do
    local x, y = place(level, cell)
    local word, list = level.words[y][x], tracks[cell] or {}
    if word == "#" then canvas:cell(x, y, "wall") end
    for i = #list, 1, -1 do
      local a, b = sides[list[i]:sub(1, 1)], sides[list[i]:sub(2)]
      local bend = curves(list) and 0.25 or 0 -- of curves that do not touch
      canvas:line({ { x + a[1] / 2, y + a[2] / 2 }, { x + (a[1] + b[1]) * bend, y + (a[2] + b[2]) * bend },
        { x + b[1] / 2, y + b[2] / 2 } }, i == 1 and "bright white" or "white", i == 1 and 0.12 or 0.08)
    end
    local mark, trains = word:match "^([=%^>v<])(%u+)"
    for i = 1, #(trains or "") do
      local at = x + (i - (#trains + 1) / 2) * 0.8 / #trains
      canvas[mark == "=" and "ring" or "disc"](canvas, at, y, colours[trains:sub(i, i)], 0.6 / #trains)
    end
    local out = sides[ways[mark]]
    if out then canvas:arrow({ { x, y }, { x + out[1] / 2, y + out[2] / 2 } }, "white", 0.08) end
  end
  if now then canvas:note(told(level, tracks)) end
end

-- The position after the cursor went to a side of its square, and drew there if it holds the pencil.
local function after_arrow(position, side, level)
  local cell = beside(level, position.cell, side)
  local x, y = place(level, cell)
  if x < 1 or y < 1 or x > level.width or y > level.height then return nil end
  local tracks, piece = position.tracks, position.from and position.from ~= side and position.from .. side
  piece = piece and (lines[piece] and piece or piece:reverse())
  if piece and level.free[position.cell] then
    local list = tracks[position.cell] or {}
    tracks = with(tracks, position.cell, { piece, list[1] ~= piece and list[1] or list[2] })
  end
  return { cell = cell, tracks = tracks, holds = position.holds, from = position.holds and sides[side][3] },
    tracks ~= position.tracks
end

local play = {
  keys = { { "up left down right", "move, and draw" }, { "space", "take or put down the pencil" }, { "c", "clear" } },
  click = "space",
  start = function(level) return { cell = level.order[1], tracks = with(level.tracks) } end,
  step = function(position, key, level)
    if side_of[key] then return after_arrow(position, side_of[key], level) end
    local list, tracks, holds = position.tracks[position.cell], position.tracks, position.holds
    if key == "space" then return { cell = position.cell, tracks = tracks, holds = not holds }, false end
    return list and { cell = position.cell, tracks = with(tracks, position.cell), holds = holds }
  end,
  done = function(position, level) return run(level, position.tracks).solved == true end,
  draw = function(position, level)
    return draw(level, position.tracks) .. "\n" .. told(level, position.tracks) .. (position.holds and "\npencil" or "")
  end,
  cursor = function(position, level)
    local x, y = place(level, position.cell)
    return (x - 1) * (level.breadth + 1) + 1, y
  end,
  square = function(position, level) return place(level, position.cell) end,
  holds = function(position) return position.holds == true end,
  told = function(position, level)
    local rows = {}
    for _, cell in ipairs(level.order) do
      local x, y = place(level, cell)
      rows[y] = rows[y] or {}
      rows[y][x] = table.concat(position.tracks[cell] or { not level.free[cell] and level.words[y][x] or nil }, " ")
    end
    return rows
  end,
  -- Draws the first square that differs from the solution.
  hint = function(position, level, solution)
    for _, cell in ipairs(level.order) do
      local list, right = position.tracks[cell] or {}, solution.tracks[cell] or {}
      if table.concat(list, "+") ~= table.concat(right, "+") then
        return { cell = cell, tracks = with(position.tracks, cell, right[1] and right) }
      end
    end
  end,
}

-- The level of the words of its squares, in reading order, if a search finds enough tracks.
local function level_of(words, width, options)
  local rows = {}
  for y = 1, #words // width do rows[y] = table.concat(words, " ", (y - 1) * width + 1, y * width) end
  local level = parse(table.concat(rows, "\n"))
  return (solve(level, { states = 3000 }).length or 0) >= options.tracks and level or nil,
    "no tracks lead the trains home, or few do"
end

-- A level at random: stations that send trains, and those that take them or what two of them make.
local function generate(random, options)
  local side, words, sent = options.side, {}, {}
  for i = 1, side * side do words[i] = i <= options.rocks and "#" or "." end
  for i = 1, options.stations do
    sent[i] = ""
    for _ = 1, random:integer(1, options.trains) do sent[i] = sent[i] .. random:pick { "R", "Y", "B" } end
    words[#words + 1 - i] = random:pick { "^", ">", "v", "<" } .. sent[i]
  end
  if #sent > 1 and random:chance(options.mixed) then
    local colour = mix { { colour = sent[1]:sub(1, 1) }, { colour = sent[2]:sub(1, 1) } }
    sent[1], sent[2] = colour .. sent[1]:sub(2), (random:chance(0.5) and colour or "") .. sent[2]:sub(2)
  end
  local goals = sent[#sent] == "" and 1 or math.min(options.goals, #sent)
  for i = 1, goals do words[options.rocks + i] = "=" .. table.concat(sent, "", i, i < goals and i or #sent) end
  return level_of(random:shuffle(words), side, options)
end

-- A level in which a station sends another way, a rock comes or goes, or two squares have changed places.
local function vary(level, random, options)
  local words = {}
  for _, row in ipairs(level.words) do table.move(row, 1, #row, #words + 1, words) end
  local i = random:integer(1, #words)
  if random:chance(0.3) then
    local x, y = place(level, random:pick(level.stations).cell)
    i = (y - 1) * level.width + x
    words[i] = random:pick { "^", ">", "v", "<" } .. words[i]:sub(2)
  elseif random:chance(0.3) and words[i]:find "^[.#]" then
    words[i] = words[i] == "." and "#" or "."
  else
    local k = random:integer(1, #words)
    words[i], words[k] = words[k], words[i]
  end
  return level_of(words, level.width, options)
end

local game = crux.game "trainyard"
game.doc, game.words = "Draw tracks that lead every train to a station that takes its colour.", true
game.translations = {
  de = { "Zeichnen Sie Gleise, auf denen jeder Zug zu einem Bahnhof kommt, der seine Farbe annimmt.",
    ["move, and draw"] = "bewegen und zeichnen",
    ["take or put down the pencil"] = "den Stift nehmen oder ablegen", clear = "leeren" },
  es = { "Dibuje vías que lleven cada tren a una estación que acepte su color.",
    ["move, and draw"] = "mover y dibujar", ["take or put down the pencil"] = "coger o dejar el lápiz", clear = "vaciar" },
  fr = { "Dessinez des voies qui mènent chaque train à une gare qui accepte sa couleur.",
    ["move, and draw"] = "bouger et dessiner",
    ["take or put down the pencil"] = "prendre ou poser le crayon", clear = "vider" },
  ja = { "どの列車も自分の色を受け入れる駅に着くように、線路を引いてください。",
    ["move, and draw"] = "動かして描く",
    ["take or put down the pencil"] = "鉛筆を持つ、または置く", clear = "消す" },
  zh = { "画出轨道，让每列火车到达接受其颜色的车站。",
    ["move, and draw"] = "移动并画", ["take or put down the pencil"] = "拿起或放下铅笔", clear = "清除" },
}
game.parse, game.solve, game.play, game.generate, game.vary, game.paint = parse, solve, play, generate, vary, paint
game.options = {
  { "side", { 3, 5 }, doc = "squares along a side" },
  { "stations", { 1, 2 }, doc = "stations that send trains" },
  { "goals", { 1, 2 }, doc = "stations that take trains" },
  { "trains", 2, doc = "the most trains that a station sends" },
  { "tracks", 3, doc = "the fewest tracks of a solution" },
  { "rocks", { 0, 4 }, measure = "rocks", doc = "rocks" },
  { "mixed", 0.5, doc = "probability that two trains must meet, if there are two stations" },
}
function game.format(level)
  local rows = {}
  for y, row in ipairs(level.words) do rows[y] = table.concat(row, " ") end
  return table.concat(rows, "\n")
end
function game.draw(level, solution)
  local tracks = solution and solution.tracks or level.tracks
  return draw(level, tracks) .. (next(tracks) and "\n" .. told(level, tracks) or "")
end

-- The squares of a solution whose two tracks satisfy a condition.
local function pairs_with(condition)
  return function(_, solution)
    local sum = 0
    for _, list in pairs(solution.tracks) do sum = sum + (list[2] and condition(list) and 1 or 0) end
    return sum
  end
end

local function told_by(field) return function(_, solution) return solution.run[field] end end

for _, row in ipairs {
  { "size", kind = "initial", doc = "squares", function(level) return level.width * level.height end },
  { "rocks", kind = "initial", doc = "rocks", function(level) return level.rocks end },
  { "stations", kind = "initial", doc = "stations that send trains", function(level) return #level.stations end },
  { "trains", kind = "initial", doc = "trains", function(level) return level.trains end },
  { "tracks", kind = "dynamic", doc = "the fewest tracks", function(_, solution) return solution.length end },
  { "crossings", kind = "solution", doc = "squares whose two tracks share no side",
    pairs_with(function(list) return not is_switch(list) end) },
  { "switches", kind = "solution", doc = "squares whose two tracks share a side", pairs_with(is_switch) },
  { "ticks", kind = "solution", doc = "ticks until the last train arrives", told_by "ticks" },
  { "met", kind = "solution", doc = "times that trains meet", told_by "met" },
  { "mixed", kind = "solution", doc = "times that a train changes its colour", told_by "mixed" },
} do
  game.measure(row)
end

return game
