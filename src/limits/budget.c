/* What a script may take of an engine: counted by the allocator, by a hook if need be, and else by the watchdog. */
#include "limits/budget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"

enum { PERIOD = 10000 }; /* instructions between two looks */

/* Of the time of a callback, for what comes after its primitives: a share, or, of short ones, so many seconds, but half at most. */
static const double reserve = 0.1, reserved = 0.5;

static char const adopted = 0; /* its address is the key of limits in the registry */

void crux_budget_adopt(lua_State *L, const char *own)
{
	crux_budget *const l = memset(lua_newuserdatauv(L, sizeof *l, 0), 0, sizeof *l);
	l->own = own;
	l->adopted = true;
	crux_budget_begin(l, L);
	lua_rawsetp(L, LUA_REGISTRYINDEX, &adopted);
}

crux_budget *crux_budget_of(lua_State *L)
{
	void *limits;
	if (lua_getallocf(L, &limits) == crux_budget_allocate)
		return limits;
	lua_rawgetp(L, LUA_REGISTRYINDEX, &adopted);
	limits = lua_touserdata(L, -1);
	lua_pop(L, 1);
	return limits;
}

static crux_stop reason(const crux_budget *l)
{
	return (crux_stop)atomic_load_explicit(&l->stop, memory_order_relaxed);
}

static int depth_of(const crux_budget *l)
{
	return atomic_load_explicit(&l->depth, memory_order_relaxed);
}

static bool counts(const crux_budget *l)
{
	return l->most.instructions > 0 || (l->most.seconds > 0 && !l->watched) || (l->most.megabytes > 0 && l->adopted);
}

void crux_budget_stop(crux_budget *l, crux_stop stop)
{
	int none = CRUX_STOP_NOT;
	atomic_compare_exchange_strong(&l->stop, &none, stop);
}

/* Finds the script's function that is running. Engine code that it called is passed over. */
static bool find_place(const crux_budget *l, lua_State *L, lua_Debug *at)
{
	for (int level = 0; L && lua_getstack(L, level, at); level++) {
		lua_getinfo(L, "Sl", at);
		if (at->currentline > 0 && *at->source == '@' && strncmp(at->source, l->own, strlen(l->own)) != 0)
			return true;
	}
	return false;
}

/* How a message begins: where, and what: the last word of "games/x.lua:12: step", "rule 'x'". */
static void describe_script(const crux_budget *l, lua_State *L, const char *who, size_t size, char *text)
{
	lua_Debug at;
	if (!find_place(l, L, &at)) {
		snprintf(text, size, "%s", who);
		return;
	}
	const char *path = at.source + 1;
	if (strncmp(who, path, strlen(path)) != 0)
		path = at.short_src; /* as it is where a function's line is part of the name */
	size_t const length = strlen(path);
	bool const is_path = strncmp(who, path, length) == 0;
	const char *what = is_path ? "the script" : who;
	for (const char *rest = is_path ? who + length : ""; (rest = strstr(rest, ": ")); what = rest += 2)
		;
	snprintf(text, size, "%s:%d: %s", path, at.currentline, what);
}

/* What is to be said of a stop; see crux_budget_describe. */
static void describe(const crux_budget *l, crux_stop stop, lua_State *L, const char *yields, crux_fault *fault)
{
	char who[300] = "crux";
	char const *const hint = l->watched ? "" : NULL;
	char const *const name = atomic_load_explicit(&l->who, memory_order_acquire);
	if (depth_of(l) > 0 && name)
		describe_script(l, L, name, sizeof who, who);
	switch (stop) {
	case CRUX_STOP_TIME:
		crux_fault_set(fault, "%s ran for more than %g s%s%s", who, l->most.seconds, yields,
		               hint ? "; --limit-time SECONDS allows more" : "");
		break;
	case CRUX_STOP_MEMORY:
		crux_fault_set(fault, "%s took more than %g MB%s", who, l->most.megabytes,
		               hint ? "; --limit-memory MB allows more" : "");
		break;
	case CRUX_STOP_INSTRUCTIONS:
		crux_fault_set(fault, "%s took more than %g million instructions%s", who, l->most.instructions,
		               hint ? "; --limit-instructions MILLIONS allows more" : "");
		break;
	case CRUX_STOP_RUN:
		crux_fault_set(fault, "%s: stopped after %g s of the command%s; --limit-run SECONDS allows more", who, l->run, yields);
		break;
	case CRUX_STOP_SIGNAL:
		crux_fault_set(fault, "%s: interrupted", who);
		break;
	default:
		crux_fault_set(fault, "stopped");
	}
}

