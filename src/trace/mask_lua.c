/* trace:masks(): masks as integers of Lua. */
#include "trace/mask_lua.h"

#include <lauxlib.h>

#include "lua/binding.h"
#include "trace/mask.h"
#include "trace/symbol_lua.h"

#define TYPE "crux.masks"

/* User value 1 keeps the trace. */
typedef struct held_masks {
	crux_masks *masks;
	crux_traced *traced;
} held_masks;

static held_masks *check(lua_State *L)
{
	held_masks *const held = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, held->masks && held->traced->trace, 1, "masks of an open trace");
	return held;
}

static crux_mask check_mask(lua_State *L, const held_masks *held, int index)
{
	lua_Integer const number = luaL_checkinteger(L, index);
	luaL_argcheck(L, crux_masks_has(held->masks, (uint64_t)number), index, "a mask");
	return (crux_mask)number;
}

int crux_masks_push(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	held_masks *const held = crux_handle_new(L, TYPE, sizeof *held, 1);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	held->traced = traced;
	held->masks = crux_masks_new(traced->trace);
	return held->masks ? 1 : luaL_error(L, "out of memory");
}

static int push_mask(lua_State *L, const held_masks *held, crux_mask mask)
{
	if (crux_masks_have_failed(held->masks)) {
		lua_pushliteral(L, "found paths that differ by too many conditions of the state, expected fewer branches and loops");
		return crux_traced_refuse(L);
	}
	lua_pushinteger(L, mask);
	return 1;
}

static int masks_of(lua_State *L)
{
	held_masks const *const held = check(L);
	crux_operand truth;
	luaL_argcheck(L, crux_operand_read(L, held->traced, 2, &truth) && truth.kind == CRUX_TRUTH, 2, "a truth value");
	return push_mask(L, held, crux_masks_of(held->masks, truth.nodes[0]));
}

static int masks_symbol(lua_State *L)
{
	held_masks const *const held = check(L);
	crux_node const truth = crux_masks_truth(held->masks, check_mask(L, held, 2));
	push_mask(L, held, 0);
	return crux_operand_push_truth(L, held->traced, truth);
}

static int combine(lua_State *L, crux_mask (*operation)(crux_masks *, crux_mask, crux_mask))
{
	held_masks const *const held = check(L);
	return push_mask(L, held, operation(held->masks, check_mask(L, held, 2), check_mask(L, held, 3)));
}

static int masks_both(lua_State *L) { return combine(L, crux_masks_both); }
static int masks_within(lua_State *L) { return combine(L, crux_masks_within); }

static int masks_release(lua_State *L)
{
	crux_masks_free(crux_handle_take(L, TYPE));
	return 0;
}

static int masks_are_few(lua_State *L)
{
	lua_pushboolean(L, crux_masks_are_few(check(L)->masks));
	return 1;
}

static const luaL_Reg methods[] = {
	{"of",      masks_of},
	{"symbol",  masks_symbol},
	{"both",    masks_both},
	{"within",  masks_within},
	{"are_few", masks_are_few},
	{NULL,      NULL},
};

void crux_masks_open(lua_State *L)
{
	luaL_newmetatable(L, TYPE);
	lua_pushcfunction(L, masks_release);
	lua_setfield(L, -2, "__gc");
	lua_newtable(L);
	crux_symbol_set_functions(L, methods);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);
}
