/* Turns of a level: see rule_turn.h. */
#include "puzzlescript/rule_turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "puzzlescript/rule_match.h"

/* Limit on nested turns: a restart by a rule runs rules, and "again" tries a turn to see if it would change anything. */
enum { MOST_DEPTH = 6 };

typedef struct history {
	size_t count, room;
	uint64_t **levels;
} history;

struct crux_turns {
	const crux_rule_program *program;
	crux_rule_grid grid;
	uint64_t *rigid_groups, *rigid_layers; /* by cell, laid out as movements: number of the group; all bits */
	bool *banned;                          /* by early group */
	crux_rule_places places[CRUX_RULE_MOST_ROWS];
	uint64_t *saved[MOST_DEPTH]; /* by depth: the cells and movements at the start of a turn */
	size_t *players, player_count;
	uint64_t *first, *restart; /* the cells at the beginning of the level; those a restart restores */
	history undo;
	crux_rule_chance chance;
	uint64_t commands; /* of the current turn */
	size_t depth;
	bool is_again, is_restarting, is_silent /* a text is shown: no win counts */, stays, forgets, won;
	size_t work;            /* cells tried and matches found by all rules since the last input */
	bool is_short, is_long; /* is_short: out of memory; is_long: over a limit on work */
};

static size_t level_bytes(const crux_turns *t)
{
	return t->grid.cells * t->program->object_words * sizeof *t->grid.objects;
}

static bool is_well(const crux_turns *t)
{
	return !t->is_short && !t->is_long;
}

static void copy_set(uint64_t *to, const uint64_t *from, size_t words)
{
	memcpy(to, from, words * sizeof *to);
}

/* Adds the set of a cell to the unions of its column, its row and all cells. */
static void note_cell(crux_rule_grid *g, size_t cell, const uint64_t *set, size_t words, uint64_t *columns, uint64_t *rows,
                      uint64_t *all)
{
	crux_rule_add(columns + cell / g->height * words, set, words);
	crux_rule_add(rows + cell % g->height * words, set, words);
	crux_rule_add(all, set, words);
}

static void note_objects(crux_turns *t, size_t cell)
{
	size_t const words = t->program->object_words;
	crux_rule_grid *const g = &t->grid;
	note_cell(g, cell, g->objects + cell * words, words, g->column_objects, g->row_objects, g->all_objects);
}

static void note_moves(crux_turns *t, size_t cell)
{
	size_t const words = t->program->move_words;
	crux_rule_grid *const g = &t->grid;
	note_cell(g, cell, g->moves + cell * words, words, g->column_moves, g->row_moves, g->all_moves);
}

static void note_all(crux_turns *t)
{
	crux_rule_grid *const g = &t->grid;
	size_t const ow = t->program->object_words * sizeof(uint64_t), mw = t->program->move_words * sizeof(uint64_t);
	memset(g->column_objects, 0, g->width * ow);
	memset(g->row_objects, 0, g->height * ow);
	memset(g->all_objects, 0, ow);
	memset(g->column_moves, 0, g->width * mw);
	memset(g->row_moves, 0, g->height * mw);
	memset(g->all_moves, 0, mw);
	for (size_t cell = 0; cell < g->cells; cell++) {
		note_objects(t, cell);
		note_moves(t, cell);
	}
}

static void clear_moves(crux_turns *t)
{
	size_t const bytes = t->grid.cells * t->program->move_words * sizeof(uint64_t);
	memset(t->grid.moves, 0, bytes);
	if (t->program->is_rigid) {
		memset(t->rigid_groups, 0, bytes);
		memset(t->rigid_layers, 0, bytes);
	}
}

static bool is_player_in(const crux_turns *t, size_t cell)
{
	crux_rule_program const *const p = t->program;
	const uint64_t *const objects = t->grid.objects + cell * p->object_words;
	return p->flags & CRUX_RULE_PLAYER_IS_ALL ? crux_rule_within(p->player, objects, p->object_words)
	                                          : crux_rule_meets(p->player, objects, p->object_words);
}

