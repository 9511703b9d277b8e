/* Reading a program of rewrites: see rewrite_program.h. */
#include "puzzlescript/rewrite_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

static const uint64_t *take_objects(crux_rewrite_reader *r)
{
	const uint64_t *const set = crux_rewrite_take_words(r, r->program->object_words);
	size_t const rest = r->program->object_count % 64;
	if (set && rest && set[r->program->object_words - 1] >> rest)
		r->is_wrong = true;
	return set;
}

/* Makes the name at a number, which stands for a list of objects. */
static void make_name(crux_rewrite_program *p, size_t number, const uint64_t *list, size_t count)
{
	crux_rewrite_name *const name = &p->names[number];
	uint64_t *const set = p->name_sets + number * p->object_words;
	name->objects_in_order = list;
	name->count = count;
	name->objects = set;
	name->layer = p->layer_of[list[0]];
	for (size_t i = 0; i < count; i++) {
		set[list[i] / 64] |= UINT64_C(1) << (list[i] % 64);
		name->has_layers = name->has_layers || p->layer_of[list[i]] != name->layer;
	}
}

/* Makes the names of single objects. Returns false when memory is short. */
static bool name_objects(crux_rewrite_program *p)
{
	p->names = calloc(p->name_count, sizeof *p->names);
	p->name_sets = calloc(p->name_count * p->object_words, sizeof *p->name_sets);
	p->numbers = calloc(p->object_count, sizeof *p->numbers);
	if (!p->names || !p->name_sets || !p->numbers)
		return false;
	for (size_t i = 0; i < p->object_count; i++) {
		p->numbers[i] = i;
		make_name(p, i, &p->numbers[i], 1);
		p->names[i].is_object = true;
	}
	return true;
}

static void take_names(crux_rewrite_reader *r)
{
	crux_rewrite_program *const p = r->program;
	size_t const others = crux_rewrite_take_length(r);
	r->is_wrong = r->is_wrong || p->object_count + others > CRUX_REWRITE_MAX_NAMES;
	if (!crux_rewrite_is_well(r))
		return;
	p->name_count = p->object_count + others;
	r->is_short = !name_objects(p);
	for (size_t i = p->object_count; i < p->name_count && crux_rewrite_is_well(r); i++) {
		p->names[i].is_aggregate = crux_rewrite_take(r, 1);
		size_t const count = crux_rewrite_take_length(r);
		const uint64_t *const list = crux_rewrite_take_words(r, count);
		r->is_wrong = r->is_wrong || !count;
		for (size_t k = 0; k < count && crux_rewrite_is_well(r); k++)
			r->is_wrong = list[k] >= p->object_count;
		if (crux_rewrite_is_well(r))
			make_name(p, i, list, count);
	}
}

/* Returns true if a word may stand before a name. */
static bool is_word(uint64_t word)
{
	static const char words[] = {0, CRUX_MOVE_UP, CRUX_MOVE_DOWN, CRUX_MOVE_LEFT, CRUX_MOVE_RIGHT, CRUX_MOVE_ACTION,
	                             CRUX_REWRITE_NO, CRUX_REWRITE_RANDOM_DIRECTION, CRUX_REWRITE_STATIONARY, CRUX_REWRITE_RANDOM};
	return (word >= CRUX_REWRITE_FORWARD && word <= CRUX_REWRITE_GAP) || memchr(words, (int)word, sizeof words);
}

/* Reads the cells of rewrites as they are written. */
static void take_texts(crux_rewrite_reader *r)
{
	r->written = crux_rewrite_take_list(r, &r->written_count, sizeof *r->written);
	for (size_t k = 0; k < r->written_count && crux_rewrite_is_well(r); k++) {
		size_t const count = crux_rewrite_take_length(r);
		for (size_t i = 0; i < count && crux_rewrite_is_well(r); i++) {
			uint64_t const word = crux_rewrite_take(r, CRUX_REWRITE_GAP);
			uint64_t const name = crux_rewrite_take(r, r->program->name_count - 1);
			r->is_wrong = r->is_wrong || !is_word(word) || (word == CRUX_REWRITE_GAP && count > 1);
			crux_rewrite_texts_push(&r->texts, (unsigned)word, name);
		}
		r->written[k] = crux_rewrite_texts_finish(&r->texts);
		r->is_short = r->is_short || r->texts.is_short;
	}
}

static void take_group(crux_rewrite_reader *r, crux_rewrite_group *group, size_t number)
{
	group->rigid = (unsigned)crux_rewrite_take(r, CRUX_REWRITE_MAX_RIGID_GROUPS);
	group->loop = crux_rewrite_take(r, number);
	group->lines = crux_rewrite_take_list(r, &group->line_count, sizeof *group->lines);
	for (size_t i = 0; i < group->line_count && crux_rewrite_is_well(r); i++) {
		crux_rewrite_line *const line = &group->lines[i];
		crux_rewrite_line_take(r, line);
		r->is_wrong = r->is_wrong || (line->is_rigid && !group->rigid);
		group->is_random = group->rewrite_count ? group->is_random : line->is_random;
		group->rewrite_count += line->rewrite_count;
		r->program->commands |= line->rewrite_count ? line->commands : 0;
	}
	r->program->rewrite_count += group->rewrite_count;
	r->program->is_rigid = r->program->is_rigid || group->rigid;
	r->program->has_chance = r->program->has_chance || group->is_random;
}

