/* The functions of crux.h, but for the wall: the bytes choose calls and their arguments, among them NULL, lengths of 0, numbers out of
 * range, and arrays that overlap. Arrays have exactly the length that is told, so that the sanitizer sees a step beyond. A call
 * that fails changes nothing but the fault, whose message is one line; one that succeeds does not change the fault. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crux.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* what libFuzzer calls */

enum { CALLS = 24, SLOTS = 3, ROWS = 5, COLUMNS = 4 };

static crux_engine *engines[2]; /* for all inputs: starting them takes longer than the calls */
static crux_game *games[3];     /* of both engines */

typedef struct input {
	const uint8_t *bytes;
	size_t left;
	crux_fault fault;
	char before[sizeof(crux_fault)]; /* the message before the call */
	crux_rule *rules[SLOTS];
	crux_level *levels[SLOTS];
	const crux_table *measures; /* of the last measured level */
	size_t measured;            /* its slot */
} input;

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A number below n; 0 when the bytes are used up. */
static size_t below(input *in, size_t n)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->bytes++ % n;
}

static void demand(bool holds, const char *what, const input *in)
{
	if (holds)
		return;
	fprintf(stderr, "c_api_fuzz: %s: %s\n", what, in->fault.message);
	abort();
}

/* True when the text is UTF-8 in one line, without control characters. */
static bool is_line(const char *text)
{
	for (size_t follow = 0; *text || follow > 0; text++) {
		unsigned char const byte = (unsigned char)*text;
		if (follow > 0 ? (byte & 0xC0) != 0x80 : byte < 32 || byte == 127 || (byte & 0xC0) == 0x80)
			return false;
		follow = follow > 0 ? follow - 1 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
	}
	return true;
}

/* The fault for a call; NULL sometimes. */
static crux_fault *before_call(input *in)
{
	memcpy(in->before, in->fault.message, sizeof in->before);
	return below(in, 8) == 7 ? NULL : &in->fault;
}

/* Looks at the fault after a call; returns whether the call succeeded. */
static bool after_call(input *in, const crux_fault *fault, bool succeeded)
{
	char const *const text = in->fault.message;
	bool const is_same = memcmp(text, in->before, sizeof in->before) == 0;
	demand(memchr(text, '\0', sizeof in->before) != NULL, "a message without an end", in);
	demand(is_same || (!succeeded && fault), "a fault without a failure", in);
	demand(succeeded || !fault || (*text && is_line(text)), "a message that is no line", in);
	demand(succeeded || !fault || !strstr(text, "/lua/crux/"), "a mistake of crux", in);
	return succeeded;
}

/* A text: NULL, a known one, one of crux's own, or bytes of the input, copied to `bytes`. */
static const char *text_of(input *in, char bytes[64])
{
	static const char *const known[] = {"move", "flow", "lazors", "y ~ x", "y ~ x + z", "y ~ log(x)", "y ~ factor(x)", "y ~ .", "w", "y", "x",
	    "size", "moves", "level", "", "a A\n", "a . .\n. # .\n. . A\n", "a # A\n", "AA\nBB\n", "y ~ ", "no/such.lua", ".", "README.md"};
	size_t const kind = below(in, 32);
	crux_term const term = crux_rule_term(in->rules[below(in, SLOTS)], below(in, 3));
	if (kind < COUNT(known))
		return known[kind];
	switch (kind) {
	case 23:
		return NULL;
	case 24:
		return in->fault.message;
	case 25:
		return term.name;
	case 26:
		return in->measures && in->measures->columns > 0 ? in->measures->names[in->measures->columns - 1] : NULL;
	default:
		memset(bytes, 0, 64);
		for (size_t i = below(in, 63); i > 0; i--)
			bytes[i - 1] = (char)below(in, 256);
		for (char *c = bytes; *c; c++)
			*c = *c == '/' ? '.' : *c; /* no file elsewhere */
		return bytes;
	}
}

static double number_of(input *in)
{
	static const double numbers[] = {0, 1, 2, 3, 9, 0.5, -1, 1e300, -1e300, NAN, INFINITY, -INFINITY, 1e-300, 0x1p63, 4};
	return numbers[below(in, COUNT(numbers))];
}

static size_t size_of(input *in, size_t usual)
{
	size_t const sizes[] = {0, 1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, (size_t)1 << 32, 1000000001, 100001};
	size_t const kind = below(in, 4 * COUNT(sizes));
	return kind < COUNT(sizes) ? sizes[kind] : usual;
}

