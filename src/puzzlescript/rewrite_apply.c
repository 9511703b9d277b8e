/* Applying rewrites: see rewrite_apply.h. */
#include "puzzlescript/rewrite_apply.h"

#include <assert.h>
#include <string.h>

#include "puzzlescript/rewrite_match.h"

static void copy_set(uint64_t *to, const uint64_t *from, size_t words)
{
	memcpy(to, from, words * sizeof *to);
}

/* Marks movements of a cell as those of a rigid group. Returns true if a mark is new. */
static bool mark_rigid(crux_rewrite_level *level, size_t at, unsigned group, const uint64_t *touched)
{
	size_t const words = level->program->move_words;
	uint64_t numbers[CRUX_REWRITE_MAX_MOVE_WORDS] = {0};
	uint64_t *const groups = level->rigid_groups + at * words, *const layers = level->rigid_layers + at * words;
	for (size_t layer = 0; layer < level->program->layer_count; layer++)
		crux_rewrite_add_moves(numbers, layer, group);
	for (size_t i = 0; i < words; i++)
		numbers[i] &= touched[i];
	if (crux_rewrite_within(numbers, groups, words) || crux_rewrite_within(touched, layers, words))
		return false;
	crux_rewrite_add(groups, numbers, words);
	crux_rewrite_add(layers, touched, words);
	return true;
}

/* Adds the random parts of a replacement: one of the objects to spawn, and directions. */
static void add_random_parts(crux_rewrite_level *level, const crux_rewrite_cell *cell, uint64_t *clear, uint64_t *set,
                             uint64_t *stop, uint64_t *go)
{
	crux_rewrite_program const *const p = level->program;
	level->work += CRUX_REWRITE_CHANCE_WORK;
	if (!crux_rewrite_is_empty(cell->spawned, p->object_words)) {
		size_t choices[CRUX_REWRITE_MAX_OBJECTS], count = 0;
		for (size_t i = 0; i < p->object_count; i++)
			if (cell->spawned[i / 64] >> (i % 64) & 1)
				choices[count++] = i;
		assert(count > 0);
		size_t const object = choices[crux_rewrite_chance_below(&level->chance, count)], layer = p->layer_of[object];
		set[object / 64] |= UINT64_C(1) << (object % 64);
		crux_rewrite_add(clear, p->layer_masks + layer * p->object_words, p->object_words);
		crux_rewrite_add_moves(stop, layer, CRUX_MOVE_ANY);
	}
	for (size_t layer = 0; layer < p->layer_count; layer++)
		if (crux_rewrite_moves_of(cell->turned, layer))
			crux_rewrite_add_moves(go, layer, 1U << crux_rewrite_chance_below(&level->chance, 4));
}

/* Applies the replacement of a cell of a rewrite. Returns true if it changed anything. */
static bool replace(crux_rewrite_level *level, const crux_rewrite_cell *cell, size_t at, unsigned rigid)
{
	if (!cell->replaces)
		return false;
	size_t const ow = level->program->object_words, mw = level->program->move_words;
	const uint64_t *clear = cell->clear, *set = cell->set, *stop = cell->stop, *go = cell->go;
	uint64_t random_clear[2 * CRUX_REWRITE_MAX_OBJECT_WORDS + 2 * CRUX_REWRITE_MAX_MOVE_WORDS];
	if (cell->has_chance) {
		assert(ow > 0 && mw > 0);
		uint64_t *const random_set = random_clear + ow, *const random_stop = random_set + ow;
		uint64_t *const random_go = random_stop + mw;
		copy_set(random_clear, clear, ow);
		copy_set(random_set, set, ow);
		copy_set(random_stop, stop, mw);
		copy_set(random_go, go, mw);
		add_random_parts(level, cell, random_clear, random_set, random_stop, random_go);
		clear = random_clear, set = random_set, stop = random_stop, go = random_go;
	}
	uint64_t *const objects = level->grid.objects + at * ow, *const moves = level->grid.moves + at * mw;
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
	bool const marked = rigid && mark_rigid(level, at, rigid, cell->touched);
	if (changed)
		crux_rewrite_level_add_objects(level, at);
	if (moved)
		crux_rewrite_level_add_moves(level, at);
	return changed || moved || marked;
}

