/* Folds as arguments of other bindings. */
#pragma once

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

/* The folds, from 0, of `rows` rows from row `first` (from 0) on, by the folds at that index; raises when rows have no fold. */
const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows);

/* Sets *rows to the rows of a fold, ascending, of the folds at that index, and returns their number. Folds and rows count
 * from 0. */
size_t crux_folds_rows(lua_State *L, int index, uint32_t fold, const uint32_t **rows);
