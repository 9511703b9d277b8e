/* Expanding rewrites: see rewrite_choice.h. */
#include "puzzlescript/rewrite_choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "puzzlescript/rewrite_program.h"

/* A word for several directions or a property on the left, to be replaced by each of its directions or objects. */
typedef struct choice {
	size_t cell, name;
	unsigned word, first;    /* word: 0 for a property; first: its first direction */
	bool at_names, at_words; /* the same word is replaced on the whole right side: at the same name; at all names */
	size_t option_count;
} choice;

typedef struct choices {
	size_t count;
	choice *list;
} choices;

/* Returns the absolute meaning of a word in a rewrite of a direction. */
static unsigned absolute(unsigned word, int direction)
{
	enum {
		ALONG_X = CRUX_REWRITE_HORIZONTAL_PARALLEL,
		ACROSS_Y = CRUX_REWRITE_HORIZONTAL_PERPENDICULAR,
		ALONG_Y = CRUX_REWRITE_VERTICAL_PARALLEL,
		ACROSS_X = CRUX_REWRITE_VERTICAL_PERPENDICULAR,
		UP = CRUX_MOVE_UP,
		DOWN = CRUX_MOVE_DOWN,
		LEFT = CRUX_MOVE_LEFT,
		RIGHT = CRUX_MOVE_RIGHT,
	};
	static const unsigned char meanings[4][6] = {
		{UP, DOWN, LEFT, RIGHT, ALONG_Y, ACROSS_Y},
		{DOWN, UP, RIGHT, LEFT, ALONG_Y, ACROSS_Y},
		{LEFT, RIGHT, DOWN, UP, ALONG_X, ACROSS_X},
		{RIGHT, LEFT, UP, DOWN, ALONG_X, ACROSS_X},
	}; /* of >, <, ^, v, parallel, perpendicular */
	bool const is_relative = word >= CRUX_REWRITE_FORWARD && word <= CRUX_REWRITE_PERPENDICULAR;
	return is_relative ? meanings[direction][word - CRUX_REWRITE_FORWARD] : word;
}

/* Returns the number of directions that a word stands for, and sets the first; the others are the bits behind it. */
static size_t directions_of(unsigned word, unsigned *first)
{
	*first = CRUX_MOVE_UP;
	switch (word) {
	case CRUX_REWRITE_HORIZONTAL:
	case CRUX_REWRITE_HORIZONTAL_PARALLEL:
	case CRUX_REWRITE_HORIZONTAL_PERPENDICULAR: *first = CRUX_MOVE_LEFT; return 2;
	case CRUX_REWRITE_VERTICAL:
	case CRUX_REWRITE_VERTICAL_PARALLEL:
	case CRUX_REWRITE_VERTICAL_PERPENDICULAR: return 2;
	case CRUX_REWRITE_ORTHOGONAL: return 4;
	case CRUX_REWRITE_MOVING: return 5;
	default: return 0;
	}
}

/* Pushes a word with each object of a name from number `from` up to, not including, number `to`. */
static void push_objects(crux_rewrite_texts *t, unsigned word, const crux_rewrite_name *name, size_t from, size_t to)
{
	for (size_t i = from; i < to && i < name->count; i++)
		crux_rewrite_texts_push(t, word, name->objects_in_order[i]);
}

uint32_t crux_rewrite_plain_text(crux_rewrite_reader *r, uint32_t number, int direction)
{
	crux_rewrite_texts *const t = &r->texts;
	size_t const count = crux_rewrite_texts_get(t, number).count;
	for (int is_rest = 0; is_rest < 2; is_rest++) { /* behind all words: the objects of aggregates but the first */
		for (size_t i = 0; i < count; i++) {
			uint32_t const pair = crux_rewrite_texts_get(t, number).pairs[i];
			unsigned const word = absolute(crux_rewrite_word_of(pair), direction);
			crux_rewrite_name const *const name = &r->program->names[crux_rewrite_name_of(pair)];
			if (word != CRUX_REWRITE_GAP && name->is_aggregate)
				push_objects(t, word, name, is_rest ? 1 : 0, is_rest ? name->count : 1);
			else if (word == CRUX_REWRITE_NO && !is_rest)
				push_objects(t, word, name, 0, name->count);
			else if (!is_rest)
				crux_rewrite_texts_push(t, word, crux_rewrite_name_of(pair));
		}
	}
	return crux_rewrite_texts_finish(t);
}

