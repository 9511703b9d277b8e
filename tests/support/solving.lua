--- Small levels of each game, and how a player solves them.
local games = require "crux.game.game"
local keys = require "crux.play.keys"
local lists = require "crux.base.lists"
local play = require "crux.play.play"
local Session = require "crux.play.session"
local shell = require "shell"
local steps = require("crux.puzzle.lines").steps

local solving = {}

---@class Deed                 of a player: presses a key; goes to a square and presses a key there; or drags along squares
---@field key string?
---@field square integer[]?
---@field path integer[][]?

--- The keys of a solution's moves.
local function by_moves(game, _, solution)
  local key_of = {}
  for key, move in pairs(keys.moves(game)) do key_of[move] = key end
  return lists.map(solution.moves, function(move) return { key = key_of[move] } end)
end

local directions = { U = "up", L = "left", D = "down", R = "right" }

--- Moves such as "AR2" as drags of a piece.
local function by_slides(_, level, solution)
  local deeds = {}
  for i, move in ipairs(solution.moves) do
    local letter, direction, count = move:match "^(.)(%u)(%d+)$"
    local step = steps[directions[direction]]
    for number, piece in ipairs(level.pieces) do
      if piece.letter == letter then
        local x, y = piece.covers[solution.way[i].at[number]]:first()
        deeds[i] = { path = { { x, y }, { x + count * step[1] // 1, y + count * step[2] // 1 } } }
      end
    end
  end
  return deeds
end

local function by_paths(_, level, solution)
  return lists.map(solution.paths, function(path)
    return { path = lists.map(path, function(cell) return { (cell - 1) % level.width + 1, (cell - 1) // level.width + 1 } end) }
  end)
end

local function by_rectangles(_, _, solution)
  return lists.map(solution.cover, function(piece)
    return { path = { { piece.x, piece.y }, { piece.x + piece.width - 1, piece.y + piece.height - 1 } } }
  end)
end

local function by_blocks(_, level, solution)
  local deeds, cell = {}, 0
  for kind in solution.tiles:gmatch "%S" do
    if kind:find "%u" then
      table.insert(deeds, { square = { cell % level.width + 1, cell // level.width + 1 }, key = kind:lower() })
    end
    cell = cell + 1
  end
  return deeds
end

--- The tracks of the level of Trainyard, drawn by one stroke.
local function by_a_stroke() return { { path = { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 3, 2 } } } } end

--- Pieces of a Happy Cube, face by face: each is the next one in hand, turned over and turned.
local function by_pieces(_, _, solution)
  local deeds, used = {}, {}
  for face, place in ipairs { { 2, 1 }, { 1, 2 }, { 2, 2 }, { 3, 2 }, { 4, 2 }, { 2, 3 } } do
    local number, way = table.unpack(solution.laid[face])
    local pressed, here = "", place
    for other = 1, number do pressed = pressed .. (used[other] and "" or "space ") end
    used[number] = true
    for key in (pressed .. (way > 4 and "o " or "") .. ("t "):rep((way - 1) % 4)):gmatch "%S+" do
      table.insert(deeds, { square = here, key = key })
      here = nil -- the cursor is there
    end
  end
  return deeds
end

local signs = { sea = "#", filled = "#", shaded = "#", line = "-", star = "*", lamp = "*" }
local rest = lists.set { "open", "outside", "island", "empty", "unshaded", "gap", "dark" }

local function by_values(_, level, solution)
  local deeds = {}
  for value, board in pairs(solution.answer) do
    local may_stay_open = rest[value]
    for x, y in (may_stay_open and board - board or board & level.start.open):cells() do
      table.insert(deeds, { square = { x, y }, key = signs[value] or value })
    end
  end
  table.sort(deeds, function(a, b) return a.square[2] * 100 + a.square[1] < b.square[2] * 100 + b.square[1] end)
  return deeds
end

local sudoku = "534678912\n672195348\n198342567\n859761423\n426853791\n713924856\n961537284\n287419635\n34528617%s\n"
local lazors = "GRID START\no o o\no o o\nGRID STOP\nA 1\nL 1 0 1 1\nP %s\n"

--- The games, two levels of each in files, and the deeds that solve one.
local rows = {
  { "move", "a .\n. A\n", "a . .\n. . .\n. . A\n", by_moves },
  { "sokoban", "#####\n#@$.#\n#####\n", "######\n#@ $.#\n#    #\n######\n", by_moves },
  { "dungeongrams", "@-O\n", "@-*\n--O\n", by_moves },
  { "examples/magnet.txt", "#######\n#P..*O#\n#######\n", "#######\n#*...O#\n#.P...#\n#######\n", by_moves },
  { "rushhour", "AA.B\n...B\n....\n", "..B\nAAB\n...\n...\n", by_slides },
  { "flow", "A.A\nB.B\n", "AB\n..\nAB\n", by_paths },
  { "sprinkfield", "..\n..\n", "..\n#.\n", by_rectangles },
  { "lazors", lazors:format "0 3", lazors:format "1 2", by_blocks },
  { "sudoku", sudoku:format "9":gsub("61537", "6153."), sudoku:format "9":gsub("5", ".", 3), by_values },
  { "nurikabe", "2.\n..\n", ".1.\n...\n3..\n", by_values },
}

--- The puzzles of deduction that are solved by what a player fills, a level of each.
local deduced = {
  { "nonogram", "- 2 1\n2 . .\n1 . .\n" }, { "slitherlink", "3.\n..\n" }, { "masyu", "*..\n...\n...\n" },
  { "starbattle", "a1 a b b\nc a b b\nc d d b\nc d d d\n" }, { "heyawake", "a1 a\nb b\n" }, { "hitori", "1 1\n1 2\n" },
  { "kakuro", "# 3\\ 4\\\n\\3 . .\n\\4 . .\n" }, { "akari", "2.\n..\n" }, { "fillomino", "1.\n3.\n" },
}

---@class Solved
---@field name string        of the game
---@field game Game
---@field files string[]     of the two levels
---@field levels { rules: Rules, level: table, deeds: Deed[] }[]

local cube = shell.read("datasets/levels/happycube/cubes.txt"):match "\n(.-\n)\n"

--- Two puzzles that are neither of deduction nor of a kit.
local others = { { "trainyard", ">R . .\n. . =R\n", by_a_stroke }, { "happycube", cube, by_pieces } }

--- What `crux new game` writes of each kind.
local templates = {
  { "templates/games/grid.lua", "...@\n..O#\n#...\n.#..\n", "..#..\n#....\n.O.#.\n.#.#@\n.....\n", by_moves },
  { "templates/games/path_cover.lua", "A....\n...B.\n.CB..\n.A.CD\n...D.\n", "..AB.\nC....\nD..A.\n.ECE.\nD...B\n", by_paths },
  { "templates/games/deduce.lua", "B...\nA...\n..BC\n.D..\n", ".D.C\n..A.\n....\nCA..\n", by_values },
  { "templates/games/exact_cover.lua", "....\n.#..\n..f.\n....\n", "..#..\n.f...\n#....\n...#.\n..f..\n", by_rectangles },
  { "templates/games/slide.lua", "......\n..BGGG\n..BEEC\nF.DDHC\nF...H.\n.AA.H.\n",
    "..B...\n..B...\nG.....\nGAA.C.\nGDDEC.\n.FFE..\n", by_slides },
}

--- Games with levels and deeds.
---@param list table[]   rows of a game, two texts of levels, and the function of the deeds
---@return Solved[]
local function solved_of(list)
  return lists.map(list, function(row)
    local game = games.load(row[1])
    local short = row[1]:match "([^/.]+)[^/]*$"
    local solved = { name = short, script = row[1], game = game, files = {}, levels = {} }
    for i = 1, 2 do
      solved.files[i] = shell.file(("%s-%d.%s"):format(short, i, game.extensions and game.extensions[1] or "txt"), row[1 + i])
      local level = game:level(game:expect_entries({ solved.files[i] })[1])
      local solution = game:solution(level, { way = true })
      solved.levels[i] = { rules = play.rules(game), level = level, deeds = row[4](game, level, solution) }
    end
    return solved
  end)
end

--- All games that come with crux.
---@return Solved[]
function solving.games() return solved_of(rows) end

--- The games that `crux new game` writes.
---@return Solved[]
function solving.templates() return solved_of(templates) end

--- The nine puzzles of deduction, two of their own kind, and the games that `crux new game` writes.
---@return Solved[]
function solving.further()
  return lists.concat(solved_of(lists.map(lists.concat(deduced, others), function(row)
    return { row[1], row[2], row[2], row[3] or by_values }
  end)), solving.templates())
end

--- Presses the arrows that move the cursor to a square, around a place where none is on the way.
---@param press fun(key: string)
function solving.go(session, press, x, y)
  for _, axis in ipairs { 1, 2, 1 } do
    local arrows, before = axis == 1 and { "left", "right" } or { "up", "down" }, nil
    local way = ({ x, y })[axis] - ({ session:spot() })[axis]
    while way ~= 0 and way ~= before do
      press(arrows[way < 0 and 1 or 2])
      before, way = way, ({ x, y })[axis] - ({ session:spot() })[axis]
    end
  end
end

--- Does a deed by keys alone.
---@param press fun(key: string)
function solving.by_keyboard(deed, session, press)
  local click = session.rules.click
  if deed.square then solving.go(session, press, table.unpack(deed.square)) end
  if deed.key then press(deed.key) end
  for i, square in ipairs(deed.path or {}) do
    solving.go(session, press, table.unpack(square))
    if i == 1 then press(click) end
  end
  if deed.path and session:holds() then press(click) end
end

--- A session of a level.
function solving.session(solved, number) return Session.new(solved.levels[number].rules, solved.levels[number].level) end

return solving
