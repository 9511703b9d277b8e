/* Stopping Lua code that runs in another thread, however long it would have gone on, at no cost until then.
 *
 * A hook that counts instructions would do it, too, but doubles the time that Lua takes. Instead the thread gets a signal
 * (SIGURG, which by default does nothing; the first interrupt installs a handler, which stays), and the handler sets a
 * hook in the coroutine at hand, which is to raise an error. A primitive in C is not interrupted: the code stops after it. */
#ifndef CRUX_INTERRUPT_H
#define CRUX_INTERRUPT_H

#include <lua.h>
#include <pthread.h>

/* The state or coroutine whose code a thread runs, NULL for none; only that thread, and the handler in it, use it. */
typedef struct crux_interrupt {
	_Atomic(lua_State *) running;
	lua_Hook hook; /* called at the next instruction, and every one while it stays */
} crux_interrupt;

/* Replaces coroutine.resume and coroutine.wrap of a state by functions that do the same and keep note of what runs. Raises
 * for lack of memory. */
void crux_interrupt_prepare(crux_interrupt *interrupt, lua_State *L);

/* Lets the calling thread be interrupted. */
void crux_interrupt_allow(void);

/* Sets the hook in what that thread runs, if it allows that. The hook may meet a coroutine that has just ended: to be called
 * again until the thread is through. */
void crux_interrupt_send(crux_interrupt *interrupt, pthread_t thread);

#endif
