/* Reading a program of rules: see rule_program.h. */
#include "puzzlescript/rule_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

void *crux_rule_take_list(crux_rule_reader *r, size_t *count, size_t size)
{
	size_t const n = crux_rule_take_length(r);
	*count = 0;
	if (!crux_rule_is_well(r))
		return NULL;
	void *list = calloc(n ? n : 1, size);
	r->is_short = !list;
	*count = list ? n : 0;
	return list;
}

static const uint64_t *take_objects(crux_rule_reader *r)
{
	const uint64_t *const set = crux_rule_take_words(r, r->program->object_words);
	size_t const rest = r->program->object_count % 64;
	if (set && rest && set[r->program->object_words - 1] >> rest)
		r->is_wrong = true;
	return set;
}

static void take_names(crux_rule_reader *r)
{
	crux_rule_program *const p = r->program;
	p->names = crux_rule_take_list(r, &p->name_count, sizeof *p->names);
	for (size_t i = 0; i < p->name_count && crux_rule_is_well(r); i++) {
		crux_rule_name *const name = &p->names[i];
		name->is_object = crux_rule_take(r, 1);
		name->objects = take_objects(r);
		size_t first = 0;
		while (crux_rule_is_well(r) && first < p->object_count && !(name->objects[first / 64] >> (first % 64) & 1))
			first++;
		r->is_wrong = r->is_wrong || first == p->object_count;
		name->layer = crux_rule_is_well(r) ? p->layer_of[first] : 0;
	}
}

/* Returns true if a word may stand before a name. */
static bool is_word(uint64_t word)
{
	static const char words[] = {0, CRUX_MOVE_UP, CRUX_MOVE_DOWN, CRUX_MOVE_LEFT, CRUX_MOVE_RIGHT, CRUX_MOVE_ACTION,
	                             CRUX_RULE_NO, CRUX_RULE_RANDOM_DIRECTION, CRUX_RULE_STATIONARY, CRUX_RULE_RANDOM};
	return memchr(words, (int)word, sizeof words);
}

static void take_sides(crux_rule_reader *r)
{
	crux_rule_program *const p = r->program;
	p->sides = crux_rule_take_list(r, &p->side_count, sizeof *p->sides);
	for (size_t k = 0; k < p->side_count && crux_rule_is_well(r); k++) {
		crux_rule_side *const side = &p->sides[k];
		side->count = crux_rule_take_length(r);
		side->pairs = r->words;
		for (size_t i = 0; i < side->count && crux_rule_is_well(r); i++) {
			uint64_t const word = crux_rule_take(r, CRUX_RULE_STATIONARY), name = crux_rule_take(r, p->name_count);
			r->is_wrong = r->is_wrong || !is_word(word) || name == p->name_count;
			side->has_random = side->has_random || word == CRUX_RULE_RANDOM;
		}
	}
}

static void take_cell(crux_rule_reader *r, crux_rule_cell *cell)
{
	crux_rule_program *const p = r->program;
	uint64_t const left = crux_rule_take(r, p->side_count), right = crux_rule_take(r, p->side_count);
	bool const is_late = crux_rule_take(r, 1);
	r->is_wrong = r->is_wrong || left == p->side_count || p->sides[left].has_random;
	r->is_short = r->is_short || (crux_rule_is_well(r) &&
	                              !crux_rule_cell_make(p, cell, &p->sides[left], right ? &p->sides[right - 1] : NULL, is_late));
}

static void take_cells(crux_rule_reader *r)
{
	crux_rule_program *const p = r->program;
	p->cells = crux_rule_take_list(r, &p->cell_count, sizeof *p->cells);
	for (size_t i = 0; i < p->cell_count && crux_rule_is_well(r); i++)
		take_cell(r, &p->cells[i]);
}

static void take_group(crux_rule_reader *r, crux_rule_group *group, size_t number)
{
	group->rigid = (unsigned)crux_rule_take(r, CRUX_RULE_MAX_RIGID_GROUPS);
	group->loop = crux_rule_take(r, number);
	group->lines = crux_rule_take_list(r, &group->line_count, sizeof *group->lines);
	for (size_t i = 0; i < group->line_count && crux_rule_is_well(r); i++) {
		crux_rule_line *const line = &group->lines[i];
		crux_rule_line_take(r, line);
		r->is_wrong = r->is_wrong || (line->is_rigid && !group->rigid);
		group->is_random = group->rule_count ? group->is_random : line->is_random;
		group->rule_count += line->rule_count;
		r->program->commands |= line->rule_count ? line->commands : 0;
	}
	r->program->rule_count += group->rule_count;
	r->program->is_rigid = r->program->is_rigid || group->rigid;
	r->program->has_chance = r->program->has_chance || group->is_random;
}