void crux_budget_describe(const crux_budget *l, lua_State *L, const char *yields, crux_fault *fault)
{
	describe(l, reason(l), L, yields, fault);
}

int crux_budget_status(const crux_budget *l)
{
	return reason(l) == CRUX_STOP_SIGNAL ? 128 + l->signal : EXIT_FAILURE;
}

/* Raises what no message handler sees. Outside of callbacks that is done once, so that the engine can end what it began. */
static void raise(crux_budget *l, lua_State *L)
{
	if (!*l->fault.message)
		crux_budget_describe(l, L, "", &l->fault);
	if (depth_of(l) > 0 || reason(l) == CRUX_STOP_WORKER)
		lua_sethook(L, l->interrupt.hook, LUA_MASKCOUNT, 1);
	else
		lua_sethook(L, NULL, 0, 0);
	lua_pushliteral(L, "not enough memory");
	lua_error(L);
}

/* Whether a callback has more memory than so many times its limit allows. */
static bool has_too_much(const crux_budget *l, double bytes, double times)
{
	return depth_of(l) > 0 && l->most.megabytes > 0 && bytes > times * l->most.megabytes * 0x1p20;
}

static double bytes_of(const crux_budget *l, lua_State *L)
{
	return l->adopted ? lua_gc(L, LUA_GCCOUNT) * 1024.0 : (double)l->bytes;
}

/* Why the callback at hand is to stop, as far as that is not known yet. */
static crux_stop find_reason(crux_budget *l, lua_State *L)
{
	l->instructions += lua_gethookcount(L);
	if (!l->refused && has_too_much(l, bytes_of(l, L), 1))
		lua_gc(L, LUA_GCCOLLECT);
	if (l->refused || has_too_much(l, bytes_of(l, L), 1))
		return CRUX_STOP_MEMORY;
	if (l->most.instructions > 0 && l->instructions >= l->most.instructions * 1e6)
		return CRUX_STOP_INSTRUCTIONS;
	if (!l->watched && l->most.seconds > 0 && crux_clock_now() >= l->deadline)
		return CRUX_STOP_TIME;
	return CRUX_STOP_NOT;
}

/* The hook: called every so many instructions of a callback that counts them, when it may have too much memory, and after an
 * interrupt. */
static void look(lua_State *L, lua_Debug *unused)
{
	(void)unused;
	crux_budget *const l = crux_budget_of(L);
	if (depth_of(l) > 0 && !reason(l)) {
		crux_stop const stop = find_reason(l, L);
		if (stop)
			crux_budget_stop(l, stop);
		else
			lua_sethook(L, NULL, 0, 0);
		crux_budget_rearm(l, L);
		if (!reason(l))
			return;
	}
	if (depth_of(l) > 0 || reason(l) >= CRUX_STOP_RUN)
		raise(l, L);
	lua_sethook(L, NULL, 0, 0); /* the callback was just left */
}

/* Lua may be about to raise an error that nothing catches, so the place is noted now. */
static void refuse(crux_budget *l, size_t size)
{
	l->refused = size;
	if (!reason(l))
		describe(l, CRUX_STOP_MEMORY, l->interrupt.running, "", &l->fault);
}

