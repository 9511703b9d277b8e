/* Cells of rewrites: see rewrite_cell.h. */
#include "puzzlescript/rewrite_cell.h"

#include <stdlib.h>
#include <string.h>

#include "puzzlescript/rewrite_program.h"

/* Layers of the names of a side, as movements: all bits of a layer, or none. */
typedef struct layers {
	uint64_t named[CRUX_REWRITE_MAX_MOVE_WORDS], with_object[CRUX_REWRITE_MAX_MOVE_WORDS]; /* not behind "no" */
	uint64_t excluded[CRUX_REWRITE_MAX_MOVE_WORDS];                                     /* behind "no" */
} layers;

static const crux_rewrite_name *name_of(const crux_rewrite_program *p, crux_rewrite_text text, size_t i)
{
	return &p->names[crux_rewrite_name_of(text.pairs[i])];
}

/* Gives each set its place in one block. Returns false when memory is short. */
static bool make_room(const crux_rewrite_program *p, crux_rewrite_cell *cell, crux_rewrite_text left)
{
	size_t const ow = p->object_words, mw = p->move_words;
	for (size_t i = 0; i < left.count; i++)
		cell->any_count += crux_rewrite_word_of(left.pairs[i]) != CRUX_REWRITE_NO && !name_of(p, left, i)->is_object;
	uint64_t *next = cell->storage = calloc((5 + cell->any_count) * ow + 6 * mw, sizeof *next);
	cell->tests = calloc(ow + mw, sizeof *cell->tests);
	if (!next || !cell->tests)
		return false;
	struct {
		uint64_t **set;
		size_t words;
	} const sets[] = {
		{&cell->present, ow}, {&cell->missing, ow}, {&cell->any, cell->any_count * ow}, {&cell->clear, ow}, {&cell->set, ow},
		{&cell->spawned, ow}, {&cell->moving, mw},  {&cell->still, mw},                 {&cell->stop, mw},  {&cell->go, mw},
		{&cell->touched, mw}, {&cell->turned, mw},
	};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		*sets[i].set = next;
		next += sets[i].words;
	}
	return true;
}

static void make_left(const crux_rewrite_program *p, crux_rewrite_cell *cell, crux_rewrite_text side, layers *on)
{
	uint64_t *any = cell->any;
	for (size_t i = 0; i < side.count; i++) {
		unsigned const word = crux_rewrite_word_of(side.pairs[i]);
		crux_rewrite_name const *const name = name_of(p, side, i);
		if (word == CRUX_REWRITE_NO) {
			crux_rewrite_add(cell->missing, name->objects, p->object_words);
			crux_rewrite_add_moves(on->excluded, name->layer, CRUX_MOVE_ANY);
			continue;
		}
		cell->excludes = cell->excludes || crux_rewrite_moves_of(on->named, name->layer);
		crux_rewrite_add_moves(on->named, name->layer, CRUX_MOVE_ANY);
		if (name->is_object) {
			crux_rewrite_add(cell->present, name->objects, p->object_words);
			crux_rewrite_add_moves(on->with_object, name->layer, CRUX_MOVE_ANY);
		} else {
			memcpy(any, name->objects, p->object_words * sizeof *any);
			any += p->object_words;
		}
		if (word == CRUX_REWRITE_STATIONARY)
			crux_rewrite_add_moves(cell->still, name->layer, CRUX_MOVE_ANY);
		else
			crux_rewrite_add_moves(cell->moving, name->layer, word);
	}
}

static void make_right(const crux_rewrite_program *p, crux_rewrite_cell *cell, crux_rewrite_text side, bool is_late,
                       const layers *left, layers *on)
{
	size_t const ow = p->object_words;
	for (size_t i = 0; i < side.count; i++) {
		crux_rewrite_name const *const name = name_of(p, side, i);
		bool const is_known = crux_rewrite_moves_of(left->named, name->layer) ||
		                      crux_rewrite_moves_of(left->excluded, name->layer);
		bool const stops = !crux_rewrite_word_of(side.pairs[i]) && name->is_object && !is_late && !is_known;
		unsigned const word = stops ? CRUX_REWRITE_STATIONARY : crux_rewrite_word_of(side.pairs[i]);
		if (word == CRUX_REWRITE_RANDOM || word == CRUX_REWRITE_NO) {
			crux_rewrite_add(word == CRUX_REWRITE_NO ? cell->clear : cell->spawned, name->objects, ow);
			continue;
		}
		cell->overlaps = cell->overlaps || crux_rewrite_moves_of(on->named, name->layer) ||
		                 crux_rewrite_meets(cell->spawned, p->layer_masks + name->layer * ow, ow);
		crux_rewrite_add_moves(on->named, name->layer, CRUX_MOVE_ANY);
		if (word)
			crux_rewrite_add_moves(cell->touched, name->layer, CRUX_MOVE_ANY);
		if (name->is_object) {
			crux_rewrite_add(cell->set, name->objects, ow);
			crux_rewrite_add(cell->clear, p->layer_masks + name->layer * ow, ow);
			crux_rewrite_add_moves(on->with_object, name->layer, CRUX_MOVE_ANY);
		}
		bool const is_still = word == CRUX_REWRITE_STATIONARY;
		uint64_t *const moves = is_still ? cell->stop : word == CRUX_REWRITE_RANDOM_DIRECTION ? cell->turned : cell->go;
		crux_rewrite_add_moves(moves, name->layer, is_still ? CRUX_MOVE_ANY : word);
	}
}

