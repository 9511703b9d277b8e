/* The table of C modules that Lua sees. */
#include "primitives.h"

#include <lauxlib.h>

static const luaL_Reg modules[] = {
	{"libcrux.beams",        crux_open_beams},
	{"libcrux.board",        crux_open_board},
	{"libcrux.bootstrap",    crux_open_bootstrap},
	{"libcrux.csv",          crux_open_csv},
	{"libcrux.distribution", crux_open_distribution},
	{"libcrux.errors",       crux_open_errors},
	{"libcrux.folds",        crux_open_folds},
	{"libcrux.exact_cover",  crux_open_exact_cover},
	{"libcrux.journal",      crux_open_journal},
	{"libcrux.level_shape",  crux_open_level_shape},
	{"libcrux.budget",       crux_open_budget},
	{"libcrux.linear_program", crux_open_linear_program},
	{"libcrux.minimise",     crux_open_minimise},
	{"libcrux.native_search", crux_open_native_search},
	{"libcrux.ols",          crux_open_ols},
	{"libcrux.path_cover",   crux_open_path_cover},
	{"libcrux.penalised",    crux_open_penalised},
	{"libcrux.random",       crux_open_random},
	{"libcrux.rank",         crux_open_rank},
	{"libcrux.sandbox",      crux_open_sandbox},
	{"libcrux.sizes",        crux_open_sizes},
	{"libcrux.state_set",    crux_open_state_set},
	{"libcrux.subsets",      crux_open_subsets},
	{"libcrux.system",       crux_open_system},
	{"libcrux.terminal",     crux_open_terminal},
	{"libcrux.trace",        crux_open_trace},
	{"libcrux.vector",       crux_open_vector},
	{"libcrux.vocabulary",   crux_open_vocabulary},
	{"libcrux.walk",         crux_open_walk},
	{"libcrux.wall",         crux_open_wall},
	{"libcrux.workers",      crux_open_workers},
	{NULL,                   NULL},
};

void crux_primitives_preload(lua_State *L)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
	luaL_setfuncs(L, modules, 0);
	lua_pop(L, 1);
}