/* Gives all players a movement and records their cells. */
static void move_players(crux_turns *t, unsigned move)
{
	crux_rule_program const *const p = t->program;
	t->player_count = 0;
	for (size_t cell = 0; cell < t->grid.cells; cell++) {
		if (!is_player_in(t, cell))
			continue;
		t->players[t->player_count++] = cell;
		const uint64_t *const objects = t->grid.objects + cell * p->object_words;
		for (size_t i = 0; i < p->object_count; i++)
			if (objects[i / 64] & p->player[i / 64] & UINT64_C(1) << (i % 64))
				crux_rule_add_moves(t->grid.moves + cell * p->move_words, p->layer_of[i], move);
	}
}

/* Marks movements of a cell as those of a rigid group. Returns true if a mark is new. */
static bool mark_rigid(crux_turns *t, size_t at, unsigned group, const uint64_t *touched)
{
	size_t const words = t->program->move_words;
	uint64_t numbers[CRUX_RULE_MOST_MOVE_WORDS] = {0};
	uint64_t *const groups = t->rigid_groups + at * words, *const layers = t->rigid_layers + at * words;
	for (size_t layer = 0; layer < t->program->layer_count; layer++)
		crux_rule_add_moves(numbers, layer, group);
	for (size_t i = 0; i < words; i++)
		numbers[i] &= touched[i];
	if (crux_rule_within(numbers, groups, words) || crux_rule_within(touched, layers, words))
		return false;
	crux_rule_add(groups, numbers, words);
	crux_rule_add(layers, touched, words);
	return true;
}

/* Adds the random parts of a replacement: one of the objects to spawn, and directions. */
static void throw_coins(crux_turns *t, const crux_rule_cell *cell, uint64_t *clear, uint64_t *set, uint64_t *stop, uint64_t *go)
{
	crux_rule_program const *const p = t->program;
	if (cell->spawned) {
		size_t choices[CRUX_RULE_MOST_OBJECTS], count = 0;
		for (size_t i = 0; i < p->object_count; i++)
			if (cell->spawned[i / 64] >> (i % 64) & 1)
				choices[count++] = i;
		size_t const object = choices[crux_rule_chance_below(&t->chance, count)], layer = p->layer_of[object];
		set[object / 64] |= UINT64_C(1) << (object % 64);
		crux_rule_add(clear, p->layer_masks + layer * p->object_words, p->object_words);
		crux_rule_add_moves(stop, layer, CRUX_MOVE_ANY);
	}
	for (size_t layer = 0; cell->turned && layer < p->layer_count; layer++)
		if (crux_rule_moves_of(cell->turned, layer))
			crux_rule_add_moves(go, layer, 1U << crux_rule_chance_below(&t->chance, 4));
}

/* Applies the replacement of a cell of a rule. Returns true if it changed anything. */
static bool replace(crux_turns *t, const crux_rule_cell *cell, size_t at, unsigned rigid)
{
	if (!cell->replaces)
		return false;
	size_t const ow = t->program->object_words, mw = t->program->move_words;
	const uint64_t *clear = cell->clear, *set = cell->set, *stop = cell->stop, *go = cell->go;
	uint64_t own[2 * CRUX_RULE_MOST_OBJECT_WORDS + 2 * CRUX_RULE_MOST_MOVE_WORDS];
	if (cell->spawned || cell->turned) {
		uint64_t *const own_set = own + ow, *const own_stop = own_set + ow, *const own_go = own_stop + mw;
		copy_set(own, clear, ow);
		copy_set(own_set, set, ow);
		copy_set(own_stop, stop, mw);
		copy_set(own_go, go, mw);
		throw_coins(t, cell, own, own_set, own_stop, own_go);
		clear = own, set = own_set, stop = own_stop, go = own_go;
	}
	uint64_t *const objects = t->grid.objects + at * ow, *const moves = t->grid.moves + at * mw;
	uint64_t changed = 0, moved = 0;
	for (size_t i = 0; i < ow; i++) {
		uint64_t const now = (objects[i] & ~clear[i]) | set[i];
		changed |= now ^ objects[i];
		objects[i] = now;
	}
	for (size_t i = 0; i < mw; i++) {
		uint64_t const now = (moves[i] & ~(stop[i] | cell->touched[i])) | go[i];
		moved |= now ^ moves[i];
		moves[i] = now;
	}
	bool const marked = rigid && mark_rigid(t, at, rigid, cell->touched);
	if (changed)
		note_objects(t, at);
	if (moved)
		note_moves(t, at);
	return changed || moved || marked;
}

