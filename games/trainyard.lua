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
local ways = { ["^"] = "n", [">"] = "e", ["v"] = "s", ["<"] = "w", up = "n", right = "e", down = "s", left = "w" }
local colours = { R = "red", Y = "yellow", B = "blue", O = "bright red", G = "green", P = "magenta", N = "white" }
local names = { R = "red", Y = "yellow", B = "blue", O = "orange", G = "green", P = "purple", N = "brown" }
local made = { BR = "P", RB = "P", RY = "O", YR = "O", BY = "G", YB = "G" }
local pieces = { "ns", "ew", "ne", "nw", "se", "sw" }
local lines = { ns = "│", ew = "─", ne = "└", nw = "┘", se = "┌", sw = "┐" }
local switches = { n = "┬", e = "┤", s = "┴", w = "├" } -- by the side that has no track

-- The tracks of a square by their text: one piece, or two, which are curves that do not touch (`curved`), share a side (and so
-- have a text when they are turned `back`), or cross. A search adds none to those that are `whole`.
local drawn, single = {}, {}
for _, first in ipairs(pieces) do
  single[first] = { first, text = first, sign = lines[first] }
  drawn[first] = { first, text = first, sign = lines[first], whole = true }
  for _, second in ipairs(pieces) do
    local text, turns = first .. "+" .. second, first:find("[" .. second .. "]")
    local curved = not turns and first ~= "ns" and first ~= "ew"
    local sign = turns and switches[("nesw"):gsub("[" .. text .. "]", "")] or curved and "╳" or "┼"
    drawn[text] = first ~= second and { first, second, text = text, sign = sign, whole = true, curved = curved,
      back = turns and second .. "+" .. first } or nil
  end
end

-- A square has a number, by its column and row from 1 on, so that there is a border around the board.
local row <const> = 32
local function beside(cell, side) return cell + sides[side][1] + row * sides[side][2] end
local function place(cell) return cell % row, cell // row end

-- The colour of trains that meet.
local function mix(trains)
  local list = ""
  for colour in trains:gmatch "." do list = list .. (list:find(colour) and "" or colour) end
  return #list == 1 and list or made[list] or "N"
end

