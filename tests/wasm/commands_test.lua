--- Commands of crux as WebAssembly in node print and write what the native program does, byte for byte: `make test-wasm`;
--- with CRUX_TEST_MORE=1 on the levels of all games.
local cli = require "crux.cli"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local here = shell.run("pwd").out:gsub("\n", "")
local script = here .. "/build/wasm/package/cli.js"

local Commands = {}

local two <const> = "--formula 'difficulty ~ size + colours' datasets/flow.csv "
local of_seconds <const> = "--formula 'log(seconds) ~ 1 + (1 | player) + (1 | level)'"

--- Command lines by what they try.
local lines = {
  games_of_moves = { "measure move datasets/levels/move", "measure sokoban datasets/levels/sokoban", "measure lazors datasets/levels/lazors",
    "measure rushhour datasets/levels/rushhour", "measure dungeongrams dungeons.txt", "measure trainyard datasets/levels/trainyard",
    "rate puzzlescript examples/magnet.txt", "rate move datasets/levels/move --format json" },
  games_of_digits = { "measure sudoku datasets/levels/sudoku", "measure happycube datasets/levels/happycube" },
  games_of_paths = { "measure flow datasets/levels/flow", "rate flow datasets/levels/flow", "rate flow --explain datasets/levels/flow/2.txt" },
  games_of_deduction = lists.map(os.getenv "CRUX_TEST_MORE" and shell.list "datasets/levels/deduction" or { "nurikabe.txt" },
    function(file) return ("measure %s datasets/levels/deduction/%s"):format(file:match "%l+", file) end),
  solutions = { "solve sokoban datasets/levels/sokoban --format csv", "solve flow datasets/levels/flow/2.txt", "solve move hard.txt",
    "solve flow datasets/levels/flow/7.txt -o solution.svg" },
  levels = { "generate flow --count 3", "generate move --rule move --curve 2..4 --count 2 --side 3..4 -o levels/", "generate starbattle --count 1",
    "generate sokoban --count 2", "sort datasets/levels/flow --rule flow", "sort datasets/flow.csv --rule flow",
    "sample datasets/levels/flow --rule flow --count 8 --by 'size=25,36,49,64' -o chosen.txt",
    "convert datasets/levels/move/1.txt --to tiled -o level.tmj", "convert 'https://puzz.link/p?nurikabe/5/5/g5k2o1k3g'",
    "replay move --inputs moves.txt datasets/levels/move/1.txt --trace",
    "site flow datasets/levels/flow/2.txt --workbench https://example.org/ -o pages/" },
  fits = { "fit flow datasets/flow.csv -o fitted.lua", "fit " .. two .. "--fit lasso", "fit " .. two .. "--fit ridge",
    "fit roguelike-difficulty datasets/dungeongrams.csv", "fit " .. two .. "--fit nnls", "fit " .. two .. "--fit elastic-net",
    "fit " .. two .. "--fit beta", "fit examples/tuned.lua datasets/flow.csv",
    "fit " .. of_seconds .. " datasets/rushhour-plays.csv", "fit --formula 'solved ~ 1 + shortest' datasets/rushhour-plays.csv --fit binomial" },
  linear_programs = { "fit " .. two .. "--fit lad", "fit " .. two .. "--fit minimax", "fit " .. two .. "--fit quantile", "evaluate " .. two .. "--fit lad" },
  judgements = { "evaluate flow datasets/flow.csv", "compare flow 'difficulty ~ size' datasets/flow.csv", "ablate datasets/flow.csv",
    "select datasets/flow.csv --weights solved", "diagnose flow datasets/flow.csv", "discover datasets/flow.csv --weights solved --repeats 1 --nodes 3 -o found.lua",
    "imitate move datasets/move.csv datasets/levels/move/2?.txt --bot greedy --runs 1 --folds 2 --evaluations 1",
    "report flow datasets/flow.csv datasets/levels/flow/ -o report.html", "plot predicted flow datasets/flow.csv", "plot histogram datasets/move.csv --column moves",
    "plot correlations datasets/lazors.csv --target difficulty,time", "plot learning --formula 'difficulty ~ size + corners' datasets/flow.csv -o learning.svg" },
  players = { "aggregate study.csv -o levels.csv", "levels study.csv", "players study.csv", "track datasets/rushhour-plays.csv", "curve datasets/flow.csv", "agreement study.csv --scale 1..10", "study summary study.csv",
    "study plan --game move datasets/levels/move --players 40 --per-player 12", "study next --game move datasets/levels/move --player p1 --record study.csv" },
  scripts = { "check games/move.lua", "games", "rules", "help", "help fit", "help --completion bash", "new game ice", "new game pipes --kind path_cover",
    "new rule mine --game flow", "new study mine" },
  mistakes = { "rate flow no-such-file.txt", "measure no-such-game datasets/levels/flow", "fit --formula 'difficulty ~ nothing' datasets/flow.csv" },
}

