/* Compares crux's searches with one that is written in C for Move, on the same levels in one run: search_bench FILE.lua.
 *
 * The Lua file gets the function plain_move(width, height, rocks, balls, goals), which searches breadth-first: one state at a
 * time, packed keys, a hash table with open addressing. Boards are integers, a bit a cell, in reading order. */
#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"

enum { MAX_COLOURS = 8, MAX_WORDS = 8 };

typedef struct move_level {
	int width, height, colours, cells;
	uint64_t rocks, goals[MAX_COLOURS];
	uint64_t full, left, right, top, bottom;
} move_level;

typedef struct move_search {
	size_t words, count, capacity, slot_count;
	uint64_t *keys;
	uint32_t *parents, *slots;
	uint8_t *moves;
} move_search;

static uint64_t shifted(const move_level *level, uint64_t board, int direction)
{
	switch (direction) {
	case 0:
		return board >> level->width;
	case 1:
		return (board & ~level->left) >> 1;
	case 2:
		return (board & ~level->bottom) << level->width;
	default:
		return (board & ~level->right) << 1;
	}
}

static void step(const move_level *level, const uint64_t *balls, int direction, uint64_t *after)
{
	static const int back[] = {2, 3, 0, 1};
	uint64_t all = 0;
	for (int i = 0; i < level->colours; i++)
		all |= balls[i];
	uint64_t const edge = level->full & ~shifted(level, level->full, back[direction]);
	uint64_t stuck = all & (edge | shifted(level, level->rocks, back[direction])), more = stuck;
	while (more) {
		more = all & ~stuck & shifted(level, more, back[direction]);
		stuck |= more;
	}
	for (int i = 0; i < level->colours; i++)
		after[i] = (balls[i] & stuck) | shifted(level, balls[i] & ~stuck, direction);
}

static void pack(const move_level *level, const uint64_t *balls, uint64_t *key, size_t words)
{
	memset(key, 0, words * sizeof *key);
	for (int i = 0; i < level->colours; i++) {
		int const place = i * level->cells, shift = place % 64;
		key[place / 64] |= balls[i] << shift;
		if (shift + level->cells > 64)
			key[place / 64 + 1] |= balls[i] >> (64 - shift);
	}
}

static void unpack(const move_level *level, const uint64_t *key, uint64_t *balls)
{
	for (int i = 0; i < level->colours; i++) {
		int const place = i * level->cells, shift = place % 64;
		balls[i] = key[place / 64] >> shift;
		if (shift + level->cells > 64)
			balls[i] |= key[place / 64 + 1] << (64 - shift);
		balls[i] &= level->full;
	}
}

static size_t hash(const uint64_t *key, size_t words)
{
	uint64_t h = 0;
	for (size_t i = 0; i < words; i++) {
		h ^= key[i];
		h ^= h >> 32;
		h *= 0x9e3779b97f4a7c15;
		h ^= h >> 29;
	}
	return (size_t)(h * 0xbf58476d1ce4e5b9 >> 20);
}

static void *grown(void *block, size_t size)
{
	void *const result = realloc(block, size);
	if (!result)
		abort();
	return result;
}

static void fill(move_search *s, size_t slot_count)
{
	s->slots = grown(s->slots, slot_count * sizeof *s->slots);
	memset(s->slots, 0, slot_count * sizeof *s->slots);
	s->slot_count = slot_count;
	for (size_t i = 0; i < s->count; i++) {
		size_t at = hash(s->keys + i * s->words, s->words) & (slot_count - 1);
		while (s->slots[at])
			at = (at + 1) & (slot_count - 1);
		s->slots[at] = (uint32_t)i + 1;
	}
}

static void add(move_search *s, const uint64_t *key, uint32_t parent, int move)
{
	if (2 * (s->count + 1) > s->slot_count)
		fill(s, 2 * s->slot_count);
	size_t at = hash(key, s->words) & (s->slot_count - 1);
	for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1))
		if (memcmp(s->keys + (s->slots[at] - 1) * s->words, key, s->words * sizeof *key) == 0)
			return;
	if (s->count == s->capacity) {
		s->capacity *= 2;
		s->keys = grown(s->keys, s->capacity * s->words * sizeof *s->keys);
		s->parents = grown(s->parents, s->capacity * sizeof *s->parents);
		s->moves = grown(s->moves, s->capacity);
	}
	memcpy(s->keys + s->count * s->words, key, s->words * sizeof *key);
	s->parents[s->count] = parent;
	s->moves[s->count] = (uint8_t)move;
	s->slots[at] = (uint32_t)++s->count;
}