/* Returns true if a pair in a text is a choice of directions, or of the objects of a property when `of_objects`. */
static bool is_choice(const crux_rewrite_program *p, uint32_t pair, bool of_objects)
{
	unsigned first;
	unsigned const word = crux_rewrite_word_of(pair);
	if (!of_objects)
		return directions_of(word, &first) > 0;
	return word != CRUX_REWRITE_RANDOM && word != CRUX_REWRITE_GAP && !p->names[crux_rewrite_name_of(pair)].is_object;
}

/* Returns true if a pair at a place in a text is a choice, and no pair before it is the same choice. */
static bool is_first_choice(const crux_rewrite_program *p, crux_rewrite_text text, size_t at, bool of_objects)
{
	uint32_t const pair = text.pairs[at];
	if (!is_choice(p, pair, of_objects))
		return false;
	for (size_t i = 0; i < at; i++)
		if (of_objects ? is_choice(p, text.pairs[i], true) && crux_rewrite_name_of(text.pairs[i]) == crux_rewrite_name_of(pair)
		               : text.pairs[i] == pair)
			return false;
	return true;
}

static bool has_name(crux_rewrite_text text, size_t name)
{
	for (size_t i = 0; i < text.count; i++)
		if (crux_rewrite_word_of(text.pairs[i]) != CRUX_REWRITE_GAP && crux_rewrite_name_of(text.pairs[i]) == name)
			return true;
	return false;
}

/* Returns true if a property is in a cell on the right and not in the same cell on the left. */
static bool is_ambiguous(const crux_rewrite_reader *r, const crux_rewrite_forms *forms, size_t name)
{
	for (size_t k = forms->left; k < forms->width; k++) {
		crux_rewrite_text const right = crux_rewrite_texts_get(&r->texts, forms->texts[k]);
		for (size_t i = 0; i < right.count; i++)
			if (is_choice(r->program, right.pairs[i], true) && crux_rewrite_name_of(right.pairs[i]) == name &&
			    !has_name(crux_rewrite_texts_get(&r->texts, forms->texts[k - forms->left]), name))
				return true;
	}
	return false;
}

/* Adds the choices of a cell on the left. Those of objects leave out properties of one layer, unless they are ambiguous. */
static void add_choices_of_cell(const crux_rewrite_reader *r, const crux_rewrite_forms *forms, size_t cell, bool of_objects,
                                choices *found)
{
	crux_rewrite_text const text = crux_rewrite_texts_get(&r->texts, forms->texts[cell]);
	for (size_t i = 0; i < text.count; i++) {
		choice new = {.cell = cell, .name = crux_rewrite_name_of(text.pairs[i])};
		crux_rewrite_name const *const name = &r->program->names[new.name];
		if (!is_first_choice(r->program, text, i, of_objects))
			continue;
		if (of_objects && !name->has_layers && !is_ambiguous(r, forms, new.name))
			continue;
		new.word = of_objects ? 0 : crux_rewrite_word_of(text.pairs[i]);
		new.option_count = of_objects ? name->count : directions_of(new.word, &new.first);
		found->list[found->count++] = new;
	}
}

/* A word on the right takes the direction of the same word at the same name on the left if that is in one cell only, or of the
 * only such word there; a property on the right takes the object of the only one on the left. */
static void link_to_right(choices *found)
{
	for (size_t i = 0; i < found->count; i++) {
		choice *const one = &found->list[i];
		size_t words = 0, names = 0;
		for (size_t k = 0; k < found->count; k++) {
			choice const *const other = &found->list[k];
			words += other->word == one->word;
			names += other->word == one->word && other->name == one->name;
		}
		one->at_words = one->word && words == 1;
		one->at_names = names == 1;
	}
}

/* Returns the choices in the order of the original engine, which splits the cells in all orders and keeps the last of equal
 * rewrites: those that come from splitting the last cell first. The list is NULL when memory is short. */
static choices choices_of(const crux_rewrite_reader *r, const crux_rewrite_forms *forms)
{
	size_t pairs = 0;
	for (size_t k = 0; k < forms->left; k++)
		pairs += crux_rewrite_texts_get(&r->texts, forms->texts[k]).count;
	choices found = {0, malloc((2 * pairs + 1) * sizeof *found.list)};
	for (size_t k = forms->left; found.list && k-- > 0;)
		add_choices_of_cell(r, forms, k, false, &found);
	for (size_t k = 0; found.list && k < forms->left; k++)
		add_choices_of_cell(r, forms, k, true, &found);
	if (found.list)
		link_to_right(&found);
	return found;
}