static bool replace_row(crux_turns *t, const crux_rule_row *row, int direction, crux_rule_place place, unsigned rigid)
{
	ptrdiff_t const step = crux_rule_step(&t->grid, direction);
	size_t at = place.cell, gap = 0;
	bool changed = false;
	for (size_t i = 0; i < row->cell_count; i++) {
		if (!row->cells[i]) {
			at += place.gaps[gap++] * (size_t)step;
			continue;
		}
		changed = replace(t, row->cells[i], at, rigid) || changed;
		at += (size_t)step;
	}
	return changed;
}

static bool apply_at(crux_turns *t, const crux_rule *rule, unsigned rigid, const crux_rule_place *at, bool again)
{
	for (size_t i = 0; again && i < rule->row_count; i++)
		if (!crux_rule_matches_at(t->program, &t->grid, &rule->rows[i], rule->direction, at[i]))
			return false;
	bool changed = false;
	for (size_t i = 0; i < rule->row_count; i++)
		changed = replace_row(t, &rule->rows[i], rule->direction, at[i], rule->is_rigid ? rigid : 0) || changed;
	return changed;
}

/* Finds the matches of each row of a rule. Returns the number of combinations, one match a row; 0 when a row has none. */
static size_t find_matches(crux_turns *t, const crux_rule *rule)
{
	size_t tuples = 1;
	for (size_t i = 0; i < rule->row_count; i++)
		if (!crux_rule_may_match(t->program, &rule->rows[i], t->grid.all_objects, t->grid.all_moves))
			return 0;
	for (size_t i = 0; i < rule->row_count; i++) {
		if (!crux_rule_match(t->program, &t->grid, &rule->rows[i], rule->direction, &t->places[i]))
			t->is_short = true;
		if (!is_well(t) || t->places[i].count == 0)
			return 0;
		tuples *= t->places[i].count;
		if (tuples > CRUX_TURN_MOST_TUPLES)
			t->is_long = true;
	}
	t->work += tuples + t->grid.cells * rule->row_count;
	t->is_long = t->is_long || t->work > CRUX_TURN_MOST_WORK;
	return t->is_long ? 0 : tuples;
}

/* Sets at[] to the places of a combination by its number; the place of the first row changes fastest. */
static void tuple_of(const crux_turns *t, const crux_rule *rule, size_t number, crux_rule_place *at)
{
	for (size_t i = 0; i < rule->row_count; i++) {
		at[i] = t->places[i].list[number % t->places[i].count];
		number /= t->places[i].count;
	}
}

/* Adds commands to the turn. Cancel overrides all other commands, restart all but cancel. */
static void give_commands(crux_turns *t, uint64_t commands)
{
	uint64_t const strong = CRUX_RULE_CANCEL | CRUX_RULE_RESTART;
	if (t->commands & CRUX_RULE_CANCEL || (t->commands & CRUX_RULE_RESTART && !(commands & CRUX_RULE_CANCEL)))
		return;
	t->commands = (commands & strong ? 0 : t->commands) | commands;
}

static bool apply_rule(crux_turns *t, const crux_rule *rule, unsigned rigid)
{
	size_t const tuples = find_matches(t, rule);
	if (tuples == 0)
		return false;
	bool changed = false;
	crux_rule_place at[CRUX_RULE_MOST_ROWS];
	for (size_t i = 0; i < tuples && rule->replaces; i++) {
		tuple_of(t, rule, i, at);
		changed = apply_at(t, rule, rigid, at, i > 0) || changed;
	}
	give_commands(t, rule->commands);
	return changed;
}

/* Applies one match, drawn with equal probability from the matches of all rules of the group. */
static bool apply_random_group(crux_turns *t, const crux_rule_group *group)
{
	size_t count = 0;
	for (size_t i = 0; i < group->rule_count; i++)
		count += find_matches(t, &group->rules[i]);
	if (count == 0 || !is_well(t))
		return false;
	size_t number = crux_rule_chance_below(&t->chance, count), tuples, i = 0;
	while (number >= (tuples = find_matches(t, &group->rules[i]))) {
		number -= tuples;
		i++;
	}
	crux_rule const *const rule = &group->rules[i];
	crux_rule_place at[CRUX_RULE_MOST_ROWS];
	tuple_of(t, rule, number, at);
	bool const changed = apply_at(t, rule, group->rigid, at, false);
	give_commands(t, rule->commands);
	return changed;
}

