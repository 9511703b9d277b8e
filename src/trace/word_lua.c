/* Messages about words. */
#include "trace/word_lua.h"

#include "lua/binding.h"

enum { SHOWN = 8 }; /* arguments in a message, of what may be as many as Lua's stack holds */

void crux_word_push_found(lua_State *L, const crux_word *word, int count)
{
	lua_pushfstring(L, "%s: found %s", word->sign ? word->sign : word->name, count == 0 ? "nothing" : "");
	for (int i = 1; i <= count && i <= SHOWN; i++) {
		lua_pushstring(L, i == 1 ? "" : " and ");
		crux_push_shown(L, i);
		lua_concat(L, 3);
	}
	if (count > SHOWN) {
		lua_pushfstring(L, " and %d more", count - SHOWN);
		lua_concat(L, 2);
	}
}
