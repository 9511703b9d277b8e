--- Rules of puzzles of deduction: which one an answer breaks first, and what is deduced from them.
local boards = require "libcrux.board"
local correlation = require "crux.stats.correlation"
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local random = require "libcrux.random"
local sequences = require "crux.kits.sequences"
local Session = require "crux.play.session"
local shell = require "shell"

local Rules = {}

local function level_of(self, text) return self:level(levels.split(text, "level.txt", self.files)[1]) end

--- By value the cells that a board with "/" between its rows has, given ones included.
local function known_of(self, level, rows)
  local known = {}
  for _, tile in ipairs(self.files.tiles) do
    local value, y = tile[2], 0
    if #tile == 2 and level.start[value] then
      known[value] = level.start[value] - level.start.open
      for row in rows:gmatch "[^/]+" do
        y = y + 1
        for x = 1, #row do
          if row:sub(x, x) == tile[1] and level.start.open:has(x, y) then known[value] = known[value]:with(x, y) end
        end
      end
    end
  end
  return known
end

--- The cells with 1 of a board with "/" between its rows.
local function ones(rows, level)
  local cells, y = {}, 0
  for row in rows:gmatch "[^/]+" do
    y = y + 1
    for x in row:gmatch "()1" do table.insert(cells, { x, y }) end
  end
  return boards.new(level.width, level.height, cells)
end

--- For each board of the file the game, the level, what the board knows, its line and the rule that it breaks.
local function boards_of_puzzlink()
  local list, loaded = {}, {}
  for line in shell.read("tests/reference/puzzlink_boards.txt"):gmatch "[^\n]+" do
    local name, ending, rows, rule, right, lower = line:match "^(%l+) (%S+) (%S+) (%S+) ?(%S*) ?(%S*)$"
    if name then
      loaded[name] = loaded[name] or game.load(name)
      local level = loaded[name]:level(levels.read("https://puzz.link/p?" .. ending, loaded[name].files)[1])
      local known = known_of(loaded[name], level, rows)
      if right ~= "" then known.right_border, known.lower_border = ones(right, level), ones(lower, level) end
      table.insert(list, { name = name, game = loaded[name], level = level, known = known, line = line, rule = rule })
    end
  end
  return list
end

--- Boards of puzz.link's own tests: the solved ones are right, and are the only solution of their address; the others break the
--- rule that its program names.
function Rules.test_boards_of_puzzlink()
  local counts = { solved = 0, broken = 0 }
  for _, board in ipairs(boards_of_puzzlink()) do
    luaunit.assertEquals(board.game.verdict(board.level, board.known) or "solved", board.rule, board.line)
    local kind = board.rule == "solved" and "solved" or "broken"
    counts[kind] = counts[kind] + 1
    if kind == "solved" and (board.name ~= "fillomino" or long.choose(false, true)) then -- Fillomino takes a second
      local solution = board.game:solution(board.level, {})
      luaunit.assertEquals({ solution.status, solution.unique }, { "solved", true }, board.line)
      for value, cells in pairs(solution.answer) do
        luaunit.assertTrue(not board.known[value] or (board.known[value] - cells):none(), board.line)
      end
    end
  end
  luaunit.assertEquals(counts, { solved = 12, broken = 52 })
end

