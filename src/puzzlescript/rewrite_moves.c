/* Moving objects; see rewrite_level.h. */
#include "puzzlescript/rewrite_level.h"

/* Returns the cell next to one in the direction of a movement; SIZE_MAX at the edge. */
static size_t cell_ahead(const crux_rewrite_grid *g, size_t cell, unsigned move)
{
	size_t const x = cell / g->height, y = cell % g->height;
	switch (move) {
	case CRUX_MOVE_UP: return y > 0 ? cell - 1 : SIZE_MAX;
	case CRUX_MOVE_DOWN: return y + 1 < g->height ? cell + 1 : SIZE_MAX;
	case CRUX_MOVE_LEFT: return x > 0 ? cell - g->height : SIZE_MAX;
	case CRUX_MOVE_RIGHT: return x + 1 < g->width ? cell + g->height : SIZE_MAX;
	default: return SIZE_MAX;
	}
}

/* Moves the objects on a layer of a cell. Returns false if they cannot move. */
static bool move_layer(crux_rewrite_level *level, size_t cell, size_t layer, unsigned move)
{
	if (move == CRUX_MOVE_ACTION)
		return true;
	crux_rewrite_grid *const g = &level->grid;
	size_t const words = level->program->object_words, target = cell_ahead(g, cell, move);
	if (target == SIZE_MAX)
		return false;
	const uint64_t *const mask = level->program->layer_masks + layer * words;
	uint64_t *const from = g->objects + cell * words, *const to = g->objects + target * words;
	if (crux_rewrite_meets(mask, to, words))
		return false;
	for (size_t i = 0; i < words; i++) {
		to[i] |= from[i] & mask[i];
		from[i] &= ~mask[i];
	}
	crux_rewrite_level_add_objects(level, target);
	return true;
}

static bool move_cell(crux_rewrite_level *level, size_t cell)
{
	uint64_t *const moves = level->grid.moves + cell * level->program->move_words;
	bool moved = false;
	for (size_t layer = 0; layer < level->program->layer_count; layer++) {
		unsigned const move = crux_rewrite_moves_of(moves, layer);
		if (!move || !move_layer(level, cell, layer, move))
			continue;
		crux_rewrite_clear_moves(moves, layer);
		moved = true;
	}
	return moved;
}

static bool has_moves(const crux_rewrite_level *level, size_t cell)
{
	const uint64_t *const moves = level->grid.moves + cell * level->program->move_words;
	for (size_t i = 0; i < level->program->move_words; i++)
		if (moves[i])
			return true;
	return false;
}

/* Bans the group of the first failed rigid movement of a cell. Returns true if that group was not banned before. */
static bool ban_group(crux_rewrite_level *level, size_t cell)
{
	size_t const words = level->program->move_words;
	uint64_t failed[CRUX_REWRITE_MAX_MOVE_WORDS];
	for (size_t i = 0; i < words; i++)
		failed[i] = level->grid.moves[cell * words + i] & level->rigid_layers[cell * words + i];
	for (size_t layer = 0; layer < level->program->layer_count; layer++) {
		if (!crux_rewrite_moves_of(failed, layer))
			continue;
		unsigned const number = crux_rewrite_moves_of(level->rigid_groups + cell * words, layer);
		for (size_t i = 0; i < level->program->early.count; i++) {
			if (level->program->early.groups[i].rigid != number || level->banned[i])
				continue;
			level->banned[i] = true;
			return true;
		}
		return false;
	}
	return false;
}

/* Carries out all movements that are possible. Returns true if a rigid group failed, so the turn must be repeated. */
bool crux_rewrite_move(crux_rewrite_level *level)
{
	crux_rewrite_grid const *const g = &level->grid;
	size_t const words = level->program->move_words;
	bool moved = true, failed = false;
	while (moved) {
		moved = false;
		for (size_t x = 0; x < g->width; x++)
			for (size_t y = 0; y < g->height && !crux_rewrite_is_empty(g->column_moves + x * words, words); y++)
				if (has_moves(level, x * g->height + y))
					moved = move_cell(level, x * g->height + y) || moved;
	}
	for (size_t cell = 0; level->program->is_rigid && cell < level->grid.cells; cell++)
		if (has_moves(level, cell))
			failed = ban_group(level, cell) || failed;
	crux_rewrite_level_clear_moves(level);
	return failed;
}