/* A table with arrays of their own, which free_table frees. Its length is that of the values; rows are right or not. */
static crux_table new_table(input *in, size_t usual_rows)
{
	static const char *const known[] = {"x", "y", "w", "z", "level", "size", "moves", "side", "balls", "colours", "distance", "corners"};
	size_t const columns = below(in, COLUMNS + 1);
	crux_table table = {.rows = below(in, 4) ? usual_rows : below(in, ROWS + 1), .columns = columns};
	table.length = table.rows * columns;
	const char **const names = columns > 0 || below(in, 2) ? malloc(columns * sizeof *names) : NULL;
	double *const values = table.length > 0 || below(in, 2) ? malloc(table.length * sizeof *values) : NULL;
	for (size_t i = 0; i < columns; i++)
		names[i] = below(in, 16) == 0 ? NULL : i < 2 && below(in, 4) ? known[i] : known[below(in, COUNT(known))];
	for (size_t i = 0; i < table.length; i++)
		values[i] = number_of(in);
	table.names = names;
	table.values = values;
	table.rows = size_of(in, table.rows);
	return table;
}

static void free_table(crux_table table)
{
	free((void *)table.names);
	free((double *)table.values);
}

static void load(input *in)
{
	char bytes[2][64];
	size_t const slot = below(in, SLOTS), kind = below(in, 4);
	crux_engine *const engine = below(in, 12) == 0 ? NULL : engines[below(in, 6) == 0];
	const char *const text = text_of(in, bytes[0]), *const weights = below(in, 3) ? NULL : text_of(in, bytes[1]);
	crux_fault *const fault = before_call(in);
	if (kind == 0) {
		crux_game *const game = crux_game_load(engine, text, fault);
		after_call(in, fault, game != NULL);
		crux_game_free(game);
		return;
	}
	crux_rule *const rule = kind == 1 ? crux_rule_load(engine, text, fault) : crux_rule_from_formula(engine, text, weights, fault);
	if (after_call(in, fault, rule != NULL)) {
		crux_rule_free(in->rules[slot]);
		in->rules[slot] = rule;
	}
}

/* Rates: into an array of its own, over the values of the table, or nowhere. */
static void rate(input *in)
{
	crux_rule *const rule = in->rules[below(in, SLOTS)];
	crux_table table = new_table(in, 1 + below(in, ROWS));
	size_t const length = below(in, 4) ? table.length + ROWS : below(in, ROWS), kind = below(in, 8);
	double *const own = malloc(length * sizeof *own), *const old = malloc(length * sizeof *old);
	for (size_t i = 0; i < length; i++)
		own[i] = old[i] = 7;
	crux_fault *const fault = before_call(in);
	if (kind == 0)
		after_call(in, fault, crux_rate(rule, &table, NULL, length, fault));
	else if (kind == 1)
		after_call(in, fault, crux_rate(rule, &table, (double *)table.values, table.length, fault));
	else if (kind == 2)
		after_call(in, fault, crux_rate(rule, NULL, own, length, fault));
	else if (!after_call(in, fault, crux_rate(rule, kind == 3 && in->measures ? in->measures : &table, own, length, fault)))
		demand(memcmp(own, old, length * sizeof *own) == 0, "ratings of a failure", in);
	free(own);
	free(old);
	free_table(table);
}

static void fit(input *in)
{
	crux_rule *const rule = in->rules[below(in, SLOTS)];
	crux_table table = new_table(in, ROWS);
	crux_summary summary = {.n = 7};
	size_t const kind = below(in, 4), terms = crux_rule_terms(rule);
	bool const is_over = kind == 1 && table.length * sizeof(double) >= sizeof summary;
	crux_summary *const to = kind == 0 ? NULL : is_over ? (crux_summary *)table.values : &summary;
	crux_fault *const fault = before_call(in);
	if (!after_call(in, fault, crux_fit(rule, below(in, 16) ? &table : NULL, to, fault)))
		demand(summary.n == 7 && crux_rule_terms(rule) == terms, "a summary of a failure", in);
	for (size_t i = 0; i < crux_rule_terms(rule); i++)
		demand(crux_rule_term(rule, i).name != NULL, "a term without a name", in);
	demand(!crux_rule_term(rule, size_of(in, SIZE_MAX) | 64).name, "a term beyond the last", in);
	free_table(table);
}

static void save(input *in)
{
	static const char *const paths[] = {"build/fuzz/c_api_fuzz.lua", NULL, "", ".", "no/such/folder.lua", "/"};
	crux_rule *const rule = in->rules[below(in, SLOTS)];
	const char *const path = paths[below(in, COUNT(paths))];
	crux_fault *const fault = before_call(in);
	after_call(in, fault, crux_rule_save(rule, path, fault));
}

