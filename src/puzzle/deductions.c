/* Deductions by common techniques; see deductions.h. */
#include "puzzle/deductions.h"

#include <string.h>

typedef struct work {
	const crux_units *units;
	const crux_candidates *candidates;
	size_t words;
	uint64_t *values;         /* of each cell its candidates, a bit a value */
	uint64_t *seen;           /* cells into which a value was placed */
	uint64_t *first, *second; /* scratch: sets */
	crux_deduction found;
	crux_take_deduction *take;
	void *context;
} work;

/* Rows of bits, of which `size` are sought that have `size` columns together, and what they stand for. */
typedef struct matrix {
	crux_technique technique;
	unsigned size, rows;
	uint64_t row[CRUX_DEDUCE_MOST];
	const uint64_t *unit;                        /* naked, hidden: the unit */
	size_t cells[CRUX_DEDUCE_MOST];              /* and its open cells, which are rows or columns */
	size_t value, first_base, first_cover;       /* fish: the value, and the first unit of rows and of columns */
} matrix;

static uint64_t bit(size_t index) { return UINT64_C(1) << index; }

static const uint64_t *plane(const work *w, size_t value)
{
	return w->candidates->planes + value * w->words;
}

static const uint64_t *unit(const work *w, size_t index)
{
	return w->units->sets + index * w->words;
}

static bool has(const uint64_t *set, size_t cell) { return set[cell / 64] >> cell % 64 & 1; }

static void add(uint64_t *set, size_t cell) { set[cell / 64] |= bit(cell % 64); }

/* Removes a value from the cells of a set. */
static void remove_from(work *w, size_t value, const uint64_t *set)
{
	for (size_t i = 0; i < w->words; i++)
		w->found.removed[value * w->words + i] |= set[i] & plane(w, value)[i];
}

/* Hands over what was found, if anything, and begins anew. */
static void hand_over(work *w)
{
	size_t const words = w->candidates->values * w->words;
	bool any = false;
	for (size_t i = 0; i < words && !any; i++)
		any = w->found.removed[i];
	for (size_t i = 0; i < w->words && !any; i++)
		any = w->found.placed[i];
	if (!any)
		return;
	w->take(w->context, &w->found);
	memset(w->found.removed, 0, words * sizeof *w->found.removed);
	memset(w->found.placed, 0, w->words * sizeof *w->found.placed);
}

/* Notes that a value is placed into a cell, unless one was before. */
static void note_place(work *w, size_t cell, size_t value)
{
	if (has(w->seen, cell))
		return;
	add(w->seen, cell);
	add(w->found.placed, cell);
	for (uint64_t rest = w->values[cell] & ~bit(value); rest; rest &= rest - 1)
		add(w->found.removed + (size_t)__builtin_ctzll(rest) * w->words, cell);
	remove_from(w, value, w->units->peers + cell * w->words);
}

static void place(work *w, size_t cell, size_t value)
{
	note_place(w, cell, value);
	hand_over(w);
}

/* Some cells of a unit have as many values together. */
static void take_naked(work *w, const matrix *m, uint64_t rows, uint64_t columns)
{
	if (m->size == 1) {
		place(w, m->cells[__builtin_ctzll(rows)], (size_t)__builtin_ctzll(columns));
		return;
	}
	for (size_t i = 0; i < w->words; i++)
		w->first[i] = m->unit[i];
	for (; rows; rows &= rows - 1) {
		size_t const cell = m->cells[__builtin_ctzll(rows)];
		w->first[cell / 64] &= ~bit(cell % 64);
	}
	for (; columns; columns &= columns - 1)
		remove_from(w, (size_t)__builtin_ctzll(columns), w->first);
	hand_over(w);
}

/* Some values have as many cells of a unit together. */
static void take_hidden(work *w, const matrix *m, uint64_t rows, uint64_t columns)
{
	if (m->size == 1) {
		place(w, m->cells[__builtin_ctzll(columns)], (size_t)__builtin_ctzll(rows));
		return;
	}
	for (; columns; columns &= columns - 1) {
		size_t const cell = m->cells[__builtin_ctzll(columns)];
		for (uint64_t rest = w->values[cell] & ~rows; rest; rest &= rest - 1)
			add(w->found.removed + (size_t)__builtin_ctzll(rest) * w->words, cell);
	}
	hand_over(w);
}

/* The places of a value in some units are in as many units of another group. */
static void take_fish(work *w, const matrix *m, uint64_t rows, uint64_t columns)
{
	memset(w->first, 0, w->words * sizeof *w->first);
	for (; columns; columns &= columns - 1)
		for (size_t i = 0; i < w->words; i++)
			w->first[i] |= unit(w, m->first_cover + (size_t)__builtin_ctzll(columns))[i];
	for (; rows; rows &= rows - 1)
		for (size_t i = 0; i < w->words; i++)
			w->first[i] &= ~unit(w, m->first_base + (size_t)__builtin_ctzll(rows))[i];
	remove_from(w, m->value, w->first);
	hand_over(w);
}

