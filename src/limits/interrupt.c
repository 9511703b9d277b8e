/* Stopping Lua code that runs in another thread: a signal whose handler sets a hook. */
#include "limits/interrupt.h"

#include <lauxlib.h>
#include <signal.h>

static _Thread_local crux_interrupt *volatile entered;

/* Runs between two instructions of the thread that L belongs to; lua_sethook may be called there, as Lua's own interpreter
 * does. A signal that somebody else sent has the hook look for a reason to stop, and find none. */
static void on_signal(int unused)
{
	(void)unused;
	crux_interrupt *interrupt = entered;
	lua_State *L = interrupt ? interrupt->running : NULL;
	if (L)
		lua_sethook(L, interrupt->hook, LUA_MASKCOUNT, 1);
}

/* coroutine.resume; its upvalues: the interrupt, the original function, which raises nothing if it gets a coroutine. */
static int resume(lua_State *L)
{
	crux_interrupt *interrupt = lua_touserdata(L, lua_upvalueindex(1));
	lua_CFunction const original = lua_tocfunction(L, lua_upvalueindex(2));
	if (!lua_isthread(L, 1))
		return original(L);
	interrupt->running = lua_tothread(L, 1);
	int const results = original(L);
	interrupt->running = L;
	return results;
}

/* The function that coroutine.wrap returns; its upvalues: the interrupt, the original function, the coroutine. It puts the
 * place of the caller in front of a message, as the original function does. */
static int wrapped(lua_State *L)
{
	crux_interrupt *interrupt = lua_touserdata(L, lua_upvalueindex(1));
	lua_pushvalue(L, lua_upvalueindex(2));
	lua_insert(L, 1);
	interrupt->running = lua_tothread(L, lua_upvalueindex(3));
	int const status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
	interrupt->running = L;
	if (status == LUA_OK)
		return lua_gettop(L);
	if (lua_type(L, -1) == LUA_TSTRING) {
		luaL_where(L, 1);
		lua_insert(L, -2);
		lua_concat(L, 2);
	}
	return lua_error(L);
}

/* coroutine.wrap; its upvalues: the interrupt, the original function, whose closure has one upvalue, the coroutine. */
static int wrap(lua_State *L)
{
	lua_CFunction const original = lua_tocfunction(L, lua_upvalueindex(2));
	original(L);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, -2);
	lua_getupvalue(L, -1, 1);
	lua_pushcclosure(L, wrapped, 3);
	return 1;
}

/* Replaces a field of the table on top by a function whose upvalues are the interrupt and the original function. */
static void replace(lua_State *L, crux_interrupt *interrupt, const char *name, lua_CFunction function)
{
	lua_pushlightuserdata(L, interrupt);
	lua_getfield(L, -2, name);
	lua_pushcclosure(L, function, 2);
	lua_setfield(L, -2, name);
}

void crux_interrupt_prepare(crux_interrupt *interrupt, lua_State *L)
{
	lua_getglobal(L, "coroutine");
	replace(L, interrupt, "resume", resume);
	replace(L, interrupt, "wrap", wrap);
	lua_pop(L, 1);
}

void crux_interrupt_allow(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGURG);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

crux_interrupt *crux_interrupt_enter(crux_interrupt *interrupt)
{
	crux_interrupt *const outer = entered;
	entered = interrupt;
	return outer;
}

void crux_interrupt_send(pthread_t thread)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigaction(SIGURG, &action, NULL);
	pthread_kill(thread, SIGURG);
}
