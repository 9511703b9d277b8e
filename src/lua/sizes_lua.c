/* libcrux.sizes: the rows of sizes.h, as fields and as a list of { name, most, of }. */
#include <ctype.h>
#include <lauxlib.h>

#include "base/sizes.h"
#include "lua/modules.h"

static const struct size {
	const char *name;
	lua_Integer most;
	const char *of;
} sizes[] = {
#define SIZE(name, most, of) {#name, most, of},
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
		lua_createtable(L, 3, 0);
		push_lower(L, sizes[i].name);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, 1);
		lua_pushinteger(L, sizes[i].most);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -4, 2);
		lua_settable(L, -4);
		lua_pushstring(L, sizes[i].of);
		lua_rawseti(L, -2, 3);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}
