/* Every allocation of a small run fails once: the run reports it, leaks nothing, and the same engine works afterwards.
 * The linker sends the allocating calls of libcrux, Lua's included, through the functions below (--wrap). */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "check.h"
#include "files/journal.h"
#include "host/engine.h"
#include "lua/modules.h"
#include "puzzle/exact_cover.h"
#include "search/walk.h"

static long allocations; /* since the last reset */
static long failing;     /* the number of the one that fails; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool fails(void) { return ++allocations == failing; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	return fails() ? NULL : __real_realloc(block, size);
}

char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

static const char *const names[] = {"a", "b", "y"};
static double const values[] = {1, 2, 3, 4, 2, 1, 4, 3, 1, 3, 2, 5};
static crux_table const table = {4, 3, names, values, 12};

/* Fits, rates, reads the terms, and rates by a Lua function; true when everything succeeded. */
static bool use_engine(crux_engine *engine, const char *script, crux_fault *fault)
{
	double ratings[4] = {0};
	crux_rule *formula = crux_rule_from_formula(engine, "y ~ a + log(b)", NULL, fault);
	crux_rule *function = formula ? crux_rule_load(engine, script, fault) : NULL;
	bool const done = function && crux_fit(formula, &table, NULL, fault) && crux_rate(formula, &table, ratings, 4, fault) &&
	                  crux_rate(function, &table, ratings, 4, fault);
	if (done)
		CHECK(ratings[2] == 7 && crux_rule_terms(formula) == 3 && isfinite(crux_rule_term(formula, 2).p));
	crux_rule_free(formula);
	crux_rule_free(function);
	return done;
}

static crux_game *game; /* Move, by its rule */
static crux_rule *game_rule;

/* Parses, solves, measures and rates a level. */
static bool use_level(crux_engine *engine, const char *text, crux_fault *fault)
{
	(void)engine;
	crux_solution solution;
	double rating;
	crux_level *level = crux_level_parse(game, text, fault);
	bool done = level && crux_level_solve(level, &solution, fault) && crux_level_measure(level, NULL, 0, fault) &&
	            crux_level_rate(level, game_rule, &rating, fault) && crux_level_text(level, fault);
	if (done && solution.status == CRUX_LEVEL_UNKNOWN) {
		done = false;
		crux_fault_set(fault, "the search was given up: memory");
		CHECK(strcmp(solution.limit, "bytes") == 0);
	} else if (done) {
		CHECK(solution.length == 4 && isfinite(rating));
	}
	crux_level_free(level);
	return done;
}

/* Chooses the next level of a player. */
static bool choose_level(crux_engine *engine, const char *text, crux_fault *fault)
{
	(void)text;
	static crux_play const plays[] = {{1, true}};
	crux_next next;
	bool const done = crux_next_level(engine, &(crux_record){(double[]){-1, 0, 1}, 3, plays, 1, 0, 0}, &next, fault);
	CHECK(!done || next.level != 1);
	return done;
}

typedef struct reading {
	const char *path;
	lua_Integer rows;
} reading;

/* Reads a CSV file and counts its rows. */
static int read_file(lua_State *L)
{
	reading *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.data.dataset", "open");
	lua_pushstring(L, r->path);
	lua_call(L, 1, 1);
	lua_getfield(L, -1, "blocks");
	lua_insert(L, -2);
	luaL_loadstring(L, "return { numbers = { 'a' }, texts = { 'level' }, levels = true }");
	lua_call(L, 0, 1);
	lua_call(L, 2, 1);
	lua_call(L, 0, 1);
	lua_getfield(L, -1, "rows");
	r->rows = lua_tointeger(L, -1);
	return 0;
}

static bool use_file(crux_engine *engine, const char *path, crux_fault *fault)
{
	reading request = {path, 0};
	if (!crux_engine_call(engine, read_file, &request, fault))
		return false;
	CHECK(request.rows == 2);
	return true;
}

