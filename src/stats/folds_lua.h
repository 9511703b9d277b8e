/* Folds as arguments of other bindings. */
#ifndef CRUX_FOLDS_LUA_H
#define CRUX_FOLDS_LUA_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

/* The folds, from 0, of that many rows after the first ones, at that index; raises when there are none. */
const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows);

/* The rows of a fold, both from 0, in order, of the folds at that index; returns how many. */
size_t crux_folds_rows(lua_State *L, int index, uint32_t fold, const uint32_t **rows);

#endif
