-- Tests of games/rushhour.lua and of its dataset: against a search of texts that shares nothing with crux, the published lengths
-- of the shortest solutions, the published plays, and counts by hand.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local Session = require "crux.play.session"
local shell = require "shell"

local rushhour = game.load "rushhour"
local file <const> = "datasets/levels/rushhour/levels.txt"

local function level_of(text) return rushhour:level(levels.split(text, "level.txt", rushhour.files)[1]) end

--- The rows of a CSV file; numbers are numbers.
local function rows_of(text)
  local rows = shell.rows(text)
  for _, row in ipairs(rows) do
    for name, cell in pairs(row) do row[name] = tonumber(cell) or cell end
  end
  return rows
end

local entries, texts = rushhour:read(file), {}
for _, entry in ipairs(entries) do texts[entry.name] = entry.text end

--- The texts after each slide of a piece in a text of 6 rows without line ends.
local function after(text)
  local found = {}
  for first = 1, 36 do
    local letter = text:sub(first, first)
    for _, stride in ipairs(letter ~= "." and text:find(letter, 1, true) == first and { 1, 6 } or {}) do
      local last = first
      while text:sub(last + stride, last + stride) == letter and (stride == 6 or last % 6 ~= 0) do last = last + stride end
      for _, way in ipairs(last > first and { { first, last, -stride }, { last, first, stride } } or {}) do
        local head, tail, by, now = way[1], way[2], way[3], text
        while true do
          local to = head + by
          local is_beyond = to < 1 or to > 36 or stride == 1 and (to - 1) // 6 ~= (head - 1) // 6
          if is_beyond or now:sub(to, to) ~= "." then break end
          now = now:sub(1, to - 1) .. letter .. now:sub(to + 1)
          now = now:sub(1, tail - 1) .. "." .. now:sub(tail + 1)
          head, tail = to, tail + by
          table.insert(found, now)
        end
      end
    end
  end
  return found
end