--- Command lines whose numbers are the same to 12 digits, by the reason.
local rounded = {
  ["correlate datasets/flow.csv"] = "exp of emscripten's C library gives the p-value 1.46e-17 another last digit",
  ["levels datasets/rushhour-plays.csv " .. of_seconds] = "log of emscripten's C library gives some times another last digit, and the maximum digits from the 14th on",
}
lines.last_digits = lists.keys(rounded)

--- Commands without a command line here, by the reason.
local left_out = {
  play = "needs a terminal", watch = "starts processes", serve = "needs a server", workbench = "needs a server",
}

--- Ratings of levels by players, as crux play records them.
local function study()
  local rows = { "player,level,position,attempt,rating,time,solved,skipped" }
  for player = 1, 12 do
    for level = 1, 8 do
      local rating = 1 + (3 * player + level * level + player * level % 4) % 10
      table.insert(rows, ("p%d,%d,%d,1,%d,%d.5,%d,0"):format(player, level, (level + player) % 8 + 1, rating, 10 + 7 * level + player,
        (player + level) % 5 == 0 and 0 or 1))
    end
  end
  return table.concat(rows, "\n") .. "\n"
end

local given = shell.folder("given", {
  ["study.csv"] = study(), ["moves.txt"] = "L U R D\n", ["dungeons.txt"] = shell.printed "generate dungeongrams --count 20",
  ["hard.txt"] = "a b . . A .\n. # . . . .\n. . c . B .\n. . . # . .\nC . . . d .\n. . . . . D\n", -- 669,384 states, no solution
})
for _, name in ipairs { "datasets", "examples", "games" } do shell.output(("ln -s %s/%s %s"):format(here, name, given)) end

--- What a program does in a folder with links to what is given, and the files that it writes there.
local function done_by(start, line)
  local folder = shell.folder "at"
  local at = shell.run(("cd %s && ln -s ../given/* . && %s %s"):format(folder, start, line))
  at.files = shell.output(("cd %s && find . -type f | LC_ALL=C sort | xargs -r tail -n +1"):format(folder))
  for _, part in ipairs { "out", "files" } do at[part] = at[part]:gsub(here:gsub("%p", "%%%0"), "/crux") end -- where crux's files are
  return at
end

--- An output with numbers of 12 digits.
local function round(output)
  return (output:gsub("%d+%.%d+e?%-?%d*", function(number) return ("%.12g"):format(number) end))
end

for name, group in pairs(lines) do
  Commands["test_" .. name] = function()
    long.only()
    luaunit.skipIf(not shell.exists(script), "make wasm was not run, which needs emscripten and f2c")
    for _, line in ipairs(group) do
      local native, found = done_by(shell.quote(shell.program), line), done_by("env CRUX_HOME=/crux node " .. script, line)
      if rounded[line] then native.out, found.out = round(native.out), round(found.out) end
      luaunit.assertEquals(found, native, line)
      luaunit.assertEquals(native.status == 0, name ~= "mistakes", line)
    end
  end
end

--- Every command has a command line above, or a reason why not.
function Commands.test_all_commands()
  local tried = {}
  for _, group in pairs(lines) do
    for _, line in ipairs(group) do tried[line:match "%l+"] = true end
  end
  luaunit.assertEquals(lists.select(cli.commands, function(command) return (tried[command] or left_out[command]) == nil end), {})
end

return { Commands = Commands }
