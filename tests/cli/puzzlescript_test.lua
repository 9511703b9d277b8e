--- Runs commands on games of PuzzleScript. Expected solutions and numbers are by hand.
local games = require "puzzlescript_games"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local PuzzleScript = {}

local function game(parts, name) return shell.file(name or "pushing.txt", games.pushing(parts)) end

--- Returns the output of a command line; {game} stands for the path of the game.
local function crux(line, path)
  local result = shell.run(("%s %s"):format(shell.program, (line:gsub("{game}", path or game()))))
  return result.out, result.err
end

function PuzzleScript.test_the_levels_of_a_game_are_solved_and_measured()
  luaunit.assertEquals((crux("solve {game} --format csv"):gsub(",,%d+,%d+\n", "\n")),
    "level,solved,length,solution,solutions,expanded,generated\npushing:1,true,3,RRR\npushing:2,true,3,DLU\n")
  luaunit.assertEquals(crux "measure {game} --measures width,objects,rules,moves,pushes,push_moves",
    "level,width,objects,rules,moves,pushes,push_moves\npushing:1,7,5,4,3,2,2\npushing:2,6,5,4,3,1,1\n")
end

--- The crate first has to be pushed away from the target, so that the player gets behind it: RDRRULLLL, or with another way
--- round of the same length. The second rule is never used.
function PuzzleScript.test_counterintuitive_moves_and_rules_that_are_used()
  local path = game { levels = "########\n#O.P*..#\n####...#\n########",
    rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ action Player | Crate ] -> [ Player | ]" }
  luaunit.assertEquals(crux("measure {game} --measures moves,counterintuitive,rules_used", path),
    "level,moves,counterintuitive,rules_used\npushing:1,9,1,1\n")
end

--- A profiled search is that of C, too.
function PuzzleScript.test_profile()
  local _, told = crux "measure {game} --measures moves --profile"
  luaunit.assertStrContains(told, "search: set of states       native")
  luaunit.assertNotStrContains(told, "searched in Lua")
end

function PuzzleScript.test_the_search_is_that_of_c()
  local _, told = crux "measure {game} --measures moves --trace-report"
  luaunit.assertStrContains(told, "layer0003[28] 0..2       1       8  shared")
end

--- Expected numbers are from a separate Python brute force over the places of the player and the crate: 1 of 66 moves loses.
function PuzzleScript.test_dead_ends()
  luaunit.assertStrContains(crux "measure {game} --measures reachable,dead_ends,losing",
    "level,reachable,dead_ends,losing\npushing:1,36,9,0.0151515")
end

function PuzzleScript.test_a_study_plans_the_levels_of_a_game()
  local plan = crux "study plan --game {game} {game} --players 1 --per-player 2 --seed 1"
  luaunit.assertEquals(select(2, plan:gsub("pushing:%d,%S-pushing.txt,fnv1a%-%x+,0,%S-pushing.txt,", "")), 2)
end

