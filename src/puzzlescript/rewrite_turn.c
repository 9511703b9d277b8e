/* Turns of a level: see rewrite_turn.h. */
#include "puzzlescript/rewrite_turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/fault.h"
#include "puzzlescript/rewrite_apply.h"
#include "puzzlescript/rewrite_level.h"

/* The earlier cells of a level, which "undo" brings back. */
typedef struct history {
	size_t count, room;
	uint64_t **levels;
} history;

/* Adds a copy of the cells, `bytes` long. Returns false when memory is short. */
static bool history_add(history *h, const uint64_t *cells, size_t bytes)
{
	uint64_t *const level =
	    crux_array_grow(CRUX_ARRAY(h->levels, h->count + 1), &h->room) ? malloc(bytes) : NULL;
	if (!level)
		return false;
	memcpy(level, cells, bytes);
	h->levels[h->count++] = level;
	return true;
}

/* Takes the latest cells that differ from `now`, and forgets those after them. The caller frees them. Returns NULL if there are
 * none. */
static uint64_t *history_take(history *h, const uint64_t *now, size_t bytes)
{
	while (h->count) {
		uint64_t *const level = h->levels[--h->count];
		if (memcmp(level, now, bytes) != 0)
			return level;
		free(level);
	}
	return NULL;
}

static void history_close(history *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->levels[i]);
	free(h->levels);
}

static bool all_or_some(const uint64_t *set, bool all, const uint64_t *objects, size_t words)
{
	return all ? crux_rewrite_within(set, objects, words) : crux_rewrite_meets(set, objects, words);
}

static bool holds(const crux_rewrite_level *level, const crux_win_condition *c)
{
	size_t const words = level->program->object_words;
	for (size_t cell = 0; cell < level->grid.cells; cell++) {
		const uint64_t *const objects = level->grid.objects + cell * words;
		if (!all_or_some(c->first, c->all_of_first, objects, words))
			continue;
		bool const both = all_or_some(c->second, c->all_of_second, objects, words);
		if (c->quantifier > 0 ? !both : both)
			return c->quantifier == 0;
	}
	return c->quantifier != 0;
}

/* Returns true if the program has win conditions and all hold for the current cells. */
static bool is_win(const crux_rewrite_level *level)
{
	for (size_t i = 0; i < level->program->condition_count; i++)
		if (!holds(level, &level->program->conditions[i]))
			return false;
	return level->program->condition_count > 0;
}

/* Limit on nested turns: a restart by a rewrite runs rewrites, and "again" tries a turn to see if it would change anything. */
enum { MAX_DEPTH = 6 };

struct crux_turns {
	crux_rewrite_level level;
	uint64_t *saved[MAX_DEPTH]; /* by depth: the cells and movements at the start of a turn */
	size_t *players, player_count;
	uint64_t *first, *restart; /* the cells at the beginning of the level; those a restart restores */
	history undo;
	size_t depth;
	bool is_again, is_restarting, won;
	bool has_ended; /* a text is shown: no win counts */
	bool continues_after_win, records_no_undo;
};

static size_t level_bytes(const crux_turns *t)
{
	return t->level.grid.cells * t->level.program->object_words * sizeof *t->level.grid.objects;
}

static bool is_player_in(const crux_turns *t, size_t cell)
{
	crux_rewrite_program const *const p = t->level.program;
	const uint64_t *const objects = t->level.grid.objects + cell * p->object_words;
	return p->flags & CRUX_REWRITE_PLAYER_IS_ALL ? crux_rewrite_within(p->player, objects, p->object_words)
	                                             : crux_rewrite_meets(p->player, objects, p->object_words);
}

/* Gives the players in a cell a movement. */
static void move_players_in(crux_turns *t, size_t cell, unsigned move)
{
	crux_rewrite_program const *const p = t->level.program;
	const uint64_t *const objects = t->level.grid.objects + cell * p->object_words;
	for (size_t word = 0; word < p->object_words; word++)
		for (uint64_t players = objects[word] & p->player[word]; players; players &= players - 1)
			crux_rewrite_add_moves(t->level.grid.moves + cell * p->move_words,
			                    p->layer_of[word * 64 + (size_t)__builtin_ctzll(players)], move);
	crux_rewrite_level_add_moves(&t->level, cell);
}

/* Gives all players a movement and records their cells. */
static void move_players(crux_turns *t, unsigned move)
{
	crux_rewrite_program const *const p = t->level.program;
	crux_rewrite_grid const *const g = &t->level.grid;
	for (size_t x = 0; x < g->width; x++) {
		if (!crux_rewrite_meets(g->column_objects + x * p->object_words, p->player, p->object_words))
			continue;
		for (size_t cell = x * g->height; cell < (x + 1) * g->height; cell++) {
			if (!is_player_in(t, cell))
				continue;
			t->players[t->player_count++] = cell;
			move_players_in(t, cell, move);
		}
	}
}

static void restore(crux_turns *t, const uint64_t *objects)
{
	memcpy(t->level.grid.objects, objects, level_bytes(t));
	crux_rewrite_level_clear_moves(&t->level);
	t->is_again = false;
	t->level.commands = 0;
}

