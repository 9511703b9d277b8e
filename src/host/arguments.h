/* Arguments of the functions of crux.h: their checks, and tables for Lua.
 *
 * The checks return true, or fill the fault, which may be NULL, and return false; `function` begins the message. */
#pragma once

#include <lua.h>

#include "crux.h"

/* Refuses NULL; `expected` is "a rule", say. */
bool crux_is_given(const void *argument, const char *function, const char *expected, crux_fault *fault);

/* Refuses an array of `length` elements that is NULL or has less than `least`; `of` is "ratings", say. */
bool crux_is_long_enough(const void *array, size_t length, size_t least, const char *function, const char *of, crux_fault *fault);

/* Refuses NULL among names; `of` is "measure", say. */
bool crux_are_names(const char *const *names, size_t count, const char *function, const char *of, crux_fault *fault);

/* Refuses a table that is NULL, too large, or with arrays that are too short. */
bool crux_is_table(const crux_table *table, const char *function, crux_fault *fault);

/* Pushes { rows = n, columns = names, vectors = { name -> vector } } for a table that was checked; raises if two columns have
 * the same name. */
void crux_table_push(lua_State *L, const crux_table *table);

/* Pushes a list of the texts. */
void crux_texts_list_push(lua_State *L, const char *const *texts, size_t count);
