/* What the bindings of a search see of libcrux.state_set. */
#ifndef CRUX_STATE_SET_LUA_H
#define CRUX_STATE_SET_LUA_H

#include <lua.h>

#include "states/state_layout.h"
#include "states/state_set.h"

/* How the states of the set at that index are packed; raises when it is none or was closed. */
const crux_state_layout *crux_state_set_layout(lua_State *L, int index);

/* The set of states at that index; raises, too, when its states are not packed like that. */
crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout *like);

/* The notes of a state of the set at that index. */
size_t crux_state_set_note_count(lua_State *L, int index);

#endif
