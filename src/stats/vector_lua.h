/* Vectors as arguments and results of other bindings. */
#ifndef CRUX_VECTOR_LUA_H
#define CRUX_VECTOR_LUA_H

#include <lua.h>
#include <stddef.h>

#define CRUX_VECTOR_TYPE "crux.vector"

/* Pushes a new vector of n doubles (not yet set) and returns its elements; Lua owns them. */
double *crux_vector_push(lua_State *L, size_t n);

/* The elements of the vector at that index and, in *n, their number; raises when it is none. */
double *crux_vector_check(lua_State *L, int index, size_t *n);

/* The elements of the vectors in the list at that index and, in *count, how many vectors there are; raises unless each has n
 * elements. Pushes the memory of the pointers. */
const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count);

#endif
