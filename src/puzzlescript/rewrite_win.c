/* Win conditions: see rewrite_win.h. */
#include "puzzlescript/rewrite_win.h"

static bool all_or_some(const uint64_t *set, bool all, const uint64_t *objects, size_t words)
{
	return all ? crux_rewrite_within(set, objects, words) : crux_rewrite_meets(set, objects, words);
}

static bool holds(const crux_rewrite_level *level, const crux_win_condition *c)
{
	size_t const words = level->program->object_words;
	for (size_t cell = 0; cell < level->grid.cells; cell++) {
		const uint64_t *const objects = level->grid.objects + cell * words;
		if (!all_or_some(c->first, c->all_of_first, objects, words))
			continue;
		bool const both = all_or_some(c->second, c->all_of_second, objects, words);
		if (c->quantifier > 0 ? !both : both)
			return c->quantifier == 0;
	}
	return c->quantifier != 0;
}

bool crux_rewrite_wins(const crux_rewrite_level *level)
{
	for (size_t i = 0; i < level->program->condition_count; i++)
		if (!holds(level, &level->program->conditions[i]))
			return false;
	return level->program->condition_count > 0;
}
