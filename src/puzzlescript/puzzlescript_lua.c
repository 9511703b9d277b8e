/* libcrux.puzzlescript: programs of rewrites, levels played by them (rewrite_turn.h), and searches of levels
 * (rewrite_search.h). */
#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzlescript/rewrite_search.h"
#include "puzzlescript/rewrite_turn.h"
#include "states/state_set_lua.h"

#define SEARCH "crux.puzzlescript.search"
#define PROGRAM "crux.puzzlescript.program"
#define PLAY "crux.puzzlescript.play"

enum { MAX_SIDE = 4096, MAX_CELLS = 1 << 20 };

static crux_rewrite_program *check_program(lua_State *L, int index)
{
	return *(crux_rewrite_program **)crux_handle_check(L, index, PROGRAM, "the program was closed");
}

/* new(words) -> a program from a string of 8-byte words; nil and a message when the words are not a program; nil, a kind of
 * mistake, the number of the line, and two numbers of names or words that it is about */
static int program_new(lua_State *L)
{
	size_t bytes;
	const char *const text = luaL_checklstring(L, 1, &bytes);
	int64_t *const words = lua_newuserdatauv(L, bytes + 1, 0);
	size_t const count = bytes / sizeof *words;
	memcpy(words, text, count * sizeof *words);
	crux_rewrite_program **const p = crux_handle_new(L, PROGRAM, sizeof *p, 0);
	crux_fault fault;
	crux_rewrite_mistake mistake;
	*p = crux_rewrite_program_new(words, count, &mistake, &fault);
	if (*p || mistake.kind == CRUX_REWRITE_FINE)
		return *p ? 1 : crux_fail(L, fault.message);
	static const char *const kinds[] = {"", "movement", "property", "overlap", "culled", "never", "too many"};
	lua_pushnil(L);
	lua_pushstring(L, kinds[mistake.kind]);
	lua_pushinteger(L, (lua_Integer)mistake.line);
	lua_pushinteger(L, (lua_Integer)mistake.name);
	lua_pushinteger(L, (lua_Integer)mistake.other);
	return 5;
}

CRUX_RELEASE(program_free, PROGRAM, crux_rewrite_program_free)

/* program:effects() -> a string of the words of a set: the player, and the objects that rewrites may create, remove or move;
 * true if rewrites use chance; the number of rewrites */
static int program_effects(lua_State *L)
{
	crux_rewrite_program const *const p = check_program(L, 1);
	lua_pushlstring(L, (const char *)p->changing, p->object_words * sizeof *p->changing);
	lua_pushboolean(L, p->has_chance);
	lua_pushinteger(L, (lua_Integer)p->rewrite_count);
	return 3;
}

static crux_turns *check_play(lua_State *L)
{
	return *(crux_turns **)crux_handle_check(L, 1, PLAY, "the play was closed");
}

/* Copies the cells from the string at an index: object_words words a cell. Pushes one userdata, which holds the copy. */
static const uint64_t *check_cells(lua_State *L, int index, const crux_rewrite_program *p, size_t cells)
{
	size_t bytes;
	const char *const text = luaL_checklstring(L, index, &bytes);
	luaL_argcheck(L, bytes == cells * p->object_words * sizeof(uint64_t), index, "the words of all cells expected");
	uint64_t *const words = lua_newuserdatauv(L, bytes, 0);
	memcpy(words, text, bytes);
	return words;
}

/* program:play(width, height, cells, seed, stays) -> a level before its start; stays: no level follows it */
static int program_play(lua_State *L)
{
	crux_rewrite_program const *const p = check_program(L, 1);
	lua_Integer const width = luaL_checkinteger(L, 2), height = luaL_checkinteger(L, 3);
	luaL_argcheck(L, width >= 1 && width <= MAX_SIDE, 2, "a width expected");
	luaL_argcheck(L, height >= 1 && height <= MAX_SIDE && width * height <= MAX_CELLS, 3, "a height expected");
	size_t bytes;
	const char *const seed = luaL_checklstring(L, 5, &bytes);
	const uint64_t *const cells = check_cells(L, 4, p, (size_t)(width * height));
	crux_turns **const play = crux_handle_new(L, PLAY, sizeof *play, 1);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1); /* keeps the program */
	*play = crux_turns_new(p, (size_t)width, (size_t)height, cells, crux_rewrite_chance_new(seed, bytes));
	if (!*play)
		return luaL_error(L, "out of memory");
	if (lua_toboolean(L, 6))
		crux_turns_continue_after_win(*play);
	return 1;
}

CRUX_RELEASE(play_free, PLAY, crux_turns_free)