-- Trains with the same `at` meet.
local function meet(trains, result)
  local groups = {}
  for _, train in ipairs(trains) do groups[train.at] = (groups[train.at] or "") .. train.colour end
  for _, group in pairs(groups) do result.met = result.met + (#group > 1 and 1 or 0) end
  for _, train in ipairs(trains) do
    local colour = mix(groups[train.at])
    result.mixed = result.mixed + (train.colour == colour and 0 or 1)
    train.colour = colour
  end
end

-- Runs the trains on tracks, by square: whether it is `solved`, and what is `told`; the `train` that has a fault, and whether
-- its square is `open` for a track; `ticks`, and how often trains `met` and one changed its colour (`mixed`).
local function run(level, tracks, searching)
  local result, trains, passes, wants = { ticks = 0, met = 0, mixed = 0 }, {}, {}, {}
  for cell, goal in pairs(level.goals) do wants[cell] = goal.wants end
  local function fault(train, text)
    result.train = train
    result.told = ("tick %d: the %s train %s at column %d, row %d"):format(result.ticks, names[train.colour], text,
      place(train.cell))
    return result
  end
  local function leave(cell, side, colour)
    local to = beside(cell, side)
    table.insert(trains, { cell = to, side = sides[side][3], colour = colour, at = cell + to })
  end
  while trains[1] or result.ticks < level.longest do
    result.ticks = result.ticks + 1
    for _, station in ipairs(level.stations) do
      local colour = station.trains:sub(result.ticks, result.ticks)
      if colour ~= "" then leave(station.cell, station.side, colour) end
    end
    meet(trains, result)
    local moved, entered = {}, {}
    for _, train in ipairs(trains) do
      local cell, side = train.cell, train.side
      local list, before, goal = tracks[cell], passes[cell] or 0, level.goals[cell]
      -- A search may draw another track where a second train comes.
      local stops = not list or searching and not list.whole and (before > 0 or entered[cell] or not list[1]:find(side))
      train.track = not stops and (before % 2 == 1 and list.back or list.text):match("%l*" .. side .. "%l*")
      if train.track then
        entered[cell], train.at = true, cell .. (list.curved and train.track or "")
        table.insert(moved, train)
      elseif goal and goal.sides:find(side) and wants[cell]:find(train.colour) then
        wants[cell] = wants[cell]:gsub(train.colour, "", 1)
      else
        result.open = stops and level.free[cell]
        return fault(train, goal and "is not taken" or "has no track")
      end
    end
    meet(moved, result)
    trains = {}
    local left = {} -- squares and the sides by which trains leave them
    for _, train in ipairs(moved) do
      local out = train.track:gsub(train.side, "")
      if not left[train.cell .. out] then leave(train.cell, out, train.colour) end
      left[train.cell .. out], passes[train.cell] = true, (passes[train.cell] or 0) + 1
    end
    if trains[1] and result.ticks > level.longest + 4 * #level.order then return fault(trains[1], "runs for ever") end
  end
  for _, cell in ipairs(level.order) do
    if (wants[cell] or "") ~= "" then
      local x, y = place(cell)
      result.told = ("the station at column %d, row %d lacks a %s train"):format(x, y, names[wants[cell]:sub(1, 1)])
    end
  end
  result.solved, result.told = not result.told, result.told or ("all trains arrive after %d ticks"):format(result.ticks)
  return result
end

-- The tracks that a square may get where a train stops at a side: no other, or one more, as the second or the first.
local function choices(list, side)
  local found = { list and list[1]:find(side) and drawn[list.text] or nil }
  for _, piece in ipairs(pieces) do
    local more = list and drawn[list[1] .. "+" .. piece] or not list and single[piece]
    if more and more.text:find(side) then
      table.insert(found, more)
      found[#found + 1] = drawn[more.back]
    end
  end
  return found
end

-- A copy of tracks in which a square has others. No square has the number 0, which gives a mere copy.
local function with(tracks, cell, list)
  local changed = {}
  for key, value in pairs(tracks) do changed[key] = value end
  changed[cell] = list
  return changed
end

-- The least number of tracks that a level still needs: the most squares between a station that takes trains and the nearest
-- track, or start of trains.
local function missing(level, tracks)
  local most = 0
  for goal in pairs(level.goals) do
    local least, x, y = math.huge, place(goal)
    for _, cell in ipairs(level.order) do
      if tracks[cell] or level.starts[cell] then
        least = math.min(least, math.abs(cell % row - x) + math.abs(cell // row - y) - 1)
      end
    end
    most = math.max(most, least)
  end
  return most
end

local game = crux.game "trainyard"

-- Searches for the fewest tracks, those that are drawn included: trains run until one stops, whose square gets another track.
function game.solve(level, options)
  local tracks, most, left, is_cut, found = with(level.tracks, 0), options.states or 30000, 0
  local solution = { status = "unsolvable", expanded = 0, generated = 0 }
  local function follow(rest)
    local result = run(level, tracks, true)
    solution.expanded = solution.expanded + 1
    if not result.open then return result.solved and result end
    local cell = result.train.cell
    local before = tracks[cell]
    for _, list in ipairs(choices(before, result.train.side)) do
      local after = rest - #list + #(before or {})
      tracks[cell] = list
      if after < missing(level, tracks) then
        is_cut = true
      elseif solution.generated < most then
        solution.generated = solution.generated + 1
        local reached = follow(after)
        if reached then return reached end
      end
    end
    tracks[cell] = before
  end
  repeat
    is_cut = false
    found, left = follow(left), left + 1
  until found or not is_cut or solution.generated >= most
  if found then
    local words = {}
    found.tracks, found.crossings, found.switches = 0, 0, 0
    for _, cell in ipairs(level.order) do
      local list, x, y = tracks[cell], place(cell)
      if list then
        tracks[cell] = drawn[list.text]
        table.insert(words, ("%d,%d:%s"):format(x, y, list.text))
        found.tracks, found.switches = found.tracks + #list, found.switches + (list.back and 1 or 0)
        found.crossings = found.crossings + (list[2] and not list.back and 1 or 0)
      end
    end
    solution.status, solution.text, solution.length = "solved", table.concat(words, " "), found.tracks
    solution.tracks, solution.run = tracks, found
  elseif solution.generated >= most then
    solution.status, solution.limit = "unknown", "states"
  end
  return solution
end

function game.parse(text)
  local level = { height = 0, stations = {}, starts = {}, goals = {}, tracks = {}, free = {}, order = {}, words = {},
    trains = 0, longest = 0, breadth = 1 }
  for line in text:gmatch "[^\n]+" do
    local y, x = level.height + 1, 0
    for at, word in line:gmatch "()(%S+)" do
      x = x + 1
      local cell, way, sent = row * y + x, word:match "^([%^>v<])([RYBOGPN]+)$"
      local wants, open = word:match "^=([RYBOGPN]+):?([nesw]*)$"
      if way then
        table.insert(level.stations, { cell = cell, number = #level.order + 1, side = ways[way], trains = sent })
        level.starts[cell], level.trains, level.longest = true, level.trains + #sent, math.max(level.longest, #sent)
      elseif wants and (open ~= "" or word:sub(-1) ~= ":") then
        level.goals[cell] = { wants = wants, sides = open == "" and "nesw" or open }
      elseif drawn[word] or word == "." then
        level.tracks[cell], level.free[cell] = drawn[word], true
      elseif word ~= "#" then
        crux.refuse(("%q"):format(word), "'.', '#', a station ('>RB' or '=RB:ns') or tracks ('ns' or 'ne+ew')", at, y)
      end
      table.insert(level.order, cell)
      level.words[cell], level.breadth = word, math.max(level.breadth, drawn[word] and 1 or #word)
    end
    level.width, level.height = level.width or x, y
    if x ~= level.width then crux.refuse(x .. " squares", level.width .. " as in the first row", 1, y) end
  end
  if math.max(level.width, level.height) > 20 then crux.refuse("more than 20 squares along a side", "at most 20") end
  if #level.stations == 0 then crux.refuse("no station that sends trains", "at least one, such as '>R'") end
  if not next(level.goals) then crux.refuse("no station that takes trains", "at least one, such as '=R'") end
  level.counts = { size = #level.order, rocks = select(2, text:gsub("#", "")), stations = #level.stations,
    trains = level.trains }
  level.text = text:gsub("[^%S\n]+", " "):gsub("%s*\n%s*", "\n"):match "^%s*(.-)%s*$"
  return level
end

function game.format(level) return level.text end

function game.draw(level, shown) -- a solution, or a position of play
  local tracks, i = (shown or level).tracks, 0
  local text = level.text:gsub("(%S+) ?", function(word)
    i = i + 1
    local list = tracks[level.order[i]]
    local sign = list and list.sign or drawn[word] and "." or word
    return sign .. (list and list.text:find "e" and "─" or " "):rep(level.breadth + 1 - (list and 1 or #sign))
  end)
  return text:gsub(" +%f[\n\0]", "") .. ((shown or next(tracks)) and "\n" .. run(level, tracks).told or "")
end

function game.paint(level, solution, canvas, now)
  local tracks = (now or solution or level).tracks
  canvas:size(level.width, level.height)
  canvas:grid()
  for _, cell in ipairs(level.order) do
    local word, list, x, y = level.words[cell], tracks[cell] or {}, place(cell)
    if word == "#" then canvas:cell(x, y, "wall") end
    for i = #list, 1, -1 do
      local a, b = sides[list[i]:sub(1, 1)], sides[list[i]:sub(2)]
      local bend = list.curved and 0.25 or 0
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
  if now then canvas:note(run(level, tracks).told) end
end

game.play = {
  keys = { { "up left down right", "move, and draw" }, { "space", "take or put down the pencil" }, { "c", "clear" } },
  click = "space",
  start = function(level) return { cell = level.order[1], tracks = level.tracks } end,
  -- An arrow also draws in the square that the cursor leaves, if it holds the pencil and came `from` a side.
  step = function(position, key, level)
    local cell, tracks, holds, side = position.cell, position.tracks, position.holds, ways[key]
    if key == "space" then return { cell = cell, tracks = tracks, holds = not holds }, false end
    if not side then return tracks[cell] and { cell = cell, tracks = with(tracks, cell), holds = holds } end
    if not level.words[beside(cell, side)] then return nil end
    local there, back = (position.from or "") .. side, side .. (position.from or "")
    local piece, list = single[there] and there or single[back] and back, tracks[cell] or {}
    if piece and level.free[cell] then
      local second = list[1] ~= piece and list[1] or list[2]
      tracks = with(tracks, cell, drawn[second and piece .. "+" .. second or piece])
    end
    return { cell = beside(cell, side), tracks = tracks, holds = holds, from = holds and sides[side][3] },
      tracks ~= position.tracks
  end,
  done = function(position, level) return run(level, position.tracks).solved == true end,
  draw = function(position, level) return game.draw(level, position) .. (position.holds and "\npencil" or "") end,
  cursor = function(position, level) return (position.cell % row - 1) * (level.breadth + 1) + 1, position.cell // row end,
  square = function(position) return place(position.cell) end,
  holds = function(position) return position.holds == true end,
  told = function(position, level)
    local rows = {}
    for _, cell in ipairs(level.order) do
      local x, y = place(cell)
      rows[y] = rows[y] or {}
      rows[y][x] = table.concat(position.tracks[cell] or { not level.free[cell] and level.words[cell] or nil }, " ")
    end
    return rows
  end,
  -- Draws the first square that differs from the solution.
  hint = function(position, level, solution)
    for _, cell in ipairs(level.order) do
      local right = solution.tracks[cell]
      if position.tracks[cell] ~= right then return { cell = cell, tracks = with(position.tracks, cell, right) } end
    end
  end,
}

-- The level of the words of its squares, in reading order, if a search finds enough tracks.
local function level_of(words, width, options)
  local level = game.parse(((table.concat(words, " ") .. " "):gsub(("%S+ "):rep(width), "%0\n")))
  return (game.solve(level, { states = 3000 }).length or 0) >= options.tracks and level or nil,
    "no tracks lead the trains home, or few do"
end

-- A level at random: stations that send trains, and those that take them or what two of them make.
function game.generate(random, options)
  local side, words, sent = options.side, {}, {}
  for i = 1, side * side do words[i] = i <= options.rocks and "#" or "." end
  for i = 1, options.stations do
    sent[i] = ""
    for _ = 1, random:integer(1, options.trains) do sent[i] = sent[i] .. random:pick { "R", "Y", "B" } end
    words[#words + 1 - i] = random:pick { "^", ">", "v", "<" } .. sent[i]
  end
  if #sent > 1 and random:chance(options.mixed) then
    local colour = mix(sent[1]:sub(1, 1) .. sent[2]:sub(1, 1))
    sent[1], sent[2] = colour .. sent[1]:sub(2), (random:chance(0.5) and colour or "") .. sent[2]:sub(2)
  end
  local goals = sent[#sent] == "" and 1 or math.min(options.goals, #sent)
  for i = 1, goals do words[options.rocks + i] = "=" .. table.concat(sent, "", i, i < goals and i or #sent) end
  return level_of(random:shuffle(words), side, options)
end

-- A level in which a station sends another way, a rock comes or goes, or two squares have changed places.
function game.vary(level, random, options)
  local words = {}
  for word in level.text:gmatch "%S+" do table.insert(words, word) end
  local i = random:integer(1, #words)
  if random:chance(0.3) then
    i = random:pick(level.stations).number
    words[i] = random:pick { "^", ">", "v", "<" } .. words[i]:sub(2)
  elseif random:chance(0.3) and words[i]:find "^[.#]" then
    words[i] = words[i] == "." and "#" or "."
  else
    local k = random:integer(1, #words)
    words[i], words[k] = words[k], words[i]
  end
  return level_of(words, level.width, options)
end

game.doc = "Draw tracks that lead every train to a station that takes its colour."
game.words = true
game.translations = {
  de = { "Zeichnen Sie Gleise, auf denen jeder Zug zu einem Bahnhof kommt, der seine Farbe annimmt.", clear = "leeren",
    ["move, and draw"] = "bewegen und zeichnen", ["take or put down the pencil"] = "den Stift nehmen oder ablegen" },
  es = { "Dibuje vías que lleven cada tren a una estación que acepte su color.", clear = "vaciar",
    ["move, and draw"] = "mover y dibujar", ["take or put down the pencil"] = "coger o dejar el lápiz" },
  fr = { "Dessinez des voies qui mènent chaque train à une gare qui accepte sa couleur.", clear = "vider",
    ["move, and draw"] = "bouger et dessiner", ["take or put down the pencil"] = "prendre ou poser le crayon" },
  ja = { "どの列車も自分の色を受け入れる駅に着くように、線路を引いてください。", clear = "消す",
    ["move, and draw"] = "動かして描く", ["take or put down the pencil"] = "鉛筆を持つ、または置く" },
  zh = { "画出轨道，让每列火车到达接受其颜色的车站。", clear = "清除",
    ["move, and draw"] = "移动并画", ["take or put down the pencil"] = "拿起或放下铅笔" },
}
game.options = {
  { "side", { 3, 5 }, doc = "squares along a side" },
  { "stations", { 1, 2 }, doc = "stations that send trains" },
  { "goals", { 1, 2 }, doc = "stations that take trains" },
  { "trains", 2, doc = "the most trains that a station sends" },
  { "tracks", 3, doc = "the fewest tracks of a solution" },
  { "rocks", { 0, 4 }, measure = "rocks", doc = "rocks" },
  { "mixed", 0.5, doc = "probability that two trains must meet, if there are two stations" },
}

for _, measure in ipairs {
  { "size", "initial", "squares" },
  { "rocks", "initial", "rocks" },
  { "stations", "initial", "stations that send trains" },
  { "trains", "initial", "trains" },
  { "tracks", "dynamic", "the fewest tracks" },
  { "crossings", "solution", "squares whose two tracks share no side" },
  { "switches", "solution", "squares whose two tracks share a side" },
  { "ticks", "solution", "ticks until the last train arrives" },
  { "met", "solution", "times that trains meet" },
  { "mixed", "solution", "times that a train changes its colour" },
} do
  game.measure { measure[1], kind = measure[2], doc = measure[3], function(level, solution)
    return (measure[2] == "initial" and level.counts or solution.run)[measure[1]]
  end }
end

return game
