-- What luacheck takes for granted: Lua 5.4, and what scripts see.
std = "lua54"
max_line_length = 128
files["games/*.lua"].read_globals = { "crux" }
files["rules/*.lua"].read_globals = { "crux" }
files["examples/*.lua"].read_globals = { "crux" }
files["tests/bench/search_bench.lua"].read_globals = { "plain_move" }
files["tests/bench/dungeongrams_bench.lua"].read_globals = { "plain_dungeongrams" }