/* The length of a shortest solution; -1 when there is none. */
static int search(const move_level *level, const uint64_t *start, size_t *states)
{
	move_search s = {.words = (size_t)(level->colours * level->cells + 63) / 64, .capacity = 1024};
	s.keys = grown(NULL, s.capacity * s.words * sizeof *s.keys);
	s.parents = grown(NULL, s.capacity * sizeof *s.parents);
	s.moves = grown(NULL, s.capacity);
	fill(&s, 2048);
	uint64_t key[MAX_WORDS], balls[MAX_COLOURS], after[MAX_COLOURS];
	pack(level, start, key, s.words);
	add(&s, key, 0, 0);
	int length = -1;
	for (size_t i = 0; i < s.count && length < 0; i++) {
		unpack(level, s.keys + i * s.words, balls);
		for (int direction = 0; direction < 4 && length < 0; direction++) {
			step(level, balls, direction, after);
			uint64_t off = 0;
			for (int k = 0; k < level->colours; k++)
				off |= after[k] & ~level->goals[k];
			if (off == 0) {
				length = 1;
				for (size_t at = i; at; at = s.parents[at])
					length++;
				break;
			}
			pack(level, after, key, s.words);
			add(&s, key, (uint32_t)i, direction);
		}
	}
	*states = s.count;
	free(s.keys);
	free(s.parents);
	free(s.moves);
	free(s.slots);
	return length;
}

static int read_boards(lua_State *L, int index, uint64_t *boards)
{
	int const count = (int)lua_rawlen(L, index);
	luaL_argcheck(L, count <= MAX_COLOURS, index, "too many colours");
	for (int i = 0; i < count; i++) {
		lua_rawgeti(L, index, i + 1);
		boards[i] = (uint64_t)lua_tointeger(L, -1);
		lua_pop(L, 1);
	}
	return count;
}

/* plain_move(width, height, rocks, balls, goals) -> length (-1: none), states, seconds */
static int plain_move(lua_State *L)
{
	move_level level = {.width = (int)luaL_checkinteger(L, 1), .height = (int)luaL_checkinteger(L, 2)};
	uint64_t start[MAX_COLOURS];
	level.cells = level.width * level.height;
	level.rocks = (uint64_t)luaL_checkinteger(L, 3);
	level.colours = read_boards(L, 4, start);
	read_boards(L, 5, level.goals);
	luaL_argcheck(L, level.cells < 64, 1, "at most 63 cells");
	level.full = (UINT64_C(1) << level.cells) - 1;
	for (int y = 0; y < level.height; y++)
		level.left |= UINT64_C(1) << y * level.width;
	level.right = level.left << (level.width - 1);
	level.top = (UINT64_C(1) << level.width) - 1;
	level.bottom = level.top << (level.cells - level.width);
	struct timespec before, after;
	size_t states;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	int const length = search(&level, start, &states);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	lua_pushinteger(L, length);
	lua_pushinteger(L, (lua_Integer)states);
	lua_pushnumber(L, (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9);
	return 3;
}

static int run(lua_State *L)
{
	lua_pushcfunction(L, plain_move);
	lua_setglobal(L, "plain_move");
	if (luaL_dofile(L, lua_touserdata(L, 1)))
		return lua_error(L);
	return 0;
}

int main(int argc, char **argv)
{
	crux_fault fault;
	crux_engine *const engine = argc > 1 ? crux_engine_new(NULL, &fault) : NULL;
	bool const done = engine && crux_engine_call(engine, run, argv[1], &fault);
	if (!done)
		fprintf(stderr, "search_bench: %s\n", argc > 1 ? fault.message : "expected a Lua file");
	crux_engine_free(engine);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
