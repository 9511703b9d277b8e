/* Searches with a traced step as arguments of other bindings. */
#pragma once

#include <lua.h>

#include "search/native_search.h"

/* The search at that index, with the parameters of a level; raises when it is none, was closed, or has no such parameters. */
crux_native_search *crux_native_search_check(lua_State *L, int index);
