/* Vectors as arguments and results of other bindings. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#define CRUX_VECTOR_TYPE "crux.vector"

/* Pushes a new vector of n doubles (not yet set) and returns its elements; Lua owns them. */
double *crux_vector_push(lua_State *L, size_t n);

/* The elements of the vector at that index and, in *n, their number; raises when it is none. */
double *crux_vector_check(lua_State *L, int index, size_t *n);

/* The n elements of the vector at that index; raises when it is none, or has another length. */
double *crux_vector_of(lua_State *L, int index, size_t n);

/* The same; NULL when there is no value. */
const double *crux_vector_or_none(lua_State *L, int index, size_t n);

/* Pushes a field of the table at that index, a vector, and returns its n elements; NULL for nil if it is optional. */
const double *crux_vector_field(lua_State *L, int table, const char *name, size_t n, bool is_optional);

/* The elements of each vector in the list at that index and, in *count, the number of vectors; raises unless each vector has
 * n elements. Pushes one userdata, which holds the pointers. */
const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count);
