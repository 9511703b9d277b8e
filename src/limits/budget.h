/* Limits on the time, memory and instructions of each callback of a script, and the means to stop it.
 *
 * A callback is a call of a script's function by the engine, between crux_budget_enter and crux_budget_leave. To stop a
 * callback, a hook raises an error at every instruction: a script that catches the error gets it again, until the outermost
 * callback returns. It is the error of exhausted memory, as Lua calls no message handler for it. The binding then raises a
 * fault.
 *
 * A hook that counts instructions doubles the time that Lua takes. So the watchdog (watchdog.h) looks at the time of the
 * engines that it watches; the engines of embedders, which it does not watch, count instructions if they have limits. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "crux.h"
#include "limits/interrupt.h"

/* Why code is stopped. The first reasons stop a callback, those from CRUX_STOP_RUN on the command, the last one a thread. */
typedef enum crux_stop {
	CRUX_STOP_NOT,
	CRUX_STOP_TIME,
	CRUX_STOP_MEMORY,
	CRUX_STOP_INSTRUCTIONS,
	CRUX_STOP_RUN,
	CRUX_STOP_SIGNAL,
	CRUX_STOP_WORKER, /* it is no longer needed */
} crux_stop;

typedef struct crux_budget {
	crux_limit limit;
	char const *source_prefix; /* of the names of crux's own chunks */
	double run;   /* seconds for the whole command; 0: no limit */
	bool watched; /* by the watchdog */
	bool adopted; /* by a state that is no engine's: it has another allocator and calls scripts at any time */
	crux_interrupt interrupt;
	pthread_t thread; /* of a watched engine */
	size_t bytes;     /* of Lua's memory */
	double engine_bytes; /* of these, data of the engine, which do not count as memory of callbacks */
	double left;      /* bytes of callbacks after the last full collection */
	size_t refused;   /* size of the block that was refused; 0: none */
	double deadline;  /* of a callback that is not watched */
	double instructions;
	atomic_int depth;       /* of nested callbacks */
	atomic_uint serial;     /* counts the starts of callbacks and of their spans of time */
	_Atomic(char const *) who; /* name of the script in messages; lives as long as the engine */
	atomic_int stop;        /* a crux_stop */
	atomic_int signal;      /* of CRUX_STOP_SIGNAL */
	crux_fault fault;       /* message about the stop; empty until it is made */

	/* These are the watchdog's; the engine only reads the first two. */
	atomic_uint seen;       /* last serial that the watchdog saw */
	_Atomic double since;   /* time at which it first saw that serial */
	double sent;            /* time of the first interrupt; 0: none yet */
	struct crux_budget *next;
} crux_budget;

/* An allocator for a Lua state; its data is a crux_budget. When a callback exceeds its memory, it is stopped at the next
 * instruction, unless a full collection brings it under the limit. Until then it gets up to 5 % more; a block beyond that is
 * refused. Lua then collects garbage and asks again, except for its buffers of text. */
void *crux_budget_allocate(void *limits, void *block, size_t old_size, size_t new_size);

/* Gives a budget without limits to a state that is no engine's. The budget lives as long as the state, and so must
 * `source_prefix`. May raise. */
void crux_budget_adopt(lua_State *L, const char *source_prefix);

/* The budget of a state; NULL if it has none. */
crux_budget *crux_budget_of(lua_State *L);

/* Begins the work of an engine: forgets why an earlier callback was stopped. */
void crux_budget_begin(crux_budget *limits, lua_State *L);

/* Enters a callback of the script that messages name `who`. Returns the name for the outer callback. */
const char *crux_budget_enter(crux_budget *limits, lua_State *L, char const *who);

/* Leaves a callback; `outer` is what crux_budget_enter returned. Returns true if it is the outermost one and was stopped. */
bool crux_budget_leave(crux_budget *limits, lua_State *L, const char *outer);

/* Begins a new span of time for the running callback, as at each step of a search. */
void crux_budget_beat(crux_budget *limits, lua_State *L);

/* Sets the hook again, after another hook replaced it. */
void crux_budget_rearm(crux_budget *limits, lua_State *L);

/* Notes the reason to stop, unless there is one already. Any thread may call it. */
void crux_budget_stop(crux_budget *limits, crux_stop stop);

/* Finds the running line of the script, below engine code that the script called; L may be NULL. Fills `source` and
 * `currentline`; returns false if no script runs. */
bool crux_budget_find_place(crux_budget const *limits, lua_State *L, lua_Debug *at);

/* Writes the message about the stop. It names the place in the script unless L is NULL; `yields` follows the limit. */
void crux_budget_describe(crux_budget const *limits, lua_State *L, const char *yields, crux_fault *fault);

/* The exit status of a stopped command. */
int crux_budget_status(crux_budget const *limits);

/* The time of crux_clock_now at which a primitive must return so that its callback can end within its limit; 0: no limit. */
double crux_budget_deadline(lua_State *L);
