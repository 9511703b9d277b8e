/* Reading a program of rules: see rule_program.h. */
#include "puzzlescript/rule_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

typedef struct reader {
	const uint64_t *words, *end;
	crux_rule_program *program;
	bool is_wrong, is_short; /* is_wrong: a word is invalid; is_short: out of memory */
} reader;

static bool is_well(const reader *r)
{
	return !r->is_wrong && !r->is_short;
}

/* Returns the next word, which must be at most `max`; 0 after an error. */
static uint64_t take(reader *r, uint64_t max)
{
	if (!is_well(r) || r->words == r->end || *r->words > max) {
		r->is_wrong = true;
		return 0;
	}
	return *r->words++;
}

static const uint64_t *take_words(reader *r, size_t count)
{
	if (!is_well(r) || (size_t)(r->end - r->words) < count) {
		r->is_wrong = true;
		return NULL;
	}
	const uint64_t *const result = r->words;
	r->words += count;
	return result;
}

/* Reads the length of a list and allocates that many zeroed elements of `size` bytes. *count is 0 after an error. */
static void *take_list(reader *r, size_t *count, size_t size)
{
	uint64_t const n = take(r, (uint64_t)(r->end - r->words));
	*count = 0;
	if (!is_well(r))
		return NULL;
	void *list = calloc(n ? n : 1, size);
	r->is_short = !list;
	*count = list ? n : 0;
	return list;
}

static const uint64_t *take_objects(reader *r)
{
	const uint64_t *const set = take_words(r, r->program->object_words);
	size_t const rest = r->program->object_count % 64;
	if (set && rest && set[r->program->object_words - 1] >> rest)
		r->is_wrong = true;
	return set;
}

static void take_names(reader *r)
{
	crux_rule_program *const p = r->program;
	p->names = take_list(r, &p->name_count, sizeof *p->names);
	for (size_t i = 0; i < p->name_count && is_well(r); i++) {
		crux_rule_name *const name = &p->names[i];
		name->is_object = take(r, 1);
		name->objects = take_objects(r);
		size_t first = 0;
		while (is_well(r) && first < p->object_count && !(name->objects[first / 64] >> (first % 64) & 1))
			first++;
		r->is_wrong = r->is_wrong || first == p->object_count;
		name->layer = is_well(r) ? p->layer_of[first] : 0;
	}
}

/* Returns true if a word may stand before a name on a side. */
static bool is_word(uint64_t word, bool is_left)
{
	static const char words[] = {0, CRUX_MOVE_UP, CRUX_MOVE_DOWN, CRUX_MOVE_LEFT, CRUX_MOVE_RIGHT, CRUX_MOVE_ACTION,
	                             CRUX_RULE_NO, CRUX_RULE_RANDOM_DIRECTION, CRUX_RULE_STATIONARY, CRUX_RULE_RANDOM};
	return memchr(words, (int)word, sizeof words - is_left);
}

static crux_rule_side take_side(reader *r, bool is_left)
{
	crux_rule_side side = {.count = take(r, (uint64_t)(r->end - r->words)), .pairs = r->words};
	for (size_t i = 0; i < side.count && is_well(r); i++) {
		uint64_t const word = take(r, CRUX_RULE_STATIONARY), name = take(r, r->program->name_count);
		r->is_wrong = r->is_wrong || !is_word(word, is_left) || name == r->program->name_count;
	}
	return side;
}

static void take_cell(reader *r, crux_rule_cell *cell)
{
	crux_rule_side const left = take_side(r, true);
	bool const has_right = take(r, 1);
	crux_rule_side const right = has_right ? take_side(r, false) : left;
	r->is_short = r->is_short || (is_well(r) && !crux_rule_cell_make(r->program, cell, &left, has_right ? &right : NULL));
}

static void take_row(reader *r, crux_rule_row *row)
{
	size_t const objects = r->program->object_words, moves = r->program->move_words;
	row->cells = take_list(r, &row->cell_count, sizeof *row->cells);
	row->present = calloc(objects + moves, sizeof *row->present);
	r->is_short = r->is_short || !row->present;
	row->moving = row->present ? row->present + objects : NULL;
	for (size_t i = 0; i < row->cell_count && is_well(r); i++) {
		uint64_t const number = take(r, r->program->cell_count);
		row->gap_count += number == 0;
		if (number == 0 || !row->present)
			continue;
		crux_rule_cell const *const cell = row->cells[i] = &r->program->cells[number - 1];
		for (size_t w = 0; w < objects; w++)
			row->present[w] |= cell->present[w];
		for (size_t w = 0; w < moves; w++)
			row->moving[w] |= cell->moving[w];
	}
	bool const ends = row->cell_count && row->cells[0] && row->cells[row->cell_count - 1];
	if (is_well(r) && (!ends || row->gap_count > CRUX_RULE_MAX_GAPS))
		r->is_wrong = true;
}