static void take_groups(crux_rewrite_reader *r, crux_rewrite_groups *groups)
{
	groups->groups = crux_rewrite_take_list(r, &groups->count, sizeof *groups->groups);
	for (size_t i = 0; i < groups->count && crux_rewrite_is_well(r); i++)
		take_group(r, &groups->groups[i], i + 1);
}

static void take_objects_and_layers(crux_rewrite_reader *r)
{
	crux_rewrite_program *const p = r->program;
	p->object_count = crux_rewrite_take(r, CRUX_REWRITE_MAX_OBJECTS);
	p->layer_count = crux_rewrite_take(r, CRUX_REWRITE_MAX_OBJECTS);
	p->flags = crux_rewrite_take(r, INT64_MAX);
	p->object_words = (p->object_count + 63) / 64;
	p->move_words = (p->layer_count + CRUX_REWRITE_LAYERS_A_WORD - 1) / CRUX_REWRITE_LAYERS_A_WORD;
	r->is_wrong = r->is_wrong || !p->object_count || !p->layer_count;
	if (!crux_rewrite_is_well(r))
		return;
	p->layer_of = calloc(p->object_count, sizeof *p->layer_of);
	p->layer_masks = calloc(p->layer_count * p->object_words, sizeof *p->layer_masks);
	p->changing = calloc(p->object_words, sizeof *p->changing);
	r->is_short = !p->layer_of || !p->layer_masks || !p->changing;
	for (size_t i = 0; i < p->object_count && crux_rewrite_is_well(r); i++) {
		p->layer_of[i] = crux_rewrite_take(r, p->layer_count - 1);
		p->layer_masks[p->layer_of[i] * p->object_words + i / 64] |= UINT64_C(1) << (i % 64);
	}
}

static void take_conditions(crux_rewrite_reader *r)
{
	crux_rewrite_program *const p = r->program;
	p->conditions = crux_rewrite_take_list(r, &p->condition_count, sizeof *p->conditions);
	for (size_t i = 0; i < p->condition_count; i++) {
		crux_win_condition *const condition = &p->conditions[i];
		condition->quantifier = (int)(int64_t)crux_rewrite_take(r, 2) - 1;
		condition->all_of_first = crux_rewrite_take(r, 1);
		condition->all_of_second = crux_rewrite_take(r, 1);
		condition->first = take_objects(r);
		condition->second = take_objects(r);
	}
}

static void close_reader(crux_rewrite_reader *r)
{
	crux_rewrite_texts_close(&r->texts);
	free(r->written);
	free(r->cell_keys);
	free(r->cell_slots);
}

crux_rewrite_program *crux_rewrite_program_new(const int64_t *words, size_t count, crux_rewrite_mistake *mistake,
                                               crux_fault *fault)
{
	crux_rewrite_program *const p = calloc(1, sizeof *p);
	uint64_t *const copy = malloc((count ? count : 1) * sizeof *copy);
	*mistake = (crux_rewrite_mistake){.kind = CRUX_REWRITE_FINE};
	if (!p || !copy) {
		free(p);
		free(copy);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	memcpy(copy, words, count * sizeof *copy);
	p->words = copy;
	crux_rewrite_reader r = {.words = copy, .end = copy + count, .program = p};
	take_objects_and_layers(&r);
	p->player = take_objects(&r);
	if (crux_rewrite_is_well(&r))
		memcpy(p->changing, p->player, p->object_words * sizeof *p->changing);
	take_conditions(&r);
	take_names(&r);
	take_texts(&r);
	take_groups(&r, &p->early);
	take_groups(&r, &p->late);
	bool const is_whole = crux_rewrite_is_well(&r) && r.words == r.end;
	close_reader(&r);
	if (is_whole && r.mistake.kind == CRUX_REWRITE_FINE)
		return p;
	if (is_whole)
		*mistake = r.mistake;
	else
		crux_fault_set(fault, r.is_short ? "out of memory" : "found word %zu, expected a program of rewrites",
		               (size_t)(r.words - copy) + 1);
	crux_rewrite_program_free(p);
	return NULL;
}

static void free_groups(crux_rewrite_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		for (size_t k = 0; k < groups->groups[i].line_count; k++)
			crux_rewrite_line_close(&groups->groups[i].lines[k]);
		free(groups->groups[i].lines);
	}
	free(groups->groups);
}

void crux_rewrite_program_free(crux_rewrite_program *program)
{
	if (!program)
		return;
	free_groups(&program->early);
	free_groups(&program->late);
	for (size_t i = 0; i < program->cell_count; i++)
		crux_rewrite_cell_free(program->cells[i]);
	free(program->cells);
	free(program->names);
	free(program->name_sets);
	free(program->numbers);
	free(program->changing);
	free(program->conditions);
	free(program->layer_of);
	free(program->layer_masks);
	free(program->words);
	free(program);
}