/* Pushes true if the level is won, else false; pushes nil and a message when the turn failed. */
static int push_outcome(lua_State *L, bool went_well, const crux_fault *fault)
{
	if (!went_well)
		return crux_fail(L, fault->message);
	lua_pushboolean(L, crux_turns_won(check_play(L)));
	return 1;
}

/* play:start(), play:input(0 to 4, or -1 for a tick of the clock), play:restart(), play:undo() -> true if the level is won */
static int play_start(lua_State *L)
{
	crux_fault fault;
	return push_outcome(L, crux_turns_start(check_play(L), &fault), &fault);
}

static int check_input(lua_State *L)
{
	lua_Integer const input = luaL_checkinteger(L, 2);
	luaL_argcheck(L, input >= CRUX_TURN_TICK && input <= CRUX_TURN_ACTION, 2, "an input expected");
	return (int)input;
}

static int play_input(lua_State *L)
{
	crux_fault fault;
	return push_outcome(L, crux_turns_input(check_play(L), check_input(L), &fault), &fault);
}

/* play:turn(input) takes the turn of an input alone -> true if "again" asks for one of a tick after it; nil and a message */
static int play_turn(lua_State *L)
{
	crux_turns *const play = check_play(L);
	crux_fault fault;
	if (!crux_turns_take(play, check_input(L), &fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, crux_turns_asks_again(play));
	return 1;
}

static int play_restart(lua_State *L)
{
	crux_fault fault;
	return push_outcome(L, crux_turns_restart(check_play(L), &fault), &fault);
}

static int play_undo(lua_State *L)
{
	crux_fault fault;
	return push_outcome(L, crux_turns_undo(check_play(L), &fault), &fault);
}

/* play:cells() -> a string of the words of all cells */
static int play_cells(lua_State *L)
{
	crux_turns const *const play = check_play(L);
	lua_getiuservalue(L, 1, 1);
	size_t const words = check_program(L, -1)->object_words;
	lua_pushlstring(L, (const char *)crux_turns_objects(play), crux_turns_cells(play) * words * sizeof(uint64_t));
	return 1;
}

/* play:used() -> the number of lines with a rewrite that changed a cell or gave a command since the level began */
static int play_used(lua_State *L)
{
	const bool *const used = crux_turns_used_lines(check_play(L));
	lua_Integer count = 0;
	lua_getiuservalue(L, 1, 1);
	for (size_t i = 0; i < check_program(L, -1)->line_count; i++)
		count += used[i];
	lua_pushinteger(L, count);
	return 1;
}

/* play:set(cells) replaces the cells of the level */
static int play_set(lua_State *L)
{
	crux_turns *const play = check_play(L);
	lua_getiuservalue(L, 1, 1);
	crux_turns_set(play, check_cells(L, 2, check_program(L, -1), crux_turns_cells(play)));
	return 0;
}

/* Reads layers from the list of lists of objects (from 0) at an index. Leaves the userdata that hold them on the stack. */
static crux_rewrite_layers check_layers(lua_State *L, int index, const crux_rewrite_program *p)
{
	luaL_checktype(L, index, LUA_TTABLE);
	size_t const count = crux_check_length(L, index);
	size_t *const sizes = lua_newuserdatauv(L, (count + 1) * sizeof *sizes, 0);
	const size_t **const objects = lua_newuserdatauv(L, (count + 1) * sizeof *objects, 0);
	luaL_argcheck(L, count <= p->layer_count, index, "no more layers than the program has expected");
	luaL_checkstack(L, (int)count + 4, "layers");
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, index, (lua_Integer)i + 1);
		int const list = lua_gettop(L);
		luaL_checktype(L, list, LUA_TTABLE);
		sizes[i] = crux_check_length(L, list);
		size_t *const numbers = lua_newuserdatauv(L, (sizes[i] + 1) * sizeof *numbers, 0);
		lua_replace(L, list);
		lua_rawgeti(L, index, (lua_Integer)i + 1);
		for (size_t k = 0; k < sizes[i]; k++) {
			lua_rawgeti(L, -1, (lua_Integer)k + 1);
			lua_Integer const object = luaL_checkinteger(L, -1);
			luaL_argcheck(L, object >= 0 && object < (lua_Integer)p->object_count, index, "objects expected");
			numbers[k] = (size_t)object;
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
		objects[i] = numbers;
	}
	return (crux_rewrite_layers){count, sizes, objects};
}

static crux_rewrite_search *check_search(lua_State *L)
{
	return *(crux_rewrite_search **)crux_handle_check(L, 1, SEARCH, "the search was closed");
}

/* play:search(layers, moves, counts) -> a search of the level; the caller must not use the play any more. layers: for each
 * layer of a state the objects that its values stand for; moves: the number of inputs to try; counts: count the shortest
 * solutions */