static void take_cells(reader *r)
{
	crux_rule_program *const p = r->program;
	p->cells = take_list(r, &p->cell_count, sizeof *p->cells);
	for (size_t i = 0; i < p->cell_count && is_well(r); i++)
		take_cell(r, &p->cells[i]);
}

static void take_rule(reader *r, crux_rule *rule)
{
	rule->direction = (int)take(r, 3);
	rule->is_rigid = take(r, 1);
	rule->replaces = take(r, 1);
	rule->kind = take(r, r->program->kind_count);
	r->is_wrong = r->is_wrong || rule->kind == r->program->kind_count;
	rule->commands = take(r, INT64_MAX);
	rule->rows = take_list(r, &rule->row_count, sizeof *rule->rows);
	r->is_wrong = r->is_wrong || !rule->row_count || rule->row_count > CRUX_RULE_MAX_ROWS;
	for (size_t i = 0; i < rule->row_count; i++)
		take_row(r, &rule->rows[i]);
	r->program->commands |= rule->commands;
}

static void take_groups(reader *r, crux_rule_groups *groups)
{
	groups->groups = take_list(r, &groups->count, sizeof *groups->groups);
	for (size_t i = 0; i < groups->count; i++) {
		crux_rule_group *const group = &groups->groups[i];
		group->is_random = take(r, 1);
		group->rigid = (unsigned)take(r, CRUX_RULE_MAX_RIGID_GROUPS);
		group->loop = take(r, i + 1);
		group->rules = take_list(r, &group->rule_count, sizeof *group->rules);
		r->is_wrong = r->is_wrong || !group->rule_count;
		for (size_t k = 0; k < group->rule_count; k++) {
			take_rule(r, &group->rules[k]);
			r->is_wrong = r->is_wrong || (group->rules[k].is_rigid && !group->rigid);
		}
		r->program->is_rigid = r->program->is_rigid || group->rigid;
		r->program->has_chance = r->program->has_chance || group->is_random;
	}
}

static void take_objects_and_layers(reader *r)
{
	crux_rule_program *const p = r->program;
	p->object_count = take(r, CRUX_RULE_MAX_OBJECTS);
	p->layer_count = take(r, CRUX_RULE_MAX_OBJECTS);
	p->flags = take(r, INT64_MAX);
	p->kind_count = take(r, (uint64_t)(r->end - r->words));
	p->object_words = (p->object_count + 63) / 64;
	p->move_words = (p->layer_count + CRUX_RULE_LAYERS_A_WORD - 1) / CRUX_RULE_LAYERS_A_WORD;
	r->is_wrong = r->is_wrong || !p->object_count || !p->layer_count;
	if (!is_well(r))
		return;
	p->layer_of = calloc(p->object_count, sizeof *p->layer_of);
	p->layer_masks = calloc(p->layer_count * p->object_words, sizeof *p->layer_masks);
	p->changing = calloc(p->object_words, sizeof *p->changing);
	r->is_short = !p->layer_of || !p->layer_masks || !p->changing;
	for (size_t i = 0; i < p->object_count && is_well(r); i++) {
		p->layer_of[i] = take(r, p->layer_count - 1);
		p->layer_masks[p->layer_of[i] * p->object_words + i / 64] |= UINT64_C(1) << (i % 64);
	}
}

static void take_conditions(reader *r)
{
	crux_rule_program *const p = r->program;
	p->conditions = take_list(r, &p->condition_count, sizeof *p->conditions);
	for (size_t i = 0; i < p->condition_count; i++) {
		crux_win_condition *const condition = &p->conditions[i];
		condition->quantifier = (int)(int64_t)take(r, 2) - 1;
		condition->all_of_first = take(r, 1);
		condition->all_of_second = take(r, 1);
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
	reader r = {.words = copy, .end = copy + count, .program = p};
	take_objects_and_layers(&r);
	p->player = take_objects(&r);
	if (is_well(&r))
		memcpy(p->changing, p->player, p->object_words * sizeof *p->changing);
	take_conditions(&r);
	take_names(&r);
	take_cells(&r);
	take_groups(&r, &p->early);
	take_groups(&r, &p->late);
	if (is_well(&r) && r.words == r.end)
		return p;
	crux_fault_set(fault, r.is_short ? "out of memory" : "found word %zu, expected a program of rules",
	               (size_t)(r.words - copy) + 1);
	crux_rule_program_free(p);
	return NULL;
}

static void free_groups(crux_rule_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		for (size_t k = 0; k < groups->groups[i].rule_count; k++) {
			crux_rule const *const rule = &groups->groups[i].rules[k];
			for (size_t row = 0; row < rule->row_count; row++) {
				free(rule->rows[row].cells);
				free(rule->rows[row].present);
			}
			free(rule->rows);
		}
		free(groups->groups[i].rules);
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
	free(program->changing);
	free(program->conditions);
	free(program->layer_of);
	free(program->layer_masks);
	free(program->words);
	free(program);
}
