/* libcrux.terminal: whether streams are terminals, and what these show. */
#include <langinfo.h>
#include <lauxlib.h>
#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/executor.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* is_terminal(file) -> whether an open Lua file is a terminal. Always false under MPI: mpirun gives its processes terminals
 * whatever its own streams are. */
static int terminal_is_terminal(lua_State *L)
{
	int const descriptor = crux_check_descriptor(L);
	bool const is_local = lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY) == LUA_TNIL;
	lua_pushboolean(L, is_local && isatty(descriptor));
	return 1;
}

/* columns(file) -> the number of characters in a line of the terminal that an open Lua file is; nil if it is not known */
static int terminal_columns(lua_State *L)
{
	struct winsize size;
	if (ioctl(crux_check_descriptor(L), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 0;
	lua_pushinteger(L, size.ws_col);
	return 1;
}

/* is_utf8() -> whether the environment says that terminals show UTF-8 */
static int terminal_is_utf8(lua_State *L)
{
	locale_t const locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	lua_pushboolean(L, locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0);
	if (locale)
		freelocale(locale);
	return 1;
}

CRUX_LIBRARY(terminal,
	{"is_terminal", terminal_is_terminal},
	{"columns",     terminal_columns},
	{"is_utf8",     terminal_is_utf8})
