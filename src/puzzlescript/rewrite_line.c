/* Making the rewrites of a line: see rewrite_line.h. */
#include "puzzlescript/rewrite_line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "puzzlescript/rewrite_choice.h"
#include "puzzlescript/rewrite_program.h"

enum { LEFT_OUT = 4 }; /* instead of a direction */

/* A line in work. */
typedef struct draft {
	crux_rewrite_line *line;
	size_t number;                           /* in the file */
	bool is_late, is_directed, has_gap;      /* is_directed: a row has several cells */
	size_t lengths[CRUX_REWRITE_MAX_ROWS];   /* of its rows, in cells */
	size_t left, width;                      /* cells of the left side; of both sides */
	uint32_t *texts;                         /* `width` cells as they are written */
	size_t count, cell_room, direction_room; /* of rewrites */
	uint32_t *cells;                         /* `left` numbers of cells a rewrite; 0: a gap */
	unsigned char *directions;               /* by rewrite */
	crux_rewrite_mistake mistake;            /* the first */
} draft;

/* Reads the rows of a side; those of the right side must be as long as those of the left. */
static void take_rows(crux_rewrite_reader *r, draft *d, bool is_right)
{
	for (size_t row = 0; row < d->line->row_count && crux_rewrite_is_well(r); row++) {
		size_t const length = is_right ? d->lengths[row] : crux_rewrite_take_length(r);
		const uint64_t *const numbers = crux_rewrite_take_words(r, length);
		uint32_t *const longer = numbers ? realloc(d->texts, (d->width + length + 1) * sizeof *longer) : NULL;
		r->is_short = r->is_short || (numbers && !longer);
		d->texts = longer ? longer : d->texts;
		for (size_t i = 0; longer && i < length; i++) {
			r->is_wrong = r->is_wrong || numbers[i] >= r->written_count;
			d->texts[d->width + i] = r->is_wrong ? 0 : r->written[numbers[i]];
		}
		d->lengths[row] = length;
		d->width += longer ? length : 0;
		d->is_directed = d->is_directed || length > 1;
	}
}

static bool is_gap(const crux_rewrite_reader *r, uint32_t text)
{
	crux_rewrite_text const found = crux_rewrite_texts_get(&r->texts, text);
	return found.count == 1 && crux_rewrite_word_of(found.pairs[0]) == CRUX_REWRITE_GAP;
}

/* Checks that gaps are inside rows, few, and the same on both sides. */
static void check_gaps(crux_rewrite_reader *r, draft *d)
{
	size_t at = 0;
	for (size_t row = 0; row < d->line->row_count && crux_rewrite_is_well(r); row++) {
		size_t gaps = 0;
		for (size_t i = 0; i < d->lengths[row]; i++, at++) {
			bool const here = is_gap(r, d->texts[at]), at_end = i == 0 || i + 1 == d->lengths[row];
			bool const is_same = d->width == d->left || is_gap(r, d->texts[d->left + at]) == here;
			gaps += here;
			r->is_wrong = r->is_wrong || !is_same || (here && at_end) || gaps > CRUX_REWRITE_MAX_GAPS;
		}
		d->has_gap = d->has_gap || gaps;
		r->is_wrong = r->is_wrong || !d->lengths[row];
	}
}

/* Returns the rewrite in a direction with its texts made plain, its rows reversed if it turns. */
static crux_rewrite_forms plain_forms(crux_rewrite_reader *r, const draft *d, int direction, bool turns)
{
	crux_rewrite_forms forms = {d->left, d->width, 1, malloc(d->width * sizeof *forms.texts)};
	r->is_short = r->is_short || !forms.texts;
	for (size_t side = 0; forms.texts && side < d->width; side += d->left) {
		size_t at = side;
		for (size_t row = 0; row < d->line->row_count; at += d->lengths[row++])
			for (size_t i = 0; i < d->lengths[row]; i++)
				forms.texts[at + i] =
					crux_rewrite_plain_text(r, d->texts[turns ? at + d->lengths[row] - 1 - i : at + i], direction);
	}
	return forms;
}

/* Notes the first mistake of a line. */
static void note(draft *d, crux_rewrite_mistake mistake)
{
	if (mistake.kind != CRUX_REWRITE_FINE && d->mistake.kind == CRUX_REWRITE_FINE)
		d->mistake = mistake;
}

/* Makes room for one more rewrite. Returns false when memory is short. */
static bool make_room(draft *d)
{
	return crux_array_grow(CRUX_ARRAY(d->cells, (d->count + 1) * d->left), &d->cell_room) &&
	       crux_array_grow(CRUX_ARRAY(d->directions, d->count + 1), &d->direction_room);
}

/* Returns the mistake that a cell requires an object and its absence. */
static crux_rewrite_mistake contradiction(const crux_rewrite_cell *cell)
{
	size_t word = 0;
	while (!(cell->present[word] & cell->missing[word]))
		word++;
	size_t const bit = (size_t)__builtin_ctzll(cell->present[word] & cell->missing[word]);
	return (crux_rewrite_mistake){.kind = CRUX_REWRITE_NEVER, .name = word * 64 + bit};
}