/* Adds what the right side removes because the left side names it and the right side does not. */
static void add_removals(const crux_rewrite_program *p, crux_rewrite_cell *cell, const layers *left, const layers *right)
{
	size_t const ow = p->object_words, mw = p->move_words;
	if (!crux_rewrite_within(cell->present, cell->set, ow))
		crux_rewrite_add(cell->clear, cell->present, ow);
	if (!crux_rewrite_within(cell->moving, cell->go, mw))
		crux_rewrite_add(cell->stop, cell->moving, mw);
	for (size_t layer = 0; layer < p->layer_count; layer++) {
		bool const is_gone = crux_rewrite_moves_of(left->named, layer) && !crux_rewrite_moves_of(right->named, layer);
		if (is_gone)
			crux_rewrite_add(cell->clear, p->layer_masks + layer * ow, ow);
		if (is_gone || (crux_rewrite_moves_of(left->with_object, layer) && !crux_rewrite_moves_of(right->with_object, layer)))
			crux_rewrite_add_moves(cell->touched, layer, CRUX_MOVE_ANY);
	}
}

/* Adds the objects of a layer that the replacement may create, remove or move to program->changing. */
static void note_changes(crux_rewrite_program *p, const crux_rewrite_cell *cell, size_t layer)
{
	size_t const words = p->object_words;
	const uint64_t *const all = p->layer_masks + layer * words;
	bool const moves = crux_rewrite_moves_of(cell->go, layer) || crux_rewrite_moves_of(cell->turned, layer);
	bool const spawns = crux_rewrite_meets(cell->spawned, all, words), sets = crux_rewrite_meets(cell->set, all, words);
	bool const is_known = crux_rewrite_meets(cell->present, all, words);
	for (size_t i = 0; i < words; i++) {
		uint64_t there = is_known ? cell->present[i] & all[i] : all[i] & ~cell->missing[i];
		for (size_t k = 0; k < cell->any_count && !is_known; k++)
			if (crux_rewrite_meets(cell->any + k * words, all, words))
				there &= cell->any[k * words + i];
		uint64_t const new = (cell->set[i] | cell->spawned[i]) & all[i];
		uint64_t const gone = (spawns ? all[i] : cell->clear[i]) & there & ~cell->set[i];
		p->changing[i] |= (new & ~cell->present[i]) | gone | (!moves ? 0 : sets ? new : there);
	}
}

/* Returns the slot of a cell in the hash table by its key, or the free slot where it belongs. */
static uint32_t *slot_of(const crux_rewrite_reader *r, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (r->cell_slot_count - 1);
	while (r->cell_slots[at] && r->cell_keys[r->cell_slots[at] - 1] != key)
		at = (at + 1) & (r->cell_slot_count - 1);
	return &r->cell_slots[at];
}

/* Returns true if one name has an object on the layer of another. */
static bool shares_layer(const crux_rewrite_program *p, const crux_rewrite_name *name, const crux_rewrite_name *other)
{
	return crux_rewrite_meets(p->layer_masks + name->layer * p->object_words, other->objects, p->object_words);
}

