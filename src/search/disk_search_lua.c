/* libcrux.disk_search: breadth-first searches whose states are in the files of a folder; see disk_search.h. Depths count from 0.
 *
 * Functions that read or write files return nil and a message without the file's name when that fails. */
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "search/disk_search.h"
#include "search/native_search_lua.h"
#include "states/state_set_lua.h"

#define TYPE "crux.disk_search"

typedef struct files {
	int states, runs;
} files;

typedef struct disk {
	files *files;             /* NULL: closed */
	crux_disk_search *search; /* NULL before new */
	crux_state_layout *layout;
} disk;

static disk *check_open(lua_State *L) { return crux_handle_check(L, 1, TYPE, "the search was closed"); }

static disk *check(lua_State *L)
{
	disk *const d = check_open(L);
	luaL_argcheck(L, d->search, 1, "a search of a layout");
	return d;
}

/* The batch of the native search at index 2. */
static crux_native_batch *check_batch(lua_State *L, const disk *d)
{
	crux_native_batch *const batch = &crux_native_search_check(L, 2)->batch;
	luaL_argcheck(L, crux_state_layout_are_alike(batch->layout, d->layout) && !batch->informed, 2, "a search of these states");
	return batch;
}

static void close_files(files *f)
{
	if (f && f->states >= 0)
		close(f->states);
	if (f && f->runs >= 0)
		close(f->runs);
	free(f);
}

/* open(folder, is known) -> a search without states; or nil and a message, also if the file of states has bytes and the folder is
 * not known to be that of a search. The file of runs has no name: it ends with the process. */
