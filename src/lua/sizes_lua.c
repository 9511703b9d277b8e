/* libcrux.sizes: the rows of sizes.h, as fields. */
#include <ctype.h>
#include <lauxlib.h>

#include "base/sizes.h"
#include "lua/modules.h"

static const struct size {
	const char *name;
	lua_Integer limit;
} sizes[] = {
#define SIZE(name, limit, of) {#name, limit},
	CRUX_SIZES(SIZE)
#undef SIZE
};

static void push_lower(lua_State *L, const char *name)
{
	luaL_Buffer lower;
	luaL_buffinit(L, &lower);
	for (; *name; name++)
		luaL_addchar(&lower, (char)tolower((unsigned char)*name));
	luaL_pushresult(&lower);
}

int crux_open_sizes(lua_State *L)
{
	lua_newtable(L);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		push_lower(L, sizes[i].name);
		lua_pushinteger(L, sizes[i].limit);
		lua_rawset(L, -3);
	}
	return 1;
}
