/* A level while rewrites change it: see rewrite_level.h. */
#include "puzzlescript/rewrite_level.h"

#include <stdlib.h>
#include <string.h>

/* Adds the set of a cell to the unions of its column, its row and all cells. */
static void add_cell(crux_rewrite_grid *g, size_t cell, const uint64_t *set, size_t words, uint64_t *columns, uint64_t *rows,
                      uint64_t *all)
{
	crux_rewrite_add(columns + cell / g->height * words, set, words);
	crux_rewrite_add(rows + cell % g->height * words, set, words);
	crux_rewrite_add(all, set, words);
}

void crux_rewrite_level_add_objects(crux_rewrite_level *level, size_t cell)
{
	size_t const words = level->program->object_words;
	crux_rewrite_grid *const g = &level->grid;
	add_cell(g, cell, g->objects + cell * words, words, g->column_objects, g->row_objects, g->all_objects);
}

void crux_rewrite_level_add_moves(crux_rewrite_level *level, size_t cell)
{
	size_t const words = level->program->move_words;
	crux_rewrite_grid *const g = &level->grid;
	add_cell(g, cell, g->moves + cell * words, words, g->column_moves, g->row_moves, g->all_moves);
}

void crux_rewrite_level_make_unions(crux_rewrite_level *level)
{
	crux_rewrite_grid const *const g = &level->grid;
	size_t const ow = level->program->object_words, mw = level->program->move_words;
	memset(g->column_objects, 0, g->width * ow * sizeof *g->objects);
	memset(g->row_objects, 0, g->height * ow * sizeof *g->objects);
	memset(g->all_objects, 0, ow * sizeof *g->objects);
	const uint64_t *set = g->objects;
	for (size_t x = 0; x < g->width; x++) {
		for (size_t y = 0; y < g->height; y++, set += ow) {
			crux_rewrite_add(g->column_objects + x * ow, set, ow);
			crux_rewrite_add(g->row_objects + y * ow, set, ow);
		}
		crux_rewrite_add(g->all_objects, g->column_objects + x * ow, ow);
	}
	memset(g->column_moves, 0, g->width * mw * sizeof *g->moves);
	memset(g->row_moves, 0, g->height * mw * sizeof *g->moves);
	memset(g->all_moves, 0, mw * sizeof *g->moves);
}

void crux_rewrite_level_clear_moves(crux_rewrite_level *level)
{
	size_t const bytes = level->grid.cells * level->program->move_words * sizeof(uint64_t);
	memset(level->grid.moves, 0, bytes);
	if (level->program->is_rigid) {
		memset(level->rigid_groups, 0, bytes);
		memset(level->rigid_layers, 0, bytes);
	}
}

/* Returns zeroed words; marks the level when memory is short. */
static uint64_t *zeroed_words(crux_rewrite_level *level, size_t words)
{
	uint64_t *const result = calloc(words ? words : 1, sizeof *result);
	level->is_out_of_memory = level->is_out_of_memory || !result;
	return result;
}

bool crux_rewrite_level_init(crux_rewrite_level *level, const crux_rewrite_program *program, size_t width, size_t height,
                          const uint64_t *objects, crux_rewrite_chance chance)
{
	*level = (crux_rewrite_level){.program = program, .chance = chance};
	crux_rewrite_grid *const g = &level->grid;
	size_t const ow = program->object_words, mw = program->move_words;
	g->width = width;
	g->height = height;
	g->cells = width * height;
	g->objects = zeroed_words(level, g->cells * ow);
	g->moves = zeroed_words(level, g->cells * mw);
	g->column_objects = zeroed_words(level, g->width * ow);
	g->row_objects = zeroed_words(level, g->height * ow);
	g->all_objects = zeroed_words(level, ow);
	g->column_moves = zeroed_words(level, g->width * mw);
	g->row_moves = zeroed_words(level, g->height * mw);
	g->all_moves = zeroed_words(level, mw);
	level->rigid_groups = zeroed_words(level, program->is_rigid ? g->cells * mw : 0);
	level->rigid_layers = zeroed_words(level, program->is_rigid ? g->cells * mw : 0);
	level->banned = calloc(program->early.count + 1, sizeof *level->banned);
	level->used = calloc(program->line_count + 1, sizeof *level->used);
	level->is_out_of_memory = level->is_out_of_memory || !level->banned || !level->used;
	if (g->objects)
		memcpy(g->objects, objects, g->cells * ow * sizeof *objects);
	return !level->is_out_of_memory;
}

void crux_rewrite_level_close(crux_rewrite_level *level)
{
	crux_rewrite_grid const *const g = &level->grid;
	uint64_t *const blocks[] = {g->objects,      g->moves,     g->column_objects, g->row_objects,      g->all_objects,
	                            g->column_moves, g->row_moves, g->all_moves,      level->rigid_groups, level->rigid_layers};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		free(blocks[i]);
	for (size_t i = 0; i < CRUX_REWRITE_MAX_ROWS; i++)
		free(level->places[i].list);
	free(level->banned);
	free(level->used);
}