static void take_groups(crux_rule_reader *r, crux_rule_groups *groups)
{
	groups->groups = crux_rule_take_list(r, &groups->count, sizeof *groups->groups);
	for (size_t i = 0; i < groups->count && crux_rule_is_well(r); i++)
		take_group(r, &groups->groups[i], i + 1);
}

static void take_objects_and_layers(crux_rule_reader *r)
{
	crux_rule_program *const p = r->program;
	p->object_count = crux_rule_take(r, CRUX_RULE_MAX_OBJECTS);
	p->layer_count = crux_rule_take(r, CRUX_RULE_MAX_OBJECTS);
	p->flags = crux_rule_take(r, INT64_MAX);
	p->object_words = (p->object_count + 63) / 64;
	p->move_words = (p->layer_count + CRUX_RULE_LAYERS_A_WORD - 1) / CRUX_RULE_LAYERS_A_WORD;
	r->is_wrong = r->is_wrong || !p->object_count || !p->layer_count;
	if (!crux_rule_is_well(r))
		return;
	p->layer_of = calloc(p->object_count, sizeof *p->layer_of);
	p->layer_masks = calloc(p->layer_count * p->object_words, sizeof *p->layer_masks);
	p->changing = calloc(p->object_words, sizeof *p->changing);
	r->is_short = !p->layer_of || !p->layer_masks || !p->changing;
	for (size_t i = 0; i < p->object_count && crux_rule_is_well(r); i++) {
		p->layer_of[i] = crux_rule_take(r, p->layer_count - 1);
		p->layer_masks[p->layer_of[i] * p->object_words + i / 64] |= UINT64_C(1) << (i % 64);
	}
}

static void take_conditions(crux_rule_reader *r)
{
	crux_rule_program *const p = r->program;
	p->conditions = crux_rule_take_list(r, &p->condition_count, sizeof *p->conditions);
	for (size_t i = 0; i < p->condition_count; i++) {
		crux_win_condition *const condition = &p->conditions[i];
		condition->quantifier = (int)(int64_t)crux_rule_take(r, 2) - 1;
		condition->all_of_first = crux_rule_take(r, 1);
		condition->all_of_second = crux_rule_take(r, 1);
		condition->first = take_objects(r);
		condition->second = take_objects(r);
	}
}

crux_rule_program *crux_rule_program_new(const int64_t *words, size_t count, crux_fault *fault)
{
	crux_rule_program *const p = calloc(1, sizeof *p);
	uint64_t *const copy = malloc((count ? count : 1) * sizeof *copy);
	if (!p || !copy) {
		free(p);
		free(copy);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	memcpy(copy, words, count * sizeof *copy);
	p->words = copy;
	crux_rule_reader r = {.words = copy, .end = copy + count, .program = p};
	take_objects_and_layers(&r);
	p->player = take_objects(&r);
	if (crux_rule_is_well(&r))
		memcpy(p->changing, p->player, p->object_words * sizeof *p->changing);
	take_conditions(&r);
	take_names(&r);
	take_sides(&r);
	take_cells(&r);
	take_groups(&r, &p->early);
	take_groups(&r, &p->late);
	if (crux_rule_is_well(&r) && r.words == r.end)
		return p;
	crux_fault_set(fault, r.is_short ? "out of memory" : "found word %zu, expected a program of rules",
	               (size_t)(r.words - copy) + 1);
	crux_rule_program_free(p);
	return NULL;
}

static void free_groups(crux_rule_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		for (size_t k = 0; k < groups->groups[i].line_count; k++)
			crux_rule_line_close(&groups->groups[i].lines[k]);
		free(groups->groups[i].lines);
	}
	free(groups->groups);
}

void crux_rule_program_free(crux_rule_program *program)
{
	if (!program)
		return;
	free_groups(&program->early);
	free_groups(&program->late);
	for (size_t i = 0; i < program->cell_count; i++)
		free(program->cells[i].storage);
	free(program->cells);
	free(program->names);
	free(program->sides);
	free(program->changing);
	free(program->conditions);
	free(program->layer_of);
	free(program->layer_masks);
	free(program->words);
	free(program);
}