static int disk_open(lua_State *L)
{
	const char *const folder = luaL_checkstring(L, 1);
	char states[PATH_MAX], runs[PATH_MAX];
	struct stat status;
	disk *const d = crux_handle_new(L, TYPE, sizeof *d, 0);
	d->files = malloc(sizeof *d->files);
	if (!d->files)
		return luaL_error(L, "out of memory");
	*d->files = (files){-1, -1};
	if (snprintf(states, sizeof states, "%s/states", folder) >= (int)sizeof states ||
	    snprintf(runs, sizeof runs, "%s/runs-XXXXXX", folder) >= (int)sizeof runs)
		return crux_fail(L, strerror(ENAMETOOLONG));
	d->files->states = open(states, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	bool const is_open = d->files->states >= 0 && fstat(d->files->states, &status) == 0;
	if (is_open && status.st_size > 0 && !lua_toboolean(L, 2))
		return crux_fail(L, "found a file of something else, expected none yet");
	d->files->runs = is_open ? mkstemp(runs) : -1;
	if (d->files->runs < 0)
		return crux_fail(L, strerror(errno));
	unlink(runs);
	return 1;
}

/* disk:new(set, moves, bytes): for states like those of the set, with a number of moves, in about that much memory */
static int disk_new(lua_State *L)
{
	disk *const d = check_open(L);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	lua_Integer const moves = luaL_checkinteger(L, 3), bytes = luaL_checkinteger(L, 4);
	luaL_argcheck(L, moves >= 1 && moves <= UINT16_MAX, 3, "a number of moves");
	luaL_argcheck(L, bytes >= 0, 4, "a number of bytes");
	luaL_argcheck(L, !d->search && !d->layout, 1, "a search without states");
	d->layout = crux_state_layout_copy(layout);
	if (d->layout)
		d->search = crux_disk_search_new(d->files->states, d->files->runs, layout, (size_t)moves, (size_t)bytes);
	return d->search ? 0 : luaL_error(L, "out of memory");
}

/* Pushes true, or nil and the fault's message. */
static int push_done(lua_State *L, bool is_done, const crux_fault *fault)
{
	if (!is_done)
		return crux_fail(L, fault->message);
	lua_pushboolean(L, true);
	return 1;
}

/* Pushes true at the end, false before it, or nil and the fault's message. */
static int push_end(lua_State *L, crux_disk_end end, const crux_fault *fault)
{
	if (end == CRUX_DISK_FAILED)
		return crux_fail(L, fault->message);
	lua_pushboolean(L, end == CRUX_DISK_THROUGH);
	return 1;
}

/* disk:begin(set) -> true: the first state of the set is the first layer */
static int disk_begin(lua_State *L)
{
	disk *const d = check(L);
	crux_state_set const *const set = crux_state_set_check(L, 2, d->layout);
	crux_fault fault;
	luaL_argcheck(L, crux_state_set_count(set) > 0, 2, "a set with a state");
	luaL_argcheck(L, d->search->layer_count == 0, 1, "a search without states");
	return push_done(L, crux_disk_search_begin(d->search, crux_state_set_key(set, 0), &fault), &fault);
}

/* disk:restore(offset, count) -> true: adds a layer that is in the file */
static int disk_restore(lua_State *L)
{
	disk *const d = check(L);
	lua_Integer const offset = luaL_checkinteger(L, 2), count = luaL_checkinteger(L, 3);
	luaL_argcheck(L, offset >= 0, 2, "a number of bytes");
	luaL_argcheck(L, count >= 1, 3, "a number of states");
	crux_fault fault;
	return push_done(L, crux_disk_search_restore(d->search, (uint64_t)offset, (uint64_t)count, &fault), &fault);
}

static void check_layers(lua_State *L, const disk *d)
{
	luaL_argcheck(L, d->search->layer_count > 0, 1, "a search with a layer");
}

/* disk:expand(search, count) -> whether all moves from the last layer were tried, of `count` more states at least; moves that lost;
 * whether one won; or nil, the message or nothing, and the number of a move of which the program does not know what it does */
static int disk_expand(lua_State *L)
{
	disk *const d = check(L);
	crux_native_batch *const batch = check_batch(L, d);
	lua_Integer const count = luaL_checkinteger(L, 3);
	crux_fault fault;
	luaL_argcheck(L, count >= 1, 3, "a number of states");
	check_layers(L, d);
	crux_disk_end const end = crux_disk_search_expand(d->search, batch, (size_t)count, &fault);
	if (end == CRUX_DISK_OPEN) {
		lua_pushnil(L);
		lua_pushnil(L);
		lua_pushinteger(L, (lua_Integer)d->search->open_move + 1);
		return 3;
	}
	if (push_end(L, end, &fault) > 1)
		return 2;
	lua_pushinteger(L, d->search->lost);
	lua_pushboolean(L, d->search->has_win);
	return 3;
}

/* disk:merge() -> whether the next layer is complete; the number of its states that are found */
static int disk_merge(lua_State *L)
{
	disk *const d = check(L);
	crux_fault fault;
	check_layers(L, d);
	if (push_end(L, crux_disk_search_merge(d->search, &fault), &fault) > 1)
		return 2;
	lua_pushinteger(L, (lua_Integer)d->search->found);
	return 2;
}

/* disk:keep() -> true when the layers, and no more, are on the disk */
static int disk_keep(lua_State *L)
{
	disk *const d = check(L);
	crux_fault fault;
	return push_done(L, crux_disk_search_keep(d->search, &fault), &fault);
}

/* disk:last() -> offset and number of states of the last layer */
static int disk_last(lua_State *L)
{
	disk *const d = check(L);
	check_layers(L, d);
	crux_key_list const *const last = &d->search->layers[d->search->layer_count - 1];
	lua_pushinteger(L, (lua_Integer)last->offset);
	lua_pushinteger(L, (lua_Integer)last->count);
	return 2;
}

/* disk:trace(search, depth, targets or nil, into, count) -> whether all states of the layer were tried; see crux_disk_search_trace */
static int disk_trace(lua_State *L)
{
	disk *const d = check(L);
	crux_native_batch *const batch = check_batch(L, d);
	lua_Integer const layer = luaL_checkinteger(L, 3), count = luaL_checkinteger(L, 6);
	luaL_argcheck(L, layer >= 0 && (size_t)layer < d->search->layer_count, 3, "no such layer");
	luaL_argcheck(L, count >= 1, 6, "a number of states");
	crux_state_set const *const targets = lua_isnil(L, 4) ? NULL : crux_state_set_check(L, 4, d->layout);
	crux_state_set *const into = crux_state_set_check(L, 5, d->layout);
	crux_fault fault;
	return push_end(L, crux_disk_search_trace(d->search, batch, (size_t)layer, targets, into, (size_t)count, &fault), &fault);
}

/* disk:sample(set) -> true: adds the first state of the last layer to an empty set */
static int disk_sample(lua_State *L)
{
	disk *const d = check(L);
	crux_state_set *const set = crux_state_set_check(L, 2, d->layout);
	crux_fault fault;
	check_layers(L, d);
	luaL_argcheck(L, crux_state_set_count(set) == 0, 2, "an empty set");
	uint64_t const *const key = crux_disk_search_sample(d->search, &fault);
	if (key && crux_state_set_add(set, key) == CRUX_STATE_NONE)
		return luaL_error(L, "out of memory");
	return push_done(L, key != NULL, &fault);
}

static int disk_length(lua_State *L)
{
	disk const *const d = check(L);
	lua_pushinteger(L, (lua_Integer)d->search->layer_count);
	return 1;
}

static int disk_release(lua_State *L)
{
	disk *const d = luaL_checkudata(L, 1, TYPE);
	close_files(d->files);
	crux_disk_search_free(d->search);
	crux_state_layout_free(d->layout);
	*d = (disk){0};
	return 0;
}

CRUX_TABLE(methods,
	{"new",     disk_new},
	{"begin",   disk_begin},
	{"restore", disk_restore},
	{"expand",  disk_expand},
	{"merge",   disk_merge},
	{"keep",    disk_keep},
	{"last",    disk_last},
	{"trace",   disk_trace},
	{"sample",  disk_sample},
	{"close",   disk_release},
	{"__len",   disk_length},
	CRUX_CLOSES(disk_release))

CRUX_TABLE(functions,
	{"open", disk_open})

CRUX_TYPE_LIBRARY(disk_search, TYPE)