/* A level of a text, or of an order. */
static void make_level(input *in)
{
	char bytes[64];
	size_t const slot = below(in, SLOTS);
	crux_game *const game = below(in, 12) == 0 ? NULL : games[below(in, COUNT(games))];
	bool const is_parsed = below(in, 2); /* its text is short, so that its search is without limits, too */
	crux_game_limit(game, (crux_search_limit){number_of(in), is_parsed ? size_of(in, 1000) : 1000, size_of(in, 1000000)});
	crux_level *level;
	crux_fault *fault;
	if (is_parsed) {
		const char *const text = text_of(in, bytes);
		fault = before_call(in);
		level = crux_level_parse(game, text, fault);
	} else {
		crux_table options = new_table(in, 1), measures = new_table(in, 1);
		bool const has_options = below(in, 2), has_measures = below(in, 2), has_order = below(in, 12);
		size_t const number = size_of(in, 1 + below(in, 5));
		crux_order const order = {size_of(in, 3), 1 + below(in, 4), has_options ? &options : NULL,
		                          has_measures ? &measures : NULL};
		fault = before_call(in);
		level = crux_generate(game, has_order ? &order : NULL, number, fault);
		free_table(options);
		free_table(measures);
	}
	if (after_call(in, fault, level != NULL)) {
		if (in->measured == slot)
			in->measures = NULL;
		crux_level_free(in->levels[slot]);
		in->levels[slot] = level;
	}
}

static void measure(input *in)
{
	char bytes[COLUMNS][64];
	size_t const slot = below(in, SLOTS), count = below(in, COLUMNS + 1), kind = below(in, 6);
	crux_level *const level = in->levels[slot];
	const char **const names = malloc(count * sizeof *names);
	for (size_t i = 0; i < count; i++)
		names[i] = text_of(in, bytes[i]);
	crux_fault *const fault = before_call(in);
	const crux_table *table;
	if (kind == 0)
		table = crux_level_measure(level, NULL, size_of(in, 0), fault);
	else if (kind == 1 && in->measures)
		table = crux_level_measure(level, in->measures->names, in->measures->columns, fault);
	else
		table = crux_level_measure(level, names, count, fault);
	if (level && in->measured == slot)
		in->measures = NULL;
	if (after_call(in, fault, table != NULL)) {
		demand(table->rows == 1 && table->length == table->columns, "measures of another size", in);
		in->measures = table;
		in->measured = slot;
	}
	free(names);
}

static void solve(input *in)
{
	crux_level *const level = in->levels[below(in, SLOTS)];
	crux_solution solution;
	bool const has_place = below(in, 8);
	crux_fault *const fault = before_call(in);
	if (after_call(in, fault, crux_level_solve(level, has_place ? &solution : NULL, fault)))
		demand((solution.status == CRUX_LEVEL_UNKNOWN) == (solution.limit != NULL) && (!solution.text || is_line(solution.text)),
		       "a wrong solution", in);
}

static void rate_level(input *in)
{
	crux_level *const level = in->levels[below(in, SLOTS)];
	crux_rule *const rule = in->rules[below(in, SLOTS)];
	double rating = 7;
	bool const has_place = below(in, 8);
	crux_fault *const fault = before_call(in);
	if (!after_call(in, fault, crux_level_rate(level, rule, has_place ? &rating : NULL, fault)))
		demand(rating == 7, "a rating of a failure", in);
}

static void write_level(input *in)
{
	crux_level *const level = in->levels[below(in, SLOTS)];
	crux_fault *const fault = before_call(in);
	const char *const text = crux_level_text(level, fault);
	after_call(in, fault, text != NULL);
}

static void next_level(input *in)
{
	enum { MOST = 6 };
	double difficulties[MOST];
	crux_play plays[MOST];
	for (size_t i = 0; i < MOST; i++) {
		difficulties[i] = number_of(in);
		plays[i] = (crux_play){size_of(in, below(in, MOST)), below(in, 2)};
	}
	size_t const levels = below(in, MOST + 1), count = below(in, MOST + 1);
	crux_play const *const last_plays = plays + MOST - count; /* the arrays end where their lengths tell */
	crux_record const record = {below(in, 8) ? difficulties + MOST - levels : NULL, levels, below(in, 8) ? last_plays : NULL, count,
	                            number_of(in), number_of(in)};
	crux_next next = {SIZE_MAX, NAN, NAN};
	crux_fault *const fault = before_call(in);
	bool const is_chosen = crux_next_level(below(in, 12) ? engines[0] : NULL, &record, &next, fault);
	if (!after_call(in, fault, is_chosen))
		return;
	demand(next.level <= levels && !isnan(next.difficulty) && isnan(next.chance) == (next.level == levels), "no choice", in);
	for (size_t i = 0; i < count; i++)
		demand(last_plays[i].level != next.level, "a level twice", in);
}