static int play_search(lua_State *L)
{
	crux_turns *const play = check_play(L);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= CRUX_TURN_ACTION + 1, 3, "a number of inputs expected");
	lua_getiuservalue(L, 1, 1);
	crux_rewrite_program const *const p = check_program(L, -1);
	crux_rewrite_layers const layers = check_layers(L, 2, p);
	crux_rewrite_search **const search = crux_handle_new(L, SEARCH, sizeof *search, 1);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1); /* keeps the play */
	crux_turns_record_no_undo(play);
	*search = crux_rewrite_search_new(p, play, &layers, (size_t)moves, lua_toboolean(L, 4));
	return *search ? 1 : luaL_error(L, "out of memory");
}

CRUX_RELEASE(search_free, SEARCH, crux_rewrite_search_free)

/* Returns the set at index 2; raises an error unless the search takes its states. */
static crux_state_set *check_set(lua_State *L, const crux_rewrite_search *search, const crux_state_layout *layout)
{
	luaL_argcheck(L, crux_rewrite_search_takes(search, layout) && crux_state_set_note_count(L, 2) == 2, 2,
	              "a set of the level's states, with two notes");
	return crux_state_set_check(L, 2, layout);
}

/* search:expand(set, states to expand, state limit) -> "paused", "through", "won", "states" or "bytes"; nil and a message on
 * failure */
static int search_expand(lua_State *L)
{
	static const char *const ends[] = {"paused", "through", "won", "states", "bytes"};
	crux_rewrite_search *const search = check_search(L);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	crux_state_set *const set = check_set(L, search, layout);
	lua_Integer const count = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, count >= 1 && count <= UINT32_MAX, 3, "a number of states expected");
	luaL_argcheck(L, limit >= 1, 4, "a number of states expected");
	uint32_t const state_limit = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
	crux_fault fault;
	crux_rewrite_end const end = crux_rewrite_search_expand(search, set, layout, (uint32_t)count, state_limit, &fault);
	if (end == CRUX_REWRITE_FAILED)
		return crux_fail(L, fault.message);
	lua_pushstring(L, ends[end]);
	return 1;
}

/* search:statistics() -> counts until now or the first win: states expanded, moves tried, moves that led to known states;
 * seconds in the set of states; after a win, the numbers (from 1) of the state and of the move that won from it, the number of
 * shortest solutions if the search counts */
static int search_statistics(lua_State *L)
{
	crux_rewrite_statistics const found = crux_rewrite_search_statistics(check_search(L));
	lua_pushinteger(L, found.expanded);
	lua_pushinteger(L, found.generated);
	lua_pushinteger(L, found.duplicates);
	lua_pushnumber(L, found.set_seconds);
	if (!found.is_won)
		return 4;
	lua_pushinteger(L, (lua_Integer)found.state + 1);
	lua_pushinteger(L, (lua_Integer)found.move + 1);
	lua_pushinteger(L, found.solutions);
	return 7;
}

/* search:sweep(set, state limit) -> counts over all states reachable from the one in the set: states, states without a way to a
 * win (dead), moves that change a state that is not dead, such moves to a dead state; nothing when the sweep fails */
static int search_sweep(lua_State *L)
{
	crux_rewrite_search *const search = check_search(L);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	crux_state_set *const set = check_set(L, search, layout);
	lua_Integer const limit = luaL_checkinteger(L, 3);
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 3, "a number of states expected");
	crux_rewrite_space space;
	if (!crux_rewrite_search_sweep(search, set, layout, (uint32_t)limit, &space))
		return 0;
	lua_pushinteger(L, space.states);
	lua_pushinteger(L, space.dead);
	lua_pushinteger(L, space.changing);
	lua_pushinteger(L, space.losing);
	return 4;
}

CRUX_TABLE(search_methods,
	{"expand",     search_expand},
	{"statistics", search_statistics},
	{"sweep",      search_sweep},
	{"__gc",       search_free})

CRUX_TABLE(program_methods,
	{"effects", program_effects},
	{"play",    program_play},
	{"__gc",    program_free})

CRUX_TABLE(play_methods,
	{"start",   play_start},
	{"input",   play_input},
	{"turn",    play_turn},
	{"restart", play_restart},
	{"undo",    play_undo},
	{"cells",   play_cells},
	{"set",     play_set},
	{"used",    play_used},
	{"search",  play_search},
	{"__gc",    play_free})

CRUX_TABLE(functions,
	{"new", program_new})

int crux_open_puzzlescript(lua_State *L)
{
	crux_open_type(L, PLAY, play_methods, functions);
	crux_open_type(L, SEARCH, search_methods, functions);
	lua_pop(L, 2);
	return crux_open_type(L, PROGRAM, program_methods, functions);
}
