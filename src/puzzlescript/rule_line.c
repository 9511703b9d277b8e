/* Expanding the rules of a line: see rule_line.h. */
#include "puzzlescript/rule_line.h"

#include <stdlib.h>
#include <string.h>

#include "puzzlescript/rule_program.h"

enum { MAX_CHOICES = 18, DIRECTIONS = 4 }; /* 2^18 is CRUX_RULE_MAX_EXPANDED */

/* The cell at one place of the rules of a template. */
typedef struct place {
	size_t choice_count;
	const uint64_t *choices, *numbers; /* numbers of cells, one for each combination of options */
} place;

/* The rules of a line before they are linked to their cells: their directions, and their numbers of cells by place. */
typedef struct drafts {
	size_t lengths[CRUX_RULE_MAX_ROWS], place_count;
	place *places; /* of the current template */
	size_t count, room;
	uint32_t *numbers;        /* place_count a draft */
	unsigned char *direction; /* DIRECTIONS: the draft is left out */
	bool is_directed;         /* a row has several cells */
} drafts;

/* Makes room for one more draft. */
static bool make_room(drafts *d)
{
	if (d->count < d->room)
		return true;
	size_t const room = d->room ? 2 * d->room : 64;
	uint32_t *const numbers = realloc(d->numbers, room * d->place_count * sizeof *numbers);
	d->numbers = numbers ? numbers : d->numbers;
	unsigned char *const direction = realloc(d->direction, room);
	d->direction = direction ? direction : d->direction;
	d->room = numbers && direction ? room : d->room;
	return numbers && direction;
}

/* Reads the places of a template with these numbers of options. */
static void take_places(crux_rule_reader *r, drafts *d, const uint64_t *options, size_t option_count)
{
	for (size_t k = 0; k < d->place_count && crux_rule_is_well(r); k++) {
		place *const at = &d->places[k];
		size_t count = 1;
		at->choice_count = crux_rule_take_length(r);
		at->choices = crux_rule_take_words(r, at->choice_count);
		for (size_t i = 0; at->choices && i < at->choice_count; i++) {
			if (at->choices[i] >= option_count || (i > 0 && at->choices[i] <= at->choices[i - 1]))
				r->is_wrong = true;
			count *= r->is_wrong ? 0 : options[at->choices[i]];
		}
		at->numbers = crux_rule_take_words(r, count);
		for (size_t i = 0; at->numbers && i < count; i++)
			if (at->numbers[i] > r->program->cell_count || !at->numbers[i] != !at->numbers[0])
				r->is_wrong = true;
	}
}

/* Adds a draft for the options of the choices, unless one of its cells never matches. */
static void add_draft(crux_rule_reader *r, drafts *d, int direction, const uint64_t *options, const size_t *chosen)
{
	r->is_short = r->is_short || !make_room(d);
	if (r->is_short)
		return;
	uint32_t *const numbers = d->numbers + d->count * d->place_count;
	for (size_t k = 0; k < d->place_count; k++) {
		place const *const at = &d->places[k];
		size_t index = 0;
		for (size_t i = 0; i < at->choice_count; i++)
			index = index * options[at->choices[i]] + chosen[at->choices[i]];
		numbers[k] = (uint32_t)at->numbers[index];
		if (numbers[k] && r->program->cells[numbers[k] - 1].never_matches)
			return;
	}
	d->direction[d->count++] = (unsigned char)direction;
}

/* Reads a template and adds its drafts. */
static void take_template(crux_rule_reader *r, drafts *d)
{
	int const direction = (int)crux_rule_take(r, DIRECTIONS - 1);
	size_t const choice_count = crux_rule_take(r, MAX_CHOICES);
	const uint64_t *const options = crux_rule_take_words(r, choice_count);
	size_t chosen[MAX_CHOICES] = {0}, rules = 1;
	for (size_t i = 0; options && i < choice_count && !r->is_wrong; i++) {
		r->is_wrong = options[i] < 2 || options[i] > CRUX_RULE_MAX_EXPANDED / rules;
		rules *= options[i];
	}
	take_places(r, d, options, choice_count);
	for (size_t rule = 0; rule < rules && crux_rule_is_well(r); rule++) {
		add_draft(r, d, direction, options, chosen);
		for (size_t i = choice_count; i-- > 0 && ++chosen[i] == options[i];)
			chosen[i] = 0;
	}
}

static bool is_equal(const drafts *d, size_t a, size_t b)
{
	size_t const count = d->place_count;
	return (!d->is_directed || d->direction[a] == d->direction[b]) &&
	       memcmp(d->numbers + a * count, d->numbers + b * count, count * sizeof *d->numbers) == 0;
}

static size_t hash_of(const drafts *d, size_t draft)
{
	uint64_t hash = d->is_directed ? d->direction[draft] : 0;
	for (size_t k = 0; k < d->place_count; k++)
		hash = (hash ^ d->numbers[draft * d->place_count + k]) * UINT64_C(0x9E3779B97F4A7C15);
	return (size_t)(hash >> 32);
}