void *crux_budget_allocate(void *limits, void *block, size_t old_size, size_t new_size)
{
	crux_budget *const l = limits;
	size_t const had = block ? old_size : 0; /* else it tells the type */
	if (new_size == 0) {
		free(block);
		l->bytes -= had;
		return NULL;
	}
	double const bytes = (double)l->bytes + (double)new_size - (double)had;
	if (new_size > had && has_too_much(l, bytes, 1))
		lua_sethook(l->interrupt.running, look, LUA_MASKCOUNT, 1);
	if (new_size > had && has_too_much(l, bytes, 2)) {
		refuse(l, new_size);
		return NULL;
	}
	void *const moved = realloc(block, new_size);
	if (!moved)
		return NULL;
	l->bytes += new_size - had;
	if (l->refused == new_size) { /* after collecting garbage Lua asked again */
		l->refused = 0;
		if (!reason(l))
			l->fault.message[0] = '\0';
	}
	return moved;
}

void crux_budget_begin(crux_budget *l, lua_State *L)
{
	l->interrupt.hook = look;
	l->interrupt.running = L;
	if (reason(l) > CRUX_STOP_NOT && reason(l) < CRUX_STOP_RUN) {
		l->fault.message[0] = '\0';
		atomic_store_explicit(&l->stop, CRUX_STOP_NOT, memory_order_relaxed);
	}
}

void crux_budget_rearm(crux_budget *l, lua_State *L)
{
	if (depth_of(l) > 0 && reason(l))
		lua_sethook(L, look, LUA_MASKCOUNT, 1);
	else if (depth_of(l) > 0 && counts(l))
		lua_sethook(L, look, LUA_MASKCOUNT, l->most.instructions > 0 ? (int)fmax(1, fmin(PERIOD, l->most.instructions * 1e6)) : PERIOD);
}

void crux_budget_beat(crux_budget *l, lua_State *L)
{
	unsigned const serial = atomic_load_explicit(&l->serial, memory_order_relaxed);
	atomic_store_explicit(&l->serial, serial + 1, memory_order_relaxed);
	if (!counts(l))
		return;
	l->instructions = 0;
	if (!l->watched)
		l->deadline = crux_clock_now() + l->most.seconds;
	crux_budget_rearm(l, L);
}

crux_callback crux_budget_enter(crux_budget *l, lua_State *L, const char *who)
{
	crux_callback const outer = {atomic_load_explicit(&l->who, memory_order_relaxed)};
	l->refused = 0;
	atomic_store_explicit(&l->who, who, memory_order_release);
	atomic_store_explicit(&l->depth, depth_of(l) + 1, memory_order_release);
	crux_budget_beat(l, L);
	return outer;
}

bool crux_budget_leave(crux_budget *l, lua_State *L, crux_callback outer)
{
	if (l->refused)
		crux_budget_stop(l, CRUX_STOP_MEMORY);
	if (depth_of(l) == 1 && reason(l) && !*l->fault.message)
		crux_budget_describe(l, NULL, "", &l->fault);
	atomic_store_explicit(&l->who, outer.who, memory_order_release);
	atomic_store_explicit(&l->depth, depth_of(l) - 1, memory_order_release);
	if (depth_of(l) > 0)
		return false;
	if (reason(l) != CRUX_STOP_NOT || counts(l))
		lua_sethook(L, NULL, 0, 0);
	return reason(l) != CRUX_STOP_NOT;
}

double crux_budget_deadline(lua_State *L)
{
	crux_budget *const l = crux_budget_of(L);
	if (!l || depth_of(l) == 0 || !(l->most.seconds > 0))
		return 0;
	double end = l->deadline;
	if (l->watched) {
		bool const is_known = atomic_load(&l->seen) == atomic_load_explicit(&l->serial, memory_order_relaxed);
		end = (is_known ? atomic_load(&l->since) : crux_clock_now()) + l->most.seconds;
	}
	return end - fmax(reserve * l->most.seconds, fmin(reserved, l->most.seconds / 2));
}