/* A fit, errors of subsets, rank correlation, errors of predictions and a least sum of squares of a few numbers. */
static int compute(lua_State *L)
{
	lua_settop(L, 0);
	luaL_requiref(L, "libcrux.vector", crux_open_vector, 0);
	luaL_requiref(L, "libcrux.ols", crux_open_ols, 0);
	luaL_requiref(L, "libcrux.penalised", crux_open_penalised, 0);
	luaL_requiref(L, "libcrux.subsets", crux_open_subsets, 0);
	luaL_requiref(L, "libcrux.rank", crux_open_rank, 0);
	luaL_requiref(L, "libcrux.errors", crux_open_errors, 0);
	luaL_requiref(L, "libcrux.folds", crux_open_folds, 0);
	luaL_requiref(L, "libcrux.minimise", crux_open_minimise, 0);
	luaL_requiref(L, "libcrux.item_response", crux_open_item_response, 0);
	if (luaL_loadstring(L, "local vector, ols, penalised, subsets, rank, errors_of, folds, minimise, items = ...\n"
	                       "local x, y = vector.of { 1, 2, 3, 4 }, vector.of { 2, 1, 4, 3 }\n"
	                       "local rows <close> = assert(ols.new(2))\n"
	                       "rows:add({ vector.fill(4, 1), x }, y)\n"
	                       "rows:solve(1e-7)\n"
	                       "local held <close> = assert(penalised.new(rows, 'centred'))\n"
	                       "local splits = assert(subsets.splits({ rows }, { rows }, 1e-7))\n"
	                       "local errors, numbers = assert(splits:errors(1))\n"
	                       "assert(#subsets.best(errors, numbers, 9) == 1)\n"
	                       "assert(splits:neighbours({}))\n"
	                       "assert(splits:neighbours({ 1 }, true))\n"
	                       "assert(rank.ranks(y))\n"
	                       "assert(rank.order(x, y))\n"
	                       "local sums <close> = assert(errors_of.new(4, 1, true))\n"
	                       "sums:add({ x }, { 1 }, y, nil, folds.new(4, 2), 0, 1)\n"
	                       "sums:part()\n"
	                       "assert(assert(sums:sums()).n == 2)\n"
	                       "local asked = { start = vector.of { 1 }, low = vector.of { 0 }, high = vector.of { 9 },\n"
	                       "  residuals = 4, evaluate = function(p) return y - p[1] * x end }\n"
	                       "assert(minimise.squares(asked))\n"
	                       "assert(minimise.jacobian(asked))\n"
	                       "local one_two = vector.of { 1, 1, 2, 2 }\n"
	                       "assert(items.fit { players = 2, levels = 2, nodes = 3, slopes = 'one', player = one_two,\n"
	                       "  level = vector.of { 1, 2, 1, 2 }, solved = vector.of { 1, 0, 0, 1 }, start = vector.of { 0, 0 } })")
	    != LUA_OK)
		return lua_error(L);
	lua_insert(L, 1);
	lua_call(L, 9, 0);
	return 0;
}

static bool use_statistics(crux_engine *engine, const char *unused, crux_fault *fault)
{
	(void)unused;
	return crux_engine_call(engine, compute, NULL, fault);
}