static void take_level(input *in)
{
	crux_curve const curve = {number_of(in), number_of(in), below(in, 8) ? below(in, 5) : size_of(in, 5), size_of(in, 9)};
	crux_rule *const rule = in->rules[below(in, SLOTS)];
	size_t const slot = below(in, SLOTS), place = below(in, COUNT(games) + 1);
	bool const has_curve = below(in, 8);
	crux_fault *const fault = before_call(in);
	crux_pool *const pool = crux_pool_new(place < COUNT(games) ? games[place] : NULL, rule, has_curve ? &curve : NULL, fault);
	if (!after_call(in, fault, pool != NULL))
		return;
	size_t missing = SIZE_MAX;
	double const seconds = below(in, 4) ? 0.01 : fmin(number_of(in), 0.01);
	crux_fault *const unfilled = before_call(in);
	if (after_call(in, unfilled, crux_pool_fill(pool, seconds, below(in, 8) ? &missing : NULL, unfilled)))
		demand(missing == SIZE_MAX || missing <= curve.count, "more levels are missing than there were to be", in);
	crux_fault *const untaken = before_call(in);
	crux_level *const level = crux_pool_take(pool, number_of(in), fmin(number_of(in), 0.01), untaken);
	crux_pool_free(pool);
	if (!after_call(in, untaken, level != NULL))
		return;
	crux_level_free(in->levels[slot]);
	in->levels[slot] = level;
}

static void limit(input *in)
{
	crux_engine_limit(below(in, 4) ? engines[0] : NULL, (crux_limit){number_of(in), 64 * number_of(in), number_of(in)});
}

static void call_task(input *in)
{
	static const char *const tasks[] = {"fit", "evaluate", "compare", "correlate", "ablate", "select", "measure", "", NULL};
	static const char *const options[] = {"formula", "data", "rule", "folds", "folds_by", "loo", "inputs", "x", "game", "levels", "list",
	                                      "output", "", NULL};
	enum { MOST = 4 };
	char bytes[MOST][64];
	const char *names[MOST], *values[MOST];
	size_t const count = below(in, MOST + 1), shown = below(in, 16) ? count : size_of(in, count);
	for (size_t i = 0; i < MOST; i++)
		names[i] = options[below(in, COUNT(options) - (below(in, 8) > 0))], values[i] = text_of(in, bytes[i]);
	crux_engine *const engine = below(in, 12) == 0 ? NULL : engines[0];
	bool const is_short = shown <= MOST; /* a length that is wrong is undefined, but for no array at all */
	crux_fault *const fault = before_call(in);
	after_call(in, fault, crux_call(engine, tasks[below(in, COUNT(tasks))], is_short ? names : NULL, is_short ? values : NULL, shown,
	                                fault) != NULL);
}

static void start_engine(input *in)
{
	char bytes[64];
	const char *const home = text_of(in, bytes);
	if (!home || strcmp(home, ".") == 0)
		return; /* that works, and takes long */
	crux_fault *const fault = before_call(in);
	crux_engine *const engine = crux_engine_new(home, fault);
	after_call(in, fault, engine != NULL);
	crux_engine_free(engine);
}

static void start(void)
{
	for (size_t i = 0; i < COUNT(engines); i++)
		engines[i] = crux_engine_new(NULL, NULL);
	games[0] = crux_game_load(engines[0], "move", NULL);
	games[1] = crux_game_load(engines[0], "flow", NULL);
	games[2] = crux_game_load(engines[1], "move", NULL);
	if (!games[0] || !games[1] || !games[2])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const calls[])(input *) = {load, load, rate, rate, fit, fit, save, make_level, make_level, measure, solve, rate_level, write_level,
	                                         limit, start_engine, call_task, next_level, take_level};
	if (!games[0])
		start();
	input in = {.bytes = data, .left = size, .fault = {"unchanged"}, .measured = SLOTS};
	for (int i = 0; i < CALLS && in.left > 0; i++)
		calls[below(&in, COUNT(calls))](&in);
	for (size_t i = 0; i < SLOTS; i++) {
		crux_rule_free(in.rules[i]);
		crux_level_free(in.levels[i]);
	}
	crux_engine_limit(engines[0], (crux_limit){0});
	return 0;
}
