/* Helpers of all bindings: fields of tables, arguments, results, types of userdata. A type that several bindings use has its
 * own header, such as stats/vector_lua.h. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pushes nil and the message; returns 2, the number of results of a primitive that failed. */
int crux_fail(lua_State *L, const char *message);

/* Pops an integer; returns false for another value, and for an integer that an int does not hold. */
bool crux_take_int(lua_State *L, int *value);

/* Pushes a field of the table at that index without calling metamethods; returns its type. */
int crux_push_field(lua_State *L, int table, const char *name);

/* The length of the list at that index. Raises for another value, and for a length above INT32_MAX: Lua may report any length
 * up to 2^63 for a list with holes. */
size_t crux_check_length(lua_State *L, int index);

/* The descriptor of the open Lua file at index 1; raises if it is closed or another value. */
int crux_check_descriptor(lua_State *L);

/* The limit that a field of the table at that index, an argument, sets: an integer from 1, or a number above 0. Return 0 if
 * it is missing; raise for other values. */
size_t crux_check_limit(lua_State *L, int table, const char *name);
double crux_check_seconds(lua_State *L, int table, const char *name);

/* The limit on the bytes that a primitive allocates outside of Lua's memory: the field `bytes` of such a table, or what
 * limit_bytes allows if that is less or the field is missing. */
size_t crux_check_bytes(lua_State *L, int table);

/* limit_bytes(bytes): sets the most bytes that scripts can ask for; 1 GiB without bytes, and at first. */
int crux_limit_bytes(lua_State *L);

/* Opens a library of a type of userdata: pushes a table of its functions, and makes the metatable of the type. Methods whose
 * names begin with "__" are metamethods; the others are the fields of __index, unless there is an __index among them.
 * Returns 1. */
int crux_open_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *functions);

/* Defines a table of the functions of a library or of the methods of a type, of rows {"name", function}. */
#define CRUX_TABLE(table, ...) static const luaL_Reg table[] = {__VA_ARGS__, {NULL, NULL}};

/* The rows of methods of a type whose values are closed by that function. */
#define CRUX_CLOSES(function) {"__gc", function}, {"__close", function}

/* These define crux_open_NAME: of a library of functions, rows as above; and of one that has the tables `methods`, of a type of userdata,
 * and `functions`. */
#define CRUX_LIBRARY(name, ...) \
	CRUX_TABLE(functions, __VA_ARGS__) \
	int crux_open_##name(lua_State *L) { luaL_newlib(L, functions); return 1; }
#define CRUX_TYPE_LIBRARY(name, type) \
	int crux_open_##name(lua_State *L) { return crux_open_type(L, type, methods, functions); }

/* A handle is a userdata whose first member is a pointer, NULL after the handle was closed. This pushes a handle of such a
 * type and size, all zeros. */
void *crux_handle_new(lua_State *L, const char *type, size_t size, int user_values);

/* Returns the handle at that index. Raises if it is another value, or if it was closed, which the message `closed` says. */
void *crux_handle_check(lua_State *L, int index, const char *type, const char *closed);

/* Closes the handle at index 1: returns its pointer, which the caller frees; NULL if it was closed before. */
void *crux_handle_take(lua_State *L, const char *type);

/* Defines a function that closes the handle at index 1, and frees its content. */
#define CRUX_RELEASE(function, type, free_content) \
	static int function(lua_State *L) { free_content(crux_handle_take(L, type)); return 0; }

/* Adds operators to an opened type: the function for each of these events, with its place in the list as upvalue 1. */
void crux_set_operators(lua_State *L, const char *type, lua_CFunction function, const char *const *events, size_t count);

/* These set a field of the table on top of the stack. */
void crux_set_integer(lua_State *L, const char *name, lua_Integer value);
void crux_set_number(lua_State *L, const char *name, lua_Number value);
void crux_set_string(lua_State *L, const char *name, const char *value);

/* Sets the field solutions to the number of solutions, or solutions_overflow to true for more than 2^63 - 1. */
void crux_set_solutions(lua_State *L, uint64_t count);

/* Pushes the words of messages for the value at that index: "3.5", "'up'", "a board of 3 x 2", "nothing". The field __shown of
 * the metatable of a userdata has its words: a string, or a function that returns one. */
void crux_push_shown(lua_State *L, int index);
