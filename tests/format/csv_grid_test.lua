--- Grids of spreadsheets as levels.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local Csv_grid = {}

local sokoban = game.load "sokoban"

function Csv_grid.test_grids()
  local expected = "#####\n#@$.#\n#   #\n#####\n"
  for _, text in ipairs { '#,#,#,#,#\n#,man,box,goal,#\n"#",,, ,"#"\n#,#,#,#,#,\n,,,,,\n', "#;#;#;#;#\r\n#;@;$;.;#\r\n#;;;;#\r\n#;#;#;#;#" } do
    luaunit.assertEquals(levels.read(shell.file("level.csv", text), sokoban.files)[1].text, expected)
  end
  luaunit.assertEquals(shell.printed("measure sokoban " .. shell.path "level.csv" .. " --measures moves"), "level,moves\nlevel,1\n")
end

function Csv_grid.test_mistakes()
  for text, message in pairs {
    ["#,x\n"] = "layer 'cells': column 2, row 1: found the tile 'x', expected a thing of the game's: " ..
      "'box' or 'goal' or 'man' or 'wall', or ' ' for an empty square",
    [",,\n"] = "found a map of 0 x 0, expected 1 to 1000000 tiles" } do
    local ok, problem = pcall(levels.read, shell.file("bad.csv", text), sokoban.files)
    luaunit.assertFalse(ok)
    luaunit.assertEquals(problem.message, shell.path "bad.csv" .. ": " .. message)
  end
end

return Csv_grid