--- The distances from some texts of all texts that slides lead to.
local function distances(from)
  local distance, queue = {}, {}
  for i, text in ipairs(from) do distance[text], queue[i] = 0, text end
  for _, text in ipairs(queue) do
    for _, next in ipairs(after(text)) do
      if not distance[next] then distance[next], queue[#queue + 1] = distance[text] + 1, next end
    end
  end
  return distance, queue
end

local Rushhour = {}

--- The measures of the state space, of the levels with the fewest states.
function Rushhour.test_against_a_search_of_texts()
  long.only()
  for _, name in ipairs { "58853", "29600", "31907" } do
    local start = texts[name]:gsub("\n", "")
    local _, reached = distances { start }
    local won = {}
    for _, text in ipairs(reached) do
      if text:sub(17, 18) == "AA" then table.insert(won, text) end
    end
    local from_exit, counts, most, dead_ends = distances(won), {}, 0, 0
    for _, text in ipairs(reached) do
      local slides = from_exit[text]
      counts[slides] = (counts[slides] or 0) + 1
      most = math.max(most, counts[slides])
      if slides > from_exit[start] then dead_ends = dead_ends + 1 end
    end
    local level = level_of(texts[name])
    local chosen = rushhour:choose { "slides", "space", "width", "depth", "dead_ends" }
    luaunit.assertEquals(rushhour:measure(level, chosen, {}), { slides = from_exit[start], space = #reached, width = most,
      depth = #counts, dead_ends = dead_ends }, name)
    local space = rushhour:solution(rushhour.variants.space(level), {})
    luaunit.assertEquals({ space.status, space.states, space.untraced }, { "unsolvable", #reached }, name)
  end
end

--- The length as published counts leaving the board as a move.
function Rushhour.test_published_lengths()
  long.only()
  local shortest, count = {}, 0
  for _, row in ipairs(rows_of(shell.read "datasets/rushhour-plays.csv")) do shortest[tostring(row.level)] = row.shortest end
  for _, row in ipairs(rows_of(shell.printed("measure rushhour --measures slides " .. file))) do
    luaunit.assertEquals(row.slides, shortest[tostring(row.level)] - 1, row.level)
    count = count + 1
  end
  luaunit.assertEquals(count, 70)
end

--- The dataset has the measures of the levels (of each tenth level here), and of the plays: who solved a level in any attempt,
--- and the mean over these players of the logarithm of the seconds of all their attempts.
function Rushhour.test_dataset()
  long.only()
  local of_level = {}
  for _, row in ipairs(rows_of(shell.read "datasets/rushhour-plays.csv")) do
    local players = of_level[row.level] or {}
    local player = players[row.player] or { seconds = 0, solved = 0 }
    of_level[row.level], players[row.player] = players, player
    player.seconds, player.solved = player.seconds + row.seconds, math.max(player.solved, row.solved)
  end
  local measures = rushhour:choose()
  for i, row in ipairs(rows_of(shell.read "datasets/rushhour.csv")) do
    local players, solved, sum = 0, 0, 0
    for _, player in pairs(of_level[row.level]) do
      players, solved = players + 1, solved + player.solved
      sum = sum + (player.solved == 1 and math.log(player.seconds) or 0)
    end
    luaunit.assertEquals({ row.players, row.solvers }, { players, solved }, row.level)
    luaunit.assertAlmostEquals(row.solve_rate, solved / players, 5e-5)
    luaunit.assertAlmostEquals(row.log_seconds, sum / solved, 5e-5)
    local measured = i % 10 == 0 and rushhour:measure(level_of(texts[tostring(row.level)]), measures, {}) or {}
    measured.cars, measured.trucks = nil, nil -- 6 and 3 in all levels
    for name, value in pairs(measured) do luaunit.assertEquals(row[name], value, row.level .. " " .. name) end
  end
end

--- By hand: the truck D stands in the way of A and can only go down, where E is in its way; E can go right, or left, where C is in
--- its way. The solution is ER2 DD3 AR4.
local small <const> = "...D..\n...D..\nAA.D..\n......\n.CEE..\n.C....\n"

function Rushhour.test_measures_by_hand()
  local chosen = rushhour:choose { "cars", "trucks", "blockers", "chain", "slides", "pieces_moved", "away", "counterintuitive" }
  local row, solution = rushhour:measure(level_of(small), chosen, {})
  luaunit.assertEquals(row, { cars = 3, trucks = 1, blockers = 1, chain = 3, slides = 3, pieces_moved = 3, away = 0,
    counterintuitive = 0 })
  luaunit.assertEquals(rushhour.notation(nil, solution), "ER2 DD3 AR4")
end

--- By hand: AL2 BU1 CL3 BD1 DD3 AR4. A goes away from the exit once, so that B can let C pass, which puts B in its way.
function Rushhour.test_slides_away()
  local level = level_of "....D.\n....D.\n..AAD.\n..B...\n..B...\n..BCC.\n"
  local row = rushhour:measure(level, rushhour:choose { "slides", "away", "counterintuitive", "pieces_moved" }, {})
  luaunit.assertEquals(row, { slides = 6, away = 1, counterintuitive = 2, pieces_moved = 4 })
end

--- Arrows move the cursor, Enter picks a piece, and then arrows slide it; a slide that is not possible is no move.
function Rushhour.test_played_with_the_cursor()
  local session = Session.new(play.rules(rushhour), level_of(small))
  local function press(keys)
    for key in keys:gmatch "%S+" do session:press(key) end
  end
  press "down down down down right right right enter right right"
  luaunit.assertEquals({ session.moves, table.concat(session:draw(), "/") },
    { 1, "...D../...D../AA.D../....../.C..EE/.C..../held: arrows move it, Enter puts it down" })
  press "right up left right" -- beyond the board, and across
  luaunit.assertEquals(session.moves, 3)
  press "enter up up left left enter down down down enter up up up left left enter right right right right"
  luaunit.assertEquals({ session:done(), session.moves }, { true, 5 }) -- ER2 EL1 ER1 DD3 AR4
end

function Rushhour.test_on_a_terminal()
  local line = ("%s play rushhour %s"):format(shell.quote(shell.program), shell.file("small.txt", small))
  luaunit.assertEquals(playing.run(line, { "see Enter begins.", "type \r", "see AA.D..", "type ?", "see hint: ER2, then 2 more",
    "type \27B\27B\27B\27B\27C\27C\27C\r\27C\27C", "see .C..EE", "see moves 1", "type ?", "see hint: DD3, then 1 more", "type q", "end" }), "exit 0\n")
end

--- The command lines that a designer types: generate, check, measure and rate.
function Rushhour.test_command_lines()
  long.only()
  local made = shell.path "rushhour.txt"
  luaunit.assertEquals(shell.crux("generate rushhour --cars 7 --trucks 2 --count 3 --seed 2 -o " .. made).status, 0)
  for _, row in ipairs(rows_of(shell.printed("measure rushhour --measures cars,trucks,slides " .. made))) do
    luaunit.assertEquals({ row.cars, row.trucks, row.slides > 0 }, { 7, 2, true })
  end
  luaunit.assertStrContains(shell.printed("check games/rushhour.lua " .. made), "12 measures; tried on 3 levels")
  local wanted = shell.printed "generate rushhour --like slides=3,cars=6,trucks=2 --seed 3"
  local row = rows_of(shell.printed("measure rushhour --measures cars,trucks,slides " .. shell.file("like.txt", wanted)))[1]
  luaunit.assertEquals({ row.cars, row.trucks, row.slides }, { 6, 2, 3 })
end

--- Moves that a level has of its own, in other commands. By hand: first A, C and D can slide by 1, and E by 1 or 2.
function Rushhour.test_moves_of_a_level()
  local path, inputs = shell.file("small.txt", small), shell.file("inputs.txt", "ER2 DD3 AR4\n")
  luaunit.assertEquals(shell.printed(("replay rushhour --inputs %s %s"):format(inputs, path)),
    "......\n......\n....AA\n...D..\n.C.DEE\n.C.D..\n")
  local other = shell.crux(("replay rushhour --inputs %s %s"):format(shell.file("inputs.txt", "FL1\n"), path))
  luaunit.assertStrContains(other.err, "found 'FL1', expected an input")
  local trace = shell.printed(("measure rushhour %s --trace small"):format(path))
  luaunit.assertStrContains(trace, "\n    1       5\n")
  luaunit.assertStrContains(trace, "\nER2\n...D..\n...D..\nAA.D..\n......\n.C..EE\n.C....\n")
end

--- By hand from the rule's file: level 1707 has 6 slides, a depth of 12 and 6 pieces that move.
function Rushhour.test_rated()
  local rating = rows_of(shell.printed("rate rushhour " .. shell.file("1707.txt", texts["1707"])))[1].rating
  luaunit.assertAlmostEquals(rating, -0.6553078055654364 + 0.9035766861894996 * math.log(6)
    + 0.6175996498646271 * math.log(12) + 6 * 0.07941617716262259, 1e-9)
  local share = rows_of(shell.printed("rate rushhour-solved " .. shell.file("1707.txt", texts["1707"])))[1].rating
  luaunit.assertAlmostEquals(share, 1 / (1 + math.exp(-(8.787996793120579 - 1.0060037102413515 * math.log(6)
    - 1.2148324332989773 * math.log(12) - 6 * 0.19251858743391562))), 1e-9)
end

function Rushhour.test_bad_levels()
  for _, case in ipairs {
    { ".BB\n...\n", "1: found no piece 'A', expected it, to get out" },
    { "A..\n...\nA..\n", "3: column 1: found 'A' apart from the others, expected connected squares of a piece" },
    { "AA..\nBB..\nBB..\n", "2: column 1: found a piece 'B' of 2 x 2 squares, expected one square wide, and longer" },
    { "AA.\n..C\n", "2: column 3: found a piece 'C' of 1 x 1 squares, expected one square wide, and longer" },
    { "A..\nA..\n", "1: found 'A' that cannot slide to the exit, expected a way out" },
    { "AA\nBB\n", "1: found pieces that have no room to slide, expected room for one" },
    { "AA..\n.?..\n", "2: column 2: found '?', expected a letter, a digit or one of .o#x" },
  } do
    luaunit.assertErrorMsgEquals("level.txt:" .. case[2], level_of, case[1])
  end
end

return { Rushhour = Rushhour }
