/* Masks (mask.h) of a trace, for Lua. */
#pragma once

#include <lua.h>

/* Makes the metatable of masks, with the stack as crux_symbol_set_functions needs it. */
void crux_masks_open(lua_State *L);

/* trace:masks() -> sets of states, of conditions that are truth values of this trace: each an integer, 0 no state, 1 all of
 * them, a ~ 1 the others. Methods: of(truth) -> the states where it holds; symbol(mask) -> the truth value; both(a, b),
 * either(a, b), without(a, b) -> those of a that b does not have; within(a, whole) -> as a among the states of `whole`, and
 * simpler. */
int crux_masks_push(lua_State *L);
