/* What the parts of libcrux.level_shape share: shapes, and what they note of a level. */
#ifndef CRUX_LEVEL_SHAPE_LUA_H
#define CRUX_LEVEL_SHAPE_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lua/binding.h"
#include "states/state_table_lua.h"
#include "trace/traced_lua.h"

enum { CRUX_LEVEL_MAX_TABLES = 200, CRUX_LEVEL_MAX_READINGS = 20000 };

typedef enum {
	CRUX_READ_VALUE, /* a plain one */
	CRUX_READ_TABLE,
	CRUX_READ_BOARD,
	CRUX_READ_LENGTH,
	CRUX_READ_KEYS,
	CRUX_READ_LIST, /* a stretch that lookup reads */
} crux_reading_kind;

/* A stretch of a level's table as tables of a trace: a column for each word of its values, the first of them the table with
 * that number, and, when a value may be missing, one more that is -1 where there is none, else 0. */
typedef struct crux_level_list {
	crux_value_kind kind;
	crux_board_shape shape; /* of boards; else words is 1 */
	size_t table;
	bool may_miss;
} crux_level_list;

typedef struct crux_reading {
	crux_reading_kind kind;
	uint32_t table;      /* the number of the table that was read */
	uint32_t key, value; /* places in NOTED; of a table, value is its number; of keys, key is a list */
	size_t place;        /* in what is given, of a board or list */
	size_t count;        /* of a length or list */
	lua_Integer first;   /* of a list */
	int64_t low, high;
	crux_level_list list;
} crux_reading;

/* User values of a shape. The first three are dropped when it is complete, with the level. */
enum {
	CRUX_SHAPE_TRACE = 1,
	CRUX_SHAPE_TABLES,  /* by number: the level's table; by table of the level or view: its number */
	CRUX_SHAPE_VIEWS,   /* by number: { view, what reads of it gave by key, what was noted of it beside that } */
	CRUX_SHAPE_NOTED,   /* keys and values of readings */
	CRUX_SHAPE_REACHED, /* what step reaches */
	CRUX_SHAPE_USER_VALUES = CRUX_SHAPE_REACHED
};

typedef struct crux_level_shape {
	bool is_shared, is_open;
	crux_reading *readings;
	size_t reading_count, room;
	uint32_t table_count, noted_count;
	int64_t *given;
} crux_level_shape;

/* If the table at that index stands for one of a level: true, and pushes that one. */
bool crux_level_push_table(lua_State *L, int index);

/* Reads a stretch of a level's table for which the one at that index stands; false when its values are not to be shared. */
bool crux_level_read_list(lua_State *L, int index, int64_t first, size_t count, crux_level_list *list);

/* What the level that a shape was last fitted to gives (see crux_trace_given); raises when there is no shape at that
 * index. */
const int64_t *crux_level_given(lua_State *L, int index);

/* Raises why the program can serve no other level. */
int crux_level_refuse(lua_State *L, const char *what);

/* Adds what was read of the table with that number; raises when it is too much or memory is short. */
crux_reading *crux_level_add_reading(lua_State *L, crux_level_shape *shape, crux_reading_kind kind, uint32_t table);

/* Puts the view of the level's table at the top of the stack in its place, and returns its number. Tables with a metatable
 * have none: 0, and the table stays; of a shared shape it raises. */
uint32_t crux_level_exchange_for_view(lua_State *L, crux_level_shape *shape, int shape_index);

/* The shape of the view at that index, which is pushed, and the number of the table that it stands for; NULL, and nothing
 * pushed, when it is none. */
crux_level_shape *crux_level_push_shape(lua_State *L, int index, uint32_t *number);

/* Pushes the level's table with that number. */
void crux_level_push_numbered(lua_State *L, int shape_index, uint32_t number);

/* Reads the list that was noted from the table at the top of the stack; false when it does not fit. */
bool crux_level_fit_list(lua_State *L, const crux_reading *reading, int64_t *given);

/* level_shape.guard of the module. */
int crux_level_guard(lua_State *L);

/* Pushes a list of the functions and tables that the function at that index reaches by its upvalues, and of what is in each;
 * false when that is so much that the lists are not complete. */
bool crux_reached_push(lua_State *L, int function);

/* Whether what the lists at that index tell of is as it was. */
bool crux_reached_is_same(lua_State *L, int index);

/* Trusts the functions in the table at that index, and in tables in it, to depend on nothing that changes. */
void crux_reached_trust(lua_State *L, int table);

#endif