static bool replace_row(crux_rewrite_level *level, const crux_rewrite_row *row, int direction, crux_rewrite_place place,
                        unsigned rigid)
{
	ptrdiff_t const step = crux_rewrite_step(&level->grid, direction);
	size_t at = place.cell, gap = 0;
	bool changed = false;
	for (size_t i = 0; i < row->cell_count; i++) {
		if (!row->cells[i]) {
			at += place.gaps[gap++] * (size_t)step;
			continue;
		}
		changed = replace(level, row->cells[i], at, rigid) || changed;
		at += (size_t)step;
	}
	return changed;
}

static bool apply_at(crux_rewrite_level *level, const crux_rewrite_line *line, const crux_rewrite *rewrite, unsigned rigid,
                     const crux_rewrite_place *at, bool again)
{
	for (size_t i = 0; again && i < line->row_count; i++)
		if (!crux_rewrite_matches_at(level->program, &level->grid, &rewrite->rows[i], rewrite->direction, at[i]))
			return false;
	bool changed = false;
	for (size_t i = 0; i < line->row_count; i++)
		changed = replace_row(level, &rewrite->rows[i], rewrite->direction, at[i], line->is_rigid ? rigid : 0) || changed;
	return changed;
}

/* Finds the matches of each row of a rewrite. Returns the number of combinations, one match a row; 0 when a row has none. */
static size_t find_matches(crux_rewrite_level *level, const crux_rewrite_line *line, const crux_rewrite *rewrite)
{
	size_t tuples = 1;
	for (size_t i = 0; i < line->row_count; i++)
		if (!crux_rewrite_may_match(level->program, &rewrite->rows[i], level->grid.all_objects, level->grid.all_moves))
			return 0;
	for (size_t i = 0; i < line->row_count; i++) {
		if (!crux_rewrite_match(level->program, &level->grid, &rewrite->rows[i], rewrite->direction, &level->places[i]))
			level->is_out_of_memory = true;
		if (crux_rewrite_level_failed(level) || level->places[i].count == 0)
			return 0;
		tuples *= level->places[i].count;
		if (tuples > CRUX_REWRITE_MAX_TUPLES)
			level->is_over_limit = true;
	}
	level->work += tuples + level->grid.cells * line->row_count;
	level->is_over_limit = level->is_over_limit || level->work > CRUX_REWRITE_MAX_WORK;
	return level->is_over_limit ? 0 : tuples;
}

/* Sets at[] to the places of a combination by its number; the place of the first row changes fastest. */
static void tuple_of(const crux_rewrite_level *level, const crux_rewrite_line *line, size_t number, crux_rewrite_place *at)
{
	for (size_t i = 0; i < line->row_count; i++) {
		at[i] = level->places[i].list[number % level->places[i].count];
		number /= level->places[i].count;
	}
}

/* Adds commands to the turn. Cancel overrides all other commands, restart all but cancel. */
static void add_commands(crux_rewrite_level *level, uint64_t commands)
{
	uint64_t const strong = CRUX_REWRITE_CANCEL | CRUX_REWRITE_RESTART;
	if (level->commands & CRUX_REWRITE_CANCEL || (level->commands & CRUX_REWRITE_RESTART && !(commands & CRUX_REWRITE_CANCEL)))
		return;
	level->commands = (commands & strong ? 0 : level->commands) | commands;
}

/* Adds the commands of a line with a rewrite that matched, and marks the line as used. Returns `changed`. */
static bool note_use(crux_rewrite_level *level, const crux_rewrite_line *line, bool changed)
{
	add_commands(level, line->commands);
	level->used[line->number] = level->used[line->number] || changed || line->commands;
	return changed;
}

