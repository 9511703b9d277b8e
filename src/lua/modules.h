/* The modules in C, a row each: require "libcrux.NAME" calls crux_open_NAME of NAME_lua.c.
 *
 * Their functions raise for wrong arguments; for other failures they return nil and a message. */
#pragma once

#include <lua.h>

#if defined CRUX_SERVE
#define CRUX_SERVE_MODULES(ROW) ROW(database) ROW(http_server) ROW(token)
#else
#define CRUX_SERVE_MODULES(ROW)
#endif

#if defined CRUX_NO_SCREEN
#define CRUX_SCREEN_MODULES(ROW)
#else
#define CRUX_SCREEN_MODULES(ROW) ROW(screen)
#endif

#define CRUX_MODULES(ROW) \
	ROW(beams) \
	ROW(best_first) \
	ROW(board) \
	ROW(bootstrap) \
	ROW(budget) \
	ROW(compression) \
	ROW(csv) \
	ROW(deductions) \
	ROW(digest) \
	ROW(disk_search) \
	ROW(distribution) \
	ROW(errors) \
	ROW(exact_cover) \
	ROW(expressions) \
	ROW(files) \
	ROW(folds) \
	ROW(groups) \
	ROW(item_response) \
	ROW(journal) \
	ROW(legend) \
	ROW(level_shape) \
	ROW(linear_program) \
	ROW(lines) \
	ROW(minimise) \
	ROW(mixed) \
	ROW(native_search) \
	ROW(ols) \
	ROW(path_cover) \
	ROW(penalised) \
	ROW(permutation) \
	ROW(png) \
	ROW(process) \
	ROW(pushing) \
	ROW(puzzlescript) \
	ROW(quadrature) \
	ROW(random) \
	ROW(rank) \
	ROW(rating_filter) \
	ROW(sandbox) \
	ROW(sizes) \
	ROW(sliding) \
	ROW(state_set) \
	ROW(subsets) \
	ROW(terminal) \
	ROW(texts) \
	ROW(trace) \
	ROW(vector) \
	ROW(walk) \
	ROW(wall) \
	ROW(xml) \
	CRUX_SCREEN_MODULES(ROW) \
	CRUX_SERVE_MODULES(ROW)

#define CRUX_MODULE_PROTOTYPE(name) int crux_open_##name(lua_State *L);
CRUX_MODULES(CRUX_MODULE_PROTOTYPE)
#undef CRUX_MODULE_PROTOTYPE
