--- Tests of the squares of texts: each game's text, read as squares and written again, is the same level.
local board = require "crux.workbench.board"
local games = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"

local Board = {}

local function squares_of(name, text, columns, rows)
  local game = games.load(name)
  local entry = levels.split(text, "level", game.files)[1]
  return board.of(game, text, entry, columns, rows), game
end

function Board.test_characters_words_and_remarks_around_them()
  local squares, game = squares_of("sokoban", "; S\n  #####\n###@$.#\n#######\n; end\n", 7, 3)
  luaunit.assertEquals(squares.rows, { { " ", " ", "#", "#", "#", "#", "#" }, { "#", "#", "#", "@", "$", ".", "#" },
    { "#", "#", "#", "#", "#", "#", "#" } })
  luaunit.assertEquals(squares:text(), "; S\n  #####\n###@$.#\n#######\n; end\n")
  luaunit.assertEquals(squares:text { { x = 7, y = 1, tile = " " }, { x = 1, y = 2, tile = "-" } },
    "; S\n  ####\n-##@$.#\n#######\n; end\n")
  luaunit.assertEquals(board.palette(game, squares), { " ", "#", "@", "+", "$", "*", "." }) -- - and _ are floor, p is @
  luaunit.assertEquals(board.empty(game, board.palette(game, squares)), " ")
  local words = squares_of("move", "a .\r\n. A\r\n", 2, 2)
  luaunit.assertEquals(words:text { { x = 2, y = 2, tile = "aA" } }, "a .\r\n. aA\r\n")
  local wide = squares_of("move", "aA .\n.  A", 2, 2)
  luaunit.assertEquals(wide:text { { x = 1, y = 2, tile = "#" } }, "aA .\n#  A\n")
end

function Board.test_rows_between_other_lines()
  local text = "GRID START\no o\nx o\nGRID STOP\nA 1\nL 1 4 1 -1\nP 2 3\n"
  local squares = squares_of("lazors", text, 2, 2)
  luaunit.assertEquals(squares.rows, { { "o", "o" }, { "x", "o" } })
  luaunit.assertEquals(squares:text(), text)
  luaunit.assertEquals(squares_of("lazors", text, 2, 3).rows, squares.rows) -- the last row of the picture has the blocks in hand
end

function Board.test_where_the_text_has_no_such_squares()
  luaunit.assertNil((squares_of("move", "a . A\n", 2, 1)))
  luaunit.assertNil((squares_of("move", "a A\n; between\na A\n", 2, 2)))
end

function Board.test_palettes_of_games_with_many_tiles_have_one_more_letter()
  local squares, game = squares_of("move", "aA .\n", 2, 1)
  luaunit.assertEquals(board.palette(game, squares), { ".", "#", "a", "A", "aA", "aB", "b", "B", "bA", "bB" })
  local flow, flow_game = squares_of("flow", "A.B\nA.B\n", 3, 2)
  luaunit.assertEquals(board.palette(flow_game, flow), { "A", ".", "B", "C" })
  local lazors, lazors_game = squares_of("lazors", "GRID START\nx o\nGRID STOP\nA 1\nL 1 0 1 1\nP 2 1\n", 2, 1)
  luaunit.assertEquals(board.palette(lazors_game, lazors), { "o", "x", "A", "B", "C", "D" })
  luaunit.assertEquals(board.empty(lazors_game, board.palette(lazors_game, lazors)), "o")
end

return Board