--- An HTML page of a game has the text of the game as a JavaScript string.
function PuzzleScript.test_games_in_pages()
  local text = games.pushing { prelude = 'title "A \\\\ page"' }
  local page = ("<html><script>\nvar sourceCode = \"%s\";compile([\"restart\"],sourceCode);\n</script>"):format(
    text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n"):gsub("all", "\\u0061ll"))
  luaunit.assertStrContains(crux("solve {game}", shell.file("page.html", page)), "page:2\n######\n#.o..#\n")
  local _, message = crux("solve {game}", shell.file("page.html", "<html>"))
  luaunit.assertStrContains(message, "page.html: found a page without a game, expected a game that PuzzleScript exported")
end

--- The search in C finds the same states in the same order as the search in Lua.
function PuzzleScript.test_both_searches_agree()
  local parts = { levels = "######\n#....#\n#.#P.#\n#.*@.#\n#.O@.#\n#....#\n######\n\n#####\n#P.*#\n#O..#\n#####",
    rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ action Player | Crate ] -> [ Player | ]" }
  local path = game(parts, "both.txt")
  local counted = crux("solve {game} --all --format csv", path):gsub("(both:%d,[^\n]*),%d+,(%d+,%d+)\n", "%1,,%2\n")
  luaunit.assertEquals(counted, (crux("solve {game} --format csv", path)))
  luaunit.assertStrContains(counted, "both:2,false,,,,")
end

function PuzzleScript.test_levels_of_other_files_are_rated_by_a_rule_by_hand()
  local levels = shell.file("others.txt", "; one\n#####\n#P*O#\n#####\n")
  luaunit.assertEquals(crux("solve {game} " .. levels), "one\n#####\n#p*o#\n#####\n1 move: R\n")
  -- ln(1 + 1) + ln(1 + 1) / 2 + ln(1 + 2) / 4: R and A lead to the states found, the start is one
  luaunit.assertStrContains(crux("rate puzzlescript --game {game} " .. levels), "\none,1.")
  luaunit.assertStrContains(crux "rate puzzlescript {game}", "\npushing:1,2.4849")
  local data = shell.file("measured.txt", "level,moves,pushes,states\na,0,0,0\n") -- a dataset in spite of the extension .txt
  luaunit.assertEquals(crux("rate puzzlescript " .. data), "level,rating\na,0\n")
end

function PuzzleScript.test_what_cannot_be_solved_is_told()
  local _, random = crux("solve {game}", game({ rules = "random [ Crate ] -> [ ]" }, "chance.txt"))
  luaunit.assertStrContains(random, "chance.txt: not solved: the game depends on chance")
  local _, time = crux("solve {game}", game({ prelude = "realtime_interval 0.5" }, "time.txt"))
  luaunit.assertStrContains(time, "time.txt: not solved: the game goes on with time (realtime_interval)")
  luaunit.assertStrContains(crux("measure {game} --measures width", game({ rules = "random [ Crate ] -> [ "
    .. "]" }, "chance.txt")), "7")
end

function PuzzleScript.test_a_game_without_levels_is_told()
  for levels, message in pairs { [""] = ": No levels found.", ["message only\n"] = ": No levels found.",
    ["( closed )\n(open (inner)\n#P*O#"] = ":34: No levels found: the comment that begins here is not closed." } do
    for _, command in ipairs { "solve", "check", "measure" } do
      local _, told = crux(command .. " {game}", game({ levels = levels }, "empty.txt"))
      luaunit.assertStrContains(told, (command == "check" and message:gsub("^: ", ":1: ") or message))
    end
  end
  local levels = shell.file("others.txt", "; one\n#####\n#P*O#\n#####\n") -- rules alone serve levels of other files
  luaunit.assertStrContains(crux("solve {game} " .. levels, game({ levels = "" }, "rules.txt")), "1 move: R")
end

function PuzzleScript.test_replay()
  local inputs = shell.file("inputs", "3, R\nundo,3")
  luaunit.assertEquals(crux("replay {game} --level 1 --inputs " .. inputs), "#######\n#..p*o#\n#.....#\n#######\n")
  inputs = shell.file("inputs", "3 3 3 2")
  luaunit.assertEquals(crux("replay {game} --level 1 --inputs " .. inputs), "######\n#.o..#\n#.*..#\n#..p.#\n######\n")
  luaunit.assertStrContains(crux("replay {game} --level 2 --format puzzlescript --inputs " .. shell.file("none", "")),
    "background wall:0,0,0,0,0,0,\nbackground:1,1,1,0,0,background target:2,\n")
  luaunit.assertStrContains(crux("replay {game} --level 2 --format json --inputs " .. shell.file("none", "")), '"width": 6')
  -- the level behind a message, as in the original, which shows the message first
  luaunit.assertEquals(crux("replay {game} --inputs " .. shell.file("inputs", "R")), "#######\n#.p*.o#\n#.....#\n#######\n")
  local _, message = crux("replay {game} --level 1", game({ levels = "#P*O#\n\nmessage done" }, "done.txt"))
  luaunit.assertStrContains(message, "done.txt: found level 1, a message, expected a message that a level follows")
  _, message = crux("replay {game} --level 1 --inputs " .. shell.file("inputs", "3\n7"))
  luaunit.assertStrContains(message, "inputs:2: found '7', expected an input")
end

--- Faults in spite of which the original plays are told by each command, in a line each, and it goes on.
function PuzzleScript.test_warnings()
  local path = game({ rules = "[ Crate ] ] -> [ ]\n[ > Player | Crate ] -> [ > Player | > Crate ]" }, "faulty.txt")
  local line = "faulty.txt:29: warning: Multiple closing brackets without corresponding opening brackets.  Something fishy "
    .. "here.  Every '[' has to be closed by a ']', and you can't nest them.  The line is left out.\n"
  for command, expected in pairs { ["solve {game} --format csv"] = "faulty:1,true,3,RRR", ["measure {game}"] = "faulty:1,7,",
    ["rate puzzlescript {game}"] = "faulty:1,2.48", ["generate {game} --count 1 --seed 1"] = "; faulty-",
    ["replay {game} --inputs " .. shell.file("inputs", "R")] = "#.p*.o#" } do
    local out, told = crux(command, path)
    luaunit.assertStrContains(out, expected)
    luaunit.assertEquals(select(2, told:gsub(line:gsub("%p", "%%%0"), "")), 1, command)
  end
  local _, told = crux("check {game}", path)
  luaunit.assertEquals(told:match "[^/]*$", line)
end

--- A cell has a player that is an aggregate if it has all of its objects: the hat alone stays.
function PuzzleScript.test_players_that_are_aggregates()
  local text = games.pushing { levels = "message Push\n\n######\n#H..H#\n#P*.O#\n######", prelude = "require_player_movement" }
  text = text:gsub("Player P\nwhite", "Body\nwhite\n\nHat H\nred"):gsub("SOUNDS", "Player = Body and Hat\nP = Player\n%0")
  local path = shell.file("hats.txt", (text:gsub("Player, Crate, Wall", "Body, Crate, Wall\nHat")))
  luaunit.assertEquals(crux("solve {game} --format csv", path):match "hats:1,true,%d+,%a+", "hats:1,true,2,RR")
  luaunit.assertEquals(crux("replay {game} --inputs " .. shell.file("inputs", "R U"), path),
    "######\n#hp.h#\n#..*o#\n######\n")
end

--- The hint is found by the search in C; the crate is brown and the target #1D57F7, which are nearest to red and bright blue.
function PuzzleScript.test_a_game_is_played()
  local line = ("%s play %s"):format(shell.quote(shell.program), game())
  luaunit.assertEquals(playing.run(line, { "see Enter begins.", "type \r", "see #p.*.o#", "type \27C?", "see hint: right, then 1 more", "type \27C\27C", "see solved: 3 moves",
    "type q", "end" }), "exit 0\n")
  luaunit.assertEquals(playing.run(line, { "see Enter begins.", "type \r", "written 31m*", "written 34mo", "type q", "end" }, "TERM=xterm-256color"), "exit 0\n")
end

--- The crate is brown: #A46422 in the usual palette, #433900 in c64, the 13th.
function PuzzleScript.test_pictures_have_the_colours_of_the_palette()
  for prelude, brown in pairs { [""] = "#A46422", ["color_palette c64"] = "#433900", ["color_palette 13"] = "#433900",
    ["color_palette none"] = "#A46422" } do
    local path = game { prelude = prelude }
    local picture = crux("solve {game} --format svg", path)
    luaunit.assertStrContains(picture, 'class="sprite" d="M')
    luaunit.assertStrContains(picture, ('fill="%s"'):format(brown))
  end
end

function PuzzleScript.test_reports_show_the_sprites()
  local data = shell.file("rated.csv", "level,difficulty,moves\npushing:1,1,3\npushing:2,2,3\nother,3,5\nmore,4,8\n")
  local page = crux("report --game {game} --formula 'difficulty ~ moves' --folds 2 " .. data .. " {game}")
  luaunit.assertStrContains(page, 'class="sprite"')
  luaunit.assertStrContains(page, 'fill="#A46422"')
end

--- Replays a level of a game in Lua: Sokoban, an xsb file.
function PuzzleScript.test_replay_of_a_game_in_lua()
  local level, inputs = shell.file("level.xsb", "######\n#@$ .#\n######\n"), shell.file("inputs", "R\nR")
  luaunit.assertEquals(crux(("replay sokoban %s --inputs %s"):format(level, inputs)), "######\n#  @*#\n######\n")
  luaunit.assertStrContains(crux(("replay sokoban %s --format json --inputs %s"):format(level, inputs)), '"won": true')
  luaunit.assertStrContains(crux(("replay sokoban %s --trace --inputs %s"):format(level, inputs)), "######\n#@$ "
    .. ".#\n######\n\nR\n")
end

function PuzzleScript.test_check_and_variations()
  luaunit.assertStrContains(crux "check {game}", "2 levels of 'pushing'")
  local path = game({ levels = "P*#O" }, "stuck.txt")
  luaunit.assertStrContains(select(2, crux("check {game}", path)), "stuck.txt:33: warning: level 'stuck:1': no solution exists")
  luaunit.assertStrContains(crux("check {game}", game({ rules = "random [ Crate ] -> [ ]" }, "chance.txt")),
    "2 levels, not solved: the game depends on chance")
  local _, message = crux("check {game}", game({ rules = "[ Box ] -> [ ]" }, "wrong.txt"))
  luaunit.assertStrContains(message, 'wrong.txt:29: Name "box", referred to in a rule, does not exist.')
  local made = crux "generate {game} --count 3 --seed 2"
  luaunit.assertEquals(made, (crux "generate {game} --count 3 --seed 2"))
  luaunit.assertEquals(select(2, made:gsub("; pushing%-2%-%d\n######", "")), 3) -- walls do not move
  luaunit.assertStrContains(crux "generate sokoban --vary datasets/levels/sokoban --count 1", "; sokoban-1-1\n")
end

return { PuzzleScript = PuzzleScript }