/* Adds a rewrite of certain texts, unless it can never match; then notes why in *culled. */
static void add_rewrite(crux_rewrite_reader *r, draft *d, int direction, const uint32_t *texts, crux_rewrite_mistake *culled)
{
	r->is_short = r->is_short || !make_room(d);
	crux_rewrite_mistake found = {.kind = CRUX_REWRITE_FINE};
	for (size_t k = 0; k < d->left && crux_rewrite_is_well(r); k++) {
		uint32_t *const number = &d->cells[d->count * d->left + k];
		*number = 0;
		if (is_gap(r, texts[k]))
			continue;
		*number = crux_rewrite_cell_of(r, texts[k], d->line->replaces ? texts[d->left + k] : CRUX_REWRITE_NO_TEXT, d->is_late);
		crux_rewrite_cell const *const cell = crux_rewrite_is_well(r) ? r->program->cells[*number - 1] : NULL;
		if (!cell)
			return;
		if (cell->contradicts) {
			*culled = culled->kind == CRUX_REWRITE_FINE ? contradiction(cell) : *culled;
			return;
		}
		if (cell->excludes && found.kind == CRUX_REWRITE_FINE)
			found = crux_rewrite_overlap(r, texts[k], true);
		else if (cell->overlaps && !cell->excludes)
			note(d, crux_rewrite_overlap(r, texts[d->left + k], false));
	}
	if (found.kind == CRUX_REWRITE_FINE && crux_rewrite_is_well(r))
		d->directions[d->count++] = (unsigned char)direction;
	else if (culled->kind == CRUX_REWRITE_FINE)
		*culled = found;
}

static bool is_equal(const draft *d, size_t a, size_t b)
{
	return (!d->is_directed || d->directions[a] == d->directions[b]) &&
	       memcmp(d->cells + a * d->left, d->cells + b * d->left, d->left * sizeof *d->cells) == 0;
}

/* Keeps only the last of equal rewrites. Returns false when memory is short. */
static bool remove_duplicates(draft *d)
{
	size_t slots = 2, kept = 0;
	while (slots < 2 * d->count)
		slots *= 2;
	uint32_t *const table = calloc(slots, sizeof *table); /* numbers of rewrites from 1 */
	for (size_t i = d->count; table && i-- > 0;) {
		size_t at = crux_rewrite_hash(d->cells + i * d->left, d->left, d->is_directed ? d->directions[i] : 0) & (slots - 1);
		while (table[at] && !is_equal(d, table[at] - 1, i))
			at = (at + 1) & (slots - 1);
		if (table[at])
			d->directions[i] = LEFT_OUT;
		else
			table[at] = (uint32_t)i + 1;
	}
	for (size_t i = 0; table && i < d->count; i++) {
		if (d->directions[i] == LEFT_OUT)
			continue;
		d->directions[kept] = d->directions[i];
		memmove(d->cells + kept++ * d->left, d->cells + i * d->left, d->left * sizeof *d->cells);
	}
	d->count = kept;
	free(table);
	return table != NULL;
}

/* Makes a row of a rewrite from the numbers of its cells. Adds the objects that it requires to `all`. */
static void make_row(crux_rewrite_program *p, crux_rewrite_row *row, const uint32_t *numbers, crux_rewrite_test *tests,
                     uint64_t *all)
{
	uint64_t objects[CRUX_REWRITE_MAX_OBJECT_WORDS] = {0}, moves[CRUX_REWRITE_MAX_MOVE_WORDS] = {0};
	for (size_t i = 0; i < row->cell_count; i++) {
		row->gap_count += numbers[i] == 0;
		if (!numbers[i])
			continue;
		crux_rewrite_cell *const cell = p->cells[numbers[i] - 1];
		crux_rewrite_cell_use(p, cell);
		row->cells[i] = cell;
		crux_rewrite_add(objects, cell->present, p->object_words);
		crux_rewrite_add(moves, cell->moving, p->move_words);
		for (size_t k = 0; k < cell->any_count; k++)
			row->any[row->any_count++] = cell->any + k * p->object_words;
	}
	row->objects = crux_rewrite_tests_of(tests, objects, NULL, p->object_words);
	row->moves = crux_rewrite_tests_of(tests + p->object_words, moves, NULL, p->move_words);
	crux_rewrite_add(all, objects, p->object_words);
}

/* Returns the number of sets of which cells of the level must have an object, in all rewrites. */
static size_t count_any(const crux_rewrite_program *p, const draft *d)
{
	size_t count = 0;
	for (size_t i = 0; i < d->count * d->left; i++)
		count += d->cells[i] ? p->cells[d->cells[i] - 1]->any_count : 0;
	return count;
}