static bool apply_group(crux_turns *t, const crux_rule_group *group)
{
	if (group->is_random)
		return apply_random_group(t, group);
	bool ever = false, changed = true;
	size_t idle = SIZE_MAX; /* rules tried since the last change; one less before the first change */
	for (int round = 0; changed && round < CRUX_TURN_MOST_ROUNDS; round++) {
		changed = false;
		for (size_t i = 0; i < group->rule_count && is_well(t); i++) {
			bool const now = apply_rule(t, &group->rules[i], group->rigid);
			idle = now ? 0 : idle + 1;
			changed = changed || now;
			if (idle == group->rule_count)
				break;
		}
		ever = ever || changed;
	}
	return ever;
}

static void apply_groups(crux_turns *t, const crux_rule_groups *groups, const bool *banned)
{
	bool changed = false;
	int loops = 0;
	for (size_t i = 0; i < groups->count && is_well(t);) {
		crux_rule_group const *const group = &groups->groups[i];
		if (!banned || !banned[i])
			changed = apply_group(t, group) || changed;
		if (!changed || !group->loop) {
			i++;
			continue;
		}
		i = group->loop - 1;
		changed = false;
		if (++loops > CRUX_TURN_MOST_ROUNDS)
			return;
	}
}

/* Moves the objects on a layer of a cell. Returns false if they cannot move. */
static bool move_layer(crux_turns *t, size_t cell, size_t layer, unsigned move)
{
	crux_rule_grid *const g = &t->grid;
	size_t const words = t->program->object_words, x = cell / g->height, y = cell % g->height;
	if (move == CRUX_MOVE_ACTION)
		return true;
	bool const ahead = move == CRUX_MOVE_UP ? y > 0 : move == CRUX_MOVE_DOWN ? y + 1 < g->height : move == CRUX_MOVE_LEFT ? x > 0 : move == CRUX_MOVE_RIGHT && x + 1 < g->width;
	if (!ahead)
		return false;
	size_t const target = move == CRUX_MOVE_UP ? cell - 1 : move == CRUX_MOVE_DOWN ? cell + 1 : move == CRUX_MOVE_LEFT ? cell - g->height : cell + g->height;
	const uint64_t *const mask = t->program->layer_masks + layer * words;
	uint64_t *const from = g->objects + cell * words, *const to = g->objects + target * words;
	if (crux_rule_meets(mask, to, words))
		return false;
	for (size_t i = 0; i < words; i++) {
		to[i] |= from[i] & mask[i];
		from[i] &= ~mask[i];
	}
	note_objects(t, target);
	return true;
}

static bool move_cell(crux_turns *t, size_t cell)
{
	uint64_t *const moves = t->grid.moves + cell * t->program->move_words;
	bool moved = false;
	for (size_t layer = 0; layer < t->program->layer_count; layer++) {
		unsigned const move = crux_rule_moves_of(moves, layer);
		if (!move || !move_layer(t, cell, layer, move))
			continue;
		crux_rule_clear_moves(moves, layer);
		moved = true;
	}
	return moved;
}

static bool has_moves(const crux_turns *t, size_t cell)
{
	const uint64_t *const moves = t->grid.moves + cell * t->program->move_words;
	for (size_t i = 0; i < t->program->move_words; i++)
		if (moves[i])
			return true;
	return false;
}

/* Bans the group of the first failed rigid movement of a cell. Returns true if that group was not banned before. */
static bool ban_group(crux_turns *t, size_t cell)
{
	size_t const words = t->program->move_words;
	uint64_t failed[CRUX_RULE_MOST_MOVE_WORDS];
	for (size_t i = 0; i < words; i++)
		failed[i] = t->grid.moves[cell * words + i] & t->rigid_layers[cell * words + i];
	for (size_t layer = 0; layer < t->program->layer_count; layer++) {
		if (!crux_rule_moves_of(failed, layer))
			continue;
		unsigned const number = crux_rule_moves_of(t->rigid_groups + cell * words, layer);
		for (size_t i = 0; i < t->program->early.count; i++) {
			if (t->program->early.groups[i].rigid != number || t->banned[i])
				continue;
			t->banned[i] = true;
			return true;
		}
		return false;
	}
	return false;
}