/* Takes all ways to choose further rows from `first` on so that there are m->size in all, with as many columns. */
static void choose(work *w, const matrix *m, unsigned first, uint64_t rows, uint64_t columns)
{
	unsigned const chosen = (unsigned)__builtin_popcountll(rows), together = (unsigned)__builtin_popcountll(columns);
	if (together > m->size)
		return;
	if (chosen < m->size) {
		for (unsigned i = first; i < m->rows; i++)
			if (m->row[i])
				choose(w, m, i + 1, rows | bit(i), columns | m->row[i]);
	} else if (together == m->size) {
		if (m->technique == CRUX_DEDUCE_NAKED)
			take_naked(w, m, rows, columns);
		else if (m->technique == CRUX_DEDUCE_HIDDEN)
			take_hidden(w, m, rows, columns);
		else
			take_fish(w, m, rows, columns);
	}
}

/* The open cells of a unit, at most CRUX_DEDUCE_MOST. */
static unsigned open_cells(const work *w, const uint64_t *set, size_t *cells)
{
	unsigned count = 0;
	for (size_t i = 0; i < w->words; i++)
		for (uint64_t rest = set[i] & w->candidates->open[i]; rest && count < CRUX_DEDUCE_MOST; rest &= rest - 1)
			cells[count++] = i * 64 + (size_t)__builtin_ctzll(rest);
	return count;
}

/* Last, naked and hidden in a unit. */
static void search_unit(work *w, const uint64_t *set, crux_technique technique, unsigned size)
{
	matrix m = {.technique = technique, .size = size, .unit = set};
	unsigned const count = open_cells(w, set, m.cells);
	if (technique == CRUX_DEDUCE_LAST) {
		if (count == 1 && __builtin_popcountll(w->values[m.cells[0]]) == 1)
			place(w, m.cells[0], (size_t)__builtin_ctzll(w->values[m.cells[0]]));
		return;
	}
	m.rows = technique == CRUX_DEDUCE_NAKED ? count : (unsigned)w->candidates->values;
	for (unsigned i = 0; i < count; i++) {
		uint64_t const values = w->values[m.cells[i]];
		if (technique == CRUX_DEDUCE_NAKED)
			m.row[i] = values;
		else
			for (uint64_t rest = values; rest; rest &= rest - 1)
				m.row[__builtin_ctzll(rest)] |= bit(i);
	}
	choose(w, &m, 0, 0, 0);
}

/* Fish of all values with rows from one group and columns from another. */
static void search_fish(work *w, size_t base, size_t cover, unsigned size)
{
	size_t const *const starts = w->units->starts;
	matrix m = {.technique = CRUX_DEDUCE_FISH, .size = size, .first_base = starts[base], .first_cover = starts[cover]};
	m.rows = (unsigned)(starts[base + 1] - starts[base]);
	for (m.value = 0; m.value < w->candidates->values; m.value++) {
		uint64_t const *const places = plane(w, m.value);
		for (unsigned row = 0; row < m.rows; row++) {
			uint64_t const *const from = unit(w, m.first_base + row);
			m.row[row] = 0;
			for (size_t i = 0; i < w->words; i++)
				w->second[i] = places[i] & from[i] & w->candidates->open[i];
			for (size_t k = starts[cover]; k < starts[cover + 1]; k++)
				for (size_t i = 0; i < w->words; i++)
					if (places[i] & from[i] & w->candidates->open[i] & unit(w, k)[i]) {
						m.row[row] |= bit(k - starts[cover]);
						w->second[i] &= ~unit(w, k)[i];
					}
			for (size_t i = 0; i < w->words; i++)
				if (w->second[i])
					m.row[row] = 0; /* a place in no unit of the other group */
		}
		choose(w, &m, 0, 0, 0);
	}
}

/* Adds the cells that pairs of places link to a cell to the other colour; true if one was added. */
static bool extend(work *w, size_t value, const uint64_t *from, uint64_t *to)
{
	size_t const units = w->units->starts[w->units->groups];
	bool added = false;
	for (size_t u = 0; u < units; u++) {
		unsigned count = 0, common = 0;
		for (size_t i = 0; i < w->words; i++) {
			uint64_t const places = plane(w, value)[i] & unit(w, u)[i] & w->candidates->open[i];
			count += (unsigned)__builtin_popcountll(places);
			common += (unsigned)__builtin_popcountll(places & from[i]);
		}
		for (size_t i = 0; i < w->words && count == 2 && common == 1; i++) {
			uint64_t const places = plane(w, value)[i] & unit(w, u)[i] & w->candidates->open[i] & ~from[i];
			added |= (places & ~to[i]) != 0;
			to[i] |= places;
		}
	}
	return added;
}

