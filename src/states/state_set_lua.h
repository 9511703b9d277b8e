/* Sets of states as arguments of the bindings of searches. */
#pragma once

#include <lua.h>
#include <stdbool.h>

#include "states/state_layout.h"
#include "states/state_set.h"
#include "states/state_table_lua.h"

/* The layout of the set at that index; raises when it is none or was closed. */
const crux_state_layout *crux_state_set_layout(lua_State *L, int index);

/* The set of states at that index; raises when it is none, was closed, or its states have another layout than `like`, unless that
 * is NULL. */
crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout *like);

/* The key of the state of the last call of find of the set at that index; NULL when there is none. */
const uint64_t *crux_state_set_key_found(lua_State *L, int index);

/* The number of notes of each state of the set at that index. */
size_t crux_state_set_note_count(lua_State *L, int index);

/* For the two files of libcrux.state_set only. */

#define CRUX_STATES_TYPE "crux.state_set"

typedef struct crux_states {
	crux_state_set *set; /* NULL: closed */
	crux_state_layout *layout;
	size_t notes;
	bool has_key;    /* `key` is that of the state of the last call of find */
	bool may_add;    /* and not in the set */
	int64_t *values; /* scratch: a state, */
	int64_t *after;  /* one after a move, */
	uint64_t *key;   /* a key */
	crux_table_fields fields;
	crux_table_field rows[];
} crux_states;

/* User values: field names and metatable of state tables; memory of values and key; the table of successor, and its lists; what
 * steps got. */
enum {
	CRUX_STATES_NAMES = 1,
	CRUX_STATES_METATABLE,
	CRUX_STATES_SCRATCH,
	CRUX_STATES_SUCCESSOR,
	CRUX_STATES_LISTS,
	CRUX_STATES_STEP,
	CRUX_STATES_MOVES,
	CRUX_STATES_LEVEL,
	CRUX_STATES_BEFORE,
	CRUX_STATES_USER_VALUES = CRUX_STATES_BEFORE
};

/* The set at that index; raises when it is none or was closed. */
crux_states *crux_states_check(lua_State *L, int index);

/* Sets the metatable of state tables for the table at the top of the stack; returns 1. */
int crux_states_set_metatable(lua_State *L);

/* Unpacks a state into `values` and, of a stack of one value, the set, or two, makes one of four: sets the third to the names, the
 * fourth to a table of the state. */
void crux_states_push(lua_State *L, const crux_states *states, uint32_t index);

/* The stack has the set and a table of a state. Pushes the names of fields; the table that all successors of the set share, which gets
 * the values of that state; and the lists in it. */
void crux_states_push_successor(lua_State *L, const crux_states *states);

/* Methods of sets. */
int crux_states_steps(lua_State *L);
int crux_states_expand(lua_State *L);
