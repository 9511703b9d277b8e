-- What luacheck takes for granted: Lua 5.4, and what scripts see.
std = "lua54"
color = false
max_line_length = 128
ignore = { "211/closing" } -- a variable that is only there to be closed: luacheck 1.1 takes `<close>` for no use
files["games/*.lua"].read_globals = { "crux" }
files["rules/*.lua"].read_globals = { "crux" }
files["templates/**/*.lua"].read_globals = { "crux" }
files["templates/rule.lua"].read_globals = { "crux", "LEAST", "WEIGHT" } -- numbers take their places
files["examples/*.lua"].read_globals = { "crux" }
files["tests"].max_line_length = false
files["tests/support/plain_game.lua"].read_globals = { "crux" }
files["tests/newcomers"].read_globals = { "crux" }
files["tests/attacks"] = { globals = { "crux" }, ignore = { "1", "2", "3", "4", "5" } } -- they do what one should not
files["tests/bench/move_bench.lua"].read_globals = { "plain_move" }
files["tests/bench/rushhour_bench.lua"].read_globals = { "plain_rushhour" }
files["tests/bench/dungeongrams_bench.lua"].read_globals = { "plain_dungeongrams" }
files["tests/bench/generator_bench.lua"].read_globals = { "plain_generator" }
files["tests/bench/flow_bench.lua"].read_globals = { "plain_flow" }
files["tests/bench/sudoku_bench.lua"].read_globals = { "plain_sudoku" }
files["tests/bench/lazors_bench.lua"].read_globals = { "plain_lazors" }
files["tests/out/progress_test.lua"].globals = { "io" } -- puts a stderr of its own in place
files["tests/fuzz/bindings_fuzz.lua"].globals = { "math" } -- the bytes choose instead of math.random
files["tests/support/coverage.lua"].globals = { "coroutine" } -- makes coroutines tell their lines, too