/* Allocates the parts of the line. Returns false when memory is short. */
static bool allocate_rewrites(const crux_rewrite_program *p, const draft *d)
{
	crux_rewrite_line *const line = d->line;
	size_t const rows = d->count * line->row_count, words = p->object_words + p->move_words;
	line->rewrites = calloc(d->count + 1, sizeof *line->rewrites);
	line->rows = calloc(rows + 1, sizeof *line->rows);
	line->cells = calloc(d->count * d->left + 1, sizeof *line->cells);
	line->tests = calloc(rows * words + p->object_words, sizeof *line->tests);
	line->any = calloc(count_any(p, d) + 1, sizeof *line->any);
	return line->rewrites && line->rows && line->cells && line->tests && line->any;
}

static void make_rewrites(crux_rewrite_reader *r, const draft *d)
{
	crux_rewrite_program *const p = r->program;
	crux_rewrite_line *const line = d->line;
	size_t const words = p->object_words + p->move_words;
	uint64_t common[CRUX_REWRITE_MAX_OBJECT_WORDS];
	r->is_short = !allocate_rewrites(p, d);
	if (r->is_short)
		return;
	memset(common, UCHAR_MAX, sizeof common);
	line->rewrite_count = d->count;
	crux_rewrite_test *tests = line->tests + p->object_words;
	const uint64_t **any = line->any;
	for (size_t i = 0; i < d->count; i++) {
		uint64_t all[CRUX_REWRITE_MAX_OBJECT_WORDS] = {0};
		line->rewrites[i] = (crux_rewrite){d->directions[i], line->rows + i * line->row_count};
		size_t at = i * d->left;
		for (size_t k = 0; k < line->row_count; at += d->lengths[k++], tests += words) {
			crux_rewrite_row *const row = &line->rewrites[i].rows[k];
			*row = (crux_rewrite_row){.cell_count = d->lengths[k], .cells = line->cells + at, .any = any};
			make_row(p, row, d->cells + at, tests, all);
			any += row->any_count;
		}
		for (size_t w = 0; w < p->object_words; w++)
			common[w] &= all[w];
	}
	if (d->count)
		line->objects = crux_rewrite_tests_of(line->tests, common, NULL, p->object_words);
}

/* Adds the rewrites of one direction; those of up and left without a gap become those of down and right with reversed rows. */
static void add_rewrites(crux_rewrite_reader *r, draft *d, int direction, crux_rewrite_mistake *culled)
{
	static const int opposite[] = {CRUX_REWRITE_DOWN, CRUX_REWRITE_UP, CRUX_REWRITE_RIGHT, CRUX_REWRITE_LEFT};
	bool const turns = !d->has_gap && (direction == CRUX_REWRITE_UP || direction == CRUX_REWRITE_LEFT);
	crux_rewrite_forms forms = plain_forms(r, d, direction, turns);
	if (forms.texts && !r->texts.is_short)
		note(d, crux_rewrite_expand(r, &forms));
	r->is_short = r->is_short || r->texts.is_short;
	for (size_t i = 0; i < forms.count && d->mistake.kind == CRUX_REWRITE_FINE && crux_rewrite_is_well(r); i++)
		add_rewrite(r, d, turns ? opposite[direction] : direction, forms.texts + i * forms.width, culled);
	free(forms.texts);
}

void crux_rewrite_line_take(crux_rewrite_reader *r, crux_rewrite_line *line)
{
	draft d = {.line = line, .number = crux_rewrite_take(r, INT64_MAX)};
	d.is_late = crux_rewrite_take(r, 1);
	line->is_random = crux_rewrite_take(r, 1);
	line->is_rigid = crux_rewrite_take(r, 1);
	line->commands = crux_rewrite_take(r, INT64_MAX);
	line->number = r->program->line_count++;
	size_t const direction_count = crux_rewrite_take_length(r);
	const uint64_t *const directions = crux_rewrite_take_words(r, direction_count);
	line->row_count = crux_rewrite_take(r, CRUX_REWRITE_MAX_ROWS);
	r->is_wrong = r->is_wrong || !line->row_count || !direction_count;
	take_rows(r, &d, false);
	d.left = d.width;
	line->replaces = crux_rewrite_take(r, 1);
	if (line->replaces)
		take_rows(r, &d, true);
	check_gaps(r, &d);
	crux_rewrite_mistake culled = {.kind = CRUX_REWRITE_FINE};
	for (size_t i = 0; i < direction_count && crux_rewrite_is_well(r); i++) {
		r->is_wrong = directions[i] > CRUX_REWRITE_RIGHT;
		if (!r->is_wrong)
			add_rewrites(r, &d, (int)directions[i], &culled);
	}
	if (d.count == 0)
		note(&d, culled);
	d.mistake.line = d.number;
	if (d.mistake.kind != CRUX_REWRITE_FINE && (r->mistake.kind == CRUX_REWRITE_FINE || d.number < r->mistake.line))
		r->mistake = d.mistake;
	r->is_short = r->is_short || (crux_rewrite_is_well(r) && !remove_duplicates(&d));
	if (crux_rewrite_is_well(r))
		make_rewrites(r, &d);
	free(d.texts);
	free(d.cells);
	free(d.directions);
}

void crux_rewrite_line_close(crux_rewrite_line *line)
{
	free(line->rewrites);
	free(line->rows);
	free(line->cells);
	free(line->tests);
	free(line->any);
}
