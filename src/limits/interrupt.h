/* Stops Lua code that runs in another thread, at no cost until then.
 *
 * A hook that counts instructions would double the time that Lua takes. Instead the thread gets the signal SIGURG, which does
 * nothing by default; the first interrupt installs a handler, which stays. The handler sets a hook in the running coroutine,
 * and the hook raises an error. A primitive in C is not interrupted: the code stops after it. */
#pragma once

#include <lua.h>
#include <pthread.h>

/* The state or coroutine that a thread runs, or NULL; only that thread, and the handler in it, use it. */
typedef struct crux_interrupt {
	_Atomic(lua_State *) running;
	lua_Hook hook; /* called at every instruction while it is set */
} crux_interrupt;

/* Replaces coroutine.resume and coroutine.wrap of a state by functions that also note the running coroutine. Raises if memory
 * is short. */
void crux_interrupt_prepare(crux_interrupt *interrupt, lua_State *L);

/* Allows interrupts of the calling thread. */
void crux_interrupt_allow(void);

/* Says whose code the calling thread runs from now on; NULL: nobody's. Returns whose it ran. */
crux_interrupt *crux_interrupt_enter(crux_interrupt *interrupt);

/* Sets the hook in the code that the thread runs, if the thread allows interrupts. The coroutine may have just ended, so call
 * this again until the thread has stopped. */
void crux_interrupt_send(pthread_t thread);
