--- Commands of crux as WebAssembly in node (make wasm) print what the native program prints, byte for byte.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local cli = "build/wasm/package/cli.js"

local Commands = {}

--- Command lines by what they try. `correlate` is not among them: the last digit of a p-value differs, as the C library has its own
--- exp.
local lines = {
  games_of_moves = { "measure move datasets/levels/move", "measure sokoban datasets/levels/sokoban", "measure lazors datasets/levels/lazors",
    "measure rushhour datasets/levels/rushhour" },
  games_of_covers = { "measure flow datasets/levels/flow", "rate flow datasets/levels/flow" },
  solutions = { "solve sokoban datasets/levels/sokoban --format csv", "solve flow datasets/levels/flow/2.txt" },
  fits = { "fit flow datasets/flow.csv", "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit lasso",
    "fit roguelike-difficulty datasets/dungeongrams.csv", "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit nnls" },
  linear_programs = { "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit lad",
    "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit minimax" },
  judgements = { "evaluate flow datasets/flow.csv", "compare flow 'difficulty ~ size' datasets/flow.csv", "ablate datasets/flow.csv",
    "select datasets/flow.csv --weights solved", "diagnose flow datasets/flow.csv" },
  levels = { "generate flow --count 3", "generate move --rule move --curve 2..4 --count 2 --side 3..4", "check games/move.lua" },
  mistakes = { "rate flow no-such-file.txt", "measure no-such-game datasets/levels/flow", "fit --formula 'difficulty ~ nothing' datasets/flow.csv" },
}

for name, group in pairs(lines) do
  Commands["test_" .. name] = function()
    long.only()
    luaunit.skipIf(not shell.exists(cli), "make wasm was not run, which needs emscripten and f2c")
    for _, line in ipairs(group) do
      local native = shell.run(shell.quote(shell.program) .. " " .. line)
      local found = shell.run(("CRUX_HOME=/crux node %s %s"):format(cli, line))
      luaunit.assertEquals(found, native, line)
    end
  end
end

return { Commands = Commands }
