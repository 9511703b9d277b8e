/* libcrux.budget: what a script may take of this state, and calls of scripts that keep to it. */
#include <lauxlib.h>
#include <stdlib.h>

#include "limits/budget.h"
#include "limits/watchdog.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* Upvalues of guard. */
enum { HANDLER = 1, TO_FAULT, RAISE, NAMES };

/* More calls may fill the stack: there is no room for a message handler in Lua, and a traceback takes seconds. */
enum { DEEP = 200 };

/* Replaces the error on top of the stack by the fault that the function at to_fault makes of it. */
static void make_fault(lua_State *L, int to_fault, const char *who, const lua_Debug *place)
{
	lua_pushvalue(L, to_fault);
	lua_insert(L, -2);
	lua_pushstring(L, who);
	if (place)
		lua_pushfstring(L, "%s:%d", place->source + 1, place->currentline);
	lua_call(L, place ? 3 : 2, 1);
}

/* Message handler; its upvalue is to_fault. guard makes the fault of an error that comes from a deep stack. */
static int handle(lua_State *L)
{
	lua_Debug at;
	crux_budget const *const l = crux_budget_of(L);
	lua_settop(L, 1);
	if (!lua_getstack(L, DEEP, &at)) {
		bool const found = crux_budget_find_place(l, L, &at);
		make_fault(L, lua_upvalueindex(1), atomic_load_explicit(&l->who, memory_order_relaxed), found ? &at : NULL);
	}
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
	if (status == LUA_OK)
		return lua_gettop(L) - 1;
	make_fault(L, lua_upvalueindex(TO_FAULT), who, NULL);
	return lua_error(L);
}

/* guards(to_fault, raise) -> guard; to_fault(err, who, place) makes a fault of what was raised, place being "file:line" of the
 * script, if known; raise(message) raises one */
static int budget_guards(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushvalue(L, 1);
	lua_pushcclosure(L, handle, 1);
	lua_insert(L, 1);
	lua_newtable(L);
	lua_pushcclosure(L, guard, 4);
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

/* spare(f, ...): calls f, which runs nothing of a script; what it keeps is no memory of callbacks */
static int budget_spare(lua_State *L)
{
	bool const collects = lua_gc(L, LUA_GCISRUNNING);
	lua_gc(L, LUA_GCSTOP);
	double const before = lua_gc(L, LUA_GCCOUNT);
	int const status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
	crux_budget_of(L)->spared += (lua_gc(L, LUA_GCCOUNT) - before) * 1024;
	if (collects)
		lua_gc(L, LUA_GCRESTART);
	return status == LUA_OK ? 0 : lua_error(L);
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
	{"guards",      budget_guards},
	{"beat",        budget_beat},
	{"rearm",       budget_rearm},
	{"spare",       budget_spare},
	{"set",         budget_set},
	{"settings",    budget_settings},
	{"stopped",     budget_stopped},
	{"limit_bytes", crux_limit_bytes},
	{NULL,          NULL},
};

int crux_open_budget(lua_State *L)
{
	luaL_newlib(L, functions);
	return 1;
}
