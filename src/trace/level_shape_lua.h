/* Shapes, and the readings of a level that they record: shared by the parts of libcrux.level_shape. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lua/binding.h"
#include "states/state_table_lua.h"
#include "trace/traced_lua.h"

enum { CRUX_LEVEL_MAX_TABLES = 20000, CRUX_LEVEL_MAX_READINGS = 100000 };

typedef enum {
	CRUX_READ_VALUE, /* nil, a truth value, number or text */
	CRUX_READ_TABLE,
	CRUX_READ_BOARD,
	CRUX_READ_LENGTH,
	CRUX_READ_KEYS,
	CRUX_READ_LIST, /* a range that lookup reads */
	CRUX_READ_HELD, /* of what is no level's; see crux_level_held */
} crux_reading_kind;

/* A range of a level's table as consecutive tables of a trace, from `table` on: one for each word of its values and, when values
 * may be missing, one that is -1 where the value is missing, else 0. */
typedef struct crux_level_list {
	crux_value_kind kind;
	crux_board_shape shape; /* of boards; else words is 1 */
	size_t table;
	bool may_miss;
} crux_level_list;

typedef struct crux_reading {
	crux_reading_kind kind;
	uint32_t table;      /* number of the table that was read; of CRUX_READ_HELD, index in RECORDED of the holder */
	uint32_t key, value; /* indices in RECORDED; a table's value is its number; the key of keys is a list */
	uint32_t line;       /* index in RECORDED of the place in the script */
	size_t place;        /* number of the first parameter of a board or list */
	size_t count;        /* a length, or the length of a list */
	lua_Integer first;   /* index of a list's first value */
	int64_t low, high;
	crux_level_list list;
} crux_reading;

#define CRUX_LEVEL_SHAPE_TYPE "crux.level_shape"

/* User values of a shape. finish removes tables. */
enum {
	CRUX_SHAPE_TRACE = CRUX_TRACED_FROM,
	CRUX_SHAPE_TABLES,   /* by number: the level's table; by table of the level: its number */
	CRUX_SHAPE_RECORDED, /* keys, values and places of readings */
	CRUX_SHAPE_USER_VALUES = CRUX_SHAPE_RECORDED
};

typedef struct crux_level_shape {
	bool is_open, is_fitted; /* fitted: `parameters` are those of a level */
	crux_reading *readings;
	size_t reading_count, room;
	crux_reading const *differing; /* the reading that the last level did not fit; NULL: it fitted all */
	uint32_t table_count, recorded_count;
	int64_t *parameters;
	size_t parameter_count;
	uintptr_t *tables; /* the addresses of the tables of the level that is compared */
} crux_level_shape;

/* Records that a range of a table of the level is read, of the shape at index 1 for the place at index 4; false when it has no
 * values, or values of several kinds. */
bool crux_level_read_list(lua_State *L, const crux_traced *traced, uint32_t number, int64_t first, size_t count,
                          crux_level_list *list);

/* True when the level at index `level` fits the shape at index `shape`, which then holds its parameters. Raises for other values. */
bool crux_level_fits(lua_State *L, int shape, int level);

/* The `count` parameters of the level that the shape at that index was last fitted to; raises unless it fits a level and is of
 * the same trace as the value at index 1. */
const int64_t *crux_level_parameters(lua_State *L, int index, size_t count);

/* Raises that `what` was found, so that the program can serve no other level. */
int crux_level_refuse(lua_State *L, const char *what);

/* Adds a reading of the table with that number to the shape at index 1; `place` is the index of a value that tells where step
 * reads. Raises when there are too many or memory is short. */
crux_reading *crux_level_add_reading(lua_State *L, crux_level_shape *shape, crux_reading_kind kind, uint32_t table, int place);

/* The number of the level's table at the top of the stack; raises when it has a metatable. */
uint32_t crux_level_number(lua_State *L, crux_level_shape *shape, int shape_index);

/* Pushes the level's table with that number. */
void crux_level_push_numbered(lua_State *L, int shape_index, uint32_t number);

/* Reads the parameters of a list from the table at the top of the stack; false when it does not fit the reading. */
bool crux_level_fit_list(lua_State *L, const crux_reading *reading, int64_t *parameters);

/* Pushes what a function or table at index `holder` holds at the key at index `key`, as crux_level_held says; false, and pushes
 * nothing, when a function has no such upvalue. */
bool crux_level_push_held(lua_State *L, int holder, int key);

/* Methods of shapes. */
int crux_level_read(lua_State *L);
int crux_level_length(lua_State *L);
int crux_level_keys(lua_State *L);
int crux_level_held(lua_State *L);