--- A player who fills in a solved board is done with its last cell; one who fills in a board that breaks a rule is not, and is told
--- the rule when all cells are full.
function Rules.test_played()
  local told = 0
  for _, board in ipairs(boards_of_puzzlink()) do
    local rules, level = play.rules(board.game), board.level
    local position = rules.start(level)
    luaunit.assertFalse(rules.done(position, level), board.line)
    for _, tile in ipairs(board.game.files.tiles) do
      for x, y in (#tile == 2 and board.known[tile[2] ] or level.start.outside):cells() do
        if level.start.open:has(x, y) then
          position = rules.step(lists.merge(position, { x = x, y = y }), tile[1], level) or position
        end
      end
    end
    luaunit.assertEquals(rules.done(position, level), board.rule == "solved", board.line)
    local tiles = lists.select(board.game.files.tiles, function(tile) return #tile == 2 and board.known[tile[2] ] ~= nil end)
    local left = level.start.open - board.known[tiles[1][2] ] - board.known[tiles[2][2] ]
    for x, y in (#tiles == 2 and left or level.start.outside):cells() do
      position = rules.step(lists.merge(position, { x = x, y = y }), tiles[2][1], level) or position
    end
    local broken = rules.draw(position, level):match "broken: ([^\n]*)$"
    if broken then
      told = told + 1
      luaunit.assertEquals(broken, (board.rule:gsub("_", " ")))
    end
  end
  luaunit.assertEquals(told, 40) -- the others, of Kakuro and Fillomino, have open cells
end

--- Boards with clues of their own, of variants whose solved boards crux's rules allow, too.
function Rules.test_further_boards()
  for _, case in ipairs {
    { "slitherlink", "; full: yes\n...\n...\n", ".-.-.-./-.....-/...-.../-.-.-.-/.-...-.", "solved" },
    { "slitherlink", "; full: yes\n...\n...\n", ".-.-.-./-.....-/...-.-./-.-..../.-.....", "missed" },
    { "slitherlink", "2..0.\n.2..1\n..2..\n3..3.\n.0..3\n", ".-.-......./-...-....../...-......./-.-......../.....-.-.-./"
      .. "-.-.-.....-/.......-.../-.-.-.-.-.-/.-...-...../........-.-/.........-.", "several_loops" },
    { "heyawake", "a a a a\na b c a\na a c a\nd a e1 a\n", "..../..#./.#../..#.", "solved" },
    { "fillomino", "; largest: 3\n...\n...\n...\n", "122/333/221", "solved" },
    { "fillomino", "; largest: 3\n...\n...\n...\n", "122/.../221", "open" },
    { "fillomino", "; largest: 3\n12.\n.2.\n...\n", ".../.../...", "too_large" },
    { "fillomino", "; largest: 3\n126\n626\n666\n", ".../.../...", "too_large" },
    { "nonogram", "- - 1 -\n- - 2 -\n- 4 1 3\n- 1 1 4\n2 . . .\n1 . . .\n2 . . .\n2 . . .\n1 . . .\n1 . . .\n3 . . .\n1 . . .\n"
      .. "1 . . .\n3 . . .\n", "..../..../..../..../..##/...#/..##/.##./.#../.#../.###/...#/...#/.###", "solved" },
  } do
    local self = game.load(case[1])
    local level = level_of(self, case[2])
    luaunit.assertEquals(self.verdict(level, known_of(self, level, case[3])) or "solved", case[4], case[2])
  end
end

--- What a language leaves is what a list of all words leaves, for counts and for runs of lengths.
function Rules.test_sequences()
  local rng, values = random.new(3), { "a", "b", "c" }
  for _ = 1, 300 do
    local length, least = rng:integer(1, 6), rng:integer(0, 3)
    local most, cells, masks = least + rng:integer(0, 2), {}, {}
    for i = 1, length do cells[i], masks[i] = { i, 1 }, 2 * rng:integer(1, 7) end
    local left = {}
    for i = 1, length do left[i] = 0 end
    local function extend(word, count)
      local i = #word + 1
      if i > length then
        for k = 1, count >= least and count <= most and length or 0 do left[k] = left[k] | 1 << word[k] end
        return
      end
      for k in ipairs(values) do
        if masks[i] >> k & 1 == 1 then
          word[i] = k
          extend(word, count + (k == 1 and 1 or 0))
          word[i] = nil
        end
      end
    end
    extend({}, 0)
    local sequence = sequences.new({ cells = cells, count = "a", least = least, most = most }, length)
    luaunit.assertEquals(sequences.kept(sequence, values, masks) or masks, left)
  end
end

--- The grade of the hardest step orders levels as their generators' difficulties do: Spearman's correlation is 0.8 or more.
function Rules.test_grades_of_other_generators()
  long.only()
  local hardest, difficulties = {}, {}
  for name, difficulty, rows in shell.read("tests/reference/graded_puzzles.txt"):gmatch "\n(%l+) (%d) (%S+)" do
    local self = game.load(name)
    local row = self:measure(level_of(self, rows:gsub("/", "\n") .. "\n"), self:choose { "hardest", "unique" }, {})
    luaunit.assertEquals(row.unique, 1, rows)
    hardest[name], difficulties[name] = hardest[name] or {}, difficulties[name] or {}
    table.insert(hardest[name], row.hardest)
    table.insert(difficulties[name], tonumber(difficulty))
  end
  local found = {}
  for name, values in pairs(hardest) do
    found[name] = ("%.2f"):format(correlation.spearman(values, difficulties[name]))
  end
  luaunit.assertEquals(found, { akari = "0.87", hitori = "1.00", masyu = "0.95", slitherlink = "0.85", sudoku = "0.99" })
end

--- Pictures of positions: numbers of a nonogram are grey while their line is as they say, digits equal to the one at the cursor of
--- Sudoku are lit, and so are squares of a joined path of Flow. By hand.
function Rules.test_pictures_of_positions()
  local cases = {
    { "nonogram", "- 2 1\n2 . .\n1 . .\n", "fill ink%-white", { { "", 0 }, { "right down #", 0 }, { "right #", 2 }, { "down #", 2 } } },
    { "sudoku", "5.3...5..\n" .. (".........\n"):rep(8), "fill ink%-light", { { "", 2 }, { "right", 0 }, { "right", 1 }, { "left 3", 2 } } },
    { "flow", "A.A\nB.B\n", "fill tint", { { "space right", 0 }, { "right", 3 }, { "u", 0 } } },
  }
  for _, case in ipairs(cases) do
    local self = game.load(case[1])
    local session = Session.new(play.rules(self), level_of(self, case[2]))
    for i, step in ipairs(case[4]) do
      for key in step[1]:gmatch "%S+" do session:press(key) end
      local count = 0
      for shape in session:paint().content:gmatch "<%l+[^>]*>" do
        if shape:find(case[3]) then count = count + (shape:find "<text" and 1 or select(2, shape:gsub("M", ""))) end
      end
      luaunit.assertEquals(count, step[2], case[1] .. i)
    end
  end
end

--- Generated levels of each game have one solution, which all rules allow, and need no guess.
function Rules.test_generated()
  long.only()
  for name, wanted in pairs { nonogram = {}, slitherlink = { width = 4, height = 4 }, masyu = { width = 5, height = 5 },
    heyawake = { width = 5, height = 5 }, hitori = { width = 5, height = 5 }, starbattle = { side = 6 },
    akari = { width = 5, height = 5, walls = 6 }, kakuro = { walls = 4 },
    fillomino = { width = 4, height = 4, largest = 5 } } do
    local self, options, seed, level = game.load(name), {}, 0, nil
    for _, row in ipairs(self.options) do options[row[1]] = type(row[2]) == "table" and row[2][1] or row[2] end
    while not level do
      seed = seed + 1
      level = self.generate(random.new(seed), lists.merge(options, wanted))
    end
    local again = level_of(self, self:text(level))
    local row, solution = self:measure(again, self:choose { "unique", "guesses" }, {})
    luaunit.assertEquals(row, { unique = 1, guesses = 0 }, name)
    luaunit.assertNil(self.verdict(again, solution.answer), name)
  end
end

return { Rules = Rules }
