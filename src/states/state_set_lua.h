/* Sets of states as arguments of the bindings of searches. */
#pragma once

#include <lua.h>

#include "states/state_layout.h"
#include "states/state_set.h"

/* The layout of the set at that index; raises when it is none or was closed. */
const crux_state_layout *crux_state_set_layout(lua_State *L, int index);

/* The set of states at that index; raises when it is none, was closed, or its states have another layout than `like`, unless that
 * is NULL. */
crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout *like);

/* The key of the state of the last call of find of the set at that index; NULL when there is none. */
const uint64_t *crux_state_set_key_found(lua_State *L, int index);

/* The number of notes of each state of the set at that index. */
size_t crux_state_set_note_count(lua_State *L, int index);