/* Makes a cell; has_right: it replaces something. Returns false when memory is short. */
static bool make(const crux_rewrite_program *p, crux_rewrite_cell *cell, crux_rewrite_text left, crux_rewrite_text right,
                 bool has_right, bool is_late)
{
	size_t const ow = p->object_words, mw = p->move_words;
	layers on_left = {.named = {0}}, on_right = on_left;
	if (!make_room(p, cell, left))
		return false;
	make_left(p, cell, left, &on_left);
	if (has_right) {
		make_right(p, cell, right, is_late, &on_left, &on_right);
		add_removals(p, cell, &on_left, &on_right);
	}
	cell->objects = crux_rewrite_tests_of(cell->tests, cell->present, cell->missing, ow);
	cell->moves = crux_rewrite_tests_of(cell->tests + ow, cell->moving, cell->still, mw);
	cell->contradicts = crux_rewrite_meets(cell->present, cell->missing, ow);
	cell->has_chance = !crux_rewrite_is_empty(cell->spawned, ow) || !crux_rewrite_is_empty(cell->turned, mw);
	cell->is_identity = !has_right || (left.pairs == right.pairs && left.count == right.count);
	cell->replaces = !crux_rewrite_is_empty(cell->clear, 3 * ow) || !crux_rewrite_is_empty(cell->stop, 4 * mw);
	return true;
}

/* Makes room for one more cell. Returns false when memory is short. */
static bool make_room_for_cell(crux_rewrite_reader *r)
{
	crux_rewrite_program *const p = r->program;
	if (p->cell_count < r->cell_room)
		return true;
	size_t const room = r->cell_room ? 2 * r->cell_room : 256, slot_count = 4 * room;
	crux_rewrite_cell **const cells = realloc(p->cells, room * sizeof *cells);
	p->cells = cells ? cells : p->cells;
	uint64_t *const keys = realloc(r->cell_keys, room * sizeof *keys);
	r->cell_keys = keys ? keys : r->cell_keys;
	uint32_t *const slots = calloc(slot_count, sizeof *slots);
	if (!cells || !keys || !slots) {
		free(slots);
		return false;
	}
	free(r->cell_slots);
	r->cell_slots = slots;
	r->cell_slot_count = slot_count;
	r->cell_room = room;
	for (size_t i = 0; i < p->cell_count; i++)
		*slot_of(r, keys[i]) = (uint32_t)i + 1;
	return true;
}

uint32_t crux_rewrite_cell_of(crux_rewrite_reader *r, uint32_t left, uint32_t right, bool is_late)
{
	crux_rewrite_program *const p = r->program;
	uint64_t const key = (uint64_t)left << 33 | (uint64_t)(uint32_t)(right + 1) << 1 | is_late; /* NO_TEXT + 1 is 0 */
	r->is_short = r->is_short || !make_room_for_cell(r);
	if (r->is_short)
		return 0;
	uint32_t *const slot = slot_of(r, key);
	if (*slot > 0)
		return *slot;
	crux_rewrite_text const from = crux_rewrite_texts_get(&r->texts, left);
	crux_rewrite_text const to = right == CRUX_REWRITE_NO_TEXT ? from : crux_rewrite_texts_get(&r->texts, right);
	crux_rewrite_cell *const cell = calloc(1, sizeof *cell);
	r->is_short = !cell || !make(p, cell, from, to, right != CRUX_REWRITE_NO_TEXT, is_late);
	if (r->is_short) {
		crux_rewrite_cell_free(cell);
		return 0;
	}
	p->cells[p->cell_count] = cell;
	r->cell_keys[p->cell_count++] = key;
	return *slot = (uint32_t)p->cell_count;
}

void crux_rewrite_cell_free(crux_rewrite_cell *cell)
{
	if (!cell)
		return;
	free(cell->storage);
	free(cell->tests);
	free(cell);
}

crux_rewrite_mistake crux_rewrite_overlap(const crux_rewrite_reader *r, uint32_t number, bool is_left)
{
	crux_rewrite_program const *const p = r->program;
	crux_rewrite_text const text = crux_rewrite_texts_get(&r->texts, number);
	crux_rewrite_mistake mistake = {.kind = is_left ? CRUX_REWRITE_CULLED : CRUX_REWRITE_OVERLAP};
	for (size_t i = 0; i < text.count; i++) {
		unsigned const word = crux_rewrite_word_of(text.pairs[i]);
		for (size_t k = i; word != CRUX_REWRITE_NO && word != CRUX_REWRITE_RANDOM && k-- > 0;) {
			if (crux_rewrite_word_of(text.pairs[k]) == CRUX_REWRITE_NO ||
			    !shares_layer(p, name_of(p, text, i), name_of(p, text, k)))
				continue;
			mistake.name = crux_rewrite_name_of(text.pairs[i]);
			mistake.other = crux_rewrite_name_of(text.pairs[k]);
			return mistake;
		}
	}
	return mistake;
}

void crux_rewrite_cell_use(crux_rewrite_program *p, crux_rewrite_cell *cell)
{
	for (size_t layer = 0; layer < p->layer_count && !cell->is_used && !cell->is_identity; layer++)
		note_changes(p, cell, layer);
	cell->is_used = true;
	p->has_chance = p->has_chance || cell->has_chance;
}
