/* libcrux.budget: what a script may take of this state, and calls of scripts that keep to it. */
#include <lauxlib.h>
#include <stdlib.h>

#include "limits/budget.h"
#include "limits/watchdog.h"
#include "lua/modules.h"

/* Upvalues of guard. */
enum { HANDLER = 1, RAISE, NAMES };

/* Message handler; its upvalue makes a fault of what was raised and of the script's name. */
static int handle(lua_State *L)
{
	lua_settop(L, 1);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_pushstring(L, atomic_load_explicit(&crux_budget_of(L)->who, memory_order_relaxed));
	lua_call(L, 2, 1);
	return 1;
}

static int raise_stop(lua_State *L, const crux_budget *l)
{
	lua_pushvalue(L, lua_upvalueindex(RAISE));
	lua_pushstring(L, l->fault.message);
	lua_call(L, 1, 0);
	return 0;
}

/* Pushes nothing; the name stays as long as the state does, for the watchdog. */
static const char *keep_name(lua_State *L, int index)
{
	const char *const name = luaL_checkstring(L, index);
	lua_pushvalue(L, index);
	if (lua_rawget(L, lua_upvalueindex(NAMES)) == LUA_TNIL) {
		lua_pushvalue(L, index);
		lua_pushvalue(L, index);
		lua_rawset(L, lua_upvalueindex(NAMES));
		lua_pop(L, 1);
		return name;
	}
	const char *const kept = lua_tostring(L, -1);
	lua_pop(L, 1);
	return kept;
}

/* guard(who, f, ...) -> what f(...) returns; what it raises is raised as the handler makes it. A callback that was stopped
 * raises that, whatever it caught; so does every other one then. */
static int guard(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	const char *const who = keep_name(L, 1);
	if (l->adopted && l->depth == 0)
		crux_budget_begin(l, L);
	if (l->stop && l->depth == 0 && *l->fault.message)
		return raise_stop(L, l);
	lua_pushvalue(L, lua_upvalueindex(HANDLER));
	lua_replace(L, 1);
	crux_callback const outer = crux_budget_enter(l, L, who);
	int const status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
	if (crux_budget_leave(l, L, outer))
		return raise_stop(L, l);
	return status == LUA_OK ? lua_gettop(L) - 1 : lua_error(L);
}

/* guards(handler, raise) -> guard; handler(err, who) makes a fault of what was raised, raise(message) raises one */
static int budget_guards(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushvalue(L, 1);
	lua_pushcclosure(L, handle, 1);
	lua_replace(L, 1);
	lua_newtable(L);
	lua_pushcclosure(L, guard, 3);
	return 1;
}

/* beat(): the callback at hand begins another piece of its work, which has the time of a callback; a place at which the
 * command can be stopped */
static int budget_beat(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	crux_budget_beat(l, L);
	if (l->stop && l->depth == 0)
		return luaL_error(L, "not enough memory");
	return 0;
}

/* rearm(): after debug.sethook */
static int budget_rearm(lua_State *L)
{
	crux_budget_rearm(crux_budget_of(L), L);
	return 0;
}

static double field(lua_State *L, const char *name)
{
	lua_getfield(L, 1, name);
	double const value = luaL_optnumber(L, -1, 0);
	lua_pop(L, 1);
	return value;
}

/* set { time = seconds, memory = megabytes, instructions = millions, run = seconds }: has this state watched within these
 * limits, or, if it is no engine's, its instructions counted; 0 or nil is none */
static int budget_set(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	crux_budget *const l = crux_budget_of(L);
	crux_limit const most = {field(L, "time"), field(L, "memory"), field(L, "instructions")};
	if (l->adopted) {
		l->most = most;
		return 0;
	}
	return crux_watchdog_watch(l, most, field(L, "run")) ? 0 : luaL_error(L, "cannot start a thread that watches scripts");
}

/* settings() -> what set was given, for another state; nil when it was not called */
static int budget_settings(lua_State *L)
{
	crux_budget const *const l = crux_budget_of(L);
	if (!l->watched)
		return 0;
	struct { const char *name; double value; } const values[] = {
		{"time", l->most.seconds}, {"memory", l->most.megabytes}, {"instructions", l->most.instructions}, {"run", l->run},
	};
	lua_newtable(L);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		lua_pushnumber(L, values[i].value);
		lua_setfield(L, -2, values[i].name);
	}
	return 1;
}

/* stopped() -> why this state was stopped, and the exit status that goes with it; nil when it was not */
static int budget_stopped(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	if (!l->stop)
		return 0;
	if (!*l->fault.message)
		crux_budget_describe(l, NULL, "", &l->fault);
	lua_pushstring(L, l->fault.message);
	lua_pushinteger(L, crux_budget_status(l));
	return 2;
}

static const luaL_Reg functions[] = {
	{"guards",   budget_guards},
	{"beat",     budget_beat},
	{"rearm",    budget_rearm},
	{"set",      budget_set},
	{"settings", budget_settings},
	{"stopped",  budget_stopped},
	{NULL,       NULL},
};

int crux_open_budget(lua_State *L)
{
	luaL_newlib(L, functions);
	return 1;
}
