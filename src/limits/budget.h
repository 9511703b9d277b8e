/* What a script may take of an engine: time, memory and instructions of each callback; and what stops it.
 *
 * A callback is a call of a script's function from the engine, between crux_budget_enter and crux_budget_leave. To stop one a
 * hook raises, at every instruction, the error of exhausted memory, the one for which Lua calls no message handler: whoever
 * catches it gets it again, until the outermost callback is left. Its binding then raises a fault with the message.
 *
 * While nothing is stopped no hook is set, as one that counts instructions doubles the time that Lua takes: the watchdog (see
 * watchdog.h) looks at the time. Engines that it does not watch, those of embedders, count instructions if they have limits. */
#ifndef CRUX_BUDGET_H
#define CRUX_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>

#include "crux.h"
#include "limits/interrupt.h"

/* Why code is stopped, in ascending order of what it takes with it: a callback, the command, or the thread. */
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
	crux_limit most;
	char const *own; /* how the names of crux's own chunks begin */
	double run;   /* seconds for the whole command; 0: no limit */
	bool watched; /* by the watchdog */
	bool adopted; /* of a state that has another allocator, and calls scripts at any time */
	crux_interrupt interrupt;
	pthread_t thread; /* of a watched engine */
	size_t bytes;     /* that Lua has */
	size_t refused;   /* the size of a block that was far too large; 0: none was */
	double deadline;  /* of a callback that is not watched */
	double instructions;
	atomic_int depth;       /* of callbacks in callbacks */
	atomic_uint serial;     /* raised by whatever begins a new span of time */
	_Atomic(char const *) who; /* whose callback it is; as long as the engine lives */
	atomic_int stop;        /* a crux_stop */
	atomic_int signal;      /* of CRUX_STOP_SIGNAL */
	crux_fault fault;       /* what is to be said of it; empty until it is known */

	/* The watchdog's; the engine only reads the first two. */
	atomic_uint seen;       /* serial */
	_Atomic double since;   /* when that was seen first */
	double sent;            /* when it was told to stop; 0: not yet */
	struct crux_budget *next;
} crux_budget;

/* What stays of a callback around another. */
typedef struct crux_callback {
	char const *who;
} crux_callback;

/* An allocator for a state of Lua, with crux_budget as its data. A callback may have up to twice its memory until the next
 * instruction, as Lua collects no garbage in the middle of what a function in C makes; then it is stopped unless garbage was all
 * that was too much. */
void *crux_budget_allocate(void *limits, void *block, size_t old_size, size_t new_size);

/* Gives a state that is no engine's limits of its own, none at first, which live as long as it; `own` does, too. May raise. */
void crux_budget_adopt(lua_State *L, const char *own);

/* Those of a state; NULL for one without. */
crux_budget *crux_budget_of(lua_State *L);

/* What begins an engine's work: what stopped a callback of the last is forgotten. */
void crux_budget_begin(crux_budget *limits, lua_State *L);

/* Enters a callback of the script that messages call `who`. */
crux_callback crux_budget_enter(crux_budget *limits, lua_State *L, char const *who);

/* Leaves it. Returns whether the outermost one was left because it was stopped. */
bool crux_budget_leave(crux_budget *limits, lua_State *L, crux_callback callback);

/* A new span of time begins for the callback at hand, as another step of a search does. */
void crux_budget_beat(crux_budget *limits, lua_State *L);

/* Has the hook set anew, after another one took its place. */
void crux_budget_rearm(crux_budget *limits, lua_State *L);

/* Notes why code is to stop, unless that was noted before. Any thread may call it. */
void crux_budget_stop(crux_budget *limits, crux_stop stop);

/* What is to be said of a stop. L may be NULL: the place in the script is then not told. */
void crux_budget_describe(crux_budget const *limits, lua_State *L, const char *yields, crux_fault *fault);

/* The exit status that goes with a stop. */
int crux_budget_status(crux_budget const *limits);

/* When a primitive that the callback at hand calls is to end, so that the callback can do so in time: by crux_clock_now; 0: at
 * any time. */
double crux_budget_deadline(lua_State *L);

#endif
