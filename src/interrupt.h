/* Stopping Lua code that runs in another thread, however long it would have gone on, at no cost until then.
 *
 * A hook that counts instructions would do it, too, but doubles the time that Lua takes. Instead the thread gets a signal
 * (SIGURG, which by default does nothing; the first interrupt installs a handler, which stays), and the handler sets a
 * hook that raises an error in the coroutine at hand. A primitive in C is not interrupted: the code stops after it. */
#ifndef CRUX_INTERRUPT_H
#define CRUX_INTERRUPT_H

#include <lua.h>
#include <pthread.h>

/* The state or coroutine whose code a thread runs. Only that thread, and the handler in it, use it. */
typedef struct crux_interrupt {
	_Atomic(lua_State *) running;
} crux_interrupt;

/* The first call of a thread whose code is to be stoppable: it will run the state L. Replaces coroutine.resume and
 * coroutine.wrap by functions that do the same and keep note of what runs. Raises for lack of memory. */
void crux_interrupt_prepare(crux_interrupt *interrupt, lua_State *L);

/* Makes the Lua code of that thread, which is prepared or will be, raise an error. Code may catch it, and the hook may
 * meet a coroutine that has just ended: to be called again until the thread is through. */
void crux_interrupt_send(crux_interrupt *interrupt, pthread_t thread);

#endif