/* Carries out all movements that are possible. Returns true if a rigid group failed, so the turn must be repeated. */
static bool resolve_moves(crux_turns *t)
{
	bool moved = true, failed = false;
	while (moved) {
		moved = false;
		for (size_t cell = 0; cell < t->grid.cells; cell++)
			if (has_moves(t, cell))
				moved = move_cell(t, cell) || moved;
	}
	for (size_t cell = 0; t->program->is_rigid && cell < t->grid.cells; cell++)
		if (has_moves(t, cell))
			failed = ban_group(t, cell) || failed;
	clear_moves(t);
	return failed;
}

static bool all_or_some(const uint64_t *set, bool all, const uint64_t *objects, size_t words)
{
	return all ? crux_rule_within(set, objects, words) : crux_rule_meets(set, objects, words);
}

static bool holds(const crux_turns *t, const crux_win_condition *c)
{
	size_t const words = t->program->object_words;
	for (size_t cell = 0; cell < t->grid.cells; cell++) {
		const uint64_t *const objects = t->grid.objects + cell * words;
		if (!all_or_some(c->first, c->all_of_first, objects, words))
			continue;
		bool const both = all_or_some(c->second, c->all_of_second, objects, words);
		if (c->quantifier > 0 ? !both : both)
			return c->quantifier == 0;
	}
	return c->quantifier != 0;
}

/* Returns true if all win conditions hold for the current cells. */
static bool all_hold(const crux_turns *t)
{
	for (size_t i = 0; i < t->program->condition_count; i++)
		if (!holds(t, &t->program->conditions[i]))
			return false;
	return t->program->condition_count > 0;
}

static void restore(crux_turns *t, const uint64_t *objects)
{
	memcpy(t->grid.objects, objects, level_bytes(t));
	clear_moves(t);
	t->is_again = false;
	t->commands = 0;
}

static void push_undo(crux_turns *t, const uint64_t *objects)
{
	if (t->forgets)
		return;
	if (t->undo.count == t->undo.room) {
		size_t const room = t->undo.room ? 2 * t->undo.room : 64;
		uint64_t **const levels = realloc(t->undo.levels, room * sizeof *levels);
		t->is_short = t->is_short || !levels;
		if (!levels)
			return;
		t->undo.levels = levels;
		t->undo.room = room;
	}
	uint64_t *const level = malloc(level_bytes(t));
	t->is_short = t->is_short || !level;
	if (!level)
		return;
	memcpy(level, objects, level_bytes(t));
	t->undo.levels[t->undo.count++] = level;
}

/* Options of a turn. */
typedef struct manner {
	bool wins;  /* check the win conditions */
	bool tries; /* undo the turn if it changes anything */
	bool is_input;
} manner;

static bool take_turn(crux_turns *t, int input, manner how);

/* Restores the start of the level or the last checkpoint. */
static void go_back_to_start(crux_turns *t, bool is_asked_by_rule)
{
	if (t->is_restarting)
		return;
	t->is_restarting = true;
	if (!is_asked_by_rule)
		push_undo(t, t->grid.objects);
	restore(t, t->restart);
	if (t->program->flags & CRUX_RULE_RUNS_ON_START)
		take_turn(t, CRUX_TURN_TICK, (manner){.wins = false});
	t->commands = 0;
	t->is_restarting = false;
}

static void check_win(crux_turns *t, bool may_win)
{
	bool const won = t->commands & CRUX_RULE_WIN || all_hold(t);
	if (t->is_silent || !may_win || !won)
		return;
	t->won = true;
	t->is_again = false;
	t->is_silent = true;
}

static bool is_moved(const crux_turns *t)
{
	size_t const words = t->program->object_words;
	for (size_t i = 0; i < t->player_count; i++) {
		const uint64_t *const objects = t->grid.objects + t->players[i] * words;
		if (t->program->flags & CRUX_RULE_PLAYER_IS_ALL ? !is_player_in(t, t->players[i])
		                                                : !crux_rule_meets(t->program->player, objects, words))
			return true;
	}
	return t->player_count == 0;
}

