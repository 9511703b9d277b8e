/* Vectors as arguments and results of other bindings. */
#pragma once

#include <lua.h>
#include <stddef.h>

#define CRUX_VECTOR_TYPE "crux.vector"

/* Pushes a new vector of n doubles (not yet set) and returns its elements; Lua owns them. */
double *crux_vector_push(lua_State *L, size_t n);

/* The elements of the vector at that index and, in *n, their number; raises when it is none. */
double *crux_vector_check(lua_State *L, int index, size_t *n);

/* The elements of each vector in the list at that index and, in *count, the number of vectors; raises unless each vector has
 * n elements. Pushes one userdata, which holds the pointers. */
const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count);