static char *write_file(char *path, const char *folder, const char *name, const char *text)
{
	snprintf(path, 256, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	return path;
}

typedef bool use(crux_engine *engine, const char *path, crux_fault *fault);

/* Counts the tilings of 4 x 4 by dominoes; the engine is not needed. */
static bool cover_grid(crux_engine *engine, const char *path, crux_fault *fault)
{
	uint64_t masks[24];
	crux_cover_problem problem = {.items = 16, .masks = masks};
	crux_exact_cover cover;
	size_t pieces[16];
	(void)engine, (void)path;
	for (unsigned item = 0; item < 16; item++) {
		if (item % 4 < 3)
			masks[problem.options++] = UINT64_C(3) << item;
		if (item < 12)
			masks[problem.options++] = UINT64_C(17) << item;
	}
	if (!crux_exact_cover_solve(&problem, (crux_solver_limits){0}, UINT64_MAX, pieces, &cover, fault))
		return false;
	if (cover.outcome == CRUX_LIMIT_BYTES || !cover.counted) {
		crux_fault_set(fault, "the search was given up: memory");
		return false;
	}
	CHECK(cover.pieces == 8 && cover.solutions == 36);
	return true;
}

enum { STEPS = 20, TURNED = 0x5a };

/* Makes walks that flip the bits of coins (move 0) or of the level (move 1); returns NULL if memory is short. */
static crux_walk *new_walk(crux_trace *trace, const crux_state_layout *layout, crux_coins coins)
{
	trace->varies = true;
	crux_node const state = crux_trace_input(trace, 0, 255), move = crux_trace_input(trace, 0, 1);
	crux_node const shown = crux_trace_input(trace, 0, 255), given = crux_trace_parameter(trace, 0, 255, TURNED);
	crux_node const after[] = {crux_trace_apply(trace, CRUX_XOR, state, shown, 0),
	                           crux_trace_apply(trace, CRUX_XOR, state, given, 0)};
	crux_node const inputs[] = {state, move, shown}, outputs[] = {crux_trace_choose(trace, move, 0, after, 2), 0, 0, 0};
	crux_program *const program = trace->failed ? NULL : crux_program_new(trace, inputs, 3, outputs, 4);
	return program ? crux_walk_new(program, layout, trace->parameter_count, 2, &coins, 1) : NULL;
}

/* The state that such a walk reaches from 0, by the numbers of the generator. */
static uint64_t walk_plainly(crux_random random, crux_coins coins)
{
	crux_generators const generators = {random.state, 1, 1};
	uint64_t state = 0, move, shown;
	for (int step = 0; step < STEPS; step++) {
		crux_coins_draw(generators, 2, &move);
		crux_coins_throw(coins, generators, &shown);
		state ^= move == 0 ? shown & 255 : TURNED;
	}
	return state;
}

static bool walk_back(crux_engine *engine, const char *path, crux_fault *fault)
{
	crux_state_field const field = {.high = 255, .count = 1};
	crux_coins const coins = crux_coins_new(0.3, 8);
	crux_random const random = crux_random_new(1, 2);
	uint64_t key = 0;
	(void)engine, (void)path;
	crux_state_layout *const layout = crux_state_layout_new(&field, 1, NULL);
	crux_trace *const trace = crux_trace_new();
	crux_walk *const walk = layout && trace ? new_walk(trace, layout, coins) : NULL;
	if (walk) {
		crux_walk_enter(walk, &key, &(int64_t){TURNED}, random);
		CHECK(crux_walk_run(walk, STEPS));
		crux_walk_key(walk, 0, &key);
		CHECK(key == walk_plainly(random, coins));
	} else {
		crux_fault_set(fault, "out of memory");
	}
	crux_walk_free(walk);
	crux_trace_free(trace);
	crux_state_layout_free(layout);
	return walk != NULL;
}

/* Makes and reads a journal with more steps than places are allocated at first. */
static bool keep_journal(crux_engine *engine, const char *path, crux_fault *fault)
{
	crux_bytes bytes = {0};
	(void)engine;
	remove(path);
	crux_journal *journal = crux_journal_open(path, "test", fault);
	bool done = journal != NULL;
	for (uint64_t step = 0; done && step < 100; step++)
		done = crux_journal_append(journal, step, path, strlen(path), fault);
	done = crux_journal_close(journal, fault) && done;
	journal = done ? crux_journal_open(path, "test", fault) : NULL;
	done = journal && crux_journal_has(journal, 99) && crux_journal_read(journal, 99, &bytes, fault);
	CHECK(!done || (bytes.size == strlen(path) && memcmp(bytes.data, path, bytes.size) == 0));
	crux_bytes_free(&bytes);
	return crux_journal_close(journal, fault) && done;
}

/* Makes the 1st, 2nd, ... allocation fail, until there is no such allocation; the engine must work after each failure. */
static void fail_each(crux_engine *engine, use *function, const char *path)
{
	crux_fault fault = {""};
	CHECK(function(engine, path, &fault)); /* loads the modules */
	for (failing = 1;; failing += check_count(13, 1)) {
		long const target = failing;
		fault.message[0] = '\0';
		allocations = 0;
		bool const done = function(engine, path, &fault);
		long const used = allocations;
		if (used < target) {
			CHECK(done);
			printf("allocation_test: %ld allocations\n", used);
			break;
		}
		if (!done)
			CHECK(strstr(fault.message, "memory") != NULL);
		failing = 0;
		CHECK(function(engine, path, &fault));
		failing = target;
	}
	failing = 0;
}

/* The same for the start of an engine, with the modules loaded and used once: for every `step`th allocation, as the time grows
 * with the square of their number. */
static void fail_start(const char *script, long step)
{
	for (failing = 1;; failing += step) {
		crux_fault fault = {""};
		allocations = 0;
		crux_engine *engine = crux_engine_new(NULL, &fault);
		bool const done = engine && use_engine(engine, script, &fault);
		long const used = allocations;
		crux_engine_free(engine);
		if (used < failing) {
			CHECK(done);
			printf("allocation_test: %ld allocations from the start\n", used);
			break;
		}
		if (!done)
			CHECK(strstr(fault.message, "memory") != NULL);
	}
	failing = 0;
}

int main(void)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	char script[256], data[256], journal[256];
	write_file(script, folder ? folder : "/tmp", "allocation.lua",
	           "return crux.rule { name = 'sum', formula = function(v) return v.a + v.b end }\n");
	write_file(data, folder ? folder : "/tmp", "allocation.csv", "level,a\none,1\ntwo,\"2\"\n");
	crux_engine *engine = crux_engine_new(NULL, NULL);
	fail_each(engine, use_engine, script);
	fail_each(engine, use_file, data);
	game = crux_game_load(engine, "move", NULL);
	game_rule = crux_rule_load(engine, "move", NULL);
	fail_each(engine, use_level, "a . .\n. # .\n. . A\n");
	crux_game_free(game);
	crux_rule_free(game_rule);
	fail_each(engine, choose_level, NULL);
	fail_each(engine, cover_grid, NULL);
	fail_each(engine, use_statistics, NULL);
	fail_each(engine, walk_back, NULL);
	fail_each(engine, keep_journal, write_file(journal, folder ? folder : "/tmp", "allocation.journal", ""));
	crux_engine_free(engine);
	fail_start(script, check_count(301, 31));
	return check_summary();
}
