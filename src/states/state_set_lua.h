/* What the bindings of a search see of libcrux.state_set. */
#ifndef CRUX_STATE_SET_LUA_H
#define CRUX_STATE_SET_LUA_H

#include <lua.h>

#include "states/state_layout.h"
#include "states/state_set.h"

/* The set of states at that index, and how its states are packed; raises when it is none or was closed. */
crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout **layout);

#endif