/* Carries out the commands of a turn. Returns true if the turn changed anything, or would when how.tries. */
static bool obey(crux_turns *t, const uint64_t *before, manner how)
{
	uint64_t const commands = t->commands;
	if (commands & CRUX_RULE_CANCEL) {
		restore(t, before);
		return commands & (commands - 1); /* cancel is bit 0: true if there are other commands */
	}
	if (commands & CRUX_RULE_RESTART) {
		push_undo(t, before);
		if (!how.tries)
			go_back_to_start(t, true);
	}
	bool const changed = memcmp(t->grid.objects, before, level_bytes(t)) != 0;
	if (changed && how.tries) {
		restore(t, before);
		return true;
	}
	if (changed && how.is_input)
		push_undo(t, before);
	if (how.tries && t->commands & (CRUX_RULE_WIN | CRUX_RULE_RESTART))
		return true;
	check_win(t, how.wins);
	if (t->won && !t->stays)
		return changed;
	if (t->commands & CRUX_RULE_CHECKPOINT)
		memcpy(t->restart, t->grid.objects, level_bytes(t));
	if (t->commands & CRUX_RULE_AGAIN && changed && is_well(t))
		t->is_again = take_turn(t, CRUX_TURN_TICK, (manner){.tries = true});
	t->commands = 0;
	return changed;
}

/* Runs rules, movements, then late rules. Repeats rules and movements without the rigid groups that failed until none fails. */
static void run_rules(crux_turns *t, uint64_t *start_moves)
{
	size_t const move_bytes = t->grid.cells * t->program->move_words * sizeof(uint64_t);
	bool failed = true;
	if (t->program->early.count)
		memset(t->banned, 0, t->program->early.count);
	if (t->program->is_rigid)
		memcpy(start_moves, t->grid.moves, move_bytes);
	for (int i = 0; failed && i < CRUX_TURN_MOST_REPEATS && is_well(t); i++) {
		apply_groups(t, &t->program->early, t->banned);
		failed = resolve_moves(t);
		if (!failed)
			break;
		memcpy(t->grid.objects, t->saved[t->depth], level_bytes(t));
		memcpy(t->grid.moves, start_moves, move_bytes);
		t->commands = 0;
	}
	if (!failed)
		apply_groups(t, &t->program->late, NULL);
}

/* Takes a turn. Returns true if it changed anything, or would when how.tries. */
static bool take_turn(crux_turns *t, int input, manner how)
{
	if (t->depth == MOST_DEPTH - 1 || !is_well(t))
		return false;
	t->depth++;
	uint64_t *const before = t->saved[t->depth];
	t->is_again = false;
	memcpy(before, t->grid.objects, level_bytes(t));
	t->player_count = 0;
	if (input != CRUX_TURN_TICK) {
		unsigned const moves[] = {CRUX_MOVE_UP, CRUX_MOVE_LEFT, CRUX_MOVE_DOWN, CRUX_MOVE_RIGHT, CRUX_MOVE_ACTION};
		move_players(t, moves[input]);
	}
	t->commands = 0;
	note_all(t);
	run_rules(t, before + level_bytes(t) / sizeof *before);
	bool changed = false;
	if (t->player_count > 0 && t->program->flags & CRUX_RULE_PLAYER_MUST_MOVE && !is_moved(t)) {
		restore(t, before);
		t->is_silent = false;
	} else {
		changed = obey(t, before, how);
	}
	t->depth--;
	return changed;
}

/* Takes the turns that "again" asks for. Returns false and sets the fault on an error. */
static bool go_on(crux_turns *t, crux_fault *fault)
{
	int count = 0;
	while (t->is_again && !(t->won && !t->stays) && is_well(t)) {
		if (++count > CRUX_TURN_MOST_AGAIN)
			break;
		take_turn(t, CRUX_TURN_TICK, (manner){.wins = true});
	}
	if (t->is_short)
		crux_fault_set(fault, "out of memory");
	else if (t->is_long)
		crux_fault_set(fault, "a turn takes too long: rules match in too many ways, or go on without an end");
	bool const went_well = is_well(t);
	t->is_short = t->is_long = false;
	t->work = 0;
	return went_well;
}

bool crux_turns_start(crux_turns *t, crux_fault *fault)
{
	if (t->program->flags & CRUX_RULE_RUNS_ON_START)
		take_turn(t, CRUX_TURN_TICK, (manner){.wins = false});
	return go_on(t, fault);
}

bool crux_turns_input(crux_turns *t, int input, crux_fault *fault)
{
	take_turn(t, input, (manner){.wins = true, .is_input = input != CRUX_TURN_TICK});
	return go_on(t, fault);
}

