--- Commands of crux as WebAssembly in node print what the native program prints, byte for byte: `make test-wasm`.
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local cli = "build/wasm/package/cli.js"

local Commands = {}

--- Command lines by what they try.
local lines = {
  games_of_moves = { "measure move datasets/levels/move", "measure sokoban datasets/levels/sokoban", "measure lazors datasets/levels/lazors",
    "measure rushhour datasets/levels/rushhour" },
  games_of_digits = { "measure sudoku datasets/levels/sudoku" },
  games_of_covers = { "measure flow datasets/levels/flow", "rate flow datasets/levels/flow" },
  solutions = { "solve sokoban datasets/levels/sokoban --format csv", "solve flow datasets/levels/flow/2.txt" },
  fits = { "fit flow datasets/flow.csv", "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit lasso",
    "fit roguelike-difficulty datasets/dungeongrams.csv", "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit nnls",
    "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit elastic-net" },
  linear_programs = { "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit lad",
    "fit --formula 'difficulty ~ size + colours' datasets/flow.csv --fit minimax" },
  judgements = { "evaluate flow datasets/flow.csv", "compare flow 'difficulty ~ size' datasets/flow.csv", "ablate datasets/flow.csv",
    "select datasets/flow.csv --weights solved", "diagnose flow datasets/flow.csv" },
  levels = { "generate flow --count 3", "generate move --rule move --curve 2..4 --count 2 --side 3..4", "generate starbattle --count 1",
    "generate sokoban --count 2", "check games/move.lua" },
  mistakes = { "rate flow no-such-file.txt", "measure no-such-game datasets/levels/flow", "fit --formula 'difficulty ~ nothing' datasets/flow.csv" },
}

--- Command lines whose numbers are the same to 14 digits, by the reason.
local rounded = {
  ["correlate datasets/flow.csv"] = "exp of emscripten's C library gives the p-value 1.46e-17 another last digit",
}
lines.last_digits = lists.keys(rounded)

--- An output with numbers of 14 digits.
local function round(output)
  return (output:gsub("%d+%.%d+e?%-?%d*", function(number) return ("%.14g"):format(number) end))
end

for name, group in pairs(lines) do
  Commands["test_" .. name] = function()
    long.only()
    luaunit.skipIf(not shell.exists(cli), "make wasm was not run, which needs emscripten and f2c")
    for _, line in ipairs(group) do
      local native = shell.run(shell.quote(shell.program) .. " " .. line)
      local found = shell.run(("CRUX_HOME=/crux node %s %s"):format(cli, line))
      if rounded[line] then native.out, found.out = round(native.out), round(found.out) end
      luaunit.assertEquals(found, native, line)
    end
  end
end

return { Commands = Commands }