static void push_undo(crux_turns *t, const uint64_t *objects)
{
	if (!t->records_no_undo && !history_add(&t->undo, objects, level_bytes(t)))
		t->level.is_out_of_memory = true;
}

typedef struct turn_options {
	bool may_win;  /* check the win conditions */
	bool is_trial; /* undo the turn if it changes anything */
	bool is_input;
} turn_options;

static bool take_turn(crux_turns *t, int input, turn_options options);

/* Restores the start of the level or the last checkpoint. */
static void go_back_to_start(crux_turns *t, bool is_asked_by_rewrite)
{
	if (t->is_restarting)
		return;
	t->is_restarting = true;
	if (!is_asked_by_rewrite)
		push_undo(t, t->level.grid.objects);
	restore(t, t->restart);
	if (t->level.program->flags & CRUX_REWRITE_RUNS_ON_START)
		take_turn(t, CRUX_TURN_TICK, (turn_options){.may_win = false});
	t->level.commands = 0;
	t->is_restarting = false;
}

static void check_win(crux_turns *t, bool may_win)
{
	bool const won = t->level.commands & CRUX_REWRITE_WIN || is_win(&t->level);
	if (t->has_ended || !may_win || !won)
		return;
	t->won = true;
	t->is_again = false;
	t->has_ended = true;
}

static bool is_moved(const crux_turns *t)
{
	for (size_t i = 0; i < t->player_count; i++)
		if (!is_player_in(t, t->players[i]))
			return true;
	return t->player_count == 0;
}

/* Carries out the commands of a turn. Returns true if the turn changed anything, or would when options.is_trial. */
static bool run_commands(crux_turns *t, const uint64_t *before, turn_options options)
{
	uint64_t const commands = t->level.commands;
	if (commands & CRUX_REWRITE_CANCEL) {
		restore(t, before);
		return commands & (commands - 1); /* cancel is bit 0: true if there are other commands */
	}
	if (commands & CRUX_REWRITE_RESTART) {
		push_undo(t, before);
		if (!options.is_trial)
			go_back_to_start(t, true);
	}
	bool const changed = memcmp(t->level.grid.objects, before, level_bytes(t)) != 0;
	if (changed && options.is_trial) {
		restore(t, before);
		return true;
	}
	if (changed && options.is_input)
		push_undo(t, before);
	if (options.is_trial && t->level.commands & (CRUX_REWRITE_WIN | CRUX_REWRITE_RESTART))
		return true;
	check_win(t, options.may_win);
	if (t->won && !t->continues_after_win)
		return changed;
	if (t->level.commands & CRUX_REWRITE_CHECKPOINT)
		memcpy(t->restart, t->level.grid.objects, level_bytes(t));
	if (t->level.commands & CRUX_REWRITE_AGAIN && changed && !crux_rewrite_level_failed(&t->level))
		t->is_again = take_turn(t, CRUX_TURN_TICK, (turn_options){.is_trial = true});
	t->level.commands = 0;
	return changed;
}

/* Runs rewrites, movements, then late rewrites. Repeats rewrites and movements without the rigid groups that failed until none
 * fails. */
static void run_rewrites(crux_turns *t, uint64_t *start_moves)
{
	size_t const move_bytes = t->level.grid.cells * t->level.program->move_words * sizeof(uint64_t);
	bool failed = true;
	if (t->level.program->early.count)
		memset(t->level.banned, 0, t->level.program->early.count);
	if (t->level.program->is_rigid)
		memcpy(start_moves, t->level.grid.moves, move_bytes);
	for (int i = 0; failed && i < CRUX_TURN_MAX_REPEATS && !crux_rewrite_level_failed(&t->level); i++) {
		crux_rewrite_apply(&t->level, &t->level.program->early, t->level.banned);
		failed = crux_rewrite_move(&t->level);
		if (!failed)
			break;
		memcpy(t->level.grid.objects, t->saved[t->depth], level_bytes(t));
		memcpy(t->level.grid.moves, start_moves, move_bytes);
		t->level.commands = 0;
	}
	if (!failed)
		crux_rewrite_apply(&t->level, &t->level.program->late, NULL);
}

/* Takes a turn. Returns true if it changed anything, or would when options.is_trial. */
static bool take_turn(crux_turns *t, int input, turn_options options)
{
	if (t->depth == MAX_DEPTH - 1 || crux_rewrite_level_failed(&t->level))
		return false;
	t->depth++;
	uint64_t *const before = t->saved[t->depth];
	t->is_again = false;
	memcpy(before, t->level.grid.objects, level_bytes(t));
	t->player_count = 0;
	crux_rewrite_level_make_unions(&t->level);
	if (input != CRUX_TURN_TICK) {
		unsigned const moves[] = {CRUX_MOVE_UP, CRUX_MOVE_LEFT, CRUX_MOVE_DOWN, CRUX_MOVE_RIGHT, CRUX_MOVE_ACTION};
		move_players(t, moves[input]);
	}
	t->level.commands = 0;
	run_rewrites(t, before + level_bytes(t) / sizeof *before);
	bool changed = false;
	if (t->player_count > 0 && t->level.program->flags & CRUX_REWRITE_PLAYER_MUST_MOVE && !is_moved(t)) {
		restore(t, before);
		t->has_ended = false;
	} else {
		changed = run_commands(t, before, options);
	}
	t->depth--;
	return changed;
}

