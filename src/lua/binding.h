/* Helpers of all bindings: fields of tables, arguments, results, types of userdata. A type that several bindings use has a
 * header of its own, as stats/vector_lua.h. */
#ifndef CRUX_BINDING_H
#define CRUX_BINDING_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pushes nil and the message; returns 2, the number of results of a primitive that failed. */
int crux_fail(lua_State *L, const char *message);

/* Pops an integer; false when the value is none, or none that fits an int. */
bool crux_take_int(lua_State *L, int *value);

/* Pushes a field of the table at that index, without calling anything of a script's; returns its type. */
int crux_push_field(lua_State *L, int table, const char *name);

/* The length of the list at that index; raises when it is no table, or longer than any list is that memory has room for: of a
 * list with holes Lua may say anything up to 2^63. */
size_t crux_check_length(lua_State *L, int index);

/* Limits that a field of the table at that index, an argument, sets: an integer from 1, a number above 0; 0 when it is
 * missing. Raise when it is something else. */
size_t crux_check_limit(lua_State *L, int table, const char *name);
double crux_check_seconds(lua_State *L, int table, const char *name);

/* The limit on bytes that the field `bytes` of such a table sets for what a primitive takes beside Lua's memory; where it is
 * missing, or more, as many as limit_bytes allows. */
size_t crux_check_bytes(lua_State *L, int table);

/* limit_bytes(bytes): scripts can no longer ask for more; without bytes, and at first, than 1 GiB. */
int crux_limit_bytes(lua_State *L);

/* Opens a library of a type of userdata: pushes its functions, and makes the metatable of the type with metamethods, the
 * methods as __index; without methods, those among the metamethods. Returns 1. */
int crux_open_type(lua_State *L, const char *type, const luaL_Reg *metamethods, const luaL_Reg *methods,
                   const luaL_Reg *functions);

/* Gives a type that was opened operators: the function for each of these events, with its place in the list as upvalue 1. */
void crux_set_operators(lua_State *L, const char *type, lua_CFunction function, const char *const *events, size_t count);

/* Set a field of the table at the top of the stack. */
void crux_set_integer(lua_State *L, const char *name, lua_Integer value);
void crux_set_number(lua_State *L, const char *name, lua_Number value);
void crux_set_string(lua_State *L, const char *name, const char *value);

/* Sets how many solutions there are: solutions =, or solutions_overflow = true for more than 2^63 - 1. */
void crux_set_solutions(lua_State *L, uint64_t count);

/* Pushes the words that messages have for the value at that index: "3.5", "'up'", "a board of 3 x 2", "nothing". A type of
 * userdata gives its words in the field __shown of its metatable: a string, or a function of a value that pushes one. */
void crux_push_shown(lua_State *L, int index);

#endif