/* Keeps only the last of equal drafts. Returns false when memory is short. */
static bool remove_duplicates(drafts *d)
{
	size_t slots = 2, kept = 0;
	while (slots < 2 * d->count)
		slots *= 2;
	uint32_t *const table = calloc(slots, sizeof *table); /* numbers of drafts from 1 */
	for (size_t i = d->count; table && i-- > 0;) {
		size_t at = hash_of(d, i) & (slots - 1);
		while (table[at] && !is_equal(d, table[at] - 1, i))
			at = (at + 1) & (slots - 1);
		if (table[at])
			d->direction[i] = DIRECTIONS;
		else
			table[at] = (uint32_t)i + 1;
	}
	for (size_t i = 0; table && i < d->count; i++) {
		if (d->direction[i] == DIRECTIONS)
			continue;
		d->direction[kept] = d->direction[i];
		memmove(d->numbers + kept++ * d->place_count, d->numbers + i * d->place_count, d->place_count * sizeof *d->numbers);
	}
	d->count = kept;
	free(table);
	return table;
}

/* Links a row of a rule to the cells with these numbers. Returns false if its gaps are wrong. */
static bool link_row(struct crux_rule_program *p, crux_rule_row *row, const uint32_t *numbers)
{
	for (size_t i = 0; i < row->cell_count; i++) {
		row->gap_count += numbers[i] == 0;
		if (!numbers[i])
			continue;
		crux_rule_cell *const cell = &p->cells[numbers[i] - 1];
		crux_rule_cell_use(p, cell);
		row->cells[i] = cell;
		crux_rule_add(row->present, cell->present, p->object_words);
		crux_rule_add(row->moving, cell->moving, p->move_words);
	}
	return row->cell_count && row->cells[0] && row->cells[row->cell_count - 1] && row->gap_count <= CRUX_RULE_MAX_GAPS;
}

/* Makes the rules of the drafts. */
static void link_rules(crux_rule_reader *r, crux_rule_line *line, const drafts *d)
{
	struct crux_rule_program *const p = r->program;
	size_t const set_words = p->object_words + p->move_words, rows = d->count * line->row_count;
	line->rules = calloc(d->count + 1, sizeof *line->rules);
	line->rows = calloc(rows + 1, sizeof *line->rows);
	line->cells = calloc(d->count * d->place_count + 1, sizeof *line->cells);
	line->sets = calloc(rows * set_words + 1, sizeof *line->sets);
	r->is_short = r->is_short || !line->rules || !line->rows || !line->cells || !line->sets;
	if (!crux_rule_is_well(r))
		return;
	line->rule_count = d->count;
	for (size_t i = 0; i < d->count; i++) {
		line->rules[i] = (crux_rule){d->direction[i], line->rows + i * line->row_count};
		size_t at = i * d->place_count;
		for (size_t k = 0; k < line->row_count; at += d->lengths[k++]) {
			size_t const number = i * line->row_count + k;
			uint64_t *const sets = line->sets + number * set_words;
			line->rows[number] = (crux_rule_row){d->lengths[k], 0, line->cells + at, sets, sets + p->object_words};
			if (!link_row(p, &line->rows[number], d->numbers + at))
				r->is_wrong = true;
		}
	}
}

void crux_rule_line_take(crux_rule_reader *r, crux_rule_line *line)
{
	drafts d = {.place_count = 0};
	line->is_random = crux_rule_take(r, 1);
	line->is_rigid = crux_rule_take(r, 1);
	line->replaces = crux_rule_take(r, 1);
	line->commands = crux_rule_take(r, INT64_MAX);
	line->number = r->program->line_count++;
	line->row_count = crux_rule_take(r, CRUX_RULE_MAX_ROWS);
	r->is_wrong = r->is_wrong || !line->row_count;
	for (size_t i = 0; i < line->row_count; i++) {
		d.lengths[i] = crux_rule_take_length(r);
		d.place_count += d.lengths[i];
		d.is_directed = d.is_directed || d.lengths[i] > 1;
	}
	size_t const templates = crux_rule_take_length(r);
	r->is_wrong = r->is_wrong || !d.place_count || d.place_count > (size_t)(r->end - r->words);
	d.places = crux_rule_is_well(r) ? calloc(d.place_count, sizeof *d.places) : NULL;
	r->is_short = r->is_short || (!r->is_wrong && !d.places);
	for (size_t i = 0; i < templates && crux_rule_is_well(r); i++)
		take_template(r, &d);
	r->is_short = r->is_short || (!r->is_wrong && !remove_duplicates(&d));
	if (crux_rule_is_well(r))
		link_rules(r, line, &d);
	free(d.places);
	free(d.numbers);
	free(d.direction);
}

void crux_rule_line_close(crux_rule_line *line)
{
	free(line->rules);
	free(line->rows);
	free(line->cells);
	free(line->sets);
}