/* Returns a text with a choice replaced by one of its options; at_words: at all names. */
static uint32_t replaced(crux_rewrite_reader *r, uint32_t number, const choice *c, size_t option, bool at_words)
{
	crux_rewrite_texts *const t = &r->texts;
	size_t const count = crux_rewrite_texts_get(t, number).count;
	size_t const object = c->word ? 0 : r->program->names[c->name].objects_in_order[option];
	for (size_t i = 0; i < count; i++) {
		uint32_t const pair = crux_rewrite_texts_get(t, number).pairs[i];
		unsigned const word = crux_rewrite_word_of(pair);
		size_t const name = crux_rewrite_name_of(pair);
		bool const is_it = c->word ? word == c->word && (at_words || name == c->name)
		                           : word != CRUX_REWRITE_RANDOM && word != CRUX_REWRITE_GAP && name == c->name;
		crux_rewrite_texts_push(t, is_it && c->word ? c->first << option : word, is_it && !c->word ? object : name);
	}
	return crux_rewrite_texts_finish(t);
}

/* Replaces each rewrite by one for each option of a choice. Returns false when memory is short. */
static bool expand(crux_rewrite_reader *r, crux_rewrite_forms *forms, const choice *c)
{
	size_t const width = forms->width;
	uint32_t *const longer = malloc(forms->count * c->option_count * width * sizeof *longer);
	if (!longer)
		return false;
	uint32_t *new = longer;
	for (size_t i = 0; i < forms->count; i++) {
		for (size_t option = 0; option < c->option_count; option++, new += width) {
			memcpy(new, forms->texts + i * width, width * sizeof *new);
			new[c->cell] = replaced(r, new[c->cell], c, option, false);
			if (forms->left + c->cell < width)
				new[forms->left + c->cell] = replaced(r, new[forms->left + c->cell], c, option, false);
			for (size_t k = forms->left; k < width && (c->at_names || c->at_words); k++)
				new[k] = replaced(r, new[k], c, option, c->at_words);
		}
	}
	free(forms->texts);
	forms->texts = longer;
	forms->count *= c->option_count;
	return true;
}

/* Returns the mistake of words on the right of the first rewrite that still stand for several directions or objects. */
static crux_rewrite_mistake unclear_right(const crux_rewrite_reader *r, const crux_rewrite_forms *forms)
{
	for (int of_objects = 0; of_objects < 2; of_objects++) {
		for (size_t k = forms->left; k < forms->width; k++) {
			crux_rewrite_text const text = crux_rewrite_texts_get(&r->texts, forms->texts[k]);
			for (size_t i = 0; i < text.count; i++) {
				size_t const name = crux_rewrite_name_of(text.pairs[i]);
				if (!is_choice(r->program, text.pairs[i], of_objects) || (of_objects && !is_ambiguous(r, forms, name)))
					continue;
				return of_objects ? (crux_rewrite_mistake){.kind = CRUX_REWRITE_UNCLEAR_PROPERTY, .name = name}
				                  : (crux_rewrite_mistake){.kind = CRUX_REWRITE_UNCLEAR_MOVEMENT,
				                                         .name = crux_rewrite_word_of(text.pairs[i])};
			}
		}
	}
	return (crux_rewrite_mistake){.kind = CRUX_REWRITE_FINE};
}

crux_rewrite_mistake crux_rewrite_expand(crux_rewrite_reader *r, crux_rewrite_forms *forms)
{
	choices const all = choices_of(r, forms);
	size_t rewrites = 1;
	assert(all.list || all.count == 0);
	r->is_short = r->is_short || !all.list;
	for (size_t i = 0; i < all.count && rewrites <= CRUX_REWRITE_MAX_EXPANDED; i++)
		rewrites *= all.list[i].option_count;
	bool const is_too_large = rewrites > CRUX_REWRITE_MAX_EXPANDED || rewrites * forms->width > CRUX_REWRITE_MAX_PLACES;
	for (size_t i = 0; i < all.count && !is_too_large && !r->is_short; i++)
		r->is_short = !expand(r, forms, &all.list[i]);
	free(all.list);
	if (is_too_large)
		return (crux_rewrite_mistake){.kind = CRUX_REWRITE_TOO_MANY};
	if (r->is_short || r->texts.is_short)
		return (crux_rewrite_mistake){.kind = CRUX_REWRITE_FINE};
	return unclear_right(r, forms);
}