bool crux_turns_restart(crux_turns *t, crux_fault *fault)
{
	if (!(t->program->flags & CRUX_RULE_NO_RESTART))
		go_back_to_start(t, false);
	return go_on(t, fault);
}

bool crux_turns_undo(crux_turns *t, crux_fault *fault)
{
	if (t->program->flags & CRUX_RULE_NO_UNDO)
		return go_on(t, fault);
	while (t->undo.count && memcmp(t->undo.levels[t->undo.count - 1], t->grid.objects, level_bytes(t)) == 0)
		free(t->undo.levels[--t->undo.count]);
	if (t->undo.count) {
		restore(t, t->undo.levels[--t->undo.count]);
		free(t->undo.levels[t->undo.count]);
	}
	return go_on(t, fault);
}

void crux_turns_set(crux_turns *t, const uint64_t *objects)
{
	memcpy(t->grid.objects, objects, level_bytes(t));
	memcpy(t->restart, t->first, level_bytes(t));
	t->won = t->is_silent = t->is_again = false;
	t->commands = 0;
}

void crux_turns_forget(crux_turns *t)
{
	t->forgets = true;
}

void crux_turns_stay(crux_turns *t)
{
	t->stays = true;
}

bool crux_turns_won(const crux_turns *t)
{
	return t->won;
}

const uint64_t *crux_turns_objects(const crux_turns *t)
{
	return t->grid.objects;
}

size_t crux_turns_cells(const crux_turns *t)
{
	return t->grid.cells;
}

/* Returns zeroed words; sets is_short when memory is short. */
static uint64_t *room(crux_turns *t, size_t words)
{
	uint64_t *const result = calloc(words ? words : 1, sizeof *result);
	t->is_short = t->is_short || !result;
	return result;
}

static void make_room(crux_turns *t)
{
	crux_rule_grid *const g = &t->grid;
	size_t const ow = t->program->object_words, mw = t->program->move_words;
	g->objects = room(t, g->cells * ow);
	g->moves = room(t, g->cells * mw);
	g->column_objects = room(t, g->width * ow);
	g->row_objects = room(t, g->height * ow);
	g->all_objects = room(t, ow);
	g->column_moves = room(t, g->width * mw);
	g->row_moves = room(t, g->height * mw);
	g->all_moves = room(t, mw);
	t->rigid_groups = room(t, t->program->is_rigid ? g->cells * mw : 0);
	t->rigid_layers = room(t, t->program->is_rigid ? g->cells * mw : 0);
	t->first = room(t, g->cells * ow);
	t->restart = room(t, g->cells * ow);
	for (size_t i = 0; i < MOST_DEPTH; i++)
		t->saved[i] = room(t, g->cells * (ow + mw));
	t->players = calloc(g->cells, sizeof *t->players);
	t->banned = calloc(t->program->early.count + 1, sizeof *t->banned);
	t->is_short = t->is_short || !t->players || !t->banned;
}

crux_turns *crux_turns_new(const crux_rule_program *program, size_t width, size_t height, const uint64_t *objects,
                           crux_rule_chance chance)
{
	crux_turns *const t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->program = program;
	t->chance = chance;
	t->grid.width = width;
	t->grid.height = height;
	t->grid.cells = width * height;
	make_room(t);
	if (t->is_short) {
		crux_turns_free(t);
		return NULL;
	}
	memcpy(t->grid.objects, objects, level_bytes(t));
	memcpy(t->first, objects, level_bytes(t));
	memcpy(t->restart, objects, level_bytes(t));
	return t;
}

void crux_turns_free(crux_turns *t)
{
	if (!t)
		return;
	crux_rule_grid const *const g = &t->grid;
	uint64_t *const blocks[] = {g->objects,      g->moves,     g->column_objects, g->row_objects,  g->all_objects, g->column_moves,
	                            g->row_moves,    g->all_moves, t->rigid_groups,   t->rigid_layers, t->first,
	                            t->restart};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		free(blocks[i]);
	for (size_t i = 0; i < MOST_DEPTH; i++)
		free(t->saved[i]);
	for (size_t i = 0; i < CRUX_RULE_MOST_ROWS; i++)
		free(t->places[i].list);
	for (size_t i = 0; i < t->undo.count; i++)
		free(t->undo.levels[i]);
	free(t->undo.levels);
	free(t->players);
	free(t->banned);
	free(t);
}
