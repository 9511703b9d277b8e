/* The modules of C that Lua sees, a row each: require "libcrux.NAME" calls crux_open_NAME of NAME_lua.c.
 *
 * A function of a module that fails through no fault of its caller returns nil and a message; wrong arguments raise. */
#ifndef CRUX_MODULES_H
#define CRUX_MODULES_H

#include <lua.h>

#define CRUX_MODULES(ROW) \
	ROW(beams) \
	ROW(board) \
	ROW(bootstrap) \
	ROW(budget) \
	ROW(csv) \
	ROW(distribution) \
	ROW(errors) \
	ROW(exact_cover) \
	ROW(folds) \
	ROW(journal) \
	ROW(legend) \
	ROW(level_shape) \
	ROW(linear_program) \
	ROW(minimise) \
	ROW(native_search) \
	ROW(ols) \
	ROW(path_cover) \
	ROW(penalised) \
	ROW(puzzlescript) \
	ROW(random) \
	ROW(rank) \
	ROW(sandbox) \
	ROW(sizes) \
	ROW(state_set) \
	ROW(subsets) \
	ROW(system) \
	ROW(terminal) \
	ROW(trace) \
	ROW(vector) \
	ROW(vocabulary) \
	ROW(walk) \
	ROW(wall)

#define CRUX_MODULE_PROTOTYPE(name) int crux_open_##name(lua_State *L);
CRUX_MODULES(CRUX_MODULE_PROTOTYPE)
#undef CRUX_MODULE_PROTOTYPE

#endif
