/* libcrux.budget: the limits of this state, and calls of scripts within them. */
#include <lauxlib.h>
#include <stdlib.h>

#include "limits/budget.h"
#include "limits/watchdog.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* Upvalues of guard. */
enum { HANDLER = 1, TO_FAULT, RAISE, NAMES };

/* Calls in calls, from which on no message handler in Lua runs: the stack may be full, and a traceback takes seconds. */
enum { DEEP = 200 };

/* Replaces the error on top of the stack by the fault that the function at index `to_fault` makes of it. */
static void make_fault(lua_State *L, int to_fault, const char *who, const lua_Debug *place)
{
	lua_pushvalue(L, to_fault);
	lua_insert(L, -2);
	lua_pushstring(L, who);
	if (place)
		lua_pushfstring(L, "%s:%d", place->source + 1, place->currentline);
	lua_call(L, place ? 3 : 2, 1);
}

/* Message handler; its upvalue is to_fault. It leaves errors from a deep stack to guard. */
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

/* Keeps the name at that index as long as the state lives, for the watchdog. Pushes nothing. */
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

/* guard(who, f, ...) -> the results of f(...); an error is raised again as the fault that to_fault makes of it. A callback
 * that was stopped raises why, whatever it caught; so does every later call. */
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
	const char *const outer = crux_budget_enter(l, L, who);
	int const status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
	if (crux_budget_leave(l, L, outer))
		return raise_stop(L, l);
	if (status == LUA_OK)
		return lua_gettop(L) - 1;
	make_fault(L, lua_upvalueindex(TO_FAULT), who, NULL);
	return lua_error(L);
}

/* guards(to_fault, raise) -> guard; to_fault(error, who, place) makes a fault, place being "file:line" of the script, if known;
 * raise(message) raises a fault */
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

/* beat(): begins a new span of time for the running callback; outside of callbacks it raises if the command is to stop */
static int budget_beat(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	crux_budget_beat(l, L);
	if (l->stop && l->depth == 0)
		return luaL_error(L, "not enough memory");
	return 0;
}

/* spare(f, ...): calls f, which runs no script; the memory that it keeps does not count for callbacks */
static int budget_spare(lua_State *L)
{
	bool const collects = lua_gc(L, LUA_GCISRUNNING);
	lua_gc(L, LUA_GCSTOP);
	double const before = lua_gc(L, LUA_GCCOUNT);
	int const status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
	crux_budget_of(L)->engine_bytes += (lua_gc(L, LUA_GCCOUNT) - before) * 1024;
	if (collects)
		lua_gc(L, LUA_GCRESTART);
	return status == LUA_OK ? 0 : lua_error(L);
}

/* rearm(): sets the hook again, after debug.sethook */
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

/* set { time = seconds, memory = megabytes, instructions = millions, run = seconds }: sets limits; 0 or nil: none. The
 * watchdog then watches this state; one that is no engine's counts its instructions. */
static int budget_set(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	crux_budget *const l = crux_budget_of(L);
	crux_limit const limit = {field(L, "time"), field(L, "memory"), field(L, "instructions")};
	if (l->adopted) {
		l->limit = limit;
		return 0;
	}
	crux_watchdog_watch(l, limit, field(L, "run"));
	return 0;
}

/* settings() -> the limits that set was given, for another state; nil if it was not called */
static int budget_settings(lua_State *L)
{
	crux_budget const *const l = crux_budget_of(L);
	if (!l->watched)
		return 0;
	lua_newtable(L);
	crux_set_number(L, "time", l->limit.seconds);
	crux_set_number(L, "memory", l->limit.megabytes);
	crux_set_number(L, "instructions", l->limit.instructions);
	crux_set_number(L, "run", l->run);
	return 1;
}

/* stopped() -> the message about why this state was stopped, and the exit status for it; nil if it was not */
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

/* forget() -> true if a limit on callbacks stopped this state, whose scripts may then run again */
static int budget_forget(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	bool const was_stopped = l->stop != CRUX_STOP_NOT;
	crux_budget_begin(l, L);
	lua_pushboolean(L, was_stopped && !l->stop);
	return 1;
}

/* interrupted() -> the exit status for a first signal that stopped this state, which can then go on; nil if there was none */
static int budget_interrupted(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	int const status = crux_budget_status(l);
	if (!l->watched || !crux_watchdog_pardon(l))
		return 0;
	lua_pushinteger(L, status);
	return 1;
}

CRUX_LIBRARY(budget,
	{"guards",      budget_guards},
	{"beat",        budget_beat},
	{"rearm",       budget_rearm},
	{"spare",       budget_spare},
	{"set",         budget_set},
	{"settings",    budget_settings},
	{"stopped",     budget_stopped},
	{"forget",      budget_forget},
	{"interrupted", budget_interrupted},
	{"limit_bytes", crux_limit_bytes})
