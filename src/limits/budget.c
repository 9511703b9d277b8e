/* Limits of scripts: the allocator counts memory, a hook counts instructions, the watchdog or the hook looks at the time. */
#include "limits/budget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "port/port.h"

enum { PERIOD = 10000 };    /* instructions between two calls of the hook */
enum { MOST_LEVELS = 200 }; /* levels of the stack that are searched; the time grows with their square */
enum { LARGE = 1 << 22 };   /* bytes of a block that the kernel gives and takes back, at least */

/* Times its limit that a callback may use until the next instruction; and times what a full collection left, but from half of the
 * limit on, at which there is another one: Lua's buffers grow without one, and would be refused because of garbage. */
static const double margin = 1.05, growth = 1.25;

/* The part of a callback's time that is left for what follows its primitives: this share, or at least these seconds, but at
 * most half of the time. */
static const double reserved_share = 0.1, reserved_seconds = 0.5;

static char const adopted = 0; /* its address is the key of the budget in the registry */

void crux_budget_adopt(lua_State *L, const char *source_prefix)
{
	crux_budget *const l = memset(lua_newuserdatauv(L, sizeof *l, 0), 0, sizeof *l);
	l->source_prefix = source_prefix;
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

/* True if the hook must be called during callbacks, although nothing is stopped. */
static bool counts(const crux_budget *l)
{
	return l->limit.instructions > 0 || (l->limit.seconds > 0 && !l->watched) || (l->limit.megabytes > 0 && l->adopted);
}

void crux_budget_stop(crux_budget *l, crux_stop stop)
{
	int none = CRUX_STOP_NOT;
	atomic_compare_exchange_strong(&l->stop, &none, stop);
}

bool crux_budget_find_place(const crux_budget *l, lua_State *L, lua_Debug *at)
{
	for (int level = 0; level < MOST_LEVELS && L && lua_getstack(L, level, at); level++) {
		lua_getinfo(L, "Sl", at);
		if (at->currentline > 0 && *at->source == '@' && strncmp(at->source, l->source_prefix, strlen(l->source_prefix)) != 0)
			return true;
	}
	return false;
}

/* Writes the beginning of a message: the place in the script, and what runs there: the last part of "games/x.lua:12: step", or
 * "rule 'x'". */
static void describe_script(const crux_budget *l, lua_State *L, const char *who, size_t size, char *text)
{
	lua_Debug at;
	if (!crux_budget_find_place(l, L, &at)) {
		snprintf(text, size, "%s", who);
		return;
	}
	const char *path = at.source + 1;
	if (strncmp(who, path, strlen(path)) != 0)
		path = at.short_src; /* as names with the line of a function have it */
	size_t const length = strlen(path);
	bool const is_path = strncmp(who, path, length) == 0;
	const char *what = is_path ? "the script" : who;
	for (const char *rest = is_path ? who + length : ""; (rest = strstr(rest, ": ")); what = rest += 2)
		;
	snprintf(text, size, "%s:%d: %s", path, at.currentline, what);
}

static void describe(const crux_budget *l, crux_stop stop, lua_State *L, const char *yields, crux_fault *fault)
{
	struct { const char *verb; double limit; const char *unit, *option; } const limits[] = {
		[CRUX_STOP_TIME] = {"ran for", l->limit.seconds, "s", "time SECONDS"},
		[CRUX_STOP_MEMORY] = {"took", l->limit.megabytes, "MB", "memory MB"},
		[CRUX_STOP_INSTRUCTIONS] = {"took", l->limit.instructions, "million instructions", "instructions MILLIONS"},
	};
	char who[300] = "crux", hint[64] = "";
	char const *const name = atomic_load_explicit(&l->who, memory_order_acquire);
	if (depth_of(l) > 0 && name)
		describe_script(l, L, name, sizeof who, who);
	if (stop > CRUX_STOP_NOT && stop < CRUX_STOP_RUN) {
		if (l->watched)
			snprintf(hint, sizeof hint, "; --limit-%s allows more", limits[stop].option);
		crux_fault_set(fault, "%s %s more than %g %s%s%s", who, limits[stop].verb, limits[stop].limit, limits[stop].unit, yields, hint);
	} else if (stop == CRUX_STOP_RUN) {
		crux_fault_set(fault, "%s: stopped after %g s of the command%s; --limit-run SECONDS allows more", who, l->run, yields);
	} else {
		crux_fault_set(fault, stop == CRUX_STOP_SIGNAL ? "%s: interrupted" : "stopped", who);
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

/* Raises the error that Lua hands to no message handler. Outside of callbacks it is raised once, so that the engine can clean
 * up. */
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

/* True if a callback uses more memory than its limit times `times`. */
static bool has_too_much(const crux_budget *l, double bytes, double times)
{
	return depth_of(l) > 0 && l->limit.megabytes > 0 && bytes - l->engine_bytes > times * l->limit.megabytes * 0x1p20;
}

/* True if there is to be a full collection. */
static bool must_collect(const crux_budget *l, double bytes)
{
	double const limit = l->limit.megabytes * 0x1p20;
	return has_too_much(l, bytes, fmin(1, fmax(0.5, growth * l->left / limit)));
}

static double bytes_of(const crux_budget *l, lua_State *L)
{
	return l->adopted ? lua_gc(L, LUA_GCCOUNT) * 1024.0 : (double)l->bytes;
}

/* Returns the reason to stop the running callback, CRUX_STOP_NOT if there is none. */
static crux_stop find_reason(crux_budget *l, lua_State *L)
{
	l->instructions += lua_gethookcount(L);
	if (!l->refused && must_collect(l, bytes_of(l, L))) {
		lua_gc(L, LUA_GCCOLLECT);
		l->left = bytes_of(l, L) - l->engine_bytes;
	}
	if (l->refused || has_too_much(l, bytes_of(l, L), 1))
		return CRUX_STOP_MEMORY;
	if (l->limit.instructions > 0 && l->instructions >= l->limit.instructions * 1e6)
		return CRUX_STOP_INSTRUCTIONS;
	if (!l->watched && l->limit.seconds > 0 && crux_clock_now() >= l->deadline)
		return CRUX_STOP_TIME;
	return CRUX_STOP_NOT;
}

/* The hook. Lua calls it every PERIOD instructions of a callback that counts them, when memory may exceed its limit, and
 * after an interrupt. */
static void check(lua_State *L, lua_Debug *unused)
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
	lua_sethook(L, NULL, 0, 0); /* the callback has just ended */
}

/* Notes a block that is too large. The message is made now, as the error that Lua then raises may leave the script. */
static void refuse(crux_budget *l, size_t size)
{
	l->refused = size;
	if (!reason(l))
		describe(l, CRUX_STOP_MEMORY, l->interrupt.running, "", &l->fault);
}

void *crux_budget_allocate(void *limits, void *block, size_t old_size, size_t new_size)
{
	crux_budget *const l = limits;
	size_t const had = block ? old_size : 0; /* without a block, old_size is a type */
	if (new_size == 0) {
		free(block);
		l->bytes -= had;
		return NULL;
	}
	double const bytes = (double)l->bytes + (double)new_size - (double)had;
	if (new_size > had && must_collect(l, bytes))
		lua_sethook(l->interrupt.running, check, LUA_MASKCOUNT, 1);
	if (new_size > had && has_too_much(l, bytes, margin)) {
		refuse(l, new_size);
		return NULL;
	}
	if (new_size >= LARGE && has_too_much(l, bytes, 0.5))
		crux_port_give_back_memory(); /* small blocks that were freed would stay beside the large one */
	void *const moved = realloc(block, new_size);
	if (!moved)
		return NULL;
	if (new_size >= LARGE)
		crux_port_use_large_pages(moved, new_size);
	l->bytes += new_size - had;
	if (l->refused == new_size) { /* Lua has collected garbage and asked again */
		l->refused = 0;
		if (!reason(l))
			l->fault.message[0] = '\0';
	}
	return moved;
}

void crux_budget_begin(crux_budget *l, lua_State *L)
{
	l->interrupt.hook = check;
	l->interrupt.running = L;
	bool const is_past = reason(l) < CRUX_STOP_RUN || (reason(l) == CRUX_STOP_SIGNAL && !l->watched);
	if (reason(l) && is_past) {
		l->fault.message[0] = '\0';
		atomic_store_explicit(&l->stop, CRUX_STOP_NOT, memory_order_relaxed);
	}
}

void crux_budget_rearm(crux_budget *l, lua_State *L)
{
	if (depth_of(l) > 0 && reason(l))
		lua_sethook(L, check, LUA_MASKCOUNT, 1);
	else if (depth_of(l) > 0 && counts(l))
		lua_sethook(L, check, LUA_MASKCOUNT, (int)fmax(1, fmin(PERIOD, l->limit.instructions > 0 ? l->limit.instructions * 1e6 : PERIOD)));
}

void crux_budget_beat(crux_budget *l, lua_State *L)
{
	unsigned const serial = atomic_load_explicit(&l->serial, memory_order_relaxed);
	atomic_store_explicit(&l->serial, serial + 1, memory_order_relaxed);
	if (!counts(l))
		return;
	l->instructions = 0;
	if (!l->watched)
		l->deadline = crux_clock_now() + l->limit.seconds;
	crux_budget_rearm(l, L);
}

const char *crux_budget_enter(crux_budget *l, lua_State *L, const char *who)
{
	const char *const outer = atomic_load_explicit(&l->who, memory_order_relaxed);
	l->refused = 0;
	atomic_store_explicit(&l->who, who, memory_order_release);
	atomic_store_explicit(&l->depth, depth_of(l) + 1, memory_order_release);
	crux_budget_beat(l, L);
	return outer;
}

bool crux_budget_leave(crux_budget *l, lua_State *L, const char *outer)
{
	if (l->refused)
		crux_budget_stop(l, CRUX_STOP_MEMORY);
	if (depth_of(l) == 1 && reason(l) && !*l->fault.message)
		crux_budget_describe(l, NULL, "", &l->fault);
	atomic_store_explicit(&l->who, outer, memory_order_release);
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
	if (!l || depth_of(l) == 0 || !(l->limit.seconds > 0))
		return 0;
	double end = l->deadline;
	if (l->watched) {
		bool const is_known = atomic_load(&l->seen) == atomic_load_explicit(&l->serial, memory_order_relaxed);
		end = (is_known ? atomic_load(&l->since) : crux_clock_now()) + l->limit.seconds;
	}
	return end - fmax(reserved_share * l->limit.seconds, fmin(reserved_seconds, l->limit.seconds / 2));
}