static bool meet(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

static bool shares_unit(const work *w, size_t cell, const uint64_t *set)
{
	return meet(w->units->peers + cell * w->words, set, w->words);
}

/* Removes a value from the cells of a colour if two of them share a unit. */
static void remove_if_false(work *w, size_t value, const uint64_t *colour)
{
	for (size_t cell = 0; cell < w->units->cells; cell++)
		if (has(colour, cell) && shares_unit(w, cell, colour)) {
			remove_from(w, value, colour);
			return;
		}
}

/* The chains of a value, each from its first cell on. */
static void search_colours(work *w, size_t value)
{
	memset(w->seen, 0, w->words * sizeof *w->seen);
	for (size_t from = 0; from < w->units->cells; from++) {
		if (has(w->seen, from) || !has(plane(w, value), from) || !has(w->candidates->open, from))
			continue;
		memset(w->first, 0, w->words * sizeof *w->first);
		memset(w->second, 0, w->words * sizeof *w->second);
		add(w->first, from);
		while (extend(w, value, w->first, w->second) || extend(w, value, w->second, w->first))
			;
		for (size_t i = 0; i < w->words; i++)
			w->seen[i] |= w->first[i] | w->second[i];
		remove_if_false(w, value, w->first);
		remove_if_false(w, value, w->second);
		for (size_t cell = 0; cell < w->units->cells; cell++)
			if (has(plane(w, value), cell) && !has(w->first, cell) && !has(w->second, cell) &&
			    shares_unit(w, cell, w->first) && shares_unit(w, cell, w->second))
				add(w->found.removed + value * w->words, cell);
		hand_over(w);
	}
}

void crux_units_find_peers(const crux_units *units, uint64_t *peers)
{
	memset(peers, 0, units->cells * units->words * sizeof *peers);
	for (size_t u = 0; u < units->starts[units->groups]; u++) {
		uint64_t const *const set = units->sets + u * units->words;
		for (size_t cell = 0; cell < units->cells; cell++)
			for (size_t i = 0; i < units->words && has(set, cell); i++)
				peers[cell * units->words + i] |= set[i];
	}
	for (size_t cell = 0; cell < units->cells; cell++)
		peers[cell * units->words + cell / 64] &= ~bit(cell % 64);
}

size_t crux_deduce_scratch(const crux_units *units, size_t values)
{
	return units->cells + (values + 4) * units->words;
}

/* Clears the scratch memory and notes the candidates of each cell. */
static work begin(const crux_units *units, const crux_candidates *candidates, uint64_t *scratch, crux_take_deduction *take,
                  void *context)
{
	size_t const words = units->words;
	memset(scratch, 0, crux_deduce_scratch(units, candidates->values) * sizeof *scratch);
	uint64_t *const sets = scratch + units->cells;
	work const w = {units, candidates, words, scratch, sets, sets + words, sets + 2 * words,
	                {sets + 4 * words, sets + 3 * words}, take, context};
	for (size_t value = 0; value < candidates->values; value++)
		for (size_t i = 0; i < words; i++)
			for (uint64_t rest = plane(&w, value)[i]; rest; rest &= rest - 1)
				w.values[i * 64 + (size_t)__builtin_ctzll(rest)] |= bit(value);
	return w;
}

void crux_deduce(const crux_units *units, const crux_candidates *candidates, crux_technique technique, unsigned size,
                 uint64_t groups, uint64_t *scratch, crux_take_deduction *take, void *context)
{
	work w = begin(units, candidates, scratch, take, context);
	if (technique == CRUX_DEDUCE_COLOURS) {
		for (size_t value = 0; value < candidates->values; value++)
			search_colours(&w, value);
		return;
	}
	for (size_t g = 0; g < units->groups; g++) {
		if (!(groups >> g & 1))
			continue;
		if (technique == CRUX_DEDUCE_FISH) {
			for (size_t cover = 0; cover < units->groups; cover++)
				if (cover != g && groups >> cover & 1)
					search_fish(&w, g, cover, size);
		} else {
			for (size_t u = units->starts[g]; u < units->starts[g + 1]; u++)
				search_unit(&w, unit(&w, u), technique, size);
		}
	}
}

void crux_deduce_place(const crux_units *units, const crux_candidates *candidates, const uint64_t *cells, uint64_t *scratch,
                       crux_take_deduction *take, void *context)
{
	work w = begin(units, candidates, scratch, take, context);
	for (size_t cell = 0; cell < units->cells; cell++)
		if (has(cells, cell) && __builtin_popcountll(w.values[cell]) == 1)
			note_place(&w, cell, (size_t)__builtin_ctzll(w.values[cell]));
	hand_over(&w);
}
