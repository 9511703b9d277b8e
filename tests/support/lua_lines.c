/* Counts the lines of Lua that run, for `make coverage`: a library to preload, which hooks the Lua states of a process. All processes
 * share the file that CRUX_COVERAGE names: SLOTS slots, each with the name of a source and a byte for each of its lines. */
#include <dlfcn.h>
#include <fcntl.h>
#include <lua.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 4096, NAME = 255, LINES = 7936, FREE = 0, CLAIMED, READY };

typedef struct slot {
	atomic_uchar state;
	char name[NAME];
	unsigned char has_run[LINES];
} slot;

static slot *slots;
static _Thread_local lua_Hook further; /* the hook that the program wants, for the events of its mask */
static _Thread_local int further_mask;

__attribute__((constructor)) static void open_file(void)
{
	const char *const path = getenv("CRUX_COVERAGE");
	int const file = path ? open(path, O_RDWR | O_CREAT, 0666) : -1;
	if (file < 0 || ftruncate(file, SLOTS * (off_t)sizeof *slots) != 0)
		return;
	slots = mmap(NULL, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (slots == MAP_FAILED)
		slots = NULL;
	close(file);
}

/* The slot of a source, which becomes its own if it has none; NULL if all are taken. */
static slot *slot_of(const char *source)
{
	static _Thread_local slot *last;
	if (last && strncmp(last->name, source, NAME) == 0)
		return last;
	unsigned hash = 2166136261u;
	for (const char *c = source; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	for (unsigned i = 0; i < SLOTS; i++) {
		slot *const s = &slots[(hash + i) % SLOTS];
		unsigned char expected = FREE;
		if (atomic_compare_exchange_strong(&s->state, &expected, CLAIMED)) {
			memcpy(s->name, source, strnlen(source, NAME - 1));
			atomic_store(&s->state, READY);
		}
		while (atomic_load(&s->state) != READY)
			;
		if (strncmp(s->name, source, NAME) == 0)
			return last = s;
	}
	return NULL;
}

static void on_event(lua_State *L, lua_Debug *event)
{
	if (event->event == LUA_HOOKLINE && slots) {
		lua_getinfo(L, "S", event);
		slot *const s = *event->source == '@' && event->srclen < NAME ? slot_of(event->source) : NULL;
		if (s && event->currentline < LINES)
			s->has_run[event->currentline] = 1;
	}
	if (further && further_mask & 1 << event->event)
		further(L, event);
}

/* In place of Lua's own functions. */
__attribute__((visibility("default"))) void(lua_sethook)(lua_State *L, lua_Hook hook, int mask, int count)
{
	void (*set)(lua_State *, lua_Hook, int, int);
	*(void **)&set = dlsym(RTLD_NEXT, "lua_sethook");
	further = hook;
	further_mask = mask;
	set(L, on_event, mask | LUA_MASKLINE, count);
}

__attribute__((visibility("default"))) lua_State *(lua_newstate)(lua_Alloc allocate, void *data)
{
	lua_State *(*make)(lua_Alloc, void *);
	*(void **)&make = dlsym(RTLD_NEXT, "lua_newstate");
	lua_State *const L = make(allocate, data);
	if (L)
		lua_sethook(L, NULL, 0, 0);
	return L;
}