bool crux_turns_asks_again(const crux_turns *t) { return t->is_again && !(t->won && !t->continues_after_win); }

/* Takes at most a number of the turns that "again" asks for. Returns false and sets the fault on an error. */
static bool take_again_turns(crux_turns *t, int most, crux_fault *fault)
{
	for (int i = 0; i < most && crux_turns_asks_again(t) && !crux_rewrite_level_failed(&t->level); i++)
		take_turn(t, CRUX_TURN_TICK, (turn_options){.may_win = true});
	if (t->level.is_out_of_memory)
		crux_fault_set(fault, "out of memory");
	else if (t->level.is_over_limit)
		crux_fault_set(fault, "a turn takes too long: rules match in too many ways, or go on without an end");
	bool const went_well = !crux_rewrite_level_failed(&t->level);
	t->level.is_out_of_memory = t->level.is_over_limit = false;
	t->level.work = 0;
	return went_well;
}

bool crux_turns_start(crux_turns *t, crux_fault *fault)
{
	if (t->level.program->flags & CRUX_REWRITE_RUNS_ON_START)
		take_turn(t, CRUX_TURN_TICK, (turn_options){.may_win = false});
	return take_again_turns(t, CRUX_TURN_MAX_AGAIN, fault);
}

bool crux_turns_take(crux_turns *t, int input, crux_fault *fault)
{
	take_turn(t, input, (turn_options){.may_win = true, .is_input = input != CRUX_TURN_TICK});
	return take_again_turns(t, 0, fault);
}

bool crux_turns_input(crux_turns *t, int input, crux_fault *fault)
{
	take_turn(t, input, (turn_options){.may_win = true, .is_input = input != CRUX_TURN_TICK});
	return take_again_turns(t, CRUX_TURN_MAX_AGAIN, fault);
}

bool crux_turns_restart(crux_turns *t, crux_fault *fault)
{
	if (!(t->level.program->flags & CRUX_REWRITE_NO_RESTART))
		go_back_to_start(t, false);
	return take_again_turns(t, CRUX_TURN_MAX_AGAIN, fault);
}

bool crux_turns_undo(crux_turns *t, crux_fault *fault)
{
	if (t->level.program->flags & CRUX_REWRITE_NO_UNDO)
		return take_again_turns(t, CRUX_TURN_MAX_AGAIN, fault);
	uint64_t *const earlier = history_take(&t->undo, t->level.grid.objects, level_bytes(t));
	if (earlier)
		restore(t, earlier);
	free(earlier);
	return take_again_turns(t, CRUX_TURN_MAX_AGAIN, fault);
}

void crux_turns_set(crux_turns *t, const uint64_t *objects)
{
	memcpy(t->level.grid.objects, objects, level_bytes(t));
	memcpy(t->restart, t->first, level_bytes(t));
	t->won = t->has_ended = t->is_again = false;
	t->level.commands = 0;
}

void crux_turns_record_no_undo(crux_turns *t) { t->records_no_undo = true; }

void crux_turns_continue_after_win(crux_turns *t) { t->continues_after_win = true; }

bool crux_turns_won(const crux_turns *t) { return t->won; }

const uint64_t *crux_turns_objects(const crux_turns *t) { return t->level.grid.objects; }

const bool *crux_turns_used_lines(const crux_turns *t) { return t->level.used; }

size_t crux_turns_cells(const crux_turns *t) { return t->level.grid.cells; }

crux_turns *crux_turns_new(const crux_rewrite_program *program, size_t width, size_t height, const uint64_t *objects,
                           crux_rewrite_chance chance)
{
	crux_turns *const t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	bool has_room = crux_rewrite_level_init(&t->level, program, width, height, objects, chance);
	size_t const cells = width * height;
	for (size_t i = 0; i < MAX_DEPTH; i++) {
		t->saved[i] = calloc(cells * (program->object_words + program->move_words), sizeof **t->saved);
		has_room = has_room && t->saved[i];
	}
	t->first = malloc(level_bytes(t));
	t->restart = malloc(level_bytes(t));
	t->players = calloc(cells, sizeof *t->players);
	if (!has_room || !t->first || !t->restart || !t->players) {
		crux_turns_free(t);
		return NULL;
	}
	memcpy(t->first, objects, level_bytes(t));
	memcpy(t->restart, objects, level_bytes(t));
	return t;
}

void crux_turns_free(crux_turns *t)
{
	if (!t)
		return;
	crux_rewrite_level_close(&t->level);
	for (size_t i = 0; i < MAX_DEPTH; i++)
		free(t->saved[i]);
	history_close(&t->undo);
	free(t->first);
	free(t->restart);
	free(t->players);
	free(t);
}