static bool apply_rewrite(crux_rewrite_level *level, const crux_rewrite_line *line, const crux_rewrite *rewrite, unsigned rigid)
{
	size_t const tuples = find_matches(level, line, rewrite);
	if (tuples == 0)
		return false;
	bool changed = false;
	crux_rewrite_place at[CRUX_REWRITE_MAX_ROWS];
	for (size_t i = 0; i < tuples && line->replaces; i++) {
		tuple_of(level, line, i, at);
		changed = apply_at(level, line, rewrite, rigid, at, i > 0) || changed;
	}
	return note_use(level, line, changed);
}

/* Applies the match at a number among those of all rewrites of the group, from 0. */
static bool apply_match(crux_rewrite_level *level, const crux_rewrite_group *group, size_t number)
{
	for (size_t i = 0; i < group->line_count; i++) {
		crux_rewrite_line const *const line = &group->lines[i];
		for (size_t k = 0; k < line->rewrite_count; k++) {
			size_t const tuples = find_matches(level, line, &line->rewrites[k]);
			if (crux_rewrite_level_failed(level))
				return false;
			if (number >= tuples) {
				number -= tuples;
				continue;
			}
			crux_rewrite_place at[CRUX_REWRITE_MAX_ROWS];
			tuple_of(level, line, number, at);
			return note_use(level, line, apply_at(level, line, &line->rewrites[k], group->rigid, at, false));
		}
	}
	return false;
}

/* Applies one match, drawn with equal probability from the matches of all rewrites of the group. */
static bool apply_random_group(crux_rewrite_level *level, const crux_rewrite_group *group)
{
	size_t count = 0;
	for (size_t i = 0; i < group->line_count; i++)
		for (size_t k = 0; k < group->lines[i].rewrite_count; k++)
			count += find_matches(level, &group->lines[i], &group->lines[i].rewrites[k]);
	if (count == 0 || crux_rewrite_level_failed(level))
		return false;
	return apply_match(level, group, crux_rewrite_chance_below(&level->chance, count));
}

/* Applies the rewrites of a line. Counts in *idle the rewrites tried since the last change; ends when all rewrites of the
 * group were. */
static bool apply_line(crux_rewrite_level *level, const crux_rewrite_group *group, const crux_rewrite_line *line, size_t *idle)
{
	bool changed = false;
	if (*idle != group->rewrite_count && !crux_rewrite_passes(line->objects, level->grid.all_objects)) {
		*idle += line->rewrite_count; /* before the first change it wraps round from SIZE_MAX */
		*idle = *idle > group->rewrite_count ? group->rewrite_count : *idle;
		return false;
	}
	for (size_t i = 0; i < line->rewrite_count && *idle != group->rewrite_count && !crux_rewrite_level_failed(level); i++) {
		bool const now = apply_rewrite(level, line, &line->rewrites[i], group->rigid);
		*idle = now ? 0 : *idle + 1;
		changed = changed || now;
	}
	return changed;
}

static bool apply_group(crux_rewrite_level *level, const crux_rewrite_group *group)
{
	if (group->is_random)
		return apply_random_group(level, group);
	bool ever = false, changed = true;
	size_t idle = SIZE_MAX; /* one less than the rewrites tried, before the first change */
	for (int round = 0; changed && round < CRUX_REWRITE_MAX_ROUNDS; round++) {
		changed = false;
		for (size_t i = 0; i < group->line_count; i++)
			changed = apply_line(level, group, &group->lines[i], &idle) || changed;
		ever = ever || changed;
	}
	return ever;
}

void crux_rewrite_apply(crux_rewrite_level *level, const crux_rewrite_groups *groups, const bool *banned)
{
	bool changed = false;
	int loops = 0;
	for (size_t i = 0; i < groups->count && !crux_rewrite_level_failed(level);) {
		crux_rewrite_group const *const group = &groups->groups[i];
		if (!banned || !banned[i])
			changed = apply_group(level, group) || changed;
		if (!changed || !group->loop) {
			i++;
			continue;
		}
		i = group->loop - 1;
		changed = false;
		if (++loops > CRUX_REWRITE_MAX_ROUNDS)
			return;
	}
}
